// Reading curves, by mouse and by key: the cursor, its words, and the list of solvers with what each has there.
import { $, el } from "./elements.js";
import { change, state } from "./state.js";
import { pinnedSolvers, readings, showLooks, solverList, startSolvers } from "./solvers.js";
import { drawChart } from "./chart.js";
import { indexAt } from "./compute.js";
import { tick } from "./format.js";
import { startPresenting } from "./presenting.js";
import { insight, isWhole, startZoom, zoomKey, zoomed } from "./zoom.js";

// The view that is shown and its picture, null where it has none
let shown = null, drawn = null;

// What a caption says of the crowd
export const crowd = () => (drawn?.drawn.some((c) => c.faint)
  ? ` In colour and named: ${bestWords()}${chosenCurve() === null ? "" : ", and the chosen one"}${pinnedSolvers().size ? ", and those that are pinned" : ""}; the others are grey until you point at them.` : "");
const bestWords = () => {
  if (shown.front) return "those on the Pareto front";
  if (shown.at !== null) return `the ${namedMost()} with the best values where the curves are read`;
  return `the ${namedMost()} with the ${shown.smaller ? "lowest curves" : "largest areas under the curves"} over this axis`;
};
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
// Of more curves the best few have colours and names, and the chosen one; the others are one grey crowd
const FULL = 14, USUAL = 10;
const namedMost = () => (state.choices.named === "all" ? Infinity : Number(state.choices.named ?? USUAL));
// Of solvers in colour no two share a hue, as long as the study has so many: the first keeps its own
function distinct(s, ids) {
  const hues = [...new Set(s.algorithms.map((a) => a.colour))], taken = new Set(), looks = new Map();
  for (const id of ids) {
    const own = s.algorithms[id], colour = taken.has(own.colour) ? hues.find((one) => !taken.has(one)) ?? own.colour : own.colour;
    taken.add(colour);
    looks.set(id, { ...own, colour });
  }
  return looks;
}
// The ids of the best: those on the front; else by the values where the curves are read, equals by the area under the curve
export function bestCurves({ curves, front, at, smaller, chart, value }) {
  if (front) return curves.filter((c) => c.front).map((c) => c.id);
  const sign = smaller ? -1 : 1;
  const merit = new Map(curves.map((c) => [c.id, [at === null ? 0 : sign * worstIfNone(value(c.id, at), smaller), sign * areaUnder(c, chart, smaller)]]));
  const [first, second] = [0, 1].map((k) => (a, b) => merit.get(b)[k] - merit.get(a)[k] || 0);
  return curves.map((c) => c.id).sort((a, b) => first(a, b) || second(a, b)).slice(0, namedMost());
}
const worstIfNone = (v, smaller) => (Number.isNaN(v) ? (smaller ? Infinity : -Infinity) : v);
// The mean height of a curve over the axis as it is drawn, from 0 to 1; nothing is reached before its first step
function areaUnder({ x, y, steps }, { x: across, y: upwards }, smaller) {
  const height = (v) => (Number.isNaN(v) ? Number(Boolean(smaller)) : Math.min(1, Math.max(0, v === Infinity ? 1 : upwards.to(v))));
  if (!steps) return y.reduce((sum, v) => sum + height(v), 0) / y.length;
  const place = (v) => Math.min(1, Math.max(0, across.to(v)));
  const before = x.length ? place(x[0]) * Number(Boolean(smaller)) : Number(Boolean(smaller));
  return x.reduce((sum, v, i) => sum + height(y[i]) * ((i + 1 < x.length ? place(x[i + 1]) : 1) - place(v)), before);
}
// The curves of a view as they are drawn, and the looks of those that are named; these come last, above the crowd
export function dressed(view) {
  const { s } = view.asked, pinned = pinnedSolvers(), wanted = ({ look }) => pinned.has(look.name) || look.name === state.solver;
  const few = state.choices.named === undefined && view.curves.length <= FULL;
  const named = few ? view.curves.map((c) => c.id) : [...bestCurves(view), ...view.curves.filter(wanted).map((c) => c.id)];
  const looks = distinct(s, new Set(named));
  return { looks, curves: view.curves.map((c) => ({ ...c, look: looks.get(c.id) ?? c.look, faint: !looks.has(c.id) })).sort((a, b) => b.faint - a.faint) };
}
function draw() {
  const { looks, curves } = dressed(shown);
  const { x, y } = shown.chart;
  drawn = drawChart($("explore-picture"), { ...shown.chart, ...zoomed(shown.chart), part: !isWhole(), curves, title: shown.title });
  Object.assign(drawn, { whole: { x, y }, looks });
  restCursor();
}

