"""The episodes of a run, some at a time, which the page filters; and the search trees of one, node by node."""

from collections.abc import Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct, convert
from msgspec.structs import replace

from quintet.events import CutShort, NodeStanding
from quintet.reports.exports import episode_content
from quintet.reports.rows import Attempts, TaskRow, read_attempts
from quintet.reports.transcript import find_episode
from quintet.reports.trees import SearchTree, read_trees
from quintet.runs.record import TaskUse
from quintet.runs.run_folder import RunFolder
from quintet.view.conversation import EpisodeRequest
from quintet.view.folder import FileTimes, Offset, ViewedFolder, file_times, read_viewed
from quintet.view.report import read_report

_MOST = 5_000
_KEPT = 4
"""Runs."""
_CUT_SHORT: frozenset[str] = frozenset(get_args(CutShort.__annotations__["reason"]))


class RowsRequest(Struct, forbid_unknown_fields=True):
    """Asks for some episodes of a run."""

    run: str
    first: Offset = 0
    most: Offset = 1_000


class EpisodesView(Struct, frozen=True):
    """Some episodes of a run."""

    episodes: tuple[Mapping[str, Any], ...]
    """As a report has them for programs, without what is None. `cut_short`: ended by a limit of its own; `cut_off`: a
    completion was cut off or empty. `of`: the path of the recorded episode that an episode of a fork goes on from."""
    total: int


def list_episodes(viewed: ViewedFolder, request: RowsRequest) -> EpisodesView:
    """The newest attempt of every episode in the order of the run; of a run that learns, with every version."""
    folder = viewed.open_run(request.run)
    rows = all_rows(folder)
    some = rows[request.first : request.first + min(request.most, _MOST)]
    uses: dict[str, TaskUse] = {task.name: "training" for task in folder.record.training}
    uses |= {task.name: "held out" for task in folder.record.held_out}
    fork = folder.record.fork
    origins = {} if fork is None else {key: each.of for key, each in fork.by_episode.items()}
    shown = (_shown(row, uses.get(row.task, "test"), origins.get((row.task, row.epoch))) for row in some)
    return EpisodesView(tuple(shown), len(rows))


def _shown(row: TaskRow, use: TaskUse, of: str | None) -> dict[str, Any]:
    cut = {"cut_short": row.reason in _CUT_SHORT, "cut_off": any(ending != "unread" for ending in row.unanswered)}
    own = {"path": row.path, "use": use, "of": of, **cut, "metadata": row.metadata}
    return {name: value for name, value in {**episode_content(row), **own}.items() if value is not None}


def all_rows(folder: RunFolder) -> tuple[TaskRow, ...]:
    """A row for every episode of a run that is measured by its tasks, or that began if the run learns."""
    if not folder.record.learns:
        return read_report(folder.path).runs[0].results.rows
    return _learning_rows(folder.path, file_times(folder.path))


@lru_cache(maxsize=_KEPT)
def _learning_rows(path: Path, _times: FileTimes) -> tuple[TaskRow, ...]:
    folder = RunFolder.open_to_read(path)
    record = folder.record
    reader = folder.read_journal()
    if reader is None:
        return ()
    with closing(reader), reader.snapshot():
        attempts = Attempts(read_attempts(reader, folder.prices), reader.requeued())
    tasks = {task.name: task for task in (*record.tasks, *record.training, *record.held_out)}
    return tuple(attempts.row(tasks[task], epoch) for task, epoch in attempts.newest if task in tasks)


class ShownNode(Struct, frozen=True, array_like=True, kw_only=True):
    """A node as it stands last; see `quintet.events.NodeGrown`. A list in JSON, since there are many."""

    node: int
    depth: int = 0
    """0 for the root."""
    parent: int | None
    action: str
    value: float | None
    confidence: float | None
    path_confidence: float | None = None
    """From the root to here."""
    visits: int
    reward: float
    standing: NodeStanding
    path: str
    """In the conversation."""
    session: str | None


class ShownBranch(Struct, frozen=True):
    """A branch that was stopped."""

    node: int | None
    """Where it was."""
    text: str


class ShownTree(Struct, frozen=True):
    """A search tree."""

    path: str
    """Of the request that grew it."""
    pruned: int
    chosen: tuple[int, ...]
    nodes: tuple[ShownNode, ...]
    """Each after its parent and before its next sibling."""
    stopped: tuple[ShownBranch, ...]


def view_trees(viewed: ViewedFolder, request: EpisodeRequest) -> tuple[ShownTree, ...]:
    """The search trees of an episode, those of inner requests after the outer ones; a `UsageError` if it has none."""
    with read_viewed(viewed.open_part(request.run, request.episode)) as reader:
        return tuple(map(_shown_tree, read_trees(reader, find_episode(reader, request.episode))))


def _shown_tree(tree: SearchTree) -> ShownTree:
    nodes = tuple(
        replace(
            convert(node, ShownNode, from_attributes=True),
            depth=depth,
            path_confidence=tree.path_confidences.get(node.node),
        )
        for node, depth in tree.walk()
    )
    stopped = tuple(ShownBranch(branch.node, str(branch)) for branch in tree.stopped)
    return ShownTree(tree.path, tree.pruned, tuple(tree.chosen), nodes, stopped)
