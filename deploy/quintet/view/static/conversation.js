// The conversation of an episode, block by block, in parts that are asked for when they come into sight.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { turnAddress } from "view/address";
import { ask, isOneFile, useAnswer } from "view/api";
import { count, plural, seconds, short } from "view/format";
import { ForkHere } from "view/fork";
import { html } from "view/html";
import { Recalled } from "view/memory";
import { Answered, isFound, LongText } from "view/parts";

const PART = 300; // blocks, as in one_file.py

/** The blocks of a conversation, part by part, from the one that has a block to the one before it: [first, blocks]. */
export async function* readParts({ run, episode, total }, from = 0) {
  const parts = Math.max(1, Math.ceil(total / PART));
  for (let step = 0; step < parts; step += 1) {
    const first = ((Math.floor(from / PART) + step) % parts) * PART;
    yield [first, (await ask("blocks", { run, episode, first, most: PART })).blocks];
  }
}

/** All blocks of a conversation, part by part, once they are wanted: {blocks, reading, error}. */
export function useBlocks({ run, episode, total }, wanted) {
  const [read, setRead] = useState({ blocks: [], reading: true });
  useEffect(() => {
    if (!wanted) return undefined;
    let gone = false;
    const look = async () => {
      const all = [];
      for await (const [, blocks] of readParts({ run, episode, total })) {
        if (gone) return;
        all.push(...blocks);
        setRead((before) => (all.length < Math.min(before.blocks.length, total) ? before : { blocks: [...all], reading: all.length < total }));
      }
    };
    look().catch((error) => gone || setRead({ blocks: [], error }));
    return () => (gone = true);
  }, [wanted, episode, total]);
  return read;
}

