"""What every method holds to: its parts fit together, and its conversation replays."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import get_args

from msgspec import Struct
from pydantic import BaseModel

from quintet.config.resolve import resolve
from quintet.config.sections import ModelRole
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.events import AnyEvent, CutShort, EpisodeEnded, Record
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import Prompts
from quintet.plugins import catalogue
from quintet.runs.build import build_spec
from quintet.runs.record import read_prompts
from quintet.runtime.spec import RunSpec
from quintet.testing.clauses import Broken, Clause, Skipped, require, same, shown, typed
from quintet.testing.random_model import RandomModel
from quintet.testing.replay import Content, content, played, refuse_other_decisions
from quintet.testing.subprocesses import in_subprocess

_TASKS = 4
"""Of every world, the first so many."""
_KILLS = 8
"""Places in an episode's journal at which it is killed."""
_SECONDS = 60.0
"""Of working time, which an episode with an instant model never needs."""


class MethodCase(Struct, frozen=True, kw_only=True):
    """A method on one of its worlds."""

    name: str
    world: str
    """Empty where the method names none."""
    assignments: tuple[str, ...] = ()
    """As on the command line."""

    @property
    def method(self) -> Method:
        return catalogue.method(self.name)

    def values(self) -> BaseModel:
        """Its configuration for the world, validated."""
        return self.method.config.model_validate(dict(self.method.defaults(self.world)))

    def spec(self) -> RunSpec:
        """The method furnished for the world, with a model that improvises.

        Raises:
            Skipped: there is no such world here.
            UsageError: a setting or a prompt is not to be had.
        """
        if self.world not in catalogue.names("environment"):
            raise Skipped(f"environment {self.world or 'of any name'} is not installed")
        tables = {"method": {"name": self.name}, "environment": {"name": self.world}}
        config = resolve([from_table(tables, "quintet check"), from_assignments(self.assignments)])
        made = build_spec(config, read_prompts(config, self.method).texts)
        return replace(
            made,
            models=dict.fromkeys(self.method.roles, RandomModel()),
            limits=replace(made.limits, episode=_SECONDS),
        )

    def __str__(self) -> str:
        return f"on {self.world}" if self.world else "on no environment"


def practices(name: str, assignments: Sequence[str] = ()) -> list[MethodCase]:
    """The method on every world that it names; on every world there is, where it needs to name none."""
    method = catalogue.method(name)
    worlds = [*(method.worlds if method.roles else catalogue.names("environment"))] or [""]
    return [MethodCase(name=name, world=world, assignments=tuple(assignments)) for world in worlds]


def it_has_its_name_and_a_version(practice: MethodCase) -> None:
    method = practice.method
    same("name", practice.name, method.name)
    typed("a version", str, method.version)
    require(method.version.strip(), "a version", shown(method.version))


def its_roles_are_those_that_have_a_model(practice: MethodCase) -> None:
    roles = practice.method.roles
    typed("roles", tuple[str, ...], roles)
    require(set(roles) <= set(get_args(ModelRole)), f"roles among {', '.join(get_args(ModelRole))}", roles)
    require(len(set(roles)) == len(roles), "every role once", roles)


def it_names_worlds_one_of_which_can_be_had(practice: MethodCase) -> None:
    if not practice.method.roles:
        return
    worlds = tuple(practice.method.worlds)
    require(worlds, "at least one world that it has prompts for", "none")
    require(set(worlds) & set(catalogue.names("environment")), "a world that is installed", worlds)


def its_values_for_the_world_are_valid(practice: MethodCase) -> None:
    method = practice.method
    require(_is_model(method.config), "a pydantic model as its configuration", method.config)
    given = method.defaults(practice.world)
    for name in given:
        require(name in method.config.model_fields, "options that the configuration has", shown(name))
    stored = practice.values().model_dump(mode="json")
    same(
        "its configuration, read back from JSON,", stored, method.config.model_validate(stored).model_dump(mode="json")
    )


def every_role_has_its_prompt(practice: MethodCase) -> None:
    prompts = Prompts(practice.method.prompt_folders, practice.world)
    for role in practice.method.roles:
        try:
            prompts.text(role)
        except UsageError as error:
            raise Broken(f"a prompt for the {role}", str(error)) from error


