// Large tables and figures, built from what the page carries when a reader gets to them.
import { el } from "./elements.js";
import { unpacked } from "./blocks.js";
import { plural } from "./format.js";
import { enableFilter, enableSorting } from "./article.js";

// This project's symbols with their indices lowered or raised, as in the rest of the article
const indexed = (text) => text.split(/(τ_max|τ\*)/).flatMap((part) => (part === "τ_max" ? ["τ", el("sub", {}, "max")] : part === "τ*" ? ["τ", el("sup", {}, "*")] : [part]));
const sortKey = (v) => (Number.isNaN(v) ? "" : String(v));

function cellsOf(column, arrayOf) {
  const kinds = arrayOf(column.kind), values = column.value === undefined ? null : arrayOf(column.value);
  return (row) => {
    const { text, best, valued } = column.words[kinds[row]];
    return { text, best, value: valued ? values[row] : null };
  };
}
function tableOf(spec, arrayOf) {
  const cells = spec.cells.map((column) => cellsOf(column, arrayOf));
  const head = el("tr", {}, ...spec.columns.map((c) => el("th", { scope: "col", class: c.align, title: c.meaning || null }, el("button", { type: "button" }, ...indexed(c.header)))));
  const table = el("table", {}, el("caption", {}, ...indexed(spec.caption)), el("thead", {}, head));
  let row = 0;
  for (const section of spec.sections) {
    const body = el("tbody");
    if (section.heading) body.append(el("tr", { class: "heading" }, el("th", { colspan: spec.columns.length, scope: "rowgroup" }, el("bdi", {}, ...indexed(section.heading)))));
    for (const end = row + section.rows; row < end; row++) {
      const line = el("tr");
      spec.columns.forEach((column, place) => {
        const { text, best, value } = cells[place](row);
        const kind = `${column.align}${column.wrap ? " wrap" : ""}${best ? " best" : ""}`;
        const shown = value === null ? [el("bdi", {}, ...indexed(text))] : indexed(text);
        line.append(el(place ? "td" : "th", { scope: place ? null : "row", class: kind, "data-v": value === null ? null : sortKey(value) }, ...shown));
      });
      body.append(line);
    }
    table.append(body);
  }
  return table;
}
async function build(box) {
  let block = null;
  try {
    block = await unpacked(`${box.id}-data`);
  } catch (error) {
    box.replaceChildren(el("p", { class: "none" }, error.message));
    return;
  }
  const filter = el("p", { class: "filter" }, el("label", {}, "Show rows with ", el("input", { type: "search", autocomplete: "off", spellcheck: "false" })), " ", el("output"));
  const table = tableOf(block.content, block.arrayOf);
  box.replaceChildren(filter, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": block.content.title }, table));
  enableSorting(table);
  enableFilter(filter);
  box.dispatchEvent(new Event("built"));
}
for (const box of document.querySelectorAll("[data-folded]")) {
  const fold = box.closest("details");
  const rows = Number(box.dataset.folded);
  const once = () => {
    if (box.dataset.folded === undefined) return;
    delete box.dataset.folded;
    build(box);
  };
  if (fold) fold.addEventListener("toggle", () => { if (fold.open) once(); });
  else box.replaceChildren(el("button", { type: "button", class: "plain", onclick: once }, `Show the table of ${plural(rows, "row")}`));
}

// Figures are drawn one after the other, also where nobody looks: a print has them all
async function drawPacked() {
  for (const box of document.querySelectorAll("[data-packed]")) {
    try {
      box.innerHTML = (await unpacked(box.dataset.packed)).content;
    } catch (error) {
      box.textContent = error.message;
    }
    delete box.dataset.packed;
  }
}
drawPacked();
