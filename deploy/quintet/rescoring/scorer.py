"""A user's scorer: `def F(episode: StoredEpisode) -> float` in a file, which is found again unchanged in a resume."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from quintet.environments.adapters.threads import ThreadPool
from quintet.errors import UsageError, one_line
from quintet.plugins.code_places import raised_at
from quintet.plugins.functions import FunctionPlace, find_function, load_function
from quintet.rescoring.stored import StoredEpisode

ScoringFunction: TypeAlias = Callable[[StoredEpisode], object]
"""The user's function; `score` checks what it returns."""


def load_scorer(scorer: FunctionPlace) -> ScoringFunction:
    """Import it; a `UsageError` if its code is not what it was."""
    _, now = find_function(scorer.place, "scorer")
    if now != scorer.sha256:
        expected = f"expected SHA-256 {scorer.sha256}, under which the run was begun, got {now}"
        raise UsageError(f"scorer: {expected}; changed code is another run: begin a new one ({scorer.place})")
    return load_function(scorer.place, "scorer", "an episode")


async def score(scorer: ScoringFunction, place: str, episode: StoredEpisode, threads: ThreadPool) -> float:
    """What a scorer from a place says of an episode, in [0, 1]; one that never returns keeps nothing from ending.

    Raises:
        RuntimeError: it raised or exited, or returned something else; the text says on which episode.
    """
    where = f"scorer {place} on {episode.path}"
    try:
        found = await threads.call(partial(scorer, episode))
    except Exception as error:
        got = f"{type(error).__name__}: {one_line(error)} ({raised_at(error)})"
        raise RuntimeError(f"{where}: expected a number in [0, 1], got {got}") from error
    if not isinstance(found, int | float) or not 0 <= found <= 1:
        raise RuntimeError(f"{where}: expected a number in [0, 1], got {found!r:.80}")
    return float(found)
