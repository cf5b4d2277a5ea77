// All runs and studies of the folder.
import { useState } from "preact/hooks";
import { address, runAddress } from "view/address";
import { count, percent, plural, seconds, short, usd, when } from "view/format";
import { html } from "view/html";
import { useRowKeys } from "view/keys";
import { ProgressBar, State } from "view/parts";

function Row({ run, arm, chosen, onChoose }) {
  const [open, setOpen] = useState(false);
  const arms = run.arms ?? [];
  return html`<tr class=${arm ? "arm" : ""}>
      <td class="choose">${run.kind === "run" && run.state !== "unreadable" && html`<input type="checkbox" aria-label=${`compare ${run.run}`} checked=${chosen.includes(run.run)} onChange=${() => onChoose(run.run)} />`}</td>
      <td class="name">
        ${arms.length > 0 && html`<button class="fold" aria-expanded=${open} aria-label="arms" onClick=${() => setOpen(!open)}>${open ? "▾" : "▸"}</button>`}
        ${run.state === "unreadable" ? html`<b>${run.name}</b>` : html`<a href=${runAddress(run.run)}>${run.run === "." ? run.name : arm ? run.name : run.run}</a>`}
        ${run.kind === "study" && html`<span class="kind">study of ${plural(arms.length + (run.arms_waiting ?? 0), "arm")}</span>`}
        ${run.reason && html`<p class="reason">${run.reason}</p>`}</td>
      <td>${run.kind === "study" ? "" : run.label}</td><td class="model">${run.model}</td>
      <td><${State} state=${run.state} /></td>
      <td class="progress"><${ProgressBar} run=${run} /><small>${count(run.ended ?? 0)} of ${count(run.episodes ?? 0)}</small></td>
      <td class="number">${run.success === null || run.success === undefined ? "" : percent(run.success)}</td>
      <td class="number">${short(run.calls ?? 0)}</td><td class="number">${short(run.tokens ?? 0)}</td>
      <td class="number">${usd(run.usd || null)}</td>
      <td class="number">${run.eta_seconds !== undefined ? seconds(run.eta_seconds) : ""}</td>
      <td class="number">${when(run.created)}</td>
    </tr>${open && arms.map((each) => html`<${Row} run=${each} arm chosen=${chosen} onChoose=${onChoose} />`)}`;
}

export function RunsPage({ list }) {
  const [chosen, setChosen] = useState([]);
  const choose = (run) => setChosen((before) => (before.includes(run) ? before.filter((each) => each !== run) : [...before, run].slice(-2)));
  useRowKeys(".runs .name a");
  const { runs } = list.answer;
  const usual = runs.some((run) => run.usd);
  return html`<section class="page">
    <div class="head"><h1>Runs</h1><span class="faint">${plural(runs.length, "run")} and studies, the newest first</span><span class="space"></span>
      <a class="button ${chosen.length === 2 ? "" : "off"}" href=${chosen.length === 2 ? address(["compare", ...chosen]) : "#/"}>Compare ${chosen.length === 2 ? "two runs" : `(choose ${2 - chosen.length})`}</a></div>
    ${runs.length === 0
      ? html`<p class="empty">No run here yet. <code>quintet eval react textcraft --model sim-weak</code> makes one; this page shows it as it goes.</p>`
      : html`<div class="wide"><table class="runs ${usual ? "" : "unpriced"}"><thead><tr><th></th><th>run</th><th>method</th><th>model</th><th>state</th><th>episodes</th><th class="number">success</th><th class="number">calls</th><th class="number">tokens</th><th class="number">cost</th><th class="number">left</th><th class="number">begun</th></tr></thead>
        <tbody>${runs.map((run) => html`<${Row} key=${run.run} run=${run} chosen=${chosen} onChoose=${choose} />`)}</tbody></table></div>`}
  </section>`;
}
