// Costs or ratios, problems by solvers.
import { measureAsked } from "./freetargets.js";
import { KEYS, keysOf, tooLarge } from "./data.js";
import { choose, chosenText, columnsOf, filters, nobody, nothing, questions } from "./choices.js";
import { dataTable, problemColumns } from "./table.js";
import { number, plural } from "./format.js";
import { activeOf } from "./state.js";
import { NO_RATIOS, haveRatios } from "./compute.js";

export const problemsView = {
  name: "Problems",
  lacks(s) {
    if (!s.measures.length) return "The page has no costs of this study: it makes no profiles.";
    return s.measures.every((measure) => measure.too_large) ? tooLarge(s) : null;
  },
  show(s) {
    const asked = questions(s, s.measures);
    const m = measureAsked(s, s.measures.find((one) => one.name === asked.chosen.measure));
    if (typeof m === "string") return nothing(asked, m);
    filters(asked, m);
    const costs = choose(asked, "show", "Show", [["cost", "costs"], ["ratio", "ratios to the best shown"]]) === "cost";
    const active = activeOf(s);
    if (!active.length) return nobody(asked);
    const jobs = columnsOf(asked, m).filter((j) => active.some((i) => m.trials[i * m.n + j] > 0));
    const best = new Map(jobs.map((j) => [j, Math.min(...active.map((i) => m.value[i * m.n + j]).filter((v) => !Number.isNaN(v)))]));
    if (!costs && !haveRatios([jobs.map((j) => best.get(j))])) return nothing(asked, `${NO_RATIOS}; choose costs.`);
    const get = (i, j) => {
      const cost = m.trials[i * m.n + j] > 0 ? m.value[i * m.n + j] : NaN;
      return costs || Number.isNaN(cost) ? cost : cost === Infinity ? Infinity : cost / best.get(j);
    };
    const columns = [
      ...problemColumns(s, m),
      ...active.map((i) => ({
        head: s.algorithms[i].label, text: (r) => number(get(i, r.j)), value: (r) => get(i, r.j),
        best: (r) => Number.isFinite(best.get(r.j)) && m.value[i * m.n + r.j] === best.get(r.j),
      })),
    ];
    const caption = `${costs ? "Cost" : "Ratio to the smallest cost of the solvers shown"} by problem and solver for the measure ${m.label}${m.aggregate ? ` (${m.aggregate === "ert" ? "ERT" : m.aggregate.replace("_", " ")} over the trials)` : ""}: ${chosenText(asked, m)}; ${plural(jobs.length, "row")}. `
      + "∞ is a failure, – is no trial; the best of each row is marked. Click the head of a column to sort by it.";
    return {
      asked, caption: "", curves: [], title: caption, format: number,
      tables: [dataTable("explore-measures", caption, columns, jobs.map((j) => ({ j })))],
      downloads: { "Table": () => [[...KEYS, ...active.map((i) => s.algorithms[i].name)], ...jobs.map((j) => [...keysOf(s, m, j), ...active.map((i) => get(i, j))])] },
    };
  },
};
