// Reading curves, by mouse and by key: the cursor, its words, and the list of solvers with what each has there.
import { $, el } from "./elements.js";
import { activeOf, change, state, study } from "./state.js";
import { drawChart, swatch } from "./chart.js";
import { indexAt } from "./compute.js";
import { tick } from "./format.js";

// The view that is shown and its picture, null where it has none
let shown = null, drawn = null;

export const picture = () => drawn?.root;
export function showChart(view) {
  shown = view;
  drawn = null;
  $("explore-tip").hidden = true;
  const holder = $("explore-picture");
  holder.hidden = !shown.chart;
  holder.replaceChildren();
  if (shown.chart) draw();
}
function draw() {
  drawn = drawChart($("explore-picture"), { ...shown.chart, curves: shown.curves, direct: shown.curves.length <= 14, title: shown.title });
  restCursor();
}

// --- the list of solvers ----------------------------------------------------------------------

export function solverList(s) {
  const list = $("explore-solvers");
  const plotted = new Set(shown.curves.map((c) => c.id));
  $("explore-solvers-count").textContent = `${activeOf(s).length} of ${s.algorithms.length}`;
  if (list.dataset.study !== s.name) {
    list.dataset.study = s.name;
    list.replaceChildren(...s.algorithms.map((a, i) => {
      const box = el("input", { type: "checkbox", onchange: (event) => switchSolver(a.name, event.target.checked), onfocus: () => highlight(i), onblur: fade });
      return el("li", { onpointerenter: () => highlight(i), onpointerleave: fade },
        el("label", { title: a.title }, box, el("span", { class: "look" }, swatch(a)), el("bdi", {}, a.label)), el("output", {}));
    }));
  }
  [...list.children].forEach((item, i) => {
    const on = !state.off.has(s.algorithms[i].name);
    item.querySelector("input").checked = on;
    item.classList.toggle("off", !on);
    item.classList.toggle("absent", on && Boolean(shown.chart) && !plotted.has(i));
    item.classList.toggle("chosen", s.algorithms[i].name === state.solver);
  });
  readings();
}
function switchSolver(name, on) {
  const off = new Set(state.off);
  if (on) off.delete(name);
  else off.add(name);
  change({ off });
}
// What all solvers have at x
function readings(x = shown.at) {
  const at = x ?? shown.last;
  [...$("explore-solvers").children].forEach((item, i) => {
    const output = item.querySelector("output");
    if (shown.reading) output.textContent = shown.reading(i);
    else if (shown.chart && shown.curves.some((c) => c.id === i)) output.textContent = shown.format(shown.value(i, at));
    else output.textContent = "";
  });
  $("explore-solvers-read").textContent = shown.readingName ?? (shown.chart && at !== null ? `${shown.unit} at ${where(at)}` : "");
}

// --- the cursor -------------------------------------------------------------------------------

