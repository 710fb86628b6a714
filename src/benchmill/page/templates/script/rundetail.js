// One run: everything that is known of it, where in the logs it comes from, and what the reader met there.
import { cellText, columnOf, wordOf } from "./rundata.js";
import { count } from "./format.js";
import { el } from "./elements.js";

// What was met at the place of a run, and in its file where no line is told
function irregularities({ met, byRun, byLog, log }, row) {
  const of = ({ of: owners, entry }, own) => [...owners].flatMap((one, k) => (one === own ? [met[entry[k]]] : []));
  return [...of(byRun, row), ...of(byLog, log[row])];
}
// The lines with their numbers, and how many are left out between
function excerptParts(excerpt, place) {
  if (excerpt === null) return [el("p", { class: "none" }, "The page does not have this part of the log.")];
  if (excerpt === undefined) return [el("p", { class: "none" }, "This part of the log is being unpacked.")];
  const { line, lastLine, first, last } = excerpt;
  const begin = lastLine - last.length + 1;
  const skipped = begin - (line + first.length);
  const wide = String(lastLine).length;
  const text = (lines, from) => lines.map((one, k) => `${String(from + k).padStart(wide)}  ${one}\n`).join("");
  return [el("pre", { id: `${place}-excerpt`, tabindex: "0", "aria-label": "What the log says there" },
    text(first, line), ...(skipped > 0 ? [el("i", {}, `${" ".repeat(wide)}  … ${count(skipped)} more ${skipped === 1 ? "line" : "lines"}\n`)] : []), text(last, begin))];
}
// `place`: where it is shown, the beginning of its ids
export function runDetail(runs, columns, row, excerpt, onClose, place = "explore") {
  const facts = columns.filter((c) => cellText(c, row) !== "" && !["file", "line", "in_source"].includes(c.key));
  const line = columnOf(columns, "line");
  const at = line ? cellText(line, row) : "";
  const found = irregularities(runs, row);
  return el("section", { id: `${place}-run`, "aria-labelledby": `${place}-run-title` },
    el("h4", { id: `${place}-run-title` }, el("bdi", {}, wordOf(columnOf(columns, "algorithm"), row)), " on ", el("bdi", {}, wordOf(columnOf(columns, "problem"), row)),
      " ", el("button", { type: "button", class: "plain", onclick: onClose }, "close")),
    el("dl", { class: "run" }, ...facts.map((c) => el("div", {}, el("dt", { title: c.title || null }, c.head), el("dd", {}, el("bdi", {}, cellText(c, row)))))),
    el("p", {}, "Read from ", el("code", {}, el("bdi", {}, wordOf(columnOf(columns, "file"), row))), at ? `, line ${at}` : "", ...(columnOf(columns, "in_source") ? [", of the source ", el("bdi", {}, wordOf(columnOf(columns, "in_source"), row))] : []), "."),
    ...excerptParts(excerpt, place),
    ...(found.length ? [el("h5", {}, "What was irregular there"), el("ul", {}, ...found.map((one) => el("li", {}, `${one.rule} (${one.outcome}${one.line === null ? ", in the file" : `, line ${one.line}`}): `, el("bdi", {}, one.detail), ` – ${one.meaning}`)))] : []));
}
