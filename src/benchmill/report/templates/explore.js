// The explorable part of the page: state, controls, and one function a view.
const carried = document.getElementById("explore-data");
const DATA = carried ? JSON.parse(carried.textContent) : { studies: [], arrays: [] };
const decoded = new Map();
function array(place) {
  if (!decoded.has(place)) {
    const text = DATA.arrays[place];
    const bytes = atob(text.slice(2));
    const buffer = new Uint8Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) buffer[i] = bytes.charCodeAt(i);
    const type = { d: Float64Array, i: Int32Array, h: Uint16Array }[text[0]];
    // the bytes are little-endian, as all machines with a browser are by now; others have to turn them
    if (new Uint8Array(new Uint16Array([1]).buffer)[0] === 0) {
      const size = type.BYTES_PER_ELEMENT;
      for (let i = 0; i < buffer.length; i += size) buffer.subarray(i, i + size).reverse();
    }
    decoded.set(place, new type(buffer.buffer));
  }
  return decoded.get(place);
}
const numeric = (value) => (typeof value === "string" && /^(-?Infinity|NaN)$/.test(value) ? Number(value) : value);
function opened(measure) {
  if (!measure.open && !measure.too_large) {
    measure.open = { ...measure, trials: array(measure.n_trials), successes: array(measure.n_successes) };
    for (const name of ["suite", "problem", "dimension", "instance", "point", "value"]) measure.open[name] = array(measure[name]);
  }
  return measure.open;
}

const VIEWS = { profile: "Profile", ecdf: "ECDF", values: "Values", scaling: "Scaling", problems: "Problems", tests: "Tests" };
const AXES = { auto: "automatic", log: "logarithmic", linear: "linear", broken: "linear to 10, then logarithmic" };
const state = {
  study: "", view: "profile", measure: "", variant: "", part: "", point: "", dimension: "", suite: "", functions: "", axis: "auto",
  over: "dimension", show: "cost", at: null, solver: null, off: new Set(),
};
const $ = (id) => document.getElementById(id);
const forced = new Set();
const sorting = {};
const whole = {};
let drawn = null;
let shown = null;

const study = () => DATA.studies.find((s) => s.name === state.study) ?? DATA.studies[0];
const activeOf = (s) => s.algorithms.map((_, i) => i).filter((i) => !state.off.has(s.algorithms[i].name));
const pointValue = (point) => (point.target !== undefined ? `target:${point.target}` : point.at_budget !== undefined ? `budget:${point.at_budget}` : "all");

// --- state in the address ---------------------------------------------------------------------

const KEYS = ["study", "view", "measure", "variant", "part", "point", "dimension", "suite", "functions", "axis", "over", "show", "at", "solver"];
const FRESH = { view: "profile", axis: "auto", over: "dimension", show: "cost" };
function writeAddress() {
  const parts = new URLSearchParams();
  for (const key of KEYS) {
    const value = state[key];
    if (value !== "" && value !== null && value !== FRESH[key]) parts.set(key, value);
  }
  for (const name of state.off) parts.append("off", name);
  history.replaceState(null, "", `#explore?${parts}`);
}
function readAddress() {
  const match = /^#explore\?(.*)$/s.exec(location.hash);
  if (!match) return false;
  const parts = new URLSearchParams(match[1]);
  for (const key of KEYS) state[key] = parts.get(key) ?? FRESH[key] ?? (key === "at" || key === "solver" ? null : "");
  state.at = state.at === null || !Number.isFinite(Number(state.at)) ? null : Number(state.at);
  state.off = new Set(parts.getAll("off"));
  forced.clear();
  return true;
}

// --- controls ---------------------------------------------------------------------------------

function select(key, label, options, hint) {
  // options: [value, text]; a state that is not offered falls back to the first. Where a view has no "all" the choice
  // is not the reader's: the next view that has it shows all again
  if (!options.some(([value]) => value === state[key])) {
    if (state[key] === "") forced.add(key);
    state[key] = options.length ? options[0][0] : "";
  } else if (forced.has(key) && options[0][0] === "") {
    state[key] = "";
    forced.delete(key);
  }
  const id = `explore-${key}`;
  const box = el("select", { id, onchange: (event) => change({ [key]: event.target.value }, id) });
  for (const [value, text] of options) {
    const option = el("option", { value }, text);
    option.selected = value === state[key];
    box.append(option);
  }
  return el("label", { class: "control", title: hint }, el("span", {}, label), box);
}
function change(changes, focus) {
  if ("study" in changes && changes.study !== state.study) Object.assign(state, { measure: "", variant: "", part: "", point: "", dimension: "", suite: "", functions: "", at: null, solver: null, off: new Set() });
  if (["measure", "view"].some((key) => key in changes)) Object.assign(state, { at: null, solver: null });
  if ("view" in changes) for (const memory of [sorting, whole]) for (const key of Object.keys(memory)) delete memory[key];
  for (const key of Object.keys(changes)) forced.delete(key);
  Object.assign(state, changes);
  render();
  writeAddress();
  if (focus) $(focus)?.focus({ preventScroll: true });
}

function problemOptions(s, measure, single) {
  const used = new Set(measure.problem);
  const alone = [...used].sort((a, b) => a - b).map((p) => [`problem:${s.problem_names[p]}`, s.problems[p]]);
  if (single) return alone;
  const groups = s.groups.map((group, i) => [`group:${i}`, group.label]).filter((_, i) => s.groups[i].problems.some((p) => used.has(p)));
  return [["", `all ${used.size}`], ...groups, ...alone];
}
function wantedProblems(s) {
  if (state.functions.startsWith("group:")) return new Set(s.groups[Number(state.functions.slice(6))]?.problems ?? []);
  if (state.functions.startsWith("problem:")) return new Set([s.problem_names.indexOf(state.functions.slice(8))]);
  return null;
}
const dimensionsOf = (measure) => [...new Set(measure.dimension)].filter((d) => d >= 0).sort((a, b) => a - b);
function controls(s, sources, fields) {
  const out = [];
  if (DATA.studies.length > 1) out.push(select("study", "Study", DATA.studies.map((one) => [one.name, one.title])));
  if (sources) out.push(select("measure", "Measure", sources.map((m) => [m.name, m.label])));
  return [...out, ...fields];
}
function filters(s, measure, { point = true, dimension = "all", functions = "all" } = {}) {
  const out = [];
  if (point && measure.points.length > 1) {
    const kind = measure.points[0].target !== undefined ? "Target" : "Budget";
    const list = measure.points.map((p) => [pointValue(p), p.label.replace(/^(target|budget) /, "")]);
    out.push(select("point", kind, point === "single" ? list : [["", `all ${list.length}`], ...list]));
  } else if (point) state.point = "";
  const dims = dimensionsOf(measure);
  if (dimension && dims.length > 1) {
    const list = dims.map((d) => [String(d), String(d)]);
    out.push(select("dimension", "Dimension", dimension === "single" ? list : [["", `all ${list.length}`], ...list]));
  } else if (dimension) state.dimension = "";
  if (s.suites.length > 1) out.push(select("suite", "Suite", [["", "all"], ...s.suites.map((name, i) => [String(i), name])]));
  else state.suite = "";
  if (functions) out.push(select("functions", functions === "single" ? "Function" : "Functions", problemOptions(s, measure, functions === "single")));
  return out;
}
function columnsOf(s, measure) {
  const wanted = wantedProblems(s);
  const columns = [];
  for (let j = 0; j < measure.n; j++) {
    if (wanted && !wanted.has(measure.problem[j])) continue;
    if (state.dimension !== "" && measure.dimension[j] !== Number(state.dimension)) continue;
    if (state.suite !== "" && measure.suite[j] !== Number(state.suite)) continue;
    if (state.point !== "" && pointValue(measure.points[measure.point[j]]) !== state.point) continue;
    columns.push(j);
  }
  return columns;
}
function problemParts(s, measure, j) {
  const parts = [s.problems[measure.problem[j]]];
  if (s.suites.length > 1 && measure.suite[j] >= 0) parts.unshift(s.suites[measure.suite[j]]);
  if (measure.instances.length > 1 && measure.instance[j] >= 0) parts.push(`instance ${measure.instances[measure.instance[j]]}`);
  return parts.join(", ");
}
function chosenText(s, measure) {
  const parts = [];
  const point = measure.points.find((p) => pointValue(p) === state.point) ?? (measure.points.length === 1 ? measure.points[0] : null);
  if (point && point.label !== "all") parts.push(point.label);
  if (state.dimension !== "") parts.push(`dimension ${state.dimension}`);
  if (state.suite !== "") parts.push(s.suites[Number(state.suite)]);
  if (state.functions.startsWith("group:")) parts.push(s.groups[Number(state.functions.slice(6))].label);
  if (state.functions.startsWith("problem:")) parts.push(s.problems[s.problem_names.indexOf(state.functions.slice(8))]);
  return parts.length ? parts.join(", ") : "all problems";
}

