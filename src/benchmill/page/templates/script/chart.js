import { SVG, svg } from "./elements.js";
import { indexAt } from "./compute.js";
import { tick } from "./format.js";

// Charts as SVG, drawn for white paper like the figures; in the dark the style sheet turns them over.
const NAMES = 11.5;
const INK = "#1c2126", SOFT = "#5b6570", GRID = "#e3e7eb", CROWD = "#c3c9cf";

// matplotlib's markers in a box of side 2
const polygon = (n, turn, inner) => {
  const points = [];
  const m = inner ? 2 * n : n;
  for (let i = 0; i < m; i++) {
    const radius = inner && i % 2 ? inner : 1;
    const angle = turn + (2 * Math.PI * i) / m;
    points.push(`${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`);
  }
  return `M${points.join("L")}Z`;
};
const MARKERS = {
  o: "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z",
  s: "M-.9 -.9H.9V.9H-.9Z",
  "^": polygon(3, 0), v: polygon(3, Math.PI), "<": polygon(3, -Math.PI / 2), ">": polygon(3, Math.PI / 2),
  D: polygon(4, 0), d: "M0 -1.1L.65 0L0 1.1L-.65 0Z", p: polygon(5, 0), h: polygon(6, 0), "*": polygon(5, 0, 0.42),
  X: "M-.5 -1L0 -.5L.5 -1L1 -.5L.5 0L1 .5L.5 1L0 .5L-.5 1L-1 .5L-.5 0L-1 -.5Z",
  P: "M-.35 -1H.35V-.35H1V.35H.35V1H-.35V.35H-1V-.35H-.35Z",
};
function marker(look, x, y, size = 4) {
  const larger = "*PX".includes(look.marker) ? size * 1.25 : size;
  return svg("path", {
    d: MARKERS[look.marker] ?? MARKERS.o, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${larger})`,
    fill: look.filled ? look.colour : "#fff", stroke: look.colour, "stroke-width": 1 / larger,
  });
}
function dashes(look, width) {
  return look.dashes.length ? look.dashes.map((d) => d * width).join(" ") : null;
}
export function swatch(look) {
  return svg("svg", { viewBox: "0 0 34 12", width: 34, height: 12, "aria-hidden": "true", class: "swatch" },
    svg("path", { d: "M1 6H33", stroke: look.colour, "stroke-width": 1.8, "stroke-dasharray": dashes(look, 1.8), fill: "none" }),
    marker(look, 17, 6, 4));
}

function niceStep(span, wanted) {
  const raw = span / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].find((m) => m * power >= raw) * power;
}
// `kind`: linear, log (base 2 up to 1000, base 10 beyond), decades (base 10), or broken: linear to 10, then logarithmic
export function scale(kind, min, max) {
  if (!(max > min)) max = kind === "linear" ? min + 1 : min * 2;
  if (kind === "broken" && (max <= 10 || min !== 1)) kind = "log";
  if (kind === "log" || kind === "decades") {
    const a = Math.log(min), b = Math.log(max);
    const base = kind === "decades" || max / min > 1000 ? 10 : 2;
    const ticks = [];
    if (kind === "decades" && max / min < 1000) {
      for (let e = Math.floor(Math.log10(min)); e <= Math.log10(max); e++) {
        ticks.push(...[1, 2, 5].map((m) => Number(`${m}e${e}`)).filter((t) => t >= min && t <= max));
      }
      return { kind, min, max, ticks, to: (v) => (Math.log(v) - a) / (b - a), from: (u) => Math.exp(a + u * (b - a)) };
    }
    const first = Math.ceil(a / Math.log(base) - 1e-9), last = Math.floor(b / Math.log(base) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / 9));
    for (let e = first; e <= last; e += every) ticks.push(base ** e);
    return { kind, min, max, ticks, to: (v) => (Math.log(v) - a) / (b - a), from: (u) => Math.exp(a + u * (b - a)) };
  }
  if (kind === "broken") {
    const b = Math.log(max / 10);
    const ticks = [1, 2, 4, 6, 8, 10];
    const n = Math.floor(Math.log10(max));
    const every = Math.max(1, Math.ceil((n - 1) / 4));
    for (let e = 1 + every; e <= n; e += every) ticks.push(10 ** e);
    if (n < 2) ticks.push(max > 30 ? 30 : 20);
    return {
      kind, min, max, ticks: ticks.filter((t) => t <= max), breakAt: 0.5,
      to: (v) => (v <= 10 ? ((v - 1) / 9) * 0.5 : 0.5 + (Math.log(v / 10) / b) * 0.5),
      from: (u) => (u <= 0.5 ? 1 + (u / 0.5) * 9 : 10 * Math.exp(((u - 0.5) / 0.5) * b)),
    };
  }
  const step = niceStep(max - min, 6);
  const ticks = [];
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max + 1e-9 * step; i++) ticks.push(Number((i * step).toPrecision(12)));
  return { kind, min, max, ticks, to: (v) => (v - min) / (max - min), from: (u) => min + u * (max - min) };
}

// The one typeface of the page, and how wide a text is in it
const font = () => getComputedStyle(document.body).fontFamily;
const pen = document.createElement("canvas").getContext("2d");
function textWidth(text, size = 12) {
  pen.font = `${size}px ${font()}`;
  return pen.measureText(text).width;
}
// As many letters as there is room for
function clip(text, room, size = 12) {
  const letters = [...text];
  if (textWidth(text, size) <= room) return text;
  while (letters.length > 1 && textWidth(`${letters.join("")}…`, size) > room) letters.pop();
  return `${letters.join("").replace(/…$/, "")}…`;
}
// The label of an axis as far as there is room: all of it, what stands before the colon, or its first letters
const fitting = (label, room) => clip(textWidth(label) > room ? label.split(":")[0] : label, room);
// A curve's name at its end, after its value there
const nameOf = (look, value) => (value ? `${value}  ${look.label}` : look.label);
// How large a picture is, and how much larger than on a small screen it is drawn: it takes what the screen gives, and its text grows with it
function sizeIn(holder) {
  const wide = holder.clientWidth || 720;
  const filling = document.body.classList.contains("presenting");
  const grown = Math.max(1, Math.min(2.6, wide / (filling ? 780 : 880)));
  const high = filling ? holder.parentElement.clientHeight - 4 : Math.max(300, innerHeight - 310);
  const width = Math.max(300, wide / grown);
  return { width, height: Math.round(Math.max(250, Math.min(filling ? Infinity : width * 0.68, high / grown))) };
}
// Draw `spec` into `holder`. spec: x, y (scales), xLabel, yLabel, curves [{look, id, x, y, steps, end}], endLabel, failures
// (label of the strip above for infinite values), beside (names stand at the points), strands [{look, x, y}], front [{x, y}], part (whether the axes are cut). A `faint` curve is thin and grey, without markers and name; where curves are points, a grey point.
// `exact`: the values of a curve, where some are drawn at the end of the axis. Gives what pointing needs.
export function drawChart(holder, spec) {
  const { width, height } = sizeIn(holder);
  const direct = width > 560;
  const left = 52, bottom = 44, top = spec.failures ? 34 : 14;
  const inside = (x, y) => { const u = spec.x.to(x), v = y === Infinity ? 0 : spec.y.to(y); return u > -1e-9 && u < 1 + 1e-9 && v > -1e-9 && v < 1 + 1e-9; };
  const cut = spec.part ? "url(#explore-cut)" : null;
  const margin = !spec.part && spec.curves.some((c) => c.end !== undefined) ? 26 : 8;
  // names beside the curves have a third of the picture at most, where they need it
  const longest = Math.max(0, ...spec.curves.filter((c) => !c.faint).map((c) => textWidth(nameOf(c.look, spec.endText && c.end !== undefined ? spec.endText(c.exact?.at(-1) ?? c.end) : ""), NAMES)));
  const names = direct ? Math.round(Math.min(longest + 24, width * 0.34)) : 6;
  const right = spec.beside ? 8 : margin + names;
  const w = width - left - right, h = height - top - bottom;
  const px = (v) => left + spec.x.to(v) * w;
  const py = (v) => (v === Infinity ? top - 14 : top + (1 - spec.y.to(v)) * h);
  const root = svg("svg", {
    xmlns: SVG, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spec.title, "font-size": 12,
    "font-family": font(), fill: INK,
  });
  root.append(svg("rect", { width, height, fill: "#fff" }));
  if (cut || spec.strands?.length) root.append(svg("clipPath", { id: "explore-cut" }, svg("rect", { x: left, y: top, width: w, height: h })));
  const frame = svg("g", { stroke: GRID, "stroke-width": 1 });
  const text = svg("g", { fill: SOFT });
  for (const t of spec.y.ticks) {
    frame.append(svg("path", { d: `M${left} ${py(t).toFixed(1)}h${w}` }));
    text.append(svg("text", { x: left - 7, y: py(t) + 4, "text-anchor": "end" }, tick(t)));
  }
  let free = -Infinity;
  for (const t of spec.x.ticks) {
    const label = tick(t);
    frame.append(svg("path", { d: `M${px(t).toFixed(1)} ${top}v${h}` }));
    if (px(t) - free < label.length * 3.4 + 6) continue;
    // the last one may be at the edge of the picture
    text.append(svg("text", { x: Math.min(px(t), width - label.length * 3.6 - 2), y: top + h + 17, "text-anchor": "middle" }, label));
    free = px(t) + label.length * 3.6;
  }
  frame.append(svg("path", { d: `M${left} ${top}v${h}h${w}`, fill: "none", stroke: INK }));
  if (spec.x.breakAt) {
    const x = left + spec.x.breakAt * w;
    frame.append(svg("path", { d: `M${x} ${top}v${h}`, stroke: SOFT, "stroke-dasharray": "2 3" }));
    text.append(svg("text", { x: x - 5, y: top + h - 6, "text-anchor": "end", "font-size": 10.5 }, "linear"),
      svg("text", { x: x + 5, y: top + h - 6, "font-size": 10.5 }, "logarithmic"));
  }
  if (spec.failures) {
    frame.append(svg("path", { d: `M${left} ${top - 14}h${w}`, "stroke-dasharray": "2 3", stroke: SOFT }));
    text.append(svg("text", { x: left - 7, y: top - 10, "text-anchor": "end" }, "∞"),
      svg("text", { x: left + w + 4, y: top - 24, "text-anchor": "end", "font-size": 10.5 }, spec.failures));
  }
  text.append(svg("text", { x: left + w / 2, y: height - 8, "text-anchor": "middle", fill: INK }, fitting(spec.xLabel, 2 * Math.min(left + w / 2, width - left - w / 2) - 6)),
    svg("text", { transform: `translate(13 ${top + h / 2}) rotate(-90)`, "text-anchor": "middle", fill: INK }, fitting(spec.yLabel, height)));
  root.append(frame, text);
  for (const curve of spec.curves) {
    if (!curve.band || curve.faint) continue;
    const { low, high } = curve.band;
    // there along the upper end, back along the lower one
    let path = "";
    curve.x.forEach((x, i) => { path += `${path ? "H" : "M"}${px(x).toFixed(1)}${path ? "V" : " "}${py(high[i]).toFixed(1)}`; });
    path += `H${(left + w).toFixed(1)}`;
    for (let i = curve.x.length - 1; i >= 0; i--) path += `V${py(low[i]).toFixed(1)}H${px(curve.x[i]).toFixed(1)}`;
    root.append(svg("path", { d: `${path}Z`, fill: curve.look.colour, opacity: 0.14, class: "band", "clip-path": cut }));
  }
  // single runs behind the curves, and the line that joins a front
  for (const { look, x, y } of spec.strands ?? []) {
    const path = x.map((at, i) => (i ? `H${px(at).toFixed(1)}V${py(y[i]).toFixed(1)}` : `M${px(at).toFixed(1)} ${py(y[i]).toFixed(1)}`)).join("");
    if (path) root.append(svg("path", { d: path, fill: "none", stroke: look.colour, "stroke-width": 0.7, opacity: 0.35, "clip-path": "url(#explore-cut)" }));
  }
  if (spec.front?.length > 1) root.append(svg("path", { d: `M${spec.front.map((p) => `${px(p.x).toFixed(1)} ${py(p.y).toFixed(1)}`).join("L")}`, fill: "none", stroke: SOFT, "stroke-dasharray": "5 4", "clip-path": cut }));
  // what names beside points must not hide: the points, and the names that stand already
  const named = spec.beside ? spec.curves.flatMap((c) => c.x.map((x, i) => ({ start: px(x) - 5, end: px(x) + 5, y: py(c.y[i]) + 4 }))) : [];
  const thin = 1.7;
  const ends = [];
  const drawn = spec.curves.map((curve) => {
    const group = svg("g", { class: curve.faint ? "curve faint" : "curve", style: curve.faint ? `--own: ${curve.look.colour}` : null });
    let path = "", pen = false, last = null;
    const tenth = (v) => Math.round(v * 10) / 10;
    for (let i = 0; i < curve.x.length; i++) {
      const y = curve.y[i];
      if (Number.isNaN(y)) { pen = false; continue; }
      if (y === Infinity && !curve.steps) { pen = false; continue; }
      const b = tenth(py(y));
      if (pen && curve.steps && b === last) continue;
      const a = tenth(px(curve.x[i]));
      last = b;
      path += pen ? (curve.steps ? `H${a}V${b}` : `L${a} ${b}`) : `M${a} ${curve.steps && spec.rise ? py(0).toFixed(1) + "V" + b : b}`;
      pen = true;
    }
    if (curve.steps && pen) path += `H${(left + w).toFixed(1)}`;
    group.append(svg("path", {
      d: path, fill: "none", stroke: curve.faint ? CROWD : curve.look.colour, "stroke-width": curve.faint ? 0.8 : thin,
      "stroke-dasharray": curve.faint ? null : dashes(curve.look, thin),
      "stroke-linejoin": "round", class: "line", "clip-path": cut,
    }));
    if (curve.faint) {
      if (spec.beside) curve.x.forEach((x, i) => { if (inside(x, curve.y[i])) group.append(svg("circle", { cx: px(x).toFixed(1), cy: py(curve.y[i]).toFixed(1), r: 3, fill: CROWD })); });
      root.append(group);
      return { ...curve, group };
    }
    if (curve.steps) {
      const n = 3;
      for (let k = 0; k < n; k++) {
        // markers at different places, so that they do not hide each other
        const u = (k + 0.25 + (0.7 * (spec.curves.indexOf(curve) % 7)) / 7) / n;
        const at = spec.x.from(u), i = indexAt(curve.x, at);
        if (i >= 0 && curve.y[i] > 0 && u < 1 && inside(at, curve.y[i])) group.append(marker(curve.look, left + u * w, py(curve.y[i]), 3.4));
      }
    } else {
      curve.x.forEach((x, i) => { if (!Number.isNaN(curve.y[i]) && inside(x, curve.y[i])) group.append(marker(curve.look, px(x), py(curve.y[i]), 4)); });
    }
    if (spec.beside) {
      // a name beside each point, on the side that has room
      const name = clip(curve.look.label, width * (direct ? 0.34 : 0.28), NAMES);
      curve.x.forEach((x, i) => { if (inside(x, curve.y[i])) group.append(nameAt(px(x), py(curve.y[i]), name, { left, right: width, top, bottom: top + h }, named)); });
    } else if (spec.part) {
      // names stand where curves leave the picture, or at their last place in it
      const edge = curve.steps ? indexAt(curve.x, spec.x.from(1)) : curve.x.findLastIndex((x, i) => inside(x, curve.y[i]));
      if (edge >= 0 && (curve.steps ? inside(spec.x.from(1), curve.y[edge]) : true)) ends.push({ look: curve.look, y: py(curve.y[edge]), text: curve.steps && spec.endText ? spec.endText((curve.exact ?? curve.y)[edge]) : "" });
    } else if (curve.end !== undefined) {
      group.append(marker(curve.look, left + w + 15, py(curve.end), 4));
      ends.push({ look: curve.look, y: py(curve.end), text: spec.endText(curve.exact?.at(-1) ?? curve.end) });
    } else if (direct && curve.x.length) {
      const last = curve.y.findLastIndex((y) => !Number.isNaN(y));
      if (last >= 0) ends.push({ look: curve.look, y: py(curve.y[last]), text: "" });
    }
    root.append(group);
    return { ...curve, group };
  });
  if (direct) placeLabels(ends, top - 8, top + h, 14).forEach(({ look, y, place, text: value }) => {
    const x = left + w + margin;
    root.append(svg("path", { d: `M${x - 3} ${y.toFixed(1)}L${x + 8} ${place.toFixed(1)}`, stroke: look.colour, "stroke-width": 0.7, opacity: 0.6 }),
      svg("text", { x: x + 11, y: place + 4, "font-size": NAMES }, clip(nameOf(look, value), names - 14, NAMES)));
  });
  const cursor = svg("path", { d: `M0 ${top}v${h}`, stroke: INK, "stroke-width": 1, visibility: "hidden", class: "screen" });
  const dot = svg("circle", { r: 5, fill: "none", stroke: INK, "stroke-width": 1.6, visibility: "hidden", class: "screen" });
  root.append(cursor, dot);
  holder.replaceChildren(root);
  return { root, drawn, px, py, left, top, w, h, width, height, cursor, dot, spec };
}
// A name beside a point, at the first place around it where it hides nothing of `named` and leaves no edge
function nameAt(x, y, text, edge, named) {
  const width = textWidth(text, NAMES);
  const steps = [4, -8, 16, -20, 28, -32, 40];
  const places = steps.flatMap((step) => [{ start: x + 9, y: y + step }, { start: x - 9 - width, y: y + step }]);
  const fits = (at) => at.start >= edge.left && at.start + width <= edge.right && at.y > edge.top && at.y < edge.bottom;
  const free = (at) => fits(at) && named.every((one) => Math.abs(one.y - at.y) > 11 || one.start > at.start + width || one.end < at.start);
  const place = places.find(free) ?? places.find(fits) ?? places[0];
  named.push({ start: place.start, end: place.start + width, y: place.y });
  return svg("text", { x: place.start.toFixed(1), y: place.y.toFixed(1), "font-size": NAMES }, text);
}
// Labels at their curves' heights, pushed apart
function placeLabels(labels, low, high, gap) {
  const sorted = labels.map((label) => ({ ...label, place: label.y })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < sorted.length; i++) sorted[i].place = Math.max(sorted[i].place, sorted[i - 1].place + gap);
  let ceiling = high + 4;
  for (let i = sorted.length - 1; i >= 0; i--) {
    sorted[i].place = Math.max(Math.min(sorted[i].place, ceiling), low + i * gap);
    ceiling = sorted[i].place - gap;
  }
  return sorted;
}
