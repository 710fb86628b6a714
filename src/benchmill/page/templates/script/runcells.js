// From costs of runs to costs of problems, and to what is said of solvers: as benchmill.core.replicates, profiles.ratios and
// indicators.summary do it. A cell is a solver on a problem.
import { columnOf } from "./rundata.js";

// Numbers of the problems that `keys` make, one a row; the same for every filter
const numbered = new WeakMap();
function problemNumbers(columns, keys) {
  const algorithm = columnOf(columns, "algorithm");
  const known = numbered.get(algorithm) ?? new Map();
  numbered.set(algorithm, known);
  const name = keys.join(" ");
  if (!known.has(name)) {
    const n = algorithm.codes.length;
    let number = new Int32Array(n), count = 1;
    for (const part of keys.map((key) => columnOf(columns, key)).filter(Boolean).map((c) => c.codes ?? c.values)) {
      const places = new Map(), next = new Int32Array(n);
      const values = new Map();
      for (let row = 0; row < n; row++) {
        let value = values.get(part[row]);
        if (value === undefined) values.set(part[row], (value = values.size));
        // a pair of numbers as one
        const pair = value * count + number[row];
        let place = places.get(pair);
        if (place === undefined) places.set(pair, (place = places.size));
        next[row] = place;
      }
      number = next;
      count = places.size;
    }
    known.set(name, { number, count });
  }
  return known.get(name);
}
// The rows of each cell of `k` solvers; rows without a cost are of no cell. `of(i, j)` has them in the order of `rows`
export function runCells(columns, cost, rows, keys, k) {
  const { number, count: n } = problemNumbers(columns, keys);
  const algorithm = columnOf(columns, "algorithm").codes;
  const starts = new Int32Array(k * n + 1);
  for (const row of rows) if (!Number.isNaN(cost[row])) starts[algorithm[row] * n + number[row] + 1] += 1;
  for (let c = 0; c < k * n; c++) starts[c + 1] += starts[c];
  const order = new Int32Array(starts[k * n]), free = starts.slice();
  for (const row of rows) if (!Number.isNaN(cost[row])) order[free[algorithm[row] * n + number[row]]++] = row;
  const some = (i) => starts[(i + 1) * n] > starts[i * n];
  return { k, n, some, has: (i, j) => starts[i * n + j + 1] > starts[i * n + j], of: (i, j) => order.subarray(starts[i * n + j], starts[i * n + j + 1]) };
}

const total = (values) => {
  let sum = 0;
  for (const v of values) sum += v;
  return sum;
};
const AGGREGATES = {
  ert(t, b, w) {
    const spent = total(t.map((v, i) => w[i] * (Number.isFinite(v) ? v : b[i])));
    const successes = total(t.map((v, i) => (Number.isFinite(v) ? w[i] : 0)));
    return successes ? spent / successes : Infinity;
  },
  mean: (t, b, w) => total(t.map((v, i) => w[i] * v)) / total(w),
  success_performance(t, b, w) {
    const successes = total(t.map((v, i) => (Number.isFinite(v) ? w[i] : 0)));
    return successes ? (total(t.map((v, i) => (Number.isFinite(v) ? w[i] * v : 0))) / successes) * (total(w) / successes) : Infinity;
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
  const size = found.k * found.n;
  const value = new Float64Array(size).fill(NaN), trials = new Float64Array(size), successes = new Float64Array(size);
  for (let i = 0; i < found.k; i++) {
    for (let j = 0; j < found.n; j++) {
      if (!found.has(i, j)) continue;
      const rows = found.of(i, j), place = i * found.n + j;
      const t = Array.from(rows, (row) => cost[row] + m.shift), w = Array.from(rows, weight);
      value[place] = AGGREGATES[m.aggregate](t, Array.from(rows, (row) => budget[row]), w);
      trials[place] = total(w);
      successes[place] = total(t.map((v, k) => (Number.isFinite(v) ? w[k] : 0)));
    }
  }
  return { value, trials, successes, n: found.n, excluded: [], missing: m.missing };
}

// Means of solver runs where a failure counts `factor` times its limit, for each of some factors, over the instances on which the
// `compared` solvers have a run (or all, where one without a run counts as failed): see indicators.summary
export function penalisedMeans(found, cost, budget, weight, m, { all, compared }, factors) {
  const means = factors.map(() => ({ mean: new Float64Array(all.length), sgm: new Float64Array(all.length) }));
  const log = (v) => (v + m.mean_shift > 0 ? Math.log(v + m.mean_shift) : NaN);
  let problems = 0;
  for (let j = 0; j < found.n; j++) {
    if (m.missing === "failure" ? !all.some((i) => found.has(i, j)) : !compared.every((i) => found.has(i, j))) continue;
    problems += 1;
    let limit = NaN;
    if (m.missing === "failure") {
      for (const i of all) for (const row of found.of(i, j)) if (!(budget[row] <= limit) && !Number.isNaN(budget[row])) limit = budget[row];
    }
    all.forEach((i, k) => {
      const rows = found.of(i, j);
      factors.forEach((factor, f) => {
        let weights = 0, mean = 0, logs = 0;
        for (const row of rows) {
          const v = Number.isFinite(cost[row]) ? cost[row] : factor * budget[row], w = weight(row);
          weights += w;
          mean += w * v;
          logs += w * log(v);
        }
        means[f].mean[k] += rows.length ? mean / weights : factor * limit;
        means[f].sgm[k] += rows.length ? logs / weights : log(factor * limit);
      });
    });
  }
  return { problems, means: means.map(({ mean, sgm }) => ({ mean: mean.map((v) => v / problems), sgm: sgm.map((v) => Math.exp(v / problems) - m.mean_shift) })) };
}
