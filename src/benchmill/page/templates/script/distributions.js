// Distributions of running times, and of the values reached at a budget: curves of the files, or means of them.
import { ABSENT, count, fixed, number, plural, share } from "./format.js";
import { activeOf, readingAt, state } from "./state.js";
import { array } from "./data.js";
import { TOLERANCE, bestOf, indexAt, meanSteps } from "./compute.js";
import { chooseAxis, chosenText, filters, howMany, nobody, nothing, questions, wantedProblems } from "./choices.js";
import { rightTo } from "./freetargets.js";
import { curvesAsked, levelsAsked } from "./freecurves.js";
import { curveRows } from "./profile.js";
import { dataTable, isChosen, nameColumn, runsOf } from "./table.js";
import { scale } from "./chart.js";

export const ecdfView = {
  name: "ECDF",
  own: ["targets"],
  lacks: (s) => (s.ecdf ? null : "This study has no running time distributions."),
  show(s) {
    const unit = s.ecdf_x === "evaluations" ? "evaluations" : "evaluations / dimension";
    return distributions(questions(s), s.ecdf, {
      over: "target", free: s.ecdf_free, unit, column: s.ecdf_x, name: "Running time distributions", reached: "reached", at: (x) => `after ${number(x)} ${unit}`,
      what: "The share of pairs of problem and target that a solver has reached after that many evaluations",
    });
  },
};
export const valuesView = {
  name: "Values",
  own: ["budgets"],
  lacks: (s) => (s.value_ecdf.length ? null : "This study has no distributions of values at a budget."),
  show(s) {
    const asked = questions(s, s.value_ecdf);
    const e = s.value_ecdf.find((one) => one.name === asked.chosen.measure);
    return distributions(asked, e, {
      over: "budget", free: e.free, stated: s.runs?.measures?.find((one) => one.name === e.name), unit: "value", column: "value", name: `Distributions of the values reached (${e.label})`, reached: "of that value or better",
      at: (x) => `with a value of ${number(x)} or better`,
      what: "The share of pairs of problem and budget at which the best value of a solver is that one or better",
    });
  },
};

