// Convergence: the value that a share of the runs of a solver has reached by any evaluation, from the trajectories of the runs.
import { chooseAxis, choose, chosenText, filters, howMany, nobody, nothing, problemsOfRuns, questions } from "./choices.js";
import { ABSENT, number, plural } from "./format.js";
import { activeOf, readingAt } from "./state.js";
import { columnOf } from "./rundata.js";
import { bestOf, indexAt } from "./compute.js";
import { trajectoriesOf, rightTo } from "./freetargets.js";
import { dataTable, isChosen, nameColumn } from "./table.js";
import { scale } from "./chart.js";

const SHARES = [["0.5", "half of the runs"], ["0.1", "a tenth"], ["0.25", "a quarter"], ["0.75", "three quarters"], ["0.9", "nine tenths"], ["1", "all runs"]];
// Below this, values on a logarithmic axis are drawn at it
const FLOOR = 1e-8;
const MOST_STRANDS = 400;

// The k-th best value of some runs after any number of evaluations: steps that fall. `runs`: the rows of the trajectories
export function reachedBy({ starts, evaluations, value }, runs, k) {
  const jumps = [];
  for (const row of runs) for (let i = starts[row]; i < starts[row + 1]; i++) jumps.push([evaluations[i], value[i], i === starts[row] ? Infinity : value[i - 1]]);
  jumps.sort((a, b) => a[0] - b[0]);
  const sorted = new Array(runs.length).fill(Infinity), x = [], y = [];
  const place = (v) => { let low = 0, high = sorted.length; while (low < high) { const middle = (low + high) >> 1; if (sorted[middle] < v) low = middle + 1; else high = middle; } return low; };
  jumps.forEach(([at, now, before], n) => {
    sorted.splice(place(before), 1);
    sorted.splice(place(now), 0, now);
    const next = sorted[k - 1];
    if (jumps[n + 1]?.[0] === at || next === Infinity || next === y.at(-1)) return;
    x.push(at);
    y.push(next);
  });
  return { x, y };
}
// k of a share of n runs; rounded first, since 0.07 times 100 is 7.000000000000001
export const rankOf = (part, n) => Math.max(1, Math.ceil(Number((part * n).toFixed(9))));

