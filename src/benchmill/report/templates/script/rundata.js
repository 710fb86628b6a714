// The runs of a study as columns, and the cost of each by the measure and target that are chosen.
import { unpacked } from "./blocks.js";
import { isNone, number } from "./format.js";

// Columns of numbers that are whole and are shown with all digits
const WHOLE = ["dimension", "run", "seed", "budget", "nodes", "iterations", "n", "irregularities", "line"];

// The block of each study, by its id: null while it is being unpacked, or the words that say why it cannot be
const blocks = new Map();

// The runs of a study with their arrays: {columns, costs, met, byRun, byFile}; null while they are being unpacked, after which `ready` is
// called. A column of words has `words` and `codes` (-1: empty), one of numbers `values` (NaN: empty).
export function openedRuns(s, ready) {
  if (!blocks.has(s.id)) {
    blocks.set(s.id, null);
    unpacked(`${s.id}-runs`).then((block) => blocks.set(s.id, decodedRuns(block)), (error) => blocks.set(s.id, error.message)).then(ready);
  }
  return blocks.get(s.id);
}
function decodedRuns({ content, arrayOf }) {
  const columns = content.columns.map((c) => (c.words ? { ...c, codes: new Int32Array(arrayOf(c.codes)).map((code) => code - 1) }
    : { ...c, values: arrayOf(c.values), whole: WHOLE.includes(c.key) }));
  const pairs = ({ rows, which, files, of_file: ofFile }) => ({ of: arrayOf(rows ?? files), entry: arrayOf(which ?? ofFile) });
  return { columns, met: content.met, byRun: pairs(content.by_run), byFile: pairs(content.by_file), costs: (m, p) => ({ cost: arrayOf(content.costs[m][p].cost), budget: arrayOf(content.costs[m][p].budget) }) };
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
  return column.whole && Number.isFinite(value) ? String(value).replace("-", "−") : number(value, 4);
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
