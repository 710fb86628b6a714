// Targets and budgets that a study did not take: the cost of every run is read off its trajectory, and a measure is made of that as the library does.
import { isTarget, opened, pointKind, pointNumber, pointValue, tooLarge } from "./data.js";
import { columnOf, openedRuns } from "./rundata.js";
import { matrixOf, runCells } from "./runcells.js";
import { change, notices, state } from "./state.js";
import { unpacked } from "./blocks.js";
import { el, held } from "./elements.js";
import { number } from "./format.js";

// The trajectories of each study, by its id: null while they are being unpacked, or the words that say why they cannot be
const trajectoryBlocks = new Map();
function openedTrajectories(s, ready) {
  if (!trajectoryBlocks.has(s.id)) {
    trajectoryBlocks.set(s.id, null);
    unpacked(`${s.id}-trajectories`).then(({ content, arrayOf }) => {
      const found = { trial: arrayOf(content.trial) };
      for (const of of Object.keys(s.runs.trajectories)) {
        const { n, evaluations, value } = content[of];
        found[of] = { starts: [0, ...arrayOf(n)].map(((sum) => (m) => (sum += m))(0)), evaluations: arrayOf(evaluations), value: arrayOf(value) };
      }
      trajectoryBlocks.set(s.id, found);
    }, (error) => trajectoryBlocks.set(s.id, error.message)).then(ready);
  }
  return trajectoryBlocks.get(s.id);
}
// By which share of it a value on a trajectory is off at most, for the caption and for what a download says
export function rightTo(asked) {
  const { off } = asked.s.runs;
  if (!off) return "";
  const text = `${number(100 * off, 1)} %`;
  if (!asked.words.some((one) => one.key === "off")) asked.words.push({ key: "off", label: "values of runs right to", value: "", text });
  return `values of runs are thinned, and right to ${text} of themselves`;
}
const statedOf = (s, measure) => s.runs?.measures?.find((one) => one.name === measure.name);

// Why the page cannot read costs at other targets or budgets (`of`) on a scale; null where it can
export function whyNot(s, of, scale) {
  if (!s.runs?.measures) return s.runs ? "the study has too many runs for a page" : "the page has no runs of the study";
  if (s.runs.trajectories?.[of] === undefined) return s.runs.without?.[of] ?? "the page has no trajectories of the runs";
  return s.runs.trajectories[of] === scale ? null : "its values are on another scale than the trajectories in the page";
}
function whyNotOf(s, measure) {
  const stated = statedOf(s, measure);
  if (!stated) return s.runs?.measures ? "the page has no costs of single runs for this measure" : whyNot(s, "", "");
  return stated.read ? whyNot(s, stated.read, stated.scale) : "this measure is not read off the trajectories of runs";
}
export const freeKind = (measure) => (isTarget(measure.points[0]) ? "target" : measure.points[0].at_budget !== undefined ? "budget" : null);

export const isTyped = (word) => /^(target:.|budget:(?!-|0*$)).*/.test(word) && Number.isFinite(Number(word.slice(7)));
// The target or budget that is chosen and was not measured; null for none
export function typedPoint(s, measure) {
  const word = state.choices.point ?? "", kind = freeKind(measure);
  if (!isTyped(word) || !word.startsWith(`${kind}:`) || measure.points.some((p) => pointValue(p) === word) || whyNotOf(s, measure)) return null;
  const number = Number(word.slice(7));
  return { [kind === "target" ? "target" : "at_budget"]: number, label: `${kind} ${String(number).replace("-", "−")}` };
}
// The field for any target or budget, or the words that say why there is none
export function pointField(s, measure) {
  const kind = freeKind(measure);
  if (!kind) return [];
  const cannot = whyNotOf(s, measure);
  if (cannot) return [refusal(kind, cannot)];
  const point = typedPoint(s, measure);
  const box = el("input", {
    id: "explore-target", type: "number", step: "any", value: point && pointNumber(point), placeholder: "type one",
    onchange: (event) => {
      const x = Number(event.target.value);
      if (event.target.value === "") change({ choices: { point: undefined } }, { focus: held(event) });
      else if (isTyped(`${kind}:${x}`)) change({ choices: { point: `${kind}:${x}` } }, { focus: held(event) });
    },
  });
  return [el("label", { class: "control" }, el("span", {}, `Any ${kind}`), box)];
}
export const refusal = (kind, why) => el("p", { class: "rows", id: "explore-refused" }, `No other ${kind}s: ${why}.`);

