// Every run, one a row: filters by column, sorted and grouped; the pictures and summaries are of the runs that pass.
import { pointNumber, pointValue } from "./data.js";
import { costsAt, trajectoriesOf, typedPoint } from "./freetargets.js";
import { activeOf, change, notices, readingAt, state } from "./state.js";
import { choose, choosePoint, control, filters, nothing, problemList, problemsOfRuns, questions } from "./choices.js";
import { columnOf, costColumn, cellValue, excerptOf, openedRuns, sortedRows, wordOf } from "./rundata.js";
import { readFilters, rowTest, writtenFilters } from "./runfilters.js";
import { count, plural } from "./format.js";
import { $, el } from "./elements.js";
import { runDetail } from "./rundetail.js";
import { PENALTIES, outcomeBars, runPicture, runPictures, runSummary, runsShown } from "./runpictures.js";
import { runPair } from "./runpair.js";
import { runsTable } from "./runtable.js";

const tooManyRuns = (s) => `This study has ${count(s.runs.too_many)} runs, too many to list in a page; they are in results/${s.name}/trials and results/${s.name}/costs.`;
// Groups that are unfolded
const unfolded = new Set();
const ORIGIN = ["in_source", "file", "line"];
// Columns that say what came out of a run
const RESULTS = ["outcome", "cost", "budget", "runtime_s", "best_value", "distance", "dual_bound", "violation", "nodes", "iterations"];
const UNSORTED = { key: "", down: false };
const orderOf = (text) => (text ? { key: text.replace(/^-/, ""), down: text.startsWith("-") } : UNSORTED);

