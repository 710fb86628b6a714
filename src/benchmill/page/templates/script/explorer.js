// The explorable part of the page: shows the view that the state stands for.
import { $, el, held, renew } from "./elements.js";
import { DATA, openData } from "./data.js";
import { currentArticle, showArticle } from "./contents.js";
import { VIEWS, opening } from "./views.js";
import { followHistory, isAddress, readAddress, remember } from "./address.js";
import { activeOf, change, fresh, notices, onChange, state, study } from "./state.js";
import { csvOf, fileName, save, selection, svgOf } from "./download.js";
import { howMany, notKept } from "./choices.js";
import { crowd, picture, showChart, showSolvers, startPointing } from "./pointing.js";
import { showOverview } from "./overview.js";
import { forgetTables } from "./table.js";
import { showCitation, viewAddress } from "./cite.js";
import { plural } from "./format.js";
import { checked, isWhole, rangeText, showZoom } from "./zoom.js";
import { startWhy } from "./why.js";

// The study and view that were shown last
let rendered = "", shownLast = null;
// In stages, between which a click may come that begins them anew
function* render() {
  const s = study();
  state.study = s.name;
  const asked = VIEWS.has(state.view) && !VIEWS.get(state.view).lacks(s);
  const place = `${s.name} ${asked ? state.view : ""}`;
  if (place !== rendered) forgetTables();
  const { key, shown } = asked ? { key: state.view, shown: VIEWS.get(state.view).show(s) } : opening(s);
  state.view = key;
  rendered = `${s.name} ${key}`;
  renew($("explore-controls"), shown.asked.fields);
  showTabs(s);
  checked(shown.chart, notices);
  state.shown = {};
  for (const { key, shown: instead, sentence } of shown.message ? [] : notKept(shown.asked)) {
    state.shown[key] = instead;
    notices.add(sentence);
  }
  $("explore-notice").replaceChildren(...[...notices].map((sentence) => el("span", {}, sentence)));
  yield;
  const figure = $("explore-figure");
  figure.hidden = !shown.chart && !shown.message;
  $("explore-message").textContent = shown.message ?? "";
  showPicture(shown);
  showSolvers(s);
  yield;
  $("explore-at-box").hidden = !shown.chart || Boolean(shown.points);
  $("explore-at-name").textContent = `Read at ${shown.symbol ?? ""}`;
  $("explore-at").value = state.at === null ? "" : String(state.at);
  $("explore-tables").replaceChildren(...shown.tables);
  const behind = shown.behind?.() ?? null;
  $("explore-problems").replaceChildren(...(behind ? [el("h4", {}, "The problems behind this point"), behind.table] : []));
  showDownloads(shown, behind ? { ...shown.downloads, "Problems behind the point": () => behind.rows } : shown.downloads);
  showCitation(shown);
  showNotes(s);
  shownLast = shown;
  showOverview(s, VIEWS.get(key), shown);
  return shown;
}
function showPicture(shown) {
  showChart(shown);
  showZoom(shown);
  const part = isWhole() ? shown.ends ?? "" : ` Zoomed in: ${rangeText(shown)}.${shown.chart?.endText ? " Names are where curves leave the picture, with their values there." : ""}`;
  $("explore-caption").textContent = shown.caption + (shown.chart ? part : "") + crowd();
}
// What was computed stays; its picture has another range
function* redraw() {
  $("explore-notice").replaceChildren();
  showPicture(shownLast);
  showCitation(shownLast);
  return shownLast;
}
// What a change has led to, for readers who do not see the picture
function announce(shown) {
  $("explore-status").textContent = shown.message ?? `${VIEWS.get(state.view).name}: ${selection(shown)}; ${howMany(shown.asked.s, activeOf(shown.asked.s))}.${isWhole() || !shown.chart ? "" : ` Zoomed in: ${rangeText(shown)}.`}`;
}
function showTabs(s) {
  const missing = [];
  for (const tab of $("explore-tabs").children) {
    const chosen = tab.dataset.view === state.view;
    const lacking = VIEWS.get(tab.dataset.view).lacks(s);
    tab.setAttribute("aria-selected", String(chosen));
    tab.hidden = Boolean(lacking);
    tab.tabIndex = chosen ? 0 : -1;
    if (lacking) missing.push(`No view “${tab.textContent}”: ${lacking}`);
  }
  $("explore-missing").textContent = missing.join(" ");
  $("explore-panel").setAttribute("aria-labelledby", `explore-tab-${state.view}`);
}
// What can be saved now, by the words of its button
let files = {};
function showDownloads(shown, tables) {
  const file = (what, suffix, type, content) => () => save(fileName(shown, state.view, what, suffix), content(), type);
  files = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [`${name} (CSV)`, file(name, "csv", "text/csv", () => csvOf(shown, rows()))]));
  if (shown.chart) files["Picture (SVG)"] = file("picture", "svg", "image/svg+xml", () => svgOf(shown, picture()));
  const buttons = Object.keys(files).map((text) => el("button", { type: "button", class: "plain", onclick: () => files[text]() }, text));
  renew($("explore-downloads"), buttons.length ? [el("span", {}, "Download:"), ...buttons] : []);
}
function showNotes(s) {
  const link = (id, text) => ($(id) ? el("a", { href: `#${id}` }, text) : text);
  $("explore-notes").replaceChildren(
    `${plural(s.ingest.sources, "source")}, `,
    link(`${s.id}-irregularities`, `${plural(s.ingest.irregularities, "irregularity", "irregularities")} and ${plural(s.ingest.missing, "missing trial")} at ingest`), "; ",
    link(`${s.id}-appendix`, "settings, versions and digests"), "; ", link(`${s.id}-method`, "how it is computed"), ".");
}

