// Blocks of data that the page carries (see benchmill.page.arrays), unpacked when they are asked for.
import { $, el } from "./elements.js";

const TYPES = { d: Float64Array, i: Int32Array, h: Uint16Array, b: Uint8Array, s: Uint16Array };
export const CANNOT = "This browser cannot unpack the data of this page (it has no DecompressionStream); current versions of Chromium, Firefox and Safari can.";

// The content of a block and a function that gives its arrays, decoded when they are asked for
export async function unpacked(id, beside = null) {
  if (!("DecompressionStream" in globalThis)) throw new Error(CANNOT);
  const packed = bytesOf(beside ? await sent(id, beside) : $($(id).dataset.same ?? id).textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const { content, arrays } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, end)));
  let at = end;
  const places = arrays.map(([kind, length]) => {
    const start = at;
    at += length * TYPES[kind].BYTES_PER_ELEMENT;
    return { kind, length, start };
  });
  const decoded = new Map();
  const arrayOf = (place) => {
    if (!decoded.has(place)) decoded.set(place, joined(bytes, places[place]));
    return decoded.get(place);
  };
  return { content, arrayOf };
}
// Bytes of base 85: five letters are four of them, the last ones filled up
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
function bytesOf(text) {
  const digit = new Uint8Array(128).fill(84), groups = Math.ceil(text.length / 5);
  for (let i = 0; i < 85; i++) digit[LETTERS.charCodeAt(i)] = i;
  const view = new DataView(new ArrayBuffer(groups * 4));
  for (let group = 0; group < groups; group++) {
    let value = 0;
    for (let i = group * 5; i < group * 5 + 5; i++) value = value * 85 + (i < text.length ? digit[text.charCodeAt(i)] : 84);
    view.setUint32(group * 4, value);
  }
  return new Uint8Array(view.buffer, 0, groups * 4 - (groups * 5 - text.length));
}
// Numbers of their planes: the first bytes of all, then the second ones, and so on; little-endian, as machines with a browser are
function joined(bytes, { kind, length, start }) {
  const numbers = new TYPES[kind](length);
  const own = new Uint8Array(numbers.buffer), size = numbers.BYTES_PER_ELEMENT;
  for (let plane = 0; plane < size; plane++) {
    const from = start + plane * length;
    for (let i = 0; i < length; i++) own[i * size + plane] = bytes[from + i];
  }
  return kind === "s" ? Float64Array.from(numbers, (v) => (v === 65535 ? NaN : v / 10_000)) : numbers;
}

// --- a block that stands in the file beside the page ---------------------------------------------

const MISSING = "These runs are in the file report/runs.html beside this page, which is not there: keep the folder report/ with the page.";
const OTHER = "The file report/runs.html beside this page is of another report: copy both from the same results.";
// Milliseconds that a file may take to come, and to speak when it is there: a browser may say nothing of one that is missing
const PATIENCE = 60_000, SPEAKS = 5_000;
// A page may not read files beside it, even its own, where it is opened from a disk. A frame may show them, and one without any rights can
// still send what it holds. `length` and `end` of the block: the end has the checksum, which is compared when it is unpacked
function sent(id, { length, end }) {
  return new Promise((done, failed) => {
    const frame = el("iframe", { hidden: true, sandbox: "allow-scripts", title: "Runs", src: `report/runs.html#${id}` });
    const settle = (how, what) => { removeEventListener("message", heard); frame.remove(); how(what); };
    const heard = ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      if (typeof data === "string" && data.length === length && data.endsWith(end)) settle(done, data);
      else settle(failed, new Error(OTHER));
    };
    addEventListener("message", heard);
    const missing = () => settle(failed, new Error(MISSING));
    setTimeout(missing, PATIENCE);
    frame.addEventListener("load", () => setTimeout(missing, SPEAKS));
    document.body.append(frame);
  });
}
