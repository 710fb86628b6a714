// Distributions at targets or budgets that the study did not take, from the trajectories of the runs, as benchmill.indicators.ecdf makes them.
import { DISAGREE, costsAt, trajectoriesOf, levelsField, whyNot } from "./freetargets.js";
import { columnOf } from "./rundata.js";
import { indexAt, stepsOf } from "./compute.js";
import { array } from "./data.js";
import { plural } from "./format.js";

// Runs times levels that a page sorts without being stuck
const MOST_JUMPS = 3_000_000;
// What tells the curves of an aggregation apart, beside the solver
const APART = { level: ["suite", "problem", "dimension"], problem: ["suite", "dimension"], dimension: ["suite"] };

// The levels that the reader asked for, with what makes curves of them; null for those of the study. `e`: the curves of the files
export function levelsAsked(asked, e, { over, free, stated = {} }) {
  const { s } = asked;
  const levels = levelsField(asked, over, free.why ?? whyNot(s, `${over}s`, free.scale));
  return levels && { s, e, over, free, levels, stated: { ...stated, read: `${over}s` }, unit: over === "target" && s.ecdf_x !== "evaluations" ? "dimension" : "" };
}
// The curves of an aggregation in the form of those of the files, or a text that says why there are none, or not yet
let curvesMade = { key: "", curves: new Map() };
export function curvesAsked(typed, aggregation) {
  const { s, e, over, free, levels } = typed;
  const read = trajectoriesOf(s);
  if (typeof read === "string") return read;
  const n = typed.e.algorithm.length && s.runs.n * levels.length;
  if (n > MOST_JUMPS) return `${plural(s.runs.n, "run")} at ${plural(levels.length, over)} are too many for a page; take fewer ${over}s.`;
  const key = JSON.stringify([s.name, e.name, over, levels]);
  if (curvesMade.key !== key) curvesMade = { key, curves: new Map() };
  if (!curvesMade.curves.has(aggregation)) curvesMade.curves.set(aggregation, curvesAgree(typed, read, free.levels) ? curvesAt(typed, read, levels, aggregation) : DISAGREE(over));
  return curvesMade.curves.get(aggregation);
}
// Whether the trajectories give the very curves of the files at the levels of the study
const curvesAgreeing = new Map();
function curvesAgree({ s, e, over, ...typed }, read, levels) {
  const key = `${s.name} ${over} ${e.name}`;
  if (!curvesAgreeing.has(key)) {
    const aggregation = [over, "problem", "dimension"].find((one) => e.aggregations.includes(one));
    const found = curvesAt({ s, e, over, ...typed }, read, levels, aggregation === over ? "level" : aggregation);
    const keyOf = (of, c) => [of.suite[c], of.problem[c], of.dimension[c], of.algorithm[c]].join(" ");
    const place = new Map(found.curves.map((_, c) => [keyOf(found, c), c]));
    const x = array(e.x), y = array(e.fraction);
    let at = 0;
    curvesAgreeing.set(key, e.size.every((size, c) => {
      const start = at;
      at += size;
      if (e.aggregations[e.aggregation[c]] !== aggregation) return true;
      const own = found.curves[place.get(keyOf(e, c))];
      if (!own || (e.step === 0 && !s.runs.off && own.x.length !== size)) return false;
      // values that were thinned stand a little lower than they are
      const height = (v) => own.y[indexAt(own.x, v)] ?? 0;
      const lower = over === "budget" ? 1 - s.runs.off : 1;
      for (let i = start; i < at; i++) if (!(height(x[i]) >= y[i] && height(x[i] * lower) <= y[i])) return false;
      return true;
    }));
  }
  return curvesAgreeing.get(key);
}

