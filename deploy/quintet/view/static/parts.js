// Small parts that all pages use.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { count, percent } from "view/format";
import { html } from "view/html";

const TONES = {
  done: "good", solved: "good", success: "good",
  running: "live",
  faulted: "bad", unreadable: "bad",
  failed: "poor", unsolved: "poor", interrupted: "poor", spent: "poor",
};

export const Badge = ({ tone, children }) => html`<span class="badge ${TONES[tone] ?? tone ?? ""}">${children}</span>`;

export const State = ({ state }) => html`<${Badge} tone=${state}>${state === "running" && html`<i class="pulse"></i>`}${state}<//>`;

/** How an episode went, in a word: by its reward, not by its claim. */
export function verdict(episode) {
  if (episode.success === true) return "success";
  if (episode.success === false) return "failed";
  return episode.state === "unfinished" ? "running" : episode.state;
}

export const Verdict = ({ episode, live = true }) => {
  const found = verdict(episode);
  const shown = found === "running" && !live ? "unfinished" : found;
  return html`<span class="verdict ${TONES[shown] ?? "none"}"><i></i>${shown}</span>`;
};

/** `success` or `failed` by its reward, or else how it is. */
export function result(found) {
  if (found.state === null) return "not ended";
  if (found.state === "faulted" || found.state === "interrupted") return found.state;
  if (found.path.startsWith("~")) return "done"; // a learner, which earns nothing
  return found.reward >= 1 ? "success" : "failed";
}

export const Problem = ({ error }) =>
  html`<div class="problem" role="alert"><b>${error.status === 410 ? "No longer there" : error.status === 403 ? "Not shown" : "Cannot be shown"}</b><p>${error.message}</p></div>`;

export const Waiting = () => html`<div class="waiting" aria-busy="true"><i></i><i></i><i></i></div>`;

/** What an answer shows: a problem, that it is awaited, or its content. A problem of a refresh stands above the old content. */
export function Answered({ of, children }) {
  if (of.error && !of.answer) return html`<${Problem} error=${of.error} />`;
  if (!of.answer) return html`<${Waiting} />`;
  return html`${of.error && html`<${Problem} error=${of.error} />`}${children(of.answer)}`;
}

export const Tabs = ({ tabs, chosen }) =>
  html`<nav class="tabs" role="tablist">${tabs.map(
    ([name, title, href, number]) =>
      html`<a role="tab" aria-selected=${name === chosen} class=${name === chosen ? "chosen" : ""} href=${href}>${title}${number !== undefined && html`<small>${count(number)}</small>`}</a>`,
  )}</nav>`;

export const Figure = ({ title, children, beside }) =>
  html`<div class="figure"><small>${title}</small><b>${children}</b>${beside && html`<span>${beside}</span>`}</div>`;

/** A bar of parts: [[share, class, title]]. */
export const Bar = ({ parts }) =>
  html`<div class="bar">${parts.filter(([share]) => share > 0).map(
    ([share, kind, title]) => html`<i class=${kind} title=${title} style=${{ width: `${100 * share}%` }}></i>`,
  )}</div>`;

export const ProgressBar = ({ run }) => {
  const all = Math.max(run.episodes || 0, run.begun || 0, 1);
  const [solved, faulted] = [run.solved ?? 0, run.faulted ?? 0];
  const failed = (run.ended ?? 0) - solved - faulted;
  const open = (run.begun ?? 0) - (run.ended ?? 0);
  return html`<${Bar} parts=${[
    [solved / all, "good", `${count(solved)} solved`],
    [failed / all, "poor", `${count(failed)} failed`],
    [faulted / all, "bad", `${count(faulted)} faulted`],
    [open / all, "live", `${count(open)} begun`],
  ]} />`;
};

/** How far the interval of a share reaches, and whether no episode that it is about took a step: [value, low, high, stepless]. */
export const reach = ([, low, high, stepless]) => `${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}${stepless ? ", no step" : ""}`;

/** A share with its 95 % interval. */
export const Interval = ({ of }) =>
  of ? html`${percent(of[0])}<span class="interval" title="95 % interval">${reach(of)}</span>` : html`<span class="faint">–</span>`;

/** A table of a report, as `quintet report` prints it. */
export const TextTable = ({ table }) =>
  html`<figure class="report"><figcaption>${table.title}</figcaption><div class="wide"><table>
    <thead><tr>${table.columns.map((column) => html`<th>${column}</th>`)}</tr></thead>
    <tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div></figure>`;

export const Notes = ({ notes }) => notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;

/** Whether a pattern is in a text. */
export const isFound = (text, pattern) => Boolean(text && pattern) && text.search(pattern) >= 0;

/** A text of a model or a world, cut to some lines until a person wants all of it, or what is searched for is there. */
export function LongText({ text, lines = 14, pattern, children }) {
  const [whole, setWhole] = useState(false);
  const rows = text.split("\n");
  const start = rows.slice(0, lines).join("\n").slice(0, 6000);
  const cut = !whole && (rows.length > lines + 3 || text.length > 6000) && !isFound(text.slice(start.length), pattern);
  const shown = cut ? start : text;
  return html`<div class="text">${children ? children(shown) : shown}</div>
    ${cut && html`<button class="more" onClick=${() => setWhole(true)}>all ${count(rows.length)} lines</button>`}`;
}

/** Rows of one height, of which only those in sight are in the page. `goal`: {row} to scroll to. */
export function VirtualRows({ rows, height, render, goal, label }) {
  const box = useRef(null);
  const [sight, setSight] = useState([0, 60]);
  const look = () => {
    if (!box.current) return;
    const { scrollTop, clientHeight } = box.current;
    const first = Math.max(0, Math.floor(scrollTop / height) - 12);
    const last = Math.min(rows.length, Math.ceil((scrollTop + (clientHeight || 800)) / height) + 12);
    setSight((before) => (before[0] === first && before[1] === last ? before : [first, last]));
  };
  useLayoutEffect(look, [rows]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [rows]);
  useEffect(() => {
    if (goal && goal.row >= 0) {
      const { scrollTop, clientHeight } = box.current;
      const top = goal.row * height;
      if (top < scrollTop || top > scrollTop + clientHeight - height) box.current.scrollTop = top - clientHeight / 3;
    }
  }, [goal]);
  const [first, last] = [Math.min(sight[0], rows.length), Math.min(sight[1], rows.length)];
  return html`<div class="virtual" ref=${box} onScroll=${look} role="list" aria-label=${label} tabindex="0">
    <div style=${{ height: `${rows.length * height}px` }}>
      <div style=${{ transform: `translateY(${first * height}px)` }}>${rows.slice(first, last).map((row, place) => render(row, first + place))}</div>
    </div></div>`;
}

export const Select = ({ label, value, options, onChange }) =>
  html`<label class="select"><span>${label}</span><select value=${value} onChange=${(event) => onChange(event.target.value)}>
    ${options.map(([key, title]) => html`<option value=${key} selected=${String(key) === String(value)}>${title}</option>`)}
  </select></label>`;
