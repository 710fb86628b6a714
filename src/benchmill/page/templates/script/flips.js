// Tests of pairs by their net shares of wins over clusters, and of all solvers at once: inference/clusters.py in the page, for what a
// reader chooses, and inference/draws.py: drawing goes on until chance decides nothing. Every function here is also sent to a worker as
// text, so it uses nothing but the others and the constants of CONSTANTS.
import { TOLERANCE } from "./compute.js";

// As many as there, so that the same is counted and drawn; MOST_NUMBERS holds for clusters times pairs, so that a reader's wait ends
const CONSTANTS = { TOLERANCE, MOST_COUNTED: 50_000_000, MOST_CLUSTERS: 20, COUNTED: 200_000, BATCH: 10_000, MOST: 1_000_000, MOST_NUMBERS: 2e10, CHANCE: 0.001 };
const { MOST_COUNTED, MOST_CLUSTERS, COUNTED, BATCH, MOST, MOST_NUMBERS, CHANCE } = CONSTANTS;

// The chance of at most x successes in n trials, each with chance p
export function atMost(x, n, p) {
  if (x < 0 || p >= 1) return x < n ? 0 : 1;
  if (x >= n || p <= 0) return 1;
  // Stirling's series, of a factorial
  const logFactorial = (v) => {
    if (v < 16) return Math.log([...Array(v).keys()].reduce((product, i) => product * (i + 1), 1));
    const z = v + 1;
    return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5);
  };
  let term = 1, sum = 1;
  for (let k = x; k > 0; k--) {
    term *= (k * (1 - p)) / ((n - k + 1) * p);
    sum += term;
    if (term < 1e-17 * sum) break;
  }
  return Math.min(1, Math.exp(logFactorial(n) - logFactorial(x) - logFactorial(n - x) + x * Math.log(p) + (n - x) * Math.log1p(-p) + Math.log(sum)));
}
// -1 and 1: the interval (Clopper and Pearson, 99.9 %) of a share lies below and above the level; 0: the level is in it
export function sideOf(reached, drawn, level) {
  if (atMost(reached, drawn, level) <= CHANCE / 2) return -1;
  return atMost(drawn - reached, drawn, 1 - level) <= CHANCE / 2 ? 1 : 0;
}
// That interval
export function intervalOf(reached, drawn) {
  const where = (isAbove) => {
    let low = 0, high = 1;
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (isAbove(middle)) high = middle;
      else low = middle;
    }
    return (low + high) / 2;
  };
  return [reached ? where((p) => atMost(drawn - reached, drawn, 1 - p) > CHANCE / 2) : 0, reached < drawn ? where((p) => atMost(reached, drawn, p) <= CHANCE / 2) : 1];
}
// How many are drawn at most, of so many numbers each
export const mostDraws = (size) => Math.min(MOST, Math.max(BATCH, Math.floor(MOST_NUMBERS / size)));

// Means over the cells of each cluster of the net wins of each pair: rows of clusters. `costs`: one row a solver; `clusters`: of each cell, from 0
export function winsByCluster(costs, clusters) {
  const k = costs.length, n = clusters.length;
  const groups = clusters.reduce((most, g) => Math.max(most, g + 1), 0);
  const size = new Float64Array(groups);
  for (const g of clusters) size[g] += 1;
  const rows = Array.from({ length: groups }, () => new Float64Array((k * (k - 1)) / 2));
  let pair = 0;
  for (let a = 0; a < k; a++) {
    for (let b = a + 1; b < k; b++, pair++) {
      for (let j = 0; j < n; j++) {
        const own = costs[a][j], other = costs[b][j];
        // costs that differ by rounding alone, and two failures, are tied
        if (own === other || Math.abs(other - own) <= TOLERANCE * Math.min(Math.abs(own), Math.abs(other))) continue;
        rows[clusters[j]][pair] += other > own ? 1 : -1;
      }
    }
  }
  for (let g = 0; g < groups; g++) for (let p = 0; p < rows[g].length; p++) rows[g][p] /= size[g];
  return rows;
}

