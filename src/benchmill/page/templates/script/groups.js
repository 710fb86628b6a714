// Groups of solvers of which no two are shown to differ, as exhibits/figures/critical_differences.py finds them.
const MOST_GROUPS = 40;

// All largest groups of two and more (Bron and Kerbosch 1973, with pivots). `order`: solvers, the best first; `alike(a, b)`: whether the
// two are not shown to differ. Null where there are too many
export function groupsOf(order, alike) {
  const place = new Map(order.map((id, k) => [id, k]));
  const near = new Map(order.map((a) => [a, new Set(order.filter((b) => a !== b && alike(a, b)))]));
  const found = largest(order, near, place);
  if (!found) return null;
  const sorted = found.filter((group) => group.length > 1).map((group) => group.sort((a, b) => place.get(a) - place.get(b)));
  return sorted.sort((a, b) => place.get(a[0]) - place.get(b[0]) || place.get(a.at(-1)) - place.get(b.at(-1)));
}
function largest(order, near, place) {
  const found = [];
  const grow = (chosen, possible, seen) => {
    if (!possible.length && !seen.length) {
      found.push(chosen);
      return found.filter((group) => group.length > 1).length <= MOST_GROUPS;
    }
    const size = (id) => possible.filter((other) => near.get(id).has(other)).length;
    const pivot = [...possible, ...seen].reduce((a, b) => (size(b) - size(a) || place.get(a) - place.get(b)) > 0 ? b : a);
    for (const id of possible.filter((one) => !near.get(pivot).has(one))) {
      const own = (list) => list.filter((one) => near.get(id).has(one));
      if (!grow([...chosen, id], own(possible), own(seen))) return false;
      possible = possible.filter((one) => one !== id);
      seen = [...seen, id];
    }
    return true;
  };
  return grow([], order, []) ? found : null;
}
