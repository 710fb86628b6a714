// The state in the address: the one place that writes it there and reads it back.
import { articleAt, currentArticle, showArticle } from "./contents.js";
import { CHOICES, fresh, notices, state } from "./state.js";
import { DATA, array, pointValue } from "./data.js";
import { VIEWS } from "./views.js";
import { listedProblems } from "./choices.js";
import { isTyped } from "./freetargets.js";

const OURS = /^#explore\?(.*)$/s;
// Choices that several views share, and those that one has for itself
const keys = () => [...CHOICES, ...[...VIEWS.values()].flatMap((view) => view.own ?? [])];
export const isAddress = (hash) => OURS.test(hash);

export function addressOf(s) {
  const parts = new URLSearchParams({ study: s.name, view: state.view });
  // what is shown, which may be less than what was chosen
  const choices = { ...state.choices, ...state.shown };
  for (const key of keys()) if (choices[key] !== undefined && !(key in state.shown && choices[key] === "")) parts.set(key, choices[key]);
  for (const key of ["at", "solver", "zoom"]) if (state[key] !== null) parts.set(key, state[key]);
  if (s.digest) parts.set("data", s.digest);
  // whichever is shorter: the solvers that are on, or those that are off
  const on = s.algorithms.map((a) => a.name).filter((name) => !state.off.has(name));
  const few = on.length && on.length < state.off.size;
  for (const name of few ? on : state.off) parts.append(few ? "on" : "off", name);
  return `#explore?${parts}`;
}

// The state that an address stands for, as far as the page knows its words; the others become notices
export function readAddress(hash) {
  const parts = new URLSearchParams(OURS.exec(hash)?.[1] ?? "");
  const unknown = (what, word) => notices.add(`The address names ${what} “${word}”, which is not here.`);
  let s = DATA.studies.find((one) => one.name === parts.get("study"));
  if (!s && parts.has("study")) unknown("the study", parts.get("study"));
  s ??= DATA.studies[0];
  const found = fresh(s.name);
  const names = new Set(s.algorithms.map((a) => a.name));
  const known = vocabulary(s);
  for (const [key, word] of parts) {
    if (key === "study") continue;
    if (key === "data") {
      if (word !== s.digest) notices.add("This address was made with another version of the data of this study: the same choices may show other numbers.");
      continue;
    }
    if (key === "view") {
      const lacking = VIEWS.get(word)?.lacks(s);
      if (!VIEWS.has(word)) unknown("the view", word);
      else if (lacking) notices.add(lacking);
      else found.view = word;
    } else if (key === "at") {
      if (word.trim() !== "" && Number.isFinite(Number(word))) found.at = Number(word);
      else unknown("the place", word);
    } else if (key === "zoom") {
      const range = word.split(",").map(Number);
      if (range.length === 4 && range.every(Number.isFinite) && range[0] < range[1] && range[2] < range[3]) found.zoom = range;
      else unknown("the range", word);
    } else if (["solver", "on", "off"].includes(key)) {
      if (!names.has(word)) unknown("the solver", word);
      else if (key === "solver") found.solver = word;
      else if (key === "off") found.off.add(word);
    } else if (!keys().includes(key)) unknown("the choice", key);
    else if (key === "point" && known.point.has(asNumber(word))) found.choices[key] = asNumber(word);
    else if (key === "point" && s.runs?.trajectories && isTyped(word)) found.choices[key] = asNumber(word);
    else if (key === "functions" && listedProblems(s, word)) found.choices[key] = word;
    // runs have dimensions that their problems need not have: the view of runs knows them
    else if (key === "dimension" && s.runs?.dimensions?.map(String).includes(word)) found.choices[key] = word;
    else if (known[key]?.has(word) ?? true) found.choices[key] = word;
    else unknown(key === "functions" ? "the function or group" : `the ${key === "point" ? "target or budget" : key}`, word);
  }
  const on = parts.getAll("on").filter((name) => names.has(name));
  if (on.length) found.off = new Set([...names].filter((name) => !on.includes(name)));
  return found;
}
// `target:1e-07` as the page writes it, `target:1e-7`
const asNumber = (word) => word.replace(/(?<=:).+/s, (digits) => (digits.trim() === "" ? digits : String(Number(digits))));
// The words of a study, by choice
function vocabulary(s) {
  const matrices = [...s.measures, ...s.indicators];
  const distributions = [...(s.ecdf ? [s.ecdf] : []), ...s.value_ecdf];
  const dimensions = [...matrices.filter((m) => !m.too_large).flatMap((m) => [...array(m.dimension)]), ...distributions.flatMap((e) => e.dimension)];
  return {
    measure: new Set([...matrices, ...s.value_ecdf].map((m) => m.name).concat(s.tests.map((t) => t.measure), Object.keys(s.verdicts))),
    variant: new Set(s.variants.map((v) => v.name)),
    part: new Set(s.given.map((g) => g.label)),
    point: new Set(["", ...matrices.flatMap((m) => m.points.map(pointValue))]),
    dimension: new Set(["", ...dimensions.filter((d) => d >= 0).map(String)]),
    suite: new Set(["", ...s.suites]),
    functions: new Set(["", ...s.problem_names.map((name) => `problem:${name}`), ...s.groups.map((group) => `group:${group.label}`)]),
    axis: new Set(["auto", "log", "linear", "broken"]),
    over: new Set(["dimension", "point"]),
    show: new Set(["cost", "ratio"]),
    order: new Set(["name", "value"]),
    named: new Set(["3", "5", "10", "20", "all"]),
  };
}

// --- Back and Forward -------------------------------------------------------------------------

// Each entry of the history carries the address of its view, also where the bar shows another part of the page. `how`: a `step` that
// Back undoes, `replace` the last one, or `keep` what the bar shows
export function remember(s, how) {
  const entry = { explore: addressOf(s), article: currentArticle() };
  if (how === "step" && entry.explore !== history.state?.explore) history.pushState(entry, "", entry.explore);
  else history.replaceState(entry, "", how === "keep" && !isAddress(location.hash) ? location.href : entry.explore);
}
// `open(address, asked)` shows a view; `asked`: by a link, not by Back
export function followHistory(open) {
  addEventListener("popstate", (event) => {
    if (event.state?.explore) {
      open(event.state.explore, false);
      showArticle(event.state.article);
    } else if (isAddress(location.hash)) open(location.hash, true);
    else {
      const s = DATA.studies.find((one) => one.id === articleAt(location.hash));
      // a link to another study: what there is to explore there begins anew
      open(s && s.name !== state.study ? `#explore?${new URLSearchParams({ study: s.name })}` : null, false);
    }
  });
}
