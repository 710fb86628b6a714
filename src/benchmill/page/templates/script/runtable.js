// The table of runs: only the rows in sight are elements, so that a hundred thousand cost no more than fifty.
import { el } from "./elements.js";
import { cellText } from "./rundata.js";
import { exactWords, exactly, FILTER_HELP } from "./runfilters.js";
import { count } from "./format.js";
import { swatch } from "./chart.js";

const ROW = 27; // px; as in the style sheet
const FEW_WORDS = 60;

let box = null, model = null, active = 0;
const scroller = () => box.querySelector(".runs-scroll");

// The table of `next`: {study, looks, columns, pinned, lines, filters, wrong, sort, opened, isOpen, onFilter, onSort, onOpen, onGroup}. `lines`:
// rows by their number, or groups as {word, n, solved, open}. The element stays the same, so that a reader keeps place and focus.
export function runsTable(next) {
  const before = model;
  model = next;
  const shape = (m) => m && [m.study, ...m.columns.map((c) => c.key), "", ...m.pinned].join("\n");
  const held = box?.contains(document.activeElement) ? document.activeElement : null;
  if (!box || shape(before) !== shape(next)) buildRuns();
  const top = before && same(before, next) ? scroller().scrollTop : 0;
  if (!before || !same(before, next)) active = 0;
  heads();
  // the element is put into the page after this
  queueMicrotask(() => {
    scroller().scrollTop = top;
    drawRows();
    if (held?.isConnected) held.focus({ preventScroll: true });
  });
  return box;
}
const same = (a, b) => a.study === b.study && a.lines.length === b.lines.length && a.lines.every((line, i) => line === b.lines[i] || line.word === b.lines[i].word);