// --- tables -----------------------------------------------------------------------------------

// columns: {head, title, left, text(row), value(row), best(row)}
function dataTable(id, caption, columns, rows, { limit = 100, first = null, mark = null } = {}) {
  const chosen = sorting[id] ?? first;
  const ordered = [...rows];
  if (chosen && columns[chosen.column]) {
    const { value, text } = columns[chosen.column];
    const sign = chosen.down ? -1 : 1;
    const key = (row) => (value ? value(row) : text(row));
    ordered.sort((a, b) => {
      const x = key(a), y = key(b);
      // what has no value stands last, whichever way the rest is sorted
      if (isNone(x) || isNone(y)) return isNone(x) - isNone(y);
      return sign * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x < y ? -1 : x > y ? 1 : 0);
    });
  }
  const few = !whole[id] && ordered.length > limit + 20;
  const head = el("tr");
  columns.forEach((column, place) => {
    const down = chosen?.column === place ? chosen.down : null;
    head.append(el("th", {
      scope: "col", class: column.left ? "l" : "r", title: column.title,
      "aria-sort": down === null ? null : down ? "descending" : "ascending",
    }, el("button", {
      type: "button",
      onclick: () => {
        sorting[id] = { column: place, down: down === false };
        const next = dataTable(id, caption, columns, rows, { limit, first, mark });
        $(id).replaceWith(next);
        next.querySelectorAll("thead button")[place].focus({ preventScroll: true });
      },
    }, column.head)));
  });
  const body = el("tbody");
  for (const row of few ? ordered.slice(0, limit) : ordered) {
    const line = el("tr", mark?.(row) ? { class: "marked" } : {});
    columns.forEach((column, place) => {
      const cell = el(place ? "td" : "th", { scope: place ? null : "row", class: `${column.left ? "l" : "r"}${column.best?.(row) ? " best" : ""}` });
      if (column.look) cell.append(swatch(column.look(row)), " ");
      cell.append(el("bdi", {}, column.text(row)));
      line.append(cell);
    });
    body.append(line);
  }
  const box = el("div", { class: "table", id },
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      el("table", {}, el("caption", {}, caption), el("thead", {}, head), body)));
  if (!rows.length) box.append(el("p", { class: "none" }, "There are none."));
  if (few) {
    box.append(el("p", { class: "filter" }, el("button", {
      type: "button", class: "plain",
      onclick: () => { whole[id] = true; $(id).replaceWith(dataTable(id, caption, columns, rows, { limit, first, mark })); },
    }, `Show all ${count(rows.length)} rows`), ` (these are the first ${count(limit)})`));
  }
  return box;
}
const sentence = (text) => text[0].toUpperCase() + text.slice(1);
const nameColumn = (s) => ({ head: "algorithm", left: true, text: (r) => s.algorithms[r.i].label, look: (r) => s.algorithms[r.i] });

// --- the views --------------------------------------------------------------------------------

function profileView(s) {
  if (!s.measures.length || !s.variants.length) return nothing(s, "This study has no performance profiles.");
  const measure = s.measures.find((one) => one.name === state.measure) ?? s.measures[0];
  const m = opened(measure);
  const variants = s.variants.filter((v) => (v.computed ? !v.measures.length || v.measures.includes(measure.name)
    : s.given.some((g) => g.measure === measure.name && g.variant === v.name)));
  if (!variants.length) return nothing(s, "This measure has no performance profiles.", controls(s, s.measures, []));
  if (!variants.some((v) => v.name === state.variant)) state.variant = variants[0].name;
  const variant = variants.find((v) => v.name === state.variant);
  const fields = controls(s, s.measures, [select("variant", "Variant", variants.map((v) => [v.name, v.label]))]);
  if (!m) return nothing(s, tooLarge(s), fields);
  const axis = select("axis", "τ axis", Object.entries(AXES));
  if (!variant.computed) return givenView(s, m, variant, fields, axis);
  fields.push(...filters(s, m, {
    point: variant.by.includes("target") ? "single" : true, dimension: variant.by.includes("dimension") ? "single" : "all",
  }), axis);
  const active = activeOf(s);
  if (!active.length) return nothing(s, "All solvers are switched off; switch at least one on.", fields);
  const found = costsOf(m, active, columnsOf(s, m));
  const weights = variant.weights === "dimension" ? Float64Array.from(found.columns, (j) => m.dimension[j]) : null;
  if (weights?.some((w) => w < 0)) return nothing(s, "A problem has no dimension to weigh it by; choose another variant.", fields);
  const p = profileOf(found.costs, weights, variant);
  if (!p.n) {
    return nothing(s, found.columns.length ? "None of the shown solvers solves any of these problems, and this variant drops such problems."
      : "There is no problem on which every shown solver has a trial; switch solvers off or choose other problems.", fields);
  }
  p.jobs = p.columns.map((k) => found.columns[k]);
  const rows = p.rows.map((row, k) => ({ i: active[k], k, ...row }));
  const curves = rows.map((row) => ({ look: s.algorithms[row.i], id: row.i, ...p.curves[row.k], steps: true, end: p.curves[row.k].y.at(-1) }));
  const banded = s.given.filter((g) => g.measure === m.name && g.variant === variant.name && g.low !== undefined);
  // bands belong to the profiles of the files: of all solvers, and of all problems or one dimension where there is one for each
  const whole_study = active.length === s.algorithms.length && state.point === "" && state.suite === "" && state.functions === "";
  const panel = whole_study ? banded.find((g) => g.label === (variant.by.length ? `dimension ${state.dimension}` : "all problems") && (variant.by.length || state.dimension === "")) : null;
  if (panel) for (const c of curves) Object.assign(c, bandOf(panel, c.id));
  const at = state.at;
  const few = active.length < s.algorithms.length;
  const caption = `Performance profile (${variant.label}) of ${few ? `${active.length} of ${s.algorithms.length}` : `all ${active.length}`} solvers for the measure ${m.label}: ${chosenText(s, m)}; `
    + `${plural(p.n, "problem")}${m.points.length > 1 && state.point === "" ? `, each problem counting once for each ${m.points[0].target !== undefined ? "target" : "budget"}` : ""}. `
    + `ρ(τ) is the share of problems that a solver solves at no more than τ times the smallest cost of any ${few ? "solver shown here" : "solver"}. `
    + (p.nUnsolved ? `${plural(p.nUnsolved, "problem")} that none of them solves ${p.nUnsolved === 1 ? "is" : "are"} ${variant.unsolved === "drop" ? "left out" : "counted"}. ` : "")
    + (found.leftOut ? `${plural(found.leftOut, "problem")} on which one of them has no trial ${found.leftOut === 1 ? "is" : "are"} left out. ` : "")
    + (weights ? "Problems weigh by their dimension. " : "")
    + `Markers at the right: ρ(τmax), τmax = ${number(p.tauMax)}${variant.tau_max ? "" : ", the largest finite ratio"}.`
    + (panel ? " Bands are those of the study." : banded.length ? " Bands are there for all solvers and problems only." : "")
    + (few ? " Ratios, areas and ranks are computed anew for the solvers that are switched on." : "");
  const table = measuresTable(s, rows, at === null ? null : (row) => valueAt(p.steps[row.k], at), caption);
  return {
    fields, caption, curves, title: caption,
    chart: {
      x: scale(tauAxis(p.tauMax), 1, Math.max(p.tauMax, 1.0001)), y: scale("linear", 0, 1), xLabel: "performance ratio τ",
      yLabel: weights ? "weighted share of problems ρ(τ)" : "share of problems ρ(τ)", endText: share, start: 1,
    },
    symbol: "τ", unit: "ρ", format: share, detail: (c, v) => (weights ? "" : `, ${count(Math.round(v * p.n))} of ${plural(p.n, "problem")}`),
    value: (id, x) => valueAt(p.steps[active.indexOf(id)], x), last: p.tauMax,
    tables: [table],
    behind: () => problemsBehind(s, m, p, active),
    downloads: {
      "Curves": () => curveRows(s, curves, "tau", "rho"),
      "Measures": () => [["algorithm", ...MEASURES.map(([key]) => key), "n_problems", "n_unsolved"],
        ...rows.map((r) => [s.algorithms[r.i].name, ...MEASURES.map(([key]) => r[key]), r.n_problems, r.n_unsolved])],
      "Ratios": () => [["suite", "problem", "dimension", "instance", "target", "at_budget", "algorithm", "cost", "ratio", "baseline", "n_trials", "n_successes"],
        ...p.jobs.flatMap((j, place) => active.map((i, k) => [...keysOf(s, m, j), s.algorithms[i].name, found.costs[k][p.columns[place]],
          p.ratios[k][place], p.best[p.columns[place]], m.trials[i * m.n + j], m.successes[i * m.n + j]]))],
    },
  };
}
const tooLarge = (s) => `This measure has too many problems and solvers to be explored in a page; its figures are below and its numbers in results/${s.name}/ratios.`;
function keysOf(s, m, j) {
  const point = m.points[m.point[j]];
  return [m.suite[j] < 0 ? "" : s.suites[m.suite[j]], s.problem_names[m.problem[j]], m.dimension[j] < 0 ? "" : m.dimension[j],
    m.instance[j] < 0 ? "" : m.instances[m.instance[j]], point.target ?? "", point.at_budget ?? ""];
}
function tauAxis(tauMax) {
  return state.axis === "auto" ? (tauMax > 10 ? "log" : "linear") : state.axis;
}

