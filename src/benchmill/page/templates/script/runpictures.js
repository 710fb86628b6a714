// Pictures and tables of the runs that pass the filters: recomputed from their costs, by the rules of the workflow.
import { NO_RATIOS, bestOf, costsOf, haveRatios, profileOf, valueAt } from "./compute.js";
import { runCells, matrixOf, middle, penalisedMeans } from "./runcells.js";
import { columnOf, wordOf } from "./rundata.js";
import { count, number, plural, share } from "./format.js";
import { dataTable, isChosen, nameColumn } from "./table.js";
import { el, svg } from "./elements.js";
import { scale } from "./chart.js";

const INSTANCE_KEYS = ["suite", "problem", "dimension", "instance"];
// Colours of figures.runs; what else an outcome is called has the last one
const OUTCOME_COLOURS = {
  solved: "#1B7837", "time limit": "#BDBDBD", "memory limit": "#5E8FB8", error: "#E69F00", wrong: "#70000F",
};
const OTHER_COLOUR = "#7B5C8E";

// What the pictures are of: `rows` pass the filters, `active` are the solvers that are on
export function runsShown(s, columns, m, cost, budget, rows, active) {
  const n = columnOf(columns, "n");
  const weight = (row) => (n && n.values[row] > 0 ? n.values[row] : 1);
  return { s, columns, m, cost, budget, rows, active, weight };
}

const PICTURES = { profile: profilePicture, solved: solvedPicture, none: () => ({ chart: null, caption: "", curves: [] }) };
export const runPictures = (m) => [
  ["solved", m.larger ? "" : "solved within a cost"], ["profile", m.larger ? "" : "performance profile"], ["outcomes", "how runs ended"], ["none", "none"],
].filter(([, text]) => text);
export const runPicture = (kind, shown) => (PICTURES[kind] ?? PICTURES.none)(shown);

function profilePicture({ s, columns, m, cost, budget, rows, active, weight }) {
  const found = runCells(columns, cost, rows, s.runs.problem_keys, s.algorithms.length);
  const matrix = matrixOf(found, cost, budget, weight, m);
  const here = active.filter(found.some);
  const costs = costsOf(matrix, here, Array.from({ length: matrix.n }, (_, j) => j));
  if (!haveRatios(costs.costs)) return { message: `${NO_RATIOS}; choose another picture.` };
  const p = profileOf(costs.costs, null, { tau_max: null, unsolved: "keep" });
  if (!p.n) return { message: "There is no problem on which every solver has a run that passes the filters." };
  const curves = here.map((id, k) => ({ look: s.algorithms[id], id, ...p.curves[k], steps: true, end: p.curves[k].y.at(-1) }));
  return {
    curves, symbol: "τ", unit: "ρ", format: share, last: p.tauMax, detail: (c, v) => `, ${count(Math.round(v * p.n))} of ${plural(p.n, "problem")}`,
    value: (id, x) => valueAt(p.steps[here.indexOf(id)], x), axisFrom: [1],
    chart: { x: scale(p.tauMax > 10 ? "log" : "linear", 1, Math.max(p.tauMax, 1.0001)), y: scale("linear", 0, 1), xLabel: "performance ratio τ", yLabel: "share of problems ρ(τ)", endText: share },
    caption: `Performance profile of the runs that pass the filters, for the measure ${m.label}: ${plural(p.n, "problem")}, the runs of a problem as one cost (${m.aggregate.replace("_", " ")}). `
      + (costs.leftOut ? `${plural(costs.leftOut, "problem")} on which a solver has no such run ${costs.leftOut === 1 ? "is" : "are"} left out. ` : "")
      + `τmax = ${number(p.tauMax)}, the largest finite ratio.`,
    rows: curves.flatMap((c) => c.x.map((x, i) => [s.algorithms[c.id].name, x, c.y[i]])), rowHead: ["algorithm", "tau", "rho"],
  };
}

