// Performance profiles: computed anew where the page knows how, as in the files where not.
import { KEYS, array, isTarget, keysOf, numeric, opened, pointKind, pointValue, problemParts, tooLarge } from "./data.js";
import { TOLERANCE, bestOf, costsOf, indexAt, profileOf, reached, valueAt } from "./compute.js";
import { activeOf, readingAt, state } from "./state.js";
import { allOf, choose, chooseAxis, chosenText, columnsOf, filters, howMany, nobody, nothing, questions, wantedProblems } from "./choices.js";
import { measureAsked } from "./freetargets.js";
import { count, fixed, number, plural, share, tick } from "./format.js";
import { dataTable, isChosen, nameColumn, problemColumns } from "./table.js";
import { scale } from "./chart.js";

const variantsOf = (s, measure) => s.variants.filter((v) => (v.computed ? !v.measures.length || v.measures.includes(measure.name)
  : s.given.some((g) => g.measure === measure.name && g.variant === v.name)));

export const profileView = {
  name: "Profile",
  own: ["criterion"],
  lacks(s) {
    const measures = s.measures.filter((measure) => variantsOf(s, measure).length);
    if (!measures.length) return "This study has no performance profiles.";
    return measures.every((measure) => measure.too_large) ? tooLarge(s) : null;
  },
  show(s) {
    const asked = questions(s, s.measures.filter((measure) => variantsOf(s, measure).length));
    const measure = s.measures.find((one) => one.name === asked.chosen.measure);
    const variants = variantsOf(s, measure);
    choose(asked, "variant", "Variant", variants.map((v) => [v.name, v.label]));
    const variant = variants.find((v) => v.name === asked.chosen.variant);
    const m = variant.computed ? measureAsked(s, measure) : opened(measure) ?? tooLarge(s);
    if (typeof m === "string") return nothing(asked, m);
    return variant.computed ? computedProfile(asked, m, variant) : givenProfile(asked, m, variant);
  },
};

