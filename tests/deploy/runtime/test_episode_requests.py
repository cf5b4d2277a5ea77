"""What episodes are asked: with which version, in which world, and how far their completions vary."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from quintet.errors import UsageError
from quintet.events import CallMade, Published, Record, SessionOpened
from quintet.journal.writer import SqliteJournal
from quintet.messages.parts import TaskPlan
from quintet.messages.paths import LEARNER, attempt_of, episode_of
from quintet.ports.model import Sampling, SamplingOverride
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from tests.simulation.learners import LEARN, learning_spec, with_learner
from tests.simulation.virtual import run

CONFIGURED, EXPLORING = (0.25, 0.5), (1.0, 0.9)
"""Temperature and top_p."""
MEASURED = (*LEARN.held_out, *LEARN.test)


def assembled(varied: str = "everything") -> RunSpec:
    made = learning_spec(sampling_scope=varied)
    temperature, top_p = CONFIGURED
    return replace(made, sampling=dict.fromkeys(made.model_roles, Sampling(temperature=temperature, top_p=top_p)))


@cache
def learnt(varied: str = "everything") -> Sequence[Record]:
    """What the journal holds once something was learnt."""

    async def scene() -> Sequence[Record]:
        spec, journal = assembled(varied), SqliteJournal(":memory:")
        async with LocalRuntime(spec, journal, concurrency=4) as runtime:
            async for _ in runtime.run(with_learner(spec, runtime, journal)):
                pass
        return journal.reader.records()

    return run(scene())


def drawn(records: Sequence[Record]) -> dict[str, set[tuple[float, float]]]:
    """How the calls of every task were drawn, and those of the learner."""
    found: dict[str, set[tuple[float, float]]] = defaultdict(set)
    for event in (record.event for record in records):
        if isinstance(event, CallMade):
            episode = episode_of(event.path)
            task = LEARNER if episode == LEARNER else attempt_of(episode).task
            found[task].add((event.sampling.temperature, event.sampling.top_p))
    return found


@pytest.mark.parametrize("varied", ["everything", "episodes"])
def test_episodes_that_are_learnt_from_explore_and_all_others_are_drawn_as_configured(varied: str) -> None:
    found = drawn(learnt(varied))
    assert found.keys() == {LEARNER, *LEARN.training, *MEASURED}
    assert [found[task] for task in LEARN.training] == [{EXPLORING}] * len(LEARN.training)
    assert [found[task] for task in MEASURED] == [{CONFIGURED}] * len(MEASURED)


@pytest.mark.parametrize(("varied", "expected"), [("everything", EXPLORING), ("episodes", CONFIGURED)])
def test_reflections_and_updates_vary_where_they_are_to(varied: str, expected: tuple[float, float]) -> None:
    assert drawn(learnt(varied))[LEARNER] == {expected}


def test_every_version_of_a_task_meets_the_same_world() -> None:
    met: dict[str, dict[int, str]] = defaultdict(dict)
    for event in (record.event for record in learnt()):
        if isinstance(event, SessionOpened):
            task, version, _ = attempt_of(episode_of(event.path))
            met[task][version] = event.observation
    spec = assembled()
    for task in MEASURED:
        openings = [spec.world.open(spec.task(task, epoch)).opening.observation for epoch in range(3)]
        assert len(set(openings)) == 3, "worlds of other epochs look differently"
        assert met[task] == dict.fromkeys(range(3), openings[0])


def test_every_episode_is_shown_the_version_that_its_path_names_and_no_other() -> None:
    events = [record.event for record in learnt()]
    plans = {event.version: event.content for event in events if isinstance(event, Published)}
    assert len(set(plans.values())) == len(plans) == 3
    for version, plan in plans.items():
        nodes = (node for record in learnt() for node in record.prompts if _version(record) == version)
        told = [node.appended[0].content for node in nodes if node.parent is None and len(node.appended) > 1]
        assert told
        for said in told:
            assert said.partition("A plan for tasks of this kind:\n\n")[2] == plan


def _version(record: Record) -> int | None:
    episode = episode_of(record.event.path)
    return None if episode == LEARNER else attempt_of(episode).epoch


def posing(versions: dict[int, str]) -> EpisodeRequests:
    return EpisodeRequests(assembled(), learn=LEARN, version=versions.get)


def test_what_is_asked_follows_from_task_and_version_alone() -> None:
    solve_request, spec = posing({0: "", 1: "1. Look.", 7: "1. Jump."}), assembled()
    for task in (*LEARN.training, *MEASURED):
        explores = SamplingOverride(temperature=1.0, top_p=0.9) if task in LEARN.training else None
        for version, shown in ((0, ()), (1, (TaskPlan(text="1. Look."),)), (7, (TaskPlan(text="1. Jump."),))):
            asked = solve_request(task, version)
            assert (asked.task, asked.parts, asked.sampling) == (spec.task(task, 0), shown, explores)


def test_a_version_that_was_not_published_is_refused() -> None:
    with pytest.raises(UsageError, match="purple bed: expected a version that was published, got 2"):
        posing({0: "", 1: "1. Look."})("purple bed", 2)


def test_where_nothing_is_learnt_every_epoch_has_its_world_and_the_plan_that_is_given() -> None:
    spec = replace(assembled(), learner=None)
    asked = [EpisodeRequests(spec, plan="1. Look.")("beehive", epoch) for epoch in range(2)]
    assert [solve.task for solve in asked] == [spec.task("beehive", epoch) for epoch in range(2)]
    assert asked[0].task.seed != asked[1].task.seed
    assert {(solve.parts, solve.sampling) for solve in asked} == {((TaskPlan(text="1. Look."),), None)}
    assert EpisodeRequests(spec)("beehive", 0).parts == ()
