// Two solvers side by side: where their runs that pass the filters differ, as a picture and as a table.
import { columnOf, wordOf } from "./rundata.js";
import { count, number, plural, tick } from "./format.js";
import { el, svg } from "./elements.js";
import { matrixOf, runCells } from "./runcells.js";
import { dataTable } from "./table.js";
import { scale } from "./chart.js";
import { TOLERANCE } from "./compute.js";

const KEYS_OF_PAIRS = ["suite", "problem", "dimension", "instance"];

// A row for each instance on which both have runs that pass: their costs, and how the runs ended
export function pairOf({ s, columns, m, cost, budget, rows, weight }, a, b) {
  const found = runCells(columns, cost, rows, KEYS_OF_PAIRS, s.algorithms.length);
  const matrix = matrixOf(found, cost, budget, weight, m);
  const outcome = columnOf(columns, "outcome");
  const ended = (i, j) => [...new Set(Array.from(found.of(i, j), (row) => (Number.isFinite(cost[row]) ? "solved" : wordOf(outcome, row) === "solved" ? "not reached" : wordOf(outcome, row))))].join(", ");
  const pairs = [];
  let alone = 0;
  for (let j = 0; j < found.n; j++) {
    if (!found.has(a, j) || !found.has(b, j)) {
      alone += found.has(a, j) || found.has(b, j) ? 1 : 0;
      continue;
    }
    const of = [a, b].map((i) => matrix.value[i * found.n + j]);
    pairs.push({ row: found.of(a, j)[0], costs: of, ended: [ended(a, j), ended(b, j)], ratio: ratioOf(...of) });
  }
  return { pairs, alone };
}
// How many times the cost of the first the second needs: infinite where it alone fails, 0 where the first alone does, 1 where both do
const ratioOf = (a, b) => (a === b || (Number.isFinite(a) && Math.abs(a - b) <= TOLERANCE * Math.abs(a)) ? 1 : b / a);
const differs = (r) => r.ratio !== 1 || r.ended[0] !== r.ended[1];

