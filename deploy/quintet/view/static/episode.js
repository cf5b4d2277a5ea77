// One episode: its conversation beside the tree of its subtasks, its search trees, its costs.
import { useMemo } from "preact/hooks";
import { episodeAddress, sidesAddress } from "view/address";
import { isOneFile, useAnswer, useEpisodes } from "view/api";
import { Phases } from "view/costs";
import { count, short } from "view/format";
import { ForksTab, Origin } from "view/fork";
import { html } from "view/html";
import { useKeys } from "view/keys";
import { Answered, Badge, Figure, result, Select, Tabs } from "view/parts";
import { Conversing } from "view/reading";
import { TreesTab } from "view/trees";

export function EpisodePage({ run, episode, tab = "conversation", query, list }) {
  const seen = useAnswer("episode", { run, episode }, goesOn);
  return html`<section class="page filled"><${Answered} of=${seen}>${(found) => html`<${Episode} run=${run} found=${found} tab=${tab} query=${query} list=${list} />`}<//></section>`;
}

function Neighbours({ run, path }) {
  const { episodes } = useEpisodes(run, false);
  const place = useMemo(() => episodes?.findIndex((each) => each.path === path) ?? -1, [episodes, path]);
  const begun = (step) => {
    for (let at = place + step; at >= 0 && at < episodes.length; at += step) if (episodes[at].state !== "not begun") return episodes[at];
    return null;
  };
  const [before, next] = place < 0 ? [null, null] : [begun(-1), begun(1)];
  const open = (other) => other && (location.hash = episodeAddress(run, other.path));
  useKeys([
    [["ArrowLeft"], "the episode before", () => open(before)],
    [["ArrowRight"], "the next episode", () => open(next)],
  ]);
  if (place < 0) return null;
  const link = (other, sign, title) => html`<a class="button ${other ? "" : "off"}" title=${other?.path} href=${other ? episodeAddress(run, other.path) : undefined} aria-label=${title}>${sign}</a>`;
  return html`<span class="neighbours">${link(before, "←", "the episode before")}${link(next, "→", "the next episode")}</span>`;
}

let kept = null; // {run, path}: an episode that a person wants to see beside another

/** Chooses an episode to compare with: the same task at another time or in another run, or one that was kept. */
function Beside({ run, found, list }) {
  const recorded = found.origin?.episode ?? found.path;
  const task = isOneFile ? recorded : recorded.split("/").slice(0, 2).join("/"); // a server finds its newest attempt
  const runs = (list.answer?.runs ?? []).flatMap((each) => [each, ...(each.arms ?? [])]).filter((each) => each.kind === "run" && each.run !== run && each.state !== "unreadable");
  const choices = [
    ...(kept && (kept.run !== run || kept.path !== found.path) ? [[`${kept.run}: ${kept.path}`, kept.run, kept.path]] : []),
    ...found.others.map((path) => [path, run, path]),
    ...runs.map((each) => [`${each.run}: ${task}`, each.run, task]),
  ];
  const choose = (chosen) => {
    if (chosen === "keep") kept = { run, path: found.path };
    else if (chosen) location.hash = sidesAddress([[run, found.path], choices[chosen].slice(1)]);
  };
  return html`<${Select} label="" value="" options=${[["", "compare with …"], ["keep", "another episode: open it now"], ...choices.map(([title], place) => [place, title])]} onChange=${choose} />`;
}

export const goesOn = (found) => found.state === null;

function Episode({ run, found, tab, query, list }) {
  const forks = useAnswer("forks", { run, episode: found.path }).answer ?? [];
  const sum = (key) => found.phases.reduce((total, phase) => total + phase[key], 0);
  const tabs = [
    ["conversation", "Conversation", episodeAddress(run, found.path), found.blocks],
    ...(found.searches ? [["tree", "Search tree", episodeAddress(run, found.path, "tree")]] : []),
    ...(forks.length ? [["forks", "Forks", episodeAddress(run, found.path, "forks"), forks.length]] : []),
    ["costs", "Costs", episodeAddress(run, found.path, "costs")],
  ];
  return html`<div class="head"><h1>${found.path}</h1><${Badge} tone=${result(found)}>${result(found)}<//><span class="on">${found.outcome}</span><span class="space"></span>
      ${found.attempts.length > 1 && html`<span class="attempts">attempts ${found.attempts.map((path, number) => html`<a class=${path === found.path ? "chosen" : ""} href=${episodeAddress(run, path)}>${number}</a>`)}</span>`}
      <${Beside} run=${run} found=${found} list=${list} /><${Neighbours} run=${run} path=${found.path} /></div>
    ${found.origin && html`<${Origin} run=${run} found=${found} />`}
    <div class="figures slim"><${Figure} title="requests">${count(found.requests.length)}<//><${Figure} title="calls">${count(sum("calls"))}<//><${Figure} title="read">${short(sum("prompt_tokens"))}<//><${Figure} title="written">${short(sum("completion_tokens"))}<//></div>
    <${Tabs} tabs=${tabs} chosen=${tab} />
    ${tab === "conversation" && html`<${Conversing} run=${run} found=${found} query=${query} live=${goesOn(found)} />`}
    ${tab === "tree" && html`<${TreesTab} run=${run} episode=${found.path} requests=${found.requests} live=${goesOn(found)} />`}
    ${tab === "forks" && forks.length > 0 && html`<${ForksTab} run=${run} episode=${found.path} forks=${forks} />`}
    ${tab === "costs" && html`<div class="scroll"><${Phases} phases=${found.phases} /></div>`}`;
}
