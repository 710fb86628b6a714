// What can be claimed: verdicts, tests, average ranks and all pairs, always of all solvers of the study; and exploratory tests of what is chosen.
import { ABSENT, count, isNone, number, pValue, plural, tick } from "./format.js";
import { activeOf, state } from "./state.js";
import { array, numeric, pointValue, samePoint, shortPoint, isTarget } from "./data.js";
import { measureAsked } from "./freetargets.js";
import { choose, nobody, nothing, questions } from "./choices.js";
import { dataTable, nameColumn } from "./table.js";
import { bestOf } from "./compute.js";
import { rankingFigure } from "./ranking.js";
import { chosenTests, levelAsked, pairRows } from "./chosentests.js";
import { el } from "./elements.js";

const measuresOf = (s) => [...new Set([...s.tests.map((t) => t.measure), ...Object.keys(s.verdicts)])];
const yesOrNo = (p, significant) => (isNone(p) ? ABSENT : significant ? "yes" : "no");

export const testsView = {
  name: "Tests",
  lacks: (s) => (measuresOf(s).length || testable(s).length ? null : "This study has no tests."),
  own: ["tested", "level", "pairs_by", "stratum"],
  show(s) {
    const tested = [...(measuresOf(s).length ? [["study", "of the study"]] : []), ...(testable(s).length ? [["chosen", "of what is chosen (exploratory)"]] : [])];
    const kind = tested.some(([own]) => own === state.choices.tested) ? state.choices.tested : tested[0][0];
    return kind === "chosen" ? exploratory(s, tested) : declared(s, tested);
  },
};
const testable = (s) => s.measures.filter((m) => !m.too_large);
function exploratory(s, tested) {
  const asked = questions(s, testable(s));
  choose(asked, "tested", "Tests", tested);
  if (!activeOf(s).length) return nobody(asked);
  const m = measureAsked(s, testable(s).find((one) => one.name === asked.chosen.measure));
  if (typeof m === "string") return nothing(asked, m);
  const found = chosenTests(asked, m);
  return {
    asked, caption: "", curves: [], title: "Exploratory tests", format: number, tables: found.elements,
    value: (id) => found.ranks.find((r) => r.i === id)?.lead ?? NaN, readingName: "net share of wins",
    downloads: found.pairs.length ? { "Exploratory pairs": () => pairRows(s, found) } : {},
  };
}
function declared(s, tested) {
  const asked = questions(s, measuresOf(s).map((name) => ({ name, label: s.measures.find((m) => m.name === name)?.label ?? name.replaceAll("_", " ") })));
  if (tested.length > 1) choose(asked, "tested", "Tests", tested);
  const { measure } = asked.chosen;
  const mine = s.tests.filter((t) => t.measure === measure);
  const points = (s.measures.find((m) => m.name === measure)?.points ?? []).filter((p) => mine.some((t) => samePoint(t, p)));
  if (points.length > 1) choose(asked, "point", isTarget(points[0]) ? "Target" : "Budget", points.map((p) => [pointValue(p), shortPoint(p)]));
  const point = points.find((p) => pointValue(p) === asked.chosen.point) ?? points[0];
  const strata = [...new Set(mine.map((t) => t.stratum ?? ""))];
  const stratum = strata.length > 1 ? choose(asked, "stratum", "Stratum", strata.map((name) => [name, name || "all problems"])) : strata[0];
  const where = [stratum, point?.label === "all" ? "" : point?.label].filter(Boolean);
  const here = (row, at = row) => (!point || samePoint(at, point)) && (row.stratum ?? "") === (stratum ?? "");
  const on = new Set(activeOf(s));
  const level = levelAsked(asked);
  // at the level of a test, as it decided; at another one, by its p value
  const decided = (p, alpha, significant) => (level === alpha ? significant : !isNone(p) && p <= level);
  const rows = mine.filter((t) => here(t)).map((t) => ({ ...t, significant: decided(t.p, t.alpha, t.significant), alpha: level }));
  const ranks = s.ranks.filter((r) => r.measure === measure && here(r) && on.has(r.algorithm)).map((r) => ({ i: r.algorithm, ...r }));
  const pairs = s.comparisons.filter((c) => c.measure === measure && here(c, c.point)).flatMap(pairsOf).filter((row) => on.has(row.a) && on.has(row.b))
    .map((row) => ({ ...row, significant: Number(decided(row.adjusted, s.alpha, row.significant)) }));
  const wayOf = (r) => `${r.method} ${r.correction ?? ""}`.trim();
  const ways = [...new Map(pairs.map((r) => [wayOf(r), `${r.words}${r.by ? `, ${r.by}` : ""}`]))];
  const way = ways.length && ranks.length ? choose(asked, "pairs_by", "Pairs by", ways) : null;
  return {
    asked, caption: "", curves: [], title: "Tests", format: number,
    tables: [
      claims(s.verdicts[measure] ?? [], points.length > 1 || strata.length > 1 ? where : [], level === s.alpha ? "" : ` What can be claimed is at level ${s.alpha}, which was declared; below, at ${level}, the same p values are read again.`),
      ...(way ? [rankingOf(s, ranks, pairs.filter((r) => wayOf(r) === way), ways.find(([own]) => own === way)[1])] : []),
      omnibusTable(rows, where),
      ...(ranks.length ? [ranksTable(s, ranks)] : []),
      ...(pairs.length ? [pairsTable(s, pairs)] : []),
    ],
    value: (id) => ranks.find((r) => r.algorithm === id)?.average_rank ?? NaN, readingName: "average rank", smaller: true,
    downloads: {
      "Tests": () => [["method", "statistic", "df1", "df2", "p", "alpha", "significant", "n_blocks"], ...rows.map((t) => [t.words, numeric(t.statistic), t.df1, t.df2, t.p, t.alpha, String(t.significant), t.n_blocks])],
      "Pairs": () => [["algorithm_a", "algorithm_b", "method", "correction", "difference", "msd", "p", "p_adjusted", "significant"], ...pairs.map((r) => [s.algorithms[r.a].name, s.algorithms[r.b].name, r.method, r.correction, r.difference, r.msd, r.p, r.adjusted, r.significant])],
    },
  };
}
function claims(verdict, where, besides) {
  // one paragraph a stratum and target or budget; the one of this choice, where they can be told apart
  const here = verdict.filter((text) => where.length && text.toLowerCase().startsWith(`${where.join(", ").toLowerCase()}:`));
  return el("div", { class: "verdict", id: "explore-verdict" }, el("h4", {}, "What can be claimed"),
    ...(here.length ? here : verdict).map((text) => el("p", {}, text)), el("p", { class: "none" }, "A difference that is not shown is not evidence of equality. The tests are of all solvers of the study, whichever are switched on." + besides));
}
function omnibusTable(rows, where) {
  return dataTable("explore-tests", `${["Tests that all solvers are equal", ...where].join(", ")}; problems are blocks.`, [
    { head: "test", left: true, text: (t) => t.words },
    { head: "statistic", text: (t) => number(numeric(t.statistic), 4), value: (t) => numeric(t.statistic) },
    { head: "df", text: (t) => (isNone(t.df1) ? ABSENT : tick(t.df1) + (isNone(t.df2) ? "" : `, ${tick(t.df2)}`)), value: (t) => t.df1 },
    { head: "p", text: (t) => pValue(t.p), value: (t) => t.p },
    { head: "significant", left: true, text: (t) => yesOrNo(t.p, t.significant) },
    { head: "α", text: (t) => String(t.alpha), value: (t) => t.alpha },
    { head: "blocks", text: (t) => count(t.n_blocks), value: (t) => t.n_blocks },
    { head: "left out", title: "problems left out because a solver has no trial on them", text: (t) => count(t.n_left_out), value: (t) => t.n_left_out },
    { head: "all tied", title: "problems on which all solvers have the same cost", text: (t) => count(t.n_all_tied), value: (t) => t.n_all_tied },
  ], rows);
}
function ranksTable(s, ranks) {
  const best = bestOf(ranks.map((r) => r.average_rank), false);
  return dataTable("explore-ranks", `Average ranks over ${plural(ranks[0].n_blocks, "problem")}; the smallest is best.`, [
    nameColumn(s),
    { head: "average rank", text: (r) => number(r.average_rank), value: (r) => r.average_rank, best: (r) => best(r.average_rank) },
  ], ranks, { first: { column: 1, down: false } });
}
function rankingOf(s, ranks, pairs, words) {
  const differ = new Set(pairs.filter((r) => r.significant).map((r) => `${r.a} ${r.b}`));
  const compared = new Set(pairs.map((r) => `${r.a} ${r.b}`));
  const has = (set, a, b) => set.has(`${a} ${b}`) || set.has(`${b} ${a}`);
  return rankingFigure(s, ranks.map((r) => ({ i: r.i, value: r.average_rank })), (a, b) => has(compared, a, b) && !has(differ, a, b), { axis: "Average rank", by: `(${words})`, smaller: true });
}
function pairsOf(c) {
  const [a, b] = [array(c.a), array(c.b)];
  const [difference, p, adjusted, msd, significant] = ["difference", "p", "p_adjusted", "msd", "significant"].map((name) => array(c[name]));
  return [...a].map((_, k) => ({ method: c.method, words: c.words, by: c.by, correction: c.correction, a: a[k], b: b[k], difference: difference[k], p: p[k], adjusted: adjusted[k], msd: msd[k], significant: significant[k] }));
}
function pairsTable(s, pairs) {
  const better = (row) => s.algorithms[row.difference <= 0 ? row.a : row.b];
  const worse = (row) => s.algorithms[row.difference <= 0 ? row.b : row.a];
  return dataTable("explore-pairs", "All pairs of the solvers that are switched on, the better one first; p is corrected for the number of all pairs of the study.", [
    { head: "better", left: true, text: (r) => better(r).label, look: better },
    { head: "than", left: true, text: (r) => worse(r).label, look: worse },
    { head: "method", left: true, text: (r) => r.words },
    { head: "difference", title: "difference on the scale of the method", text: (r) => number(Math.abs(r.difference)), value: (r) => Math.abs(r.difference) },
    { head: "MSD", title: "minimum significant difference", text: (r) => number(r.msd), value: (r) => r.msd },
    { head: "p", text: (r) => pValue(r.p), value: (r) => r.p },
    { head: "adjusted p", text: (r) => pValue(r.adjusted), value: (r) => r.adjusted },
    { head: "significant", left: true, text: (r) => yesOrNo(r.adjusted, r.significant) },
  ], pairs, { limit: 60, first: { column: 3, down: true } });
}
