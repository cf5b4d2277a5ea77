"""Run folders with a journal written by hand."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from quintet.config.sections import RunConfig
from quintet.config.settings import from_table
from quintet.errors import FaultNote
from quintet.events import (
    CallMade,
    CutShort,
    EpisodeEnded,
    Event,
    Exchanged,
    Pictured,
    Record,
    Requeued,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.journal.writer import SqliteJournal
from quintet.launch.prepare import Prepared, prepare, prepare_config
from quintet.launch.writable_run import WritableRun
from quintet.messages.environment import Session
from quintet.messages.execution import Executed
from quintet.messages.message import Message
from quintet.messages.paths import Path as EpisodePath
from quintet.messages.paths import attempt_of, episode_path
from quintet.messages.planning import AllOf, AnyOf, Decomposed, PlanStep
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.messages.solving import Solved
from quintet.ports.model import Completion, Finish, Legibility, Sampling, Usage
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from tests.actors.pictured import picture_at

MODEL = "sim-weak (simulated)"
TEXT = "Think: {number}.\nAction: get 1 log"
"""What the model says."""
OBSERVATION = "Got 1 log"
"""What the world says to it."""


@dataclass(frozen=True)
class Went:
    """The result of an episode: None for a state means that it began and did not end."""

    state: str | None = "solved"
    reward: float = 1.0
    claimed: bool | None = True
    depth: int = 1
    calls: int = 1
    finish: Finish = "stop"
    legibility: Legibility = "read"
    cached_tokens: int = 0
    bounded: bool = False
    """Of all its completions, as the three before."""
    phases: tuple[str, ...] = ("execute",)
    """Of its calls, in turn."""
    trials: tuple[Mapping[str, Any], ...] = ()
    """Fields of `TrialEnded`; by default without actions and reward, of the episode's own method, and in order."""
    cut_short: bool = False
    """Whether it spent its budget."""
    pictures: bool = False
    """Whether its world was pictured where it began and after every step."""
    figures: Mapping[str, float] = field(default_factory=dict[str, float])
    traceback: str = ""
    """Of its fault."""


def prepared(
    method: str = "react", tasks: Iterable[str] | None = ("beehive",), /, **sections: Mapping[str, object]
) -> Prepared:
    """A run; with None for tasks, of the whole split."""
    table: dict[str, object] = {
        **sections,
        "method": {"name": method, **sections.get("method", {})},
        "environment": {"name": "textcraft", **sections.get("environment", {})},
        "run": {"tasks": None if tasks is None else list(tasks), **sections.get("run", {})},
    }
    return prepare([from_table(table, "a test")])


def config(
    method: str = "react", tasks: Iterable[str] | None = ("beehive",), /, **sections: Mapping[str, object]
) -> RunConfig:
    """The configuration of such a run."""
    return prepared(method, tasks, **sections).config


def begin(config: RunConfig) -> RunRecord:
    """The record of a run that begins now."""
    return prepare_config(config, "a test").record


def record(
    method: str = "react", tasks: Iterable[str] | None = ("beehive",), /, **sections: Mapping[str, object]
) -> RunRecord:
    return begin(config(method, tasks, **sections))


def write(path: Path, record: RunRecord, went: Mapping[str, Went], attempt: int = 0) -> Path:
    """A run folder, closed; tasks that are not named have not begun."""
    with WritableRun.create(path, record) as folder:
        journal(folder, went, attempt)
    return path


def journal(folder: RunFolder, went: Mapping[str, Went], attempt: int = 0, *, epoch: int = 0) -> None:
    asyncio.run(_journal(folder.journal, {episode_path(task, epoch, attempt): how for task, how in went.items()}))


def requeue(folder: RunFolder, attempt: str) -> None:
    """Begin an attempt as if an operator requeued the one before."""
    asyncio.run(_requeue(folder.journal, EpisodePath(attempt)))


async def _requeue(file: Path, attempt: EpisodePath) -> None:
    journal = SqliteJournal(file)
    task, epoch, number = attempt_of(attempt)
    why = Requeued(path=attempt, repeats=episode_path(task, epoch, number - 1))
    await journal.append([Record(event=why, incarnation=journal.begin(attempt))])
    journal.close()


