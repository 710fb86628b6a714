// A table of a view: sorted by any column, its first rows at first.
import { $, el } from "./elements.js";
import { count, isNone } from "./format.js";
import { exactly, writtenFilters } from "./runfilters.js";
import { change, state } from "./state.js";
import { swatch } from "./chart.js";
import { dimensionsOf, pointKind, pointNumber, pointValue, problemParts, shortPoint } from "./data.js";

// What the reader did with the tables of this view
const sorting = new Map();
const whole = new Set();
export function forgetTables() {
  sorting.clear();
  whole.clear();
}

// columns: {head, title, left, text(row), value(row), best(row), open(row)}; `opens`: what that leads to
export function dataTable(id, caption, columns, rows, { limit = 100, first = null, mark = null } = {}) {
  const again = () => dataTable(id, caption, columns, rows, { limit, first, mark });
  // an order that a reader clicked goes when another one is asked for
  const clicked = sorting.get(id);
  const chosen = clicked && clicked.first === first?.column ? clicked : first;
  const ordered = [...rows];
  if (chosen && columns[chosen.column]) {
    const { value, text } = columns[chosen.column];
    const sign = chosen.down ? -1 : 1;
    const key = (row) => (value ? value(row) : text(row));
    ordered.sort((a, b) => {
      const x = key(a), y = key(b);
      // what has no value stands last, whichever way the rest is sorted
      if (isNone(x) || isNone(y)) return isNone(x) - isNone(y);
      return sign * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x < y ? -1 : x > y ? 1 : 0);
    });
  }
  const few = !whole.has(id) && ordered.length > limit + 20;
  const head = el("tr");
  columns.forEach((column, place) => {
    const down = chosen?.column === place ? chosen.down : null;
    head.append(el("th", {
      scope: "col", class: column.left ? "l" : "r", title: column.title,
      "aria-sort": down === null ? null : down ? "descending" : "ascending",
    }, el("button", {
      type: "button",
      onclick: () => {
        sorting.set(id, { column: place, down: down === false, first: first?.column });
        const next = again();
        $(id).replaceWith(next);
        next.querySelectorAll("thead button")[place].focus({ preventScroll: true });
      },
    }, column.head)));
  });
  const body = el("tbody");
  for (const row of few ? ordered.slice(0, limit) : ordered) {
    const line = el("tr", mark?.(row) ? { class: "marked" } : {});
    columns.forEach((column, place) => {
      const cell = el(place ? "td" : "th", { scope: place ? null : "row", class: `${column.left ? "l" : "r"}${column.best?.(row) ? " best" : ""}` });
      if (column.look) cell.append(swatch(column.look(row)), " ");
      const open = column.open?.(row);
      cell.append(open ? el("button", { type: "button", class: "plain", title: column.opens ?? "the runs behind this row", onclick: open }, el("bdi", {}, column.text(row))) : el("bdi", {}, column.text(row)));
      line.append(cell);
    });
    body.append(line);
  }
  const box = el("div", { class: "table", id },
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", {}, el("caption", {}, caption), el("thead", {}, head), body)));
  if (!rows.length) box.append(el("p", { class: "none" }, "There are none."));
  if (few) {
    box.append(el("p", { class: "filter" }, el("button", {
      type: "button", class: "plain", onclick: () => { whole.add(id); $(id).replaceWith(again()); },
    }, `Show all ${count(rows.length)} rows`), ` (these are the first ${count(limit)})`));
  }
  return box;
}
// Rows that belong to solvers have their place as `i`
export const nameColumn = (s) => ({ head: "algorithm", left: true, text: (r) => s.algorithms[r.i].label, look: (r) => s.algorithms[r.i] });
export const isChosen = (s) => (r) => s.algorithms[r.i].name === state.solver;
// What leads to the runs of a problem, of one solver where a row is of one; null where the page has none
export function runsOf(s, problem, dimension, point, i) {
  if (!s.runs?.measures?.length) return null;
  const where = i === undefined ? undefined : writtenFilters(new Map([["algorithm", exactly([s.algorithms[i].name])]]));
  const measured = point && point.label !== "all" ? { point: pointValue(point) } : {};
  return () => change({ view: "runs", choices: { functions: `problem:${s.problem_names[problem]}`, ...(dimension < 0 ? {} : { dimension: String(dimension) }), ...measured, where, run: undefined } }, { focus: "explore-tab-runs" });
}
// What tells problems apart: rows have their column of the measure as `j`
export const problemColumns = (s, m) => [
  { head: "problem", left: true, text: (r) => problemParts(s, m, r.j), value: (r) => m.problem[r.j], open: (r) => runsOf(s, m.problem[r.j], m.dimension[r.j], m.points[m.point[r.j]], r.i) },
  ...(dimensionsOf(m).length ? [{ head: "dimension", text: (r) => String(m.dimension[r.j]), value: (r) => m.dimension[r.j] }] : []),
  ...(m.points[0].label !== "all" ? [{ head: pointKind(m), text: (r) => shortPoint(m.points[m.point[r.j]]), value: (r) => pointNumber(m.points[m.point[r.j]]) }] : []),
];
