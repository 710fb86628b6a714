// Why a sentence of the article is said, in place: the statements behind it, the clusters of each, their cells and runs, and the
// lines of the log. All but the runs is what `benchmill why --json` answers.
import { $, el } from "./elements.js";
import { unpacked } from "./blocks.js";
import { DATA, samePoint } from "./data.js";
import { ABSENT, count, number, plural } from "./format.js";
import { dataTable } from "./table.js";
import { cellText, columnOf, costColumn, excerptOf, openedRuns, wordOf } from "./rundata.js";
import { runDetail } from "./rundetail.js";

const SENTENCES = ".headline, .doubt, .card details li, ul.verdict li";
const BOX = "why";
const MOST_RUNS = 60;

// Statements that name two algorithms of a sentence stand before those that name one
function inOrder(statements, sentence) {
  const isLetter = (text) => /[\p{L}\p{N}]/u.test(text ?? "");
  const named = (name) => {
    let at = sentence.indexOf(name);
    while (at >= 0 && (isLetter(sentence[at - 1]) || isLetter(sentence[at + name.length]))) at = sentence.indexOf(name, at + 1);
    return at >= 0;
  };
  const names = new Set(statements.flatMap((one) => one.algorithms).filter((name) => named(name)));
  const fits = (one) => one.algorithms.filter((name) => names.has(name)).length;
  return [...statements].sort((a, b) => fits(b) - fits(a));
}
const sameKey = (a, b) => String(a ?? "") === String(b ?? "");
// What counts once
const unitOf = ({ target, at_budget: budget }) => (target !== null ? "(problem, target) pair" : budget !== null ? "(problem, budget) pair" : "problem");
const whereIs = (cell) => [cell.suite, cell.problem, cell.dimension, cell.instance].join("\n");
const pointOf = (cell) => ({ target: cell.target ?? undefined, at_budget: cell.at_budget ?? undefined });

