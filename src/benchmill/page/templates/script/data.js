// What the page carries: the studies, and their arrays decoded when they are asked for.
import { unpacked } from "./blocks.js";

export const DATA = { studies: [], version: "" };
let arrays = null;
export const array = (place) => arrays(place);
export async function openData() {
  const block = await unpacked("explore-data");
  arrays = block.arrayOf;
  Object.assign(DATA, block.content);
}
// JSON has no infinities: they travel as text
export const numeric = (value) => (typeof value === "string" && /^(-?Infinity|NaN)$/.test(value) ? Number(value) : value);

// A measure with its arrays; undefined where it is too large to be carried
export function opened(measure) {
  if (!measure.open && !measure.too_large) {
    measure.open = { ...measure, trials: array(measure.n_trials), successes: array(measure.n_successes) };
    for (const name of ["suite", "problem", "dimension", "instance", "point", "value"]) measure.open[name] = array(measure[name]);
  }
  return measure.open;
}
export const tooLarge = (s) => `This measure has too many problems and solvers to explore in a page; its figures are below and its numbers in results/${s.name}/ratios.`;

// --- keys of the columns of a measure ---------------------------------------------------------

export const isTarget = (point) => point.target !== undefined;
export const pointNumber = (point) => point.target ?? point.at_budget;
export const pointValue = (point) => (isTarget(point) ? `target:${point.target}` : point.at_budget !== undefined ? `budget:${point.at_budget}` : "all");
export const pointKind = (measure) => (isTarget(measure.points[0]) ? "target" : "budget");
export const shortPoint = (point) => point.label.replace(/^(target|budget) /, "");
export const samePoint = (a, b) => (a.target ?? null) === (b.target ?? null) && (a.at_budget ?? null) === (b.at_budget ?? null);
export const dimensionsOf = (measure) => [...new Set(measure.dimension)].filter((d) => d >= 0).sort((a, b) => a - b);

// Suite, problem, dimension, instance, target and budget of a column, as the files have them
export const KEYS = ["suite", "problem", "dimension", "instance", "target", "at_budget"];
export function keysOf(s, m, j) {
  const point = m.points[m.point[j]];
  return [m.suite[j] < 0 ? "" : s.suites[m.suite[j]], s.problem_names[m.problem[j]], m.dimension[j] < 0 ? "" : m.dimension[j],
    m.instance[j] < 0 ? "" : m.instances[m.instance[j]], point.target ?? "", point.at_budget ?? ""];
}
export function problemParts(s, measure, j) {
  const parts = [s.problems[measure.problem[j]]];
  if (s.suites.length > 1 && measure.suite[j] >= 0) parts.unshift(s.suites[measure.suite[j]]);
  if (measure.instances.length > 1 && measure.instance[j] >= 0) parts.push(`instance ${measure.instances[measure.instance[j]]}`);
  return parts.join(", ");
}
// What counts once: a problem, or a pair of it and one of several targets or budgets
export const countedAs = (m, columns) => (new Set(columns.map((j) => m.point[j])).size > 1 ? `(problem, ${pointKind(m)}) pair` : "problem");
