"""Episodes that a learner asks for: each is run once, in order, and the reported attempt keeps counting."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest

from quintet.errors import EndpointFailed, JournalFault, LearnerFaulted, ModelFault
from quintet.events import EpisodeReported, Exchanged, Recalled, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Fork
from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, Learned, RunEpisode
from quintet.messages.paths import Path, attempt_of, episode_path
from quintet.messages.planning import RevisePlan
from quintet.messages.prompts import Prompt
from quintet.messages.solving import DecisionProcess, Solve, Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.ports.model import Completion, Sampling
from quintet.runtime.driver import Driver
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import experience
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import Limits, RunSpec
from tests.actors.fakes import GOAL, SETTING, TASK, Kitchen
from tests.simulation.learners import LEARN, learning_spec, with_learner
from tests.simulation.scenes import Fetcher, Slow, ends_of, spec_of
from tests.simulation.virtual import run

Run = LearnerContext

MEASURED = (*LEARN.held_out, *LEARN.test, "cake")
FIRST, AGAIN = episode_path("beehive", 0, 0), episode_path("beehive", 0, 1)
OTHER = episode_path("lantern", 0, 0)


class Moody:
    """A model that faults `times` times, but always answers a greeting."""

    name = "fetcher"

    def __init__(self, fault: ModelFault | None = None, *, times: int = 1_000_000) -> None:
        self.fault = fault or ModelFault("not now")
        self.times = times

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if prompt.messages()[-1].content == "Hello.":
            return Completion(text="Hello.")
        if self.times:
            self.times -= 1
            raise self.fault
        return await Slow(Fetcher()).complete(prompt, sampling)


class _ScriptedLearner(AutoPlanLearner):
    def __init__(self, config: AutoPlanLearning, do: Callable[[Run], Awaitable[None]]) -> None:
        super().__init__(config)
        self._do = do

    async def learn(self, run: Run) -> Learned:
        await run.publish(0, "")
        await self._do(run)
        return Learned(version=0)


async def once(scene: "Scene", context: Run) -> None:
    """Learn from one episode."""
    scene.reports += await context.experience(["beehive"], 0)


async def after_a_revision(scene: "Scene", context: Run) -> None:
    """The same, with a call of the learner's own before."""
    await context.roles.ask(RevisePlan(plan="", lessons=()))
    await once(scene, context)


@dataclass
class Scene:
    """A learner with a given script, on one journal."""

    learn: "Callable[[Scene, Run], Awaitable[None]]" = once
    model: Slow | Moody = field(default_factory=lambda: Slow(Fetcher()))
    journal: SqliteJournal = field(default_factory=lambda: SqliteJournal(":memory:"))
    concurrency: int = 1
    reports: list[EpisodeRan] = field(default_factory=list[EpisodeRan])
    """What the learner was told."""

    def play(
        self, *further: Planned, operate: Callable[[Driver], Awaitable[None]] | None = None, learns: bool = True
    ) -> list[Path]:
        """Run to the end, or until the learner faults; the episodes in the order of their ends."""
        spec = self.spec()

        async def scene() -> list[Path]:
            async with LocalRuntime(spec, self.journal, concurrency=self.concurrency) as runtime:
                learner = with_learner(spec, runtime, self.journal)
                working = None if operate is None else asyncio.ensure_future(operate(runtime.runner))
                ended = [end.path async for end in runtime.run([*(learner if learns else ()), *further])]
                if working is not None:
                    await working
                return ended

        return run(scene())

    def spec(self) -> RunSpec:
        return replace(
            learning_spec(self.model), learner=_ScriptedLearner(AutoPlanLearning(), partial(self.learn, self))
        )

    def planned(self, path: Path) -> Planned:
        """An episode that the learner does not ask for."""
        solve_request = EpisodeRequests(self.spec(), learn=LEARN, version=self.journal.reader.version)
        return Planned(path, solve_request(attempt_of(path).task, 0))

    @property
    def counted(self) -> list[str]:
        """The attempts that were reported to the learner."""
        events = (record.event for record in self.journal.reader.records())
        return [event.attempt for event in events if isinstance(event, EpisodeReported)]


