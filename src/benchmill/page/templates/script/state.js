// What the reader has chosen, in one object. A view shows a choice where it can and something near where it cannot, and never
// writes here: what was chosen is there again in the next view that has it.
import { DATA } from "./data.js";

export const state = {
  study: "", // name
  view: "", // key of VIEWS; empty: the first that has something to show
  choices: {}, // of a control, by its key; none: what the view takes first
  off: new Set(), // names of the solvers that are switched off
  at: null, // where curves are read
  solver: null, // name of the solver whose curve is read
  zoom: null, // the part of the picture that is shown (see zoom.js); null: all of it
  shown: {}, // what the view shows in place of choices that it cannot keep
};
export const CHOICES = ["measure", "variant", "part", "point", "dimension", "suite", "functions", "axis", "over", "show", "order", "only", "named", "pinned"];

export const study = () => DATA.studies.find((s) => s.name === state.study) ?? DATA.studies[0];
export const activeOf = (s) => s.algorithms.map((_, i) => i).filter((i) => !state.off.has(s.algorithms[i].name));

const FRESH = () => ({ choices: {}, off: new Set(), at: null, solver: null, zoom: null });
export const fresh = (name) => ({ study: name, view: "", ...FRESH() });

// What could not be done as asked, in sentences; shown until the next change
export const notices = new Set();

const listeners = [];
export const onChange = (listener) => listeners.push(listener);

// The one way in which the reader's choices change. `step`: whether Back undoes it; `focus`: id of what keeps the focus; `picture`:
// whether the picture alone becomes another one; `then`: what follows when it is shown.
export function change({ choices = {}, ...changes }, { step = true, focus = null, picture = false, then = null } = {}) {
  // what is shown again because more of it is there has the same to say
  if (Object.keys(changes).length + Object.keys(choices).length) notices.clear();
  const next = { ...state, ...changes };
  if (next.study !== state.study) Object.assign(next, FRESH());
  const moved = ["study", "view"].some((key) => next[key] !== state[key]) || ["measure", "over"].some((key) => key in choices);
  if (moved && !("at" in changes)) Object.assign(next, { at: null, solver: null });
  if (moved) next.zoom = null;
  Object.assign(state, next, { choices: { ...next.choices, ...choices } });
  for (const listener of listeners) listener({ step, focus, picture, then });
}

// Where curves are read, if the axis of the view goes there: it begins at `least`, which it has itself if `closed`
export function readingAt(symbol, least, closed = true) {
  const { at } = state;
  if (at === null || at > least || (closed && at === least)) return at;
  notices.add(`${symbol} = ${at} is not on this axis, whose values are ${closed ? "at least" : "above"} ${least}.`.replaceAll("-", "−"));
  return null;
}
