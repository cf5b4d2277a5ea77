// The page: which of its parts the address asks for.
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { readAddress, runAddress, useAddress } from "view/address";
import { isOneFile, useAnswer } from "view/api";
import { ComparePage } from "view/compare";
import { EpisodePage } from "view/episode";
import { Folder } from "view/fork";
import { html } from "view/html";
import { Keys } from "view/keys";
import { Answered } from "view/parts";
import { RunPage } from "view/run";
import { RunsPage } from "view/runs";

const Mark = () => html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4 4.4 9.5 7.3 18.5h9.4l2.9-9z" /><circle cx="12" cy="4" r="2.6" /><circle cx="4.4" cy="9.5" r="2.6" /><circle cx="7.3" cy="18.5" r="2.6" /><circle cx="16.7" cy="18.5" r="2.6" /><circle cx="19.6" cy="9.5" r="2.6" /></svg>`;

function crumbs([page, run, episode], folder) {
  const name = run === "." ? folder?.split("/").at(-1) : run;
  if (page === "run") return [[name, null]];
  if (page === "episode") return [[name, runAddress(run)], [episode, null]];
  if (page === "compare") return [[name, runAddress(run)], [`beside ${episode}`, null]];
  return [];
}

function Top({ parts, folder }) {
  return html`<header class="top">
    <a class="brand" href="#/"><${Mark} />Quintet</a>
    ${crumbs(parts, folder).map(([title, href]) => html`<span class="crumb"><i>/</i>${href ? html`<a href=${href}>${title}</a>` : html`<b>${title}</b>`}</span>`)}
    <span class="space"></span>
    <span class="folder" title=${folder}>${folder}${isOneFile && html` <em>one file</em>`}</span>
  </header>`;
}

function Page({ parts, query, list }) {
  const [page, run, episode, tab] = parts;
  if (page === "run" && run) return html`<${RunPage} key=${run} run=${run} tab=${parts[2]} query=${query} list=${list} />`;
  if (page === "episode" && episode) return html`<${EpisodePage} key=${`${run}/${episode}`} run=${run} episode=${episode} tab=${tab} query=${query} list=${list} />`;
  if (page === "compare" && episode) return html`<${ComparePage} key=${`${run}/${episode}`} ours=${run} theirs=${episode} tasks=${parts.slice(3)} />`;
  return html`<${RunsPage} list=${list} />`;
}

function Viewer() {
  const { parts, query } = useAddress();
  const list = useAnswer("runs", {}, ({ runs }) => parts.length === 0 && runs.some((run) => run.state === "running"));
  const only = list.answer?.runs.length === 1 ? list.answer.runs[0] : null;
  useEffect(() => {
    if (only && readAddress().parts.length === 0) location.replace(runAddress(only.run)); // so that it is missed once it is gone
  }, [parts.length, only?.run]);
  useEffect(() => {
    document.title = [...crumbs(parts, list.answer?.folder).map(([name]) => name), "Quintet"].join(" · ");
  }, [parts.join("/"), list.answer?.folder]);
  return html`<${Top} parts=${parts} folder=${list.answer?.folder} />
    <${Folder.Provider} value=${list.answer?.folder ?? ""}><main>${parts.length === 0 ? html`<${Answered} of=${list}>${() => html`<${RunsPage} list=${list} />`}<//>` : html`<${Page} parts=${parts} query=${query} list=${list} />`}</main><//><${Keys} />`;
}

render(html`<${Viewer} />`, document.getElementById("app"));
