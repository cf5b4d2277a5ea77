"""A user's scorer: `def F(episode: StoredEpisode) -> float` in a file, which is found again unchanged in a resume."""

import asyncio
import re
from collections.abc import Callable
from hashlib import sha256
from inspect import isfunction
from pathlib import Path
from typing import NamedTuple, TypeAlias

from quintet.errors import UsageError, one_line
from quintet.plugins.code_places import raised_at
from quintet.plugins.members import find_member
from quintet.plugins.objects import OBJECT_IN_FILE
from quintet.plugins.sources import digests, import_root, load_module, read_sources, source_texts
from quintet.rescoring.stored import StoredEpisode

ScoringFunction: TypeAlias = Callable[[StoredEpisode], object]
"""The user's function; `score` checks what it returns."""


class ScorerPlace(NamedTuple):
    """Where a scorer is, and what it was when its run began."""

    place: str
    """`/abs/file.py:F`."""
    sha256: str
    """Of its file with those beside it that it imports."""


def find_scorer(named: str) -> ScorerPlace:
    """The place of a scorer that a person names `FILE.py:F`; a `UsageError` if its file cannot be read."""
    if not re.fullmatch(OBJECT_IN_FILE, named):
        raise UsageError(f"--scorer: expected FILE.py:F, got {named!r}")
    file, _, path = named.rpartition(":")
    place = f"{Path(file).expanduser().absolute()}:{path}"
    return ScorerPlace(place, _digest(place))


def load_scorer(scorer: ScorerPlace) -> ScoringFunction:
    """Import it; a `UsageError` if its code is not what it was."""
    now = _digest(scorer.place)
    if now != scorer.sha256:
        expected = f"expected SHA-256 {scorer.sha256}, under which the run was begun, got {now}"
        raise UsageError(f"scorer: {expected}; changed code is another run: begin a new one ({scorer.place})")
    file, _, path = scorer.place.rpartition(":")
    found = find_member(
        load_module(Path(file)), path, where=file, label="scorer", expected="a function", is_usable=isfunction
    )
    if not callable(found):
        raise UsageError(f"scorer: expected a function of an episode, got {found!r:.80} ({scorer.place})")
    return found


async def score(scorer: ScoringFunction, place: str, episode: StoredEpisode) -> float:
    """What a scorer from a place says of an episode, in [0, 1]; it is called in a thread.

    Raises:
        RuntimeError: it raised, or returned something else; the text says on which episode.
    """
    where = f"scorer {place} on {episode.path}"
    try:
        found = await asyncio.to_thread(scorer, episode)
    except Exception as error:
        got = f"{type(error).__name__}: {one_line(error)} ({raised_at(error)})"
        raise RuntimeError(f"{where}: expected a number in [0, 1], got {got}") from error
    if not isinstance(found, int | float) or not 0 <= found <= 1:
        raise RuntimeError(f"{where}: expected a number in [0, 1], got {found!r:.80}")
    return float(found)


def _digest(place: str) -> str:
    file = Path(place.rpartition(":")[0])
    texts = digests(source_texts(read_sources(file), import_root(file)))
    return sha256("".join(f"{name}\0{each}\n" for name, each in texts.items()).encode()).hexdigest()
