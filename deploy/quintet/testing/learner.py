"""What every learner holds to: phases, pinned versions, what it may depend on, and going on after a kill."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from quintet.config.resolve import resolve
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Published, Record, SessionOpened
from quintet.messages.learning import Learn, Learned, RunEpisode
from quintet.messages.paths import LEARNER, Path, attempt_of, episode_of
from quintet.methods.base.method import LearnerSpec
from quintet.methods.base.prompts import Prompts
from quintet.plugins import catalogue
from quintet.roles.registry import prompts_of
from quintet.runs.build import build_spec
from quintet.runs.record import read_prompts
from quintet.runtime.spec import RunSpec
from quintet.testing.clauses import Broken, Clause, Skipped, require, same, typed
from quintet.testing.method import MethodCase, killed_after
from quintet.testing.random_model import RandomModel
from quintet.testing.replay import Content, Rewards, Scenario, content, learnt

_TRAINING, _TEST = 4, 2
"""Tasks to learn from, and to be measured by."""
_EPISODES_LONGEST, _LEARNERS_LONGEST = 512, 8_192
"""Tokens of a completion. What the learner itself asks reserves more than an episode's calls, so that some budgets last
for episodes and end at the learner's own questions."""

_KILLS = 8
"""Places in the journal at which a learner is killed, and its budget ends."""
_START = "1. Begin here."
"""A version 0 that says something."""


class LearnerCase(MethodCase, frozen=True, kw_only=True):
    """A method that learns on one of its worlds."""

    @property
    def learner(self) -> type[LearnerSpec[Any]]:
        found = self.method.learner
        if found is None:
            raise Skipped("it learns nothing across episodes")
        return found

    def taught(self) -> RunSpec:
        """The method furnished to learn, with a model that improvises.

        Raises:
            Skipped: there is no such world here, or nothing is learnt.
            UsageError: a setting or a prompt is not to be had.
        """
        if self.world not in catalogue.names("environment"):
            raise Skipped(f"environment {self.world or 'of any name'} is not installed")
        tables = {"method": {"name": self.name}, "environment": {"name": self.world}, "run": {"learn": True}}
        config = resolve([from_table(tables, "quintet check"), from_assignments(self.assignments)])
        made = build_spec(config, read_prompts(config, self.method).texts)
        sampling = {
            role: structs.replace(drawn, max_tokens=_EPISODES_LONGEST if role == "executor" else _LEARNERS_LONGEST)
            for role, drawn in made.sampling.items()
        }
        return replace(made, models=dict.fromkeys(made.model_roles, RandomModel()), sampling=sampling)

    def course(self, *, measured: int = 0, start: str = "") -> Scenario:
        """A short course, in which every task goes worse with whatever is learnt: of all versions, 0 is the best.

        Args:
            measured: which tasks it is measured by: 0, the first of the test split; 1, those after them.
            start: version 0.
        """
        spec = self.taught()
        world, given = spec.world, self.learner.worlds.get(self.world, {})
        training = world.tasks(given.get("split", world.splits[-1]))[: _TRAINING + 1]
        others = [task for task in world.tasks(world.splits[0]) if task not in training]
        learn = Learn(
            training=training[:_TRAINING],
            held_out=training[_TRAINING:],
            test=tuple(others[_TEST * measured : _TEST * (measured + 1)]),
            start=start,
        )
        return Scenario(spec, learn, _spoiling)


def apprenticeships(name: str, assignments: Sequence[str] = ()) -> list[LearnerCase]:
    """The method on every world that it learns in; none where it learns nothing."""
    learner = catalogue.method(name).learner
    worlds = () if learner is None else learner.worlds
    return [LearnerCase(name=name, world=world, assignments=tuple(assignments)) for world in worlds]


def every_prompt_that_learning_needs_is_there(practice: LearnerCase) -> None:
    prompts = Prompts(practice.method.prompt_folders, practice.world)
    for name in prompts_of(practice.learner.requests):
        try:
            prompts.text(name)
        except UsageError as error:
            raise Broken(f"the prompt {name}", str(error)) from error