// A view that somebody sent, or that Back leads to
function openAddress(address) {
  notices.clear();
  forgetTables();
  Object.assign(state, readAddress(address));
  clearTimeout(waiting?.timer);
  waiting = null;
  work(render());
  if (isAddress(location.hash) || currentArticle() === null) showArticle(study().id);
}
function startTabs() {
  const go = (view) => change({ view }, { focus: `explore-tab-${view}` });
  $("explore-tabs").replaceChildren(...[...VIEWS].map(([view, { name }]) => el("button", {
    type: "button", role: "tab", id: `explore-tab-${view}`, "data-view": view, "aria-controls": "explore-panel", onclick: () => go(view),
  }, name)));
  $("explore-tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const there = [...VIEWS.keys()].filter((view) => !VIEWS.get(view).lacks(study()));
    go(there[(there.indexOf(state.view) + step + there.length) % there.length]);
  });
}
async function copyAddress() {
  const box = $("explore-address");
  box.hidden = false;
  box.value = viewAddress(study());
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    $("explore-status").textContent = "The address of this view is copied.";
  } catch {
    $("explore-status").textContent = "The address of this view is selected; copy it.";
  }
}
// On a page that is slow to show, a click is shown in stages, and one that comes between them begins them anew after a rest: so rapid
// clicks are shown together. Where they go on without a rest, something is shown now and then
const SLOW = 60, REST = 150, UNSEEN = 1000;
let waiting = null, slow = false;
function work(stages, spent = 0) {
  const begun = performance.now(), { done } = stages.next(), after = spent + performance.now() - begun;
  if (done) {
    waiting = null;
    slow = after > SLOW;
  } else if (waiting && slow && begun - waiting.since < UNSEEN) waiting.timer = setTimeout(work, 0, stages, after);
  else work(stages, after);
}
// `show` gives the stages of a change
const together = (show) => (changed) => {
  const now = performance.now(), before = waiting ?? { since: now, step: false, focus: null, picture: true, then: null };
  clearTimeout(before.timer);
  waiting = { since: before.since, step: before.step || changed.step, focus: changed.focus ?? before.focus, picture: before.picture && changed.picture, then: changed.then ?? before.then };
  const next = () => work(show(waiting));
  if (slow) waiting.timer = setTimeout(next, before.timer && now - before.since < UNSEEN ? REST : 0);
  else next();
};
async function start() {
  const section = $("explore");
  if (!section) return;
  try {
    await openData();
  } catch (error) {
    section.removeAttribute("aria-busy");
    section.replaceChildren(el("p", { class: "message", role: "status" }, `${error.message} The article below is complete without it.`));
    return;
  }
  startWhy();
  startTabs();
  startPointing();
  $("explore-controls").addEventListener("submit", (event) => event.preventDefault());
  $("explore-at").addEventListener("change", (event) => {
    const x = Number(event.target.value);
    change({ at: event.target.value === "" || !Number.isFinite(x) ? null : x }, { focus: held(event) });
  });
  $("explore-reset").addEventListener("click", () => {
    forgetTables();
    change({ ...fresh(state.study), study: state.study });
  });
  $("explore-overview").addEventListener("toggle", () => showOverview(study(), VIEWS.get(state.view), shownLast));
  $("explore-copy").addEventListener("click", copyAddress);
  onChange(together(function* ({ step, focus, picture: pictureOnly, then }) {
    announce(yield* pictureOnly ? redraw() : render());
    showArticle(study().id);
    remember(study(), step ? "step" : "replace");
    if (focus) $(focus)?.focus({ preventScroll: true });
    then?.();
  }));
  followHistory((address, asked) => {
    if (address) openAddress(address);
    remember(study(), "keep");
    if (asked) section.scrollIntoView();
  });
  for (const name of document.querySelectorAll(".ranking [data-solver]")) {
    name.addEventListener("click", () => {
      // the article writes names without letters that nobody sees
      const solver = study().algorithms.find(({ title }) => title === name.dataset.solver)?.name ?? null;
      change({ solver: state.solver === solver ? null : solver });
    });
  }
  const first = DATA.studies.find((s) => s.id === currentArticle());
  openAddress(isAddress(location.hash) ? location.hash : first ? `#explore?${new URLSearchParams({ study: first.name })}` : "");
  remember(study(), "keep");
  section.removeAttribute("aria-busy");
  // who was sent a view sees it
  if (isAddress(location.hash)) section.scrollIntoView();
}
start();