function widthOf(column) {
  if (column.width) return column.width;
  const longest = column.words ? column.words.reduce((most, word) => Math.max(most, word.length), column.head.length) : Math.max(11, column.head.length);
  column.width = Math.min(Math.max(longest * 7.4 + (column.key === "algorithm" ? 76 : 30), 84), 270);
  return column.width;
}
function buildRuns() {
  const { columns, pinned } = model;
  let left = 0;
  const places = columns.map((c) => {
    const place = pinned.includes(c.key) ? `left:${left}px` : null;
    if (place) left += widthOf(c);
    return place;
  });
  const kind = (c, i) => `${c.words ? "l" : "r"}${places[i] === null ? "" : " pinned"}`;
  const names = el("tr", { "aria-rowindex": 1 }, ...columns.map((c, i) => el("th", { scope: "col", class: kind(c, i), style: places[i], title: c.title || null, "data-column": c.key },
    el("button", { type: "button", onclick: () => model.onSort(c.key) }, c.head))));
  const fields = el("tr", { class: "filters", "aria-rowindex": 2 }, ...columns.map((c, i) => el("td", { class: kind(c, i), style: places[i] }, filterOf(c))));
  const width = columns.reduce((sum, c) => sum + widthOf(c), 0);
  const table = el("table", { style: `width:${width}px` },
    el("colgroup", {}, ...columns.map((c) => el("col", { style: `width:${widthOf(c)}px` }))), el("thead", {}, names, fields), el("tbody"));
  const next = el("div", { class: "table", id: "explore-runs" },
    el("p", { class: "rows", id: "explore-runs-count", role: "status" }),
    el("div", { class: "runs-scroll", role: "region", "aria-label": "Runs", onscroll: drawRows }, table),
    el("p", { class: "rows" }, FILTER_HELP));
  table.tBodies[0].addEventListener("keydown", onRowKey);
  table.tBodies[0].addEventListener("click", (event) => open(event.target.closest("tr")));
  box = next;
}
function filterOf(column) {
  let timer = 0;
  const field = el("input", {
    type: "search", id: `explore-filter-${column.key}`, "aria-label": `Filter ${column.head}`, autocomplete: "off", spellcheck: "false", title: FILTER_HELP,
    oninput: (event) => { clearTimeout(timer); timer = setTimeout(() => model.onFilter(column.key, event.target.value), 180); },
  });
  if (!column.words || column.words.length > FEW_WORDS || column.words.length < 2) return field;
  const boxes = column.words.map((word) => el("label", {}, el("input", {
    type: "checkbox", value: word, onchange: () => {
      const chosen = boxes.map((label) => label.firstChild).filter((one) => one.checked).map((one) => one.value);
      model.onFilter(column.key, chosen.length ? exactly(chosen) : "");
    },
  }), " ", el("bdi", {}, word)));
  const choices = el("details", { class: "choices" }, el("summary", { "aria-label": `Values of ${column.head}` }, "▾"), el("div", {}, ...boxes));
  choices.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    choices.open = false;
    choices.firstChild.focus();
  });
  return el("span", { class: "field" }, field, choices);
}
// What heads and filters say of the choices in force
function heads() {
  for (const head of box.querySelectorAll("thead th")) {
    if (head.dataset.column === model.sort.key) head.setAttribute("aria-sort", model.sort.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  for (const column of model.columns) {
    const field = box.querySelector(`#${CSS.escape(`explore-filter-${column.key}`)}`);
    const text = model.filters.get(column.key) ?? "";
    if (field !== document.activeElement || text === "") field.value = text;
    field.setAttribute("aria-invalid", String(model.wrong.has(column.key)));
    const chosen = exactWords(text) ?? [];
    for (const one of field.parentElement.querySelectorAll("input[type=checkbox]")) one.checked = chosen.includes(one.value);
  }
  box.querySelector("#explore-runs-count").textContent = model.said;
  box.querySelector("table").setAttribute("aria-rowcount", String(model.lines.length + 2));
}
function drawRows() {
  const view = scroller();
  const body = view.querySelector("tbody");
  const n = model.lines.length;
  const first = Math.max(0, Math.min(Math.floor(view.scrollTop / ROW) - 8, n));
  const last = Math.min(n, first + Math.ceil((view.clientHeight || 600) / ROW) + 16);
  const held = body.contains(document.activeElement);
  const space = (rows) => el("tr", { class: "space", "aria-hidden": "true", style: `height:${rows * ROW}px` });
  const lines = [];
  for (let i = first; i < last; i++) lines.push(typeof model.lines[i] === "number" ? rowOf(i) : groupOf(i));
  body.replaceChildren(space(first), ...lines, space(n - last));
  if (held) body.querySelector(`[data-line="${active}"]`)?.focus({ preventScroll: true });
}
function rowOf(i) {
  const row = model.lines[i];
  const line = el("tr", { "data-line": i, "aria-rowindex": i + 3, tabindex: i === active ? 0 : -1, class: row === model.opened ? "marked" : null, "aria-selected": row === model.opened ? "true" : null });
  const heads = box.querySelectorAll("thead tr:first-child th");
  model.columns.forEach((column, place) => {
    const text = cellText(column, row);
    const cell = el(place ? "td" : "th", { scope: place ? null : "row", class: heads[place].className, style: heads[place].getAttribute("style"), title: text.length > 28 ? text : null });
    if (column.key === "algorithm" && column.codes[row] >= 0) cell.append(swatch(model.looks[column.codes[row]]), " ");
    cell.append(el("bdi", {}, text));
    line.append(cell);
  });
  return line;
}
function groupOf(i) {
  const { word, n, solved, open: unfolded } = model.lines[i];
  const said = `${count(n)} ${n === 1 ? "run" : "runs"}, ${count(solved)} successful`;
  return el("tr", { "data-line": i, "aria-rowindex": i + 3, tabindex: i === active ? 0 : -1, class: "heading" },
    // a row of a table has no state of its own for assistive technology, so that its name says it
    el("th", { scope: "rowgroup", colspan: model.columns.length, "aria-label": `${unfolded ? "unfolded" : "folded"}: ${word || "(empty)"}, ${said}` },
      el("span", {}, `${unfolded ? "▾" : "▸"} `, el("bdi", {}, word || "(empty)"), ` – ${said}`)));
}
function open(line) {
  if (!line?.dataset.line) return;
  active = Number(line.dataset.line);
  const what = model.lines[active];
  if (typeof what === "number") model.onOpen(what);
  else model.onGroup(what.word);
}
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity };
function onRowKey(event) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(event.target.closest("tr"));
  } else if (event.key in STEPS) {
    event.preventDefault();
    active = Math.max(0, Math.min(model.lines.length - 1, active + STEPS[event.key]));
    const view = scroller();
    const head = view.querySelector("thead").offsetHeight;
    if (active * ROW < view.scrollTop) view.scrollTop = active * ROW;
    else if ((active + 1) * ROW + head > view.scrollTop + view.clientHeight) view.scrollTop = (active + 1) * ROW + head - view.clientHeight;
    drawRows();
    view.querySelector(`[data-line="${active}"]`)?.focus({ preventScroll: true });
  }
}
