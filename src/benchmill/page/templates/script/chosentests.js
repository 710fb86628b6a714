// Tests of what a reader chooses, marked exploratory: the costs that are shown, by the procedures of the study's own tests, in a worker.
import { columnsOf, choose, filters } from "./choices.js";
import { workerText } from "./flips.js";
import { activeOf, change, state } from "./state.js";
import { countedAs } from "./data.js";
import { TOLERANCE, bestOf, costsOf } from "./compute.js";
import { count, number, pValue, plural } from "./format.js";
import { dataTable, nameColumn } from "./table.js";
import { el } from "./elements.js";
import { rankingFigure } from "./ranking.js";

// More pairs times clusters than this take too long to flip a batch of times
const MOST_SHARES = 400_000;
const LEVELS = [0.1, 0.05, 0.01, 0.005, 0.001];

// The worker's answer to the last question, and the question
let asking = { key: "", answer: null, worker: null };
function answerTo(key, ...question) {
  if (asking.key === key) return asking.answer;
  asking.worker?.terminate();
  const url = URL.createObjectURL(new Blob([workerText()], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  asking = { key, answer: null, worker };
  const done = (answer) => {
    worker.terminate();
    if (asking.worker !== worker) return;
    asking = { key, answer, worker: null };
    if (state.view === "tests") change({}, { step: false });
  };
  worker.onmessage = ({ data }) => done(data);
  worker.onerror = (event) => done({ failed: event.message || "the browser does not allow computing in the background" });
  worker.postMessage(question);
  return null;
}
// What rounding leaves of a share of zero
const net = (v) => (Math.abs(v) < TOLERANCE ? 0 : v);
// The cluster of each problem, numbered from 0
function clustersOf(s, m, columns) {
  const number = new Map();
  const places = { suite: m.suite, problem: m.problem, dimension: m.dimension, instance: m.instance, family: Array.from(m.problem, (p) => s.families[p]) };
  return columns.map((j) => {
    const key = s.cluster_keys.map((name) => places[name][j]).join(" ");
    if (!number.has(key)) number.set(key, number.size);
    return number.get(key);
  });
}

// The level that is chosen, at first that of the study
export function levelAsked(asked) {
  const { alpha } = asked.s;
  const levels = [...new Set([alpha, ...LEVELS])].sort((a, b) => b - a);
  return Number(choose(asked, "level", "Level", levels.map((a) => [String(a), String(a)]), String(alpha)));
}

// `m`: an opened measure. Gives the elements of the view, and what it was tested from
export function chosenTests(asked, m) {
  const { s } = asked;
  filters(asked, m);
  const level = levelAsked(asked);
  const active = activeOf(s).filter((i) => !s.algorithms[i].aside);
  const said = (...parts) => ({ elements: [el("div", { class: "verdict", id: "explore-verdict" }, el("h4", {}, "Exploratory tests of what is chosen"), ...parts.map((text) => el("p", {}, text)))], pairs: [], ranks: [] });
  if (active.length < 2) return said("A comparison needs two solvers that compete.");
  const found = costsOf(m, active, columnsOf(asked, m));
  const clusters = clustersOf(s, m, found.columns);
  const groups = new Set(clusters).size;
  if (!groups) return said("There is no problem on which all of these solvers have a trial.");
  if (((active.length * (active.length - 1)) / 2) * groups > MOST_SHARES) return said(`${plural(active.length, "solver")} on ${plural(groups, "cluster")} are too many to test in a page; switch some off.`);
  const key = [s.name, m.name, m.typed ? m.points[0].label : "", active.join(" "), found.columns.join(" "), level].join("|");
  const answer = answerTo(key, found.costs, clusters, level);
  if (!answer) return said("The tests are being computed.");
  if (answer.failed) return said(`These tests could not be computed: ${answer.failed}.`);
  const pairs = [];
  let place = 0;
  for (let a = 0; a < active.length; a++) {
    for (let b = a + 1; b < active.length; b++, place++) {
      pairs.push({ a: active[a], b: active[b], effect: net(answer.effect[place]), p: answer.p[place], adjusted: answer.adjusted[place], low: answer.low[place], significant: answer.adjusted[place] <= level });
    }
  }
  const ranks = active.map((i) => ({ i, lead: net(pairs.reduce((sum, r) => sum + (r.a === i ? r.effect : r.b === i ? -r.effect : 0), 0) / (active.length - 1)) }));
  const n = pairs.filter((r) => r.significant).length, open = pairs.filter(isOpen).length;
  const { all } = answer;
  const how = (counted, drawn, what) => (counted ? `all ${count(drawn)} ${what} counted` : `${count(drawn)} ${what} drawn at random`);
  return {
    pairs, ranks, level,
    elements: [
      el("div", { class: "verdict", id: "explore-verdict" }, el("h4", {}, "Exploratory tests of what is chosen"),
        el("p", { class: "caution" }, "You chose these solvers and problems with the results in sight, and nothing is adjusted for other choices that you looked at, so these tests claim nothing. The claims of the study are under “of the study”."),
        el("p", {}, `${plural(answer.cells, countedAs(m, found.columns))} in ${plural(answer.clusters, "cluster")} (problems that agree in ${s.cluster_keys.join(" and ")}), `
          + `one cost each${s.design === "single" ? "" : "; the tests of the study take the runs one by one"}. That all ${count(active.length)} solvers are equal: ${pOfAll(all, level)} `
          + `(labels permuted within clusters, ${how(all.counted, all.permutations, "permutations")}).`),
        el("p", {}, `By the net share of wins over clusters, ${count(n)} of ${plural(pairs.length, "pair")} ${n === 1 ? "differs" : "differ"} at level ${level} (step-down max-T over these pairs, ${how(answer.counted, answer.flips, "flips of signs")}).`
          + (open ? ` ${plural(open, "pair")} ${open === 1 ? "is" : "are"} undecided at level ${level}, since chance still decides about ${open === 1 ? "it" : "them"} after that many flips, and count${open === 1 ? "s" : ""} as not shown.` : "")
          + (answer.pMin > level ? ` With so few clusters no pair can be decided, whatever the data: the smallest adjusted p that they allow is ${pValue(answer.pMin)}.` : "")),
        ...(found.leftOut ? [el("p", { class: "rows" }, `${plural(found.leftOut, countedAs(m, found.columns))} on which one of the solvers has no trial ${found.leftOut === 1 ? "is" : "are"} left out.`)] : [])),
      rankingFigure(s, ranks.map((r) => ({ i: r.i, value: r.lead })), (a, b) => !pairs.find((r) => (r.a === a && r.b === b) || (r.a === b && r.b === a)).significant,
        { axis: "Mean net share of wins", by: `at level ${level} (exploratory)`, smaller: false }),
      leadTable(s, ranks), pairTable(s, pairs, level),
    ],
  };
}
// After all flips that are drawn the level is in the interval of its p
const isOpen = (r) => !Number.isNaN(r.low);
const between = (low, high) => `${pValue(low)} to ${pValue(high)}`;
function pOfAll(all, level) {
  if (Number.isNaN(all.p)) return "p is not defined, since all are tied";
  if (isOpen(all)) return `undecided at level ${level}, p is ${between(all.low, all.p)}`;
  return `p = ${pValue(all.p)}`.replace("= <", "< ").replace("= >", "> ");
}
function leadTable(s, ranks) {
  const best = bestOf(ranks.map((r) => r.lead));
  return dataTable("explore-ranks", "Mean net share of wins over all others: from −1 (always worse) to 1 (always better).", [
    nameColumn(s), { head: "net share of wins", text: (r) => number(r.lead), value: (r) => r.lead, best: (r) => best(r.lead) },
  ], ranks, { first: { column: 1, down: true } });
}
function pairTable(s, pairs, level) {
  const better = (r) => s.algorithms[r.effect >= 0 ? r.a : r.b], worse = (r) => s.algorithms[r.effect >= 0 ? r.b : r.a];
  return dataTable("explore-pairs", "All pairs of what is chosen, the better one first; exploratory.", [
    { head: "better", left: true, text: (r) => better(r).label, look: better },
    { head: "than", left: true, text: (r) => worse(r).label, look: worse },
    { head: "net share of wins", text: (r) => number(Math.abs(r.effect)), value: (r) => Math.abs(r.effect) },
    { head: "p", text: (r) => pValue(r.p), value: (r) => r.p },
    { head: "adjusted p", text: (r) => (isOpen(r) ? between(r.low, r.adjusted) : pValue(r.adjusted)), value: (r) => r.adjusted },
    { head: `shown at ${level}`, left: true, text: (r) => (isOpen(r) ? "undecided" : r.significant ? "yes" : "no") },
  ], pairs, { limit: 60, first: { column: 4, down: false } });
}
export const pairRows = (s, { pairs, level }) => [["algorithm_a", "algorithm_b", "net_share_of_wins", "p", "p_adjusted", "p_adjusted_low", "level", "significant", "exploratory"],
  ...pairs.map((r) => [s.algorithms[r.a].name, s.algorithms[r.b].name, r.effect, r.p, r.adjusted, isOpen(r) ? r.low : "", level, isOpen(r) ? "undecided" : String(r.significant), "true"])];
