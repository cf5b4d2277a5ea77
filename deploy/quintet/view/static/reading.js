// How a person reads a conversation: where they are in it, and how they get to what they look for.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { episodeAddress, turnAddress } from "view/address";
import { Conversation, readParts, useBlocks } from "view/conversation";
import { count, plural } from "view/format";
import { html } from "view/html";
import { BEFORE, NEXT, useKeys } from "view/keys";
import { Outline } from "view/outline";
import { isFound, Waiting } from "view/parts";

export function Conversing({ run, found, query, live }) {
  const box = useRef(null);
  const [goal, setGoal] = useGoal(run, found, query);
  const [words, setWords] = useState("");
  const pattern = useMemo(() => (words ? new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu") : null), [words]);
  const hits = useHits(run, found, pattern);
  const marks = useMemo(() => found.marks.map((mark) => mark.block), [found.marks]);
  const underWay = useRef(null); // a block that a person goes to and has not come to yet: keys are faster than pages
  const here = () => (underWay.current === null ? whereabouts(box.current) : { block: underWay.current, isGoal: true });
  const go = (block) => {
    if (block < 0 || block >= found.blocks) return;
    underWay.current = block;
    setGoal({ block });
  };
  const step = (by) => {
    const { block, isGoal } = here();
    go(isGoal || by < 0 ? block + by : block);
  };
  const seek = (places, by) => places.length && go(nextOf(places, here(), by));
  useEffect(() => (underWay.current = null), [query]);
  useKeys(
    goal === undefined
      ? []
      : [
          [NEXT, "the next turn", () => step(1)],
          [BEFORE, "the turn before", () => step(-1)],
          [["n"], "the next rejected, cut-off or failed turn", () => seek(marks, 1)],
          [["p"], "the rejected, cut-off or failed turn before", () => seek(marks, -1)],
          [["f"], "the command that forks at this turn", () => box.current.querySelector(`[data-block="${here().block}"] > .fork-here`)?.click()],
        ],
  );
  if (goal === undefined) return html`<${Waiting} />`;
  const at = goal?.block ?? 0;
  const nested = found.requests.length > 1;
  // The address is that of the turn, but no step in the browser's history.
  const arrive = ({ block, path }) => {
    if (underWay.current === block) underWay.current = null;
    history.replaceState(null, "", turnAddress(run, found.path, { place: block, path }));
  };
  return html`<div class="filters">
      <input type="search" placeholder="search this episode" aria-label="search this episode" value=${words} onInput=${(event) => setWords(event.target.value)} onKeyDown=${(event) => event.key === "Enter" && seek(hits.places, event.shiftKey ? -1 : 1)} />
      ${pattern && html`<${Found} places=${hits.places} at=${goal?.block} reading=${hits.reading} error=${hits.error} onSeek=${seek} />`}
      <span class="space"></span>
      ${marks.length > 0 && html`<span class="marks faint">${kinds(found.marks)}</span><${Arrows} what="rejected, cut-off or failed turn" onSeek=${(by) => seek(marks, by)} />`}
    </div>
    <div class=${nested ? "split" : "split alone"} ref=${box}>
    ${nested && html`<aside class="outline rows"><${Outline} requests=${found.requests} chosen=${lastBefore(found.requests, at)} href=${(block) => episodeAddress(run, found.path, "", { block })} /></aside>`}
    <${Conversation} run=${run} episode=${found.path} total=${found.blocks} goal=${goal} live=${live} pattern=${pattern} onArrive=${arrive} /></div>`;
}

const Arrows = ({ what, onSeek }) => html`<button aria-label=${`the ${what} before`} onClick=${() => onSeek(-1)}>↑</button><button aria-label=${`the next ${what}`} onClick=${() => onSeek(1)}>↓</button>`;

function Found({ places, at, reading, error, onSeek }) {
  if (error) return html`<span class="bad">${error.message}</span>`;
  const place = places.indexOf(at);
  return html`<span class="found faint">${place < 0 ? "" : `${count(place + 1)} of `}${plural(places.length, "turn")}${reading && ", reading on"}</span>
    ${places.length > 0 && html`<${Arrows} what="found turn" onSeek=${(by) => onSeek(places, by)} />`}`;
}

function kinds(marks) {
  const counts = new Map();
  for (const { mark } of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return [...counts].map(([mark, number]) => `${count(number)} ${mark}`).join(", ");
}

/** The block that a person is at: the goal if it is in sight, or else the first that begins in sight. */
function whereabouts(box) {
  const conversation = box.querySelector(".conversation");
  const { top, bottom } = conversation.getBoundingClientRect();
  const inSight = (block) => {
    const place = block.getBoundingClientRect();
    return place.bottom > top && place.top < bottom;
  };
  const goal = conversation.querySelector(".block.goal");
  if (goal && inSight(goal)) return { block: Number(goal.dataset.block), isGoal: true };
  const first = [...conversation.querySelectorAll(".block")].find((block) => block.getBoundingClientRect().top >= top);
  return { block: Number(first?.dataset.block ?? 0), isGoal: false };
}

/** The next of some places, or the one before; around the end. */
function nextOf(places, { block, isGoal }, by) {
  if (by > 0) return places.find((place) => place > block || (place === block && !isGoal)) ?? places[0];
  return places.findLast((place) => place < block) ?? places.at(-1);
}

/** The block that the address asks for: undefined until it is found, null if it asks for none. */
function useGoal(run, found, query) {
  const [goal, setGoal] = useState(undefined);
  useEffect(() => {
    const place = Math.max(0, Number(query.block) || 0); // an address may say anything
    if (query.at === undefined) {
      setGoal(query.block === undefined ? null : { block: place });
      return undefined;
    }
    let gone = false;
    const hint = query.block === undefined ? blockOf(found.requests, query.at) : Math.min(place, found.blocks - 1);
    const look = async () => {
      for await (const [first, blocks] of readParts({ run, episode: found.path, total: found.blocks }, hint)) {
        const wanted = blocks[hint - first]?.path === query.at ? hint - first : blocks.findIndex((block) => block.path === query.at);
        if (gone || wanted >= 0) return first + wanted;
      }
      return hint;
    };
    look().catch(() => hint).then((block) => gone || setGoal({ block })); // the conversation says what is wrong
    return () => (gone = true);
  }, [query]);
  return [goal, setGoal];
}

/** The block of the innermost request that a path lies in. */
function blockOf(requests, path) {
  let best = null;
  for (const each of requests) if ((path === each.path || path.startsWith(`${each.path}/`)) && (!best || each.path.length > best.path.length)) best = each;
  return best?.block ?? 0;
}

/** The block of the last request that begins at or before a block. */
const lastBefore = (requests, at) => requests.reduce((found, each) => (each.block <= at ? each.block : found), 0);

/** The blocks in which a pattern is found: {places, reading, error}. They are read once somebody searches. */
function useHits(run, found, pattern) {
  const read = useBlocks({ run, episode: found.path, total: found.blocks }, Boolean(pattern));
  const places = useMemo(
    () => (pattern ? read.blocks.flatMap((block, place) => (isFound(block.text, pattern) || isFound(block.reasoning, pattern) ? [place] : [])) : []),
    [read, pattern],
  );
  return { places, reading: read.reading, error: read.error };
}
