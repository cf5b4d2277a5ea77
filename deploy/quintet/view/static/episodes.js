// The episodes of a run: filters, and a table of which only the rows in sight are in the page.
import { useMemo, useState } from "preact/hooks";
import { episodeAddress } from "view/address";
import { count, seconds, short, usd } from "view/format";
import { html } from "view/html";
import { useRowKeys } from "view/keys";
import { Problem, Select, Verdict, verdict, VirtualRows, Waiting } from "view/parts";

const STATES = [
  ["all", "all", () => true],
  ["success", "success", (episode) => episode.success === true],
  ["failed", "failed", (episode) => episode.success === false],
  ["faulted", "faulted", (episode) => episode.state === "faulted"],
  ["interrupted", "interrupted", (episode) => episode.state === "interrupted"],
  ["short", "cut short", (episode) => episode.cut_short],
  ["cut", "cut off", (episode) => episode.cut_off],
  ["wrong", "wrong claim", (episode) => episode.success !== undefined && episode.claimed !== undefined && episode.claimed !== episode.success],
  ["running", "running", (episode) => episode.state === "unfinished"],
  ["waiting", "not begun", (episode) => episode.state === "not begun"],
];

const tokens = (episode) => (episode.prompt_tokens ?? 0) + (episode.completion_tokens ?? 0);

const COLUMNS = {
  task: (episode) => episode.path,
  result: verdict,
  claim: (episode) => (episode.claimed === undefined ? "" : String(episode.claimed)),
  depth: (episode) => episode.depth ?? 0,
  steps: (episode) => episode.steps ?? 0,
  calls: (episode) => episode.calls ?? 0,
  tokens,
  cost: (episode) => episode.usd ?? 0,
  time: (episode) => episode.seconds ?? -1,
  ended: (episode) => episode.reason ?? "",
};

const NUMBERS = new Set(["depth", "steps", "calls", "tokens", "cost", "time"]);

function filtered(episodes, { state, words, labels, use, epoch }) {
  const wanted = STATES.find(([name]) => name === state)[2];
  const lower = words.toLowerCase();
  return episodes.filter(
    (episode) =>
      wanted(episode) &&
      (!lower || episode.path.toLowerCase().includes(lower) || (episode.reason ?? "").toLowerCase().includes(lower)) &&
      (!use || (episode.use ?? "test") === use) &&
      (epoch === "" || episode.epoch === Number(epoch)) &&
      Object.entries(labels).every(([label, value]) => !value || episode.metadata?.[label] === value),
  );
}

function sorted(episodes, [column, down]) {
  if (!column) return episodes;
  const key = COLUMNS[column] ?? ((episode) => episode.metadata?.[column] ?? "");
  const way = down ? -1 : 1;
  return [...episodes].sort((one, other) => {
    const [left, right] = [key(one), key(other)];
    return way * (typeof left === "number" ? left - right : String(left).localeCompare(String(right), "en", { numeric: true }));
  });
}

const NOTHING = { state: "all", words: "", labels: {}, use: "", epoch: "" };
const remembered = new Map(); // filters by run, so that going back finds them