function curvesAt({ s, e, over, free, stated, unit }, read, levels, aggregation) {
  const { columns } = read.runs;
  const [algorithm, suite, problem, dimension, instance] = ["algorithm", "suite", "problem", "dimension", "instance"].map((key) => columnOf(columns, key));
  const placed = (column, words) => { const at = new Map(words.map((word, i) => [word, i])); return (row) => (column ? at.get(column.words[column.codes[row]]) ?? -1 : -1); };
  const of = { suite: placed(suite, s.suites), problem: placed(problem, s.problem_shown), dimension: (row) => (dimension && !Number.isNaN(dimension.values[row]) ? dimension.values[row] : -1) };
  const compared = new Set(e.algorithm), { trial } = read.trajectories;
  // as a source has them: an algorithm is of one
  const rows = Array.from({ length: s.runs.n }, (_, row) => row).filter((row) => compared.has(algorithm.codes[row])).sort((a, b) => trial[a] - trial[b] || a - b);
  const known = new Float64Array(s.runs.n);
  const costs = levels.map((level) => costsAt(read, stated, level, known));
  // the runs of each solver on each problem
  const cells = new Map();
  for (const row of rows) {
    const keys = { suite: of.suite(row), problem: of.problem(row), dimension: of.dimension(row), algorithm: algorithm.codes[row] };
    const name = Object.values(keys).join(" ");
    if (!cells.has(name)) cells.set(name, { keys, rows: [], instances: new Map() });
    const cell = cells.get(name), own = instance ? instance.codes[row] : -1;
    cell.rows.push(row);
    cell.instances.set(own, (cell.instances.get(own) ?? 0) + 1);
  }
  const weightOf = (cell, row) => (free.weight === "pooled" ? 1 : free.weight === "trial" ? 1 / cell.rows.length : 1 / cell.instances.get(instance ? instance.codes[row] : -1) / cell.instances.size);
  const apart = APART[aggregation];
  const panelOf = (keys) => apart.map((key) => keys[key]).join(" ");
  const common = aggregation === "level" ? () => true : commonTo(cells, panelOf);
  const curves = new Map();
  for (const cell of cells.values()) {
    if (!common(cell.keys)) continue;
    const name = `${panelOf(cell.keys)} ${cell.keys.algorithm}`;
    if (!curves.has(name)) curves.set(name, { keys: cell.keys, parts: [] });
    for (const row of cell.rows) curves.get(name).parts.push([row, weightOf(cell, row)]);
  }
  const least = costs.reduce((low, own) => rows.reduce((m, row) => Math.min(m, own[row]), low), Infinity);
  const found = { name: e.name, free: true, step: 0, aggregations: [aggregation === "level" ? over : aggregation], aggregation: [], suite: [], problem: [], dimension: [], algorithm: [], curves: [] };
  for (const { keys, parts } of curves.values()) {
    parts.sort(([a], [b]) => trial[a] - trial[b] || a - b);
    const unitOf = (row) => (unit ? dimension.values[row] : 1);
    const steps = stepsOf(parts.flatMap(([row]) => costs.map((own) => own[row] / unitOf(row))), parts.flatMap(([, w]) => levels.map(() => w)));
    // who reaches nothing has a curve of nought
    const nothing = over === "target" ? Math.min(...parts.map(([row]) => 1 / unitOf(row))) : Number.isFinite(least) ? least : 1;
    found.curves.push(steps.x.length ? steps : { x: [nothing], y: [0] });
    found.aggregation.push(0);
    for (const key of ["suite", "problem", "dimension"]) found[key].push(apart.includes(key) ? keys[key] : -1);
    found.algorithm.push(keys.algorithm);
  }
  return found;
}
// Whether all solvers of a panel have a run on a problem
function commonTo(cells, panelOf) {
  const there = new Map(), on = new Map();
  const problemOf = (keys) => `${panelOf(keys)} | ${keys.suite} ${keys.problem} ${keys.dimension}`;
  for (const { keys } of cells.values()) {
    for (const [map, key] of [[there, panelOf(keys)], [on, problemOf(keys)]]) map.set(key, (map.get(key) ?? new Set()).add(keys.algorithm));
  }
  return (keys) => on.get(problemOf(keys)).size === there.get(panelOf(keys)).size;
}
