// ERT, or the median, against dimension, target or budget.
import { KEYS, dimensionsOf, isTarget, keysOf, opened, pointKind, pointNumber, tooLarge } from "./data.js";
import { activeOf, readingAt } from "./state.js";
import { choose, chosenText, columnsOf, filters, nobody, nothing, questions } from "./choices.js";
import { dataTable, isChosen, nameColumn } from "./table.js";
import { bestOf } from "./compute.js";
import { measureAsked } from "./freetargets.js";
import { number } from "./format.js";
import { scale } from "./chart.js";

// What there is to plot a measure against: [value, text] each
const oversOf = (m) => [...(dimensionsOf(m).length > 1 ? [["dimension", "dimension"]] : []), ...(m.points.length > 1 ? [["point", pointKind(m)]] : [])];
const plotted = (s) => s.indicators.filter((one) => one.too_large || oversOf(opened(one)).length);

export const scalingView = {
  name: "Scaling",
  lacks(s) {
    if (!s.indicators.length) return "This study has no indicators.";
    const measures = plotted(s);
    if (!measures.length) return "There is one dimension and one target or budget only: nothing to plot against.";
    return measures.every((one) => one.too_large) ? tooLarge(s) : null;
  },
  show(s) {
    const list = plotted(s);
    const asked = questions(s, list);
    const { chosen } = asked;
    const one = list.find((own) => own.name === chosen.measure);
    if (!opened(one)) return nothing(asked, tooLarge(s));
    const overDimension = choose(asked, "over", "Against", oversOf(opened(one))) === "dimension";
    const m = overDimension ? measureAsked(s, one) : opened(one);
    if (typeof m === "string") return nothing(asked, m);
    filters(asked, m, { point: overDimension ? "single" : null, dimension: overDimension ? null : "single", functions: "single" });
    const active = activeOf(s);
    if (!active.length) return nobody(asked);
    const columns = columnsOf(asked, m);
    const xOf = (j) => (overDimension ? m.dimension[j] : pointNumber(m.points[m.point[j]]));
    const targets = !overDimension && isTarget(m.points[0]);
    const groups = new Map();
    for (const j of columns) groups.set(m.instance[j], [...(groups.get(m.instance[j]) ?? []), j]);
    const instances = [...groups.keys()];
    const jobs = groups.get(instances[0])?.slice().sort((a, b) => (targets ? xOf(b) - xOf(a) : xOf(a) - xOf(b))) ?? [];
    const ert = m.statistic === "ert";
    const what = ert ? "ERT" : m.kind === "fixed_budget" ? "median best value" : "median cost";
    const valueOf = (i, j) => m.value[i * m.n + j];
    const curves = active.map((id) => ({ id, look: s.algorithms[id], x: jobs.map(xOf), y: jobs.map((j) => valueOf(id, j)), jobs }))
      .filter((c) => c.y.some((y) => !Number.isNaN(y)));
    const finite = curves.flatMap((c) => c.y).filter((y) => Number.isFinite(y) && y > 0);
    const xs = jobs.map(xOf).filter((x) => x > 0);
    if (!curves.length || !xs.length) return nothing(asked, "No value fits this choice.");
    if (!finite.length) finite.push(1, 10);
    const failures = curves.some((c) => c.y.includes(Infinity));
    // zero has no place on a logarithmic axis: such points are left to the table
    for (const c of curves) c.y = c.y.map((y) => (y <= 0 ? NaN : y));
    const against = overDimension ? "dimension" : pointKind(m);
    const caption = `${sentence(what)}${ert ? " (expected running time in evaluations)" : ""} against the ${against} for the measure ${m.label}: ${chosenText(asked, m)}. Both axes are logarithmic. `
      + (failures ? "Points on the line at the top: not one trial was successful. " : "")
      + (instances.length > 1 ? `Shown is the first of ${instances.length} instances. ` : "");
    const pad = (a, b) => [a / (b / a > 1 ? (b / a) ** 0.04 : 1.1), b * (b / a > 1 ? (b / a) ** 0.04 : 1.1)];
    const [x0, x1] = pad(Math.min(...xs), Math.max(...xs));
    const [y0, y1] = pad(Math.min(...finite), Math.max(...finite));
    const x = { ...scale("decades", x0, x1) };
    if (overDimension || xs.length <= 8) Object.assign(x, { ticks: [...new Set(xs)], places: true });
    if (targets) {
      // the hardest target on the right
      const { to, from } = x;
      Object.assign(x, { to: (v) => 1 - to(v), from: (u) => from(1 - u), ticks: [...x.ticks].sort((a, b) => b - a) });
    }
    const few = (i, j) => m.successes[i * m.n + j] < m.trials[i * m.n + j];
    const tableColumns = [nameColumn(s), ...jobs.map((j) => {
      const best = bestOf(curves.map((c) => valueOf(c.id, j)), false);
      return {
        head: overDimension ? `dimension ${xOf(j)}` : m.points[m.point[j]].label,
        text: (r) => `${number(valueOf(r.i, j))}${few(r.i, j) ? ` (${m.successes[r.i * m.n + j]}/${m.trials[r.i * m.n + j]})` : ""}`,
        value: (r) => valueOf(r.i, j), best: (r) => best(valueOf(r.i, j)),
      };
    })];
    return {
      asked, caption, curves, title: caption, points: true, at: readingAt(against, 0, false),
      chart: { x, y: scale("decades", y0, y1), xLabel: against, yLabel: what, failures: failures ? "no successful trial" : null },
      symbol: against, unit: what, format: number,
      detail: (c, _, k) => `, ${m.successes[c.id * m.n + c.jobs[k]]} of ${m.trials[c.id * m.n + c.jobs[k]]} trials successful`,
      value: (id, at) => { const c = curves.find((one) => one.id === id); const k = c ? c.x.indexOf(at) : -1; return k < 0 ? NaN : valueOf(id, c.jobs[k]); },
      last: xOf(jobs.at(-1)), smaller: true,
      tables: [dataTable("explore-measures", `${sentence(what)}; in brackets successful trials of all trials, where not all were. Click the head of a column to sort by it.`, tableColumns, curves.map((c) => ({ i: c.id })), { mark: isChosen(s) })],
      downloads: { "Values": () => [[...KEYS, "algorithm", ert ? "ert" : "median", "n_trials", "n_successes"],
        ...curves.flatMap((c) => jobs.map((j) => [...keysOf(s, m, j), s.algorithms[c.id].name, valueOf(c.id, j), m.trials[c.id * m.n + j], m.successes[c.id * m.n + j]]))] },
    };
  },
};
const sentence = (text) => text[0].toUpperCase() + text.slice(1);