// How many instances a solver solves within a cost, each on its own: a cactus plot with its axes swapped
export function solvedCurves({ s, columns, cost, rows, active, weight }) {
  const found = runCells(columns, cost, rows, INSTANCE_KEYS, s.algorithms.length);
  return active.filter(found.some).map((id) => {
    const jumps = [];
    let instances = 0;
    for (let j = 0; j < found.n; j++) {
      const own = found.of(id, j);
      if (!own.length) continue;
      instances += 1;
      const all = own.reduce((sum, row) => sum + weight(row), 0);
      for (const row of own) if (Number.isFinite(cost[row])) jumps.push([cost[row], weight(row) / all]);
    }
    jumps.sort((a, b) => a[0] - b[0]);
    const x = [], y = [];
    let sum = 0;
    for (const [at, part] of jumps) {
      sum += part;
      // parts of one instance add up to it
      const value = Math.abs(sum - Math.round(sum)) < 1e-9 ? Math.round(sum) : sum;
      if (x.at(-1) === at) y[y.length - 1] = value;
      else { x.push(at); y.push(value); }
    }
    return { id, look: s.algorithms[id], x, y, steps: true, instances };
  });
}
function solvedPicture(shown) {
  const { m } = shown;
  const curves = solvedCurves(shown);
  const times = curves.flatMap((c) => [c.x[0], c.x.at(-1)]).filter((v) => v !== undefined);
  if (!times.length) return { message: "No run that passes the filters is successful." };
  const low = Math.min(...times), high = Math.max(...times);
  const log = low > 0 && high / low > 30;
  const most = Math.max(...curves.map((c) => c.y.at(-1) ?? 0));
  return {
    curves, symbol: "cost", unit: "solved", format: (v) => (Number.isInteger(v) ? count(v) : number(v, 4)), last: high, axisFrom: log ? [0, false] : [-Infinity], detail: (c) => ` of ${plural(c.instances, "instance")}`,
    value: (id, x) => valueAt(curves.find((c) => c.id === id) ?? { x: [], y: [] }, x),
    chart: { x: scale(log ? "decades" : "linear", log ? low : Math.min(low, 0), high), y: scale("linear", 0, most * 1.03), xLabel: `cost of a run, measure ${m.label}`, yLabel: "instances solved", endText: String, rise: true },
    caption: `Instances that each solver solves within a cost, among the runs that pass the filters (a cactus plot with its axes swapped); several runs on an instance have shares of it. Higher and further left is better.`,
    rows: curves.flatMap((c) => c.x.map((x, i) => [c.look.name, x, c.y[i]])), rowHead: ["algorithm", "cost", "solved"],
  };
}

// --- how runs ended ---------------------------------------------------------------------------

// By solver the numbers of runs by how they ended: a finite cost is solved, whatever the log says
export function endings({ s, columns, cost, rows, active, weight }) {
  const outcome = columnOf(columns, "outcome"), algorithm = columnOf(columns, "algorithm").codes;
  const counts = new Map(active.map((i) => [i, new Map()]));
  for (const row of rows) {
    if (Number.isNaN(cost[row])) continue;
    const said = wordOf(outcome, row);
    const word = Number.isFinite(cost[row]) ? "solved" : said === "solved" ? "not reached" : said;
    const own = counts.get(algorithm[row]);
    own.set(word, (own.get(word) ?? 0) + weight(row));
  }
  const all = [...new Set([...counts.values()].flatMap((own) => [...own.keys()]))];
  const order = [...Object.keys(OUTCOME_COLOURS), ...all];
  const words = all.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return { words, counts: active.filter((i) => counts.get(i).size).map((i) => ({ i, of: counts.get(i), look: s.algorithms[i] })) };
}
export function outcomeBars(shown) {
  const { words, counts } = endings(shown);
  const solved = (one) => one.of.get("solved") ?? 0;
  const bars = [...counts].sort((a, b) => solved(b) - solved(a));
  const most = Math.max(1, ...bars.map((one) => [...one.of.values()].reduce((a, b) => a + b, 0)));
  const width = 760, left = 190, line = 22, top = 26;
  const root = svg("svg", { viewBox: `0 0 ${width} ${top + bars.length * line + 26}`, role: "img", "aria-label": "How the runs ended, by solver; the numbers are in the table below", "font-size": 12, fill: "#1c2126" });
  const colour = (word, k) => OUTCOME_COLOURS[word] ?? (k % 2 ? OTHER_COLOUR : "#8C8C8C");
  let at = left;
  words.forEach((word, k) => {
    root.append(svg("rect", { x: at, y: 6, width: 11, height: 11, fill: colour(word, k), stroke: "#555", "stroke-width": 0.5 }), svg("text", { x: at + 15, y: 16 }, word));
    at += 32 + word.length * 6.6;
  });
  bars.forEach((one, row) => {
    const y = top + row * line;
    root.append(svg("text", { x: left - 8, y: y + 15, "text-anchor": "end" }, [...one.look.label].slice(0, 26).join("")));
    let x = left;
    words.forEach((word, k) => {
      const n = one.of.get(word) ?? 0;
      const w = (n / most) * (width - left - 10);
      if (!n) return;
      root.append(svg("rect", { x, y: y + 2, width: w, height: line - 5, fill: colour(word, k), stroke: "#555", "stroke-width": 0.4 }, svg("title", {}, `${one.look.label}: ${word} ${count(n)}`)));
      if (w > 26) root.append(svg("text", { x: x + 4, y: y + 15, fill: ["solved", "wrong"].includes(word) || colour(word, k) === OTHER_COLOUR ? "#fff" : "#1c2126" }, count(n)));
      x += w;
    });
  });
  return el("figure", { id: "explore-endings" }, el("div", { class: "picture" }, root), el("figcaption", {}, "How the runs that pass the filters ended, by solver."));
}

