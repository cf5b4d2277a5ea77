// Search trees: a picture of the whole tree, and its nodes as rows with their values.
import { useMemo, useState } from "preact/hooks";
import { episodeAddress } from "view/address";
import { useAnswer } from "view/api";
import { count, plural } from "view/format";
import { ForkHere } from "view/fork";
import { html } from "view/html";
import { Answered, Bar, Select, VirtualRows } from "view/parts";
import { TreePicture } from "view/picture";

const [NODE, DEPTH, PARENT, ACTION, VALUE, CONFIDENCE, PATH_CONFIDENCE, VISITS, REWARD, STANDING, PATH, SESSION] = Array(12).keys();

export function TreesTab({ run, episode, live }) {
  const seen = useAnswer("trees", { run, episode }, () => live);
  const [place, setPlace] = useState(0);
  return html`<${Answered} of=${seen}>${(trees) => {
    const tree = trees[Math.min(place, trees.length - 1)];
    return html`${trees.length > 1 && html`<div class="filters"><${Select} label="tree" value=${place} options=${trees.map((each, number) => [number, `${each.path} (${plural(each.nodes.length, "node")})`])} onChange=${(value) => setPlace(Number(value))} /></div>`}
      <${Tree} key=${tree.path} run=${run} episode=${episode} tree=${tree} only=${trees.length === 1} />`;
  }}<//>`;
}

/** The nodes by number: {row, children, up, indent}. */
function grow(tree) {
  const nodes = new Map();
  for (const row of tree.nodes) nodes.set(row[NODE], { row, children: [], up: null, indent: 0 });
  for (const node of nodes.values()) {
    node.up = node.row[DEPTH] > 0 ? nodes.get(node.row[PARENT]) ?? null : null;
    node.up?.children.push(node);
  }
  // A node without siblings lies right below its parent, as in `quintet show --tree`.
  for (const node of nodes.values()) if (node.up) node.indent = node.up.indent + (node.up.children.length > 1 ? 1 : 0);
  return nodes;
}

function Tree({ run, episode, tree, only }) {
  const nodes = useMemo(() => grow(tree), [tree]);
  const [closed, setClosed] = useState(new Set());
  const [hidePruned, setHidePruned] = useState(false);
  const [chosen, setChosen] = useState(tree.chosen.at(-1) ?? tree.nodes[0]?.[NODE]);
  const [goal, setGoal] = useState(null);
  const rows = useMemo(() => {
    const hidden = new Set();
    return [...nodes.values()].filter((node) => {
      const gone = node.up && (hidden.has(node.up) || closed.has(node.up.row[NODE]));
      if (gone || (hidePruned && node.row[STANDING] === "pruned")) hidden.add(node);
      return !hidden.has(node);
    });
  }, [nodes, closed, hidePruned]);
  const choose = (number) => {
    const open = new Set(closed);
    for (let up = nodes.get(number)?.up; up; up = up.up) open.delete(up.row[NODE]);
    setClosed(open);
    setChosen(number);
    setGoal({ number });
  };
  const toggle = (number) => {
    const next = new Set(closed);
    if (!next.delete(number)) next.add(number);
    setClosed(next);
  };
  const sought = useMemo(() => (goal ? { row: rows.findIndex((node) => node.row[NODE] === goal.number) } : null), [goal, rows]);
  return html`<div class="filters">
      <span><b>${plural(tree.nodes.length, "node")}</b><span class="faint">, ${count(tree.pruned)} pruned, ${count(tree.stopped.length)} branches stopped, a chosen path of ${tree.chosen.length}</span></span>
      <label class="check"><input type="checkbox" checked=${hidePruned} onChange=${() => setHidePruned(!hidePruned)} />hide pruned branches</label>
      ${tree.chosen.length > 0 && html`<button onClick=${() => choose(tree.chosen.at(-1))}>to the chosen leaf</button>`}</div>
    <div class="tree">
      <${TreePicture} nodes=${nodes} chosen=${chosen} onChoose=${choose} />
      <div class="nodes"><div class="node header"><span class="action">action</span><span class="value">value</span><span class="number">visits</span><span class="number">reward</span></div><${VirtualRows} rows=${rows} height=${28} goal=${sought} label="nodes" render=${(node) => html`<${Node} key=${node.row[NODE]} node=${node} chosen=${chosen} closed=${closed} onChoose=${setChosen} onToggle=${toggle} />`} /></div>
      <${Detail} run=${run} episode=${episode} only=${only} node=${nodes.get(chosen)} stopped=${tree.stopped.filter((branch) => branch.node === chosen)} />
    </div>`;
}

function Node({ node, chosen, closed, onChoose, onToggle }) {
  const { row, children } = node;
  const share = row[VALUE] ?? row[PATH_CONFIDENCE] ?? row[CONFIDENCE];
  return html`<div role="listitem" class="node ${row[STANDING]} ${row[NODE] === chosen ? "selected" : ""}" onClick=${() => onChoose(row[NODE])}>
    <span class="action" style=${{ paddingLeft: `${6 + 12 * Math.min(node.indent, 30)}px` }}>${children.length ? html`<button class="fold" aria-label="children" onClick=${(event) => (event.stopPropagation(), onToggle(row[NODE]))}>${closed.has(row[NODE]) ? "▸" : "▾"}</button>` : html`<span class="fold"></span>`}<i class="id">${row[NODE]}</i>${row[ACTION] || (row[DEPTH] ? "(no action)" : "root")}</span>
    <span class="value">${share !== null && html`<${Bar} parts=${[[Math.max(0, Math.min(1, share)), "accent"]]} /><small>${share.toFixed(2)}</small>`}</span>
    <span class="number">${row[VISITS] || ""}</span><span class="number">${row[REWARD] || ""}</span><span class="standing">${row[STANDING] === "open" ? "" : row[STANDING]}</span></div>`;
}

function Detail({ run, episode, only, node, stopped }) {
  if (!node) return null;
  const { row } = node;
  const facts = [["value", row[VALUE]?.toFixed(3)], ["confidence", row[CONFIDENCE]?.toFixed(3)], ["of its path", row[PATH_CONFIDENCE]?.toPrecision(3)], ["visits", row[VISITS] || undefined], ["reward", row[REWARD] || undefined], ["standing", row[STANDING]], ["children", node.children.length || undefined], ["session", row[SESSION] ?? undefined]];
  const way = [];
  for (let up = node; up; up = up.up) if (up.row[ACTION]) way.unshift(up.row);
  return html`<aside class="detail"><h3>Node ${row[NODE]}</h3><p class="mono">${row[ACTION] || "root"}</p>
    <dl class="facts">${facts.filter(([, value]) => value !== undefined).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <a href=${episodeAddress(run, episode, "", { at: row[PATH] })}>in the conversation</a>
    <${ForkHere} run=${run} episode=${episode} at=${only ? `node:${row[NODE]}` : row[PATH].slice(episode.length + 1)} />
    ${stopped.map((branch) => html`<p class="reason">stopped here: ${branch.text}</p>`)}
    <h4>The way here</h4><ol class="way">${way.map((each) => html`<li class=${each[STANDING]}>${each[ACTION]}</li>`)}</ol></aside>`;
}
