// The conversation of an episode, block by block, in parts that are asked for when they come into sight.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, isOneFile, useAnswer } from "view/api";
import { count, plural, seconds, short } from "view/format";
import { html } from "view/html";
import { Recalled } from "view/memory";
import { Answered, LongText } from "view/parts";

const PART = 300;

export function Conversation({ run, episode, total, goal = 0, at, live }) {
  const parts = Math.max(1, Math.ceil(total / PART));
  const [[first, last], setSight] = useState(() => [Math.min(Math.floor(goal / PART), parts - 1), Math.min(Math.floor(goal / PART), parts - 1)]);
  const end = useRef(null);
  useEffect(() => {
    const more = () => setSight(([low, high]) => [low, Math.min(high + 1, parts - 1)]);
    const observer = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && more(), { rootMargin: "800px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [parts, last]);
  const shown = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  return html`<div class="scroll conversation">
    ${first > 0 && html`<button class="more" onClick=${() => setSight([first - 1, last])}>earlier: ${plural(first * PART, "block")}</button>`}
    ${shown.map((part) => html`<${Part} key=${part} run=${run} episode=${episode} first=${part * PART} goal=${goal} at=${at} live=${live && part === parts - 1} />`)}
    <div ref=${end} class="end">${last < parts - 1 ? `${count(total - (last + 1) * PART)} more` : ""}</div></div>`;
}

function Part({ run, episode, first, goal, at, live }) {
  const seen = useAnswer("blocks", { run, episode, first, most: PART }, () => live);
  const box = useRef(null);
  const loaded = Boolean(seen.answer);
  useEffect(() => {
    if (!loaded || (goal === 0 && !at)) return;
    const exact = at ? seen.answer.blocks.findIndex((block) => block.path === at) : -1;
    const place = exact >= 0 ? exact : goal - first;
    const found = place >= 0 && place < PART ? box.current?.children[place] : null;
    if (!found) return;
    found.classList.add("goal");
    // What comes into sight gets its real height then, so one jump lands beside it.
    let jumps = 3;
    const jump = () => {
      found.scrollIntoView({ block: "start" });
      if ((jumps -= 1)) requestAnimationFrame(jump);
    };
    jump();
  }, [loaded]);
  return html`<${Answered} of=${seen}>${({ blocks }) => html`<div ref=${box}>${blocks.map((block, place) => html`<${Block} key=${place} run=${run} episode=${episode} block=${block} before=${callBefore(blocks, place)} />`)}</div>`}<//>`;
}

function callBefore(blocks, place) {
  if (!blocks[place].call) return null;
  for (let at = place - 1; at >= 0; at -= 1) if (blocks[at].prompt) return blocks[at].prompt;
  return null;
}

const indent = (block) => ({ marginLeft: `${14 * Math.min(Math.max((block.depth ?? 0) - 1, 0), 12)}px` });

const STRUCTURE = { exchanged: "request", call_made: "call", step_taken: "step", session_opened: "step", session_forked: "note" };

function Block({ run, episode, block, before }) {
  const kind = block.style === "note" ? "note" : block.kind === "episode_ended" || block.kind === "published" ? block.style : STRUCTURE[block.kind] ?? block.style;
  const content = { request: Requested, call: Call, step: Step }[kind];
  const picture = block.picture > 0 && html`<${Picture} run=${run} episode=${episode} block=${block} />`;
  return html`<div class="block ${kind} ${block.style}" style=${indent(block)} data-path=${block.path}>${content ? html`<${content} run=${run} episode=${episode} block=${block} before=${before} />` : html`<${Plain} run=${run} block=${block} />`}${picture}</div>`;
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

function Requested({ block }) {
  const good = /^(solved|completed)/.test(block.outcome ?? "");
  const poor = /^(unsolved|not completed|no )/.test(block.outcome ?? "");
  return html`<b>${block.request || block.kind}</b><span class="subject">${block.subject || block.text}</span>${block.outcome && html`<span class="outcome ${good ? "good" : poor ? "poor" : ""}">${block.outcome}</span>`}<small>${seconds(block.seconds)}</small>`;
}

const LABEL = /^(\s*(?:Thought|Think|Action|Observation|OK|Plan|Step \d+|Execution Order|Summary|Flaws?|Revision|Evaluation|Reflection|Answer|Value|Verdict|Subgoal)\b[^:\n]{0,24}:)/i;

/** Lines with what stands before their colon set apart, where it is a label that models are asked to write. */
const labelled = (text) => text.split("\n").map((line, place) => {
  const found = LABEL.exec(line);
  return html`${place > 0 && "\n"}${found ? html`<b class="label">${found[1]}</b>${line.slice(found[1].length)}` : line}`;
});

function Call({ run, episode, block, before }) {
  const [open, setOpen] = useState(false);
  return html`<header><i class="number">${block.call}</i><b>${block.phase}</b><span class="faint">${short(block.prompt_tokens ?? 0)} read, ${short(block.completion_tokens ?? 0)} written, ${seconds(block.seconds)}</span>${block.finish && block.finish !== "stop" && html`<em class="cut">${block.finish}</em>`}<span class="space"></span>
      ${block.prompt && html`<button class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? "▾" : "▸"} prompt</button>`}</header>
    ${open && html`<${Prompt} run=${run} episode=${episode} block=${block} before=${before} />`}
    ${block.reasoning && html`<details class="reasoning"><summary>reasoning</summary><div class="text">${block.reasoning}</div></details>`}
    ${block.text ? html`<${LongText} text=${block.text} lines=${24}>${labelled}<//>` : html`<span class="faint">(no text)</span>`}`;
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

function Step({ block }) {
  if (block.style === "action") return html`<b class="do">›</b><span class="text">${block.text}</span>`;
  const figures = Object.entries(block.figures ?? {});
  return html`${(block.flags?.length > 0 || block.reward > 0 || figures.length > 0) && html`<span class="flags">${block.flags?.map((flag) => html`<em class=${flag}>${flag}</em>`)}${block.reward > 0 && html`<em class="reward">reward ${block.reward}</em>`}${figures.map(([name, value]) => html`<em class="reward">${name} ${value}</em>`)}</span>`}${block.text.trim() ? html`<${LongText} text=${block.text} lines=${10} />` : html`<span class="faint">(nothing to see)</span>`}`;
}

const Plain = ({ run, block }) => html`<${LongText} text=${block.text} lines=${16} />${block.tuples && html`<${Recalled} run=${run} ids=${block.tuples} />`}`;