// --- the list of solvers ----------------------------------------------------------------------

export function showSolvers(s) {
  solverList(s, shown, (id) => (id === null ? fade() : highlight(id)));
  showLooks(s, drawn?.looks ?? new Map());
  tellValues();
}
const tellValues = (x = null) => readings(shown, x, where);

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
function fade() {
  highlight(null);
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
  const { cursor, dot, px, py, left, top, w, h } = drawn;
  const at = Math.max(left, Math.min(left + w, px(x)));
  // a place beside the part that is shown has no cursor
  if (!isWhole() && Math.abs(at - px(x)) > 1) return;
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
  const seen = value === Infinity || (py(value) >= top - 1 && py(value) <= top + h + 1);
  dot.setAttribute("visibility", seen ? "visible" : "hidden");
  tip.replaceChildren(el("bdi", {}, `${curve.look.label}: ${shown.unit} ${shown.format(value)} at ${where(x)}${shown.detail(curve, value, k)}`));
  tip.hidden = false;
  placeTip(tip, at, Math.max(top, Math.min(py(value), top + h)), curve);
}
// The words where they hide least of the curve that they speak of
function placeTip(tip, at, level, curve) {
  const ratio = drawn.root.getBoundingClientRect().width / drawn.width;
  const wide = tip.offsetWidth / ratio, high = tip.offsetHeight / ratio, away = 12;
  const heights = Array.from({ length: 9 }, (_, k) => (k - 4) / 4).map((share) => at + share * (wide + away))
    .map((x) => [x, drawn.py(shown.value(curve.id, drawn.spec.x.from((x - drawn.left) / drawn.w)))]).filter(([, y]) => !Number.isNaN(y));
  const places = [[at + away, level + away], [at - away - wide, level - away - high], [at + away, level - away - high], [at - away - wide, level + away]]
    .map(([x, y]) => [Math.max(0, Math.min(drawn.width - wide, x)), Math.max(0, Math.min(drawn.height - high, y))]);
  const hidden = ([x, y]) => heights.filter(([a, b]) => a >= x - 2 && a <= x + wide + 2 && b >= y - 4 && b <= y + high + 4).length + (Math.abs(x + wide / 2 - at) < wide / 2 ? 0.5 : 0);
  const [x, y] = places.reduce((best, place) => (hidden(place) < hidden(best) ? place : best));
  Object.assign(tip.style, { left: `${x * ratio}px`, top: `${y * ratio}px` });
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
    if (!isWhole() && (drawn.px(at) < drawn.left - 1 || drawn.px(at) > drawn.left + drawn.w + 1)) continue;
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
  tellValues(found.x);
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
  const u = shown.at === null ? 0.5 : drawn.spec.x.to(shown.at);
  if (zoomKey(drawn, event, u >= 0 && u <= 1 ? u : 0.5)) return;
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
  const then = () => {
    highlight(id);
    $("explore-status").textContent = $("explore-tip").textContent;
    if (event.key === "Enter") $("explore-problems").scrollIntoView({ block: "nearest" });
  };
  change({ at: there ? x[k] : shown.at, solver: look.name, ...(there ? insight(drawn, x[k]) : {}) }, { step: false, then });
}

export function startPointing() {
  const holder = $("explore-picture");
  // before the others: the click that ends a drag is not theirs
  startZoom(() => drawn);
  holder.addEventListener("pointermove", onMove);
  holder.addEventListener("pointerleave", () => { restCursor(); tellValues(); });
  holder.addEventListener("click", onClick);
  holder.addEventListener("keydown", onKey);
  holder.addEventListener("blur", fade);
  startSolvers();
  let width = holder.clientWidth;
  new ResizeObserver(() => {
    if (drawn && Math.abs(holder.clientWidth - width) > 4) draw();
    width = holder.clientWidth;
  }).observe(holder);
  startPresenting(() => drawn && draw());
}