export const runsView = {
  name: "Runs",
  lacks(s) {
    if (!s.runs) return "The page has no runs of this study.";
    if (s.runs.too_many) return tooManyRuns(s);
    return s.runs.measures.length ? null : "No run of this study has a cost.";
  },
  own: ["where", "sort", "group", "pin", "hide", "chart", "penalty", "one", "other", "run"],
  show(s) {
    const asked = questions(s, s.runs.measures);
    const m = s.runs.measures.find((one) => one.name === asked.chosen.measure);
    choosePoint(asked, m, false, pointValue(m.points.at(-1)));
    const typed = typedPoint(s, m);
    const point = typed ?? m.points.find((p) => pointValue(p) === asked.chosen.point) ?? m.points[0];
    const redraw = () => { if (state.view === "runs") change({}, { step: false }); };
    const runs = openedRuns(s, redraw);
    if (runs === null || typeof runs === "string") return nothing(asked, runs ?? "The runs are being unpacked.");
    const measured = runs.costs(s.runs.measures.indexOf(m), typed ? 0 : m.points.indexOf(point));
    const read = typed ? trajectoriesOf(s) : null;
    if (typeof read === "string") return nothing(asked, read);
    const costs = read ? once("read", [m, point.label], () => costsAt(read, m, pointNumber(point), measured.cost)) : measured.cost;
    const { budget } = measured;
    const cost = costColumn(m, point, costs);
    const opened = runs.columns;
    const problems = problemsOfRuns(s, opened);
    filters(asked, problems.measure, { point: null });
    const columns = [...opened.filter((c) => c.words && !ORIGIN.includes(c.key)), cost, ...opened.filter((c) => !c.words && !ORIGIN.includes(c.key)), ...opened.filter((c) => ORIGIN.includes(c.key))];
    const group = choose(asked, "group", "Group by", [["", "nothing"], ...columns.filter((c) => c.words).map((c) => [c.key, c.head])], "");
    asked.keepsRuns = true;
    const { rows, byColumn, wrong } = filtered(s, columns, asked, problems.chosenBy(asked));
    const sort = orderOf(state.choices.sort);
    const sortedBy = columnOf(columns, sort.key);
    if (sort.key && !sortedBy) notices.add(`The runs of this study have no column “${sort.key}” to sort by.`);
    const ordered = sortedBy ? sortedRows(rows, sortedBy, sort.down) : rows;
    const row = state.choices.run === undefined ? -1 : Number(state.choices.run);
    const isRun = Number.isInteger(row) && row >= 0 && row < s.runs.n;
    const solved = (list) => list.reduce((n, one) => n + (Number.isFinite(cost.values[one]) ? 1 : 0), 0);
    const pinned = pinnedOf(columns);
    // a column with a filter is in sight
    const hidden = keysIn(state.choices.hide, columns).filter((key) => !byColumn.has(key));
    const placed = [...pinned.map((key) => columnOf(columns, key)), ...columns.filter((c) => !pinned.includes(c.key))].filter((c) => !hidden.includes(c.key));
    asked.fields.push(columnsField("pin", "Columns at the left", ["pin", "release"], columns, pinned), columnsField("hide", "Columns hidden", ["hide", "show"], columns, hidden));
    const table = runsTable({
      study: s.name, looks: s.algorithms, columns: placed, pinned, filters: byColumn, wrong, sort, opened: isRun ? row : -1,
      lines: group ? grouped(ordered, columnOf(columns, group), solved) : ordered,
      said: `${count(rows.length)} of ${plural(s.runs.n, "run")}, ${count(solved(rows))} successful${wrong.size ? "; a filter that is not understood is left out" : ""}`,
      onFilter: (key, text) => change({ choices: { where: writtenFilters(new Map(byColumn).set(key, text)) || undefined } }, { step: false }),
      onSort: (key) => change({ choices: { sort: sort.key === key ? (sort.down ? undefined : `-${key}`) : key } }, { step: false }),
      onOpen(one) {
        change({ choices: { run: String(one) } });
        $("explore-run")?.scrollIntoView({ block: "nearest" });
        $("explore-status").textContent = `The run is shown below the table: ${$("explore-run-title")?.firstElementChild?.textContent ?? ""}`;
      },
      onGroup: (word) => { if (!unfolded.delete(word)) unfolded.add(word); change({}, { step: false }); },
    });
    const shown = runsShown(s, columns, m, costs, budget, rows, activeOf(s));
    const kind = choose(asked, "chart", "Picture", runPictures(m));
    const picture = rows.length ? once("picture", [rows, m, point.label, kind], () => runPicture(kind, shown)) : { message: "No run passes the filters; the fields below the heads of the table have them." };
    const penalty = m.mean_shift > 0 ? Number(choose(asked, "penalty", "A failure counts", PENALTIES.map((factor) => [String(factor), factor === 1 ? "its limit" : `${factor} limits`]), "10")) : 10;
    const pair = pairAsked(s, asked);
    const kept = byColumn.size ? problems.of(rows) : new Set();
    const keep = () => change({ choices: { functions: problemList(s, kept), where: undefined } }, { focus: "explore-functions" });
    const besides = pair && rows.length ? runPair(shown, ...pair) : null;
    const summary = once("summary", [rows, m, point.label, penalty], () => runSummary(shown, penalty));
    const byResult = [...byColumn.keys()].filter((key) => RESULTS.includes(key) && !wrong.has(key)).map((key) => columnOf(columns, key)?.head).filter(Boolean);
    const caution = byResult.length ? ` The runs are chosen by what came out (${byResult.join(", ")}): shares and means are of these runs alone and say nothing about how good a solver is.` : "";
    return {
      curves: [], title: "Runs", format: (v) => String(v), ...picture, asked,
      caption: picture.caption ? picture.caption + caution : "", at: picture.chart ? readingAt(picture.symbol, ...picture.axisFrom) : null,
      tables: [
        ...(kind === "outcomes" && rows.length ? [outcomeBars(shown)] : []),
        summary.table(), ...(besides ? besides.elements : []), ...(caution ? [el("p", { class: "caution", id: "explore-caution" }, caution.trim())] : []),
        ...(kept.size ? [el("p", { class: "rows" }, el("button", { type: "button", class: "plain", id: "explore-keep", title: "All runs of these problems, in every view", onclick: keep }, `Keep these problems (${count(kept.size)})`))] : []), table,
        ...(isRun ? [runDetail(runs, columns, row, excerptOf(s, row, redraw), () => change({ choices: { run: undefined } }))] : []),
      ],
      downloads: {
        "Runs": () => [placed.map((c) => c.key), ...[...ordered].map((one) => placed.map((c) => cellValue(c, one)))],
        "Summary of runs": () => summary.rows,
        ...(besides ? { "Side by side": () => besides.rows } : {}),
        ...(picture.rows ? { "Curves": () => [picture.rowHead, ...picture.rows] } : {}),
      },
    };
  },
};

