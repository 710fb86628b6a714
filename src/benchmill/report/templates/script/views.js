// The views, in the order of their tabs. Each has a `name`, `lacks` (why a study has nothing to show in it, or null) and `show`.
import { ecdfView, valuesView } from "./distributions.js";
import { problemsView } from "./problems.js";
import { profileView } from "./profile.js";
import { scalingView } from "./scaling.js";
import { testsView } from "./tests.js";

export const VIEWS = new Map(Object.entries({
  profile: profileView, ecdf: ecdfView, values: valuesView, scaling: scalingView, problems: problemsView, tests: testsView,
}));

// The view that a study opens on: the first that shows something when nothing is chosen yet
export function openingView(s) {
  const there = [...VIEWS].filter(([, view]) => !view.lacks(s));
  const found = there.find(([, view]) => !view.show(s).message) ?? there[0] ?? ["profile"];
  return found[0];
}