const MEASURES = [
  ["auc", "AUC", "area under the profile over [1, τmax]; failures add nothing", number, 1],
  ["auc_normalised", "AUC/max", "area divided by the largest", (v) => fixed(v, 3), 1],
  ["rank_auc", "#", "rank by area; ties share the smallest rank", count, 0],
  ["rho_1", "ρ(1)", "share of problems on which the solver is (tied) best", share, 1],
  ["rank_rho_1", "#", "rank by ρ(1)", count, 0],
  ["rho_tau_max", "ρ(τmax)", "share of problems solved within τmax", share, 1],
  ["rank_rho_tau_max", "#", "rank by ρ(τmax)", count, 0],
  ["auc_log", "AUC log", "area under the profile over ln τ from τ = 1 to τmax", number, 1],
  ["rank_auc_log", "#", "rank by the area over ln τ", count, 0],
  ["front_wins_solved", "front", "on the Pareto front of largest ρ(1) and largest ρ(τmax): no solver is at least as good in both and better in one", (v) => (v ? "●" : ""), 0],
  ["tau_star", "τ*", "smallest τ with ρ(τ) = 1; ∞ if there is none", number, -1],
  ["reliability", "R", "largest ratio; ∞ with any failure", number, -1],
  ["wins", "wins", "number of problems on which the solver is (tied) best", count, 1],
  ["average_rank", "rank", "average rank by cost over the problems; equal costs share the mean of their ranks, failures are last", number, -1],
];
function measuresTable(s, rows, reading, caption) {
  const columns = [nameColumn(s)];
  for (const [key, head, title, format, better] of MEASURES) {
    if (rows.some((r) => r[key] === undefined)) continue;
    const finite = rows.map((r) => r[key]).filter((v) => Number.isFinite(v));
    const best = better > 0 ? Math.max(...finite) : better < 0 ? Math.min(...finite) : null;
    columns.push({ head, title, text: (r) => format(r[key]), value: (r) => r[key], best: (r) => better && finite.length && r[key] === best });
  }
  if (reading) columns.push({ head: `ρ(${tick(Number(state.at.toPrecision(4)))})`, title: `share solved within τ = ${state.at}`, text: (r) => share(reading(r)), value: reading });
  return dataTable("explore-measures", "Measures of the profiles shown above. Click the head of a column to sort by it.", columns, rows,
    { first: { column: 1, down: true }, mark: (r) => s.algorithms[r.i].name === state.solver });
}

// The problems behind a point of a curve
function problemsBehind(s, m, p, active) {
  const k = active.findIndex((i) => s.algorithms[i].name === state.solver);
  if (k < 0 || state.at === null) return null;
  const own = p.ratios[k];
  const jump = p.steps[k].x[indexAt(p.steps[k].x, state.at + TOLERANCE * state.at)];
  const rows = p.jobs.map((j, place) => {
    const r = own[place];
    const best = p.best[p.columns[place]];
    const where = r === Infinity ? 3 : !reached(r, state.at) ? 2 : r === jump ? 0 : 1;
    const winners = active.filter((_, other) => reached(p.ratios[other][place], 1));
    return { j, r, best, where, winners, cost: r === Infinity ? Infinity : m.value[active[k] * m.n + j], i: active[k] };
  });
  // those next to the point first
  const far = (r) => (r.r === Infinity ? Infinity : Math.abs(Math.log(r.r / state.at)));
  rows.sort((a, b) => (far(a) === far(b) ? 0 : far(a) - far(b)));
  const name = s.algorithms[active[k]].label;
  const words = ["at this step", "before it", "beyond it", "not solved"];
  const n = words.map((_, w) => rows.filter((r) => r.where === w).length);
  const columns = [
    { head: "problem", left: true, text: (r) => problemParts(s, m, r.j), value: (r) => m.problem[r.j] },
    ...(dimensionsOf(m).length ? [{ head: "dimension", text: (r) => String(m.dimension[r.j]), value: (r) => m.dimension[r.j] }] : []),
    ...(m.points[0].label !== "all" ? [{ head: m.points[0].target !== undefined ? "target" : "budget", text: (r) => m.points[m.point[r.j]].label.replace(/^\S+ /, ""), value: (r) => m.points[m.point[r.j]].target ?? m.points[m.point[r.j]].at_budget }] : []),
    { head: "ratio", text: (r) => number(r.r, 4), value: (r) => r.r },
    { head: "cost", text: (r) => number(r.cost, 4), value: (r) => r.cost },
    { head: "best cost", text: (r) => number(r.best, 4), value: (r) => r.best },
    { head: "best solver", left: true, text: (r) => (r.winners.length ? r.winners.slice(0, 3).map((i) => s.algorithms[i].label).join(", ") + (r.winners.length > 3 ? ` and ${r.winners.length - 3} more` : "") : "none") },
    { head: "successes", title: "successful trials of all trials", text: (r) => `${m.successes[r.i * m.n + r.j]} of ${m.trials[r.i * m.n + r.j]}`, value: (r) => m.successes[r.i * m.n + r.j] / m.trials[r.i * m.n + r.j] },
    { head: "where", left: true, text: (r) => words[r.where], value: (r) => r.where },
  ];
  const caption = `${name} at τ = ${tick(Number(state.at.toPrecision(4)))}: of ${plural(rows.length, "problem")} ${count(n[0])} ${n[0] === 1 ? "lies" : "lie"} at the last step${jump ? ` (τ = ${tick(Number(jump.toPrecision(4)))})` : ""}, `
    + `${count(n[1])} before it, ${count(n[2])} beyond τ, and ${count(n[3])} it does not solve.`;
  return {
    title: `The problems behind this point`, table: dataTable("explore-behind", caption, columns, rows, { limit: 60, first: { column: columns.length - 1, down: false } }),
    rows: [["problem", "dimension", "point", "ratio", "cost", "best_cost", "where"], ...rows.map((r) => [problemParts(s, m, r.j), m.dimension[r.j], m.points[m.point[r.j]].label, r.r, r.cost, r.best, words[r.where]])],
  };
}

