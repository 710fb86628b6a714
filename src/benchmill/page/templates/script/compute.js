// What benchmill.profiles computes, for the solvers that are switched on. Symbols and ties as there:
// step_functions.py, groups.py, dolan_more.py, measures.py, and midranks of inference/friedman.py.
export const TOLERANCE = 1e-12;
// What is beyond it counts as it: no run that was solved is infinite
const LARGEST_RATIO = 1e150;
export const reached = (ratio, tau) => Number.isFinite(ratio) && ratio <= tau + TOLERANCE * Math.abs(tau);

// The problems (columns) that the shown solvers have in common, and their costs
export function costsOf(measure, active, columns) {
  const { value, trials } = measure;
  const excluded = new Set(measure.excluded);
  const kept = [];
  let leftOut = 0;
  for (const j of columns) {
    if (excluded.has(j)) continue;
    let some = false, all = true;
    for (const i of active) {
      if (trials[i * measure.n + j] > 0) some = true;
      else all = false;
    }
    if (!some) continue;
    if (all || measure.missing === "failure") kept.push(j);
    else leftOut += 1;
  }
  const costs = active.map((i) => {
    const row = new Float64Array(kept.length);
    for (let k = 0; k < kept.length; k++) {
      const cost = value[i * measure.n + kept[k]];
      row[k] = Number.isNaN(cost) ? Infinity : cost;
    }
    return row;
  });
  return { columns: kept, costs, leftOut };
}

// Whether costs have ratios
export const haveRatios = (costs) => costs.every((own) => own.every((v) => v > 0));
export const NO_RATIOS = "A cost is not positive, and ratios need costs above 0";

function baselineOf(costs, n) {
  const best = new Float64Array(n).fill(Infinity);
  for (const row of costs) for (let j = 0; j < n; j++) if (row[j] < best[j]) best[j] = row[j];
  return best;
}

// Right-continuous steps of the share of weight at or below each jump
export function stepsOf(jumps, weights) {
  if (!weights) {
    const sorted = Float64Array.from(jumps).sort();
    const x = [], y = [];
    for (let j = 0; j < sorted.length && Number.isFinite(sorted[j]); j++) {
      if (sorted[j + 1] === sorted[j]) continue;
      x.push(sorted[j]);
      y.push((j + 1) / sorted.length);
    }
    return { x, y };
  }
  const order = [];
  for (let j = 0; j < jumps.length; j++) if (weights[j] > 0) order.push(j);
  order.sort((a, b) => (jumps[a] < jumps[b] ? -1 : jumps[a] > jumps[b] ? 1 : a - b));
  const x = [], y = [];
  let sum = 0;
  for (const j of order) {
    sum += weights[j];
    if (!Number.isFinite(jumps[j])) continue;
    if (x.length && x.at(-1) === jumps[j]) y[y.length - 1] = sum;
    else { x.push(jumps[j]); y.push(sum); }
  }
  return { x, y: y.map((v) => v / sum) };
}

export function indexAt(x, t) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
export function valueAt(steps, t) {
  const i = indexAt(steps.x, t + TOLERANCE * Math.abs(t));
  return i < 0 ? 0 : steps.y[i];
}

function competitionRanks(values, largerIsBetter) {
  const v = Array.from(values, (value) => (largerIsBetter ? -value : value));
  return v.map((own) => {
    const line = Number.isFinite(own) ? own - TOLERANCE * Math.abs(own) : own;
    return 1 + v.filter((other) => other < line).length;
  });
}

// The mean of `score` of each ratio
function average(row, weights, score) {
  let sum = 0, total = 0;
  for (let j = 0; j < row.length; j++) {
    const w = weights ? weights[j] : 1;
    sum += w * score(row[j]);
    total += w;
  }
  return sum / total;
}

