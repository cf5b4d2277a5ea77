// Forks: the command that makes one from a turn, what an episode goes on from, and the episodes that go on from one.
import { createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { episodeAddress, sidesAddress, turnAddress } from "view/address";
import { count, plural } from "view/format";
import { html } from "view/html";
import { Badge, result } from "view/parts";

/** The folder that is viewed; the ids of runs are paths from there. */
export const Folder = createContext("");

/** An argument as a shell reads it back. */
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);

/** The command that forks an episode. Its run is a path that holds in every folder. */
function forkCommand(folder, run, episode, at) {
  const path = run === "." ? folder : `${folder.replace(/\/$/, "")}/${run}`;
  const named = `${quoted(path)} ${quoted(episode)}`;
  return episode.startsWith("-") ? `quintet fork --at ${at} -- ${named}` : `quintet fork ${named} --at ${at}`;
}

const Fork = () => html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 5v6M12 5c0 4-8 2-8 6" /><circle cx="4" cy="3" r="2" /><circle cx="12" cy="3" r="2" /><circle cx="4" cy="13" r="2" /></svg>`;

/** A button that copies the command that forks at a place, and shows it. */
export function ForkHere({ run, episode, at }) {
  const command = forkCommand(useContext(Folder), run, episode, at);
  const [shown, setShown] = useState(null); // {copied}
  const show = () => navigator.clipboard.writeText(command).then(() => setShown({ copied: true }), () => setShown({ copied: false }));
  return html`<button class="fork-here" title="fork at ${at}" aria-label="fork at ${at}" onClick=${show}><${Fork} /></button>
    ${shown && html`<dialog class="command" aria-label="fork at ${at}" ref=${(dialog) => dialog?.open === false && dialog.showModal()} onClose=${() => setShown(null)}>
      <h3>Fork at ${at}</h3><pre tabindex="0">${command}</pre>
      <p class="faint" role="status">${shown.copied ? "The command is copied." : "Select the command to copy it: the browser did not."} The fork takes what was recorded before ${at} and goes on from there. Say what is to be different: --act, --say, --observe, --add-note, --model, --set, --times.</p>
      <form method="dialog"><button class="button">close</button></form></dialog>`}`;
}

/** What an episode of a fork goes on from. */
export function Origin({ run, found }) {
  const { origin, path } = found;
  const recorded = `${origin.run ?? origin.folder}: ${origin.episode}`;
  return html`<p class="reason origin">goes on from ${origin.run === null ? html`<b title="it does not lie in the folder that is viewed">${recorded}</b>` : html`<a href=${episodeAddress(origin.run, origin.episode)}>${recorded}</a>`} at ${origin.at}${origin.changes.length > 0 && `, with ${origin.changes.join(", ")}`}
    ${origin.block !== null && html` · <a href=${turnAddress(run, path, { place: origin.block })}>to its live part</a>`}
    ${origin.run !== null && html` · <a href=${sidesAddress([[origin.run, origin.episode], [run, path]])}>side by side</a>`}</p>`;
}

const FIRST = 3; // that are beside the recorded episode until a person chooses others

/** The episodes that go on from a recorded one. */
export function ForksTab({ run, episode, forks }) {
  const name = (fork) => `${fork.run}: ${fork.path}`;
  const [chosen, setChosen] = useState(() => forks.slice(0, FIRST).map(name));
  const sides = useMemo(() => forks.filter((fork) => chosen.includes(name(fork))).map((fork) => [fork.run, fork.path]), [forks, chosen]);
  const choose = (fork) => setChosen(chosen.includes(name(fork)) ? chosen.filter((each) => each !== name(fork)) : [...chosen, name(fork)]);
  return html`<div class="filters"><a class="button ${sides.length ? "" : "off"}" href=${sides.length ? sidesAddress([[run, episode], ...sides]) : undefined}>side by side with ${plural(sides.length, "fork")}</a></div>
    <div class="scroll"><table class="runs forks"><thead><tr><th></th><th>goes on at</th><th>with</th><th class="number">draw</th><th>episode</th><th>result</th><th class="number">reward</th><th class="number">steps</th><th>reason</th></tr></thead>
      <tbody>${forks.map((fork) => html`<tr key=${name(fork)}>
        <td class="choose"><input type="checkbox" aria-label=${`beside it: ${name(fork)}`} checked=${chosen.includes(name(fork))} onChange=${() => choose(fork)} /></td>
        <td>${fork.at}</td><td>${fork.changes.join(", ")}</td><td class="number">${fork.draw || ""}</td>
        <td class="name"><a href=${episodeAddress(fork.run, fork.path)}>${name(fork)}</a></td>
        <td><${Badge} tone=${result(fork)}>${result(fork)}<//></td><td class="number">${fork.state === null ? "" : fork.reward}</td><td class="number">${count(fork.steps)}</td><td>${fork.reason}</td></tr>`)}</tbody></table></div>`;
}
