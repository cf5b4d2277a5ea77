// Asks the server; a page that is one file has every answer in itself.
import { useEffect, useRef, useState } from "preact/hooks";

const kept = document.getElementById("kept");
export const isOneFile = kept !== null;

const LIVE_MS = 2000;
const IDLE_MS = 15000;

async function unpack() {
  const bytes = Uint8Array.from(atob(kept.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Map(Object.entries(await new Response(stream).json()));
}
const answers = isOneFile ? unpack() : null;

// As `request_key` in resources.py.
function requestKey(name, query) {
  const entries = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([name, ...entries]);
}

function texts(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
}

export class Refused extends Error {
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

const latest = new Map(); // by request: the tag and the decoded answer, so that what has not changed is not drawn again

/** The answer to a request. Throws Refused with a sentence for a person. */
export async function ask(name, query = {}, signal = undefined) {
  const key = requestKey(name, texts(query));
  if (answers) {
    const found = (await answers).get(key);
    if (found === undefined) throw new Refused("This file does not have it: its episode was left out, or only a server can look for it.", 404);
    return found;
  }
  let response;
  try {
    const url = `/api/${name}?${new URLSearchParams(texts(query))}`;
    response = await fetch(url, { cache: "no-cache", credentials: "same-origin", signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The viewer does not answer: was `quintet view` stopped?", 0);
  }
  if (!response.ok) {
    const said = await response.text();
    let text = said;
    try {
      text = JSON.parse(said).error;
    } catch {} // a text for a person already
    throw new Refused(text, response.status);
  }
  const tag = response.headers.get("ETag");
  const before = latest.get(key);
  if (before && before.tag === tag) return before.answer;
  const answer = await response.json();
  latest.delete(key);
  latest.set(key, { tag, answer });
  if (latest.size > 60) latest.delete(latest.keys().next().value);
  return answer;
}

const never = () => false;

/** An answer that is asked for again, often while `live` says of it that more will come: {answer, error}. */
export function useAnswer(name, query, live = never) {
  const key = requestKey(name, texts(query));
  const [state, setState] = useState({ key: null });
  const newest = useRef(live);
  newest.current = live;
  useEffect(() => {
    const control = new AbortController();
    let timer;
    const look = async () => {
      let soon = true;
      try {
        const answer = await ask(name, query, control.signal);
        soon = newest.current(answer);
        setState((before) => (before.key === key && before.answer === answer && !before.error ? before : { key, answer }));
      } catch (error) {
        if (control.signal.aborted) return;
        setState((before) => ({ key, error, answer: before.key === key ? before.answer : undefined }));
      }
      if (!isOneFile && !control.signal.aborted) timer = setTimeout(look, soon ? LIVE_MS : IDLE_MS);
    };
    look();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return state.key === key ? state : {};
}

/** All episodes of a run, in parts: the first are there at once. {episodes, total, error}. */
export function useEpisodes(run, live) {
  const [state, setState] = useState({ run: null });
  useEffect(() => {
    if (!run) return undefined;
    const control = new AbortController();
    let timer;
    const look = async () => {
      try {
        let episodes = [];
        let total = 1;
        const parts = [];
        for (let first = 0; first < total; first += 1000) {
          const part = await ask("episodes", { run, first, most: 1000 }, control.signal);
          parts.push(part);
          total = part.total;
          episodes = episodes.concat(part.episodes);
          setState((before) => (before.run === run && before.whole ? before : { run, episodes, total }));
        }
        setState((before) => {
          const same = before.parts?.length === parts.length && parts.every((part, place) => part === before.parts[place]);
          return before.run === run && same && !before.error ? before : { run, episodes, total, parts, whole: true };
        });
      } catch (error) {
        if (control.signal.aborted) return;
        setState((before) => (before.run === run ? { ...before, error } : { run, error }));
      }
      if (!isOneFile && !control.signal.aborted) timer = setTimeout(look, live ? LIVE_MS : IDLE_MS);
    };
    look();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [run, live]);
  return state.run === run ? state : {};
}