def test_an_episode_whose_end_is_found_is_not_run_again() -> None:
    async def twice(scene: Scene, context: Run) -> None:
        for _ in range(2):
            await once(scene, context)

    scene = Scene(twice)
    assert scene.play() == [FIRST]
    assert [row.incarnation for row in scene.journal.reader.episodes() if row.path == FIRST] == [1]
    first, second = scene.reports
    assert first == second
    assert first.experience is not None
    assert first.experience.turns


def test_only_training_episodes_report_their_experience() -> None:
    async def measured(scene: Scene, context: Run) -> None:
        scene.reports.append(await context.roles.ask(RunEpisode(task="purple bed", version=0)))

    scene = Scene(measured)
    scene.play()
    assert [ran.experience for ran in scene.reports] == [None]


def test_the_reported_attempt_keeps_counting_after_later_repeats() -> None:
    async def then_revise(scene: Scene, context: Run) -> None:
        await once(scene, context)
        await context.roles.ask(RevisePlan(plan="", lessons=()))

    model = Moody()
    scene = Scene(then_revise, model)
    with pytest.raises(LearnerFaulted, match="not now"):
        scene.play()
    model.times = 0
    assert scene.play(scene.planned(AGAIN), learns=False) == [AGAIN]
    assert scene.play() == []
    assert [ran.faulted for ran in scene.reports] == [True, True]
    assert scene.counted == [FIRST]


def test_the_newest_attempt_counts_if_none_was_reported_yet() -> None:
    async def requeue(driver: Driver) -> None:
        await asyncio.sleep(1.5)
        assert [begun.path for begun in driver.under_way if begun.has_slot] == [FIRST]
        await driver.requeue(FIRST, scene.planned(AGAIN))

    scene = Scene()
    assert scene.play(operate=requeue) == [FIRST, AGAIN]
    assert scene.counted == [AGAIN]
    end = scene.journal.reader.end(AGAIN)
    assert end is not None
    assert [(ran.faulted, ran.reward) for ran in scene.reports] == [(False, end.reward)]


def test_an_attempt_that_is_still_to_begin_counts_too() -> None:
    model = Moody()
    scene = Scene(after_a_revision, model)
    with pytest.raises(LearnerFaulted, match="not now"):
        scene.play()
    assert scene.play(scene.planned(FIRST), learns=False) == [FIRST]
    model.times = 0
    assert scene.play(scene.planned(OTHER), scene.planned(AGAIN)) == [OTHER, AGAIN]
    assert [ran.faulted for ran in scene.reports] == [False]
    assert scene.counted == [AGAIN]


def test_a_training_episode_that_its_surroundings_failed_is_repeated_once() -> None:
    scene = Scene(once, Moody(EndpointFailed("502"), times=5))
    assert scene.play() == [FIRST, AGAIN]
    assert [ran.faulted for ran in scene.reports] == [False]
    assert scene.counted == [AGAIN]


def test_a_batch_that_its_surroundings_failed_is_not_learnt_from_and_resumed_later() -> None:
    async def then_publish(scene: Scene, context: Run) -> None:
        await once(scene, context)
        await context.publish(1, "learnt")

    model = Moody(EndpointFailed("502"))
    scene = Scene(then_publish, model)
    for attempt in (1, 2):
        with pytest.raises(LearnerFaulted, match=f"beehive/0/{attempt}: expected an episode to learn from"):
            scene.play()
        assert scene.journal.reader.published().keys() == {0}
        assert scene.counted == []
    model.times = 0
    assert scene.play() == [episode_path("beehive", 0, 3)]
    assert scene.counted == [episode_path("beehive", 0, 3)]
    assert scene.play() == []
    assert [ran.faulted for ran in scene.reports] == [False, False]
    assert scene.journal.reader.published()[1] == "learnt"


def test_a_test_episode_that_its_surroundings_failed_is_not_repeated() -> None:
    rates: list[float | None] = []

    async def measured(_scene: Scene, context: Run) -> None:
        rates.append(await context.measure(["cake"], 0))

    assert Scene(measured, Moody(EndpointFailed("502"), times=5)).play() == [episode_path("cake", 0, 0)]
    assert rates == [None]