export function runPair(shown, a, b) {
  const { s, columns, m } = shown;
  const names = [a, b].map((i) => s.algorithms[i].label);
  const { pairs, alone } = pairOf(shown, a, b);
  const rows = pairs.filter(differs);
  const better = [rows.filter((r) => r.ratio > 1).length, rows.filter((r) => r.ratio < 1).length];
  const only = [0, 1].map((k) => pairs.filter((r) => Number.isFinite(r.costs[k]) && !Number.isFinite(r.costs[1 - k])).length);
  const sign = m.larger ? -1 : 1;
  const keys = KEYS_OF_PAIRS.map((key) => columnOf(columns, key)).filter((c) => c && (c.words ? c.words.length > 1 : true) && (c.key !== "dimension" || !c.values.every(Number.isNaN)));
  const text = (c) => (r) => (c.words ? wordOf(c, r.row) : String(c.values[r.row]));
  const caption = `${names[0]} and ${names[1]} side by side: ${plural(pairs.length, "instance")} on which both have runs that pass the filters. ${names[0]} has the smaller cost on ${count(better[0])}`
    + ` (it alone is successful on ${count(only[0])}), ${names[1]} on ${count(better[1])} (alone on ${count(only[1])}); they are equal on ${count(pairs.length - better[0] - better[1])}.`
    + (alone ? ` On ${plural(alone, "instance")} only one of them has such a run.` : "") + ` The ${plural(rows.length, "instance")} on which they differ:`;
  const table = dataTable("explore-pair-rows", caption, [
    ...keys.map((c) => ({ head: c.head, left: Boolean(c.words), text: text(c), value: c.words ? (r) => c.codes[r.row] : (r) => c.values[r.row] })),
    ...names.flatMap((name, k) => [
      { head: `${name}: ended`, left: true, text: (r) => r.ended[k] },
      { head: `${name}: ${m.larger ? "value" : "cost"}`, text: (r) => number(sign * r.costs[k], 4), value: (r) => sign * r.costs[k], best: (r) => Number.isFinite(r.costs[k]) && r.costs[k] < r.costs[1 - k] },
    ]),
    { head: "ratio", title: `cost of ${names[1]} divided by that of ${names[0]}`, text: (r) => number(r.ratio, 4), value: (r) => r.ratio },
  ], rows, { first: { column: keys.length + 4, down: true } });
  return {
    elements: [...(m.larger ? [] : [scatterOf(pairs, names, s, [a, b])]), table],
    rows: [[...KEYS_OF_PAIRS, ...["a", "b"].flatMap((k) => [`algorithm_${k}`, `outcome_${k}`, `cost_${k}`]), "ratio"],
      ...pairs.map((r) => [...KEYS_OF_PAIRS.map((key) => { const c = columnOf(columns, key); return c ? (c.words ? wordOf(c, r.row) : c.values[r.row]) : ""; }),
        ...[0, 1].flatMap((k) => [s.algorithms[[a, b][k]].name, r.ended[k], r.costs[k]]), r.ratio])],
  };
}
// The line of least squares through the logarithms of costs above 0, of instances on which both are successful: y = factor x^power
function fitted(pairs) {
  const logs = pairs.map((r) => r.costs).filter((of) => of.every((v) => Number.isFinite(v) && v > 0)).map((of) => of.map(Math.log));
  const mean = [0, 1].map((k) => logs.reduce((sum, of) => sum + of[k], 0) / logs.length);
  const product = (i, k) => logs.reduce((sum, of) => sum + (of[i] - mean[i]) * (of[k] - mean[k]), 0);
  if (logs.length < 3 || !(product(0, 0) > 1e-12 * logs.length)) return null;
  const power = product(0, 1) / product(0, 0);
  return { n: logs.length, power, factor: Math.exp(mean[1] - power * mean[0]) };
}
// A point an instance; failures stand on the lines at the top and at the right
function scatterOf(pairs, names, s, [a, b]) {
  const finite = pairs.flatMap((r) => r.costs).filter((v) => Number.isFinite(v) && v > 0);
  const low = finite.length ? Math.min(...finite) : 1, high = finite.length ? Math.max(...finite) : 10;
  const axis = scale("decades", low / 1.15, high * 1.15);
  const size = 420, left = 62, top = 34, w = size - left - 50, h = size - top - 56;
  const px = (v) => (Number.isFinite(v) ? left + Math.max(0, axis.to(Math.max(v, axis.min))) * w : left + w + 16);
  const py = (v) => (Number.isFinite(v) ? top + (1 - Math.max(0, axis.to(Math.max(v, axis.min)))) * h : top - 16);
  const root = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `Cost of ${names[1]} against cost of ${names[0]}; the numbers are in the table below`, "font-size": 11, fill: "#1c2126" },
    svg("path", { d: `M${left} ${top}h${w}v${h}h${-w}Z`, fill: "none", stroke: "#5b6570" }), svg("path", { d: `M${left} ${top + h}L${left + w} ${top}`, stroke: "#5b6570", "stroke-dasharray": "4 3" }),
    svg("path", { d: `M${left} ${top - 16}h${w + 16}v${h + 16}`, fill: "none", stroke: "#5b6570", "stroke-dasharray": "2 3" }),
    svg("text", { x: left - 6, y: top - 12, "text-anchor": "end" }, "∞"), svg("text", { x: left + w + 16, y: top + h + 16, "text-anchor": "middle" }, "∞"));
  let free = -Infinity;
  for (const t of axis.ticks) {
    const x = px(t), label = tick(t);
    if (x - free < 34) continue;
    free = x;
    root.append(svg("text", { x, y: top + h + 16, "text-anchor": "middle" }, label), svg("text", { x: left - 6, y: py(t) + 4, "text-anchor": "end" }, label));
  }
  root.append(svg("text", { x: left + w / 2, y: size - 14, "text-anchor": "middle" }, `cost of ${names[0]}`),
    svg("text", { transform: `translate(13 ${top + h / 2}) rotate(-90)`, "text-anchor": "middle" }, `cost of ${names[1]}`));
  for (const r of pairs) {
    const better = r.ratio > 1 ? a : r.ratio < 1 ? b : null;
    root.append(svg("circle", { cx: px(r.costs[0]).toFixed(1), cy: py(r.costs[1]).toFixed(1), r: 3.2, fill: better === null ? "#8C8C8C" : s.algorithms[better].colour, "fill-opacity": 0.65 }));
  }
  const fit = fitted(pairs);
  if (fit) {
    const at = (y) => (y / fit.factor) ** (1 / fit.power);
    const [from, to] = [at(axis.min), at(axis.max)].sort((x, y) => x - y);
    const ends = fit.power === 0 ? [axis.min, axis.max] : [Math.max(axis.min, from), Math.min(axis.max, to)];
    if (ends[0] < ends[1]) root.append(svg("path", { d: ends.map((x, i) => `${i ? "L" : "M"}${px(x).toFixed(1)} ${py(fit.factor * x ** fit.power).toFixed(1)}`).join(""), stroke: "#1c2126", "stroke-width": 1.2, fill: "none" }));
  }
  return el("figure", { id: "explore-scatter" }, el("div", { class: "picture" }, root),
    el("figcaption", {}, `A point is an instance. Above the diagonal ${names[0]} has the smaller cost, below it ${names[1]}; on the dotted lines one of them fails.`
      + (fit ? ` The solid line, ${number(fit.factor, 3)} × cost to the power of ${number(fit.power, 3)}, fits the logarithms on the ${plural(fit.n, "instance")} on which both are successful; it says nothing about the others.` : "")));
}