function curvesOf(e, suite) {
  const of = (aggregation, fits) => e.aggregation.map((_, c) => c).filter((c) => e.aggregations[e.aggregation[c]] === aggregation
    && (suite === null || e.suite[c] === suite) && fits(c));
  if (e.curves) return { steps: (c) => e.curves[c], of };
  if (!e.starts) {
    e.starts = [0];
    for (const n of e.size) e.starts.push(e.starts.at(-1) + n);
  }
  const x = array(e.x), y = array(e.fraction);
  const part = (values, c) => [...values.slice(e.starts[c], e.starts[c + 1])];
  const steps = (c) => ({
    x: part(x, c), y: part(y, c), ...(e.low === undefined ? {} : { band: { low: part(array(e.low), c), high: part(array(e.high), c) } }),
  });
  return { steps, of };
}
function distributions(asked, given, words) {
  const { s, chosen } = asked;
  const { over, unit } = words;
  const typed = levelsAsked(asked, given, words);
  // curves that are made of the runs are of any problem
  const inProblems = { problem: typed ? s.problem_names.map((_, p) => p) : given.problem.filter((p) => p >= 0), dimension: given.dimension, points: [], instances: [] };
  // the page makes whatever curves are asked for of levels that the reader typed
  const has = (aggregation) => Boolean(typed) || given.aggregations.includes(aggregation);
  filters(asked, inProblems, {
    point: null, dimension: has("dimension") || has(over) ? "all" : "single",
    functions: has(over) && inProblems.problem.length ? (has("problem") || has("dimension") ? "all" : "single") : null,
  });
  const active = activeOf(s);
  if (!active.length) return nobody(asked);
  const wanted = wantedProblems(asked);
  const dimension = chosen.dimension === "" ? null : Number(chosen.dimension);
  const fits = (c) => (dimension === null || e.dimension[c] === dimension) && (wanted === null || wanted.has(e.problem[c]));
  // the curve of the files that fits the choice, else the mean of those of the problems
  const wide = wanted === null ? (dimension === null ? "dimension" : "problem") : over;
  const e = typed ? curvesAsked(typed, wide === over ? "level" : wide) : given;
  if (typeof e === "string") return nothing(asked, e);
  const suite = chosen.suite === "" ? null : s.suites.indexOf(chosen.suite);
  const { steps, of } = curvesOf(e, suite);
  const direct = has(wide) ? of(wide, fits) : [];
  const parts = direct.length ? direct : of(over, fits);
  const curves = active.map((id) => ({ id, look: s.algorithms[id], parts: parts.filter((c) => e.algorithm[c] === id) })).filter((c) => c.parts.length);
  if (!curves.length) return nothing(asked, "No curve fits this choice.");
  if (s.ecdf_pooled && curves.some((c) => c.parts.length > 1)) return nothing(asked, "The trials of this study are pooled, so there is no curve of several functions; choose all, or one.");
  // a mean of several curves has no band
  for (const c of curves) Object.assign(c, meanSteps(c.parts.map(steps)), { steps: true });
  const mean = curves.some((c) => c.parts.length > 1);
  for (const c of curves) c.end = c.y.at(-1);
  const all = curves.flatMap((c) => [c.x[0], c.x.at(-1)]).filter((x) => Number.isFinite(x));
  const low = Math.min(...all), high = Math.max(...all);
  // a logarithmic axis has no place for values of zero and below
  const positive = low > 0;
  const logarithmic = positive && chooseAxis(asked, `${unit[0].toUpperCase()}${unit.slice(1)} axis`, ["auto", "log", "linear"]) !== "linear";
  const leftOut = given.left_out ?? {};
  const caption = `${words.name} of ${howMany(s, active)}: ${chosenText(asked)}. `
    + `${words.what}; `
    + `${s.ecdf_pooled ? "all trials of a curve" : "the pairs"} weigh the same, failures stay in the denominator. A curve does not depend on the other solvers.`
    + (typed ? ` The ${plural(typed.levels.length, over)} ${typed.levels.length === 1 ? "is" : "are"} not those of the study; they were typed (${state.choices[`${over}s`]}) and read off the trajectories of the runs${rightTo(asked).replace(/^./, "; $&")}.` : "")
    + (mean ? ` Each curve is the mean of those of ${plural(Math.max(...curves.map((c) => c.parts.length)), "problem")} (function and dimension).` : "")
    + (e.step ? ` To keep this page small, steps of less than ${number(e.step * 100, 1)} percentage points are drawn together; the files have all.` : "")
    + (!typed && over in leftOut ? ` Curves of single ${"problem" in leftOut ? "dimensions and functions" : "functions"} have ${count(Object.values(leftOut).reduce((a, b) => a + b))} steps, too many for a page: they are in the files of results/${s.name}; where the page has the runs, type ${over}s, and it makes them.` : "");
  // thinned curves are right to two digits
  const told = e.step ? (v) => (Number.isNaN(v) ? ABSENT : fixed(v, 2)) : share;
  const at = positive ? readingAt(unit, 0, false) : readingAt(unit, -Infinity);
  const value = (id, x) => { const c = curves.find((one) => one.id === id); const i = c ? indexAt(c.x, x) : -1; return c ? (i < 0 ? 0 : c.y[i]) : NaN; };
  const best = bestOf(curves.map((c) => c.end));
  const columns = [nameColumn(s),
    { head: "share reached", title: "at the end of all trials", text: (r) => told(r.end), value: (r) => r.end, best: (r) => best(r.end) }];
  for (const level of [0.25, 0.5, 0.75]) {
    const first = (r) => { const i = r.y.findIndex((y) => y >= level - TOLERANCE); return i < 0 ? Infinity : r.x[i]; };
    columns.push({ head: `${unit} for ${level * 100} %`, title: `where the curve reaches ${level}`, text: (r) => number(first(r)), value: first });
  }
  if (at !== null) columns.push({ head: `at ${number(at)}`, text: (r) => told(value(r.i, at)), value: (r) => value(r.i, at) });
  const rows = curves.map((c) => ({ i: c.id, ...c }));
  return {
    asked, caption, curves, title: caption, at,
    chart: { x: logarithmic ? scale("decades", low, high) : scale("linear", low, high > low ? high : low + 1), y: scale("linear", 0, 1), xLabel: unit, yLabel: `share of (problem, ${over}) pairs`, endText: told, rise: true },
    symbol: unit, unit: "share", format: told, detail: () => "", value, last: high,
    tables: [dataTable("explore-measures", "The distributions in numbers. Click the head of a column to sort by it.", columns, rows, { first: { column: 1, down: true }, mark: isChosen(s) })],
    behind: has(over) && at !== null ? () => problemsBehindShare(s, typed ? curvesAsked(typed, "level") : e, { ...words, suite }, fits, at) : null,
    downloads: { "Curves": () => curveRows(s, curves, words.column, "fraction") },
  };
}
function problemsBehindShare(s, e, words, fits, at) {
  const { steps, of } = curvesOf(e, words.suite);
  const i = s.algorithms.findIndex((a) => a.name === state.solver);
  if (i < 0) return null;
  const rows = of(words.over, fits).filter((c) => e.algorithm[c] === i).map((c) => { const f = steps(c); const k = indexAt(f.x, at); return { c, now: k < 0 ? 0 : f.y[k], end: f.y.at(-1) }; });
  const columns = [
    { head: "problem", left: true, text: (r) => s.problems[e.problem[r.c]], value: (r) => e.problem[r.c], open: (r) => runsOf(s, e.problem[r.c], e.dimension[r.c], null, i) },
    { head: "dimension", text: (r) => (e.dimension[r.c] < 0 ? ABSENT : String(e.dimension[r.c])), value: (r) => e.dimension[r.c] },
    { head: `share at ${number(at)}`, text: (r) => share(r.now), value: (r) => r.now },
    { head: "share at the end", text: (r) => share(r.end), value: (r) => r.end },
  ];
  return {
    table: dataTable("explore-behind", `${s.algorithms[i].label} ${words.at(at)}: share of the ${words.over}s ${words.reached}, by problem.`, columns, rows, { first: { column: 2, down: true } }),
    rows: [["problem", "dimension", "share_at", "share_at_end"], ...rows.map((r) => [s.problem_names[e.problem[r.c]], e.dimension[r.c], r.now, r.end])],
  };
}
