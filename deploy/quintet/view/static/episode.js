// One episode: its conversation beside the tree of its subtasks, its search trees, its costs.
import { useMemo } from "preact/hooks";
import { address, episodeAddress, runAddress } from "view/address";
import { useAnswer, useEpisodes } from "view/api";
import { Conversation } from "view/conversation";
import { Phases } from "view/costs";
import { count, short } from "view/format";
import { html } from "view/html";
import { Outline } from "view/outline";
import { Answered, Badge, Figure, Tabs } from "view/parts";
import { TreesTab } from "view/trees";

export function EpisodePage({ run, episode, tab = "conversation", query }) {
  const seen = useAnswer("episode", { run, episode }, goesOn);
  return html`<section class="page filled"><${Answered} of=${seen}>${(found) => html`<${Episode} run=${run} found=${found} tab=${tab} query=${query} />`}<//></section>`;
}

function Neighbours({ run, path }) {
  const { episodes } = useEpisodes(run, false);
  const place = useMemo(() => episodes?.findIndex((each) => each.path === path) ?? -1, [episodes, path]);
  if (place < 0) return null;
  const begun = (from, step) => {
    for (let at = from + step; at >= 0 && at < episodes.length; at += step) if (episodes[at].state !== "not begun") return episodes[at];
    return null;
  };
  const link = (other, sign, title) => html`<a class="button ${other ? "" : "off"}" title=${other?.path} href=${other ? episodeAddress(run, other.path) : undefined} aria-label=${title}>${sign}</a>`;
  return html`<span class="neighbours">${link(begun(place, -1), "←", "the episode before")}${link(begun(place, 1), "→", "the next episode")}</span>`;
}

export const goesOn = (found) => found.state === null;

/** `success` or `failed` by its reward, or else how it is. */
export function result(found) {
  if (found.state === null) return "not ended";
  if (found.state === "faulted" || found.state === "interrupted") return found.state;
  if (found.path.startsWith("~")) return "done"; // a learner, which earns nothing
  return found.reward >= 1 ? "success" : "failed";
}

function Episode({ run, found, tab, query }) {
  const sum = (key) => found.phases.reduce((total, phase) => total + phase[key], 0);
  const tabs = [
    ["conversation", "Conversation", episodeAddress(run, found.path), found.blocks],
    ...(found.searches ? [["tree", "Search tree", episodeAddress(run, found.path, "tree")]] : []),
    ["costs", "Costs", episodeAddress(run, found.path, "costs")],
  ];
  return html`<div class="head"><h1>${found.path}</h1><${Badge} tone=${result(found)}>${result(found)}<//><span class="on">${found.outcome}</span><span class="space"></span>
      ${found.attempts.length > 1 && html`<span class="attempts">attempts ${found.attempts.map((path, number) => html`<a class=${path === found.path ? "chosen" : ""} href=${episodeAddress(run, path)}>${number}</a>`)}</span>`}
      <${Neighbours} run=${run} path=${found.path} /></div>
    <div class="figures slim"><${Figure} title="requests">${count(found.requests.length)}<//><${Figure} title="calls">${count(sum("calls"))}<//><${Figure} title="read">${short(sum("prompt_tokens"))}<//><${Figure} title="written">${short(sum("completion_tokens"))}<//></div>
    <${Tabs} tabs=${tabs} chosen=${tab} />
    ${tab === "conversation" && html`<${Conversing} run=${run} found=${found} query=${query} />`}
    ${tab === "tree" && html`<${TreesTab} run=${run} episode=${found.path} requests=${found.requests} live=${goesOn(found)} />`}
    ${tab === "costs" && html`<div class="scroll"><${Phases} phases=${found.phases} /></div>`}`;
}

/** The block of the innermost request that a path lies in. */
export function blockOf(requests, path) {
  let best = null;
  for (const each of requests) if ((path === each.path || path.startsWith(`${each.path}/`)) && (!best || each.path.length > best.path.length)) best = each;
  return best?.block ?? 0;
}

/** The block of the last request that begins at or before a block. */
const lastBefore = (requests, goal) => requests.reduce((found, each) => (each.block <= goal ? each.block : found), 0);

function Conversing({ run, found, query }) {
  const goal = query.block !== undefined ? Number(query.block) : query.at ? blockOf(found.requests, query.at) : 0;
  const nested = found.requests.length > 1;
  return html`<div class=${nested ? "split" : "split alone"}>
    ${nested && html`<aside class="outline rows"><${Outline} requests=${found.requests} chosen=${lastBefore(found.requests, goal)} href=${(block) => episodeAddress(run, found.path, "", { block })} /></aside>`}
    <${Conversation} key=${goal} run=${run} episode=${found.path} total=${found.blocks} goal=${goal} at=${query.at} live=${goesOn(found)} /></div>`;
}