function curveRows(s, curves, x, y) {
  const banded = curves.some((c) => c.band);
  return [["algorithm", x, y, ...(banded ? ["low", "high"] : [])], ...curves.flatMap((c) => c.x.map((at, i) => [
    s.algorithms[c.id].name, at, c.y[i], ...(banded ? [c.band?.low[i], c.band?.high[i]] : []),
  ]))];
}

// Break points and band of one curve of the files
function bandOf(panel, id) {
  const k = panel.algorithms.indexOf(id);
  if (k < 0 || panel.low === undefined) return {};
  const part = (place) => [...array(place).slice(panel.starts[k], panel.starts[k + 1])];
  return { x: part(panel.tau), y: part(panel.rho), band: { low: part(panel.low), high: part(panel.high) } };
}

// A variant that the page does not compute: its curves as they are in the files
function givenView(s, m, variant, fields, axis) {
  const panels = s.given.filter((g) => g.measure === m.name && g.variant === variant.name);
  if (!panels.length) return nothing(s, "There are no curves of this variant in the results.", fields);
  fields.push(select("part", "Panel", panels.map((g) => [g.label, g.label])), axis);
  const panel = panels.find((g) => g.label === state.part);
  const tau = array(panel.tau), rho = array(panel.rho);
  const active = new Set(activeOf(s));
  const curves = panel.algorithms.map((id, k) => ({
    look: s.algorithms[id], id, x: [...tau.slice(panel.starts[k], panel.starts[k + 1])], y: [...rho.slice(panel.starts[k], panel.starts[k + 1])], steps: true,
  })).filter((c) => active.has(c.id));
  if (!curves.length) return nothing(s, "All solvers are switched off; switch at least one on.", fields);
  for (const c of curves) Object.assign(c, bandOf(panel, c.id), { end: c.y.at(-1) });
  const tauMax = Math.max(...curves.map((c) => c.x.at(-1)));
  const rows = panel.rows.filter((r) => active.has(r.algorithm)).map((r) => ({ ...Object.fromEntries(Object.entries(r).map(([key, v]) => [key, numeric(v)])), i: r.algorithm }));
  const caption = `Profile (${variant.label}) for the measure ${m.label}: ${panel.label}. Computed by the workflow for all ${panel.algorithms.length} solvers; `
    + "switching solvers off hides their curves here and changes no number.";
  const values = (id, x) => { const c = curves.find((one) => one.id === id); return c ? valueAt(c, x) : NaN; };
  return {
    fields, caption, curves, title: caption,
    chart: { x: scale(tauAxis(tauMax), 1, Math.max(tauMax, 1.0001)), y: scale("linear", 0, Math.max(1, ...curves.map((c) => c.end))), xLabel: "performance ratio τ", yLabel: "ρ(τ)", endText: share, start: 1 },
    symbol: "τ", unit: "ρ", format: share, detail: () => "", value: values, last: tauMax,
    tables: rows.length ? [measuresTable(s, rows, state.at === null ? null : (r) => values(r.i, state.at), caption)] : [],
    downloads: { "Curves": () => curveRows(s, curves, "tau", "rho") },
  };
}

// Curves of the ECDF: those of the files where one fits the choice, else the mean of those of the problems
function ecdfCurves(e) {
  if (!e.starts) {
    e.starts = [0];
    for (const n of e.size) e.starts.push(e.starts.at(-1) + n);
  }
  const x = array(e.x), y = array(e.fraction);
  const part = (values, c) => [...values.slice(e.starts[c], e.starts[c + 1])];
  const steps = (c) => ({
    x: part(x, c), y: part(y, c), ...(e.low === undefined ? {} : { band: { low: part(array(e.low), c), high: part(array(e.high), c) } }),
  });
  const of = (aggregation, fits) => e.aggregation.map((_, c) => c).filter((c) => e.aggregations[e.aggregation[c]] === aggregation
    && (state.suite === "" || e.suite[c] === Number(state.suite)) && fits(c));
  return { steps, of };
}
function ecdfView(s) {
  if (!s.ecdf) return nothing(s, "This study has no running time distributions.");
  const unit = s.ecdf_x === "evaluations" ? "evaluations" : "evaluations / dimension";
  return distributionView(s, s.ecdf, null, {
    over: "target", unit, column: s.ecdf_x, name: "Running time distributions", reached: "reached", at: (x) => `after ${number(x)} ${unit}`,
    what: "The share of pairs of problem and target that a solver has reached after that many evaluations",
  });
}
function valuesView(s) {
  if (!s.value_ecdf.length) return nothing(s, "This study has no distributions of values at a budget.");
  const e = s.value_ecdf.find((one) => one.name === state.measure) ?? s.value_ecdf[0];
  return distributionView(s, e, s.value_ecdf, {
    over: "budget", unit: "value", column: "value", name: `Distributions of the values reached (${e.label})`, reached: "of that value or better",
    at: (x) => `with a value of ${number(x)} or better`,
    what: "The share of pairs of problem and budget at which the best value of a solver is that one or better",
  });
}
function distributionView(s, e, sources, words) {
  const { steps, of } = ecdfCurves(e);
  const { over, unit } = words;
  const inProblems = { problem: e.problem.filter((p) => p >= 0), dimension: e.dimension, points: [], instances: [] };
  if (!inProblems.problem.length && !e.aggregations.includes(over)) state.functions = "";
  const has = (aggregation) => e.aggregations.includes(aggregation);
  const fields = controls(s, sources, filters(s, inProblems, { point: false, dimension: has("dimension") || has(over) ? "all" : "single", functions: has(over) ? (has("problem") || has("dimension") ? "all" : "single") : null }));
  const active = activeOf(s);
  if (!active.length) return nothing(s, "All solvers are switched off; switch at least one on.", fields);
  const wanted = wantedProblems(s);
  const dimension = state.dimension === "" ? null : Number(state.dimension);
  const wide = wanted === null ? (dimension === null ? "dimension" : "problem") : over;
  const direct = has(wide) ? of(wide, (c) => (dimension === null || e.dimension[c] === dimension) && (wanted === null || wanted.has(e.problem[c]))) : [];
  const parts = direct.length ? direct : of(over, (c) => (dimension === null || e.dimension[c] === dimension) && (wanted === null || wanted.has(e.problem[c])));
  const curves = active.map((id) => ({ id, look: s.algorithms[id], parts: parts.filter((c) => e.algorithm[c] === id) })).filter((c) => c.parts.length);
  if (!curves.length) return nothing(s, "There is no curve for this choice.", fields);
  if (s.ecdf_pooled && curves.some((c) => c.parts.length > 1)) return nothing(s, "The trials of this study are pooled, so the curve of this choice is no mean of others; choose all functions, or one.", fields);
  // a mean of several curves has no band
  for (const c of curves) Object.assign(c, meanSteps(c.parts.map(steps)), { steps: true });
  const mean = curves.some((c) => c.parts.length > 1);
  for (const c of curves) c.end = c.y.at(-1);
  const all = curves.flatMap((c) => [c.x[0], c.x.at(-1)]).filter((x) => Number.isFinite(x));
  const low = Math.min(...all), high = Math.max(...all);
  // a logarithmic axis has no place for values of zero and below
  const logarithmic = low > 0;
  const caption = `${words.name} of ${active.length === s.algorithms.length ? `all ${active.length}` : `${active.length} of ${s.algorithms.length}`} solvers: ${chosenText(s, { points: [] })}. `
    + `${words.what}; `
    + "the pairs weigh the same, failures stay in the denominator. A curve does not depend on the other solvers."
    + (mean ? ` Each curve is the mean of those of ${plural(Math.max(...curves.map((c) => c.parts.length)), "problem")} (function and dimension).` : "")
    + (e.step ? ` To keep this page small, steps of less than ${fixed(e.step * 100, 1)} percentage points are drawn together; the files have all.` : "");
  const value = (id, x) => { const c = curves.find((one) => one.id === id); const i = c ? indexAt(c.x, x) : -1; return c ? (i < 0 ? 0 : c.y[i]) : NaN; };
  const columns = [nameColumn(s),
    { head: "share reached", title: "at the end of all trials", text: (r) => share(r.end), value: (r) => r.end, best: (r) => r.end === Math.max(...curves.map((c) => c.end)) }];
  for (const level of [0.25, 0.5, 0.75]) {
    const first = (r) => { const i = r.y.findIndex((y) => y >= level); return i < 0 ? Infinity : r.x[i]; };
    columns.push({ head: `${unit} for ${level * 100} %`, title: `where the curve reaches ${level}`, text: (r) => number(first(r)), value: first });
  }
  if (state.at !== null) columns.push({ head: `at ${number(state.at)}`, text: (r) => share(value(r.i, state.at)), value: (r) => value(r.i, state.at) });
  const rows = curves.map((c) => ({ i: c.id, ...c }));
  return {
    fields, caption, curves, title: caption,
    chart: { x: logarithmic ? scale("decades", low, high) : scale("linear", low, high > low ? high : low + 1), y: scale("linear", 0, 1), xLabel: unit, yLabel: `share of (problem, ${over}) pairs`, endText: share, rise: true },
    symbol: unit, unit: "share", format: share, detail: () => "", value, last: high,
    tables: [dataTable("explore-measures", "The distributions in numbers. Click the head of a column to sort by it.", columns, rows, { first: { column: 1, down: true }, mark: (r) => s.algorithms[r.i].name === state.solver })],
    behind: has(over) ? () => ecdfBehind(s, e, words, wanted, dimension) : null,
    downloads: { "Curves": () => curveRows(s, curves, words.column, "fraction") },
  };
}
function ecdfBehind(s, e, words, wanted, dimension) {
  const i = s.algorithms.findIndex((a) => a.name === state.solver);
  if (i < 0 || state.at === null) return null;
  const { steps, of } = ecdfCurves(e);
  const rows = of(words.over, (c) => e.algorithm[c] === i && (dimension === null || e.dimension[c] === dimension) && (wanted === null || wanted.has(e.problem[c])))
    .map((c) => { const f = steps(c); const k = indexAt(f.x, state.at); return { c, now: k < 0 ? 0 : f.y[k], end: f.y.at(-1) }; });
  const columns = [
    { head: "problem", left: true, text: (r) => s.problems[e.problem[r.c]], value: (r) => e.problem[r.c] },
    { head: "dimension", text: (r) => (e.dimension[r.c] < 0 ? ABSENT : String(e.dimension[r.c])), value: (r) => e.dimension[r.c] },
    { head: `share at ${number(state.at)}`, text: (r) => share(r.now), value: (r) => r.now },
    { head: "share at the end", text: (r) => share(r.end), value: (r) => r.end },
  ];
  return {
    title: "The problems behind this point",
    table: dataTable("explore-behind", `${s.algorithms[i].label} ${words.at(state.at)}: share of the ${words.over}s ${words.reached}, by problem.`, columns, rows, { first: { column: 2, down: true } }),
    rows: [["problem", "dimension", "share_at", "share_at_end"], ...rows.map((r) => [s.problem_names[e.problem[r.c]], e.dimension[r.c], r.now, r.end])],
  };
}

