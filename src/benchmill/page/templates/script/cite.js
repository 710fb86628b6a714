// What a reader writes of a view elsewhere: its address, a sentence, and the lines of `config.yaml` that make the same figure.
import { $, el } from "./elements.js";
import { activeOf, state } from "./state.js";
import { DATA } from "./data.js";
import { digest, pictured } from "./download.js";
import { addressOf } from "./address.js";
import { VIEWS } from "./views.js";

export const viewAddress = (s) => location.href.replace(/(#.*)?$/s, addressOf(s));

// A value in the flow style of YAML; letters that YAML does not take as they are become escapes
function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (value !== null && typeof value === "object") return `{${Object.entries(value).map(([key, one]) => `${key}: ${flow(one)}`).join(", ")}}`;
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
function inWords(shown) {
  const { s } = shown.asked;
  return `${VIEWS.get(state.view).name} of the study “${s.title}”: ${pictured(shown)}. Made by benchmill ${DATA.version}. ${shown.caption}`.trim();
}
// `figure` of a view: `profile`, where the study has none such, and `figure`, as `config.yaml` has them; null: no figure shows just this
function lines(shown) {
  const { s } = shown.asked;
  const name = `view_${digest(addressOf(s))}`;
  const found = shown.figure?.(name);
  if (!found) return "# No figure of the paper shows just this view.";
  const off = s.algorithms.filter((a) => state.off.has(a.name));
  return [
    ...(off.length ? ["# in a copy of the study, since all of its results are then of these solvers alone", `algorithms: ${flow({ except: off.map((a) => a.source) })}`] : []),
    ...(found.profile ? ["profiles:", `  - ${flow(found.profile)}`] : []),
    "figures:", `  - ${flow({ kind: found.kind, name, ...found.settings })}`,
  ].join("\n");
}
export function showCitation(shown) {
  const { s } = shown.asked;
  const parts = { "Address": viewAddress(s), "Sentence": inWords(shown), [`Lines for the study “${s.name}” in config.yaml`]: activeOf(s).length ? lines(shown) : "" };
  $("explore-citation").replaceChildren(...Object.entries(parts).filter(([, text]) => text).flatMap(([name, text]) => [
    el("dt", {}, name, " ", el("button", { type: "button", class: "plain", "aria-label": `Copy: ${name}`, onclick: () => copy(name, text) }, "copy")),
    el("dd", {}, el("pre", {}, text)),
  ]));
}
async function copy(name, text) {
  try {
    await navigator.clipboard.writeText(text);
    $("explore-status").textContent = `Copied: ${name}.`;
  } catch {
    $("explore-status").textContent = "The browser does not let the page copy; select the text.";
  }
}
