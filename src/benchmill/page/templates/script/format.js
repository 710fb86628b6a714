// Numbers as `benchmill.text.display` writes them, digit for digit: the page and the paper never show different ones.
export const ABSENT = "–";
const RAISED = { "-": "⁻", "+": "⁺", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const raised = (n) => [...String(n)].map((c) => RAISED[c]).join("");
export const isNone = (v) => v === null || v === undefined || Number.isNaN(v);

// toFixed and toExponential round a tie away from zero; Python rounds it to the even digit
export function fixed(value, places) {
  const up = value.toFixed(places);
  const exact = value.toFixed(Math.min(places + 40, 100));
  const rest = exact.slice(exact.indexOf(".") + 1 + places);
  if (!/^50*$/.test(rest)) return up;
  const down = exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
  return Number(down.at(-1)) % 2 === 0 ? down : up;
}
function exponential(value, places) {
  const [mantissa, exponent] = value.toExponential(places).split("e");
  const [exact] = value.toExponential(Math.min(places + 50, 100)).split("e");
  const rest = exact.slice((places ? 2 : 2) + places);
  if (!/^50*$/.test(rest)) return [mantissa, Number(exponent)];
  const down = exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
  return [Number(down.at(-1)) % 2 === 0 ? down : mantissa, Number(exponent)];
}

export function number(value, digits = 3) {
  if (isNone(value)) return ABSENT;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "";
  const [mantissa, power] = exponential(Math.abs(value), digits - 1);
  if (power >= -3 && power < digits) return sign + fixed(Math.abs(value), digits - 1 - power);
  return `${sign}${mantissa}×10${raised(power)}`;
}
export function count(value) {
  return isNone(value) ? ABSENT : String(Math.trunc(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f").replace("-", "−");
}
export function share(value) {
  if (isNone(value)) return ABSENT;
  if (value >= 0.9995 && value < 1) return ">0.999";
  return value > 0 && value < 0.0005 ? "<0.001" : fixed(value, 3);
}
export function pValue(p) {
  if (isNone(p)) return ABSENT;
  if (p < 0.001) return "<0.001";
  if (p >= 0.9995 && p < 1) return ">0.999";
  return p < 0.1 ? number(p, 3) : fixed(p, 3);
}
export function plural(n, word, words = `${word}s`) {
  return `${count(n)} ${n === 1 ? word : words}`;
}
// a value on an axis: powers of ten as such, others short
export function tick(value) {
  const power = Math.round(Math.log10(value));
  if (value > 0 && Math.abs(value / 10 ** power - 1) < 1e-9 && (power < -2 || power > 3)) return `10${raised(power)}`;
  const short = Number(value.toPrecision(6));
  if (short !== 0 && Number.isFinite(short) && (Math.abs(short) >= 1e4 || Math.abs(short) < 1e-3)) {
    const [mantissa, exponent] = short.toExponential().split("e");
    return `${mantissa.replace("-", "−")}×10${raised(Number(exponent))}`;
  }
  return String(short).replace("-", "−");
}

// exact values for other programs: the shortest digits that read back as the same number
export function csv(rows) {
  const cell = (v) => {
    if (typeof v === "number") return Number.isNaN(v) ? "" : v === Infinity ? "inf" : v === -Infinity ? "-inf" : String(v);
    if (v === null || v === undefined) return "";
    // a spreadsheet would run a name that starts like a formula
    const text = /^[=+@\t\r-]/.test(v) ? `'${v}` : String(v);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",") + "\n").join("");
}
