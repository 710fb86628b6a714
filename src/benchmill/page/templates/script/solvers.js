// The list of solvers: which are on, what each has where curves are read, and how to find one among hundreds.
import { $, el } from "./elements.js";
import { activeOf, change, state, study } from "./state.js";
import { count, isNone } from "./format.js";
import { swatch } from "./chart.js";

// A list of more solvers can be searched
const MANY = 12;

// What a solver has in a view where it is read; NaN for none
export function valueHere(shown, id, at = shown.at ?? shown.last) {
  if (!shown.value || (shown.chart && !shown.curves.some((c) => c.id === id))) return NaN;
  return shown.value(id, at);
}
// Solvers by their values, the best first; without one at the end, equals as they were
export function byValue(shown, ids) {
  const values = new Map(ids.map((id) => [id, valueHere(shown, id)]));
  const sign = shown.smaller ? 1 : -1;
  return [...ids].sort((a, b) => {
    const x = values.get(a), y = values.get(b);
    return isNone(x) || isNone(y) ? isNone(x) - isNone(y) : x === y ? 0 : x < y ? -sign : sign;
  });
}
// Those that are named whatever the others have
export const pinnedSolvers = () => new Set((state.choices.pinned ?? "").split(" ").filter(Boolean).map((word) => {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // no word of this page
  }
}));
const names = (s) => s.algorithms.map((a) => a.name);
const items = () => [...$("explore-solvers").children];
const found = () => items().filter((item) => !item.hidden).map((item) => study().algorithms[item.dataset.i].name);

// `hover`: what to do with a solver that the reader is at, or with null when gone
export function solverList(s, shown, hover) {
  const list = $("explore-solvers");
  if (list.dataset.study !== s.name) {
    list.dataset.study = s.name;
    list.replaceChildren(...s.algorithms.map((a, i) => itemOf(a, i, hover)));
    $("explore-solvers-search").value = "";
    $("explore-solvers-find").hidden = s.algorithms.length <= MANY;
    search();
  }
  const plotted = new Set(shown.curves.map((c) => c.id));
  $("explore-solvers-count").textContent = `${count(activeOf(s).length)} of ${count(s.algorithms.length)}`;
  const order = $("explore-order");
  order.value = state.choices.order === "value" ? "value" : "name";
  $("explore-named").value = state.choices.named ?? "";
  const all = s.algorithms.map((_, i) => i);
  const places = order.value === "value" ? byValue(shown, all) : all;
  const old = items();
  if (places.some((id, k) => Number(old[k].dataset.i) !== id)) {
    const of = new Map(old.map((item) => [Number(item.dataset.i), item]));
    const held = document.activeElement;
    list.append(...places.map((id) => of.get(id)));
    if (list.contains(held)) held.focus({ preventScroll: true });
  }
  const pinned = pinnedSolvers();
  for (const item of items()) {
    const { name } = s.algorithms[item.dataset.i];
    const on = !state.off.has(name);
    item.querySelector("input").checked = on;
    item.classList.toggle("off", !on);
    item.classList.toggle("absent", on && Boolean(shown.chart) && !plotted.has(Number(item.dataset.i)));
    item.classList.toggle("chosen", name === state.solver);
    item.querySelector(".pin").setAttribute("aria-pressed", String(pinned.has(name)));
  }
}
function itemOf(a, i, hover) {
  const box = el("input", { type: "checkbox", onchange: (event) => switchSolvers([a.name], event.target.checked), onfocus: () => hover(i), onblur: () => hover(null) });
  return el("li", { "data-i": i, onpointerenter: () => hover(i), onpointerleave: () => hover(null) },
    el("label", { title: a.title }, box, el("span", { class: "look" }, swatch(a)), el("bdi", {}, a.label)),
    el("button", { type: "button", class: "plain only", title: `only ${a.title}`, "aria-label": `only ${a.title}`, onclick: () => change({ off: new Set(names(study()).filter((name) => name !== a.name)) }) }, "only"),
    el("button", { type: "button", class: "plain only pin", title: `pin ${a.title}: always in colour and named`, "aria-label": `pin ${a.title}`, onclick: () => pin(a.name) }, "pin"),
    el("output", {}));
}
// The looks that solvers have in the picture
export function showLooks(s, looks) {
  for (const item of items()) {
    const look = looks.get(Number(item.dataset.i)) ?? s.algorithms[item.dataset.i];
    if (item.dataset.colour === look.colour) continue;
    item.dataset.colour = look.colour;
    item.querySelector(".look").replaceChildren(swatch(look));
  }
}
// What all solvers have at x, beside their names
export function readings(shown, x, where) {
  const at = x ?? shown.at ?? shown.last;
  for (const item of items()) {
    const value = valueHere(shown, Number(item.dataset.i), at);
    item.querySelector("output").textContent = isNone(value) ? "" : shown.format(value);
  }
  $("explore-solvers-read").textContent = shown.readingName ?? (shown.chart && at !== null ? `${shown.unit} at ${where(at)}` : "");
}
function pin(name) {
  const pinned = pinnedSolvers();
  if (!pinned.delete(name)) pinned.add(name);
  change({ choices: { pinned: [...pinned].map(encodeURIComponent).join(" ") || undefined } });
}
function switchSolvers(some, on) {
  const off = new Set(state.off);
  for (const name of some) {
    if (on) off.delete(name);
    else off.add(name);
  }
  change({ off });
}
function search() {
  const words = $("explore-solvers-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  for (const item of items()) {
    const text = item.querySelector("label").title.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
    n += item.hidden ? 0 : 1;
  }
  const of = words.length ? ` ${count(n)} found` : "";
  $("explore-solvers-found").textContent = of.trim();
  $("explore-all").textContent = `all${of}`;
  $("explore-none").textContent = words.length ? `without the${of}` : "none";
}
export function startSolvers() {
  $("explore-all").addEventListener("click", () => switchSolvers(found(), true));
  $("explore-none").addEventListener("click", () => switchSolvers(found(), false));
  $("explore-solvers-search").addEventListener("input", search);
  $("explore-named").addEventListener("change", (event) => change({ choices: { named: event.target.value || undefined } }, { focus: "explore-named" }));
  $("explore-order").addEventListener("change", (event) => change({ choices: { order: event.target.value } }, { focus: "explore-order" }));
}