export function EpisodeTable({ found, list, live }) {
  const [filter, keep] = useState(remembered.get(found.run) ?? NOTHING);
  const [order, setOrder] = useState(["", false]);
  useRowKeys("a.row");
  const change = (part) => {
    const next = { ...filter, ...part };
    remembered.set(found.run, next);
    keep(next);
  };
  const episodes = list.episodes ?? [];
  const shown = useMemo(() => sorted(filtered(episodes, filter), order), [episodes, filter, order]);
  const counts = useMemo(() => new Map(STATES.map(([name]) => [name, filtered(episodes, { ...filter, state: name }).length])), [episodes, filter]);
  const most = useMemo(() => Math.max(1, ...episodes.map(tokens)), [episodes]);
  if (list.error && !list.episodes) return html`<${Problem} error=${list.error} />`;
  if (!list.episodes) return html`<${Waiting} />`;
  const labels = Object.entries(found.metadata);
  const epochs = [...new Set(episodes.map((episode) => episode.epoch))].sort((one, other) => one - other);
  const priced = episodes.some((episode) => episode.usd);
  const columns = ["task", ...labels.map(([label]) => label), "result", "claim", "depth", "steps", "calls", "tokens", ...(priced ? ["cost"] : []), "time", "ended"];
  const titles = { ended: "how it ended", claim: "claimed" };
  const template = columns.map((column) => (column === "task" ? "minmax(14rem, 2fr)" : column === "ended" ? "minmax(8rem, 1.6fr)" : column === "tokens" ? "8rem" : labels.some(([label]) => label === column) ? "minmax(5rem, 8rem)" : column === "result" ? "7rem" : "4.6rem")).join(" ");
  const grid = { gridTemplateColumns: template };
  return html`<div class="filters" role="search">
      <div class="chips">${STATES.filter(([name]) => name === "all" || name === filter.state || counts.get(name) > 0).map(
        ([name, title]) => html`<button class=${name === filter.state ? "chosen" : ""} aria-pressed=${name === filter.state} onClick=${() => change({ state: name })}>${name === "running" && !live ? "unfinished" : title} <small>${count(counts.get(name))}</small></button>`,
      )}</div>
      <input type="search" placeholder="task or reason" aria-label="task or reason" value=${filter.words} onInput=${(event) => change({ words: event.target.value })} />
      ${found.learns && html`<${Select} label="tasks" value=${filter.use} options=${[["", "all"], ["test", "test"], ["training", "training"], ["held out", "held out"]]} onChange=${(use) => change({ use })} />`}
      ${epochs.length > 1 && html`<${Select} label=${found.learns ? "version" : "epoch"} value=${filter.epoch} options=${[["", "all"], ...epochs.map((epoch) => [epoch, epoch])]} onChange=${(epoch) => change({ epoch })} />`}
      ${labels.filter(([, values]) => values.length > 1 && values.length <= 200).map(([label, values]) => html`<${Select} label=${label} value=${filter.labels[label] ?? ""} options=${[["", "all"], ...values.map((value) => [value, value])]} onChange=${(value) => change({ labels: { ...filter.labels, [label]: value } })} />`)}
      <span class="space"></span>
      <span class="faint">${count(shown.length)} of ${count(list.total)}${episodes.length < list.total ? `, ${count(episodes.length)} read` : ""}</span>
    </div>
    <div class="grid">
      <div class="row header" style=${grid}>${columns.map((column) => html`<button class="${order[0] === column ? "sorted" : ""} ${NUMBERS.has(column) ? "number" : ""}" onClick=${() => setOrder(order[0] === column ? (order[1] ? ["", false] : [column, true]) : [column, false])}>${titles[column] ?? column}${order[0] === column ? (order[1] ? " ↓" : " ↑") : ""}</button>`)}</div>
      <${VirtualRows} rows=${shown} height=${30} label="episodes" render=${(episode) => html`<${Row} key=${episode.path} run=${found.run} episode=${episode} labels=${labels} priced=${priced} grid=${grid} most=${most} live=${live} />`} />
    </div>`;
}

function Row({ run, episode, labels, priced, grid, most, live }) {
  const used = tokens(episode);
  const cells = html`<span class="task" title=${episode.path}>${episode.task}<small>${episode.path.slice(episode.task.length)}</small></span>
    ${labels.map(([label]) => html`<span class="label">${episode.metadata?.[label] ?? ""}</span>`)}
    <${Verdict} episode=${episode} live=${live} />
    <span class="claim">${episode.claimed === undefined ? "" : episode.claimed ? "done" : "failed"}</span>
    <span class="number">${episode.depth || ""}</span><span class="number">${episode.steps || ""}</span><span class="number">${episode.calls || ""}</span>
    <span class="number used"><i style=${{ width: `${(100 * used) / most}%` }}></i>${used ? short(used) : ""}</span>
    ${priced && html`<span class="number">${usd(episode.usd)}</span>`}
    <span class="number">${seconds(episode.seconds)}</span>
    <span class="why" title=${episode.reason}>${episode.repeats_by_hand ? html`<em>by hand ×${episode.repeats_by_hand}</em> ` : ""}${["short", "off"].map((how) => episode[`cut_${how}`] && html`<em class="cut">cut ${how}</em> `)}${episode.reason}</span>`;
  return episode.state === "not begun" ? html`<div class="row faint" role="listitem" style=${grid}>${cells}</div>` : html`<a class="row" role="listitem" style=${grid} href=${episodeAddress(run, episode.path)}>${cells}</a>`;
}
