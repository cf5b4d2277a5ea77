// What a run spent: by what its calls were for, and by the tasks' metadata.
import { count, plural, short, usd } from "view/format";
import { html } from "view/html";

export function Phases({ phases, title = "By phase" }) {
  const most = Math.max(1, ...phases.map((phase) => phase.prompt_tokens + phase.completion_tokens));
  const ordered = [...phases].sort((one, other) => other.prompt_tokens + other.completion_tokens - one.prompt_tokens - one.completion_tokens);
  const priced = phases.some((phase) => phase.usd);
  return html`<figure class="report"><figcaption>${title}</figcaption><table class="costs">
    <thead><tr><th></th><th></th><th>calls</th><th>read</th><th>written</th><th>tokens a call</th>${priced && html`<th>cost</th>`}</tr></thead>
    <tbody>${ordered.map((phase) => html`<tr><td>${phase.phase || "all"}</td>
      <td class="bars"><div class="bar"><i class="read" title="read" style=${{ width: `${(100 * phase.prompt_tokens) / most}%` }}></i><i class="written" title="written" style=${{ width: `${(100 * phase.completion_tokens) / most}%` }}></i></div></td>
      <td>${count(phase.calls)}</td><td>${count(phase.prompt_tokens)}</td><td>${count(phase.completion_tokens)}</td>
      <td>${short(Math.round((phase.prompt_tokens + phase.completion_tokens) / Math.max(1, phase.calls)))}</td>${priced && html`<td>${usd(phase.usd)}</td>`}</tr>`)}</tbody></table></figure>`;
}

function summed(name, episodes) {
  const sum = (key) => episodes.reduce((total, episode) => total + (episode[key] ?? 0), 0);
  return { phase: `${name} (${plural(episodes.length, "episode")})`, calls: sum("calls"), prompt_tokens: sum("prompt_tokens"), completion_tokens: sum("completion_tokens"), usd: sum("usd") };
}

export function Costs({ found, episodes }) {
  const begun = episodes.filter((episode) => episode.calls);
  const groups = Object.entries(found.metadata).filter(([, values]) => values.length > 1 && values.length <= 12);
  const by = (value, of) => summed(value, begun.filter(of));
  const dearest = [...begun].sort((one, other) => other.prompt_tokens + other.completion_tokens - one.prompt_tokens - one.completion_tokens).slice(0, 10);
  return html`<div class="scroll">
    <${Phases} title="By phase, all attempts" phases=${found.phases} />
    <${Phases} title="By result" phases=${[["success", true], ["failed", false], ["no result", undefined]].map(([name, success]) => by(name, (episode) => episode.success === success)).filter((each) => each.calls)} />
    ${groups.map(([label, values]) => html`<${Phases} title=${`By ${label}`} phases=${values.map((value) => by(value, (episode) => episode.metadata?.[label] === value)).filter((each) => each.calls)} />`)}
    <${Phases} title="The ten dearest episodes" phases=${dearest.map((episode) => ({ usd: 0, ...episode, phase: episode.path }))} />
  </div>`;
}