// Targets or budgets as a reader lists them: numbers, or `100..1e-8/51`, spaced on a logarithmic scale as in a configuration; null
// for what is neither
const A_NUMBER = "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?";
const RANGE_OF_LEVELS = new RegExp(`^(${A_NUMBER})\\.\\.(${A_NUMBER})/(\\d+)$`);
export const MOST_LEVELS = 201;
export function levelsOf(text) {
  const words = text.trim().replace(/\s*(\.\.|\/)\s*/g, "$1").split(/[\s,;]+/);
  const range = words.length === 1 ? RANGE_OF_LEVELS.exec(words[0]) : null;
  if (range) {
    const [from, to, n] = range.slice(1).map(Number);
    if (!(from > 0 && to > 0 && from !== to && n >= 2 && n <= MOST_LEVELS)) return null;
    const high = Math.log10(Math.max(from, to)), low = Math.log10(Math.min(from, to));
    // rounded exponents and fifteen digits, so that a grid meets the powers of ten
    return Array.from({ length: n }, (_, i) => Number((10 ** Number((high + ((low - high) * i) / (n - 1)).toFixed(12))).toPrecision(15)));
  }
  const found = words.map(Number);
  return words.every((word) => new RegExp(`^${A_NUMBER}$`).test(word)) && new Set(found).size === found.length && found.length <= MOST_LEVELS ? found : null;
}
// The field for a list of them in the view of distributions, and the list; null for those of the study
export function levelsField(asked, kind, cannot) {
  if (cannot) {
    asked.fields.push(refusal(kind, cannot));
    return null;
  }
  const key = `${kind}s`, text = state.choices[key] ?? "";
  asked.fields.push(el("label", { class: "control" }, el("span", {}, `Any ${key}`), el("input", {
    id: `explore-${key}`, type: "text", autocomplete: "off", spellcheck: "false", value: text, placeholder: kind === "target" ? "10 0.1, 1e2..1e-8/51" : "50 200, 10..1e4/31",
    onchange: (event) => change({ choices: { [key]: event.target.value.trim() || undefined } }, { focus: held(event) }),
  })));
  if (!text) return null;
  const found = levelsOf(text);
  if (!found || (kind === "budget" && !found.every((v) => v > 0))) {
    notices.add(`“${text}” is no list of ${key}; expected up to ${MOST_LEVELS} different numbers, or a range with their number such as 100..1e-8/51.`);
    return null;
  }
  asked.words.push({ key, label: key, value: text, text });
  return found;
}

// Evaluations that each run needs to a target; infinite where it does not reach it, NaN where the measure has no cost of the run
function timesTo({ starts, evaluations, value }, target, known) {
  return Float64Array.from(known, (cost, row) => {
    if (Number.isNaN(cost)) return NaN;
    // values fall along a trajectory
    let low = starts[row], high = starts[row + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value[middle] <= target) high = middle;
      else low = middle + 1;
    }
    return low < starts[row + 1] ? evaluations[low] : Infinity;
  });
}
// The best value of each run up to its budget; infinite where nothing is recorded by then
function valuesAt({ starts, evaluations, value }, budgetOf, floor, known) {
  return Float64Array.from(known, (cost, row) => {
    if (Number.isNaN(cost)) return NaN;
    const allowed = budgetOf(row);
    let low = starts[row], high = starts[row + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (evaluations[middle] <= allowed) low = middle + 1;
      else high = middle;
    }
    return low > starts[row] ? Math.max(value[low - 1], floor ?? -Infinity) : Infinity;
  });
}
// The costs of runs at a target or budget that is not among those of the files. `stated`: `read`, `per_dimension`, `floor`
export function costsAt({ trajectories, runs }, stated, at, known) {
  if (stated.read === "targets") return timesTo(trajectories.targets, at, known);
  const dimension = columnOf(runs.columns, "dimension");
  // a product such as 0.1 · 30 must not fall short of the whole number it stands for
  const whole = (v) => (Math.abs(v - Math.round(v)) <= 1e-12 * Math.abs(Math.round(v)) ? Math.round(v) : v);
  return valuesAt(trajectories.budgets, (row) => (stated.per_dimension ? whole(at * dimension.values[row]) : at), stated.floor, known);
}