function scalingView(s) {
  const list = s.indicators;
  if (!list.length) return nothing(s, "This study has no indicators.");
  const measure = list.find((one) => one.name === state.measure) ?? list[0];
  state.measure = measure.name;
  const m = opened(measure);
  const fields = controls(s, list, []);
  if (!m) return nothing(s, tooLarge(s), fields);
  const byPoint = m.points.length > 1, byDimension = dimensionsOf(m).length > 1;
  const overs = [...(byDimension ? [["dimension", "dimension"]] : []), ...(byPoint ? [["point", m.points[0].target !== undefined ? "target" : "budget"]] : [])];
  if (!overs.length) return nothing(s, "There is one dimension and one target only: nothing to plot against.", fields);
  fields.push(select("over", "Against", overs));
  const overDimension = state.over === "dimension";
  fields.push(...filters(s, m, { point: overDimension ? "single" : false, dimension: overDimension ? false : "single", functions: "single" }));
  if (overDimension) state.dimension = "";
  else state.point = "";
  const active = activeOf(s);
  if (!active.length) return nothing(s, "All solvers are switched off; switch at least one on.", fields);
  const columns = columnsOf(s, m);
  const xOf = (j) => (overDimension ? m.dimension[j] : m.points[m.point[j]].target ?? m.points[m.point[j]].at_budget);
  const targets = !overDimension && m.points[0].target !== undefined;
  const groups = new Map();
  for (const j of columns) groups.set(m.instance[j], [...(groups.get(m.instance[j]) ?? []), j]);
  const instances = [...groups.keys()];
  const jobs = groups.get(instances[0])?.slice().sort((a, b) => (targets ? xOf(b) - xOf(a) : xOf(a) - xOf(b))) ?? [];
  const ert = m.statistic === "ert";
  const what = ert ? "ERT" : m.kind === "fixed_budget" ? "median best value" : "median cost";
  const curves = active.map((id) => ({ id, look: s.algorithms[id], x: jobs.map(xOf), y: jobs.map((j) => m.value[id * m.n + j]), jobs }))
    .filter((c) => c.y.some((y) => !Number.isNaN(y)));
  const finite = curves.flatMap((c) => c.y).filter((y) => Number.isFinite(y) && y > 0);
  const xs = jobs.map(xOf).filter((x) => x > 0);
  if (!curves.length || !xs.length) return nothing(s, "There is no value for this choice.", fields);
  if (!finite.length) finite.push(1, 10);
  const failures = curves.some((c) => c.y.includes(Infinity));
  // zero has no place on a logarithmic axis: such points are left to the table
  for (const c of curves) c.y = c.y.map((y) => (y <= 0 ? NaN : y));
  const caption = `${sentence(what)}${ert ? " (expected running time in evaluations)" : ""} against ${overDimension ? "the dimension" : m.points[0].target !== undefined ? "the target" : "the budget"} for the measure ${m.label}: ${chosenText(s, m)}. Both axes are logarithmic. `
    + (failures ? "Points on the line at the top: not one trial was successful. " : "")
    + (instances.length > 1 ? `Shown is the first of ${instances.length} instances. ` : "");
  const pad = (a, b) => [a / (b / a > 1 ? (b / a) ** 0.04 : 1.1), b * (b / a > 1 ? (b / a) ** 0.04 : 1.1)];
  const [x0, x1] = pad(Math.min(...xs), Math.max(...xs));
  const [y0, y1] = pad(Math.min(...finite), Math.max(...finite));
  const x = { ...scale("decades", x0, x1) };
  if (overDimension || xs.length <= 8) x.ticks = [...new Set(xs)];
  if (targets) {
    // the hardest target on the right
    const { to, from } = x;
    Object.assign(x, { to: (v) => 1 - to(v), from: (u) => from(1 - u), ticks: [...x.ticks].sort((a, b) => b - a) });
  }
  const tableColumns = [nameColumn(s), ...jobs.map((j) => ({
    head: overDimension ? `dimension ${xOf(j)}` : m.points[m.point[j]].label,
    text: (r) => `${number(m.value[r.i * m.n + j])}${m.successes[r.i * m.n + j] < m.trials[r.i * m.n + j] ? ` (${m.successes[r.i * m.n + j]}/${m.trials[r.i * m.n + j]})` : ""}`,
    value: (r) => m.value[r.i * m.n + j],
    best: (r) => Number.isFinite(m.value[r.i * m.n + j]) && m.value[r.i * m.n + j] === Math.min(...curves.map((c) => m.value[c.id * m.n + j]).filter((v) => !Number.isNaN(v))),
  }))];
  return {
    fields, caption, curves, title: caption, points: true,
    chart: { x, y: scale("decades", y0, y1), xLabel: overDimension ? "dimension" : m.points[0].target !== undefined ? "target" : "budget", yLabel: what, failures: failures ? "no successful trial" : null },
    symbol: overDimension ? "dimension" : m.points[0].label.split(" ")[0], unit: what, format: number,
    detail: (c, _, k) => `, ${m.successes[c.id * m.n + c.jobs[k]]} of ${m.trials[c.id * m.n + c.jobs[k]]} trials successful`,
    value: (id, at) => { const c = curves.find((one) => one.id === id); const k = c ? c.x.indexOf(at) : -1; return k < 0 ? NaN : m.value[id * m.n + c.jobs[k]]; },
    last: jobs.length ? xOf(jobs.at(-1)) : null,
    tables: [dataTable("explore-measures", `${sentence(what)}; in brackets successful trials of all trials, where not all were. Click the head of a column to sort by it.`, tableColumns, curves.map((c) => ({ i: c.id })), { mark: (r) => s.algorithms[r.i].name === state.solver })],
    downloads: { "Values": () => [["suite", "problem", "dimension", "instance", "target", "at_budget", "algorithm", ert ? "ert" : "median", "n_trials", "n_successes"],
      ...curves.flatMap((c) => jobs.map((j) => [...keysOf(s, m, j), s.algorithms[c.id].name, m.value[c.id * m.n + j], m.trials[c.id * m.n + j], m.successes[c.id * m.n + j]]))] },
  };
}

