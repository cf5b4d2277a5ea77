// What keys do on the page that is shown, and the list of them.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "view/html";

const bound = new Set(); // of each part that is shown: its bindings
const NAMES = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→" };

/** Binds keys while a part is shown: [[keys, what they do, act]]. */
export function useKeys(bindings) {
  const held = useRef(bindings);
  held.current = bindings;
  useEffect(() => {
    bound.add(held);
    return () => bound.delete(held);
  }, []);
}

export const NEXT = ["j", "ArrowDown"];
export const BEFORE = ["k", "ArrowUp"];

function focusRow(selector, step) {
  const rows = [...document.querySelectorAll(selector)];
  const at = rows.indexOf(document.activeElement);
  const inSight = (row) => row.getBoundingClientRect().top >= (row.closest(".virtual")?.getBoundingClientRect().top ?? 0);
  (at < 0 ? rows.find(inSight) : rows[at + step])?.focus();
}

/** Goes from row to row by keys; the rows are links. */
export const useRowKeys = (selector) =>
  useKeys([[NEXT, "the next row", () => focusRow(selector, 1)], [BEFORE, "the row before", () => focusRow(selector, -1)], [["Enter"], "open the row", () => document.activeElement.click()]]);

/** Acts on keys, unless somebody types, and lists them. */
export function Keys() {
  const dialog = useRef(null);
  const [listed, setListed] = useState([]);
  const shown = () => [...bound].flatMap((held) => held.current);
  const list = () => {
    setListed(shown());
    dialog.current.showModal();
  };
  useKeys([[["/"], "search", () => document.querySelector('input[type="search"]')?.focus()], [["?"], "list the keys", list]]);
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (event.target.matches("input, select, textarea")) {
        if (event.key === "Escape") event.target.blur();
        return;
      }
      const found = shown().find(([keys]) => keys.includes(event.key));
      if (!found) return;
      event.preventDefault();
      found[2]();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return html`<dialog ref=${dialog} aria-label="keys"><h3>Keys</h3><dl class="facts">${listed.map(([keys, title]) => html`<dt>${keys.map((key) => html`<kbd>${NAMES[key] ?? key}</kbd>`)}</dt><dd>${title}</dd>`)}</dl>
    <form method="dialog"><button class="button">close</button></form></dialog>`;
}
