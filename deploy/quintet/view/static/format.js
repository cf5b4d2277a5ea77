// Figures as people read them.
const whole = new Intl.NumberFormat("en");

export const count = (number) => whole.format(number);

export function short(number) {
  if (number < 10_000) return whole.format(number);
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(number < 100_000_000 ? 1 : 0)}M`;
}

export function seconds(value) {
  if (value === undefined || value === null) return "";
  if (value < 0.001) return "< 1 ms";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(value < 10 ? 1 : 0)} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
}

export function usd(value) {
  if (value === undefined || value === null) return "";
  return `$${value < 0.01 ? value.toFixed(4) : value.toFixed(2)}`;
}

export const percent = (share) => `${share === 1 ? 100 : (100 * share).toFixed(1)} %`;

export const signed = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;

export function when(at) {
  if (!at) return "";
  const date = new Date(1000 * at);
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const plural = (number, what) => `${count(number)} ${what}${number === 1 ? "" : "s"}`;