function problemsView(s) {
  if (!s.measures.length) return nothing(s, "This study has no costs to compare.");
  const m = opened(s.measures.find((one) => one.name === state.measure) ?? s.measures[0]);
  const fields = controls(s, s.measures, []);
  if (!m) return nothing(s, tooLarge(s), fields);
  fields.push(...filters(s, m), select("show", "Show", [["cost", "costs"], ["ratio", "ratios to the best shown"]]));
  const active = activeOf(s);
  if (!active.length) return nothing(s, "All solvers are switched off; switch at least one on.", fields);
  const jobs = columnsOf(s, m).filter((j) => active.some((i) => m.trials[i * m.n + j] > 0));
  const best = new Map(jobs.map((j) => [j, Math.min(...active.map((i) => m.value[i * m.n + j]).filter((v) => !Number.isNaN(v)))]));
  const get = (i, j) => {
    const cost = m.trials[i * m.n + j] > 0 ? m.value[i * m.n + j] : NaN;
    return state.show === "cost" || Number.isNaN(cost) ? cost : cost === Infinity ? Infinity : cost / best.get(j);
  };
  const columns = [
    { head: "problem", left: true, text: (r) => problemParts(s, m, r.j), value: (r) => m.problem[r.j] },
    ...(dimensionsOf(m).length ? [{ head: "dimension", text: (r) => String(m.dimension[r.j]), value: (r) => m.dimension[r.j] }] : []),
    ...(m.points[0].label !== "all" ? [{ head: m.points[0].target !== undefined ? "target" : "budget", text: (r) => m.points[m.point[r.j]].label.replace(/^\S+ /, ""), value: (r) => m.points[m.point[r.j]].target ?? m.points[m.point[r.j]].at_budget }] : []),
    ...active.map((i) => ({
      head: s.algorithms[i].label, text: (r) => number(get(i, r.j)), value: (r) => get(i, r.j),
      best: (r) => Number.isFinite(best.get(r.j)) && m.value[i * m.n + r.j] === best.get(r.j),
    })),
  ];
  const caption = `${state.show === "cost" ? "Cost" : "Ratio to the smallest cost of the solvers shown"} by problem and solver for the measure ${m.label}${m.aggregate ? ` (${m.aggregate === "ert" ? "ERT" : m.aggregate.replace("_", " ")} over the trials)` : ""}: ${chosenText(s, m)}; ${plural(jobs.length, "row")}. `
    + "∞ is a failure, – is no trial; the best of each row is marked. Click the head of a column to sort by it.";
  return {
    fields, caption: "", curves: [], title: caption, format: number,
    tables: [dataTable("explore-measures", caption, columns, jobs.map((j) => ({ j })))],
    downloads: { "Table": () => [["suite", "problem", "dimension", "instance", "target", "at_budget", ...active.map((i) => s.algorithms[i].name)], ...jobs.map((j) => [...keysOf(s, m, j), ...active.map((i) => get(i, j))])] },
  };
}

function testsView(s) {
  const names = [...new Set([...s.tests.map((t) => t.measure), ...Object.keys(s.verdicts)])];
  if (!names.length) return nothing(s, "This study has no tests.");
  const fields = controls(s, names.map((name) => ({ name, label: name.replaceAll("_", " ") })), []);
  const samePoint = (row, point) => (row.target ?? null) === (point.target ?? null) && (row.at_budget ?? null) === (point.at_budget ?? null);
  const mine = s.tests.filter((t) => t.measure === state.measure);
  const points = (s.measures.find((m) => m.name === state.measure)?.points ?? []).filter((p) => mine.some((t) => samePoint(t, p)));
  if (points.length > 1) fields.push(select("point", points[0].target !== undefined ? "Target" : "Budget", points.map((p) => [pointValue(p), p.label.replace(/^\S+ /, "")])));
  const point = points.find((p) => pointValue(p) === state.point) ?? points[0];
  const active = activeOf(s);
  const on = new Set(active);
  const verdict = s.verdicts[state.measure] ?? [];
  const parts = [];
  // one paragraph a target or budget; the one of this choice, where they can be told apart
  const here = verdict.filter((text) => point && points.length > 1 && text.toLowerCase().startsWith(`${point.label.toLowerCase()}:`));
  parts.push(el("div", { class: "verdict", id: "explore-verdict" }, el("h4", {}, "What can be claimed"),
    ...(here.length ? here : verdict).map((text) => el("p", {}, text)), el("p", { class: "none" }, "A difference that is not shown is not evidence of equality. The tests are of all solvers of the study, whichever are switched on.")));
  const rows = point ? mine.filter((t) => samePoint(t, point)) : mine;
  parts.push(dataTable("explore-tests", `Tests that all solvers are equal${point && point.label !== "all" ? `, ${point.label}` : ""}; problems are blocks.`, [
    { head: "test", left: true, text: (t) => t.words },
    { head: "statistic", text: (t) => number(numeric(t.statistic), 4), value: (t) => numeric(t.statistic) },
    { head: "df", text: (t) => (isNone(t.df1) ? ABSENT : tick(t.df1) + (isNone(t.df2) ? "" : `, ${tick(t.df2)}`)), value: (t) => t.df1 },
    { head: "p", text: (t) => pValue(t.p), value: (t) => t.p },
    { head: "significant", left: true, text: (t) => (isNone(t.p) ? ABSENT : t.significant ? "yes" : "no") },
    { head: "α", text: (t) => String(t.alpha), value: (t) => t.alpha },
    { head: "blocks", text: (t) => count(t.n_blocks), value: (t) => t.n_blocks },
    { head: "left out", title: "problems left out because a solver has no trial on them", text: (t) => count(t.n_left_out), value: (t) => t.n_left_out },
    { head: "all tied", title: "problems on which all solvers have the same cost", text: (t) => count(t.n_all_tied), value: (t) => t.n_all_tied },
  ], rows));
  const ranks = s.ranks.filter((r) => r.measure === state.measure && (!point || samePoint(r, point)) && on.has(r.algorithm));
  if (ranks.length) {
    parts.push(dataTable("explore-ranks", `Average ranks over ${plural(ranks[0].n_blocks, "problem")}; 1 is best.`, [
      { ...nameColumn(s), text: (r) => s.algorithms[r.algorithm].label, look: (r) => s.algorithms[r.algorithm] },
      { head: "average rank", text: (r) => number(r.average_rank), value: (r) => r.average_rank, best: (r) => r.average_rank === Math.min(...ranks.map((one) => one.average_rank)) },
    ], ranks, { first: { column: 1, down: false } }));
  }
  const pairs = s.comparisons.filter((c) => c.measure === state.measure && (!point || samePoint(c.point, point))).flatMap((c) => {
    const [a, b] = [array(c.a), array(c.b)];
    const [difference, p, adjusted, msd, significant] = ["difference", "p", "p_adjusted", "msd", "significant"].map((name) => array(c[name]));
    return [...a].map((_, k) => ({ method: c.method, words: c.words, correction: c.correction, a: a[k], b: b[k], difference: difference[k], p: p[k], adjusted: adjusted[k], msd: msd[k], significant: significant[k] }));
  }).filter((row) => on.has(row.a) && on.has(row.b));
  const lead = (row) => (row.difference <= 0 ? [row.a, row.b] : [row.b, row.a]);
  if (pairs.length) {
    parts.push(dataTable("explore-pairs", "All pairs of the solvers that are switched on, the better one first; p is corrected for the number of all pairs of the study.", [
      { head: "better", left: true, text: (r) => s.algorithms[lead(r)[0]].label, look: (r) => s.algorithms[lead(r)[0]] },
      { head: "than", left: true, text: (r) => s.algorithms[lead(r)[1]].label, look: (r) => s.algorithms[lead(r)[1]] },
      { head: "method", left: true, text: (r) => r.words },
      { head: "difference", title: "difference on the scale of the method", text: (r) => number(Math.abs(r.difference)), value: (r) => Math.abs(r.difference) },
      { head: "MSD", title: "minimum significant difference", text: (r) => number(r.msd), value: (r) => r.msd },
      { head: "p", text: (r) => pValue(r.p), value: (r) => r.p },
      { head: "adjusted p", text: (r) => pValue(r.adjusted), value: (r) => r.adjusted },
      { head: "significant", left: true, text: (r) => (isNone(r.adjusted) ? ABSENT : r.significant ? "yes" : "no") },
    ], pairs, { limit: 60, first: { column: 3, down: true } }));
  }
  return {
    fields, caption: "", curves: [], title: "Tests", tables: parts, format: number,
    reading: (id) => { const row = ranks.find((r) => r.algorithm === id); return row ? number(row.average_rank) : ""; }, readingName: "average rank",
    downloads: {
      "Tests": () => [["method", "statistic", "df1", "df2", "p", "alpha", "significant", "n_blocks"], ...rows.map((t) => [t.words, numeric(t.statistic), t.df1, t.df2, t.p, t.alpha, String(t.significant), t.n_blocks])],
      "Pairs": () => [["algorithm_a", "algorithm_b", "method", "correction", "difference", "msd", "p", "p_adjusted", "significant"], ...pairs.map((r) => [s.algorithms[r.a].name, s.algorithms[r.b].name, r.method, r.correction, r.difference, r.msd, r.p, r.adjusted, r.significant])],
    },
  };
}
function nothing(s, message, fields = controls(s, null, [])) {
  return { fields, message, curves: [], tables: [], downloads: {}, caption: "" };
}