def test_training_episodes_go_ahead_of_the_queue() -> None:
    async def collecting(context: Run) -> None:
        await asyncio.sleep(0.5)
        await context.experience(LEARN.training[:2], 0)

    async def measuring(context: Run) -> None:
        await asyncio.sleep(0.7)
        await context.measure(["stick"], 0)

    async def overlapping(_scene: Scene, context: Run) -> None:
        async with context.branches() as group:
            group.start(context.measure, MEASURED, 0)
            group.start(collecting, context)
            group.start(measuring, context)

    ended = [path.split("/")[0] for path in Scene(overlapping).play()]
    assert ended[0] in MEASURED
    assert sorted(ended[1:3]) == sorted(LEARN.training[:2])
    assert sorted([ended[0], *ended[3:-1]]) == sorted(MEASURED)
    assert ended[-1] == "stick"


# The experience of an episode


OPENING = f"{SETTING} Please {GOAL}."
PROMPTS = {
    name: f"You are the {name}."
    for name in ("execute", "decompose", "demonstrations", "execute.thought", "execute.formalizer")
}
SALT = Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt.")
OIL = Turn(completion="Action: take oil", observation="You take oil.")
SERVED = Turn(completion="Action: serve", observation="Supper is served.")


class Saying:
    """Says one text after the other; then faults, but answers a greeting, or hangs for an hour."""

    name = "saying"

    def __init__(self, *texts: str, fault: Exception | None = None) -> None:
        self._texts = list(texts)
        self._fault = fault

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if self._fault is not None and prompt.messages()[-1].content == "Hello.":
            return Completion(text="Hello.")
        if self._fault is not None and not self._texts:
            raise self._fault
        if not self._texts:
            await asyncio.sleep(3600)
        return Completion(text=self._texts.pop(0))


def record_episode(
    method: type[Method[Any]], model: Saying, seconds: float | None = None, **values: Any
) -> list[Record]:
    """The journal's records of an episode of a method in the kitchen; ReAct is within it if it takes an inner one."""
    config: Any = method.options.model_validate(values)
    inner = (React(ReactConfig()),) if method.nests else ()
    all_asked = method.name == AutoPlan.name
    prompts = {name: words for name, words in PROMPTS.items() if all_asked or name not in _OF_AUTOPLAN}
    given: dict[str, Any] = {"world": Kitchen(), "roles": ("executor", "planner"), "limits": Limits(episode=seconds)}
    specs = [spec_of(each, prompts, model, **given) for each in (method(config, *inner), *inner)]
    spec = replace(specs[0], methods=tuple(each.methods[0] for each in specs))
    path, journal = episode_path(TASK.name, 0, 0), SqliteJournal(":memory:")
    run(ends_of(spec, journal, [Planned(path, Solve(task=TASK))]))
    return journal.reader.records(path)


_OF_AUTOPLAN = ("execute.thought", "execute.formalizer")


def test_a_learner_receives_the_turns_of_the_answer() -> None:
    said = ("Thought: salt.", "Action: the salt", "Action: take salt", "", "dish up", "serve")
    assert experience(TASK.name, record_episode(AutoPlan, Saying(*said))) == Experience(
        task="supper", opening=OPENING, turns=(SALT, SERVED)
    )


FAILED = ("Action: take oil", "Action: task failed", "Step 1: salt\nExecution Order: Step 1")


@pytest.mark.parametrize(
    ("method", "model", "options", "turns", "reason"),
    [
        pytest.param(
            Adapt,
            Saying(*FAILED, "salt.\nAction: take salt", "Action: task completed"),
            {"hand_on": "nothing"},
            (SALT,),
            "",
            id="none-that-were-rolled-back",
        ),
        pytest.param(React, Saying("Action: task failed"), {}, (), "given up as impossible", id="none-were-taken"),
        pytest.param(
            AutoPlan,
            Saying("salt.", "take salt", "take salt", "now."),
            {"seconds": 60},
            (SALT,),
            "time limit",
            id="until-a-time-limit",
        ),
        pytest.param(
            Adapt,
            Saying(*FAILED, "salt.\nAction: take salt"),
            {"seconds": 60},
            (SALT,),
            "time limit",
            id="of-the-last-session-when-cut-short",
        ),
        pytest.param(
            React,
            Saying("salt.\nAction: take salt", fault=ValueError("a bug")),
            {},
            (SALT,),
            "a bug",
            id="before-a-fault",
        ),
    ],
)
def test_the_turns_that_are_learnt_from(
    method: type[Method[Any]], model: Saying, options: dict[str, Any], turns: tuple[Turn, ...], reason: str
) -> None:
    found = experience(TASK.name, record_episode(method, model, **options))
    assert (found.task, found.opening, found.turns) == ("supper", OPENING, turns)
    assert reason in found.reason


