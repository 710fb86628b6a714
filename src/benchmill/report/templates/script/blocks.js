// Blocks of data that the page carries (see benchmill.report.arrays), unpacked when they are asked for.
import { $ } from "./elements.js";

const TYPES = { d: Float64Array, i: Int32Array, h: Uint16Array, b: Uint8Array };
export const CANNOT = "This browser cannot unpack the data of this page (it has no DecompressionStream); current versions of Chromium, Firefox and Safari can.";

// The content of a block and a function that gives its arrays, decoded when they are asked for
export async function unpacked(id) {
  if (!("DecompressionStream" in globalThis)) throw new Error(CANNOT);
  const letters = atob($(id).textContent);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
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
// Numbers of their planes: the first bytes of all, then the second ones, and so on; little-endian, as machines with a browser are
function joined(bytes, { kind, length, start }) {
  const numbers = new TYPES[kind](length);
  const own = new Uint8Array(numbers.buffer), size = numbers.BYTES_PER_ELEMENT;
  for (let plane = 0; plane < size; plane++) {
    const from = start + plane * length;
    for (let i = 0; i < length; i++) own[i * size + plane] = bytes[from + i];
  }
  return numbers;
}