def its_budget_is_one_line(practice: MethodCase) -> None:
    budget = practice.method.budget(practice.values())
    typed("a budget", str, budget)
    require(len(budget.splitlines()) <= 1, "a budget of one line or none", shown(budget))


def on_every_task(clause: Callable[[RunSpec, str], None]) -> Clause[MethodCase]:
    """A clause of one task, as one of the first tasks of the world; skipped where it was for all of them."""

    @wraps(clause)
    def checked(practice: MethodCase) -> None:
        spec = practice.spec()
        skipped: list[Skipped] = []
        tasks = _tasks(spec)
        for task in tasks:
            try:
                clause(spec, task)
            except Skipped as why:
                skipped.append(why)
        if len(skipped) == len(tasks):
            raise skipped[0]

    return checked


@on_every_task
def an_episode_ends_and_not_by_a_fault(spec: RunSpec, task: str) -> None:
    _ended(task, played(spec, task))


@on_every_task
def the_same_seed_gives_the_same_content(spec: RunSpec, task: str) -> None:
    _same_content(f"another run of {task!r}", _content(played(spec, task)), _content(played(spec, task)))


def another_process_with_another_hash_seed_gives_the_same_content(practice: MethodCase) -> None:
    _same_content("a run in another process", content(events(practice)), content(in_subprocess(events, practice)))


@on_every_task
def an_episode_that_was_killed_goes_on_to_the_same_content(spec: RunSpec, task: str) -> None:
    whole = played(spec, task)
    expected = _content(whole)
    skipped: list[Skipped] = []
    places = killed_after(len(whole), _KILLS)
    for place in places:
        resumed = played(spec, task, whole[:place])
        _ended(task, resumed, f", killed after event {place} of {len(whole)} and taken up again")
        try:
            _same_content(f"{task!r}, killed after event {place} and taken up again", expected, _content(resumed))
        except Skipped as why:
            skipped.append(why)
    if len(skipped) == len(places):
        raise skipped[0] if skipped else Skipped("an episode has a single event")


METHOD: Sequence[Clause[MethodCase]] = (
    it_has_its_name_and_a_version,
    its_roles_are_those_that_have_a_model,
    it_names_worlds_one_of_which_can_be_had,
    its_values_for_the_world_are_valid,
    every_role_has_its_prompt,
    its_budget_is_one_line,
    an_episode_ends_and_not_by_a_fault,
    the_same_seed_gives_the_same_content,
    another_process_with_another_hash_seed_gives_the_same_content,
    an_episode_that_was_killed_goes_on_to_the_same_content,
)
"""In this order: what comes later takes for granted what came before."""


def events(practice: MethodCase) -> list[AnyEvent]:
    """All events of the first tasks' episodes."""
    spec = practice.spec()
    return [record.event for task in _tasks(spec) for record in played(spec, task)]


def _is_model(config: object) -> bool:
    return isinstance(config, type) and issubclass(config, BaseModel)


def _tasks(spec: RunSpec) -> Sequence[str]:
    return spec.world.tasks(spec.world.splits[0])[:_TASKS]


def killed_after(events: int, kills: int) -> list[int]:
    """Lengths of what a kill leaves of a journal: the shortest, the longest, and some between."""
    last = events - 1
    return sorted({1 + step * (last - 1) // (kills - 1) for step in range(kills)}) if last > 0 else []


def _ended(task: str, records: Sequence[Record], how: str = "") -> None:
    events = [record.event for record in records]
    end = next((event for event in events if isinstance(event, EpisodeEnded)), None)
    if end is None:
        raise Broken(f"an end of {task!r}{how}", "none")
    if end.fault is not None:
        lines = end.fault.detail.splitlines()
        where = next((line.strip() for line in reversed(lines) if line.lstrip().startswith("File ")), "")
        raise Broken(f"no fault in {task!r}{how}", f"{end.fault.kind}: {end.fault.text} {where}".rstrip())
    if any(isinstance(event, CutShort) for event in events):
        raise Broken(f"an end of {task!r}{how} within {_SECONDS:.0f} s", f"one cut short: {end.reason}")


def _content(records: Sequence[Record]) -> Content:
    return content(record.event for record in records)


def _same_content(what: str, expected: Content, got: Content) -> None:
    refuse_other_decisions(expected, got)
    same(f"the content of {what}, at ", expected, got)