def it_says_how_many_versions_there_will_be(practice: LearnerCase) -> None:
    course = practice.course()
    learner = _learner(course)
    number = learner.versions(len(course.learn.training))
    typed("a number of versions", int, number)
    published = [event.version for event in _events(learnt(course), Published)]
    same("the versions that it publishes", list(range(number + 1)), published)


def it_begins_with_what_it_is_given(practice: LearnerCase) -> None:
    for start in ("", _START):
        first = _events(learnt(practice.course(start=start)), Published)[0]
        same("version 0", start, first.content)


def it_ends_and_stands_by_a_version_that_it_published(practice: LearnerCase) -> None:
    records = learnt(practice.course())
    ends = [event for event in _events(records, EpisodeEnded) if event.path == LEARNER]
    require(len(ends) == 1, "one end of the learner", len(ends))
    chosen, published = _chosen(records), list(_published(records))
    require(chosen in published, f"a version among {published}", chosen)


def no_episode_begins_before_its_version_is_published(practice: LearnerCase) -> None:
    published: set[int] = set()
    for record in learnt(practice.course()):
        event = record.event
        episode = episode_of(event.path)
        if isinstance(event, Published):
            published.add(event.version)
        elif episode != LEARNER:
            version = attempt_of(episode).epoch
            require(version in published, f"version {version} to be published before {episode}", sorted(published))


def every_episode_reads_the_version_that_its_path_names(practice: LearnerCase) -> None:
    course = practice.course(start=_START)
    records = learnt(course)
    learner = _learner(course)
    shown = {version: _shown(learner, content) for version, content in _published(records).items()}
    if len(set(_published(records).values())) > 1:
        require(len(set(shown.values())) > 1, "another version to be shown in other words", [*shown.values()][-1])
    known = _known(course, records)
    for episode, read in _read(records).items():
        version = attempt_of(episode).epoch
        for text in shown[version]:
            require(text in read, f"version {version} in what {episode} is told first", "none of it")
        for other, texts in shown.items():
            found = any(text in read for text in texts if not any(text in own for own in (*shown[version], known)))
            require(not found, f"version {version} alone in what {episode} is told first", f"version {other}")


def it_learns_from_its_training_tasks_and_from_no_others(practice: LearnerCase) -> None:
    """Whichever version the test tasks go best with, and whichever tasks these are, it learns and chooses the same."""
    course = practice.course()
    asked: list[RunEpisode] = []
    expected = learnt(replace(course, marks=_testing(course.learn, 0, asked)))
    last = max(_published(expected))
    for number, version in enumerate(range(1, last + 1)[-_TRAINING:], 1):
        further = practice.course(measured=number % 2)
        got = learnt(replace(further, marks=_testing(further.learn, version, [])))
        same("what it publishes, tested by other tasks, at ", _published(expected), _published(got))
        same("the version that it stands by, tested by other tasks,", _chosen(expected), _chosen(got))
    training, others = set(course.learn.training), {*course.learn.held_out, *course.learn.test}
    known = all(request.task in training | others for request in asked)
    require(known, "episodes of its own tasks", sorted({request.task for request in asked} - training - others))
    learnt_from = {request.task for request in asked if request.learnt_from}
    require(learnt_from <= training, "experience of training tasks", sorted(learnt_from - training))


def it_is_measured_by_its_test_tasks_with_the_version_it_stands_by(practice: LearnerCase) -> None:
    course = practice.course()
    records = learnt(course)
    chosen = _chosen(records)
    attempts = (attempt_of(event.path) for event in _events(records, EpisodeEnded) if event.path != LEARNER)
    measured = {attempt.task for attempt in attempts if attempt.epoch == chosen} & set(course.learn.test)
    same(f"the test tasks that were run with version {chosen}", sorted(course.learn.test), sorted(measured))


def the_order_in_which_episodes_end_changes_nothing(practice: LearnerCase) -> None:
    course = practice.course()
    expected = _content(learnt(replace(course, concurrency=1)))
    for mood in range(3):
        models = dict.fromkeys(course.spec.models, RandomModel(mood))
        many = replace(course, spec=replace(course.spec, models=models), concurrency=8)
        same("the content, with eight episodes at a time, at ", expected, _content(learnt(many)))