// What was made last of some things, again where they are the same
const made = new Map();
function once(name, of, make) {
  const last = made.get(name);
  if (last && last.of.length === of.length && last.of.every((one, i) => one === of[i])) return last.value;
  made.set(name, { of, value: make() });
  return made.get(name).value;
}
// The rows of the solvers that are on and of the problems that are chosen, and that pass every filter
function filtered(s, columns, asked, fits) {
  const byColumn = readFilters(state.choices.where), wrong = new Set();
  const on = new Set(activeOf(s));
  const tests = [];
  for (const [key, text] of byColumn) {
    const column = columnOf(columns, key);
    if (!column) {
      notices.add(`The runs of this study have no column “${key}” to filter.`);
      continue;
    }
    const test = rowTest(column, text);
    if (test) tests.push(test);
    else wrong.add(key);
    if (test) asked.words.push({ key: "where", label: column.head, value: text, text });
  }
  const algorithm = columnOf(columns, "algorithm").codes;
  const ofCost = [...byColumn.keys()].includes("cost") ? columnOf(columns, "cost").values : null;
  const rows = once("rows", [s, writtenFilters(byColumn), [...on].join(" "), ofCost, JSON.stringify(asked.chosen)], () => {
    const found = [];
    for (let row = 0; row < s.runs.n; row++) if (on.has(algorithm[row]) && fits(row) && tests.every((test) => test(row))) found.push(row);
    return Int32Array.from(found);
  });
  return { rows, byColumn, wrong };
}
// Rows below a line for each value of a column
function grouped(rows, column, solved) {
  const parts = new Map();
  for (const row of rows) {
    const word = wordOf(column, row);
    if (!parts.has(word)) parts.set(word, []);
    parts.get(word).push(row);
  }
  return [...parts].flatMap(([word, own]) => [{ word, n: own.length, solved: solved(own), open: unfolded.has(word) }, ...(unfolded.has(word) ? own : [])]);
}
// The places of two solvers to be shown side by side; null unless both are chosen
function pairAsked(s, asked) {
  const options = activeOf(s).map((i) => [`=${s.algorithms[i].name}`, s.algorithms[i].label]);
  const first = choose(asked, "one", "Side by side", [["", "nobody"], ...options], "");
  if (!first) return null;
  const second = choose(asked, "other", "with", [["", "choose"], ...options.filter(([name]) => name !== first)], "");
  return second ? [first, second].map((name) => s.algorithms.findIndex((a) => a.name === name.slice(1))) : null;
}
// Columns by their keys, as a choice has them: without blanks, which the name of an attribute may have
const keysIn = (text, columns) => (text ?? "").split(" ").map((word) => columns.find((c) => encodeURIComponent(c.key) === word)?.key).filter(Boolean);
const pinnedOf = (columns) => keysIn(state.choices.pin ?? "algorithm problem", columns);
function columnsField(key, label, [add, remove], columns, chosen) {
  const options = [["", "choose"], ...columns.map((c) => [c.key, `${chosen.includes(c.key) ? remove : add} ${c.head}`])];
  return control(key, label, options, "", (one) => {
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
    change({ choices: { [key]: next.map(encodeURIComponent).join(" ") } }, { focus: `explore-${key}` });
  });
}
