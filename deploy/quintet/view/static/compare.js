// Two runs on the same tasks: how they differ, task by task.
import { useMemo, useState } from "preact/hooks";
import { address, runAddress, sidesAddress } from "view/address";
import { useAnswer, useEpisodes } from "view/api";
import { count, short, signed } from "view/format";
import { html } from "view/html";
import { useRowKeys } from "view/keys";
import { Problem, TextTable, Verdict, VirtualRows, Waiting } from "view/parts";
import { Sides } from "view/sides";

export function ComparePage({ ours, theirs, tasks }) {
  if (tasks.length > 1) return html`<${Sides} key=${tasks.join()} sides=${sidesOf(ours, theirs, tasks)} />`;
  return html`<${Runs} ours=${ours} theirs=${theirs} />`;
}

/** The sides of an address, as `sidesAddress` writes it. */
function sidesOf(ours, theirs, [first, second, ...more]) {
  const sides = [[ours, first], [theirs, second]];
  for (let place = 0; place + 1 < more.length; place += 2) sides.push(more.slice(place, place + 2));
  return sides;
}

const KINDS = [
  ["differ", "they differ", (one, other) => one?.success !== undefined && other?.success !== undefined && one.success !== other.success],
  ["ours", "first only", (one, other) => one?.success === true && other?.success === false],
  ["theirs", "second only", (one, other) => one?.success === false && other?.success === true],
  ["both", "both succeed", (one, other) => one?.success === true && other?.success === true],
  ["neither", "neither", (one, other) => one?.success === false && other?.success === false],
  ["unpaired", "in one only", (one, other) => (one?.success === undefined) !== (other?.success === undefined)],
  ["all", "all", () => true],
];

/** The same episodes of two runs: [one, other]. Of a fork, each stands beside the recorded one, or beside that of another fork. */
function paired(ours, theirs) {
  const byEpisode = (episodes) => Map.groupBy(episodes, ({ task, epoch, of }) => (of ?? `${task}/${epoch}`).split("/").slice(0, 2).join("/"));
  const [left, right] = [byEpisode(ours), byEpisode(theirs)];
  return [...new Map([...left, ...right]).keys()].flatMap((key) => {
    const [ones, others] = [left.get(key) ?? [], right.get(key) ?? []];
    const nth = (all, place) => all[all.length === 1 && !all[0].of ? 0 : place] ?? null;
    return Array.from({ length: Math.max(ones.length, others.length) }, (_, place) => [nth(ones, place), nth(others, place)]);
  });
}

function Runs({ ours, theirs }) {
  const seen = useAnswer("compare", { ours, theirs });
  const [first, second] = [useEpisodes(ours, false), useEpisodes(theirs, false)];
  const [kind, setKind] = useState("all");
  useRowKeys("a.row");
  const rows = useMemo(() => paired(first.episodes ?? [], second.episodes ?? []), [first.episodes, second.episodes]);
  const counts = useMemo(() => new Map(KINDS.map(([name, , is]) => [name, rows.filter(([one, other]) => is(one, other)).length])), [rows]);
  const shown = useMemo(() => rows.filter(([one, other]) => KINDS.find(([name]) => name === kind)[2](one, other)), [rows, kind]);
  return html`<section class="page filled">
    <div class="head"><h1><a href=${runAddress(ours)}>${ours}</a></h1><span class="on">beside</span><h1><a href=${runAddress(theirs)}>${theirs}</a></h1><span class="space"></span><a class="button" href=${address(["compare", theirs, ours])}>swap</a></div>
    ${seen.error && html`<${Problem} error=${seen.error} />`}
    ${seen.answer && html`<${Differences} found=${seen.answer} ours=${ours} theirs=${theirs} />`}
    <div class="filters"><div class="chips">${KINDS.map(([name, title]) => html`<button class=${name === kind ? "chosen" : ""} aria-pressed=${name === kind} onClick=${() => setKind(name)}>${title} <small>${count(counts.get(name))}</small></button>`)}</div></div>
    ${!first.episodes || !second.episodes ? html`<${Waiting} />` : html`<div class="grid">
      <div class="row header pairs"><span>task</span><span>${ours}</span><span>calls</span><span>tokens</span><span>${theirs}</span><span>calls</span><span>tokens</span></div>
      <${VirtualRows} rows=${shown} height=${30} label="tasks" render=${([one, other]) => html`<${Pair} key=${`${one?.path} ${other?.path}`} ours=${ours} theirs=${theirs} one=${one} other=${other} />`} /></div>`}
  </section>`;
}

function Differences({ found, ours, theirs }) {
  if (!found.differences.length) return html`<p class="reason">The two runs have no task in common that ended in both.</p>`;
  const [unpairedOurs, unpairedTheirs] = found.unpaired;
  return html`${unpairedOurs + unpairedTheirs > 0 && html`<p class="reason">${count(unpairedOurs)} tasks ended in ${ours} only, ${count(unpairedTheirs)} in ${theirs} only; they are left out of the differences.</p>`}
    <div class="figures">${found.differences.slice(0, 8).map(({ group, tasks, points: [value, low, high, stepless] }) => html`<div class="figure"><small>${group}, n = ${count(tasks)}</small><b class=${low > 0 ? "good" : high < 0 ? "bad" : ""}>${signed(value)}</b><span title="95 % interval, in percentage points">${signed(low)} to ${signed(high)}${stepless && ", no step"}</span></div>`)}</div>
    <details class="tables"><summary>tables</summary>${found.tables.map((table) => html`<${TextTable} table=${table} />`)}</details>`;
}

function Pair({ ours, theirs, one, other }) {
  const half = (episode) => (episode ? html`<${Verdict} episode=${episode} /><span class="number">${episode.calls ?? ""}</span><span class="number">${short((episode.prompt_tokens ?? 0) + (episode.completion_tokens ?? 0))}</span>` : html`<span class="faint">–</span><span></span><span></span>`);
  const name = html`<span class="task">${(one ?? other).task}<small>/${(one ?? other).epoch}</small></span>`;
  const begun = [one, other].every((each) => each && each.state !== "not begun");
  return begun ? html`<a role="listitem" class="row pairs" href=${sidesAddress([[ours, one.path], [theirs, other.path]])}>${name}${half(one)}${half(other)}</a>` : html`<div role="listitem" class="row pairs faint">${name}${half(one)}${half(other)}</div>`;
}
