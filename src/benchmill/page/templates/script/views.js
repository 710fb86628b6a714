// The views, in the order of their tabs. Each has a `name`, `lacks` (why a study has nothing to show in it, or null) and `show`, which
// gives what is shown: `asked` (from `questions`), `caption`, `curves`, `tables` (any elements) and `downloads`, and with a
// picture what `drawChart` and `pointing.js` ask for. `own`: the keys of choices that are in the address for this view alone.
import { convergenceView } from "./convergence.js";
import { ecdfView, valuesView } from "./distributions.js";
import { problemsView } from "./problems.js";
import { profileView } from "./profile.js";
import { runsView } from "./runs.js";
import { scalingView } from "./scaling.js";
import { testsView } from "./tests.js";
import { tradeoffView } from "./tradeoff.js";
import { nothing, questions } from "./choices.js";

export const VIEWS = new Map(Object.entries({
  profile: profileView, ecdf: ecdfView, values: valuesView, scaling: scalingView, problems: problemsView,
  convergence: convergenceView, tradeoff: tradeoffView, runs: runsView, tests: testsView,
}));

// What a study opens on: the first view that shows something when nothing is chosen yet
export function opening(s) {
  let first = null;
  for (const [key, view] of VIEWS) {
    if (view.lacks(s)) continue;
    const shown = view.show(s);
    if (!shown.message) return { key, shown };
    first ??= { key, shown };
  }
  return first ?? { key: "profile", shown: nothing(questions(s), profileView.lacks(s)) };
}
