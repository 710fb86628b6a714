// The controls of a view, and the problems that they choose.
import { dimensionsOf, isTarget, pointValue, shortPoint } from "./data.js";
import { change, notices, state } from "./state.js";
import { el, held } from "./elements.js";
import { plural } from "./format.js";
import { readFilters, rowTest, writtenFilters } from "./runfilters.js";
import {  pointField, rightTo, typedPoint } from "./freetargets.js";

const AXES = { auto: "automatic", log: "logarithmic", linear: "linear", broken: "linear to 10, then logarithmic" };

// What a view asks the reader: `chosen` is what holds in this view, `fields` are the controls, `words` what a download says of it
export function questions(s, sources = null) {
  const asked = { s, fields: [], words: [], chosen: { measure: "", point: "", dimension: "", suite: "", functions: "", only: "" } };
  if (sources) choose(asked, "measure", "Measure", sources.map((m) => [m.name, m.label]), (sources.find((m) => !m.too_large) ?? sources[0])?.name);
  return asked;
}
// options: [value, text]. What the reader chose, or where it is not offered `first`
export function choose(asked, key, label, options, first = options[0][0]) {
  const value = options.some(([own]) => own === state.choices[key]) ? state.choices[key] : first;
  asked.chosen[key] = value;
  const text = options.find(([own]) => own === value)?.[1] ?? "";
  if (value !== "" && value !== "auto") asked.words.push({ key, label: label.toLowerCase(), value, text });
  asked.fields.push(control(key, label, options, value, (next) => change({ choices: { [key]: next } }, { focus: `explore-${key}` })));
  return value;
}
export function control(key, label, options, chosen, onchoice) {
  const box = el("select", { id: `explore-${key}`, onchange: (event) => onchoice(event.target.value) });
  for (const [value, text] of options) {
    const option = el("option", { value }, text);
    option.selected = value === chosen;
    box.append(option);
  }
  return el("label", { class: "control" }, el("span", {}, label), box);
}

export const chooseAxis = (asked, label = "τ axis", kinds = Object.keys(AXES)) => choose(asked, "axis", label, kinds.map((kind) => [kind, AXES[kind]]));

