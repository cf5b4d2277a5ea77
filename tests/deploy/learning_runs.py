"""Run folders of runs that learn, with a journal written by hand."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path

import msgspec

from quintet.config.tasks import TaskEntry
from quintet.events import CallMade, EpisodeEnded, EpisodeReported, Event, Exchanged, Published, Record
from quintet.journal.writer import SqliteJournal
from quintet.launch.writable_run import WritableRun
from quintet.messages.learning import Learned
from quintet.messages.message import Message, Unanswered
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.messages.paths import Path as EventPath
from quintet.messages.planning import PlanRevised
from quintet.messages.prompts import Prompt, system, user
from quintet.messages.reflection import Reflected
from quintet.ports.model import Completion, Sampling, Usage
from quintet.runs.record import RunRecord
from tests.deploy import samples
from tests.deploy.samples import Went

LOST = Went("unsolved", 0.0, claimed=None)


class NoLessons(Enum):
    """In place of a plan: no update was requested, and the plan before was published again."""

    NO_LESSONS = auto()


NO_LESSONS = NoLessons.NO_LESSONS


@dataclass(frozen=True)
class Step:
    """An iteration. None for the plan: it is still to be written."""

    batch: Mapping[str, Went]
    plan: str | Unanswered | NoLessons | None
    reflections: Mapping[str, Reflected | Unanswered] = field(default_factory=dict[str, Reflected | Unanswered])


def record(training: Iterable[str], held_out: Iterable[str] = (), /, **sections: Mapping[str, object]) -> RunRecord:
    """A record of AutoPlan on two goals of TextCraft, learning from others.

    Args:
        training: names of tasks in place of the ones drawn by the seed.
        held_out: the same, of those that are held out.
        sections: settings.
    """
    learns = {**sections, "run": {"learn": True, **sections.get("run", {})}}
    begun = samples.record("autoplan", ("beehive", "cake"), **learns)
    metadata = {"recipe depth": "1"}
    update = {
        "training": tuple(TaskEntry(name=name, metadata=metadata) for name in training),
        "held_out": tuple(TaskEntry(name=name, metadata=metadata) for name in held_out),
    }
    return begun.model_copy(update=update)


def write(
    path: Path,
    record: RunRecord,
    steps: Sequence[Step],
    measured: Mapping[int, Mapping[str, Went]] | None = None,
    *,
    start: str = "",
    chosen: int | None = None,
) -> Path:
    """A run folder, closed.

    Args:
        path: of the folder.
        record: of the run.
        steps: its iterations, in order.
        measured: by version, how test and held-out tasks went.
        start: version 0.
        chosen: the version that the learner chose; None: it has not ended.
    """
    episodes = {number: dict(step.batch) for number, step in enumerate(steps)}
    for version, went in (measured or {}).items():
        episodes.setdefault(version, {}).update(went)
    with WritableRun.create(path, record) as folder:
        asyncio.run(_learner(folder.journal, start, steps, chosen))
        for version, went in episodes.items():
            samples.journal(folder, went, epoch=version)
    return path


async def _learner(file: Path, start: str, steps: Sequence[Step], chosen: int | None) -> None:
    journal = SqliteJournal(file)
    incarnation = journal.begin(LEARNER)
    for event in _events(start, steps, chosen):
        prompts = _PROMPT.nodes_since(()) if isinstance(event, CallMade) else ()
        record = Record(event=event, incarnation=incarnation, seconds=0.5, prompts=prompts)  # type: ignore[arg-type]
        await journal.append([record])
    journal.close()


def _events(start: str, steps: Sequence[Step], chosen: int | None) -> Iterator[Event]:
    # The first place is that of the group in which versions are measured.
    yield Published(path=child(LEARNER, 2), version=0, content=start)
    text, place = start, 2
    for version, step in enumerate(steps, 1):
        for number, task in enumerate(step.batch, 1):
            asked = child(child(child(LEARNER, place + 1), number), 1)
            yield EpisodeReported(path=child(asked, 1), attempt=episode_path(task, version - 1, 0))
        for number, (task, reply) in enumerate(step.reflections.items(), 1):
            asked = child(child(child(LEARNER, place + 2), number), 1)
            yield _call(child(asked, 1), getattr(reply, "summary", ""))
            yield _exchange(asked, "reflect", task, reply)
        if step.plan is None:
            return
        if step.plan is not NO_LESSONS:
            revising = child(LEARNER, place + 3)
            failed = isinstance(step.plan, Unanswered)
            revised = step.plan if isinstance(step.plan, Unanswered) else PlanRevised(text=step.plan)
            text = text if isinstance(step.plan, Unanswered) else step.plan
            yield _call(child(revising, 1), "" if failed else text)
            yield _exchange(revising, "revise_plan", f"{len(step.batch)} jobs", revised)
        place += 4
        yield Published(path=child(LEARNER, place), version=version, content=text)
    if chosen is not None:
        yield _exchange(LEARNER, "learn", "4 tasks", Learned(version=chosen))
        yield EpisodeEnded(path=LEARNER, state="solved")


_PROMPT = Prompt(system("You look back."), user("The job failed."))


def _call(path: EventPath, text: str) -> CallMade:
    usage = Usage(prompt_tokens=1000, completion_tokens=100)
    completion = Completion(text=text, usage=usage)
    address = _PROMPT.node.address
    return CallMade(path=path, model=samples.MODEL, prompt=address, sampling=Sampling(seed=7), completion=completion)


def _exchange(path: EventPath, request: str, subject: str, reply: Message) -> Exchanged:
    return Exchanged(path=path, request=request, subject=subject, reply=msgspec.json.encode(reply).decode())
