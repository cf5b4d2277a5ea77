// Small pictures of a run over time: what it spent, and how many of its calls were in flight.
import { useAnswer } from "view/api";
import { seconds, short, usd } from "view/format";
import { html } from "view/html";

const [WIDTH, HEIGHT] = [132, 26];

/** A line of values, each of them in the middle of its span, above their area. */
function Picture({ title, values, most, caption }) {
  const top = Math.max(...values, Number.MIN_VALUE);
  const points = values.map((value, place) => `${((WIDTH * (place + 0.5)) / values.length).toFixed(1)},${(HEIGHT - 1 - (HEIGHT - 2) * (value / top)).toFixed(1)}`);
  const label = `${title}: ${most}, ${caption}`;
  return html`<div class="figure over-time"><small>${title}</small><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}><title>${label}</title>
    <polygon points=${`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`} /><polyline points=${points.join(" ")} /></svg><span>${most}, ${caption}</span></div>`;
}

export function OverTime({ run, live }) {
  const { answer } = useAnswer("timeline", { run }, () => live);
  if (!answer?.in_flight.length) return null;
  const priced = answer.usd?.some((each) => each > 0);
  let total = 0;
  const spent = (priced ? answer.usd : answer.tokens).map((each) => (total += each));
  const caption = `in ${seconds(answer.seconds * answer.in_flight.length)}`;
  return html`<${Picture} title=${priced ? "cost over time" : "tokens over time"} values=${spent} most=${priced ? usd(total) : short(total)} caption=${caption} />
    <${Picture} title="calls in flight" values=${answer.in_flight} most=${`up to ${Math.max(...answer.in_flight).toFixed(1)}`} caption=${caption} />`;
}
