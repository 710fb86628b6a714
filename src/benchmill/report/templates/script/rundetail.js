// One run: everything that is known of it, where in the logs it comes from, and what the reader met there.
import { cellText, columnOf, wordOf } from "./rundata.js";
import { el } from "./elements.js";

// What was met at the place of a run, and in its file where no line is told
function irregularities({ met, byRun, byFile }, file, row) {
  const of = ({ of: owners, entry }, own) => [...owners].flatMap((one, k) => (one === own ? [met[entry[k]]] : []));
  return [...of(byRun, row), ...of(byFile, file)];
}
export function runDetail(runs, columns, row, onClose) {
  const facts = columns.filter((c) => cellText(c, row) !== "" && !["file", "line"].includes(c.key));
  const line = columnOf(columns, "line");
  const at = line ? cellText(line, row) : "";
  const found = irregularities(runs, columnOf(columns, "file").codes[row], row);
  return el("section", { id: "explore-run", "aria-labelledby": "explore-run-title" },
    el("h4", { id: "explore-run-title" }, el("bdi", {}, wordOf(columnOf(columns, "algorithm"), row)), " on ", el("bdi", {}, wordOf(columnOf(columns, "problem"), row)),
      " ", el("button", { type: "button", class: "plain", onclick: onClose }, "close")),
    el("dl", { class: "run" }, ...facts.map((c) => el("div", {}, el("dt", { title: c.title || null }, c.head), el("dd", {}, el("bdi", {}, cellText(c, row)))))),
    el("p", {}, "Read from ", el("code", {}, el("bdi", {}, wordOf(columnOf(columns, "file"), row))), at ? `, line ${at}.` : "."),
    ...(found.length ? [el("h5", {}, "What the reader met there"), el("ul", {}, ...found.map((one) => el("li", {}, `${one.rule} (${one.outcome}${one.line === null ? ", in the file" : `, line ${one.line}`}): `, el("bdi", {}, one.detail), ` – ${one.meaning}`)))] : []));
}
