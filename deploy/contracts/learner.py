"""What every learner holds to: phases, pinned versions, what it may depend on, and going on after a kill."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from msgspec import structs

from actors import catalogue
from actors.methods.learning import Learning
from actors.prompts import Prompts
from deploy.config.resolve import resolve
from deploy.config.settings import from_assignments, from_table
from deploy.contracts.clauses import Clause, Skipped, require, same, typed
from deploy.contracts.improviser import Improviser
from deploy.contracts.method import Practice, killed_after
from deploy.contracts.replaying import Content, Course, content, learnt
from deploy.folders.record import read_prompts
from deploy.furnishing import assemble
from deploy.runtime.assembly import Assembly
from protocols.events import AnyEvent, CallMade, EpisodeEnded, Exchanged, Published, Record
from protocols.learning import Learn
from protocols.paths import LEARNER, Attempt, Path, attempt_of, episode_of

_TRAINING, _TEST = 4, 2
"""Tasks to learn from, and to be measured by."""
_KILLS = 8
"""Places in the journal at which a learner is killed, and its budget ends."""


class Apprenticeship(Practice, frozen=True, kw_only=True):
    """A method that learns on one of its worlds."""

    @property
    def learning(self) -> Learning:
        found = self.method.learning
        if found is None:
            raise Skipped("it learns nothing across episodes")
        return found

    def taught(self) -> Assembly:
        """The method furnished to learn, with a model that improvises.

        Raises:
            Skipped: there is no such world here, or nothing is learnt.
            UsageError: a setting or a prompt is not to be had.
        """
        if self.world not in catalogue.names("environment"):
            raise Skipped(f"environment {self.world or 'of any name'} is not installed")
        roles = self.method.asks(learning=True)
        tables = {"method": {"name": self.name}, "environment": {"name": self.world}, "run": {"learn": True}}
        config = resolve([from_table(tables, "quintet check"), from_assignments(self.assignments)])
        made = assemble(config, read_prompts(config, self.method).texts)
        return replace(made, models=dict.fromkeys(roles, Improviser()))

    def course(self, *, measured: int = 0, concurrency: int = 4) -> Course:
        """A short course.

        Args:
            measured: which tasks it is measured by: 0, the first of the test split; 1, those after them.
            concurrency: episodes at a time.
        """
        assembly = self.taught()
        world, given = assembly.world, self.learning.worlds.get(self.world, {})
        training = world.tasks(given.get("split", world.splits[-1]))[: _TRAINING + 1]
        others = [task for task in world.tasks(world.splits[0]) if task not in training]
        learn = Learn(
            training=training[:_TRAINING],
            held_out=training[_TRAINING:],
            test=tuple(others[_TEST * measured : _TEST * (measured + 1)]),
        )
        return Course(assembly, learn, concurrency)


def apprenticeships(name: str, assignments: Sequence[str] = ()) -> list[Apprenticeship]:
    """The method on every world that it learns in; none where it learns nothing."""
    learning = catalogue.method(name).learning
    worlds = () if learning is None else learning.worlds
    return [Apprenticeship(name=name, world=world, assignments=tuple(assignments)) for world in worlds]


def every_role_that_learning_asks_has_its_prompt(practice: Apprenticeship) -> None:
    prompts = Prompts(practice.method.prompt_folders, practice.world)
    for role in practice.learning.roles:
        require(role in prompts.names, f"a prompt for the {role}", "none")


def it_says_how_many_versions_there_will_be(practice: Apprenticeship) -> None:
    course = practice.course()
    taught = course.assembly.learning
    assert taught is not None
    number = taught.spec.versions(taught.config, len(course.learn.training))
    typed("a number of versions", int, number)
    published = [event.version for event in _events(learnt(course), Published)]
    same("the versions that it publishes", list(range(number + 1)), published)


def it_begins_with_what_it_is_given(practice: Apprenticeship) -> None:
    course = practice.course()
    started = replace(course, learn=structs.replace(course.learn, start="1. Begin here."))
    for given in (course, started):
        first = _events(learnt(given), Published)[0]
        same("version 0", given.learn.start, first.content)


def it_ends_and_stands_by_a_version_that_it_published(practice: Apprenticeship) -> None:
    records = learnt(practice.course())
    ends = [event for event in _events(records, EpisodeEnded) if event.path == LEARNER]
    require(len(ends) == 1, "one end of the learner", len(ends))
    chosen = [event.reply for event in _events(records, Exchanged) if event.path == LEARNER]
    versions = [f'"version":{event.version}' for event in _events(records, Published)]
    require(any(version in reply for version in versions for reply in chosen), "a version that was published", chosen)


def no_episode_begins_before_its_version_is_published(practice: Apprenticeship) -> None:
    published: set[int] = set()
    for record in learnt(practice.course()):
        event = record.event
        episode = episode_of(event.path)
        if isinstance(event, Published):
            published.add(event.version)
        elif episode != LEARNER:
            version = attempt_of(episode).epoch
            require(version in published, f"version {version} to be published before {episode}", sorted(published))


def every_episode_reads_the_version_that_its_path_names(practice: Apprenticeship) -> None:
    course = practice.course()
    records = learnt(course)
    published = {version: text for version, text in _published(records).items() if text.strip()}
    if not published:
        raise Skipped("a model that improvises leaves every version empty")
    for episode, read in _read(records).items():
        version = attempt_of(episode).epoch
        for other, text in published.items():
            differs = text != published.get(version)
            if other == version:
                require(text in read, f"version {version} in the prompts of {episode}", "none of it")
            elif differs and text not in published.get(version, ""):
                require(text not in read, f"version {version} alone in the prompts of {episode}", f"version {other}")


def it_learns_from_its_training_tasks_and_from_no_others(practice: Apprenticeship) -> None:
    course = practice.course()
    mine, others = learnt(course), learnt(practice.course(measured=1))
    same("what it publishes, measured by other tasks,", _published(mine), _published(others))
    known = {*course.learn.training, *course.learn.held_out, *course.learn.test}
    ran = {attempt_of(event.path).task for event in _events(mine, EpisodeEnded) if event.path != LEARNER}
    require(ran <= known, "episodes of its own tasks", sorted(ran - known))


def it_is_measured_by_its_test_tasks_with_the_version_it_stands_by(practice: Apprenticeship) -> None:
    course = practice.course()
    records = learnt(course)
    ended = {(attempt.task, attempt.epoch) for attempt in _attempts(records)}
    measured = [{task for task in course.learn.test if (task, version) in ended} for version in _published(records)]
    require(set(course.learn.test) in measured, "a version with all test tasks run", measured)


def the_order_in_which_episodes_end_changes_nothing(practice: Apprenticeship) -> None:
    one, many = (_content(learnt(practice.course(concurrency=concurrency))) for concurrency in (1, 8))
    same("the content, with eight episodes at a time, at ", one, many)


def a_learner_that_was_killed_goes_on_to_the_same_content(practice: Apprenticeship) -> None:
    course = practice.course()
    whole = learnt(course)
    expected = _content(whole)
    for place in killed_after(len(whole), _KILLS):
        resumed = learnt(course, whole[:place])
        same(f"the content, killed after event {place} and taken up again, at ", expected, _content(resumed))


def a_budget_that_ends_inside_a_phase_loses_nothing(practice: Apprenticeship) -> None:
    course = practice.course()
    whole = learnt(course)
    expected = _content(whole)
    used = sum(call.completion.usage.prompt_tokens for call in _events(whole, CallMade))
    for share in range(1, _KILLS):
        part = learnt(replace(course, tokens=used * share // _KILLS))
        for place, event in _content(part).items():
            same("what was paid for", expected.get(place), event)
        same("the content, gone on with a larger budget, at ", expected, _content(learnt(course, part)))


LEARNER_CONTRACT: Sequence[Clause[Apprenticeship]] = (
    every_role_that_learning_asks_has_its_prompt,
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


def _events(records: Sequence[Record], kind: type[EventT]) -> list[EventT]:
    return [record.event for record in records if isinstance(record.event, kind)]


def _published(records: Sequence[Record]) -> Mapping[int, str]:
    return {event.version: event.content for event in _events(records, Published)}


def _read(records: Sequence[Record]) -> Mapping[Path, str]:
    """By episode, everything in its prompts."""
    said: dict[Path, list[str]] = {}
    for record in records:
        episode = episode_of(record.event.path)
        if episode != LEARNER:
            texts = (message.content for node in record.prompts for message in node.appended)
            said.setdefault(episode, []).extend(texts)
    return {episode: "\n".join(texts) for episode, texts in said.items()}


def _attempts(records: Sequence[Record]) -> Iterator[Attempt]:
    """The episodes that ended."""
    return (attempt_of(event.path) for event in _events(records, EpisodeEnded) if event.path != LEARNER)


def _content(records: Sequence[Record]) -> Content:
    return content(record.event for record in records)
