// A part of a picture: its range on both axes, for every view that has axes. The range is in the state as [x from, x to, y from, y to].
import { $ } from "./elements.js";
import { change, state } from "./state.js";
import { scale } from "./chart.js";
import { tick } from "./format.js";

const STEP = 1.5, PAN = 0.25;
// A drag that is shorter than this along an axis leaves that axis as it is
const SHORT = 12;

export const isWhole = () => state.zoom === null;
const ends = (axis) => [axis.from(0), axis.from(1)].sort((a, b) => a - b);
const within = (axis, [low, high]) => {
  const [least, most] = ends(axis);
  return [Math.max(least, low), Math.min(most, high)];
};
// The part of an axis between two values, with ticks of its own
function part(axis, range) {
  const [low, high] = within(axis, range);
  const [least, most] = ends(axis);
  if (!(high > low) || (low === least && high === most)) return axis;
  const [first, last] = [axis.to(low), axis.to(high)].sort((a, b) => a - b);
  const inside = (t) => t >= low && t <= high;
  let ticks = axis.ticks.filter(inside);
  for (const kind of axis.places ? [] : [...(low > 0 && axis.kind !== "linear" ? ["decades"] : []), "linear"]) {
    if (ticks.length < 4) ticks = scale(kind, low, high).ticks.filter(inside);
  }
  const breakAt = axis.breakAt === undefined ? undefined : (axis.breakAt - first) / (last - first);
  return {
    ...axis, min: low, max: high, ticks: ticks.sort((a, b) => axis.to(a) - axis.to(b)), breakAt: breakAt > 0 && breakAt < 1 ? breakAt : undefined,
    to: (v) => (axis.to(v) - first) / (last - first), from: (u) => axis.from(first + u * (last - first)),
  };
}
// The axes of a picture as they are drawn
export function zoomed({ x, y }) {
  if (isWhole()) return { x, y };
  const [x0, x1, y0, y1] = state.zoom;
  return { x: part(x, [x0, x1]), y: part(y, [y0, y1]) };
}
// A range that lies beside the picture is none, and said to be none
export function checked(chart, notices) {
  if (isWhole() || !chart) return;
  const [x0, x1, y0, y1] = state.zoom;
  const beside = [[chart.x, [x0, x1]], [chart.y, [y0, y1]]].some(([axis, range]) => { const [low, high] = within(axis, range); return !(high > low); });
  if (!beside) return;
  state.zoom = null;
  notices.add("What you had zoomed in to is not in this picture, so all of it is shown.");
}
export function rangeText(shown) {
  if (isWhole() || !shown.chart) return "";
  const { x, y } = zoomed(shown.chart);
  const span = (axis, whole) => { const [low, high] = ends(axis); const [least, most] = ends(whole); return low === least && high === most ? "" : ` from ${tick(short(low))} to ${tick(short(high))}`; };
  const parts = [[shown.chart.xLabel, span(x, shown.chart.x)], [shown.chart.yLabel, span(y, shown.chart.y)]].filter(([, text]) => text);
  return parts.map(([name, text]) => name + text).join("; ");
}
const short = (v) => Number(v.toPrecision(4));

// --- changing it ------------------------------------------------------------------------------

// `to`: the parts of the axes that are shown next, as shares of what is shown now; of an axis that is left out nothing changes
function go(drawn, to, how) {
  const { x, y } = drawn.whole;
  const next = [["x", x], ["y", y]].flatMap(([name, whole]) => {
    const axis = drawn.spec[name];
    if (!to[name]) return ends(axis);
    const [first, last] = [whole.to(axis.from(0)), whole.to(axis.from(1))];
    const size = Math.min(1, (to[name][1] - to[name][0]) * (last - first));
    // no finer than numbers are told apart
    if (size < 1e-6) return ends(axis);
    const from = Math.max(0, Math.min(1 - size, first + to[name][0] * (last - first)));
    return [whole.from(from), whole.from(from + size)].sort((a, b) => a - b).map((v) => Number(v.toPrecision(8)));
  });
  const all = [...ends(x), ...ends(y)];
  const close = next.map((v, i) => (Math.abs(v - all[i]) <= 1e-7 * Math.abs(all[i]) ? all[i] : v));
  change({ zoom: close.every((v, i) => v === all[i]) ? null : close }, { picture: true, ...how });
}
const around = (centre, factor) => [centre - centre / factor, centre + (1 - centre) / factor];
export const wholePicture = (how) => change({ zoom: null }, { picture: true, ...how });
export const closer = (drawn, centre, factor = STEP, how = {}) => go(drawn, { x: around(centre, factor) }, how);

