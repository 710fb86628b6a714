// Tests of pairs by their net shares of wins over clusters, and of all solvers at once: inference/clusters.py in the page, for what a
// reader chooses. Every function here is also sent to a worker as text, so it uses nothing but the others and TOLERANCE.
import { TOLERANCE } from "./compute.js";

// As many as there, so that the same is counted and the same is drawn
export const MOST_COUNTED = 50_000_000, MOST_CLUSTERS = 20, DRAWN = 9999;

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

// Step-down max-T over all pairs: `rows` from winsByCluster
export function testPairs(rows, next) {
  const groups = rows.length, m = groups ? rows[0].length : 0;
  if (!groups || !m) return { effect: [], p: [], adjusted: [], pMin: NaN, flips: 0, counted: true };
  const sums = new Float64Array(m), squares = new Float64Array(m);
  for (const row of rows) for (let p = 0; p < m; p++) { sums[p] += row[p]; squares[p] += row[p] ** 2; }
  const root = squares.map((s) => (s > 0 ? Math.sqrt(s) : 1));
  const statistic = sums.map((s, p) => Math.abs(s) / root[p]);
  const order = Array.from(statistic, (_, p) => p).sort((a, b) => statistic[b] - statistic[a] || a - b);
  const scaled = rows.map((row) => Float64Array.from(order, (p) => row[p] / root[p]));
  const at = Float64Array.from(order, (p) => statistic[p] * (1 - TOLERANCE) - TOLERANCE);
  const counted = groups <= MOST_CLUSTERS && 2 ** (groups - 1) * m <= MOST_COUNTED;
  const total = counted ? 2 ** (groups - 1) : DRAWN;
  const alone = new Float64Array(m), together = new Float64Array(m);
  eachFlip(scaled, counted, total, next, (flipped) => {
    let largest = 0;
    for (let p = m - 1; p >= 0; p--) {
      const reached = Math.abs(flipped[p]);
      if (reached >= at[p]) alone[p] += 1;
      if (reached > largest) largest = reached;
      if (largest >= at[p]) together[p] += 1;
    }
  });
  // the data are one of all flips that are counted, and beside those that are drawn
  const extra = counted ? 0 : 1;
  const p = new Array(m), adjusted = new Array(m);
  let most = 0;
  order.forEach((pair, place) => {
    most = Math.max(most, (together[place] + extra) / (total + extra));
    p[pair] = (alone[place] + extra) / (total + extra);
    adjusted[pair] = most;
  });
  return { effect: Array.from(sums, (s) => s / groups), p, adjusted, pMin: Math.max(2 ** (1 - groups), extra / (total + extra)), flips: total, counted };
}

// That all k solvers are equal: labels permuted within whole clusters
export function testAll(rows, k, next) {
  const groups = rows.length;
  const lead = rows.map((row) => {
    const own = new Float64Array(k);
    let pair = 0;
    for (let a = 0; a < k; a++) for (let b = a + 1; b < k; b++, pair++) { own[a] += row[pair]; own[b] -= row[pair]; }
    return own.map((v) => v / (2 * groups));
  });
  if (!groups || k < 2 || lead.every((own) => own.every((v) => v === 0))) return { p: NaN, permutations: 0, counted: true };
  const spread = (sums) => sums.reduce((sum, v) => sum + v * v, 0);
  const observed = spread(Array.from({ length: k }, (_, i) => lead.reduce((sum, own) => sum + own[i], 0)));
  const bound = observed * (1 - TOLERANCE) - TOLERANCE;
  let every = 1;
  for (let i = 2; i <= k; i++) every *= i;
  every **= groups - 1;
  const counted = k <= 8 && groups <= 20 && every <= DRAWN;
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
    return { p: reached / every, permutations: every, counted };
  }
  const sums = new Float64Array(k), own = new Float64Array(k);
  for (let n = 0; n < DRAWN; n++) {
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
  return { p: (reached + 1) / (DRAWN + 1), permutations: DRAWN, counted };
}

export function testChosen(costs, clusters) {
  const rows = winsByCluster(costs, clusters), next = randomNumbers();
  return { ...testPairs(rows, next), all: testAll(rows, costs.length, next), clusters: rows.length, cells: clusters.length };
}
// What a worker has to know, as a script
export const workerText = () => [
  `"use strict";\nconst TOLERANCE = ${TOLERANCE}, MOST_COUNTED = ${MOST_COUNTED}, MOST_CLUSTERS = ${MOST_CLUSTERS}, DRAWN = ${DRAWN};`,
  ...[winsByCluster, randomNumbers, eachFlip, testPairs, testAll, testChosen].map(String),
  "onmessage = ({ data: [costs, clusters] }) => postMessage(testChosen(costs, clusters));",
].join("\n");
