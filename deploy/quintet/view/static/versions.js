// What a run learnt, and how any two of its versions differ.
import { episodeAddress, runAddress } from "view/address";
import { useAnswer } from "view/api";
import { html } from "view/html";
import { Answered, Badge, LongText, Select, TextTable } from "view/parts";

export function VersionsTab({ run, query }) {
  const seen = useAnswer("versions", { run }, ({ versions }) => !versions.some((version) => version.chosen));
  return html`<${Answered} of=${seen}>${(found) => html`<${Versions} run=${run} found=${found} query=${query} />`}<//>`;
}

function Versions({ run, found, query }) {
  const numbers = found.versions.map((version) => version.number);
  if (!numbers.length) return html`<p class="empty">No version is published yet.</p>`;
  const changed = [...found.versions].reverse().find((version) => version.outcome === "changed") ?? found.versions.at(-1);
  const after = Number(query.after ?? changed.number);
  const before = Number(query.before ?? Math.max(0, after - 1));
  const go = (part) => (location.hash = runAddress(run, "versions", { before, after, ...part }));
  const version = found.versions.find((each) => each.number === after) ?? found.versions.at(-1);
  const options = numbers.map((number) => [number, `version ${number}`]);
  return html`<div class="split">
    <aside class="outline"><ol class="versions">${found.versions.map(
      (each) => html`<li class=${each.number === after ? "chosen" : ""}><a href=${runAddress(run, "versions", { after: each.number })}>
        <b>version ${each.number}</b>${each.chosen && html`<${Badge} tone="good">chosen<//>`}<span>${each.size}${each.outcome && `, ${each.outcome}`}</span>
        ${each.test !== "-" && html`<span class="score">test ${each.test}</span>`}${each.held_out !== "-" && html`<span class="score">held out ${each.held_out}</span>`}</a></li>`,
    )}</ol><p><a href=${episodeAddress(run, "~learn/0/0")}>the learner's own conversation</a></p></aside>
    <div class="scroll">
      <div class="filters"><${Select} label="from" value=${before} options=${options} onChange=${(value) => go({ before: value })} /><${Select} label="to" value=${after} options=${options} onChange=${(value) => go({ after: value })} />
        ${version.batch !== "-" && html`<span class="faint">made from a batch that solved ${version.batch}</span>`}</div>
      ${version.failures.map((text) => html`<p class="reason">${text}</p>`)}
      <${Changes} run=${run} before=${before} after=${after} />
      ${version.content && html`<h3>The whole ${found.kind} of version ${version.number}</h3><div class="card mono"><${LongText} text=${version.content} lines=${40} /></div>`}
      ${version.document && html`<h3>The lessons that led to it</h3><div class="card"><${LongText} text=${version.document} lines=${40} /></div>`}
      <${TextTable} table=${found.table} />
    </div></div>`;
}

function Changes({ run, before, after }) {
  const seen = useAnswer("changes", { run, before, after });
  return html`<h3>From version ${before} to version ${after}</h3><${Answered} of=${seen}>${(lines) =>
    lines.length
      ? html`<div class="diff">${lines.map((line) => html`<div class=${line.style}>${line.text}</div>`)}</div>`
      : html`<p class="faint">No line changed.</p>`}<//>`;
}
