// Solvers by what they were compared by, the best first, and lines that join those that are not shown to differ.
import { $, el, svg } from "./elements.js";
import { groupsOf } from "./groups.js";
import { plural, tick } from "./format.js";
import { scale } from "./chart.js";

const SIZE = { line: 20, top: 12, step: 9 };

// `rows`: {i, value}; `alike(a, b)`: whether two solvers are not shown to differ; `by`: by what, in words
export function rankingFigure(s, rows, alike, { axis, by, smaller }) {
  const sorted = [...rows].sort((a, b) => (smaller ? a.value - b.value : b.value - a.value) || a.i - b.i);
  const every = groupsOf(sorted.map((r) => r.i), alike), groups = every ?? [];
  const width = Math.max(320, Math.min(760, $("explore-panel").clientWidth || 760)), left = width < 560 ? 112 : 190;
  const right = 14 + Math.min(groups.length, 30) * SIZE.step;
  const values = sorted.map((r) => r.value);
  const x = scale("linear", Math.min(...values), Math.max(...values));
  const px = (v) => left + 10 + Math.max(0, Math.min(1, x.to(v))) * (width - left - 20 - right);
  const heightOf = (k) => SIZE.top + k * SIZE.line + SIZE.line / 2;
  const bottom = SIZE.top + sorted.length * SIZE.line + 4;
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${bottom + 38}`, role: "img", "font-size": 12, fill: "#1c2126",
    "aria-label": `${axis} of ${plural(sorted.length, "solver")}; the numbers are in the table below`,
  });
  for (const t of x.ticks) {
    root.append(svg("path", { d: `M${px(t).toFixed(1)} ${SIZE.top}V${bottom}`, stroke: "#e3e7eb" }),
      svg("text", { x: px(t), y: bottom + 15, "text-anchor": "middle", fill: "#5b6570" }, tick(t)));
  }
  root.append(svg("text", { x: (left + width - right) / 2, y: bottom + 32, "text-anchor": "middle" }, axis));
  sorted.forEach((r, k) => {
    const { label, colour } = s.algorithms[r.i];
    root.append(svg("text", { x: left - 8, y: heightOf(k) + 4, "text-anchor": "end" }, [...label].slice(0, width < 560 ? 14 : 26).join("")));
    root.append(svg("circle", { cx: px(r.value).toFixed(1), cy: heightOf(k), r: 4, fill: colour }));
  });
  const row = new Map(sorted.map((r, k) => [r.i, k]));
  groups.slice(0, 30).forEach((group, k) => {
    const at = width - right + 10 + k * SIZE.step;
    root.append(svg("path", { d: `M${at} ${heightOf(row.get(group[0]))}V${heightOf(row.get(group.at(-1)))}`, stroke: "#1c2126", "stroke-width": 2 }),
      ...group.map((i) => svg("circle", { cx: at, cy: heightOf(row.get(i)), r: 2.6, fill: "#1c2126" })));
  });
  const said = !every ? `There are too many groups of solvers no two of which are shown to differ ${by} to draw lines.` : groups.length ? `${groups.length === 1 ? "The line at the right joins" : "Each line at the right joins"} solvers (dots) no two of which are shown to differ ${by}${groups.length > 30 ? `; the first 30 of ${groups.length} lines are drawn` : ""}.`
    : `Every two solvers are shown to differ ${by}.`;
  return el("figure", { id: "explore-ranking" }, el("div", { class: "picture" }, root),
    el("figcaption", {}, `${axis}, the best first. ${said} What is not shown to differ is not shown to be equal.`));
}
