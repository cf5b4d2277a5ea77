// The addresses of pages: what follows the # of the browser's address.
import { useLayoutEffect, useState } from "preact/hooks";

/** `#/run/my%2Frun/versions?after=2` from its parts. */
export function address(parts, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const asked = given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : "";
  return `#/${parts.map(encodeURIComponent).join("/")}${asked}`;
}

/** What the address asks for now; what is drawn may lag behind it. */
export function readAddress() {
  const [path, asked] = location.hash.replace(/^#\/?/, "").split("?");
  let parts = [];
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {} // a broken address is the first page
  return { parts, query: Object.fromEntries(new URLSearchParams(asked || "")) };
}

export function useAddress() {
  const [found, setFound] = useState(readAddress);
  useLayoutEffect(() => { // at once: an address that changes before the first paint is followed too
    const follow = () => setFound(readAddress());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return found;
}

export const runAddress = (run, tab, query) => address(["run", run, ...(tab ? [tab] : [])], query);
/** Of some episodes side by side: [[run, episode]]. */
export const sidesAddress = ([ours, theirs, ...more]) => address(["compare", ours[0], theirs[0], ours[1], theirs[1], ...more.flat()]);
export const episodeAddress = (run, episode, tab, query) => address(["episode", run, episode, ...(tab ? [tab] : [])], query);

/** Of a block of a conversation: its path stays true while the episode goes on, its place finds it at once. */
export const turnAddress = (run, episode, { place, path }) => episodeAddress(run, episode, "", { at: path, block: place });
