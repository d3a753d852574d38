// Numbers with units, as an engineer would write them: three or four digits and a prefix.

const PREFIXES: readonly (readonly [number, string])[] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];

const MINUS = "−";
const SPACE = "\u202f"; // narrow, no line break

export function digits(value: number, count = 3): string {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value < 0 ? `${MINUS}∞` : "∞";
  const text = Math.abs(value) >= 10 ** count ? value.toFixed(0) : value.toPrecision(count);
  return text.replace("-", MINUS);
}

// 0.00042, "m" → 420 µm. Kilograms take no prefix.
export function quantity(value: number, unit: string, count = 3): string {
  if (!Number.isFinite(value)) return digits(value);
  const size = Math.abs(value);
  if (size === 0) return `0${SPACE}${unit}`;
  if (unit === "kg" || unit === "") return `${plain(value, count)}${unit ? SPACE + unit : ""}`;
  if (size < 1e-12 || size >= 1e13) return `${scientific(value)}${SPACE}${unit}`;
  // The digits decide: 999.7 with three of them is 1.00 k.
  const rounded = Number(size.toPrecision(count));
  const [factor, prefix] = PREFIXES.find(([least]) => rounded >= least * 0.99999999) ?? [1e-12, "p"];
  return `${digits(value / factor, count)}${SPACE}${prefix}${unit}`;
}

export function plain(value: number, count = 3): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size < 1e-4 || size >= 1e6) return scientific(value);
  return digits(value, count);
}

const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// 1.6·10⁻⁹
export function scientific(value: number): string {
  if (!Number.isFinite(value)) return digits(value);
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(1).split("e") as [string, string];
  const power = Array.from(String(Math.abs(Number(exponent))), (c) => SUPER[Number(c)]).join("");
  return `${mantissa.replace("-", MINUS)}·10${Number(exponent) < 0 ? "⁻" : ""}${power}`;
}

export function percent(value: number): string {
  const hundred = 100 * value;
  if (hundred !== 0 && Math.abs(hundred) < 0.1) return "less than 0.1 %";
  const places = Math.abs(hundred) < 9.95 ? 1 : 0;
  return `${hundred.toFixed(places).replace("-", MINUS)}${SPACE}%`;
}

// Seconds of the clock below the slider: as many places as one step needs.
export function clock(seconds: number, step: number): string {
  const places = Math.min(6, Math.max(2, Math.ceil(-Math.log10(Math.max(step, 1e-6)) - 1e-9)));
  return `${seconds.toFixed(places)}${SPACE}s`;
}

export function vector(values: ArrayLike<number>, unit: string, places: number): string {
  const parts = Array.from(values, (v) => (Math.abs(v) < 0.5 * 10 ** -places ? 0 : v).toFixed(places).replace("-", MINUS));
  return `${parts.join(", ")}${unit ? SPACE + unit : ""}`;
}

// As sentences have it, here and on the command line: three digits without zeros at the end, a plain space. 0.005, "m" → 5 mm.
export function brief(value: number, unit: string): string {
  const size = Math.abs(value);
  if (Number.isNaN(value)) return `nan ${unit}`;
  if (value === 0) return `0 ${unit}`;
  if (!Number.isFinite(value)) return `${value < 0 ? "-" : ""}inf ${unit}`;
  if (size < 1e-12 || size >= 1e12) return `${value.toExponential(2)} ${unit}`;
  const [factor, prefix] = PREFIXES.find(([least]) => size >= 0.9995 * least) ?? [1e-12, "p"];
  return `${Number((value / factor).toPrecision(3))} ${prefix}${unit}`;
}

export function briefPercent(share: number): string {
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}