export const convergenceView = {
  name: "Convergence",
  lacks: (s) => (s.runs?.trajectories ? null : `The page has no trajectories of the runs${Object.values(s.runs?.without ?? {}).slice(0, 1).map((why) => `: ${why}`).join("")}.`),
  own: ["part_of_runs", "strands"],
  show(s) {
    const asked = questions(s);
    const read = trajectoriesOf(s);
    if (typeof read === "string") return nothing(asked, read);
    const { runs } = read;
    const trajectories = read.trajectories.targets ?? read.trajectories.budgets;
    const algorithm = columnOf(runs.columns, "algorithm"), problems = problemsOfRuns(s, runs.columns);
    filters(asked, problems.measure, { point: null, dimension: "single", functions: "single" });
    const part = choose(asked, "part_of_runs", "Reached by", SHARES);
    const axis = chooseAxis(asked, "Value axis", ["auto", "log", "linear"]);
    const strands = choose(asked, "strands", "Each run", [["", "not drawn"], ["yes", "drawn, thin"]], "") === "yes";
    const active = activeOf(s);
    if (!active.length) return nobody(asked);
    const fits = problems.chosenBy(asked);
    const own = new Map(active.map((i) => [i, []]));
    for (let row = 0; row < s.runs.n; row++) if (own.has(algorithm.codes[row]) && fits(row)) own.get(algorithm.codes[row]).push(row);
    const all = active.filter((id) => own.get(id).length).map((id) => ({
      id, look: s.algorithms[id], runs: own.get(id), k: rankOf(Number(part), own.get(id).length), ...reachedBy(trajectories, own.get(id), rankOf(Number(part), own.get(id).length)), steps: true,
    }));
    const values = all.flatMap((c) => c.y), times = all.flatMap((c) => [c.x[0], c.x.at(-1)]).filter((x) => x !== undefined);
    if (!times.length) return nothing(asked, all.length ? "No solver has reached a value here in that many of its runs; choose a smaller share." : "No run fits this choice.");
    // all values of logged distances are positive but for the optimum itself
    const log = axis !== "linear" && values.every((v) => v >= 0) && values.some((v) => v > 0);
    const floor = log ? Math.max(FLOOR, Math.min(...values.filter((v) => v > 0))) : -Infinity;
    const curves = all.filter((c) => c.x.length).map((c) => ({ ...c, exact: c.y, y: c.y.map((v) => Math.max(v, floor)) }));
    for (const c of curves) c.end = c.y.at(-1);
    const value = (id, x) => { const c = curves.find((one) => one.id === id); const i = c ? indexAt(c.x, x) : -1; return i < 0 ? NaN : c.exact[i]; };
    const thin = strands ? all.flatMap((c) => c.runs.map((row) => ({ look: c.look, x: [...trajectories.evaluations.slice(trajectories.starts[row], trajectories.starts[row + 1])], y: [...trajectories.value.slice(trajectories.starts[row], trajectories.starts[row + 1])].map((v) => Math.max(v, floor)) }))) : [];
    const words = SHARES.find(([own]) => own === part)[1];
    const low = Math.min(...times), high = Math.max(...times), drawn = curves.flatMap((c) => c.y);
    const at = readingAt("evaluations", 0, false);
    const caption = `Convergence of ${howMany(s, active)}: ${chosenText(asked)}. The best value so far that ${words} of a solver ${part === "1" || part !== "0.1" && part !== "0.25" ? "have" : "has"} reached after that many evaluations; of n runs, the k-th best with k = ⌈${part} n⌉. Lower is better. `
      + (floor > 0 && values.some((v) => v < floor) ? `Values below ${number(floor)} are drawn at ${number(floor)}. ` : "")
      + (thin.length > MOST_STRANDS ? `Of ${plural(thin.length, "run")} the first ${MOST_STRANDS} are drawn. ` : "")
      + (rightTo(asked) ? `The ${rightTo(asked)}. ` : "")
      + "After its last evaluation a run keeps its value. A curve does not depend on the other solvers.";
    const end = (r) => (r.y.length ? r.y.at(-1) : Infinity);
    const best = bestOf(all.map(end), false);
    const columns = [nameColumn(s),
      { head: "runs", text: (r) => String(r.runs.length), value: (r) => r.runs.length },
      { head: "value at the end", title: `that ${words} have reached at least`, text: (r) => number(end(r)), value: end, best: (r) => best(end(r)) },
      { head: "reached after", title: "evaluations until then", text: (r) => (r.x.length ? number(r.x.at(-1)) : ABSENT), value: (r) => r.x.at(-1) },
      ...(at === null ? [] : [{ head: `at ${number(at)}`, text: (r) => number(value(r.id, at)), value: (r) => value(r.id, at) }])];
    return {
      asked, caption, curves, title: caption, at,
      chart: {
        x: scale("decades", low, high), y: scale(log ? "decades" : "linear", Math.min(...drawn), Math.max(...drawn)), xLabel: "evaluations", yLabel: "best value so far",
        endText: number, strands: thin.slice(0, MOST_STRANDS),
      },
      symbol: "evaluations", unit: "value", format: number, detail: (c) => `, ${c.k} of ${plural(c.runs.length, "run")}`, value, last: high, smaller: true,
      tables: [dataTable("explore-measures", "The curves in numbers. Click the head of a column to sort by it.", columns, all.map((c) => ({ ...c, i: c.id })), { first: { column: 2, down: false }, mark: isChosen(s) })],
      downloads: { "Curves": () => [["algorithm", "evaluations", "value", "rank", "n_runs"], ...curves.flatMap((c) => c.x.map((x, i) => [s.algorithms[c.id].name, x, c.exact[i], c.k, c.runs.length]))] },
    };
  },
};