function computedProfile(asked, m, variant) {
  const { s, chosen } = asked;
  filters(asked, m, { point: variant.by.includes("target") ? "single" : "all", dimension: variant.by.includes("dimension") ? "single" : "all" });
  const axis = chooseAxis(asked);
  const criterion = choose(asked, "criterion", "Ranked by", CRITERIA);
  const active = activeOf(s);
  if (!active.length) return nobody(asked);
  const found = costsOf(m, active, columnsOf(asked, m));
  const weights = variant.weights === "dimension" ? Float64Array.from(found.columns, (j) => m.dimension[j]) : null;
  if (weights?.some((w) => w < 0)) return nothing(asked, "A problem has no dimension to weigh it by; choose another variant.");
  const p = profileOf(found.costs, weights, { ...variant, aside: active.map((i) => s.algorithms[i].aside) });
  if (!p.n) {
    return nothing(asked, found.columns.length ? "None of the shown solvers solves any of these problems, and this variant drops such problems."
      : "There is no problem on which every shown solver has a trial; switch solvers off or choose other problems.");
  }
  p.jobs = p.columns.map((k) => found.columns[k]);
  const rows = p.rows.map((row, k) => ({ i: active[k], k, ...row }));
  const curves = rows.map((row) => ({ look: s.algorithms[row.i], id: row.i, ...p.curves[row.k], steps: true, end: p.curves[row.k].y.at(-1) }));
  const banded = s.given.filter((g) => g.measure === m.name && g.variant === variant.name && g.low !== undefined);
  const few = active.length < s.algorithms.length;
  // bands belong to the profiles of the files: of all solvers, and of all problems or one dimension where there is one for each
  const whole = !few && chosen.point === "" && chosen.suite === "" && chosen.functions === "" && (variant.by.length || chosen.dimension === "");
  const panel = whole ? banded.find((g) => g.label === (variant.by.length ? `dimension ${chosen.dimension}` : "all problems")) : null;
  if (panel) for (const c of curves) Object.assign(c, bandOf(panel, c.id));
  const at = readingAt("τ", 1);
  const what = m.points.length > 1 && chosen.point === "" ? `(problem, ${pointKind(m)}) pair` : "problem";
  const caption = `Performance profile (${variant.label}) of ${howMany(s, active)} for the measure ${m.label}: ${chosenText(asked, m)}; `
    + `${plural(p.n, what)}. ρ(τ) is the share of them that a solver solves at no more than τ times the smallest cost of any ${few ? "solver shown here" : "solver"}. `
    + (p.nUnsolved ? `${plural(p.nUnsolved, what)} that none of them solves ${p.nUnsolved === 1 ? "is" : "are"} ${variant.unsolved === "drop" ? "left out" : "counted"}. ` : "")
    + (found.leftOut ? `${plural(found.leftOut, what)} on which one of them has no trial ${found.leftOut === 1 ? "is" : "are"} left out. ` : "")
    + (weights ? "Problems weigh by their dimension. " : "")
    + `τmax = ${number(p.tauMax)}${variant.tau_max ? "" : ", the largest finite ratio"}.`
    + ` ${leaders(s, rows, criterion)}`
    + (panel ? " Bands are those of the study." : banded.length ? " Bands are there for all solvers and problems only." : "")
    + (active.some((i) => s.algorithms[i].aside) ? ` Not competing, and so without a rank: ${active.filter((i) => s.algorithms[i].aside).map((i) => s.algorithms[i].label).join(", ")}.` : "")
    + (few ? " Ratios, areas and ranks are recomputed for the solvers that are switched on." : "");
  return {
    asked, caption, curves, title: caption, at, ends: " Markers at the right: ρ(τmax).",
    chart: {
      x: tauScale(axis, p.tauMax), y: scale("linear", 0, 1), xLabel: "performance ratio τ",
      yLabel: `${weights ? "weighted " : ""}share of ${what}s ρ(τ)`, endText: share,
    },
    symbol: "τ", unit: "ρ", format: share, detail: (c, v) => (weights ? "" : `, ${count(Math.round(v * p.n))} of ${plural(p.n, what)}`),
    value: (id, x) => valueAt(p.steps[active.indexOf(id)], x), last: p.tauMax,
    tables: [measuresTable(s, rows, at, (row) => valueAt(p.steps[row.k], at), criterion)],
    behind: at === null ? null : () => problemsBehind(s, m, p, active, at, what),
    figure: (name) => figureOf(asked, m, variant, name),
    downloads: {
      "Curves": () => curveRows(s, curves, "tau", "rho"),
      "Measures": () => [["algorithm", ...MEASURES.map(([key]) => key), "n_problems", "n_unsolved"],
        ...rows.map((r) => [s.algorithms[r.i].name, ...MEASURES.map(([key]) => r[key]), r.n_problems, r.n_unsolved])],
      "Ratios": () => [[...KEYS, "algorithm", "cost", "ratio", "baseline", "n_trials", "n_successes"],
        ...p.jobs.flatMap((j, place) => active.map((i, k) => [...keysOf(s, m, j), s.algorithms[i].name, found.costs[k][p.columns[place]],
          p.ratios[k][place], p.best[p.columns[place]], m.trials[i * m.n + j], m.successes[i * m.n + j]]))],
    },
  };
}
// The figure of the paper that shows these curves. A choice that the variant does not keep apart needs a profile of its own
function figureOf(asked, m, variant, name) {
  const { s, chosen } = asked;
  const point = m.points.find((one) => pointValue(one) === chosen.point);
  if (m.typed || chosen.suite !== "" || (point && !isTarget(point))) return null;
  const wanted = wantedProblems(asked);
  const by = [...new Set([...variant.by, ...(chosen.dimension === "" ? [] : ["dimension"]), ...(point ? ["target"] : [])])];
  const own = wanted || by.length > variant.by.length;
  const { weights, tau_max, unsolved } = variant;
  const groups = wanted ? { groups: { "chosen problems": [...wanted].sort((a, b) => a - b).map((p) => s.problem_names[p]) } } : {};
  return {
    kind: "profile",
    profile: own ? { variant: variant.variant, name, measures: [m.name], by, weights, tau_max, unsolved, ...groups } : null,
    settings: {
      measures: [m.name], variants: [own ? name : variant.name], axis: chosen.axis,
      ...(chosen.dimension === "" ? {} : { dimensions: [Number(chosen.dimension)] }), ...(point ? { targets: [point.target] } : {}),
    },
  };
}
// Curves from 0 have a linear axis
function tauScale(axis, tauMax, start = 1) {
  const kind = axis === "auto" ? (tauMax > 10 * start ? "log" : "linear") : axis;
  return scale(start > 0 ? kind : "linear", start, tauMax > start ? Math.max(tauMax, 1.0001 * start) : 2 * start);
}
const tauText = (tau) => tick(Number(tau.toPrecision(4)));