// Curves and measures of a Dolan–Moré profile. `costs`: one row per solver; `weights`: one a problem, or null.
export function profileOf(costs, weights, settings) {
  let n = costs.length ? costs[0].length : 0;
  let columns = Array.from({ length: n }, (_, j) => j);
  const best = baselineOf(costs, n);
  const nUnsolved = best.reduce((k, b) => k + (b === Infinity ? 1 : 0), 0);
  if (settings.unsolved === "drop") columns = columns.filter((j) => best[j] !== Infinity);
  n = columns.length;
  if (!n) return { n, nUnsolved, columns, curves: [], rows: [], tauMax: 1 };
  const w = weights ? columns.map((j) => weights[j]) : null;
  const ratios = costs.map((row) => {
    const own = new Float64Array(n);
    for (let k = 0; k < n; k++) own[k] = row[columns[k]] === Infinity ? Infinity : Math.min(row[columns[k]] / best[columns[k]], LARGEST_RATIO);
    return own;
  });
  let tauMax = settings.tau_max ?? 1;
  if (settings.tau_max === null || settings.tau_max === undefined) {
    for (const row of ratios) for (const r of row) if (Number.isFinite(r) && r > tauMax) tauMax = r;
  }
  const steps = ratios.map((row) => stepsOf(row, w));
  const curves = steps.map((s) => {
    // jumps are in order, and 1 and τmax are the ends
    const x = [], y = [];
    let next = 0, before = -1;
    const add = (tau, isEnd) => {
      while (next < s.x.length && s.x[next] <= tau + TOLERANCE * tau) next += 1;
      const rho = next ? s.y[next - 1] : 0;
      if (isEnd || rho > before) {
        x.push(tau);
        y.push(rho);
      }
      before = rho;
    };
    add(1, true);
    for (const tau of s.x) if (tau > 1 && tau < tauMax) add(tau, false);
    if (tauMax > 1) add(tauMax, true);
    return { x, y };
  });
  const auc = ratios.map((row) => average(row, w, (r) => Math.max(tauMax - r, 0)));
  const aucLog = ratios.map((row) => average(row, w, (r) => (r < tauMax ? Math.log(tauMax) - Math.log(r) : 0)));
  const rho1 = ratios.map((row) => average(row, w, (r) => (reached(r, 1) ? 1 : 0)));
  const rhoEnd = ratios.map((row) => average(row, w, (r) => (reached(r, tauMax) ? 1 : 0)));
  const reliability = ratios.map((row) => row.reduce((m, r) => Math.max(m, r), 0));
  const tauStar = ratios.map((row) => row.reduce((m, r, j) => (!w || w[j] > 0 ? Math.max(m, r) : m), 0));
  const height = tauMax > 1 ? auc : rho1;
  const top = Math.max(...height);
  // who does not compete has no rank, and takes none from the others
  const own = costs.map((_, i) => i).filter((i) => !settings.aside?.[i]);
  const ranked = (ranks) => costs.map((_, i) => (own.includes(i) ? ranks[own.indexOf(i)] : NaN));
  const placed = (values) => ranked(competitionRanks(own.map((i) => values[i]), true));
  const ranks = ranked(averageRanks(own.map((i) => costs[i]), columns, w));
  const r = {
    auc: placed(height), rho_1: placed(rho1), rho_tau_max: placed(rhoEnd), auc_log: placed(auc.some((a) => a > 0) ? aucLog : rho1),
  };
  // on the front: no other solver is at least as good in both and better in one
  const front = r.rho_1.map((a, i) => own.includes(i) && !r.rho_1.some((b, j) => b <= a && r.rho_tau_max[j] <= r.rho_tau_max[i] && (b < a || r.rho_tau_max[j] < r.rho_tau_max[i])));
  const rows = costs.map((_, i) => ({
    auc: auc[i], auc_normalised: top > 0 ? height[i] / top : 0, rank_auc: r.auc[i],
    rho_1: rho1[i], rank_rho_1: r.rho_1[i], rho_tau_max: rhoEnd[i], rank_rho_tau_max: r.rho_tau_max[i],
    tau_star: tauStar[i], reliability: reliability[i], wins: ratios[i].reduce((k, q) => k + (reached(q, 1) ? 1 : 0), 0),
    auc_log: aucLog[i], rank_auc_log: r.auc_log[i], front_wins_solved: Number(front[i]),
    average_rank: ranks[i], tau_max: tauMax, n_problems: n, n_unsolved: nUnsolved,
  }));
  return { n, nUnsolved, columns, best, ratios, steps, curves, rows, tauMax };
}

// Mean over the blocks (columns of the costs) of the midrank of each treatment (row); failures are tied at the end
function averageRanks(costs, blocks, weights) {
  const k = costs.length, sums = new Array(k).fill(0);
  let total = 0;
  const block = new Float64Array(k), sorted = new Float64Array(k), ranks = new Float64Array(k);
  for (const [place, j] of blocks.entries()) {
    const weight = weights ? weights[place] : 1;
    total += weight;
    for (let i = 0; i < k; i++) block[i] = costs[i][j];
    sorted.set(block);
    sorted.sort();
    for (let start = 0; start < k;) {
      let end = start + 1;
      while (end < k && !isStep(sorted[end - 1], sorted[end])) end += 1;
      ranks.fill((start + end - 1) / 2 + 1, start, end);
      start = end;
    }
    for (let i = 0; i < k; i++) sums[i] += weight * ranks[indexAt(sorted, block[i])];
  }
  return sums.map((sum) => sum / total);
}
function isStep(low, high) {
  if (high === Infinity) return low !== Infinity;
  return high - low > TOLERANCE * Math.abs(low);
}

// Pointwise mean of step functions, with the jumps of all of them. The values stand in a tree of sums, so that the mean at a
// place depends on the values there alone: a running total of the steps would end at 0.9999999999999966 instead of 1.
export function meanSteps(functions) {
  if (functions.length === 1) return functions[0];
  const n = functions.length;
  const sums = new Float64Array(2 * n);
  const jumps = [];
  functions.forEach((f, place) => f.x.forEach((at, i) => jumps.push([at, place, f.y[i]])));
  jumps.sort((a, b) => a[0] - b[0]);
  const x = [], y = [];
  for (const [at, place, value] of jumps) {
    let node = n + place;
    sums[node] = value;
    while (node > 1) {
      node >>= 1;
      sums[node] = sums[2 * node] + sums[2 * node + 1];
    }
    if (x.length && x.at(-1) === at) y[y.length - 1] = sums[1] / n;
    else { x.push(at); y.push(sums[1] / n); }
  }
  return { x, y };
}
// The places of the largest (or smallest) of some values, unrounded but for the last digits; of infinities and zeros none: nobody
// is best who failed everywhere
export function bestOf(values, largest = true) {
  const finite = values.filter((v) => Number.isFinite(v));
  const top = largest ? Math.max(...finite) : Math.min(...finite);
  if (!finite.length || (largest && top <= 0)) return () => false;
  return (v) => Number.isFinite(v) && Math.abs(v - top) <= TOLERANCE * Math.abs(top);
}
