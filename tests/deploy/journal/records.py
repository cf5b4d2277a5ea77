"""Records that tests write into a journal, and journals with them."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path as FilePath
from typing import Any, Literal, get_args

from quintet.events import AnyEvent, CallMade, Decided, EpisodeEnded, Pictured, Record, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt, PromptNode, user
from quintet.messages.tools import ToolAnswer
from quintet.ports.model import Completion, Finish, Legibility, Sampling, Usage
from quintet.ports.tokens import CallTokens
from tests.simulation.virtual import run

EPISODE = episode_path("beehive", 0, 0)
GO = Prompt(user("Go."))
BELOW: Sequence[type[Any]] = [kind for kind in get_args(AnyEvent) if kind not in (CallMade, EpisodeEnded, Pictured)]
"""The events below an episode, but for calls and pictures."""


def record(
    event: AnyEvent,
    incarnation: int = 1,
    *,
    at: float = 1.5,
    seconds: float = 0.25,
    prompts: tuple[PromptNode, ...] = (),
) -> Record:
    return Record(event=event, incarnation=incarnation, host="here", at=at, seconds=seconds, prompts=prompts)


def decided(number: int, incarnation: int = 1, answer: str = "1", episode: Path = EPISODE) -> Record:
    return record(Decided(path=child(episode, number), question="which", answer=answer), incarnation)


def call(
    number: int,
    prompt: Prompt = GO,
    text: str = "look",
    *,
    known: Iterable[Prompt] = (),
    episode: Path = EPISODE,
    model: str = "m",
    usage: Usage | None = None,
    finish: Finish = "stop",
    phase: str = "execute",
    legibility: Legibility = "read",
    tokens: CallTokens | None = None,
    tool_answer: ToolAnswer | None = None,
) -> Record:
    completion = Completion(
        text=text, finish=finish, usage=usage or Usage(prompt_tokens=7), tokens=tokens, tool_answer=tool_answer
    )
    event = CallMade(
        path=child(episode, number),
        model=model,
        prompt=prompt.node.address,
        sampling=Sampling(seed=number),
        completion=completion,
        phase=phase,
        legibility=legibility,
    )
    return record(event, prompts=prompt.nodes_since({each.node.address for each in known}))


def step(number: int, action: str = "look", thought: str = "", observation: str = "") -> Record:
    event = StepTaken(
        path=child(EPISODE, number),
        session=f"{EPISODE}/1",
        action=action,
        thought=thought,
        observation=observation,
        reward=0.0,
        done=False,
        rejected=False,
    )
    return record(event)


async def append(journal: SqliteJournal, records: Iterable[Record]) -> None:
    """Commit records."""
    await journal.append(records)


def begun(file: FilePath | Literal[":memory:"] = ":memory:", *others: Path) -> SqliteJournal:
    """A journal in which the episode has begun, and the others."""
    journal = SqliteJournal(file)
    for episode in (EPISODE, *others):
        journal.begin(episode)
    return journal


def written(file: FilePath, *records: Record) -> FilePath:
    """The file of a journal that is closed and has these."""
    with closing(begun(file)) as journal:
        run(append(journal, records))
    return file


def changed(file: FilePath, query: str, *values: object) -> None:
    """Change a journal, as nothing of ours does."""
    with closing(sqlite3.connect(file)) as vandal, vandal:
        vandal.execute(query, values)
