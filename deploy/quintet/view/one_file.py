"""A run, or all runs of a folder, as one HTML file that needs no server and asks for nothing."""

import gzip
from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from quintet.errors import UsageError
from quintet.view.episodes import EpisodesView
from quintet.view.folder import ViewedFolder
from quintet.view.listing import ListView, ShownRun
from quintet.view.page import ENTRY, hash_source, html, import_map, read_static, safe_json, scripts
from quintet.view.resources import answer, request_key

MOST_BYTES: Final = 64 * 2**20
"""Of the conversations in a file, uncompressed; those beyond are left out."""
_PAGE: Final = 1_000
_BLOCKS: Final = 300
"""Asked for at a time, as by the page."""

_BEGIN: Final = f"""
const begin = document.createElement("script");
begin.type = "module";
begin.src = import.meta.resolve("view/{ENTRY}");
document.head.append(begin);
"""


class OneFile(NamedTuple):
    """A page that is one file."""

    text: str
    runs: int
    conversations: int
    left_out: int
    """Episodes whose conversation had no room."""


def write_page(viewed: ViewedFolder, most: int = MOST_BYTES) -> OneFile:
    """Everything that the page may ask for, in one file: all runs, and as many conversations as there is room for.

    Args:
        viewed: what is shown.
        most: bytes of conversations, uncompressed.

    Raises:
        UsageError: there is no run.
    """
    found: dict[str, bytes] = {}
    listed = _ask(found, viewed, "runs", ListView)
    runs = [run for each in listed.runs for run in (each, *each.arms)]
    if not runs:
        raise UsageError(f"--static: expected a run, or a folder with some, found none ({viewed.root})")
    began: list[tuple[ShownRun, str]] = []
    for run in runs:
        if run.state != "unreadable":
            began += _run(found, viewed, run)
    room, kept = most, 0
    for run, episode in began:
        texts = dict(_conversation(viewed, run.run, episode))
        room -= sum(map(len, texts.values()))
        if room < 0:
            break
        found |= texts
        kept += 1
    return OneFile(_page(found), len(runs), kept, len(began) - kept)


def _run(found: dict[str, bytes], viewed: ViewedFolder, run: ShownRun) -> Iterator[tuple[ShownRun, str]]:
    """Keep what the page asks about a run; its episodes that have begun."""
    overview = msgspec.json.decode(_keep(found, viewed, "run", run=run.run))
    if run.kind == "study":
        return
    if overview["learns"]:
        versions = msgspec.json.decode(_keep(found, viewed, "versions", run=run.run))["versions"]
        numbers = [each["number"] for each in versions]
        for before, after in zip(numbers, numbers[1:], strict=False):
            _keep(found, viewed, "changes", run=run.run, before=before, after=after)
        yield run, "~learn/0/0"
    if overview["remembers"]:
        _keep(found, viewed, "memory", run=run.run)
        first, more = 0, True
        while more:
            more = msgspec.json.decode(_keep(found, viewed, "tuples", run=run.run, first=first))["more"]
            first += 50
    first, total = 0, 1
    while first < total:
        page = _ask(found, viewed, "episodes", EpisodesView, run=run.run, first=first, most=_PAGE)
        first, total = first + _PAGE, page.total
        yield from ((run, episode.path) for episode in page.episodes if episode.state != "not begun")


def _conversation(viewed: ViewedFolder, run: str, episode: str) -> Iterator[tuple[str, bytes]]:
    asked = {"run": run, "episode": episode}
    text = answer(viewed, "episode", asked)
    yield request_key("episode", asked), text
    overview = msgspec.json.decode(text)
    for first in range(0, max(overview["blocks"], 1), _BLOCKS):
        page = {**asked, "first": str(first), "most": str(_BLOCKS)}
        yield request_key("blocks", page), answer(viewed, "blocks", page)
    yield request_key("prompts", asked), answer(viewed, "prompts", asked)
    if overview["searches"]:
        yield request_key("trees", asked), answer(viewed, "trees", asked)


def _keep(found: dict[str, bytes], viewed: ViewedFolder, name: str, **query: object) -> bytes:
    texts = {field: str(value) for field, value in query.items()}
    kept = found[request_key(name, texts)] = answer(viewed, name, texts)
    return kept


def _ask(
    found: dict[str, bytes], viewed: ViewedFolder, name: str, kind: type[msgspec.Struct], **query: object
) -> msgspec.Struct:
    return msgspec.json.decode(_keep(found, viewed, name, **query), type=kind)


def _page(found: Mapping[str, bytes]) -> str:
    content = b"{" + b",".join(msgspec.json.encode(key) + b":" + body for key, body in found.items()) + b"}"
    kept = b64encode(gzip.compress(content, 6)).decode()
    urls = {
        name: f"data:text/javascript;base64,{b64encode(read_static(file).encode()).decode()}"
        for name, file in scripts().items()
    }
    imports, entry, style = import_map(urls), _BEGIN, read_static("view.css")
    policy = (
        f"default-src 'none'; style-src {hash_source(style)}; img-src data:; base-uri 'none'; form-action 'none'; "
        # An element that a trusted script makes is trusted too, with what it imports; no other script is.
        f"script-src {hash_source(imports)} {hash_source(entry)} 'strict-dynamic'"
    )
    head = (
        f'<style>{style}</style>\n<script type="importmap">{imports}</script>\n'
        f'<script type="application/octet-stream" id="kept">{safe_json(kept)}</script>\n'
        f'<script type="module">{entry}</script>\n'
    )
    return html(title="Quintet", policy=policy, head=head)
