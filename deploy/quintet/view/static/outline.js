// The tree of an episode's subtasks: its requests, each below the one that it served.
import { useMemo, useState } from "preact/hooks";
import { html } from "view/html";
import { VirtualRows } from "view/parts";

const MANY = 400;

/** Each request with its depth among the requests, and whether others lie below it. */
function nested(requests) {
  const above = [];
  const rows = requests.map((request) => {
    while (above.length && !request.path.startsWith(`${above.at(-1).path}/`)) above.pop();
    const row = { ...request, depth: above.length, parent: above.at(-1) ?? null, below: 0 };
    above.forEach((each) => (each.below += 1));
    above.push(row);
    return row;
  });
  return rows;
}

export function Outline({ requests, chosen, href }) {
  const rows = useMemo(() => nested(requests), [requests]);
  const [closed, setClosed] = useState(() => new Set(rows.length > MANY ? rows.filter((row) => row.depth > 0 && row.below).map((row) => row.path) : []));
  const shown = useMemo(() => rows.filter((row) => { for (let up = row.parent; up; up = up.parent) if (closed.has(up.path)) return false; return true; }), [rows, closed]);
  const toggle = (event, path) => {
    event.preventDefault();
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  const goal = useMemo(() => ({ row: shown.findIndex((row) => row.block === chosen) }), [chosen]);
  return html`<${VirtualRows} rows=${shown} height=${44} goal=${goal} label="subtasks" render=${(row) => html`<a key=${row.path} role="listitem" class="request ${row.block === chosen ? "chosen" : ""}" style=${{ paddingLeft: `${8 + 14 * Math.min(row.depth, 14)}px` }} href=${href(row.block)} title=${`${row.request}: ${row.subject}\n${row.outcome}`}>
    ${row.below > 0 ? html`<button class="fold" aria-label=${closed.has(row.path) ? "open" : "close"} onClick=${(event) => toggle(event, row.path)}>${closed.has(row.path) ? "▸" : "▾"}</button>` : html`<span class="fold"></span>`}
    <span class="lines"><span><i class="dot ${row.tone}"></i><b>${row.request}</b> ${row.subject}</span><small>${row.outcome}</small></span></a>`} />`;
}
