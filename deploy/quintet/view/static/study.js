// A study: its cells as a matrix, the runs of a cell, and beside them the picture and the report.
import { runAddress } from "view/address";
import { count, percent, plural } from "view/format";
import { html } from "view/html";
import { useRowKeys } from "view/keys";
import { Badge, Bar, Interval, Notes, reach, State, TextTable } from "view/parts";

export function StudyPage({ study, query }) {
  const { progress } = study;
  useRowKeys(".matrix a");
  const panels = panelsOf(study);
  const chosen = study.cells.find((cell) => cell.name === query.cell);
  return html`<section class="page filled">
    <div class="head"><h1>${progress.label}</h1><span class="on">a study of ${plural(study.cells.length, "cell")}</span><${State} state=${progress.state} /></div>
    <p class="faint">${study.title}</p>
    ${progress.reason && html`<p class="reason">${progress.reason}</p>`}
    ${study.damage.map((text) => html`<p class="problem">${text}</p>`)}
    <div class="study"><div class="scroll">
        ${panels.map((panel) => html`<${Matrix} study=${study} panel=${panel} chosen=${chosen} />`)}
        ${chosen ? html`<${Cell} study=${study} cell=${chosen} />` : html`<p class="faint">Choose a cell to see its runs.</p>`}</div>
      <div class="scroll"><${Picture} panels=${panels} />${study.tables.map((table) => html`<${TextTable} table=${table} />`)}<${Notes} notes=${study.notes} /></div></div>
  </section>`;
}

/**
 * The matrix by panels: {title, corner, columns, rows: [[level, [cell or null]]]}. Its rows are the first axis with
 * several levels, its columns the second; each combination of levels of the others has a panel.
 */
function panelsOf(study) {
  const places = study.axes.map((_, place) => place).filter((place) => study.axes[place].levels.length > 1);
  const [row = 0, column, ...others] = places;
  const key = (levels) => JSON.stringify(levels);
  const cells = new Map(study.cells.map((cell) => [key(cell.levels), cell]));
  const titles = new Map(study.cells.map((cell) => [key(others.map((place) => cell.levels[place])), cell]));
  const columns = column === undefined ? [""] : levelsOf(study, column);
  return [...titles.values()].map((first) => ({
    title: others.map((place) => `${study.axes[place].name}: ${first.levels[place]}`).join(", "),
    corner: study.axes[row].name,
    columns: columns.map((level) => (column === undefined ? "" : `${study.axes[column].name}: ${level || "-"}`)),
    rows: study.axes[row].levels.map((level) => [level, columns.map((other) => cells.get(key(first.levels.map((own, place) => (place === row ? level : place === column ? other : own)))) ?? null)]),
  }));
}

/** Its levels that a cell is on, and "" if one is on none. */
const levelsOf = (study, axis) => [...study.axes[axis].levels, ""].filter((level) => study.cells.some((cell) => cell.levels[axis] === level));

function Matrix({ study, panel, chosen }) {
  return html`<figure class="report matrix">${panel.title && html`<figcaption>${panel.title}</figcaption>`}<div class="wide"><table>
    <thead><tr><th>${panel.corner}</th>${panel.columns.map((title) => html`<th>${title || "success"}</th>`)}</tr></thead>
    <tbody>${panel.rows.map(([level, cells]) => html`<tr><th scope="row">${level}</th>${cells.map((cell) => html`<td>${cell && html`<a href=${runAddress(study.run, "", { cell: cell.name })} class="${cell === chosen ? "chosen" : ""} ${cell.state === "not begun" ? "faint" : ""}" aria-label=${cell.name}>
      <b>${cell.success ? percent(cell.success[0]) : "–"}</b><small>${cell.success && reach(cell.success)}</small><${Progress} cell=${cell} /></a>`}</td>`)}</tr>`)}</tbody></table></div></figure>`;
}

function Progress({ cell }) {
  if (cell.state === "done") return null;
  const all = Math.max(cell.episodes, 1);
  return html`<span class="state">${cell.state}</span>${cell.state !== "not begun" && html`<${Bar} parts=${[[cell.ended / all, "live", `${count(cell.ended)} ended`], [cell.faulted / all, "bad", `${count(cell.faulted)} faulted`]]} />`}`;
}

function Cell({ study, cell }) {
  return html`<article class="card cell"><header><b>${cell.name}</b><${Badge} tone=${cell.state}>${cell.state}<//><span class="faint">${cell.label && `${cell.label} with ${cell.model}`}</span></header>
    <dl class="facts">${study.axes.map((axis, place) => cell.levels[place] && html`<dt>${axis.name}</dt><dd>${cell.levels[place]}</dd>`)}
      <dt>success</dt><dd><${Interval} of=${cell.success} /></dd>${cell.score && html`<dt>score</dt><dd><${Interval} of=${cell.score} /></dd>`}
      <dt>episodes</dt><dd>${count(cell.ended)} of ${count(cell.episodes)}${cell.faulted > 0 && `, ${count(cell.faulted)} faulted`}</dd></dl>
    <ul class="cell-runs">${cell.runs.map(({ seed, run }) => html`<li><a href=${runAddress(run)}>${run}</a><span class="faint">seed ${seed}</span></li>`)}</ul>
    ${cell.runs.length < cell.seeds && html`<p class="faint">${plural(cell.seeds - cell.runs.length, "run")} not begun</p>`}</article>`;
}

/** Success of every cell with its interval, on one scale: small multiples, one for each column of each panel. */
function Picture({ panels }) {
  const groups = panels.flatMap(({ title, columns, rows }) =>
    columns.map((column, place) => [[title, column].filter(Boolean).join(", "), rows.map(([level, cells]) => [level, cells[place]?.success]).filter(([, success]) => success)]),
  ).filter(([, rows]) => rows.length);
  if (!groups.length) return null;
  const share = (value) => `${100 * value}%`;
  return html`<figure class="report multiples"><figcaption>Success, with its 95 % interval, from 0 to 100 %</figcaption><div>${groups.map(([title, rows]) => html`<section>${title && html`<h4>${title}</h4>`}${rows.map(([level, [value, low, high, stepless]]) => html`<div class="multiple"><span>${level}</span>
    <span class="track" role="img" aria-label=${`${percent(value)}, ${percent(low)} to ${percent(high)}`}><i class="reach" style=${{ left: share(low), width: share(high - low) }}></i><i class="at" style=${{ left: share(value) }}></i></span><small>${stepless ? "no step" : percent(value)}</small></div>`)}</section>`)}</div></figure>`;
}