// --- the summary ------------------------------------------------------------------------------

// `penalty`: how many times its limit a failure counts in a mean
export function runSummary(shown, penalty) {
  const MEANS = meansOf(penalty);
  const { s, columns, m, cost, budget, rows, active, weight } = shown;
  const { words, counts } = endings(shown);
  const algorithm = columnOf(columns, "algorithm").codes;
  const own = new Map(counts.map((one) => [one.i, []]));
  for (const row of rows) if (!Number.isNaN(cost[row])) own.get(algorithm[row]).push(row);
  const lines = counts.map(({ i, of }) => {
    const n = [...of.values()].reduce((a, b) => a + b, 0);
    return { i, of, n, share: (of.get("solved") ?? 0) / n, median: middle(own.get(i).map((row) => cost[row])) };
  });
  // nobody is best where nobody is successful
  const some = lines.some((r) => r.share > 0);
  const best = (key, largest) => (some ? bestOf(lines.map((r) => r[key]), largest) : () => false);
  const columnsShown = [
    nameColumn(s),
    { head: "runs", text: (r) => count(r.n), value: (r) => r.n },
    ...words.map((word) => ({ head: word, text: (r) => count(r.of.get(word) ?? 0), value: (r) => r.of.get(word) ?? 0 })),
    { head: "share", title: "share of the runs that are successful", text: (r) => share(r.share), value: (r) => r.share, best: (r) => best("share", true)(r.share) },
    { head: "median", title: "median cost of the runs, a failure being infinite", text: (r) => number(m.larger ? -r.median : r.median), value: (r) => r.median, best: (r) => best("median", false)(r.median) },
  ];
  let of = "";
  if (m.mean_shift > 0) {
    const found = runCells(columns, cost, rows, INSTANCE_KEYS, s.algorithms.length);
    const compared = lines.map((r) => r.i).filter((i) => !s.runs.not_competing.includes(i));
    const all = lines.map((r) => r.i);
    const { means, problems } = penalisedMeans(found, cost, budget, weight, m, { all, compared }, MEANS.map(([, factor]) => factor));
    MEANS.forEach(([key, , kind, head, title], f) => {
      lines.forEach((r, k) => { r[key] = means[f][kind][k]; });
      columnsShown.push({ head, title: title(m), text: (r) => number(r[key]), value: (r) => r[key], best: (r) => best(key, false)(r[key]) });
    });
    const late = m.late ? ` Limits differ: all are compared at the smallest limit of an instance, at which ${plural(m.late, "run")} that took longer ${m.late === 1 ? "counts" : "count"} as failed.` : "";
    of = `${late} Means are over the ${plural(problems, "instance")} ${m.missing === "failure" ? "on which some of them has a run" : "on which all of them have a run"}.`;
  }
  return {
    table: () => dataTable("explore-run-summary", `The runs that pass the filters, by solver, for the measure ${m.label}.${of} Click the head of a column to sort by it.`, columnsShown, lines, { mark: isChosen(s), first: { column: 1 + words.length + 1, down: true } }),
    rows: [["algorithm", "runs", ...words, "share", "median", ...(m.mean_shift > 0 ? MEANS.map(([key]) => key) : [])],
      ...lines.map((r) => [s.algorithms[r.i].name, r.n, ...words.map((word) => r.of.get(word) ?? 0), r.share, m.larger ? -r.median : r.median, ...(m.mean_shift > 0 ? MEANS.map(([key]) => r[key]) : [])])],
  };
}
export const PENALTIES = [1, 2, 5, 10, 100];
// [key, factor, which mean, head, title] of each mean of a summary
const meansOf = (penalty) => [
  ...[...new Set([2, 10, penalty])].sort((a, b) => a - b).map((factor) => [`par${factor}`, factor, "mean", `PAR${factor}`, () => `mean cost, a failure counting ${factor} times its limit`]),
  ["sgm", 1, "sgm", "geometric mean", (m) => `geometric mean with a shift of ${m.mean_shift}, a failure counting its limit`],
  ...(penalty === 1 ? [] : [[`sgm${penalty}`, penalty, "sgm", `geometric mean, ${penalty} limits`, (m) => `geometric mean with a shift of ${m.mean_shift}, a failure counting ${penalty} times its limit`]]),
];
