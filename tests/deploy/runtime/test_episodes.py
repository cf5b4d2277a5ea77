"""Episodes that a learner asks for: each is run once, in order, and the reported attempt keeps counting."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from quintet.errors import EndpointFailed, JournalFault, LearnerFaulted, ModelFault
from quintet.events import EpisodeReported, Exchanged, Record
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
from quintet.runtime.spec import Limits, MethodSpec, RunSpec
from tests.actors.fakes import GOAL, SETTING, TASK, Kitchen
from tests.simulation.learners import LEARN, learning_spec, with_learner
from tests.simulation.scenes import Fetcher, Slow
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


@dataclass
class Scene:
    """A learner with a given script, on one journal."""

    learn: Callable[[Run], Awaitable[None]]
    model: Slow | Moody = field(default_factory=lambda: Slow(Fetcher()))
    journal: SqliteJournal = field(default_factory=lambda: SqliteJournal(":memory:"))
    concurrency: int = 1

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
        return replace(learning_spec(self.model), learner=_ScriptedLearner(AutoPlanLearning(), self.learn))

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
    reports: list[EpisodeRan] = []

    async def twice(context: Run) -> None:
        for _ in range(2):
            reports.extend(await context.experience(["beehive"], 0))

    scene = Scene(twice)
    assert scene.play() == [FIRST]
    assert [row.incarnation for row in scene.journal.reader.episodes() if row.path == FIRST] == [1]
    assert reports[0] == reports[1]
    assert reports[0].experience is not None
    assert reports[0].experience.turns


def test_only_training_episodes_report_their_experience() -> None:
    reports: list[EpisodeRan] = []

    async def measured(context: Run) -> None:
        reports.append(await context.roles.ask(RunEpisode(task="purple bed", version=0)))

    Scene(measured).play()
    assert [ran.experience for ran in reports] == [None]


def test_the_reported_attempt_keeps_counting_after_later_repeats() -> None:
    reports: list[EpisodeRan] = []

    async def then_revise(context: Run) -> None:
        reports.extend(await context.experience(["beehive"], 0))
        await context.roles.ask(RevisePlan(plan="", lessons=()))

    model = Moody()
    scene = Scene(then_revise, model)
    with pytest.raises(LearnerFaulted, match="not now"):
        scene.play()
    model.times = 0
    assert scene.play(scene.planned(AGAIN), learns=False) == [AGAIN]
    assert scene.play() == []
    assert [ran.faulted for ran in reports] == [True, True]
    assert scene.counted == [FIRST]


def test_the_newest_attempt_counts_if_none_was_reported_yet() -> None:
    reports: list[EpisodeRan] = []

    async def once(context: Run) -> None:
        reports.extend(await context.experience(["beehive"], 0))

    async def requeue(driver: Driver) -> None:
        await asyncio.sleep(1.5)
        assert [begun.path for begun in driver.under_way if begun.has_slot] == [FIRST]
        await driver.requeue(FIRST, scene.planned(AGAIN))

    scene = Scene(once)
    assert scene.play(operate=requeue) == [FIRST, AGAIN]
    assert scene.counted == [AGAIN]
    end = scene.journal.reader.end(AGAIN)
    assert end is not None
    assert [(ran.faulted, ran.reward) for ran in reports] == [(False, end.reward)]


def test_an_attempt_that_is_still_to_begin_counts_too() -> None:
    reports: list[EpisodeRan] = []

    async def revise_first(context: Run) -> None:
        await context.roles.ask(RevisePlan(plan="", lessons=()))
        reports.extend(await context.experience(["beehive"], 0))

    model = Moody()
    scene = Scene(revise_first, model)
    with pytest.raises(LearnerFaulted, match="not now"):
        scene.play()
    assert scene.play(scene.planned(FIRST), learns=False) == [FIRST]
    model.times = 0
    assert scene.play(scene.planned(OTHER), scene.planned(AGAIN)) == [OTHER, AGAIN]
    assert [ran.faulted for ran in reports] == [False]
    assert scene.counted == [AGAIN]


def test_a_training_episode_that_its_surroundings_failed_is_repeated_once() -> None:
    reports: list[EpisodeRan] = []

    async def once(context: Run) -> None:
        reports.extend(await context.experience(["beehive"], 0))

    scene = Scene(once, Moody(EndpointFailed("502"), times=5))
    assert scene.play() == [FIRST, AGAIN]
    assert [ran.faulted for ran in reports] == [False]
    assert scene.counted == [AGAIN]


def test_a_batch_that_its_surroundings_failed_is_not_learnt_from_and_resumed_later() -> None:
    reports: list[EpisodeRan] = []

    async def once(context: Run) -> None:
        reports.extend(await context.experience(["beehive"], 0))
        await context.publish(1, "learnt")

    model = Moody(EndpointFailed("502"))
    scene = Scene(once, model)
    for attempt in (1, 2):
        with pytest.raises(LearnerFaulted, match=f"beehive/0/{attempt}: expected an episode to learn from"):
            scene.play()
        assert scene.journal.reader.published().keys() == {0}
        assert scene.counted == []
    model.times = 0
    assert scene.play() == [episode_path("beehive", 0, 3)]
    assert scene.counted == [episode_path("beehive", 0, 3)]
    assert scene.play() == []
    assert [ran.faulted for ran in reports] == [False, False]
    assert scene.journal.reader.published()[1] == "learnt"


def test_a_test_episode_that_its_surroundings_failed_is_not_repeated() -> None:
    rates: list[float | None] = []

    async def measured(context: Run) -> None:
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

    async def overlapping(context: Run) -> None:
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
BURNT = Turn(completion="Action: burn", observation="It is burnt.")
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
    spec = RunSpec(
        methods=tuple(
            MethodSpec(
                name=each.name,
                method=each,
                models=dict.fromkeys(_ROLES, model),
                sampling=dict.fromkeys(_ROLES, Sampling(stop=("###",))),
                prompts=prompts,
            )
            for each in (method(config, *inner), *inner)
        ),
        world=Kitchen(),
        seed=0,
        limits=Limits(episode=seconds),
    )
    path = episode_path(TASK.name, 0, 0)

    async def scene() -> list[Record]:
        journal = SqliteJournal(":memory:")
        async with LocalRuntime(spec, journal, concurrency=1) as runtime:
            async for _ in runtime.run([Planned(path, Solve(task=TASK))]):
                pass
            return journal.reader.records(path)

    return run(scene())


_OF_AUTOPLAN = ("execute.thought", "execute.formalizer")
_ROLES = ("executor", "planner")


def test_a_learner_receives_the_turns_of_the_answer() -> None:
    said = ("Thought: salt.", "Action: the salt", "Action: take salt", "", "dish up", "serve")
    assert experience(TASK.name, record_episode(AutoPlan, Saying(*said))) == Experience(
        task="supper", opening=OPENING, turns=(SALT, SERVED)
    )


def test_turns_that_were_rolled_back_are_not_learnt_from() -> None:
    said = ("Action: take oil", "Action: task failed", "Step 1: salt\nExecution Order: Step 1")
    model = Saying(*said, "salt.\nAction: take salt", "Action: task completed")
    assert experience(TASK.name, record_episode(Adapt, model, hand_on="nothing")).turns == (SALT,)


def test_an_episode_that_did_nothing_has_no_turns() -> None:
    assert experience(TASK.name, record_episode(React, Saying("Action: task failed"))) == Experience(
        task="supper", opening=OPENING, turns=(), reason="the model claims failure"
    )
    assert experience("supper", []) == Experience(task="supper", opening="", turns=())


def test_the_turns_until_a_time_limit_are_learnt_from() -> None:
    model = Saying("salt.", "take salt", "take salt", "now.")
    assert experience(TASK.name, record_episode(AutoPlan, model, seconds=60)) == Experience(
        task="supper", opening=OPENING, turns=(SALT,), reason="time limit"
    )


def test_the_turns_before_a_fault_are_known() -> None:
    found = experience(TASK.name, record_episode(React, Saying("salt.\nAction: take salt", fault=ValueError("a bug"))))
    assert found.turns == (SALT,)
    assert "a bug" in found.reason


def test_an_episode_that_was_cut_short_reports_its_last_session() -> None:
    said = ("Action: take oil", "Action: task failed", "Step 1: salt\nExecution Order: Step 1")
    found = experience(TASK.name, record_episode(Adapt, Saying(*said, "salt.\nAction: take salt"), seconds=60))
    assert found.turns == (SALT,)


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
    said = ("Action: take oil", "Action: task failed", "Step 1: salt\nExecution Order: Step 1")
    records = record_episode(Adapt, Saying(*said, "salt.\nAction: take salt", "Action: task completed"), rollback=False)
    replies = [
        (record.event.request, bool(record.event.turns)) for record in records if isinstance(record.event, Exchanged)
    ]
    assert sorted(replies) == [
        ("decompose", False),
        ("execute", False),
        ("execute", False),
        ("solve", False),
        ("solve", False),
        ("solve", False),
        ("solve", True),
    ]
    assert experience(TASK.name, records).turns == (OIL, SALT)