/** Which of some parts are in the page: from the one with a goal on, as far as a person scrolls. `part`: that of the goal. */
export function useSight(parts, part, goal) {
  const [[first, last], setSight] = useState([part ?? 0, part ?? 0]);
  const end = useRef(null);
  useEffect(() => {
    if (!goal) return;
    setSight(([low, high]) => (part < low - 1 || part > high + 1 ? [part, part] : [Math.min(low, part), Math.max(high, part)]));
  }, [goal]);
  useEffect(() => {
    const more = () => setSight(([low, high]) => [low, Math.min(high + 1, parts - 1)]);
    const observer = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && more(), { rootMargin: "800px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [parts, last]);
  return { first, last, end, earlier: () => setSight([first - 1, last]) };
}

/** Scrolls to an element. What comes into sight gets its real height then, so one jump lands beside it. Returns how to stop. */
export function jumpTo(element) {
  let [jumps, frame] = [3, 0];
  const jump = () => {
    element.scrollIntoView({ block: "start" });
    if ((jumps -= 1)) frame = requestAnimationFrame(jump);
  };
  jump();
  return () => cancelAnimationFrame(frame);
}

/**
 * A conversation. `goal`: {block} to go to, each time it is another object. `pattern`: what to set apart.
 * `onArrive`: told {block, path} of a goal.
 */
export function Conversation({ run, episode, total, goal, live, pattern, onArrive }) {
  const parts = Math.max(1, Math.ceil(total / PART));
  const partOf = (block) => Math.min(Math.floor(block / PART), parts - 1);
  const { first, last, end, earlier } = useSight(parts, goal && partOf(goal.block), goal);
  const shown = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  return html`<div class="scroll conversation">
    ${first > 0 && html`<button class="more" onClick=${earlier}>earlier: ${plural(first * PART, "block")}</button>`}
    ${shown.map((part) => html`<${Part} key=${part} run=${run} episode=${episode} first=${part * PART} goal=${goal && partOf(goal.block) === part ? goal : null} live=${live && part === parts - 1} pattern=${pattern} onArrive=${onArrive} />`)}
    <div ref=${end} class="end">${last < parts - 1 ? `${count(total - (last + 1) * PART)} more` : ""}</div></div>`;
}

function Part({ run, episode, first, goal, live, pattern, onArrive }) {
  const seen = useAnswer("blocks", { run, episode, first, most: PART }, () => live);
  const box = useRef(null);
  const loaded = Boolean(seen.answer);
  useEffect(() => {
    const found = goal && loaded && box.current?.children[goal.block - first];
    if (!found) return undefined;
    const conversation = box.current.closest(".conversation");
    conversation.querySelectorAll(".block.goal").forEach((each) => each.classList.remove("goal"));
    found.classList.add("goal");
    onArrive?.({ block: goal.block, path: found.dataset.path });
    return jumpTo(found);
  }, [loaded, goal]);
  useEffect(() => setApart(box.current, pattern), [pattern, seen.answer]);
  // The same markup is not compared again: a person goes from turn to turn through thousands of blocks.
  return useMemo(
    () => html`<${Answered} of=${seen}>${({ blocks }) => html`<div ref=${box}>${blocks.map((block, place) => html`<${Block} key=${place} run=${run} episode=${episode} block=${block} place=${first + place} before=${callBefore(blocks, place)} pattern=${pattern} />`)}</div>`}<//>`,
    [seen, pattern],
  );
}

const MOST_APART = 2000; // in a part

/** Sets apart what a pattern finds in the texts of an element, without a change of its markup. */
function setApart(element, pattern) {
  if (!pattern || !element || !globalThis.Highlight) return undefined;
  if (!CSS.highlights.has("found")) CSS.highlights.set("found", new Highlight());
  const all = CSS.highlights.get("found");
  const ranges = [];
  for (const each of element.querySelectorAll(".text, .subject, .outcome")) {
    const found = [...each.textContent.matchAll(pattern)].slice(0, MOST_APART - ranges.length);
    if (found.length) ranges.push(...rangesIn(each, found));
  }
  ranges.forEach((range) => all.add(range));
  return () => ranges.forEach((range) => all.delete(range));
}

/** The ranges of what was found in the text of an element, which may be made of several nodes. */
function rangesIn(element, found) {
  const nodes = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let start = 0; texts.nextNode(); start += texts.currentNode.length) nodes.push([start, texts.currentNode]);
  const placeOf = (offset) => {
    const [start, node] = nodes.findLast(([first]) => first <= offset);
    return [node, offset - start];
  };
  return found.map(({ index, 0: words }) => {
    const range = new Range();
    range.setStart(...placeOf(index));
    range.setEnd(...placeOf(index + words.length));
    return range;
  });
}

/** The prompt of the call before a block, if that is a call itself. */
export function callBefore(blocks, place) {
  if (!blocks[place].call) return null;
  for (let at = place - 1; at >= 0; at -= 1) if (blocks[at].prompt) return blocks[at].prompt;
  return null;
}

const indent = (block) => ({ marginLeft: `${14 * Math.min(Math.max((block.depth ?? 0) - 1, 0), 12)}px` });

const STRUCTURE = { exchanged: "request", call_made: "call", step_taken: "step", session_opened: "step", session_forked: "note" };

/** One block. `before`: the prompt of the call before it. `differs`: whether it is marked as the first difference. */
export function Block({ run, episode, block, place, before, pattern, differs }) {
  const kind = block.style === "note" ? "note" : block.kind === "episode_ended" || block.kind === "published" ? block.style : STRUCTURE[block.kind] ?? block.style;
  const content = { request: Requested, call: Call, step: Step }[kind] ?? Plain;
  return html`<div class="block ${kind} ${block.style} ${block.kind} ${block.origin ?? ""} ${differs ? "differs" : ""}" style=${indent(block)} data-path=${block.path} data-block=${place}>
    <${content} run=${run} episode=${episode} block=${block} before=${before} pattern=${pattern} />
    ${block.picture > 0 && html`<${Picture} run=${run} episode=${episode} block=${block} />`}
    ${block.at && html`<${ForkHere} run=${run} episode=${episode} at=${block.at} />`}
    <a class="permalink" href=${turnAddress(run, episode, { place, path: block.path })} aria-label="link to this turn">#</a></div>`;
}

/** What the world showed: bytes that the server calls a picture, or that a page that is one file has in itself. */
function Picture({ run, episode, block }) {
  const query = { run, episode, at: block.path };
  const [source, setSource] = useState(isOneFile ? null : `/picture?${new URLSearchParams(query)}`);
  const [large, setLarge] = useState(false);
  useEffect(() => {
    if (isOneFile) ask("picture", query).then(setSource, () => setSource(""));
  }, []);
  if (source === "") return html`<p class="faint">picture (${count(block.picture)} bytes): left out of this file</p>`;
  return source && html`<button class="seen ${large ? "large" : ""}" aria-expanded=${large} aria-label="picture" onClick=${() => setLarge(!large)}><img src=${source} loading="lazy" decoding="async" alt="what the world showed, ${count(block.picture)} bytes" /></button>`;
}

const Requested = ({ block }) =>
  html`<b>${block.request || block.kind}</b><span class="subject">${block.subject || block.text}</span>${block.outcome && html`<span class="outcome ${block.tone ?? ""}">${block.outcome}</span>`}<small>${seconds(block.seconds)}</small>`;

const LABEL = /^(\s*(?:Thought|Think|Action|Observation|OK|Plan|Step \d+|Execution Order|Summary|Flaws?|Revision|Evaluation|Reflection|Answer|Value|Verdict|Subgoal)\b[^:\n]{0,24}:)/i;

/** Lines with what stands before their colon set apart, where it is a label that models are asked to write. */
const labelled = (text) => text.split("\n").map((line, place) => {
  const found = LABEL.exec(line);
  return html`${place > 0 && "\n"}${found ? html`<b class="label">${found[1]}</b>${line.slice(found[1].length)}` : line}`;
});

function Call({ run, episode, block, before, pattern }) {
  const [open, setOpen] = useState(false);
  return html`<header><i class="number">${block.call}</i><b>${block.phase}</b><span class="faint">${short(block.prompt_tokens ?? 0)} read, ${short(block.completion_tokens ?? 0)} written, ${seconds(block.seconds)}</span>${block.finish && block.finish !== "stop" && html`<em class="cut">${block.finish}</em>`}<span class="space"></span>
      ${block.prompt && html`<button class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? "▾" : "▸"} prompt</button>`}</header>
    ${open && html`<${Prompt} run=${run} episode=${episode} block=${block} before=${before} />`}
    ${block.reasoning && html`<details class="reasoning" open=${isFound(block.reasoning, pattern)}><summary>reasoning</summary><div class="text">${block.reasoning}</div></details>`}
    ${block.text ? html`<${LongText} text=${block.text} lines=${24} pattern=${pattern}>${labelled}<//>` : html`<span class="faint">(no text)</span>`}`;
}

const forests = new WeakMap(); // of an answer: its messages by their address

function chain(messages, address) {
  if (!forests.has(messages)) forests.set(messages, new Map(messages.map((message) => [message.address, message])));
  const found = [];
  for (let at = forests.get(messages).get(address); at; at = at.parent && forests.get(messages).get(at.parent)) found.push(at);
  return found.reverse();
}

function Prompt({ run, episode, block, before }) {
  const [seen, setSeen] = useState({});
  useEffect(() => {
    ask("prompts", { run, episode }).then((answer) => setSeen({ answer }), (error) => setSeen({ error }));
  }, [run, episode]);
  return html`<div class="prompt"><${Answered} of=${seen}>${(messages) => {
    const all = chain(messages, block.prompt);
    const same = all.findIndex((message) => message.address === before) + 1;
    return html`<p class="faint">${block.model}, temperature ${block.temperature ?? 0}, ${plural(all.length, "message")}</p>
      ${same > 0 && html`<details><summary>${plural(same, "message")} as in the call before</summary>${all.slice(0, same).map((message) => html`<${Message} message=${message} />`)}</details>`}
      ${all.slice(same).map((message) => html`<${Message} message=${message} />`)}`;
  }}<//></div>`;
}

const Message = ({ message }) => html`<div class="message ${message.role}"><small>${message.role}</small><${LongText} text=${message.content} lines=${30} /></div>`;

function Step({ block, pattern }) {
  if (block.style === "action") return html`<b class="do">›</b><span class="text">${block.text}</span>`;
  const figures = Object.entries(block.figures ?? {});
  return html`${(block.flags?.length > 0 || block.reward > 0 || figures.length > 0) && html`<span class="flags">${block.flags?.map((flag) => html`<em class=${flag}>${flag}</em>`)}${block.reward > 0 && html`<em class="reward">reward ${block.reward}</em>`}${figures.map(([name, value]) => html`<em class="reward">${name} ${value}</em>`)}</span>`}${block.text.trim() ? html`<${LongText} text=${block.text} lines=${10} pattern=${pattern} />` : html`<span class="faint">(nothing to see)</span>`}`;
}

const Plain = ({ run, block, pattern }) => html`<${LongText} text=${block.text} lines=${16} pattern=${pattern} />${block.tuples && html`<${Recalled} run=${run} version=${block.version} ids=${block.tuples} />`}`;
