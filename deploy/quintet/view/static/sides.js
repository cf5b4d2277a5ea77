// Conversations side by side, step beside step, and where each begins to differ from the first.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { episodeAddress, runAddress } from "view/address";
import { useAnswer } from "view/api";
import { Block, callBefore, jumpTo, useBlocks, useSight } from "view/conversation";
import { goesOn } from "view/episode";
import { count, plural } from "view/format";
import { html } from "view/html";
import { Answered, Badge, Problem, result } from "view/parts";

const PART = 50; // steps

/** `sides`: [[run, episode]]. */
export function Sides({ sides }) {
  const seen = sides.map(([run, episode]) => useAnswer("episode", { run, episode }, goesOn));
  const read = sides.map(([run], side) => useBlocks({ run, episode: seen[side].answer?.path, total: seen[side].answer?.blocks }, Boolean(seen[side].answer)));
  const all = read.map(({ blocks }) => blocks);
  const ends = useMemo(() => all.map(endsOfSteps), all);
  const differs = useMemo(() => read.map((each, side) => (side ? firstDifference(read[0], each) : null)), read);
  const stepOf = (side) => rowOf(ends[side], ends[0], differs[side]);
  const rows = differs.flatMap((block, side) => (block === null || block === undefined ? [] : [stepOf(side)]));
  const first = rows.length ? Math.min(...rows) : null;
  const [asked, setAsked] = useState(null); // {row}
  const goal = useMemo(() => asked ?? (first === null ? null : { row: first }), [asked, first]);
  const error = read.find((each) => each.error)?.error;
  return html`<section class="page filled">${error && html`<${Problem} error=${error} />`}
    <div class="scroll conversation sides" style=${{ "--sides": sides.length }}>
      <div class="turn heads">${seen.map((each, side) => html`<div class="side"><${Answered} of=${each}>${(of) => html`<${Head} run=${sides[side][0]} found=${of}>
        ${side > 0 && html`<${Difference} differs=${differs[side]} step=${stepOf(side)} ended=${[0, side].find((one) => !read[one].reading && all[one].length === differs[side])} total=${of.blocks} onGo=${() => setAsked({ row: stepOf(side) })} />`}<//>`}<//></div>`)}</div>
      <${Turns} sides=${sides.map(([run, episode], side) => [run, seen[side].answer?.path ?? episode])} all=${all} ends=${ends} goal=${goal} marked=${differs.map((block, side) => (side ? [block] : differs))} />
    </div></section>`;
}

function Head({ run, found, children }) {
  return html`<div class="head"><h2><a href=${runAddress(run)}>${run}</a></h2><${Badge} tone=${result(found)}>${result(found)}<//><span class="space"></span><a href=${episodeAddress(run, found.path)}>alone</a></div>
    <p class="faint">${found.path}: ${found.outcome || "so far"}; ${plural(found.phases.reduce((total, phase) => total + phase.calls, 0), "call")}</p>
    ${found.origin && html`<p class="faint">goes on from ${found.origin.episode} at ${found.origin.at}${found.origin.changes.length > 0 && `, with ${found.origin.changes.join(", ")}`}</p>`}<p>${children}</p>`;
}

function Difference({ differs, step, ended, total, onGo }) {
  if (differs === undefined) return html`<span class="faint">looking for the first difference</span>`;
  if (differs === null) return html`<span>No difference in ${plural(total, "turn")}.</span>`;
  return html`<button class="link" onClick=${onGo}>The first difference: step ${count(step + 1)}${ended !== undefined && `, where ${ended ? "this one" : "the first"} has ended`}</button>`;
}

function Turns({ sides, all, ends, goal, marked }) {
  const rows = Math.max(...ends.map((each) => each.length));
  const parts = Math.max(1, Math.ceil(rows / PART));
  const { first, last, end, earlier } = useSight(parts, goal && Math.floor(goal.row / PART), goal);
  const box = useRef(null);
  useEffect(() => {
    const row = goal && box.current.children[goal.row - first * PART];
    return row ? jumpTo(row) : undefined;
  }, [goal, first]);
  const shown = Array.from({ length: Math.max(0, Math.min((last + 1) * PART, rows) - first * PART) }, (_, place) => first * PART + place);
  const cells = (row) => sides.map(([run, episode], side) => {
    const [from, to] = [row ? ends[side][row - 1] ?? Infinity : 0, ends[side][row]];
    return { run, episode, blocks: all[side], from, to, marked: marked[side].filter((block) => block >= from && block < to).join() };
  });
  return html`${first > 0 && html`<button class="more" onClick=${earlier}>earlier: ${plural(first * PART, "step")}</button>`}
    <div ref=${box}>${shown.map((row) => html`<${Turn} key=${row} step=${row + 1} cells=${cells(row)} />`)}</div>
    <div ref=${end} class="end">${last < parts - 1 ? `${count(rows - (last + 1) * PART)} more` : ""}</div>`;
}

/** A step of each side. The same markup is not compared again: what is read later changes nothing here. */
function Turn({ step, cells }) {
  const shown = ({ run, episode, blocks, from, to, marked }) =>
    blocks.slice(from, to).map((block, place) => html`<${Block} key=${from + place} run=${run} episode=${episode} block=${block} place=${from + place} before=${callBefore(blocks, from + place)} differs=${marked.split(",").includes(String(from + place))} />`);
  return useMemo(
    () => html`<div class="turn" data-step=${step}>${cells.map((cell) => html`<div class="side">${shown(cell)}</div>`)}</div>`,
    cells.flatMap(({ blocks, from, to, marked }) => [blocks[from], blocks[to - 1], from, to, marked]),
  );
}

/** Where the blocks of each step end: with what the world said to it. What follows the last step is a step of its own. */
function endsOfSteps(blocks) {
  const ends = blocks.flatMap((block, place) => (block.kind === "step_taken" && block.style !== "action" ? [place + 1] : []));
  return ends.at(-1) === blocks.length ? ends : [...ends, blocks.length];
}

/** The row that a block stands in, of this conversation or, if it has ended before, of the first. */
function rowOf(ends, others, block) {
  const row = ends.findIndex((end) => block < end);
  return row < 0 ? Math.max(0, others.findIndex((end) => block < end)) : row;
}

/** What a turn says. The outcome of a request is left out: it tells what comes later. */
const said = ({ kind, style, text, request, subject, flags }) => JSON.stringify(request ? [kind, request, subject] : [kind, style, text, flags]);

/** The first block that two conversations do not share; null: there is none; undefined: it is not read yet. */
function firstDifference({ blocks: ours, reading: one }, { blocks: theirs, reading: other }) {
  const shared = Math.min(ours.length, theirs.length);
  for (let place = 0; place < shared; place += 1) if (said(ours[place]) !== said(theirs[place])) return place;
  if (one || other) return undefined;
  return ours.length === theirs.length ? null : shared;
}
