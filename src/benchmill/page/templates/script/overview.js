// Small pictures of a view by dimension and group of problems; each opens its large one.
import { $, el } from "./elements.js";
import { change, state } from "./state.js";
import { dressed } from "./pointing.js";
import { drawChart } from "./chart.js";

const VIEWED = ["profile", "ecdf", "values"];
// What the fields of the view offer: values and their words
const offered = (key) => {
  const options = [...($(`explore-${key}`)?.options ?? [])].filter(({ value }) => !/^problems?:/.test(value)).map(({ value, text }) => [value, text]);
  return options.length ? options : [[state.choices[key] ?? "", ""]];
};

// `view` shows the state that there is; the state is put back as it was
export function showOverview(s, view, shown) {
  const box = $("explore-overview"), grid = $("explore-panels");
  const panels = VIEWED.includes(state.view) ? offered("functions").flatMap(([functions, group]) => offered("dimension").map(([dimension, words]) => ({ choices: { functions, dimension }, title: [group, words && (words.startsWith("all") ? `${words} dimensions` : `dimension\u00a0${words}`)].filter(Boolean).join(", ") }))) : [];
  box.hidden = !shown.chart || panels.length < 2;
  grid.replaceChildren();
  grid.style.setProperty("--across", offered("dimension").length);
  if (box.hidden || !box.open) return;
  const { choices, at, zoom } = state;
  for (const panel of panels) {
    Object.assign(state, { choices: { ...choices, ...panel.choices }, at: null, zoom: null });
    const small = view.show(s);
    const holder = el("span", { class: "picture" });
    grid.append(el("button", { type: "button", class: "plain", onclick: () => { change({ choices: panel.choices }); $("explore-figure").scrollIntoView({ block: "nearest" }); } }, el("span", {}, panel.title), holder));
    if (small.chart) drawChart(holder, { ...small.chart, xLabel: "", yLabel: "", curves: dressed(small).curves, title: panel.title });
    else holder.textContent = "nothing to show";
  }
  Object.assign(state, { choices, at, zoom });
}
