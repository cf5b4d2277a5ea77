// A run's memory or notebook: its types, its tuples or notes, and where each was recalled.
import { useState } from "preact/hooks";
import { episodeAddress } from "view/address";
import { ask, isOneFile, useAnswer } from "view/api";
import { count, plural } from "view/format";
import { html } from "view/html";
import { Answered, LongText, Select } from "view/parts";

const PAGE = 50;

export function MemoryTab({ run, query }) {
  const [version, setVersion] = useState(query.version);
  const [type, setType] = useState({});
  const [words, setWords] = useState("");
  const [first, setFirst] = useState(0);
  const seen = useAnswer("memory", { run, version });
  const chosen = useAnswer("tuples", { run, version, words, first, ...type });
  const choose = (next) => {
    setType(next);
    setFirst(0);
  };
  return html`<${Answered} of=${seen}>${(memory) => html`<div class="split">
    <aside class="outline">
      <${Select} label="version" value=${memory.version} options=${Object.keys(memory.versions).map((number) => [number, `${number} (${memory.kind === "notebook" ? memory.versions[number].notes + " notes" : memory.versions[number].tuples + " tuples"})`])} onChange=${(number) => (setVersion(number), setFirst(0))} />
      ${!isOneFile && html`<button class=${`type ${type.batch ? "" : "chosen"}`} onClick=${() => choose({})}><b>all ${memory.kind === "notebook" ? "notes" : "tuples"}</b><small>${count(memory.versions[memory.version][memory.kind === "notebook" ? "notes" : "tuples"])}</small></button>
      ${memory.types.map((each) => html`<${Type} each=${each} chosen=${type} onChoose=${choose} />`)}`}
    </aside>
    <div class="scroll">
      ${!isOneFile && html`<div class="filters"><input type="search" placeholder="words" aria-label="words" value=${words} onChange=${(event) => (setWords(event.target.value), setFirst(0))} /></div>`}
      <${Answered} of=${chosen}>${(page) => html`
        ${page.tuples.length === 0 && html`<p class="empty">None.</p>`}
        ${page.tuples.map((each) => html`<${Remembered} key=${each.id} run=${run} found=${each} />`)}
        <div class="pager">${first > 0 && html`<button onClick=${() => setFirst(first - PAGE)}>earlier</button>`}<span class="faint">${count(first + 1)} to ${count(first + page.tuples.length)}</span>${page.more && html`<button onClick=${() => setFirst(first + PAGE)}>later</button>`}</div>`}<//>
    </div></div>`}<//>`;
}

function Type({ each, chosen, onChoose }) {
  const mine = { batch: each.batch, goal_type: each.goal_type, ...(each.observation_type === null ? {} : { observation_type: each.observation_type }) };
  const isChosen = chosen.batch === mine.batch && chosen.goal_type === mine.goal_type && chosen.observation_type === mine.observation_type;
  return html`<button class=${`type ${each.observation_type === null ? "goal" : ""} ${isChosen ? "chosen" : ""}`} title=${each.examples.join("\n")} onClick=${() => onChoose(mine)}>
    <span>${each.observation_type === null ? html`<i>${each.batch}</i>` : ""}${each.name}</span><small>${count(each.tuples)}</small></button>`;
}

/** A tuple or a note. */
function Remembered({ run, found }) {
  return found.note ? html`<${Note} run=${run} found=${found} />` : html`<${Tuple} run=${run} found=${found} />`;
}

function Note({ run, found }) {
  const { version, score, stored } = found.note;
  const { note } = stored;
  const votes = ["helpful", "harmful", "recalled"].filter((name) => stored[name]).map((name) => `, ${name} ${stored[name]}`).join("");
  const state = stored.state === "active" ? "" : ", replaced";
  return html`<article class="card tuple">
    <header><b>${note.title || note.section || "note"}</b><span class="faint">version ${version}${note.section && `, ${note.section}`}${note.task_type && `, for ${note.task_type}`}${votes}${state}${score !== null && score !== undefined ? `, score ${score.toFixed(2)}` : ""}</span><span class="space"></span>
      ${note.episode && (!note.run && /\/\d+\/\d+$/.test(note.episode) ? html`<a href=${episodeAddress(run, note.episode)}>from ${note.episode}</a>` : html`<span>from ${note.run} ${note.episode}</span>`)}</header>
    <dl>${["description", "text", "about"].filter((field) => note[field]).map((field) => html`<dt>${field}</dt><dd class=${field}><${LongText} text=${note[field]} lines=${5} /></dd>`)}</dl>
    <${Recalls} run=${run} found=${found} />
  </article>`;
}

function Recalls({ run, found }) {
  return html`<footer>${found.recalls === 0 ? html`<span class="faint">never recalled</span>` : html`<details><summary>recalled ${plural(found.recalls, "time")}</summary>
      <ul class="recalls">${found.paths.map((path) => html`<li><a href=${episodeAddress(run, path.split("/").slice(0, 3).join("/"), "", { at: path })}>${path}</a></li>`)}${found.recalls > found.paths.length && html`<li class="faint">and ${count(found.recalls - found.paths.length)} more</li>`}</ul></details>`}</footer>`;
}

function Tuple({ run, found }) {
  const { tuple, version, batch, number, score } = found.shown;
  return html`<article class="card tuple">
    <header><b>${tuple.goal}</b><span class="faint">version ${version}, batch ${batch}, type ${tuple.goal_type}.${tuple.observation_type}, step ${number + 1}, reward ${tuple.reward}${score !== null && score !== undefined ? `, score ${score.toFixed(2)}` : ""}</span><span class="space"></span>
      ${tuple.source && (/\/\d+\/\d+$/.test(tuple.source) ? html`<a href=${episodeAddress(run, tuple.source)}>from ${tuple.source}</a>` : html`<span>from ${tuple.source}</span>`)}</header>
    <dl>${["observation", "evaluation", "summary", "action"].filter((field) => tuple[field]).map((field) => html`<dt>${field}</dt><dd class=${field}><${LongText} text=${tuple[field]} lines=${5} /></dd>`)}</dl>
    <${Recalls} run=${run} found=${found} />
  </article>`;
}

/** What was recalled at once, when a person wants to see it. */
export function Recalled({ run, version, ids }) {
  const [seen, setSeen] = useState(null);
  const look = (event) => {
    if (event.target.open && !seen) ask("recalled", { run, version, ids: ids.join(",") }).then((answer) => setSeen({ answer }), (error) => setSeen({ error }));
  };
  return html`<details class="recalled" onToggle=${look}><summary>${count(ids.length)} recalled</summary>${seen && html`<${Answered} of=${seen}>${(page) => page.tuples.map((each) => html`<${Remembered} key=${each.id} run=${run} found=${each} />`)}<//>`}</details>`;
}
