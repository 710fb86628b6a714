// Targets that a study did not measure: the cost of every run is read off its course, and a measure is made of that as the library does.
import { unpacked } from "./blocks.js";
import { columnOf, openedRuns } from "./rundata.js";
import { matrixOf, runCells } from "./runcells.js";
import { isTarget, opened, pointValue, tooLarge } from "./data.js";
import { change, state } from "./state.js";
import { el } from "./elements.js";

// The courses of each study, by its id: null while they are being unpacked, or the words that say why they cannot be
const courseBlocks = new Map();
function openedCourses(s, ready) {
  if (!courseBlocks.has(s.id)) {
    courseBlocks.set(s.id, null);
    unpacked(`${s.id}-courses`).then(({ content, arrayOf }) => courseBlocks.set(s.id, {
      starts: [0, ...arrayOf(content.n)].map(((sum) => (n) => (sum += n))(0)), evaluations: arrayOf(content.evaluations), value: arrayOf(content.value),
    }), (error) => courseBlocks.set(s.id, error.message)).then(ready);
  }
  return courseBlocks.get(s.id);
}
const statedOf = (s, measure) => s.runs?.measures?.find((one) => one.name === measure.name);
// Whether the page can read the costs of a measure at any target
export const isFree = (s, measure) => Boolean(s.runs?.courses) && statedOf(s, measure)?.scale === s.runs.courses;

// The target that is chosen and was not measured; null for none
export function typedTarget(s, measure) {
  const word = state.choices.point ?? "";
  const target = Number(word.slice(7));
  const typed = /^target:./.test(word) && Number.isFinite(target) && isTarget(measure.points[0]) && !measure.points.some((p) => pointValue(p) === word);
  return typed && isFree(s, measure) ? target : null;
}
// The field for any target
export function targetField(s, measure) {
  if (!isTarget(measure.points[0]) || !isFree(s, measure)) return [];
  const target = typedTarget(s, measure);
  const box = el("input", {
    id: "explore-target", type: "number", step: "any", value: target, placeholder: "type one",
    onchange: (event) => {
      const x = Number(event.target.value);
      if (event.target.value === "") change({ choices: { point: undefined } }, { focus: "explore-target" });
      else if (Number.isFinite(x)) change({ choices: { point: `target:${x}` } }, { focus: "explore-target" });
    },
  });
  return [el("label", { class: "control" }, el("span", {}, "Any target"), box)];
}

// Evaluations that each run needs to a target; infinite where it does not reach it, NaN where the measure has no cost of the run
export function costsAt({ starts, evaluations, value }, target, known) {
  return Float64Array.from(known, (cost, row) => {
    if (Number.isNaN(cost)) return NaN;
    // values fall along a course
    let low = starts[row], high = starts[row + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value[middle] <= target) high = middle;
      else low = middle + 1;
    }
    return low < starts[row + 1] ? evaluations[low] : Infinity;
  });
}

// A measure at the target that is chosen: as `opened` gives it, or made of the courses; else a text that says why not, or not yet
let madeAt = { key: "", measure: null };
export function measureAsked(s, measure) {
  const m = opened(measure);
  const target = m ? typedTarget(s, measure) : null;
  if (target === null) return m ?? tooLarge(s);
  const read = coursesOf(s);
  if (typeof read === "string") return read;
  const key = JSON.stringify([s.name, measure.name, measure.statistic, target]);
  if (madeAt.key !== key) madeAt = { key, measure: agrees(s, m, read) ? atTarget(s, m, target, read) : "The courses of the runs do not give the numbers of the files at the targets that were measured, so no other target is read off them." };
  return madeAt.measure;
}
// The runs and their courses; a text where they are not there, or not yet
export function coursesOf(s) {
  const ready = () => change({}, { step: false });
  const courses = openedCourses(s, ready), runs = openedRuns(s, ready);
  const wrong = [courses, runs].find((one) => typeof one === "string");
  return wrong ?? (courses && runs ? { courses, runs } : "The courses of the runs are being unpacked.");
}
// Whether the courses give the very numbers of the files, at every target that was measured
const agreeing = new Map();
function agrees(s, m, read) {
  const key = `${s.name} ${m.statistic} ${m.name}`;
  if (!agreeing.has(key)) {
    agreeing.set(key, m.points.every((point, p) => {
      const found = atTarget(s, m, point.target, read);
      const places = [];
      for (let j = 0; j < m.n; j++) if (m.point[j] === p) places.push(j);
      const cell = new Map(Array.from({ length: found.n }, (_, j) => [cellKey(found, j), j]));
      return s.algorithms.every((_, i) => places.every((j) => {
        const a = i * m.n + j, b = i * found.n + cell.get(cellKey(m, j));
        return m.trials[a] === found.trials[b] && (m.trials[a] === 0 || (Object.is(m.value[a], found.value[b]) && m.successes[a] === found.successes[b]));
      }));
    }));
  }
  return agreeing.get(key);
}
const cellKey = (m, j) => [m.suite[j], m.problem[j], m.dimension[j], m.instance[j]].join(" ");

