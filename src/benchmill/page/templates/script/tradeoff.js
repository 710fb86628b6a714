// Two numbers of each solver against each other, of one measure or of two, and who is on the Pareto front.
import { choose, chosenText, columnsOf, filters, howMany, nobody, nothing, questions } from "./choices.js";
import { NO_RATIOS, costsOf, haveRatios, profileOf, TOLERANCE } from "./compute.js";
import { measureAsked } from "./freetargets.js";
import { MEASURES } from "./profile.js";
import { dataTable, isChosen, nameColumn } from "./table.js";
import { countedAs, opened, tooLarge } from "./data.js";
import { plural } from "./format.js";
import { activeOf, state } from "./state.js";
import { scale } from "./chart.js";

// Numbers that say who is better: [key, head, title, format, 1: larger, -1: smaller]
const NUMBERS = MEASURES.filter(([, , , , better]) => better !== 0);

// Places of those that no other is at least as good as in both and better than in one. `points`: {x, y}, larger being better
export function frontOf(points) {
  const over = (a, b) => a > b && a - b > TOLERANCE * Math.abs(b);
  return points.map((p) => !points.some((q) => !over(p.x, q.x) && !over(p.y, q.y) && (over(q.x, p.x) || over(q.y, p.y))));
}
// The numbers of all solvers by a measure, for the problems that are chosen
function rowsBy(asked, measure, active) {
  const { s } = asked;
  const m = asked.chosen.measure === measure.name ? measureAsked(s, measure) : opened(measure) ?? tooLarge(s);
  if (typeof m === "string") return m;
  const asHere = asked.chosen.measure === measure.name ? asked : { ...asked, chosen: { ...asked.chosen, point: "" } };
  const found = costsOf(m, active, columnsOf(asHere, m));
  if (!haveRatios(found.costs)) return `${NO_RATIOS}; choose another measure.`;
  const p = profileOf(found.costs, null, { tau_max: null, unsolved: "keep", aside: active.map((i) => s.algorithms[i].aside) });
  return p.n ? { ...p, what: countedAs(m, found.columns) } : "There is no problem on which every shown solver has a trial; switch solvers off or choose other problems.";
}

export const tradeoffView = {
  name: "Trade-off",
  lacks(s) {
    if (!s.measures.length) return "The page has no costs of this study: it makes no profiles.";
    return s.measures.every((one) => one.too_large) ? tooLarge(s) : null;
  },
  own: ["x", "other_measure", "y"],
  show(s) {
    const usable = s.measures.filter((one) => !one.too_large);
    const asked = questions(s, usable);
    const measure = usable.find((one) => one.name === asked.chosen.measure);
    const m = measureAsked(s, measure);
    if (typeof m === "string") return nothing(asked, m);
    filters(asked, m);
    const options = NUMBERS.map(([key, head, title]) => [key, `${head}: ${title.split(/[;:]/)[0]}`]);
    const x = choose(asked, "x", "Across", options, "rho_1");
    const upward = usable.length > 1 ? choose(asked, "other_measure", "Measure upwards", usable.map((one) => [one.name, one.label]), measure.name) : measure.name;
    const other = usable.find((one) => one.name === upward);
    const y = choose(asked, "y", "Upwards", options, "rho_tau_max");
    const active = activeOf(s);
    if (!active.length) return nobody(asked);
    const [across, upwards] = [measure, other].map((one) => rowsBy(asked, one, active));
    for (const found of [across, upwards]) if (typeof found === "string") return nothing(asked, found);
    const [byX, byY] = [x, y].map((key) => NUMBERS.find(([own]) => own === key));
    const rows = active.map((i, k) => ({ i, x: across.rows[k][x], y: upwards.rows[k][y], aside: s.algorithms[i].aside }));
    const points = rows.filter((r) => Number.isFinite(r.x) && Number.isFinite(r.y));
    if (!points.length) return nothing(asked, "No solver has a finite value of both; choose another number.");
    const competing = rows.filter((r) => !r.aside && !Number.isNaN(r.x) && !Number.isNaN(r.y));
    frontOf(competing.map((r) => ({ x: byX[4] * r.x, y: byY[4] * r.y }))).forEach((on, k) => { competing[k].front = on; });
    const curves = points.map((r) => ({ id: r.i, look: s.algorithms[r.i], x: [r.x], y: [r.y], front: Boolean(r.front) }));
    const label = ([, head, title], own) => `${head}${other === measure ? "" : ` (${own.label})`}: ${title.split(/[;:]/)[0]}`;
    const wide = (values) => { const low = Math.min(...values), high = Math.max(...values), room = (high - low || Math.abs(high) || 1) * 0.06; return scale("linear", low - room, high + room); };
    const away = rows.length - points.length;
    const caption = `${label(byX, measure)}, against ${label(byY, other)}, of ${howMany(s, active)}: ${chosenText(asked, m)}; ${plural(across.n, across.what)}${other === measure ? "" : ` and ${upwards.n} by ${other.label}`}. `
      + `${byX[4] > 0 ? "Further right" : "Further left"} and ${byY[4] > 0 ? "higher" : "lower"} is better. The dashed line joins the Pareto front: no other solver is at least as good in both and better in one. Ratios are to the best of the solvers shown.`
      + (away ? ` ${plural(away, "solver")} with an infinite value ${away === 1 ? "is" : "are"} in the table alone.` : "");
    const value = (id) => points.find((one) => one.i === id)?.y ?? NaN;
    // a place that was chosen by other numbers is none here
    const at = points.some((r) => r.x === state.at && s.algorithms[r.i].name === state.solver) ? state.at : null;
    return {
      asked, caption, curves, title: caption, at, points: true, front: true, readingName: byY[1], smaller: byY[4] < 0,
      chart: { x: wide(points.map((r) => r.x)), y: wide(points.map((r) => r.y)), xLabel: label(byX, measure), yLabel: label(byY, other), beside: true, front: points.filter((r) => r.front).sort((a, b) => a.x - b.x || a.y - b.y) },
      symbol: byX[1], unit: byY[1], format: byY[3], detail: (c) => (c.front ? ", on the Pareto front" : ""), value, last: null,
      tables: [dataTable("explore-measures", "Both numbers of each solver. Click the head of a column to sort by it.", [
        nameColumn(s),
        { head: `${byX[1]}${other === measure ? "" : `, ${measure.label}`}`, title: byX[2], text: (r) => byX[3](r.x), value: (r) => r.x },
        { head: `${byY[1]}${other === measure ? "" : `, ${other.label}`}`, title: byY[2], text: (r) => byY[3](r.y), value: (r) => r.y },
        { head: "front", title: "on the Pareto front of the two", text: (r) => (r.front ? "●" : ""), value: (r) => Number(Boolean(r.front)) },
      ], rows, { first: { column: 3, down: true }, mark: isChosen(s) })],
      downloads: { "Points": () => [["algorithm", `${measure.name}_${x}`, `${other.name}_${y}`, "front"], ...rows.map((r) => [s.algorithms[r.i].name, r.x, r.y, Number(Boolean(r.front))])] },
    };
  },
};