async def _journal(file: Path, went: Mapping[EpisodePath, Went]) -> None:
    journal = SqliteJournal(file)
    for episode, how in went.items():
        incarnation = journal.begin(episode)
        await journal.append(each for each in _records(episode, how, incarnation))
    journal.close()


def _records(episode: EpisodePath, how: Went, incarnation: int) -> Iterable[Record]:
    def written(event: Event, *, seconds: float = 0.0, prompt: Prompt | None = None) -> Record:
        nodes = () if prompt is None else prompt.nodes_since(())
        return Record(event=event, incarnation=incarnation, seconds=seconds, prompts=nodes)  # type: ignore[arg-type]

    def exchanged(path: str, request: str, reply: Message) -> Record:
        text = msgspec.json.encode(reply).decode()
        return written(Exchanged(path=EpisodePath(path), request=request, subject="craft beehive", reply=text))

    session = Session(id=f"{episode}/1", host="one")

    def pictured(path: str, number: int) -> Iterable[Record]:
        if how.pictures:
            yield written(Pictured(path=EpisodePath(path), picture=picture_at(number)))

    yield written(
        SessionOpened(path=EpisodePath(f"{episode}/1"), session=session.id, observation="Goal: craft beehive.")
    )
    yield from pictured(f"{episode}/1", 0)
    prompt = Prompt(system("You craft."), user("Goal: craft beehive."))
    for number in range(how.calls):
        at = f"{episode}/2/{2 * number + 1}"
        text = TEXT.format(number=number)
        usage = Usage(prompt_tokens=100, cached_tokens=how.cached_tokens, completion_tokens=10)
        call = CallMade(
            path=EpisodePath(at),
            model=MODEL,
            prompt=prompt.node.address,
            sampling=Sampling(seed=7),
            completion=Completion(text=text, finish=how.finish, usage=usage),
            bounded=how.bounded,
            phase=how.phases[number % len(how.phases)],
            legibility=how.legibility,
        )
        yield written(call, seconds=0.1, prompt=prompt)
        step = StepTaken(
            path=EpisodePath(f"{episode}/2/{2 * number + 2}"),
            session=session.id,
            action="get 1 log",
            observation=OBSERVATION,
            reward=0.0,
            done=False,
            rejected=number > 0,
        )
        yield written(step)
        yield from pictured(step.path, number + 1)
        prompt = prompt.extend(assistant(text), user(OBSERVATION))
    executed = Executed(completed=True, claimed=True, stop="claimed", reward=1.0, done=True, calls=how.calls)
    yield exchanged(f"{episode}/2", "execute", executed)
    plan = AllOf(
        parts=(
            PlanStep(number=1, text="fetch a log"),
            AnyOf(parts=(PlanStep(number=2, text="craft planks"), PlanStep(number=3, text="fetch planks"))),
        )
    )
    yield exchanged(f"{episode}/3", "decompose", Decomposed(plan=plan, ambiguous=True))
    for number, fields in enumerate(how.trials, start=1):
        usual: dict[str, Any] = {"solve": episode, "number": number, "actions": 0, "reward": 0.0}
        path = EpisodePath(f"{episode}/{3 + number}")
        yield written(TrialEnded(path=path, **{**usual, **fields}))
    yield exchanged(episode, "solve", Solved(session=session, reward=1.0, done=True, depth=how.depth))
    if how.cut_short:
        yield written(CutShort(path=episode, reason="episode budget"))
    if how.state is not None:
        fault = FaultNote(kind="WorldFault", text="it broke", detail=how.traceback) if how.state == "faulted" else None
        yield written(
            EpisodeEnded(
                path=episode,
                state=how.state,  # type: ignore[arg-type]
                reward=how.reward,
                claimed=how.claimed,
                depth=how.depth,
                figures=dict(how.figures),
                reason="episode budget" if how.cut_short else "" if how.state == "solved" else "out of budget",
                fault=fault,
            ),
            seconds=1.5,
        )
