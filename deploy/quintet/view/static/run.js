// One run: its figures, its episodes, its report, what it learnt and what it remembers.
import { address, runAddress } from "view/address";
import { useAnswer, useEpisodes } from "view/api";
import { Costs } from "view/costs";
import { EpisodeTable } from "view/episodes";
import { count, seconds, short, usd, when } from "view/format";
import { html } from "view/html";
import { MemoryTab } from "view/memory";
import { Answered, Badge, Figure, Interval, Notes, ProgressBar, Select, State, Tabs, TextTable } from "view/parts";
import { StudyPage } from "view/study";
import { OverTime } from "view/time";
import { VersionsTab } from "view/versions";

export function RunPage({ run, tab, query, list }) {
  const seen = useAnswer("run", { run }, ({ progress }) => progress.state === "running");
  return html`<${Answered} of=${seen}>${(found) =>
    found.type === "study" ? html`<${StudyPage} study=${found} query=${query} />` : html`<${Run} found=${found} tab=${tab} query=${query} list=${list} />`}<//>`;
}

function Run({ found, tab = "episodes", query, list }) {
  const { run, progress } = found;
  const live = progress.state === "running";
  const episodes = useEpisodes(run, live);
  const tabs = [
    ["episodes", "Episodes", runAddress(run), episodes.total],
    ["report", "Report", runAddress(run, "report")],
    ["costs", "Costs", runAddress(run, "costs")],
    ...(found.learns ? [["versions", "Versions", runAddress(run, "versions")]] : []),
    ...(found.remembers ? [["memory", "Memory", runAddress(run, "memory")]] : []),
    ["settings", "Settings", runAddress(run, "settings")],
  ];
  return html`<section class="page filled">
    <div class="head"><h1>${found.label}</h1><span class="on">on ${found.environment}</span><${Badge}>${found.model}<//><${State} state=${progress.state} /><span class="space"></span><${Beside} run=${run} list=${list} /></div>
    ${progress.reason && html`<p class="reason">${progress.reason}</p>`}
    ${found.damage.map((text) => html`<p class="problem">${text}</p>`)}
    <${Figures} found=${found} />
    <${Tabs} tabs=${tabs} chosen=${tab} />
    ${tab === "report" && html`<div class="scroll">${found.tables.map((table) => html`<${TextTable} table=${table} />`)}<${Notes} notes=${found.notes} /></div>`}
    ${tab === "costs" && html`<${Costs} found=${found} episodes=${episodes.episodes ?? []} />`}
    ${tab === "versions" && html`<${VersionsTab} run=${run} query=${query} />`}
    ${tab === "memory" && html`<${MemoryTab} run=${run} query=${query} />`}
    ${tab === "settings" && html`<${Settings} found=${found} />`}
    ${tab === "episodes" && html`<${EpisodeTable} found=${found} list=${episodes} live=${live} />`}
  </section>`;
}

function Figures({ found }) {
  const { progress, spent } = found;
  const live = progress.state === "running";
  const tokens = spent.prompt_tokens + spent.completion_tokens;
  return html`<div class="figures">
    <${Figure} title="success"><${Interval} of=${found.success} /><//>
    <div class="figure far"><small>episodes</small><b>${count(progress.ended ?? 0)}<span class="of"> of ${count(progress.episodes ?? 0)}</span></b><${ProgressBar} run=${progress} /></div>
    ${progress.faulted > 0 && html`<${Figure} title="faulted"><span class="bad">${count(progress.faulted)}</span><//>`}
    <${Figure} title="calls">${short(spent.calls)}<//>
    <${Figure} title="tokens" beside=${tokens ? `${short(spent.completion_tokens)} written` : ""}>${short(tokens)}<//>
    ${spent.usd > 0 && html`<${Figure} title="cost">${usd(spent.usd)}<//>`}
    <${OverTime} run=${found.run} live=${live} />
    ${live && progress.eta_seconds !== undefined && html`<${Figure} title="time left">${seconds(progress.eta_seconds)}<//>`}
    <${Figure} title="begun"><span class="small">${when(progress.created)}</span><//>
  </div>`;
}

/** Chooses a run to compare with. */
function Beside({ run, list }) {
  const runs = (list.answer?.runs ?? []).flatMap((each) => [each, ...(each.arms ?? [])]);
  const others = runs.filter((each) => each.kind === "run" && each.run !== run && each.state !== "unreadable");
  if (!others.length) return null;
  const options = [["", "compare with …"], ...others.map((each) => [each.run, each.run])];
  return html`<${Select} label="" value="" options=${options} onChange=${(other) => other && (location.hash = address(["compare", run, other]))} />`;
}

function Settings({ found }) {
  const rows = Object.entries(found.configuration).flatMap(([section, keys]) =>
    keys && typeof keys === "object" && !Array.isArray(keys) ? Object.entries(keys).map(([key, value]) => [`${section}.${key}`, value]) : [[section, keys]],
  );
  const named = (title, content) => html`<h3>${title}</h3><dl class="facts">${content.map(([key, value]) => html`<dt>${key}</dt><dd>${typeof value === "string" ? value : JSON.stringify(value)}</dd>`)}</dl>`;
  return html`<div class="scroll">${named("Configuration", rows)}
    ${named("Versions", [...Object.entries(found.packages), ...(found.commit ? [["commit", found.commit]] : [])])}
    ${named("Prompts (SHA-256)", Object.entries(found.prompts))}</div>`;
}
