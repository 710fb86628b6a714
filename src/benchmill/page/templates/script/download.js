// What is shown as files: their names and contents say of which study, choice and version they are.
import { el, svg } from "./elements.js";
import { activeOf, state } from "./state.js";
import { DATA } from "./data.js";
import { csv } from "./format.js";
import { rangeText } from "./zoom.js";

// The choices of a view in words: `measure ert, dimension 5, without PSO`
export function selection({ asked, at }) {
  const { s, words } = asked;
  const on = activeOf(s).map((i) => s.algorithms[i].name);
  const parts = words.map(({ label, text }) => `${label} ${text}`);
  if (state.off.size) parts.push(on.length < state.off.size ? `only ${on.join(", ") || "nobody"}` : `without ${[...state.off].join(", ")}`);
  if (at !== null && at !== undefined) parts.push(`read at ${at}`);
  return parts.join("; ") || "all";
}
const slug = (text) => text.toLowerCase().replace(/[^a-z0-9.+]+/g, "-").replace(/^-|-$/g, "");
// The same of a picture, which may be a part of it
export const pictured = (shown) => [selection(shown), rangeText(shown)].filter(Boolean).join("; ");
// Short, safe for any file system, and another one for every choice
export function fileName(shown, view, what, suffix) {
  const { s, words } = shown.asked;
  const chosen = words.map(({ value, text }) => slug(/^(group|problems):/.test(value) ? text : value)).filter(Boolean).join("_").slice(0, 80);
  const solvers = state.off.size ? `${s.algorithms.length - state.off.size}-of-${s.algorithms.length}-solvers` : "";
  const parts = [slug(s.name).slice(0, 40), view, slug(what), chosen, solvers, digest([s.name, view, suffix === "svg" ? pictured(shown) : selection(shown)].join("\n")), `benchmill-${DATA.version}`];
  return `${parts.filter(Boolean).join("_")}.${suffix}`;
}
// FNV-1a: tells choices apart whose names are cut or have letters that a file name has not
export function digest(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
// Rows as CSV with the study, the choice and the version in the last columns
export function csvOf(shown, rows) {
  const last = [shown.asked.s.name, selection(shown), `benchmill ${DATA.version}`];
  return csv(rows.map((row, i) => [...row, ...(i ? last : ["study", "selection", "made_by"])]));
}
export function svgOf(shown, root) {
  const copy = root.cloneNode(true);
  for (const node of copy.querySelectorAll(".screen")) node.remove();
  copy.prepend(svg("desc", {}, `Study ${shown.asked.s.name}; ${pictured(shown)}; benchmill ${DATA.version}`));
  return new XMLSerializer().serializeToString(copy);
}
export function save(name, text, type) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
