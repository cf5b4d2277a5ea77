"""The episodes role, on the driver's host: runs episodes for a learner and reports them, each once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from quintet.errors import JournalFault, LearnerFaulted, one_line
from quintet.events import (
    CutShort,
    EpisodeEnded,
    EpisodeReported,
    Exchanged,
    Offer,
    Record,
    SessionOpened,
    StepTaken,
)
from quintet.journal.cells import UNREADABLE
from quintet.journal.reader import JournalReader
from quintet.journal.session_steps import answer_steps, steps_by_session
from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, RunEpisode
from quintet.messages.paths import Path, attempt_of, episode_of, episode_path
from quintet.messages.solving import DecisionProcess, Solve
from quintet.methods.base.method import LearnerSpec
from quintet.roles.context import commit_once, current
from quintet.roles.learner import Learner
from quintet.roles.turn_text import ENDED, turn_of
from quintet.runtime.driver import Driver
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.incarnation import LEARNER_ROLE, Planned
from quintet.runtime.retries import RETRIED
from quintet.runtime.roles import EPISODES
from quintet.runtime.runtime import Runtime

_SURROUNDINGS: Final = frozenset(fault.__name__ for fault in RETRIED)
"""Kinds of faults that the episode did not cause."""


def spawn_learner(
    learner: LearnerSpec[Any], runtime: Runtime, journal: JournalReader, solve_request: EpisodeRequests, *, seed: int
) -> None:
    """Spawn the learner, and the role that runs episodes for it, on the driver's host."""
    runtime.host.spawn(EPISODES, Episodes(runtime.runner, journal, solve_request))
    runtime.host.spawn(LEARNER_ROLE, Learner(learner, runtime.roles, seed=seed))


class Episodes:
    """Runs an episode through the driver, or finds its end in the journal."""

    def __init__(self, driver: Driver, journal: JournalReader, solve_request: Callable[[str, int], Solve]) -> None:
        self._driver = driver
        self._journal = journal
        self._solve_request = solve_request

    async def receive(self, request: RunEpisode) -> EpisodeRan:
        if not any(isinstance(record.event, EpisodeReported) for record in current().recording.records):
            await self._run(request)
        # A later attempt changes nothing: a replay reports the one that was reported first.
        newest = self._newest(request)
        reported = await commit_once(lambda path: EpisodeReported(path=path, attempt=newest))
        return self._report(reported.attempt, request)

    async def _run(self, request: RunEpisode) -> None:
        """Wait until the newest attempt has ended. One to learn from is repeated once if its surroundings failed.

        Of several attempts the newest counts, even if it began while another one was waited for.

        Raises:
            LearnerFaulted: the surroundings failed again. A later start of the run tries once more.
        """
        repeated = False
        while (end := self._journal.end(path := self._newest(request))) is None or _is_no_result(end, request):
            interrupted = end is not None and end.state == "interrupted"
            if interrupted:
                path = episode_path(request.task, request.version, attempt_of(path).number + 1)
            elif end is not None:
                if repeated:
                    raise LearnerFaulted(f"{path}: expected an episode to learn from, got {end.why}")
                repeated = True
                path = episode_path(request.task, request.version, attempt_of(path).number + 1)
            planned = Planned(path, self._solve_request(request.task, request.version), after_reset=interrupted)
            await self._driver.episode(planned, ahead=request.for_training)

    def _newest(self, request: RunEpisode) -> Path:
        attempt = self._journal.attempt(request.task, request.version) or 0
        while self._driver.is_part(again := episode_path(request.task, request.version, attempt + 1)):
            attempt = attempt_of(again).number
        return episode_path(request.task, request.version, attempt)

    def _report(self, attempt: Path, request: RunEpisode) -> EpisodeRan:
        end = self._journal.end(attempt)
        if end is None:
            raise JournalFault(f"{attempt}: expected an end in the journal, found none")
        lived = experience(request.task, self._journal.records(attempt)) if request.for_training else None
        return EpisodeRan(faulted=end.state == "faulted", reward=end.reward, experience=lived)


def _is_no_result(end: EpisodeEnded, request: RunEpisode) -> bool:
    """Whether an attempt was interrupted, or cannot be learnt from since its model brought no answer."""
    if end.state == "interrupted":
        return True
    return request.for_training and end.fault is not None and end.fault.kind in _SURROUNDINGS


def experience(task: str, records: Sequence[Record]) -> Experience:
    """Build a learner's experience of an episode from the turns in its answer.

    An episode that was cut short or faulted has none; then the steps in the session that it offered are used, or else
    those in the session acted in last. A copied session has those of its origin before it. The processes of the answer
    get the steps of their sessions that the world accepted; without an answer there are none, and the reason says why.

    Raises:
        JournalFault: the answer cannot be read.
    """
    opening, reason, offered = "", "", False
    answered: tuple[Turn, ...] | None = None
    processes: tuple[DecisionProcess, ...] = ()
    for record in records:
        match record.event:
            case SessionOpened(observation=observation):
                opening = opening or observation
            case CutShort(offer=Offer()):
                offered = True
            case Exchanged() as answer if answer.path == episode_of(answer.path):
                answered = None if answer.session is None else answer.turns
                processes = _processes(answer)
            case EpisodeEnded(why=reason):
                pass
            case _:
                pass
    steps = steps_by_session(records) if processes else {}
    return Experience(
        task=task,
        opening=opening,
        turns=_turns(answer_steps(records)) if answered is None or offered else answered,
        reason=reason,
        processes=tuple(
            structs.replace(process, turns=_turns(step for step in steps.get(process.session, ()) if not step.rejected))
            for process in processes
        ),
    )


def _turns(steps: Iterable[StepTaken]) -> tuple[Turn, ...]:
    # The observation of a step that ended the world may tell the reward.
    return tuple(turn_of(step.action, ENDED if step.done else step.observation, step.thought) for step in steps)


class _Answer(Struct):
    processes: tuple[DecisionProcess, ...] = ()


def _processes(answer: Exchanged) -> tuple[DecisionProcess, ...]:
    try:
        return msgspec.json.decode(answer.reply, type=_Answer).processes
    except UNREADABLE as error:
        raise JournalFault(f"{answer.path}: expected an answer of this version: {one_line(error)}") from error