// --- drawing everything -----------------------------------------------------------------------

const MAKERS = { profile: profileView, ecdf: ecdfView, values: valuesView, scaling: scalingView, problems: problemsView, tests: testsView };
function render() {
  const s = study();
  state.study = s.name;
  if (!(state.view in VIEWS)) state.view = "profile";
  for (const name of [...state.off]) if (!s.algorithms.some((a) => a.name === name)) state.off.delete(name);
  shown = MAKERS[state.view](s);
  $("explore-controls").replaceChildren(...shown.fields);
  for (const tab of document.querySelectorAll("#explore-tabs button")) {
    const chosen = tab.dataset.view === state.view;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
  $("explore-panel").setAttribute("aria-labelledby", `explore-tab-${state.view}`);
  const figure = $("explore-figure");
  figure.hidden = !shown.chart && !shown.message;
  $("explore-layout").classList.toggle("no-chart", !shown.chart);
  $("explore-message").textContent = shown.message ?? "";
  const picture = $("explore-picture");
  picture.hidden = !shown.chart;
  drawn = null;
  if (shown.chart) draw(picture);
  $("explore-caption").textContent = shown.caption;
  solverList(s);
  readings();
  $("explore-at-box").hidden = !shown.chart || Boolean(shown.points);
  $("explore-at-name").textContent = `Read at ${shown.symbol ?? ""}`;
  $("explore-at").value = state.at === null ? "" : String(state.at);
  $("explore-tables").replaceChildren(...shown.tables);
  const behind = shown.behind?.() ?? null;
  $("explore-problems").replaceChildren(...(behind ? [el("h4", {}, behind.title), behind.table] : []));
  const buttons = Object.entries({ ...shown.downloads, ...(behind ? { "Problems behind the point": () => behind.rows } : {}) }).map(([name, rows]) => el("button", {
    type: "button", class: "plain", onclick: () => save(`${s.name}-${state.view}-${name.toLowerCase().replaceAll(" ", "-")}.csv`, csv(rows()), "text/csv"),
  }, `${name} (CSV)`));
  if (shown.chart) buttons.push(el("button", { type: "button", class: "plain", onclick: () => save(`${s.name}-${state.view}.svg`, picture_text(), "image/svg+xml") }, "Picture (SVG)"));
  $("explore-downloads").replaceChildren(...(buttons.length ? [el("span", {}, "Download:"), ...buttons] : []));
  notes(s);
}
function draw(picture) {
  drawn = drawChart(picture, { ...shown.chart, curves: shown.curves, direct: shown.curves.length <= 14, title: shown.title });
  if (state.at !== null) placeCursor(state.at, shown.curves.find((c) => c.look.name === state.solver)?.id ?? null);
  rest();
}
function picture_text() {
  const copy = drawn.root.cloneNode(true);
  for (const node of copy.querySelectorAll(".screen")) node.remove();
  return new XMLSerializer().serializeToString(copy);
}
function save(name, text, type) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
function notes(s) {
  const link = (id, text) => ($(id) ? el("a", { href: `#${id}` }, text) : text);
  $("explore-notes").replaceChildren(
    `${plural(s.ingest.sources, "source")}, `,
    link(`${s.id}-irregularities`, `${plural(s.ingest.irregularities, "irregularity", "irregularities")} and ${plural(s.ingest.missing, "missing trial")} at ingest`), "; ",
    link(`${s.id}-appendix`, "settings, versions and digests"), "; ", link(`${s.id}-method`, "how it is computed"), ".");
}

function solverList(s) {
  const list = $("explore-solvers");
  const plotted = new Set(shown.curves.map((c) => c.id));
  $("explore-solvers-count").textContent = `${activeOf(s).length} of ${s.algorithms.length}`;
  if (list.dataset.study !== s.name) {
    list.dataset.study = s.name;
    list.replaceChildren(...s.algorithms.map((a, i) => {
      const box = el("input", {
        type: "checkbox", onchange: (event) => {
          if (event.target.checked) state.off.delete(a.name);
          else state.off.add(a.name);
          render();
          writeAddress();
        },
        onfocus: () => highlight(i), onblur: rest,
      });
      return el("li", { onpointerenter: () => highlight(i), onpointerleave: rest },
        el("label", { title: a.title }, box, el("span", { class: "look" }, swatch(a)), el("bdi", {}, a.label)), el("output", {}));
    }));
  }
  [...list.children].forEach((item, i) => {
    const on = !state.off.has(s.algorithms[i].name);
    item.querySelector("input").checked = on;
    item.classList.toggle("off", !on);
    item.classList.toggle("absent", on && Boolean(shown.chart) && !plotted.has(i));
    item.classList.toggle("chosen", s.algorithms[i].name === state.solver);
  });
}
function highlight(id) {
  if (!drawn) return;
  for (const curve of drawn.drawn) {
    curve.group.classList.toggle("faded", id !== null && curve.id !== id);
    curve.group.classList.toggle("strong", id !== null && curve.id === id);
  }
}
// Many curves are noise: the chosen one stands out
function rest() {
  highlight(shown.curves.length > 14 ? shown.curves.find((c) => c.look.name === state.solver)?.id ?? null : null);
}
// Values of all solvers at x in the list beside the chart
function readings(x = state.at) {
  const at = x ?? shown.last;
  [...$("explore-solvers").children].forEach((item, i) => {
    const output = item.querySelector("output");
    if (shown.reading) output.textContent = shown.reading(i);
    else if (shown.chart && shown.curves.some((c) => c.id === i)) output.textContent = shown.format(shown.value(i, at));
    else output.textContent = "";
  });
  $("explore-solvers-read").textContent = shown.readingName ?? (shown.chart && at !== null ? `${shown.unit} at ${where(at)}` : "");
}

// --- pointing, by mouse and by key ------------------------------------------------------------

const where = (x) => (shown.symbol === "τ" ? `τ = ${tick(Number(x.toPrecision(4)))}` : `${shown.symbol} ${tick(Number(x.toPrecision(4)))}`);
function describe(curve, x, value, k) {
  return `${curve.look.label}: ${shown.unit} ${shown.format(value)} at ${where(x)}${shown.detail(curve, value, k)}`;
}
function placeCursor(x, id, speak = false) {
  if (!drawn) return;
  const { cursor, dot, px, py, left, w } = drawn;
  const at = Math.max(left, Math.min(left + w, px(x)));
  cursor.setAttribute("d", cursor.getAttribute("d").replace(/^M[^ ]+/, `M${at.toFixed(1)}`));
  cursor.setAttribute("visibility", "visible");
  const curve = drawn.drawn.find((c) => c.id === id);
  dot.setAttribute("visibility", "hidden");
  if (!curve) return;
  const k = shown.points ? curve.x.indexOf(x) : indexAt(curve.x, x);
  const value = shown.value(id, x);
  if (Number.isNaN(value)) return;
  dot.setAttribute("cx", at);
  dot.setAttribute("cy", py(value));
  dot.setAttribute("visibility", "visible");
  const tip = $("explore-tip");
  tip.replaceChildren(el("bdi", {}, describe(curve, x, value, k)));
  tip.hidden = false;
  const box = drawn.root.getBoundingClientRect();
  const ratio = box.width / drawn.width;
  const right = at > drawn.width * 0.55;
  tip.style.left = right ? "auto" : `${at * ratio + 14}px`;
  tip.style.right = right ? `${box.width - at * ratio + 14}px` : "auto";
  tip.style.top = `${Math.max(4, py(value) * ratio - 34)}px`;
  if (speak) $("explore-status").textContent = tip.textContent;
}
function hideCursor() {
  if (!drawn) return;
  drawn.cursor.setAttribute("visibility", "hidden");
  drawn.dot.setAttribute("visibility", "hidden");
  $("explore-tip").hidden = true;
  rest();
  readings();
  if (state.at !== null) placeCursor(state.at, shown.curves.find((c) => c.look.name === state.solver)?.id ?? null);
}
// The curve next to the pointer, and where on it
function pointed(event) {
  const box = drawn.root.getBoundingClientRect();
  const ratio = drawn.width / box.width;
  const mx = (event.clientX - box.left) * ratio, my = (event.clientY - box.top) * ratio;
  let x = drawn.spec.x.from(Math.max(0, Math.min(1, (mx - drawn.left) / drawn.w)));
  let best = null;
  for (const curve of drawn.drawn) {
    let at = x, value;
    if (shown.points) {
      at = curve.x.reduce((a, b) => (Math.abs(drawn.px(b) - mx) < Math.abs(drawn.px(a) - mx) ? b : a), curve.x[0]);
      value = shown.value(curve.id, at);
    } else {
      // a step close to the pointer is meant
      const i = indexAt(curve.x, x);
      for (const near of [i, i + 1]) if (near >= 0 && near < curve.x.length && Math.abs(drawn.px(curve.x[near]) - mx) < 5) at = curve.x[near];
      value = shown.value(curve.id, at);
    }
    if (Number.isNaN(value)) continue;
    const distance = Math.abs(drawn.py(value) - my) + (shown.points ? Math.abs(drawn.px(at) - mx) : 0);
    if (!best || distance < best.distance) best = { curve, x: at, value, distance };
  }
  return best;
}
function onPoint(event) {
  if (!drawn) return;
  const found = pointed(event);
  if (!found) return;
  highlight(found.distance < 40 ? found.curve.id : null);
  placeCursor(found.x, found.curve.id);
  readings(found.x);
}
function onClick(event) {
  if (!drawn) return;
  const found = pointed(event);
  if (found) choose(found.x, found.curve.id);
}
function choose(x, id) {
  const close = Math.max(1, Math.round(x * 1e4) / 1e4);
  const curve = shown.curves.find((c) => c.id === id);
  // a place between steps needs no more digits than a person can point at
  const onStep = curve.x.includes(x);
  state.at = onStep || shown.points ? x : Math.abs(close - x) < 1e-3 * x && shown.symbol === "τ" ? close : Number(x.toPrecision(5));
  state.solver = curve.look.name;
  render();
  writeAddress();
}
function onKey(event) {
  if (!drawn || !shown.curves.length) return;
  const ids = shown.curves.map((c) => c.id);
  let id = shown.curves.find((c) => c.look.name === state.solver)?.id ?? null;
  const moves = { ArrowRight: 1, ArrowLeft: -1 };
  if (event.key in moves || ["Home", "End", "ArrowUp", "ArrowDown", "Enter", " "].includes(event.key)) event.preventDefault();
  else if (event.key === "Escape") { state.at = null; state.solver = null; $("explore-tip").hidden = true; render(); writeAddress(); return; }
  else return;
  if (id === null) id = ids[0];
  else if (event.key === "ArrowUp") id = ids[(ids.indexOf(id) + ids.length - 1) % ids.length];
  else if (event.key === "ArrowDown") id = ids[(ids.indexOf(id) + 1) % ids.length];
  const x = shown.curves.find((c) => c.id === id).x;
  let k = state.at === null ? 0 : Math.max(0, shown.points ? x.indexOf(state.at) : indexAt(x, state.at));
  if (event.key in moves) k = Math.max(0, Math.min(x.length - 1, k + moves[event.key]));
  if (event.key === "Home") k = 0;
  if (event.key === "End") k = x.length - 1;
  const keep = ["ArrowUp", "ArrowDown", "Enter", " "].includes(event.key) && state.at !== null;
  state.at = keep ? state.at : x[k];
  state.solver = study().algorithms[id].name;
  render();
  writeAddress();
  placeCursor(state.at, id, true);
  highlight(id);
  if (event.key === "Enter") $("explore-problems").scrollIntoView({ block: "nearest" });
}

function start() {
  const section = $("explore");
  if (!section || !DATA.studies.length) return;
  section.hidden = false;
  const tabs = Object.entries(VIEWS).map(([view, name]) => el("button", {
    type: "button", role: "tab", id: `explore-tab-${view}`, "data-view": view, "aria-controls": "explore-panel", onclick: () => change({ view }, `explore-tab-${view}`),
  }, name));
  $("explore-tabs").replaceChildren(...tabs);
  $("explore-tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const views = Object.keys(VIEWS);
    const view = views[(views.indexOf(state.view) + step + views.length) % views.length];
    change({ view }, `explore-tab-${view}`);
  });
  const all = (on) => { state.off = on ? new Set() : new Set(study().algorithms.map((a) => a.name)); render(); writeAddress(); };
  $("explore-all").addEventListener("click", () => all(true));
  $("explore-none").addEventListener("click", () => all(false));
  $("explore-at").addEventListener("change", (event) => {
    const x = Number(event.target.value);
    change({ at: event.target.value === "" || !Number.isFinite(x) ? null : x }, "explore-at");
  });
  $("explore-controls").addEventListener("submit", (event) => event.preventDefault());
  $("explore-reset").addEventListener("click", () => {
    const name = state.study;
    for (const key of KEYS) state[key] = FRESH[key] ?? (key === "at" || key === "solver" ? null : "");
    state.study = name;
    state.off = new Set();
    for (const memory of [sorting, whole]) for (const key of Object.keys(memory)) delete memory[key];
    render();
    history.replaceState(null, "", "#explore");
  });
  $("explore-copy").addEventListener("click", async () => {
    writeAddress();
    const box = $("explore-address");
    box.hidden = false;
    box.value = location.href;
    box.select();
    try {
      await navigator.clipboard.writeText(location.href);
      $("explore-status").textContent = "The address of this view is copied.";
    } catch {
      $("explore-status").textContent = "The address of this view is selected; copy it.";
    }
  });
  const picture = $("explore-picture");
  picture.addEventListener("pointermove", onPoint);
  picture.addEventListener("pointerleave", hideCursor);
  picture.addEventListener("click", onClick);
  picture.addEventListener("keydown", onKey);
  picture.addEventListener("blur", rest);
  addEventListener("hashchange", () => { if (readAddress()) { render(); section.scrollIntoView(); } });
  readAddress();
  render();
  let width = picture.clientWidth;
  new ResizeObserver(() => {
    if (shown.chart && Math.abs(picture.clientWidth - width) > 4) {
      width = picture.clientWidth;
      draw(picture);
    }
  }).observe(picture);
}
start();