def test_an_episode_that_did_nothing_has_no_experience() -> None:
    assert experience("supper", []) == Experience(task="supper", opening="", turns=())


class OffersACopy(React):
    """Takes salt, and oil in a copy that it offers; then tastes in the first session."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        await episode.execute(max_calls=1, patience=1)
        copy = (await episode.ask(Fork(session=episode.session))).session
        await episode.execute(max_calls=1, patience=1, session=copy)
        episode.offer(Solved(session=copy, reward=0.0, done=False))
        await episode.execute(max_calls=1, patience=1)
        return await episode.execute(max_calls=1, patience=1, session=copy)


def test_an_episode_that_was_cut_short_reports_the_session_that_it_offered_from_its_opening_on() -> None:
    model = Saying("salt.\nAction: take salt", "Action: take oil", "Action: taste")
    records = record_episode(OffersACopy, model, seconds=60)
    assert experience(TASK.name, records) == Experience(
        task="supper", opening=OPENING, turns=(SALT, OIL), reason="time limit"
    )


class Explores(React):
    """Takes salt, and oil in a copy; answers with a process of each session."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        await episode.execute(max_calls=1, patience=1)
        copy = (await episode.ask(Fork(session=episode.session))).session
        await episode.execute(max_calls=2, patience=2, session=copy)
        processes = tuple(
            DecisionProcess(goal=GOAL, setting=SETTING, session=session.id, reward=0.5, first=2)
            for session in (episode.session, copy)
        )
        return Unsolved(session=copy, reward=0.5, done=False, reason="explored", processes=processes)


def test_a_learner_gets_the_turns_of_every_process_that_the_world_accepted() -> None:
    found = experience(
        TASK.name, record_episode(Explores, Saying("salt.\nAction: take salt", "Action: fly", "Action: take oil"))
    )
    assert found.turns == ()
    assert [process.turns for process in found.processes] == [(SALT,), (SALT, OIL)]
    assert {(process.goal, process.reward, process.first) for process in found.processes} == {(GOAL, 0.5, 2)}


def test_an_experience_has_the_notes_that_were_recalled_each_once_and_no_tuples() -> None:
    path = episode_path(TASK.name, 0, 0)
    events = [
        Recalled(path=path, version=1, ids=(7, 3)),
        Recalled(path=path, version=1, batch=1, ids=(5,)),
        Recalled(path=path, version=1, ids=(3, 9)),
    ]
    assert experience(TASK.name, [Record(event=each, incarnation=1, seconds=0.0) for each in events]).recalled == (
        7,
        3,
        9,
    )


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Saying("salt.\nAction: take salt"), "time limit"),
        (Saying("salt.\nAction: take salt", fault=ValueError("a bug")), "a bug"),
        (Saying(fault=ModelFault("the prompt is too long")), "the prompt is too long"),
    ],
)
def test_an_episode_without_an_answer_has_no_process_and_says_why(model: Saying, reason: str) -> None:
    found = experience(TASK.name, record_episode(Explores, model, seconds=60))
    assert found.processes == ()
    assert reason in found.reason


def test_an_answer_that_cannot_be_read_is_a_fault_of_the_journal() -> None:
    path = episode_path(TASK.name, 0, 0)
    event = Exchanged(path=path, request="solve", subject="", session="s", reply='{"processes": 1}')
    with pytest.raises(JournalFault, match="supper/0/0: expected an answer of this version"):
        experience(TASK.name, [Record(event=event, incarnation=1, seconds=0.0)])


def test_only_an_episode_s_own_answer_keeps_its_turns_in_the_journal() -> None:
    records = record_episode(
        Adapt, Saying(*FAILED, "salt.\nAction: take salt", "Action: task completed"), rollback=False
    )
    replies = [
        (record.event.request, bool(record.event.turns)) for record in records if isinstance(record.event, Exchanged)
    ]
    assert Counter(replies) == {("decompose", False): 1, ("execute", False): 2, ("solve", False): 3, ("solve", True): 1}
    assert experience(TASK.name, records).turns == (OIL, SALT)