function atTarget(s, m, target, { courses, runs }) {
  const stated = statedOf(s, m);
  const of = runs.costs(s.runs.measures.indexOf(stated), 0);
  const cost = costsAt(courses, target, of.cost);
  const n = columnOf(runs.columns, "n");
  const weight = (row) => (n && n.values[row] > 0 ? n.values[row] : 1);
  const rows = Int32Array.from({ length: cost.length }, (_, row) => row);
  const found = runCells(runs.columns, cost, rows, s.runs.problem_keys, s.algorithms.length);
  const matrix = matrixOf(found, cost, of.budget, weight, { ...stated, shift: 0, aggregate: m.statistic === "cost" ? stated.aggregate : m.statistic });
  // the problems of the measure, in its order, and the cells of the runs that they are
  const known = new Map();
  for (let j = 0; j < m.n; j++) {
    const key = cellKey(m, j);
    if (!known.has(key)) known.set(key, []);
    known.get(key).push(j);
  }
  const first = firstRows(found);
  const place = placesOf(s, m, runs.columns);
  const columns = [...known];
  const cellOf = new Map();
  for (let j = 0; j < found.n; j++) if (first[j] >= 0) cellOf.set(place(first[j]), j);
  const size = s.algorithms.length * columns.length;
  const out = { value: new Float64Array(size).fill(NaN), trials: new Float64Array(size), successes: new Float64Array(size) };
  columns.forEach(([key], j) => {
    const cell = cellOf.get(key);
    if (cell === undefined) return;
    for (let i = 0; i < s.algorithms.length; i++) for (const name of Object.keys(out)) out[name][i * columns.length + j] = matrix[name][i * found.n + cell];
  });
  const pick = (values) => Int32Array.from(columns, ([, own]) => values[own[0]]);
  return {
    ...m, ...out, n: columns.length, typed: true, measured: m.points, points: [{ target, label: `target ${String(target).replace("-", "−")}` }], point: new Int32Array(columns.length),
    suite: pick(m.suite), problem: pick(m.problem), dimension: pick(m.dimension), instance: pick(m.instance),
    // problems are left out by their names, at every target
    excluded: columns.flatMap(([, own], j) => (own.some((one) => m.excluded.includes(one)) ? [j] : [])),
  };
}
function firstRows(found) {
  const first = new Int32Array(found.n).fill(-1);
  for (let i = 0; i < found.k; i++) for (let j = 0; j < found.n; j++) if (first[j] < 0 && found.has(i, j)) first[j] = found.of(i, j)[0];
  return first;
}
// The key of a run's problem in the numbers of the measure; what the study does not tell apart is −1 there
function placesOf(s, m, columns) {
  const places = (key, names) => {
    const column = columnOf(columns, key), at = new Map(names.map((name, i) => [name, i]));
    return (row) => (column ? at.get(column.words[column.codes[row]]) ?? -1 : -1);
  };
  const dimension = columnOf(columns, "dimension");
  const of = {
    suite: places("suite", s.suites), problem: places("problem", s.problem_names), instance: places("instance", m.instances),
    dimension: (row) => (dimension && !Number.isNaN(dimension.values[row]) ? dimension.values[row] : -1),
  };
  return (row) => ["suite", "problem", "dimension", "instance"].map((key) => (s.runs.problem_keys.includes(key) ? of[key](row) : -1)).join(" ");
}
