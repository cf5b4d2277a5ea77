"""The contract of methods: the parts fit together, and episodes replay. The fixture `case` gives the `MethodCase`.

The tests are in order: later ones rely on what earlier ones check.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel

from quintet.config.method_names import parse_method
from quintet.config.objects import take_methods
from quintet.config.plugins import option_names
from quintet.errors import UsageError
from quintet.events import AnyEvent, CallMade, CutShort, EpisodeEnded, Offer, Record, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_of
from quintet.messages.wire import accepted_messages
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, required_prompts
from quintet.roles.registry import roles_answering
from quintet.runtime.local import LocalRuntime
from quintet.testing.content import Content, before, content, content_of, first_difference_in_decisions
from quintet.testing.expectations import expect, expect_equal, expect_type, fail, short_repr
from quintet.testing.method_case import EPISODE_SECONDS, MethodCase
from quintet.testing.replay import left_by_kill
from quintet.testing.subprocesses import in_subprocess

_KILLS = 8
"""At how many places in its journal an episode is killed."""
_LIMITS = 4
"""At how many numbers of calls an episode is cut short."""


class _Tries(NamedTuple):
    tasks: int
    kills: int
    limits: int


def test_it_has_its_name_and_a_version(case: MethodCase) -> None:
    method = case.method
    ([plain], _) = take_methods([case.name], "quintet check")
    expect_equal("name", parse_method(plain).names[0], method.name)
    expect_type("a version", str, method.version)
    expect(method.version.strip(), "a version", short_repr(method.version))


def test_a_role_answers_each_of_its_requests(case: MethodCase) -> None:
    requests: Any = case.method.requests
    expect(isinstance(requests, tuple), "a tuple of requests", short_repr(requests))
    for request in requests:
        try:
            roles_answering(request, case.method.roles)
        except LookupError as error:
            fail("requests that a role answers", str(error))
    expect(len(set(requests)) == len(requests), "every request once", short_repr(requests))


def test_the_actor_of_each_role_that_it_brings_accepts_the_requests_of_the_role(case: MethodCase) -> None:
    if not case.method.roles:
        return
    with closing(SqliteJournal(":memory:")) as journal:
        actors = LocalRuntime(case.spec, journal, concurrency=1).host.actors
    for role in case.method.roles:
        accepted = [request.__name__ for request in accepted_messages(actors[role.name].receive)]
        for request in role.requests:
            what = f"an actor of role {role.name} that accepts {request.__name__}"
            expect(request.__name__ in accepted, what, ", ".join(accepted))


def test_its_values_for_the_world_are_valid(case: MethodCase) -> None:
    method = case.method
    expect(_is_model(method.options), "a pydantic model as its configuration", method.options)
    for name in case.defaults():
        expect(name in option_names(method.options), "options that the configuration has", short_repr(name))
    stored = case.values().model_dump(mode="json", by_alias=True)
    again = method.options.model_validate(stored).model_dump(mode="json", by_alias=True)
    expect_equal("its configuration, read back from JSON,", stored, again)


def test_every_request_has_its_prompts_in_an_environment_that_is_installed(case: MethodCase) -> None:
    world = case.world or catalogue.names("environment")[0]
    for method in case.methods:
        with case.brought():
            prompts = find_prompts(method, world)
        for name in required_prompts(method):
            try:
                prompts.text(name)
            except UsageError as error:
                fail(f"the prompt {name}", str(error))


def test_its_budget_is_one_line(case: MethodCase) -> None:
    inner = case.configured()[1] if len(case.methods) > 1 else None
    budget = case.method(case.values(), inner).describe().budget
    expect_type("a budget", str, budget)
    expect(len(budget.splitlines()) <= 1, "a budget of one line or none", short_repr(budget))


def test_an_episode_ends_and_not_by_a_fault(case: MethodCase) -> None:
    for task in _tasks(case):
        _expect_end(task, case.run(task))


def test_the_same_seed_gives_the_same_content(case: MethodCase) -> None:
    _expect_equal_content(
        (f"another run of {task!r}", content_of(case.run(task)), content_of(case.run(task))) for task in _tasks(case)
    )


def test_another_process_with_another_hash_seed_gives_the_same_content(case: MethodCase) -> None:
    _expect_equal_content([("a run in another process", content(events(case)), content(in_subprocess(events, case)))])


def test_an_episode_that_was_killed_goes_on_to_the_same_content(case: MethodCase) -> None:
    _expect_equal_content(resumed for task in _tasks(case) for resumed in _kill_and_resume(case, task))


def test_an_episode_that_used_up_its_calls_ends_as_it_offered(case: MethodCase) -> None:
    for task in _tasks(case):
        whole = content_of(case.run(task))
        needed = sum(isinstance(event, CallMade) for event in whole.values())  # without those of stopped branches
        for most in places_to_kill(needed, _tries(case).limits):
            how = f"limited to {most} calls"
            limited = case.run(task, calls=most)
            resumed = case.run(task, left_by_kill(limited, len(limited) // 2), calls=most)
            where = f"{task!r}, {how}, killed and resumed"
            _expect_cut_short(f"{task!r}, {how}", whole, limited, most)
            cut = _expect_cut_short(where, whole, resumed, most)
            if cut is not None:
                _expect_only_the_end(where, resumed[cut:], case.run(task, resumed[:cut], calls=most)[cut:])


def events(case: MethodCase) -> list[AnyEvent]:
    """All events of the first tasks' episodes."""
    return [record.event for task in _tasks(case) for record in case.run(task)]


