// Two conversations side by side, and where they begin to differ.
import { useEffect, useMemo, useState } from "preact/hooks";
import { episodeAddress, runAddress } from "view/address";
import { useAnswer } from "view/api";
import { Conversation, readParts } from "view/conversation";
import { goesOn, result } from "view/episode";
import { count, plural } from "view/format";
import { html } from "view/html";
import { Answered, Badge, Problem } from "view/parts";

export function Sides({ runs, episodes }) {
  const seen = [0, 1].map((side) => useAnswer("episode", { run: runs[side], episode: episodes[side] }, goesOn));
  const of = seen.map(({ answer }, side) => answer && { run: runs[side], episode: answer.path, total: answer.blocks });
  const [first, setFirst] = useState({});
  useEffect(() => {
    if (!of[0] || !of[1]) return undefined;
    let gone = false;
    firstDifference(...of).then((block) => gone || setFirst({ block }), (error) => gone || setFirst({ error }));
    return () => (gone = true);
  }, [JSON.stringify(of)]);
  const [asked, setAsked] = useState(0);
  const goal = useMemo(() => (first.block === undefined || first.block === null ? null : { block: first.block }), [first.block, asked]);
  return html`<section class="page filled">
    ${of[0] && of[1] && html`<div class="filters"><${Difference} first=${first} totals=${of.map((each) => each.total)} onGo=${() => setAsked(asked + 1)} /></div>`}
    <div class="pair">${seen.map((each, side) => html`<${Side} run=${runs[side]} seen=${each} goal=${goal} />`)}</div></section>`;
}

function Difference({ first, totals, onGo }) {
  if (first.error) return html`<${Problem} error=${first.error} />`;
  if (first.block === undefined) return html`<span class="faint">looking for the first difference</span>`;
  if (first.block === null) return html`<span>No difference in ${plural(totals[0], "turn")}.</span>`;
  const ended = totals.indexOf(first.block);
  return html`<span>The first difference: turn ${count(first.block + 1)}${ended >= 0 && `, where the ${["first", "second"][ended]} has ended`}</span><button onClick=${onGo}>to the first difference</button>`;
}

const Side = ({ run, seen, goal }) => html`<div class="side"><${Answered} of=${seen}>${(found) => html`<${Found} run=${run} found=${found} goal=${goal} />`}<//></div>`;

function Found({ run, found, goal }) {
  const own = useMemo(() => goal && { block: Math.min(goal.block, found.blocks - 1) }, [goal]);
  return html`<div class="head"><h2><a href=${runAddress(run)}>${run}</a></h2><${Badge} tone=${result(found)}>${result(found)}<//><span class="space"></span><a href=${episodeAddress(run, found.path)}>alone</a></div>
    <p class="faint">${found.path}: ${found.outcome || "so far"}; ${plural(found.phases.reduce((total, phase) => total + phase.calls, 0), "call")}</p>
    <${Conversation} run=${run} episode=${found.path} total=${found.blocks} goal=${own} live=${goesOn(found)} differs=${goal?.block} />`;
}

/** What a turn says. The outcome of a request is left out: it tells what comes later. */
const said = ({ kind, style, text, request, subject, flags }) => JSON.stringify(request ? [kind, request, subject] : [kind, style, text, flags]);

/** The first block that two conversations do not share; null: there is none. */
async function firstDifference(ours, theirs) {
  const [left, right] = [readParts(ours), readParts(theirs)];
  for (;;) {
    const [one, other] = await Promise.all([left.next(), right.next()]);
    if (one.done || other.done) return ours.total === theirs.total ? null : Math.min(ours.total, theirs.total);
    const [first, blocks] = one.value;
    const place = blocks.findIndex((block, at) => at >= other.value[1].length || said(block) !== said(other.value[1][at]));
    if (place >= 0) return first + place;
    if (other.value[1].length > blocks.length) return first + blocks.length;
  }
}
