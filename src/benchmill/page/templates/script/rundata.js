// The runs of a study as columns, and the cost of each by the measure and target that are chosen.
import { unpacked } from "./blocks.js";
import { isNone, number } from "./format.js";

// Columns of numbers that are whole and are shown with all digits
const WHOLE = ["dimension", "run", "seed", "budget", "nodes", "iterations", "n", "irregularities", "line"];

// The block of each study, by its id: null while it is being unpacked, or the words that say why it cannot be
const blocks = new Map();

// The runs of a study with their arrays: {columns, costs, met, byRun, byLog, log}; null while they are being unpacked, after which `ready` is
// called. A column of words has `words` and `codes` (-1: empty), one of numbers `values` (NaN: empty).
export function openedRuns(s, ready) {
  if (!blocks.has(s.id)) {
    blocks.set(s.id, null);
    unpacked(`${s.id}-runs`, s.runs.beside).then((block) => blocks.set(s.id, decodedRuns(block)), (error) => blocks.set(s.id, error.message)).then(ready);
  }
  return blocks.get(s.id);
}
// What the logs say of a run: {first, last, skipped, line, lastLine}, null where that is not carried, undefined while it is being unpacked
const excerpts = new Map();
export function excerptOf(s, row, ready) {
  if (!s.runs.lines) return null;
  if (!excerpts.has(s.id)) {
    excerpts.set(s.id, undefined);
    unpacked(`${s.id}-lines`).then((block) => excerpts.set(s.id, { lines: block.content.excerpts, of: block.arrayOf(block.content.of) })).then(ready);
  }
  const found = excerpts.get(s.id);
  if (!found) return undefined;
  if (!found.of[row]) return null;
  const [line, lastLine, first, last] = found.lines[found.of[row] - 1];
  return { line, lastLine, first: first.split("\n"), last: last ? last.split("\n") : [] };
}
function decodedRuns({ content, arrayOf }) {
  const columns = content.columns.map((c) => (c.words ? { ...c, codes: new Int32Array(arrayOf(c.codes)).map((code) => code - 1) }
    : { ...c, values: arrayOf(c.values), whole: WHOLE.includes(c.key) }));
  const pairs = ({ rows, which, logs, of_log: ofLog }) => ({ of: arrayOf(rows ?? logs), entry: arrayOf(which ?? ofLog) });
  return { columns, met: content.met, byRun: pairs(content.by_run), byLog: pairs(content.by_log), log: arrayOf(content.log), costs: (m, p) => ({ cost: arrayOf(content.costs[m][p].cost), budget: arrayOf(content.costs[m][p].budget) }) };
}
export const columnOf = (columns, key) => columns.find((c) => c.key === key);
export const wordOf = (column, row) => column?.words[column.codes[row]] ?? "";

// The column of costs of a measure at one target or budget; infinite where the run failed
export function costColumn(m, point, values) {
  return {
    key: "cost", head: m.larger ? "value" : "cost", title: `${m.label}${point.label === "all" ? "" : `, ${point.label}`}; ∞ is a failure, – is no cost`,
    values: m.larger ? values.map((v) => -v) : values,
  };
}

// What a cell says, and what it is sorted by
export function cellText(column, row) {
  if (column.words) return wordOf(column, row);
  const value = column.values[row];
  if (isNone(value)) return "";
  return (column.whole || Math.abs(value) < 1e7) && Number.isInteger(value) ? String(value).replace("-", "−") : number(value, 4);
}
export const cellValue = (column, row) => (column.words ? column.words[column.codes[row]] ?? null : column.values[row]);

// Rows in the order of a column; what has no value stands last, whichever way the rest is sorted
export function sortedRows(rows, column, down) {
  const keys = column.words ? Float64Array.from(column.codes, (code) => (code < 0 ? NaN : code)) : column.values;
  const sign = down ? -1 : 1;
  return Int32Array.from(rows).sort((a, b) => {
    const x = keys[a], y = keys[b];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a - b;
    return x === y ? a - b : sign * (x < y ? -1 : 1);
  });
}