// A measure at the target or budget that is chosen: as `opened` gives it, or made of the trajectories; else a text that says why not, or not yet
export const DISAGREE = (kind) => `The trajectories of the runs do not give the numbers of the files at the ${kind}s that were measured, so no other ${kind} is read off them.`;
let madeAt = { key: "", measure: null };
export function measureAsked(s, measure) {
  const m = opened(measure);
  const point = m ? typedPoint(s, measure) : null;
  if (point === null) return m ?? tooLarge(s);
  const read = trajectoriesOf(s);
  if (typeof read === "string") return read;
  const key = JSON.stringify([s.name, measure.name, measure.statistic, point]);
  if (madeAt.key !== key) madeAt = { key, measure: agrees(s, m, read) ? atPoint(s, m, point, read) : DISAGREE(pointKind(m)) };
  return madeAt.measure;
}
// The runs and their trajectories; a text where they are not there, or not yet
export function trajectoriesOf(s) {
  const ready = () => change({}, { step: false });
  const trajectories = openedTrajectories(s, ready), runs = openedRuns(s, ready);
  const wrong = [trajectories, runs].find((one) => typeof one === "string");
  return wrong ?? (trajectories && runs ? { trajectories, runs } : "The trajectories of the runs are being unpacked.");
}
// Whether the trajectories give the very numbers of the files, at every target or budget that was measured; thinned ones values as near as they are
const agreeing = new Map();
function agrees(s, m, read) {
  const key = `${s.name} ${m.statistic} ${m.name}`;
  if (!agreeing.has(key)) {
    // the cost to a target is the same, the value at a budget right to so much of itself
    const near = statedOf(s, m).read === "budgets" ? s.runs.off : -1;
    agreeing.set(key, m.points.every((point, p) => {
      const found = atPoint(s, m, point, read);
      const places = [];
      for (let j = 0; j < m.n; j++) if (m.point[j] === p) places.push(j);
      const cell = new Map(Array.from({ length: found.n }, (_, j) => [cellKey(found, j), j]));
      return s.algorithms.every((_, i) => places.every((j) => {
        const a = i * m.n + j, b = i * found.n + cell.get(cellKey(m, j));
        return m.trials[a] === found.trials[b] && (m.trials[a] === 0 || ((Object.is(m.value[a], found.value[b]) || Math.abs(m.value[a] - found.value[b]) <= near * Math.abs(m.value[a])) && m.successes[a] === found.successes[b]));
      }));
    }));
  }
  return agreeing.get(key);
}
const cellKey = (m, j) => [m.suite[j], m.problem[j], m.dimension[j], m.instance[j]].join(" ");

function atPoint(s, m, point, read) {
  const { runs } = read;
  const stated = statedOf(s, m);
  const of = runs.costs(s.runs.measures.indexOf(stated), 0);
  const cost = costsAt(read, stated, pointNumber(point), of.cost);
  const n = columnOf(runs.columns, "n");
  const weight = (row) => (n && n.values[row] > 0 ? n.values[row] : 1);
  const rows = Int32Array.from({ length: cost.length }, (_, row) => row);
  const found = runCells(runs.columns, cost, rows, s.runs.problem_keys, s.algorithms.length);
  const matrix = matrixOf(found, cost, of.budget, weight, { ...stated, shift: m.statistic === "cost" ? stated.shift : 0, aggregate: m.statistic === "cost" ? stated.aggregate : m.statistic });
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
    ...m, ...out, n: columns.length, typed: true, measured: m.points, points: [point], point: new Int32Array(columns.length),
    suite: pick(m.suite), problem: pick(m.problem), dimension: pick(m.dimension), instance: pick(m.instance),
    // problems are left out by their names, at every one of them
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
    suite: places("suite", s.suites), problem: places("problem", s.problem_shown), instance: places("instance", m.instances),
    dimension: (row) => (dimension && !Number.isNaN(dimension.values[row]) ? dimension.values[row] : -1),
  };
  return (row) => ["suite", "problem", "dimension", "instance"].map((key) => (s.runs.problem_keys.includes(key) ? of[key](row) : -1)).join(" ");
}