// `single`: a view that shows one of them at a time; null: a view that has no such choice
export function filters(asked, measure, { point = "all", dimension = "all", functions = "all" } = {}) {
  const { s } = asked;
  if (point) choosePoint(asked, measure, point === "all");
  const dims = dimensionsOf(measure);
  if (dims.length === 1) asked.only = { dimension: String(dims[0]) };
  if (dimension && dims.length > 1) {
    const list = dims.map((d) => [String(d), String(d)]);
    choose(asked, "dimension", "Dimension", dimension === "single" ? list : [["", `all ${list.length}`], ...list]);
  }
  if (s.suites.length > 1) choose(asked, "suite", "Suite", [["", "all"], ...s.suites.map((name) => [name, name])]);
  if (functions && functions !== "single") conditions(asked);
  if (functions) choose(asked, "functions", functions === "single" ? "Function" : "Functions", functionOptions(s, measure, functions === "single"));
}
// The targets or budgets of a measure, with the one that the reader typed
export function choosePoint(asked, measure, all, first) {
  const measured = measure.measured ?? measure.points;
  const list = measured.map((p) => [pointValue(p), shortPoint(p)]);
  const typed = typedPoint(asked.s, { ...measure, points: measured });
  const own = typed === null ? list : [...list, [pointValue(typed), `${shortPoint(typed)} (typed)`]];
  if (own.length > 1) choose(asked, "point", isTarget(measured[0]) ? "Target" : "Budget", all ? [["", `all ${list.length}`], ...own] : own, first);
  asked.fields.push(...pointField(asked.s, { ...measure, points: measured }));
}
function functionOptions(s, measure, single) {
  const used = new Set(measure.problem);
  const alone = [...used].filter((p) => p >= 0).sort((a, b) => a - b).map((p) => [`problem:${s.problem_names[p]}`, s.problems[p]]);
  if (single) return alone;
  const groups = s.groups.filter((group) => group.problems.some((p) => used.has(p))).map((group) => [`group:${group.label}`, group.label]);
  const word = state.choices.functions ?? "", listed = listedProblems(s, word);
  return [["", `all ${alone.length}`], ...(listed?.some((p) => used.has(p)) ? [[word, listedText(listed)]] : []), ...groups, ...alone];
}
// Problems that a reader takes from the runs that pass filters, as a choice of functions, and back; null for another choice
export const problemList = (s, problems) => `problems:${JSON.stringify([...problems].sort((a, b) => a - b).map((p) => s.problem_names[p]))}`;
export function listedProblems(s, word) {
  if (!word.startsWith("problems:")) return null;
  try {
    const found = JSON.parse(word.slice(9)).map((name) => s.problem_names.indexOf(name));
    return found.length && !found.includes(-1) ? found : null;
  } catch {
    return null;
  }
}
const listedText = (listed) => `${plural(listed.length, "problem")} chosen by their runs`;
// Fields for the attributes of problems that are numbers: all conditions hold together
function conditions(asked) {
  const { s, chosen } = asked;
  const written = readFilters(state.choices.only);
  for (const [k, { name, values }] of s.attributes.entries()) {
    const text = written.get(name) ?? "", test = rowTest({ values }, text);
    if (!test) notices.add(`“${text}” says nothing about ${name}; write a number, a range such as 1..10, or >5.`);
    if (text && test) asked.words.push({ key: "only", label: name, value: text, text });
    asked.fields.push(el("label", { class: "control" }, el("span", {}, name), el("input", {
      id: `explore-attribute-${k}`, type: "text", autocomplete: "off", spellcheck: "false", value: text, placeholder: ">5, 1..10",
      onchange: (event) => change({ choices: { only: writtenFilters(new Map(readFilters(state.choices.only)).set(name, event.target.value)) || undefined } }, { focus: held(event) }),
    })));
  }
  chosen.only = writtenFilters(new Map([...written].filter(([name, text]) => rowTest({ values: s.attributes.find((one) => one.name === name)?.values ?? [] }, text))));
}
// Places of the chosen problems; null for all
export function wantedProblems({ s, chosen }) {
  const named = namedProblems({ s, chosen }), tests = [...readFilters(chosen.only)].map(([name, text]) => rowTest(s.attributes.find((one) => one.name === name), text));
  return tests.length ? new Set([...(named ?? s.problems.keys())].filter((p) => tests.every((test) => test(p)))) : named;
}
function namedProblems({ s, chosen }) {
  if (chosen.functions.startsWith("group:")) return new Set(s.groups.find((group) => group.label === chosen.functions.slice(6)).problems);
  if (chosen.functions.startsWith("problem:")) return new Set([s.problem_names.indexOf(chosen.functions.slice(8))]);
  const listed = listedProblems(s, chosen.functions);
  return listed && new Set(listed);
}
// The problems of runs as a measure has them, for `filters`, and which runs are of those that are chosen
export function problemsOfRuns(s, columns) {
  const [problem, dimension, suite] = ["problem", "dimension", "suite"].map((key) => columns.find((c) => c.key === key));
  const places = problem.words.map((word) => s.problem_shown.indexOf(word));
  return {
    measure: { problem: places, dimension: dimension ? [...new Set(dimension.values)] : [], points: [], instances: [] },
    of: (rows) => new Set(Array.from(rows, (row) => places[problem.codes[row]]).filter((p) => p >= 0)),
    chosenBy(asked) {
      const { chosen } = asked, wanted = wantedProblems(asked);
      return (row) => (!wanted || wanted.has(places[problem.codes[row]])) && (chosen.dimension === "" || dimension.values[row] === Number(chosen.dimension))
        && (chosen.suite === "" || suite?.words[suite.codes[row]] === chosen.suite);
    },
  };
}
export function columnsOf(asked, measure) {
  const { s, chosen } = asked;
  const wanted = wantedProblems(asked);
  const suite = s.suites.indexOf(chosen.suite);
  const columns = [];
  for (let j = 0; j < measure.n; j++) {
    if (wanted && !wanted.has(measure.problem[j])) continue;
    if (chosen.dimension !== "" && measure.dimension[j] !== Number(chosen.dimension)) continue;
    if (chosen.suite !== "" && measure.suite[j] !== suite) continue;
    if (chosen.point !== "" && pointValue(measure.points[measure.point[j]]) !== chosen.point) continue;
    columns.push(j);
  }
  return columns;
}
// `target 10, dimension 5`; `all problems`
export function chosenText(asked, measure = { points: [] }) {
  const { s, chosen } = asked;
  const parts = [];
  const point = measure.points.find((p) => pointValue(p) === chosen.point) ?? (measure.points.length === 1 ? measure.points[0] : null);
  if (point && point.label !== "all") parts.push(point.label + (measure.typed ? ` (not measured by the study; read off the trajectories of the runs${rightTo(asked).replace(/^./, "; $&")})` : ""));
  if (chosen.dimension !== "") parts.push(`dimension ${chosen.dimension}`);
  if (chosen.suite !== "") parts.push(chosen.suite);
  if (chosen.functions.startsWith("group:")) parts.push(chosen.functions.slice(6));
  if (chosen.functions.startsWith("problem:")) parts.push(s.problems[s.problem_names.indexOf(chosen.functions.slice(8))]);
  const listed = listedProblems(s, chosen.functions);
  if (listed) parts.push(listedText(listed));
  for (const [name, text] of readFilters(chosen.only)) parts.push(`${name} ${text}`);
  return parts.length ? parts.join(", ") : "all problems";
}

// What of the reader's selection a view cannot keep: [key, what it shows instead, a sentence]
const SELECTED = { point: "target or budget", dimension: "dimension", suite: "suite", functions: "functions", only: "problems by their numbers" };
export function notKept({ s, chosen, words, only = {}, keepsRuns = false }) {
  const filtered = !keepsRuns && state.choices.where ? [{ key: "where", shown: "", sentence: "Filters of runs hold in the view Runs alone: here all runs of the chosen problems count. “Keep these problems” there keeps them in all views." }] : [];
  return Object.entries(SELECTED).filter(([key]) => {
    const wanted = state.choices[key] ?? "";
    return wanted !== "" && wanted !== chosen[key] && wanted !== only[key];
  }).map(([key, what]) => {
    const text = words.find((one) => one.key === key)?.text;
    const listed = key === "functions" && listedProblems(s, state.choices[key]);
    const asked = listed ? listedText(listed) : state.choices[key].replace(/^(group|problem):/, "").replace(/^(target|budget):/, "$1 ").replaceAll("~", " ").replaceAll("-", "−");
    return { key, shown: chosen[key] || (only[key] ?? ""), sentence: `This view cannot keep the choice of ${what} “${asked}”: it shows ${text ?? only[key] ?? "all"}.` };
  }).concat(filtered);
}

// A view without a picture, which says why
export const nothing = (asked, message) => ({ asked, message, curves: [], tables: [], downloads: {}, caption: "" });
export const nobody = (asked) => nothing(asked, "All solvers are switched off; switch at least one on.");
// `all 8`, `7 of 8`
export const allOf = (n) => (n < 3 ? plural(n, "solver") : `all ${n} solvers`);
export const howMany = (s, active) => (active.length === s.algorithms.length ? allOf(active.length) : `${active.length} of ${s.algorithms.length} solvers`);