def a_learner_that_was_killed_goes_on_to_the_same_content(practice: LearnerCase) -> None:
    course = practice.course()
    whole = learnt(course)
    expected = _content(whole)
    for place in killed_after(len(whole), _KILLS):
        resumed = learnt(course, whole[:place])
        same(f"the content, killed after event {place} and taken up again, at ", expected, _content(resumed))


def a_budget_that_ends_inside_a_phase_loses_nothing(practice: LearnerCase) -> None:
    course = practice.course()
    whole = learnt(course)
    expected = _content(whole)
    used = sum(call.completion.usage.prompt_tokens for call in _events(whole, CallMade))
    for share in range(1, _KILLS):
        part = learnt(replace(course, tokens=used * share // _KILLS))
        for place, event in _content(part).items():
            same("what was paid for", expected.get(place), event)
        same("the content, gone on with a larger budget, at ", expected, _content(learnt(course, part)))


LEARNER_CONTRACT: Sequence[Clause[LearnerCase]] = (
    every_prompt_that_learning_needs_is_there,
    it_says_how_many_versions_there_will_be,
    it_begins_with_what_it_is_given,
    it_ends_and_stands_by_a_version_that_it_published,
    no_episode_begins_before_its_version_is_published,
    every_episode_reads_the_version_that_its_path_names,
    it_learns_from_its_training_tasks_and_from_no_others,
    it_is_measured_by_its_test_tasks_with_the_version_it_stands_by,
    the_order_in_which_episodes_end_changes_nothing,
    a_learner_that_was_killed_goes_on_to_the_same_content,
    a_budget_that_ends_inside_a_phase_loses_nothing,
)
"""In this order: what comes later takes for granted what came before."""


EventT = TypeVar("EventT", bound=AnyEvent)


def _spoiling(request: RunEpisode) -> float:
    return float(request.version == 0)


def _testing(learn: Learn, best: int, asked: list[RunEpisode]) -> Rewards:
    """Test tasks succeed with one version alone.

    Args:
        asked: gets what the learner asks for.
    """

    def mark(request: RunEpisode) -> float:
        asked.append(request)
        return float(request.version == best) if request.task in learn.test else _spoiling(request)

    return mark


def _events(records: Sequence[Record], kind: type[EventT]) -> list[EventT]:
    return [record.event for record in records if isinstance(record.event, kind)]


def _published(records: Sequence[Record]) -> Mapping[int, str]:
    return {event.version: event.content for event in _events(records, Published)}


def _chosen(records: Sequence[Record]) -> int:
    """The version that the learner stands by."""
    replies = [event.reply for event in _events(records, Exchanged) if event.path == LEARNER]
    require(len(replies) == 1, "one answer of the learner", len(replies))
    return msgspec.json.decode(replies[0], type=Learned).version


def _learner(course: Scenario) -> LearnerSpec[Any]:
    assert course.spec.learner is not None
    return course.spec.learner


def _shown(learner: LearnerSpec[Any], content: str) -> tuple[str, ...]:
    """The texts that an episode is shown of a version."""
    parts = (part for ingredient in learner.parts(content) for part in structs.astuple(ingredient))
    return tuple(part for part in parts if isinstance(part, str) and part.strip())


def _known(course: Scenario, records: Sequence[Record]) -> str:
    """What episodes are told whatever was learnt."""
    opened = (event.observation for event in _events(records, SessionOpened))
    return "\n".join((*course.spec.prompts.values(), *opened))


def _read(records: Sequence[Record]) -> Mapping[Path, str]:
    """By episode, what was said in its prompts before a model first answered."""
    said: dict[Path, list[str]] = {}
    for record in records:
        episode = episode_of(record.event.path)
        for node in record.prompts:
            if episode != LEARNER and node.parent is None:
                said.setdefault(episode, []).extend(message.content for message in node.appended)
    return {episode: "\n".join(texts) for episode, texts in said.items()}


def _content(records: Sequence[Record]) -> Content:
    return content(record.event for record in records)