// What a key does, as shares; null: nothing
const PANS = { ArrowRight: { x: [PAN, 1 + PAN] }, ArrowLeft: { x: [-PAN, 1 - PAN] }, ArrowUp: { y: [PAN, 1 + PAN] }, ArrowDown: { y: [-PAN, 1 - PAN] } };
// Whether the key was one of zooming
export function zoomKey(drawn, event, centre) {
  const how = { step: false };
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "+" || event.key === "=") closer(drawn, centre, STEP, how);
  else if (event.key === "-") closer(drawn, centre, 1 / STEP, how);
  else if (event.key === "0" || (event.key === "Escape" && !isWhole())) wholePicture(how);
  else if (event.shiftKey && event.key in PANS) go(drawn, PANS[event.key], how);
  else return false;
  event.preventDefault();
  return true;
}
// What keeps a place in sight that a key has led to
export function insight(drawn, at) {
  const u = drawn.spec.x.to(at);
  if (isWhole() || (u >= 0 && u <= 1)) return {};
  const [low, high] = ends(drawn.whole.x);
  const place = drawn.whole.x.to(Math.max(low, Math.min(high, at)));
  const [first, last] = [drawn.whole.x.to(drawn.spec.x.from(0)), drawn.whole.x.to(drawn.spec.x.from(1))];
  const from = Math.max(0, Math.min(1 - (last - first), place - (last - first) / 2));
  const range = [drawn.whole.x.from(from), drawn.whole.x.from(from + last - first)].sort((a, b) => a - b);
  return { zoom: [...range, ...ends(drawn.spec.y)] };
}

// Drag, wheel, double click and buttons. `drawn` gives the picture that is there now, null for none
export function startZoom(drawn) {
  const holder = $("explore-picture"), box = $("explore-band");
  const place = (event) => {
    const picture = drawn();
    const frame = picture.root.getBoundingClientRect(), ratio = picture.width / frame.width;
    const bounded = (v) => Math.max(0, Math.min(1, v));
    return { x: event.clientX, y: event.clientY, u: bounded(((event.clientX - frame.left) * ratio - picture.left) / picture.w), v: bounded(1 - ((event.clientY - frame.top) * ratio - picture.top) / picture.h) };
  };
  let begun = null, dragged = false;
  holder.addEventListener("pointerdown", (event) => {
    dragged = false;
    // a finger that moves reads or scrolls
    begun = drawn() && event.button === 0 && event.pointerType !== "touch" ? place(event) : null;
  });
  holder.addEventListener("pointermove", (event) => {
    if (!begun || !drawn()) return;
    const now = place(event);
    const wide = Math.abs(now.x - begun.x) >= SHORT, high = Math.abs(now.y - begun.y) >= SHORT;
    if (!dragged && (wide || high)) holder.setPointerCapture(event.pointerId);
    dragged ||= wide || high;
    box.hidden = !dragged;
    if (!dragged) return;
    const picture = drawn(), ratio = picture.root.getBoundingClientRect().width / picture.width;
    const span = (a, b, on) => (on ? [Math.min(a, b), Math.max(a, b)] : [0, 1]);
    const [u0, u1] = span(begun.u, now.u, wide), [v0, v1] = span(begun.v, now.v, high);
    Object.assign(box.style, {
      left: `${(picture.left + u0 * picture.w) * ratio}px`, width: `${(u1 - u0) * picture.w * ratio}px`,
      top: `${(picture.top + (1 - v1) * picture.h) * ratio}px`, height: `${(v1 - v0) * picture.h * ratio}px`,
    });
  });
  const end = (event) => {
    const from = begun;
    begun = null;
    box.hidden = true;
    if (!from || !dragged || event.type === "pointercancel" || !drawn()) return;
    const now = place(event);
    const along = (a, b, on) => (on && a !== b ? [Math.min(a, b), Math.max(a, b)] : undefined);
    go(drawn(), { x: along(from.u, now.u, Math.abs(now.x - from.x) >= SHORT), y: along(from.v, now.v, Math.abs(now.y - from.y) >= SHORT) });
  };
  holder.addEventListener("pointerup", end);
  holder.addEventListener("pointercancel", end);
  // the click at the end of a drag reads nothing. The first of two clicks draws the picture anew, so that browsers tell of no double click
  let clicked = { time: -Infinity };
  holder.addEventListener("click", (event) => {
    const twice = event.timeStamp - clicked.time < 400 && Math.hypot(event.clientX - clicked.x, event.clientY - clicked.y) < 6;
    clicked = { time: dragged || twice ? -Infinity : event.timeStamp, x: event.clientX, y: event.clientY };
    if (!dragged && !(twice && !isWhole())) return;
    event.stopImmediatePropagation();
    if (!dragged) wholePicture();
  }, true);
  // many turns of a wheel in one frame are one change
  let turned = 0, last = null;
  holder.addEventListener("wheel", (event) => {
    // the page scrolls, unless the picture has the focus or a key says otherwise
    if (!drawn() || !(event.ctrlKey || event.metaKey || document.activeElement === holder)) return;
    event.preventDefault();
    if (!turned) {
      requestAnimationFrame(() => {
        const factor = 1.0015 ** -turned;
        turned = 0;
        if (drawn()) closer(drawn(), place(last).u, factor, { step: false });
      });
    }
    turned += event.deltaMode === 1 ? event.deltaY * 33 : event.deltaY;
    last = event;
  }, { passive: false });
  $("explore-closer").addEventListener("click", () => closer(drawn(), 0.5, STEP, { focus: "explore-closer" }));
  $("explore-wider").addEventListener("click", () => closer(drawn(), 0.5, 1 / STEP, { focus: "explore-wider" }));
  $("explore-whole").addEventListener("click", () => wholePicture({ focus: "explore-picture" }));
}
export function showZoom(shown) {
  $("explore-zoom").hidden = !shown.chart;
  for (const name of ["explore-wider", "explore-whole"]) $(name).disabled = isWhole();
  $("explore-range").textContent = rangeText(shown);
}