def _kill_and_resume(case: MethodCase, task: str) -> Iterator[tuple[str, Content, Content]]:
    whole = case.run(task)
    for place in places_to_kill(len(whole), _tries(case).kills):
        resumed = case.run(task, left_by_kill(whole, place))
        how = f"killed after event {place} of {len(whole)} and resumed"
        _expect_end(task, resumed, f", {how}")
        yield f"{task!r}, {how}", content_of(whole), content_of(resumed)


def _is_model(config: object) -> bool:
    return isinstance(config, type) and issubclass(config, BaseModel)


def _tasks(case: MethodCase) -> Sequence[str]:
    world = case.spec.world
    return world.tasks(world.splits[0])[: _tries(case).tasks]


def _tries(case: MethodCase) -> _Tries:
    """Fewer in a world whose calls may take long."""
    return _Tries(1, 3, 2) if case.waits else _Tries(case.tasks, _KILLS, _LIMITS)


def places_to_kill(events: int, kills: int) -> list[int]:
    """How many events a kill leaves in a journal: the fewest, the most, and some between."""
    last = events - 1
    return sorted({1 + step * (last - 1) // (kills - 1) for step in range(kills)}) if last > 0 else []


def _expect_end(task: str, records: Sequence[Record], how: str = "") -> None:
    end = _end_without_fault(f"{task!r}{how}", records)
    if any(isinstance(record.event, CutShort) for record in records):
        fail(f"an end of {task!r}{how} within {EPISODE_SECONDS:.0f} s", f"one cut short: {end.reason}")


def _expect_cut_short(where: str, whole: Content, records: Sequence[Record], most: int) -> int | None:
    """Expect the end that was offered; returns the number of records up to `CutShort`.

    None for one that was not cut short, which a run may be that decided differently than the whole one.
    """
    end = _end_without_fault(where, records)
    calls = sum(isinstance(record.event, CallMade) for record in records)
    expect(calls <= most, f"at most {most} calls in {where}", str(calls))
    for number, cut in enumerate((record.event for record in records), 1):
        if isinstance(cut, CutShort):
            last = [0.0, *(record.event.reward for record in records if isinstance(record.event, StepTaken))][-1]
            offer = cut.offer or Offer(state="unsolved", session="", reward=last, done=False)
            expected = (offer.state, offer.reward, offer.claimed, offer.depth, cut.reason)
            got = (end.state, end.reward, end.claimed, end.depth, end.reason)
            expect_equal(f"the end of {where}, as it was offered, at ", expected, got)
            return number
    if first_difference_in_decisions(whole, content_of(records)) is None:
        fail(f"{where}, to be cut short", end.why or "an end of its own")
    return None


def _expect_only_the_end(where: str, after: Sequence[Record], replayed: Sequence[Record]) -> None:
    """Expect a replay of `CutShort` to journal the episode's answer and end again, and nothing else."""
    own = [record.event for record in after if record.event.path == episode_of(record.event.path)]
    expect_equal(f"the end of {where}, replayed, at ", own, [record.event for record in replayed])


def _end_without_fault(where: str, records: Sequence[Record]) -> EpisodeEnded:
    end = next((record.event for record in records if isinstance(record.event, EpisodeEnded)), None)
    if end is None:
        fail(f"an end of {where}", "none")
    if end.fault is not None:
        lines = end.fault.detail.splitlines()
        file = next((line.strip() for line in reversed(lines) if line.lstrip().startswith("File ")), "")
        fail(f"no fault in {where}", f"{end.fault.kind}: {end.fault.text} {file}".rstrip())
    return end


def _expect_equal_content(runs: Iterable[tuple[str, Content, Content]]) -> None:
    """Compare pairs of runs, by what the second is and the content of both.

    One that decided differently, as it may, is compared up to there. Skip if that is nothing at all.
    """
    compared, differing = 0, None
    for what, expected, got in runs:
        path = first_difference_in_decisions(expected, got)
        if path is not None:
            differing, what = path, f"{what}, before the decision at {path},"
            expected, got = before(expected, path), before(got, path)
        compared += len(expected)
        expect_equal(f"the content of {what}, at ", expected, got)
    if not compared:
        where = "an episode has a single event" if differing is None else f"two runs decided differently at {differing}"
        pytest.skip(f"nothing to compare: {where}")