// Of each number of a profile: key, head, meaning, how it is written, and whether larger (1) or smaller (-1) is better
export const MEASURES = [
  ["auc", "AUC", "area under the profile over [1, τmax]; failures add nothing", number, 1],
  ["auc_normalised", "AUC/max", "area divided by the largest", (v) => fixed(v, 3), 1],
  ["rank_auc", "#", "rank by area; ties share the smallest rank", count, 0],
  ["rho_1", "ρ(1)", "share of problems on which the solver is (tied) best", share, 1],
  ["rank_rho_1", "#", "rank by ρ(1)", count, 0],
  ["rho_tau_max", "ρ(τmax)", "share of problems solved within τmax", share, 1],
  ["rank_rho_tau_max", "#", "rank by ρ(τmax)", count, 0],
  ["auc_log", "AUC log", "area under the profile over ln τ from τ = 1 to τmax", number, 1],
  ["rank_auc_log", "#", "rank by the area over ln τ", count, 0],
  ["front_wins_solved", "front", "on the Pareto front of largest ρ(1) and largest ρ(τmax): no solver is at least as good in both and better in one", (v) => (v ? "●" : ""), 0],
  ["tau_star", "τ*", "smallest τ with ρ(τ) = 1; ∞ if there is none", number, -1],
  ["reliability", "R", "largest ratio; ∞ with any failure", number, -1],
  ["wins", "wins", "number of problems on which the solver is (tied) best", count, 1],
  ["average_rank", "rank", "average rank by cost over the problems; equal costs share the mean of their ranks, failures are last", number, -1],
];
const CRITERIA = [["auc_log", "area over ln τ"], ["auc", "area over τ"], ["rho_1", "wins ρ(1)"], ["rho_tau_max", "solved ρ(τmax)"], ["average_rank", "average rank"]];
// Who is first by a criterion, of those that compete
function leaders(s, rows, criterion) {
  const competing = rows.filter((r) => !s.algorithms[r.i].aside);
  const [, words] = CRITERIA.find(([key]) => key === criterion);
  const best = criterion === "average_rank" ? bestOf(competing.map((r) => r.average_rank), false) : null;
  const first = competing.some((r) => r.rho_tau_max !== 0) ? competing.filter((r) => (best ? best(r.average_rank) : r[`rank_${criterion}`] === 1)) : [];
  return first.length ? `First by ${words}: ${first.map((r) => s.algorithms[r.i].label).join(", ")}.` : `Nobody is first by ${words}.`;
}
function measuresTable(s, rows, at, reading, criterion = "auc_log") {
  const columns = [nameColumn(s)];
  // where nobody solves anything all are equal, and none is best
  const solved = rows.some((r) => r.rho_tau_max !== 0);
  const competing = rows.filter((r) => !s.algorithms[r.i].aside);
  for (const [key, head, title, format, better] of MEASURES) {
    if (rows.some((r) => r[key] === undefined)) continue;
    const best = better && solved ? bestOf(competing.map((r) => r[key]), better > 0) : () => false;
    columns.push({ key, head, title, text: (r) => format(r[key]), value: (r) => r[key], best: (r) => competing.includes(r) && best(r[key]) });
  }
  if (at !== null) columns.push({ head: `ρ(${tauText(at)})`, title: `share solved within τ = ${at}`, text: (r) => share(reading(r)), value: reading });
  return dataTable("explore-measures", "Measures of the profiles shown above. Click the head of a column to sort by it.", columns, rows,
    { first: { column: Math.max(1, columns.findIndex((one) => one.key === criterion)), down: criterion !== "average_rank" }, mark: isChosen(s) });
}

