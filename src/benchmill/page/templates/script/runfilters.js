// Filters of the columns of runs, as a reader writes them and as an address carries them.
import { isNone } from "./format.js";

// `key~text;key~text`, with what would be taken for a mark written as in an address
const hidden = (text) => text.replace(/[%~;]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const bare = (text) => text.replace(/%(25|7e|3b)/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
export const writtenFilters = (filters) => [...filters].filter(([, text]) => text.trim()).map(([key, text]) => `${hidden(key)}~${hidden(text)}`).join(";");
export function readFilters(text) {
  const parts = (text ?? "").split(";").filter((part) => part.includes("~"));
  return new Map(parts.map((part) => [bare(part.slice(0, part.indexOf("~"))), bare(part.slice(part.indexOf("~") + 1))]));
}

// Parts between bars; a bar behind a backslash is one of a word
const alternatives = (text) => text.match(/(?:\\.|[^|\\])+/gs)?.map((part) => part.replace(/\\(.)/gs, "$1").trim()).filter(Boolean) ?? [];
export const exactly = (words) => words.map((word) => `=${word.replace(/[\\|]/g, "\\$&")}`).join("|");
// The words that a filter names as a whole; null where it says something else
export function exactWords(text) {
  const parts = alternatives(text ?? "");
  return parts.every((part) => part.startsWith("=")) ? parts.map((part) => part.slice(1)) : null;
}

const NUMBER = "[+-]?(?:∞|inf|(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?)";
const RANGE = new RegExp(`^(${NUMBER})?\\s*\\.\\.\\s*(${NUMBER})?$`, "i");
const BOUND = new RegExp(`^(<=|>=|≤|≥|<|>|=)?\\s*(${NUMBER})$`, "i");
const valueOfText = (text) => (/∞|inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text));
const BOUNDS = {
  "<": (v, x) => v < x, ">": (v, x) => v > x, "<=": (v, x) => v <= x, ">=": (v, x) => v >= x, "≤": (v, x) => v <= x, "≥": (v, x) => v >= x, "=": (v, x) => v === x,
};
function numberTest(part) {
  if (/^!?none$/i.test(part)) return part[0] === "!" ? (v) => !isNone(v) : isNone;
  const range = RANGE.exec(part);
  if (range && (range[1] || range[2])) {
    const [low, high] = [range[1] ? valueOfText(range[1]) : -Infinity, range[2] ? valueOfText(range[2]) : Infinity];
    return (v) => v >= low && v <= high;
  }
  const bound = BOUND.exec(part.replace("−", "-"));
  if (!bound) return null;
  const x = valueOfText(bound[2]);
  return (v) => BOUNDS[bound[1] ?? "="](v, x);
}
function wordTest(part) {
  if (part.startsWith("=")) return (word) => word === part.slice(1);
  if (/^!?none$/i.test(part)) return part[0] === "!" ? (word) => word !== "" : (word) => word === "";
  const not = part.startsWith("!");
  const wanted = (not ? part.slice(1) : part).toLowerCase().split(/\s+/).filter(Boolean);
  return (word) => wanted.every((one) => word.toLowerCase().includes(one)) !== not;
}

// Whether rows pass the filter of a column; null for a filter that cannot be understood
export function rowTest(column, text) {
  const tests = alternatives(text).map(column.words ? wordTest : numberTest);
  if (tests.includes(null)) return null;
  if (!tests.length) return () => true;
  if (!column.words) return (row) => tests.some((test) => test(column.values[row]));
  // each word once
  const passes = [...column.words, ""].map((word) => tests.some((test) => test(word)));
  return (row) => passes[column.codes[row] < 0 ? column.words.length : column.codes[row]];
}
export const FILTER_HELP = "Words: all of them must occur; = before a whole word; ! before a word that must not occur; | between alternatives. "
  + "Numbers: 3, 1..10, >5, <=2.5, ∞; none for empty cells, !none for the others; | between alternatives.";