// Of a row of a table the names are cut as the table cuts them; two that look alike are of nobody
const looksLike = (shown, name) => { const [head, tail] = shown.split("…"); return tail === undefined ? shown === name : name.startsWith(head) && name.endsWith(tail); };
function ofRow(s, statements, { pair, point, ...said }) {
  const titles = (one) => one.algorithms.map((name) => s.algorithms.find((other) => other.name === name).title);
  const inOrderOf = (one, names) => titles(one).every((title, k) => looksLike(names[k], title));
  const found = statements.filter((one) => inOrderOf(one, pair) || inOrderOf(one, [pair[1], pair[0]]));
  if (found.length !== 1 || !point) return found.length === 1 ? found : [];
  const there = cellsThere(found[0], point, !inOrderOf(found[0], pair));
  return there.cells.length ? [{ ...there, ...said }] : [];
}
// What the cells of one target or budget say of a pair, of which the second may come first: scores of clusters are means of cells
function cellsThere(statement, point, turned) {
  const own = statement.cells.filter((cell) => samePoint(pointOf(cell), point));
  const cells = turned ? own.map((cell) => ({ ...cell, score: -cell.score, cost_a: cell.cost_b, cost_b: cell.cost_a })) : own;
  const scores = new Map();
  for (const { cluster, score } of cells) scores.set(cluster, [...(scores.get(cluster) ?? []), score]);
  const clusters = [...scores].map(([cluster, of]) => ({ cluster, n_cells: of.length, score: of.reduce((sum, score) => sum + score, 0) / of.length }));
  return {
    ...statement, cells, algorithms: turned ? [...statement.algorithms].reverse() : statement.algorithms,
    clusters: clusters.map((one) => ({ ...one, against: one.score < 0, carries: false })).sort((a, b) => a.score - b.score),
  };
}
async function showAnswer(place, article, asked, close) {
  const s = DATA.studies.find((one) => one.id === article.id);
  let content = null;
  try {
    ({ content } = await unpacked(`${article.id}-why`));
  } catch (error) {
    place.replaceChildren(el("p", { class: "message" }, error.message));
    return;
  }
  const statements = asked.pair ? ofRow(s, content.statements, asked) : inOrder(content.statements, asked);
  const left = content.of - content.statements.length;
  const more = left ? `${plural(left, "statement")} ${left === 1 ? "has" : "have"} no room in this page; ` : "";
  const command = el("p", { class: "rows" }, `${more}benchmill why results/${s.name} answers all.`);
  if (!statements.length) {
    place.replaceChildren(el("p", { class: "none" }, "The page does not have the answer about these two."), command);
    return;
  }
  const body = el("div");
  const choice = el("select", { id: "why-statement", onchange: (event) => body.replaceChildren(...behind(s, statements[Number(event.target.value)])) },
    ...statements.map((one, k) => el("option", { value: k }, one.algorithms.join(" and "))));
  place.replaceChildren(
    el("p", { class: "buttons" }, ...(statements.length > 1 ? [el("label", {}, "It rests on what is said of ", choice), " "] : []), el("button", { type: "button", class: "plain", onclick: close }, "close")),
    body, ...(left ? [command] : []));
  body.replaceChildren(...behind(s, statements[0]));
}
// A statement: its clusters, those against it first, and what a reader opens of them
function behind(s, statement) {
  const [a, b] = statement.algorithms, cells = el("div"), run = el("div");
  const show = (cluster) => {
    run.replaceChildren();
    const own = statement.cells.filter((cell) => cell.cluster === cluster);
    const draw = () => cells.replaceChildren(cellTable(cluster, own, a, b), runTable(s, statement, own, (row) => showRun(s, row, run), draw));
    draw();
    cells.scrollIntoView({ block: "nearest" });
  };
  const against = statement.clusters.filter((one) => one.against).length;
  return [
    el("p", {}, el("b", {}, statement.sentence), ` ${statement.fragility}`), el("p", { class: "rows" }, `${statement.rule[0].toUpperCase()}${statement.rule.slice(1)}.`),
    dataTable("why-clusters", `Score: net share of wins of ${a} over ${b}, cluster by cluster; their mean is the effect. ${plural(against, "cluster")} of ${count(statement.clusters.length)} ${against === 1 ? "is" : "are"} against it.`, [
      { head: "cluster", left: true, text: (r) => r.cluster, opens: "the costs and runs behind this row", open: (r) => () => show(r.cluster) },
      { head: "score", text: (r) => number(r.score), value: (r) => r.score },
      { head: `${unitOf(statement.cells[0])}s`, text: (r) => count(r.n_cells), value: (r) => r.n_cells },
      ...(statement.clusters.some((one) => one.carries) ? [{ head: "it depends on", left: true, title: "without these clusters the verdict is different", text: (r) => (r.carries ? "yes" : "") }] : []),
    ], statement.clusters, { limit: 60, mark: (r) => r.against }),
    el("p", { class: "rows" }, `benchmill why results/${s.name} '${statement.name}' answers the same.`), cells, run,
  ];
}
// JSON has no infinity
const costOf = (value) => (value === "inf" ? Infinity : value ?? NaN);
function cellTable(cluster, cells, a, b) {
  const has = (key) => cells.some((cell) => (cell[key] ?? null) !== null);
  return dataTable("why-cells", `Cluster ${cluster}: the cost of both on each ${unitOf(cells[0])}, of several runs the median; ∞ is a failure.`, [
    { head: "problem", left: true, text: (r) => [r.problem, ...(has("instance") ? [r.instance] : [])].join(", ") },
    ...(has("dimension") ? [{ head: "dimension", text: (r) => String(r.dimension ?? ABSENT), value: (r) => r.dimension }] : []),
    ...(unitOf(cells[0]) !== "problem" ? [{ head: has("target") ? "target" : "budget", text: (r) => number(r.target ?? r.at_budget), value: (r) => r.target ?? r.at_budget }] : []),
    { head: a, text: (r) => number(costOf(r.cost_a)), value: (r) => costOf(r.cost_a) },
    { head: b, text: (r) => number(costOf(r.cost_b)), value: (r) => costOf(r.cost_b) },
    { head: "score", text: (r) => number(r.score), value: (r) => r.score },
  ], cells, { limit: 30 });
}
// The runs of both on the problems of a cluster, each with its place in the logs
function runTable(s, statement, cells, onOpen, ready) {
  const none = (text) => el("p", { class: "none" }, text);
  if (!s.runs?.measures) return none(`The page has no runs of this study; they are in results/${s.name}/trials.`);
  const runs = openedRuns(s, ready);
  if (runs === null || typeof runs === "string") return none(runs ?? "The runs are being unpacked.");
  const [algorithm, problem, suite, instance, dimension, file, line] = ["algorithm", "problem", "suite", "instance", "dimension", "file", "line"].map((key) => columnOf(runs.columns, key));
  const mine = statement.algorithms.map((name) => s.algorithms.findIndex((one) => one.name === name));
  const there = [...new Map(cells.map((cell) => [whereIs(cell), { ...cell, problem: s.problem_shown[s.problem_names.indexOf(cell.problem)] }])).values()];
  // where dimensions make no problems a cell has none, and runs of all belong to it
  const byDimension = statement.cells.some((cell) => (cell.dimension ?? null) !== null);
  const fits = (row) => there.some((cell) => wordOf(problem, row) === cell.problem && (!byDimension || !dimension || sameKey(Number.isNaN(dimension.values[row]) ? "" : dimension.values[row], cell.dimension))
    && (s.suites.length < 2 || !suite || sameKey(wordOf(suite, row), cell.suite)) && ((cell.instance ?? null) === null || !instance || sameKey(wordOf(instance, row), cell.instance)));
  const rows = [];
  for (let row = 0; row < s.runs.n; row++) if (mine.includes(algorithm.codes[row]) && fits(row)) rows.push(row);
  const m = s.runs.measures.findIndex((one) => one.name === statement.measure);
  const at = m < 0 ? -1 : s.runs.measures[m].points.findIndex((point) => samePoint(point, pointOf(cells.at(-1))));
  const cost = at < 0 ? null : costColumn(s.runs.measures[m], s.runs.measures[m].points[at], runs.costs(m, at).cost);
  const place = (row) => `${wordOf(file, row)}${line && cellText(line, row) ? `:${cellText(line, row)}` : ""}`;
  const shown = ["dimension", "instance", "run", "outcome", "budget"].map((key) => columnOf(runs.columns, key)).filter(Boolean);
  return dataTable("why-runs", `The runs of both there${cost ? `; cost: ${cost.title}` : ""}. A run opens what the log says.`, [
    { head: "algorithm", left: true, text: (row) => s.algorithms[algorithm.codes[row]].label, look: (row) => s.algorithms[algorithm.codes[row]] },
    { head: "problem", left: true, text: (row) => wordOf(problem, row) },
    ...[...shown, ...(cost ? [cost] : [])].map((c) => ({ head: c.head, left: Boolean(c.words), text: (row) => cellText(c, row), value: c.words ? undefined : (row) => c.values[row] })),
    { head: "file and line", left: true, text: place, opens: "what the log says there", open: (row) => () => onOpen(row) },
  ], rows, { limit: MOST_RUNS });
}
function showRun(s, row, holder) {
  const draw = () => {
    const runs = openedRuns(s, draw);
    holder.replaceChildren(runDetail(runs, runs.columns, row, excerptOf(s, row, draw), () => holder.replaceChildren(), "why"));
  };
  draw();
  holder.scrollIntoView({ block: "nearest" });
}