const where = (x) => (shown.symbol === "τ" ? `τ = ${tick(Number(x.toPrecision(4)))}` : `${shown.symbol} ${tick(Number(x.toPrecision(4)))}`);
const chosenCurve = () => shown.curves.find((c) => c.look.name === state.solver)?.id ?? null;
function highlight(id) {
  if (!drawn) return;
  for (const curve of drawn.drawn) {
    curve.group.classList.toggle("faded", id !== null && curve.id !== id);
    curve.group.classList.toggle("strong", id !== null && curve.id === id);
  }
}
// Many curves are noise: the chosen one stands out
function fade() {
  highlight(shown.curves.length > 14 ? chosenCurve() : null);
}
// The cursor where the reader left it, and no words of another picture
function restCursor() {
  if (!drawn) return;
  drawn.cursor.setAttribute("visibility", "hidden");
  drawn.dot.setAttribute("visibility", "hidden");
  $("explore-tip").hidden = true;
  fade();
  if (shown.at !== null) placeCursor(shown.at, chosenCurve());
}
function placeCursor(x, id) {
  const { cursor, dot, px, py, left, w } = drawn;
  const at = Math.max(left, Math.min(left + w, px(x)));
  cursor.setAttribute("d", cursor.getAttribute("d").replace(/^M[^ ]+/, `M${at.toFixed(1)}`));
  cursor.setAttribute("visibility", "visible");
  dot.setAttribute("visibility", "hidden");
  const tip = $("explore-tip");
  tip.hidden = true;
  const curve = drawn.drawn.find((c) => c.id === id);
  const value = curve ? shown.value(id, x) : NaN;
  if (Number.isNaN(value)) return;
  const k = shown.points ? curve.x.indexOf(x) : indexAt(curve.x, x);
  dot.setAttribute("cx", at);
  dot.setAttribute("cy", py(value));
  dot.setAttribute("visibility", "visible");
  tip.replaceChildren(el("bdi", {}, `${curve.look.label}: ${shown.unit} ${shown.format(value)} at ${where(x)}${shown.detail(curve, value, k)}`));
  tip.hidden = false;
  const box = drawn.root.getBoundingClientRect();
  const ratio = box.width / drawn.width;
  const right = at > drawn.width * 0.55;
  tip.style.left = right ? "auto" : `${at * ratio + 14}px`;
  tip.style.right = right ? `${box.width - at * ratio + 14}px` : "auto";
  tip.style.top = `${Math.max(4, py(value) * ratio - 34)}px`;
}
// The curve next to the pointer, and where on it
function pointed(event) {
  const box = drawn.root.getBoundingClientRect();
  const ratio = drawn.width / box.width;
  const mx = (event.clientX - box.left) * ratio, my = (event.clientY - box.top) * ratio;
  const x = drawn.spec.x.from(Math.max(0, Math.min(1, (mx - drawn.left) / drawn.w)));
  let best = null;
  for (const curve of drawn.drawn) {
    let at = x;
    if (shown.points) {
      at = curve.x.reduce((a, b) => (Math.abs(drawn.px(b) - mx) < Math.abs(drawn.px(a) - mx) ? b : a), curve.x[0]);
    } else {
      // a step close to the pointer is meant
      const i = indexAt(curve.x, x);
      for (const near of [i, i + 1]) if (near >= 0 && near < curve.x.length && Math.abs(drawn.px(curve.x[near]) - mx) < 5) at = curve.x[near];
    }
    const value = shown.value(curve.id, at);
    if (Number.isNaN(value)) continue;
    const distance = Math.abs(drawn.py(value) - my) + (shown.points ? Math.abs(drawn.px(at) - mx) : 0);
    if (!best || distance < best.distance) best = { curve, x: at, distance };
  }
  return best;
}
function onMove(event) {
  const found = drawn && pointed(event);
  if (!found) return;
  placeCursor(found.x, found.curve.id);
  highlight(found.distance < 40 ? found.curve.id : null);
  readings(found.x);
}
function onClick(event) {
  const found = drawn && pointed(event);
  if (!found) return;
  const { x, curve } = found;
  // a place between steps needs no more digits than a person can point at
  const close = Math.max(1, Math.round(x * 1e4) / 1e4);
  const onStep = shown.points || curve.x.includes(x);
  const at = onStep ? x : Math.abs(close - x) < 1e-3 * x && shown.symbol === "τ" ? close : Number(x.toPrecision(5));
  change({ at, solver: curve.look.name });
}
const ALONG = { ArrowRight: 1, ArrowLeft: -1 };
const ACROSS = { ArrowDown: 1, ArrowUp: -1 };
function onKey(event) {
  if (!drawn || !shown.curves.length) return;
  if (event.key === "Escape") {
    change({ at: null, solver: null }, { step: false });
    return;
  }
  if (!(event.key in ALONG) && !(event.key in ACROSS) && !["Home", "End", "Enter", " "].includes(event.key)) return;
  event.preventDefault();
  const ids = shown.curves.map((c) => c.id);
  const before = chosenCurve();
  const id = before === null ? ids[0] : ids[(ids.indexOf(before) + ids.length + (ACROSS[event.key] ?? 0)) % ids.length];
  const { x, look } = shown.curves.find((c) => c.id === id);
  const there = event.key in ALONG || event.key === "Home" || event.key === "End" || shown.at === null;
  let k = shown.at === null ? 0 : Math.max(0, shown.points ? x.indexOf(shown.at) : indexAt(x, shown.at));
  if (event.key in ALONG) k = Math.max(0, Math.min(x.length - 1, k + ALONG[event.key]));
  if (event.key === "Home") k = 0;
  if (event.key === "End") k = x.length - 1;
  change({ at: there ? x[k] : shown.at, solver: look.name }, { step: false });
  highlight(id);
  $("explore-status").textContent = $("explore-tip").textContent;
  if (event.key === "Enter") $("explore-problems").scrollIntoView({ block: "nearest" });
}

export function startPointing() {
  const holder = $("explore-picture");
  holder.addEventListener("pointermove", onMove);
  holder.addEventListener("pointerleave", () => { restCursor(); readings(); });
  holder.addEventListener("click", onClick);
  holder.addEventListener("keydown", onKey);
  holder.addEventListener("blur", fade);
  $("explore-all").addEventListener("click", () => change({ off: new Set() }));
  $("explore-none").addEventListener("click", () => change({ off: new Set(study().algorithms.map((a) => a.name)) }));
  let width = holder.clientWidth;
  new ResizeObserver(() => {
    if (drawn && Math.abs(holder.clientWidth - width) > 4) draw();
    width = holder.clientWidth;
  }).observe(holder);
}
