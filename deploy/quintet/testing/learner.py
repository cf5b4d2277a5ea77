"""The contract of learners: phases, pinned versions, what learning may depend on, and resuming after a kill.

The fixture `case` gives the `LearnerCase` to try it on. The tests are in order: later ones rely on earlier ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import structs

from quintet.config.settings import Settings, from_table
from quintet.errors import UsageError
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Published, Record
from quintet.messages.learning import Learn, Learned, RunEpisode
from quintet.messages.paths import LEARNER, Path, attempt_of, episode_of, order_of
from quintet.methods.base.method import LearnerSpec, Method
from quintet.plugins.prompts import find_prompts
from quintet.roles.registry import prompts_of
from quintet.runtime.spec import RunSpec
from quintet.testing.content import content_of
from quintet.testing.expectations import expect, expect_equal, expect_type, fail
from quintet.testing.learnt_content import CONTENT_CASES
from quintet.testing.method import places_to_kill
from quintet.testing.method_case import MethodCase, name_method
from quintet.testing.random_model import RandomModel
from quintet.testing.replay import Rewards, Scenario, left_by_kill, run_learner, with_model

_TRAINING, _TEST = 4, 2
"""How many tasks to learn from, and to measure with."""
_EPISODES_LONGEST, _LEARNERS_LONGEST = 512, 8_192
"""Tokens of a completion. The learner's own calls reserve more than an episode's, so that some budgets last for
episodes and end at the learner's own calls."""

_KILLS = 8
"""At how many places in the journal a learner is killed, and its budget ends."""


class LearnerCase(MethodCase, frozen=True, kw_only=True, dict=True):
    """A method that learns, in one of its worlds."""

    @property
    def learner(self) -> type[LearnerSpec[Any]]:
        found = self.method.learner
        if found is None:
            pytest.skip("it learns nothing across episodes")
        return found

    def settings(self) -> list[Settings]:
        first, *rest = super().settings()
        return [first, from_table({"run": {"learn": True}}, "quintet check"), *rest]

    @cached_property
    def spec(self) -> RunSpec:
        """A run in which it learns, with a model that acts at random. See `prepared` for skips and errors."""
        made = with_model(self.prepared(), RandomModel())
        methods = [
            replace(
                each,
                sampling={
                    role: structs.replace(
                        sampling, max_tokens=_EPISODES_LONGEST if role == "executor" else _LEARNERS_LONGEST
                    )
                    for role, sampling in each.sampling.items()
                },
            )
            for each in made.methods
        ]
        return replace(made, methods=tuple(methods))

    def scenario(self, *, measured: int = 0) -> Scenario:
        """A short learning run in which every learnt version fails every task, so version 0 is the best.

        Args:
            measured: which tasks are the test tasks: 0, the first of the test split; 1, those after them.
        """
        world, given = self.spec.world, self.learner.worlds.get(self.world, {})
        training = world.tasks(given.get("split", world.splits[-1]))[: _TRAINING + 1]
        others = [task for task in world.tasks(world.splits[0]) if task not in training]
        learn = Learn(
            training=training[:_TRAINING],
            held_out=training[_TRAINING:],
            test=tuple(others[_TEST * measured : _TEST * (measured + 1)]),
        )
        return Scenario(self.spec, learn, _reward_version_0)

    @cached_property
    def whole(self) -> list[Record]:
        """A run of its scenario."""
        return run_learner(self.scenario())

    @cached_property
    def begun(self) -> list[tuple[Scenario, list[Record]]]:
        """That run, and one that was begun with some content."""
        given = CONTENT_CASES[self.learner.learns].given(self.scenario())
        return [(self.scenario(), self.whole), (given, run_learner(given))]


def learner_cases(name: str | type[Method[Any]], assignments: Sequence[str] = ()) -> list[LearnerCase]:
    """The method in every world that it learns in; none if it learns nothing."""
    named = name_method(name)
    learner = MethodCase(name=named, world="", assignments=tuple(assignments)).method.learner
    worlds = () if learner is None else learner.worlds
    return [LearnerCase(name=named, world=world, assignments=tuple(assignments)) for world in worlds]


def test_every_prompt_that_learning_needs_is_there(case: LearnerCase) -> None:
    prompts = find_prompts(case.method, case.world)
    for name in prompts_of(case.learner.requests, case.method.roles):
        try:
            prompts.text(name)
        except UsageError as error:
            fail(f"the prompt {name}", str(error))


def test_it_says_how_many_versions_there_will_be(case: LearnerCase) -> None:
    learn, learner = case.scenario().learn, case.spec.learner
    assert learner is not None
    number = learner.versions(len(learn.training), learn.trajectories)
    expect_type("a number of versions", int, number)
    published = [event.version for event in _events(case.whole, Published)]
    expect_equal("the versions that it publishes", list(range(number + 1)), published)


def test_it_begins_with_what_it_is_given(case: LearnerCase) -> None:
    content = CONTENT_CASES[case.learner.learns]
    for scenario, records in case.begun:
        first = _events(records, Published)[0]
        expect_equal("version 0", content.start(scenario), first.content)


def test_it_ends_and_chooses_a_version_that_it_published(case: LearnerCase) -> None:
    records = case.whole
    ends = [event for event in _events(records, EpisodeEnded) if event.path == LEARNER]
    expect(len(ends) == 1, "one end of the learner", len(ends))
    chosen, published = _chosen_version(records), list(_published_versions(records))
    expect(chosen in published, f"a version among {published}", chosen)