// The problems behind a point of a curve
function problemsBehind(s, m, p, active, at, what) {
  const k = active.findIndex((i) => s.algorithms[i].name === state.solver);
  if (k < 0) return null;
  const own = p.ratios[k];
  const jump = p.steps[k].x[indexAt(p.steps[k].x, at + TOLERANCE * at)];
  const rows = p.jobs.map((j, place) => {
    const r = own[place];
    const best = p.best[p.columns[place]];
    const where = r === Infinity ? 3 : !reached(r, at) ? 2 : r === jump ? 0 : 1;
    const winners = active.filter((_, other) => reached(p.ratios[other][place], 1));
    return { j, r, best, where, winners, cost: r === Infinity ? Infinity : m.value[active[k] * m.n + j], i: active[k] };
  });
  // those next to the point first
  const far = (r) => (r.r === Infinity ? Infinity : Math.abs(Math.log(r.r / at)));
  rows.sort((a, b) => (far(a) === far(b) ? 0 : far(a) - far(b)));
  const name = s.algorithms[active[k]].label;
  const words = ["at this step", "before it", "beyond it", "not solved"];
  const n = words.map((_, w) => rows.filter((r) => r.where === w).length);
  const trials = (r) => m.trials[r.i * m.n + r.j], successes = (r) => m.successes[r.i * m.n + r.j];
  const columns = [
    ...problemColumns(s, m),
    { head: "ratio", text: (r) => number(r.r, 4), value: (r) => r.r },
    { head: "cost", text: (r) => number(r.cost, 4), value: (r) => r.cost },
    { head: "best cost", text: (r) => number(r.best, 4), value: (r) => r.best },
    { head: "best solver", left: true, text: (r) => (r.winners.length ? r.winners.slice(0, 3).map((i) => s.algorithms[i].label).join(", ") + (r.winners.length > 3 ? ` and ${r.winners.length - 3} more` : "") : "none") },
    { head: "successes", title: "successful trials of all trials", text: (r) => `${successes(r)} of ${trials(r)}`, value: (r) => successes(r) / trials(r) },
    { head: "where", left: true, text: (r) => words[r.where], value: (r) => r.where },
  ];
  const caption = `${name} at τ = ${tauText(at)}: of ${plural(rows.length, what)} ${count(n[0])} ${n[0] === 1 ? "lies" : "lie"} at the last step${jump ? ` (τ = ${tauText(jump)})` : ""}, `
    + `${count(n[1])} before it, ${count(n[2])} beyond τ, and ${count(n[3])} it does not solve.`;
  return {
    table: dataTable("explore-behind", caption, columns, rows, { limit: 60, first: { column: columns.length - 1, down: false } }),
    rows: [["problem", "dimension", "point", "ratio", "cost", "best_cost", "where"], ...rows.map((r) => [problemParts(s, m, r.j), m.dimension[r.j], m.points[m.point[r.j]].label, r.r, r.cost, r.best, words[r.where]])],
  };
}

export function curveRows(s, curves, x, y) {
  const banded = curves.some((c) => c.band);
  return [["algorithm", x, y, ...(banded ? ["low", "high"] : [])], ...curves.flatMap((c) => c.x.map((at, i) => [
    s.algorithms[c.id].name, at, c.y[i], ...(banded ? [c.band?.low[i], c.band?.high[i]] : []),
  ]))];
}

// Break points and band of one curve of the files
function bandOf(panel, id) {
  const k = panel.algorithms.indexOf(id);
  if (k < 0 || panel.low === undefined) return {};
  const part = (place) => [...array(place).slice(panel.starts[k], panel.starts[k + 1])];
  return { x: part(panel.tau), y: part(panel.rho), band: { low: part(panel.low), high: part(panel.high) } };
}

// A variant that the page does not compute: its curves as they are in the files
function givenProfile(asked, m, variant) {
  const { s, chosen } = asked;
  const panels = s.given.filter((g) => g.measure === m.name && g.variant === variant.name);
  choose(asked, "part", "Panel", panels.map((g) => [g.label, g.label]));
  const axis = chooseAxis(asked);
  const panel = panels.find((g) => g.label === chosen.part);
  const tau = array(panel.tau), rho = array(panel.rho);
  const active = new Set(activeOf(s));
  if (!active.size) return nobody(asked);
  const curves = panel.algorithms.map((id, k) => ({
    look: s.algorithms[id], id, x: [...tau.slice(panel.starts[k], panel.starts[k + 1])], y: [...rho.slice(panel.starts[k], panel.starts[k + 1])], steps: true,
  })).filter((c) => active.has(c.id));
  if (!curves.length) return nothing(asked, "None of the solvers that are switched on has a curve here.");
  for (const c of curves) Object.assign(c, bandOf(panel, c.id), { end: c.y.at(-1) });
  const start = Math.min(...curves.map((c) => c.x[0])), tauMax = Math.max(...curves.map((c) => c.x.at(-1)));
  const rows = panel.rows.filter((r) => active.has(r.algorithm)).map((r) => ({ ...Object.fromEntries(Object.entries(r).map(([key, v]) => [key, numeric(v)])), i: r.algorithm }));
  const caption = `Profile (${variant.label}) for the measure ${m.label}: ${panel.label}. Computed by the workflow for ${allOf(panel.algorithms.length)}; `
    + "switching solvers off hides their curves here and changes no number.";
  const at = readingAt("τ", start);
  const values = (id, x) => { const c = curves.find((one) => one.id === id); return c ? valueAt(c, x) : NaN; };
  return {
    asked, caption, curves, title: caption, at,
    chart: { x: tauScale(axis, tauMax, start), y: scale("linear", 0, Math.max(1, ...curves.map((c) => c.end))), xLabel: variant.tau, yLabel: "ρ(τ)", endText: share },
    symbol: "τ", unit: "ρ", format: share, detail: () => "", value: values, last: tauMax,
    tables: rows.length ? [measuresTable(s, rows, at, (r) => values(r.i, at))] : [],
    downloads: { "Curves": () => curveRows(s, curves, "tau", "rho") },
  };
}