// The button of a sentence or a row, whose answer comes `after` an element; one is open at a time
function asker(article, asked, said, after) {
  const ask = el("button", { type: "button", class: "ask", "aria-expanded": "false", "aria-label": `Why: ${said}`, onclick: (event) => { event.stopPropagation(); toggle(); } }, "why?");
  const close = () => {
    $(BOX)?.remove();
    for (const other of document.querySelectorAll(".ask[aria-expanded=true]")) other.setAttribute("aria-expanded", "false");
  };
  const toggle = () => {
    const opened = ask.getAttribute("aria-expanded") === "true";
    close();
    if (opened) return;
    ask.setAttribute("aria-expanded", "true");
    const place = el("section", { id: BOX, "aria-label": "Why this is said" }, el("p", { class: "none" }, "The answer is being unpacked."));
    after.after(place);
    showAnswer(place, article, asked, () => { close(); ask.focus(); });
  };
  return { ask, toggle };
}
export function startWhy() {
  for (const article of document.querySelectorAll("main > article")) {
    if (!$(`${article.id}-why`)) continue;
    for (const sentence of article.querySelectorAll(SENTENCES)) {
      const text = sentence.textContent;
      const words = el("span", {}, ...sentence.childNodes);
      const { ask, toggle } = asker(article, text, text, sentence.tagName === "LI" ? words : sentence);
      sentence.replaceChildren(words);
      words.append(" ", ask);
      // a reader who selects words asks nothing
      sentence.addEventListener("click", (event) => { if (!event.target.closest(`a, #${BOX}`) && String(getSelection()) === "") toggle(); });
    }
    const box = $(`${article.id}-verdicts`);
    askRows(article, box);
    box?.addEventListener("built", () => askRows(article, box));
  }
}
// The rows of the primary analysis in the table of what may be claimed, and those of its measure at one target or budget, whose cells
// are among those of the primary one. Other measures and parts of the problems have cells that the page does not carry
function askRows(article, box) {
  const s = DATA.studies.find((one) => one.id === article.id), bodies = [...(box?.querySelectorAll("tbody") ?? [])];
  const heading = (body) => body.querySelector(".heading")?.textContent ?? "", primary = bodies.map(heading).find((text) => text.startsWith("primary: "));
  const heads = [...(box?.querySelectorAll("thead th") ?? [])].map((head) => head.textContent);
  for (const body of primary ? bodies : []) {
    const isAt = (point, measure) => heading(body).startsWith(`secondary: ${measure.label}, ${point.label} (`) && primary.startsWith(`primary: ${measure.label} (`);
    const points = s.measures.flatMap((measure) => measure.points.filter((point) => isAt(point, measure)));
    if (heading(body) !== primary && points.length !== 1) continue;
    for (const row of body.querySelectorAll("tr:not(.heading)")) {
      const words = [...row.cells].map((cell) => cell.textContent), pair = words.slice(0, 2);
      const sentence = `${pair.join(" and ")}: ${heads.slice(2, -1).map((head, k) => `${head} ${words[k + 2]}`).join(", ")}.`;
      const said = heading(body) === primary ? {} : { point: points[0], sentence, rule: heading(body), fragility: "", name: words.at(-1).replace(/\D/g, "") };
      row.cells[0].append(" ", asker(article, { pair, ...said }, pair.join(" and "), box).ask);
    }
  }
}