def test_no_episode_begins_before_its_version_is_published(case: LearnerCase) -> None:
    published: set[int] = set()
    for record in case.whole:
        event = record.event
        episode = episode_of(event.path)
        if isinstance(event, Published):
            published.add(event.version)
        elif episode != LEARNER:
            version = attempt_of(episode).epoch
            expect(version in published, f"version {version} to be published before {episode}", sorted(published))


def test_every_episode_reads_the_version_that_its_path_names(case: LearnerCase) -> None:
    content = CONTENT_CASES[case.learner.learns]
    for scenario, records in case.begun:
        content.expect_pinned(scenario, records)


def test_it_learns_from_its_training_tasks_and_from_no_others(case: LearnerCase) -> None:
    """It learns and chooses the same with any test tasks, even if they go best with another version."""
    scenario = case.scenario()
    asked: list[RunEpisode] = []
    expected = run_learner(replace(scenario, rewards=_reward_tests(scenario.learn, 0, asked)))
    last = max(_published_versions(expected))
    for number, version in enumerate(range(1, last + 1)[-_TRAINING:], 1):
        further = case.scenario(measured=number % 2)
        got = run_learner(replace(further, rewards=_reward_tests(further.learn, version, [])))
        expect_equal(
            "what it publishes, tested by other tasks, at ", _published_versions(expected), _published_versions(got)
        )
        expect_equal(
            "the version that it chooses, tested by other tasks,", _chosen_version(expected), _chosen_version(got)
        )
    training, others = set(scenario.learn.training), {*scenario.learn.held_out, *scenario.learn.test}
    known = all(request.task in training | others for request in asked)
    expect(known, "episodes of its own tasks", sorted({request.task for request in asked} - training - others))
    for_training = {request.task for request in asked if request.for_training}
    expect(for_training <= training, "experience of training tasks", sorted(for_training - training))


def test_it_is_measured_by_its_test_tasks_with_the_version_it_chose(case: LearnerCase) -> None:
    test, records = set(case.scenario().learn.test), case.whole
    chosen = _chosen_version(records)
    attempts = (attempt_of(event.path) for event in _events(records, EpisodeEnded) if event.path != LEARNER)
    measured = {attempt.task for attempt in attempts if attempt.epoch == chosen} & test
    expect_equal(f"the test tasks that were run with version {chosen}", sorted(test), sorted(measured))


def test_the_order_in_which_episodes_end_changes_nothing(case: LearnerCase) -> None:
    scenario = case.scenario()
    expected = content_of(run_learner(replace(scenario, concurrency=1)))
    for delays in range(3):
        many = replace(scenario, spec=with_model(scenario.spec, RandomModel(delays)), concurrency=8)
        expect_equal("the content, with eight episodes at a time, at ", expected, content_of(run_learner(many)))


def test_a_learner_that_was_killed_goes_on_to_the_same_content(case: LearnerCase) -> None:
    expect_nothing_lost(case)


def test_a_budget_that_ends_inside_a_phase_loses_nothing(case: LearnerCase) -> None:
    scenario, whole = case.scenario(), case.whole
    expected = content_of(whole)
    used = sum(call.completion.usage.prompt_tokens for call in _events(whole, CallMade))
    for share in range(1, _KILLS):
        part = run_learner(replace(scenario, tokens=used * share // _KILLS))
        for place, event in content_of(part).items():
            expect_equal("what was paid for", expected.get(place), event)
        expect_equal(
            "the content, resumed with a larger budget, at ", expected, content_of(run_learner(scenario, part))
        )


def expect_nothing_lost(case: LearnerCase) -> None:
    """Expect that a kill changes no content, and repeats no call."""
    scenario, whole = case.scenario(), case.whole
    expected = content_of(whole)
    for place in places_to_kill(len(whole), _KILLS):
        resumed = run_learner(scenario, left_by_kill(whole, place))
        expect_equal(f"the content, killed after event {place} and resumed, at ", expected, content_of(resumed))
        expect_equal(f"the calls, killed after event {place} and resumed,", _calls(whole), _calls(resumed))


EventT = TypeVar("EventT", bound=AnyEvent)


def _reward_version_0(request: RunEpisode) -> float:
    return float(request.version == 0)


def _reward_tests(learn: Learn, best: int, asked: list[RunEpisode]) -> Rewards:
    """Test tasks succeed with version `best` alone; `asked` gets the learner's requests."""

    def reward(request: RunEpisode) -> float:
        asked.append(request)
        return float(request.version == best) if request.task in learn.test else _reward_version_0(request)

    return reward


def _events(records: Sequence[Record], kind: type[EventT]) -> list[EventT]:
    return [record.event for record in records if isinstance(record.event, kind)]


def _calls(records: Sequence[Record]) -> list[Path]:
    """The paths of all calls, repeated ones as often as they were made."""
    return sorted((event.path for event in _events(records, CallMade)), key=order_of)


def _published_versions(records: Sequence[Record]) -> Mapping[int, str]:
    return {event.version: event.content for event in _events(records, Published)}


def _chosen_version(records: Sequence[Record]) -> int:
    replies = [event.reply for event in _events(records, Exchanged) if event.path == LEARNER]
    expect(len(replies) == 1, "one answer of the learner", len(replies))
    return msgspec.json.decode(replies[0], type=Learned).version
