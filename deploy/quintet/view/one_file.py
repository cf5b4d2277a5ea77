"""A run, or all runs of a folder, as one HTML file that needs no server and asks for nothing."""

import gzip
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, pairwise, permutations
from typing import Final, NamedTuple, TypeVar

import msgspec

from quintet.errors import UsageError
from quintet.messages.paths import LEARNER
from quintet.view.conversation import BlocksView, EpisodeView, ShownBlock
from quintet.view.episodes import EpisodesView
from quintet.view.folder import ListView, ViewedFolder
from quintet.view.learnt import TuplesView, VersionsView
from quintet.view.page import ENTRY, hash_source, html, import_map, read_static, safe_json, scripts
from quintet.view.resources import PICTURE_REQUEST, answer, picture, request_key
from quintet.view.runs import RunView
from quintet.view.study import StudyView

MOST_BYTES: Final = 64 * 2**20
"""Of the conversations in a file, uncompressed; those beyond are left out."""
MOST_PICTURES: Final = 32 * 2**20
"""Bytes of the pictures in a file; those beyond are left out."""
_EPISODES: Final = 1_000
_TUPLES: Final = 50
_BLOCKS: Final = 300
"""Asked for at a time, as by the page."""

_COMPARED: Final = 6
"""Runs that can be compared with each other in the page."""

_AnswerT = TypeVar("_AnswerT")

_run_decoder: msgspec.json.Decoder[RunView | StudyView] = msgspec.json.Decoder(RunView | StudyView)

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
    pictures: int
    pictures_left_out: int
    """Pictures of those conversations that had no room."""


class _Collected:
    def __init__(self, viewed: ViewedFolder) -> None:
        self.viewed = viewed
        self.answers: dict[str, bytes] = {}

    def keep(self, name: str, **query: object) -> bytes:
        """Collect the answer to a request."""
        texts = {field: str(value) for field, value in query.items()}
        body = self.answers[request_key(name, texts)] = answer(self.viewed, name, texts)
        return body

    def ask(self, kind: type[_AnswerT], name: str, **query: object) -> _AnswerT:
        """The same, read."""
        return msgspec.json.decode(self.keep(name, **query), type=kind)

    @property
    def size(self) -> int:
        """Bytes of all answers."""
        return sum(map(len, self.answers.values()))


class _Pictures:
    def __init__(self, viewed: ViewedFolder, most: int) -> None:
        self._viewed = viewed
        self._room = most
        self.kept: dict[str, bytes] = {}
        """By their requests, as the addresses that a page shows them under."""
        self.left_out = 0

    def add(self, run: str, episode: str, shown: Iterable[ShownBlock]) -> None:
        """Keep those of some blocks of a conversation."""
        for block in shown:
            if not block.picture:
                continue
            if block.picture > self._room:
                self.left_out += 1
                continue
            self._room -= block.picture
            query = {"run": run, "episode": episode, "at": block.path}
            address = f"data:image/jpeg;base64,{b64encode(picture(self._viewed, query)).decode()}"
            self.kept[request_key(PICTURE_REQUEST, query)] = msgspec.json.encode(address)


def write_page(viewed: ViewedFolder, most: int = MOST_BYTES, most_pictures: int = MOST_PICTURES) -> OneFile:
    """Everything that the page may ask for, in one file: all runs, and as many conversations as there is room for.

    Args:
        most: bytes of conversations, uncompressed.
        most_pictures: bytes of pictures, which are none of those.

    Raises:
        UsageError: there is no run.
    """
    found = _Collected(viewed)
    listed = found.ask(ListView, "runs")
    runs = [run for each in listed.runs for run in (each, *each["arms"])]
    if not runs:
        raise UsageError(f"--static: expected a run, or a folder with some, found none ({viewed.root})")
    runs_to_read = [run for run in runs if run["state"] != "unreadable"]
    begun = [(run["run"], path) for run in runs_to_read for path in _collect_run(found, run["run"])]
    readable = [run["run"] for run in runs_to_read if run["kind"] == "run"]
    for ours, theirs in permutations(readable[:_COMPARED], 2):
        found.keep("compare", ours=ours, theirs=theirs)
    room, kept, pictures = most, 0, _Pictures(viewed, most_pictures)
    for run, episode in begun:
        conversation = _Collected(viewed)
        shown = _collect_episode(conversation, run, episode)
        room -= conversation.size
        if room < 0:
            break
        found.answers |= conversation.answers
        pictures.add(run, episode, shown)
        kept += 1
    text = _page(found.answers | pictures.kept)
    return OneFile(text, len(runs), kept, len(begun) - kept, len(pictures.kept), pictures.left_out)


def _collect_run(found: _Collected, run: str) -> Iterator[str]:
    """Collect all about a run but its conversations. The paths of those."""
    view = _run_decoder.decode(found.keep("run", run=run))
    if isinstance(view, StudyView):
        return
    found.keep("timeline", run=run)
    if view.learns:
        versions = found.ask(VersionsView, "versions", run=run).versions
        for before, after in pairwise(version.number for version in versions):
            found.keep("changes", run=run, before=before, after=after)
        yield LEARNER
    if view.remembers:
        found.keep("memory", run=run)
        for first in count(0, _TUPLES):
            if not found.ask(TuplesView, "tuples", run=run, first=first).more:
                break
    for first in count(0, _EPISODES):
        page = found.ask(EpisodesView, "episodes", run=run, first=first, most=_EPISODES)
        yield from (episode["path"] for episode in page.episodes if episode["state"] != "not begun")
        if first + _EPISODES >= page.total:
            break


def _collect_episode(found: _Collected, run: str, episode: str) -> list[ShownBlock]:
    """Collect a conversation. Its blocks."""
    shown: list[ShownBlock] = []
    view = found.ask(EpisodeView, "episode", run=run, episode=episode)
    for first in range(0, max(view.blocks, 1), _BLOCKS):
        shown += found.ask(BlocksView, "blocks", run=run, episode=episode, first=first, most=_BLOCKS).blocks
    found.keep("prompts", run=run, episode=episode)
    found.keep("forks", run=run, episode=episode)
    if view.searches:
        found.keep("trees", run=run, episode=episode)
    return shown


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
    return html(policy=policy, head=head)
