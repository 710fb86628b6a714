// From costs of runs to costs of problems, and to what is said of solvers: as benchmill.core.replicates, profiles.ratios and
// indicators.summary do it. A cell is a solver on a problem.
import { columnOf } from "./rundata.js";

// The rows of each cell: `keys` name the columns that make a problem; rows without a cost are of no cell
export function runCells(columns, cost, rows, keys, n) {
  const algorithm = columnOf(columns, "algorithm").codes;
  const parts = keys.map((key) => columnOf(columns, key)).filter(Boolean).map((c) => c.codes ?? c.values);
  const numbers = new Map(), first = [];
  const cells = Array.from({ length: n }, () => []);
  for (const row of rows) {
    if (Number.isNaN(cost[row])) continue;
    const key = parts.map((part) => part[row]).join(" ");
    let j = numbers.get(key);
    if (j === undefined) {
      j = first.length;
      numbers.set(key, j);
      first.push(row);
    }
    (cells[algorithm[row]][j] ??= []).push(row);
  }
  return { cells, first, n: first.length };
}

const sum = (values) => values.reduce((total, v) => total + v, 0);
const AGGREGATES = {
  ert(t, b, w) {
    const spent = sum(t.map((v, i) => w[i] * (Number.isFinite(v) ? v : b[i])));
    const successes = sum(t.map((v, i) => (Number.isFinite(v) ? w[i] : 0)));
    return successes ? spent / successes : Infinity;
  },
  mean: (t, b, w) => sum(t.map((v, i) => w[i] * v)) / sum(w),
  success_performance(t, b, w) {
    const successes = sum(t.map((v, i) => (Number.isFinite(v) ? w[i] : 0)));
    return successes ? (sum(t.map((v, i) => (Number.isFinite(v) ? w[i] * v : 0))) / successes) * (sum(w) / successes) : Infinity;
  },
  median: (t) => middle(t),
  single: (t) => (t.length === 1 ? t[0] : NaN),
};
export function middle(values) {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  if (!sorted.length) return NaN;
  if (sorted.length % 2) return sorted[half];
  const [low, high] = [sorted[half - 1], sorted[half]];
  return low === high ? low : low + 0.5 * (high - low);
}
// One cost of each cell and its numbers of trials, as the page has a measure: what `costsOf` and `profileOf` take
export function matrixOf(found, cost, budget, weight, m) {
  const size = found.cells.length * found.n;
  const value = new Float64Array(size).fill(NaN), trials = new Float64Array(size), successes = new Float64Array(size);
  found.cells.forEach((own, i) => own.forEach((rows, j) => {
    const t = rows.map((row) => cost[row] + m.shift), w = rows.map((row) => weight(row));
    const place = i * found.n + j;
    value[place] = AGGREGATES[m.aggregate](t, rows.map((row) => budget[row]), w);
    trials[place] = sum(w);
    successes[place] = sum(t.map((v, k) => (Number.isFinite(v) ? w[k] : 0)));
  }));
  return { value, trials, successes, n: found.n, excluded: [], missing: m.missing };
}

// Means of solver runs where a failure counts `factor` times its limit, over the instances on which the `compared` solvers have a run
// (or all, where one without a run counts as failed): see indicators.summary
export function penalisedMeans(found, cost, budget, weight, m, { all, compared }, factor) {
  const ones = Float64Array.from(all, () => 0);
  const logs = Float64Array.from(all, () => 0);
  let problems = 0;
  for (let j = 0; j < found.n; j++) {
    const here = all.map((i) => found.cells[i][j]);
    if (m.missing !== "failure" && !compared.every((i) => found.cells[i][j])) continue;
    problems += 1;
    const limits = here.flatMap((rows) => (rows ?? []).map((row) => budget[row])).filter((v) => !Number.isNaN(v));
    const charge = m.missing === "failure" && limits.length ? factor * Math.max(...limits) : NaN;
    here.forEach((rows, k) => {
      const charged = rows ? rows.map((row) => (Number.isFinite(cost[row]) ? cost[row] : factor * budget[row])) : [charge];
      const w = rows ? rows.map(weight) : [1];
      ones[k] += sum(charged.map((v, i) => w[i] * v)) / sum(w);
      logs[k] += sum(charged.map((v, i) => w[i] * (v + m.mean_shift > 0 ? Math.log(v + m.mean_shift) : NaN))) / sum(w);
    });
  }
  return { problems, mean: ones.map((v) => v / problems), sgm: logs.map((v) => Math.exp(v / problems) - m.mean_shift) };
}