// xoshiro128** (Blackman and Vigna), begun alike each time: the same choice shows the same numbers
export function randomNumbers() {
  const s = new Uint32Array([0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667]);
  const turn = (x, k) => (x << k) | (x >>> (32 - k));
  return () => {
    const result = Math.imul(turn(Math.imul(s[1], 5), 7), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turn(s[3], 11);
    return result;
  };
}

// Signs of one flip after the other, each with the sums of `rows` under it. All of them where `counted`: sums of the first half of the
// clusters and of the second are made once, so that none is the sum of many differences. The first cluster keeps its sign.
export function eachFlip(rows, counted, total, next, use) {
  const m = rows[0].length;
  const sums = new Float64Array(m);
  if (counted) {
    const middle = Math.ceil(rows.length / 2);
    const halves = [rows.slice(0, middle), rows.slice(middle)].map((part, second) => Array.from({ length: 2 ** (second ? part.length : part.length - 1) }, (_, bits) => {
      const own = new Float64Array(m);
      part.forEach((row, g) => {
        const sign = second ? (bits >> g) & 1 : g ? (bits >> (g - 1)) & 1 : 0;
        for (let p = 0; p < m; p++) own[p] += sign ? -row[p] : row[p];
      });
      return own;
    }));
    for (const first of halves[0]) {
      for (const second of halves[1]) {
        for (let p = 0; p < m; p++) sums[p] = first[p] + second[p];
        use(sums);
      }
    }
    return;
  }
  for (let n = 0; n < total; n++) {
    sums.fill(0);
    let bits = 0;
    for (let g = 0; g < rows.length; g++) {
      if (g % 32 === 0) bits = next();
      const row = rows[g];
      if ((bits >>> g % 32) & 1) for (let p = 0; p < m; p++) sums[p] += row[p];
      else for (let p = 0; p < m; p++) sums[p] -= row[p];
    }
    use(sums);
  }
}

// Step-down max-T over all pairs: `rows` from winsByCluster. Steps that are clear take no more flips. `low`: of a pair that is open after
// all that are drawn, the lower end of the interval of its adjusted p, which is then the upper end; else NaN
export function testPairs(rows, next, level) {
  const groups = rows.length, m = groups ? rows[0].length : 0;
  if (!groups || !m) return { effect: [], p: [], adjusted: [], low: [], pMin: NaN, flips: 0, counted: true };
  const sums = new Float64Array(m), squares = new Float64Array(m);
  for (const row of rows) for (let p = 0; p < m; p++) { sums[p] += row[p]; squares[p] += row[p] ** 2; }
  const root = squares.map((s) => (s > 0 ? Math.sqrt(s) : 1));
  const statistic = sums.map((s, p) => Math.abs(s) / root[p]);
  const order = Array.from(statistic, (_, p) => p).sort((a, b) => statistic[b] - statistic[a] || a - b);
  const scaled = rows.map((row) => Float64Array.from(order, (p) => row[p] / root[p]));
  const at = Float64Array.from(order, (p) => statistic[p] * (1 - TOLERANCE) - TOLERANCE);
  const counted = groups <= MOST_CLUSTERS && 2 ** (groups - 1) * m <= MOST_COUNTED;
  const alone = new Float64Array(m), together = new Float64Array(m), behind = new Float64Array(m);
  // the first step that is open, and the one behind the last
  let drawn = 0, first = 0, last = m;
  const limit = counted ? 2 ** (groups - 1) : mostDraws(groups * m);
  while (first < last && drawn < limit) {
    const n = counted ? limit : Math.min(BATCH, limit - drawn);
    eachFlip(scaled, counted, n, next, (flipped) => {
      let largest = 0;
      for (let p = m - 1; p >= first; p--) {
        const reached = Math.abs(flipped[p]);
        if (reached > largest) largest = reached;
        if (p >= last) continue;
        if (reached >= at[p]) alone[p] += 1;
        if (largest >= at[p]) together[p] += 1;
      }
    });
    drawn += n;
    behind.fill(drawn, first, last);
    if (counted) break;
    // a step rejects if it and all before it do, and does not if one of them does not
    while (first < last && sideOf(together[first], drawn, level) < 0) first += 1;
    for (let p = first; p < last; p++) if (sideOf(together[p], drawn, level) > 0) last = p;
  }
  // the data are one of all flips that are counted, and beside those that are drawn
  const extra = counted ? 0 : 1;
  const p = new Array(m), adjusted = new Array(m), low = new Array(m).fill(NaN);
  let most = 0, least = 0;
  order.forEach((pair, place) => {
    let own = (together[place] + extra) / (behind[place] + extra);
    if (!counted && place >= first && place < last) {
      const ends = intervalOf(together[place], drawn);
      least = Math.max(least, ends[0]);
      low[pair] = least;
      own = ends[1];
    }
    most = Math.max(most, own);
    p[pair] = (alone[place] + extra) / (behind[place] + extra);
    adjusted[pair] = most;
  });
  return { effect: Array.from(sums, (s) => s / groups), p, adjusted, low, pMin: Math.max(2 ** (1 - groups), extra / (drawn + extra)), flips: drawn, counted };
}

// That all k solvers are equal: labels permuted within whole clusters
export function testAll(rows, k, next, level) {
  const groups = rows.length;
  const lead = rows.map((row) => {
    const own = new Float64Array(k);
    let pair = 0;
    for (let a = 0; a < k; a++) for (let b = a + 1; b < k; b++, pair++) { own[a] += row[pair]; own[b] -= row[pair]; }
    return own.map((v) => v / (2 * groups));
  });
  if (!groups || k < 2 || lead.every((own) => own.every((v) => v === 0))) return { p: NaN, low: NaN, permutations: 0, counted: true };
  const spread = (sums) => sums.reduce((sum, v) => sum + v * v, 0);
  const observed = spread(Array.from({ length: k }, (_, i) => lead.reduce((sum, own) => sum + own[i], 0)));
  const bound = observed * (1 - TOLERANCE) - TOLERANCE;
  let every = 1;
  for (let i = 2; i <= k; i++) every *= i;
  every **= groups - 1;
  const counted = k <= 8 && groups <= 20 && every <= COUNTED;
  let reached = 0;
  if (counted) {
    const orders = [];
    const extend = (order) => {
      if (order.length === k) orders.push(order);
      else for (let i = 0; i < k; i++) if (!order.includes(i)) extend([...order, i]);
    };
    extend([]);
    // the labels of the first cluster can stay: all permuted alike give the same
    const visit = (g, sums) => {
      if (g === groups) reached += spread(sums) >= bound ? 1 : 0;
      else for (const order of orders) visit(g + 1, sums.map((sum, i) => sum + lead[g][order[i]]));
    };
    visit(1, lead[0]);
    return { p: reached / every, low: NaN, permutations: every, counted };
  }
  const sums = new Float64Array(k), own = new Float64Array(k);
  const limit = mostDraws(groups * k);
  let drawn = 0, side = 0;
  while (!side && drawn < limit) {
    for (const stop = Math.min(drawn + BATCH, limit); drawn < stop; drawn++) {
      sums.fill(0);
      for (const row of lead) {
        own.set(row);
        for (let i = k - 1; i >= 0; i--) {
          const j = Math.floor((next() / 2 ** 32) * (i + 1));
          sums[i] += own[j];
          own[j] = own[i];
        }
      }
      if (spread(sums) >= bound) reached += 1;
    }
    side = sideOf(reached, drawn, level);
  }
  const [low, high] = side ? [NaN, (reached + 1) / (drawn + 1)] : intervalOf(reached, drawn);
  return { p: high, low, permutations: drawn, counted };
}

export function testChosen(costs, clusters, level) {
  const rows = winsByCluster(costs, clusters), next = randomNumbers();
  return { ...testPairs(rows, next, level), all: testAll(rows, costs.length, next, level), clusters: rows.length, cells: clusters.length };
}
// What a worker has to know, as a script
export const workerText = () => [
  `"use strict";\nconst ${Object.entries(CONSTANTS).map(([name, value]) => `${name} = ${value}`).join(", ")};`,
  ...[atMost, sideOf, intervalOf, winsByCluster, randomNumbers, eachFlip, testPairs, testAll, testChosen].map(String),
  `const mostDraws = ${mostDraws};`,
  "onmessage = ({ data: [costs, clusters, level] }) => postMessage(testChosen(costs, clusters, level));",
].join("\n");
