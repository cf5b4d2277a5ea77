"""The contract of methods: a good method keeps it, and every clause is broken by one that breaks it."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from quintet.environments.textcraft.world import TextCraft
from quintet.events import BranchEnded, BranchStopped, CallMade, EpisodeEnded, Record
from quintet.messages.environment import Task
from quintet.messages.paths import child, episode_of, episode_path
from quintet.messages.prompts import Prompt
from quintet.methods.random.random import Random
from quintet.plugins import catalogue
from quintet.plugins.extras import require_modules
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.model import Completion, Sampling
from quintet.ports.world import Opening, Outcome
from quintet.testing import method
from quintet.testing.actions import actions_in_prompts, candidate_actions
from quintet.testing.content import content_of
from quintet.testing.contract import clauses
from quintet.testing.method_case import method_cases
from quintet.testing.random_model import RandomModel
from quintet.testing.replay import left_by_kill, run_episode, with_model
from tests.actors.fakes import Kitchen
from tests.deploy.journal.records import decided
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on
from tests.simulation.content import expect_agreement

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def one_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "WORLDS", {"textcraft": catalogue.WORLDS["textcraft"]})


@pytest.mark.parametrize("name", ["Good", pytest.param("Searching", marks=pytest.mark.slow)])
def test_a_method_that_keeps_the_contract_keeps_every_clause(name: str) -> None:
    verdicts = verdicts_on({method: method_cases(name)})
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(method))


def test_decisions_that_depend_on_time_may_differ_in_a_new_run() -> None:
    (case,) = method_cases("Timed")
    method.test_the_same_seed_gives_the_same_content(case)
    method.test_another_process_with_another_hash_seed_gives_the_same_content(case)
    method.test_an_episode_that_was_killed_goes_on_to_the_same_content(case)


def test_runs_that_decided_differently_are_compared_up_to_there() -> None:
    (case,) = method_cases("UnseededAndTimed")
    with pytest.raises(pytest.fail.Exception, match=r"of another run of .*, before the decision at .*, at "):
        method.test_the_same_seed_gives_the_same_content(case)


class Unpacked(TextCraft):
    """Needs a package that is not installed."""

    def __init__(self) -> None:
        require_modules(["no_such_package"], "pip install it", "unpacked")
        super().__init__()


def test_worlds_whose_packages_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = {**catalogue.WORLDS, "unpacked": f"{Unpacked.__module__}:{Unpacked.__name__}"}
    monkeypatch.setattr(catalogue, "WORLDS", worlds)
    played = {case.world for case in method_cases("expert")}
    assert "textcraft" in played
    assert "unpacked" not in played


class Noting(RandomModel):
    """Notes the seeds of its calls; no two calls of an episode have the same."""

    def __init__(self, delays: int) -> None:
        super().__init__(delays)
        self.seeds: list[int | None] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.seeds.append(sampling.seed)
        return await super().complete(prompt, sampling)


def seeds(records: Sequence[Record]) -> set[int | None]:
    return {record.event.sampling.seed for record in records if isinstance(record.event, CallMade)}


def test_an_asynchronous_search_killed_at_every_position_goes_on_without_a_repeated_call() -> None:
    """Every start has other delays, so without journaled ends it would go on differently."""
    (case,) = method_cases("Searching")
    spec = case.spec
    task = spec.world.tasks(spec.world.splits[0])[0]
    first = Noting(1)
    whole = run_episode(with_model(spec, first), task)
    assert len(seeds(whole)) > 10
    assert {"branch_ended", "branch_stopped"} <= {record.event.kind for record in whole}
    differing = 0
    for place in range(1, len(whole)):
        model = Noting(place + 1)
        resumed = run_episode(with_model(spec, model), task, whole[:place])
        assert not seeds(whole[:place]) & set(model.seeds)
        end = resumed[-1].event
        assert isinstance(end, EpisodeEnded)
        assert end.fault is None
        differing += expect_agreement(content_of(whole), content_of(whole[:place]), content_of(resumed))
    assert differing > 10


class BoundState(AsyncState):
    opening = Opening(observation="A kitchen. Wait.", setting="A kitchen.", goal="wait")
    observation = "A kitchen."

    async def step(self, action: str) -> Outcome:
        return Outcome(observation="Nothing happens.", reward=0.0, done=True, rejected=False)

    async def admissible(self) -> tuple[str, ...] | None:
        return ("wait",)


class Bound(AsyncWorld):
    """What its first `open` makes belongs to a loop, as a connection does."""

    name, version, splits = "bound", "1", ("all",)

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def tasks(self, split: str) -> tuple[str, ...]:
        return ("one", "two")

    async def open(self, task: Task) -> BoundState:
        self._loop = self._loop or asyncio.get_running_loop()
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError("the event loop is closed")
        return BoundState()


def test_a_world_that_waits_is_a_new_one_in_every_episode_and_is_tried_on_one_task() -> None:
    (case,) = method_cases("random", environment=Bound)
    for _ in range(2):
        end = case.run("one")[-1].event
        assert isinstance(end, EpisodeEnded)
        assert end.fault is None
    assert {episode_of(event.path) for event in method.events(case)} == {"one/0/0"}


def test_without_prompts_for_an_environment_a_method_is_not_run() -> None:
    (case,) = method_cases("Promptless")
    with pytest.raises(pytest.skip.Exception, match="environment with prompts for it is not installed"):
        method.test_an_episode_ends_and_not_by_a_fault(case)


def test_where_no_state_can_be_copied_a_method_that_copies_sessions_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = method_cases("Copying")
    assert not case.obstacle()
    monkeypatch.setattr(TextCraft, "forks", "none")
    verdicts = verdicts_on({method: method_cases("Copying")})
    skipped = {verdict.text for verdict in verdicts if verdict.state == "skipped"}
    needed = "one whose sessions can be copied, for method Copying, got textcraft, which cannot"
    assert skipped == {f"environment: expected {needed}"}
    assert {verdict.state for verdict in verdicts} == {"holds", "skipped"}


BROKEN = [
    ("Hashed", "it has its name", "expected name to be 'Hashed', got 'Good'"),
    ("Versionless", "it has its name", "expected a version, got ''"),
    ("Unanswered", "a role answers", "that a role answers, got role: expected one"),
    ("Deaf", "the actor of each role", "an actor of role critic that accepts Complete, got MakePlan, "),
    ("Misspelt", "its values", "options that the configuration has, got 'cals'"),
    ("Invalid", "its values", "greater than or equal to 1"),
    ("Promptless", "every request has its prompts", "expected the prompt execute, got prompt: expected a file"),
    ("Talkative", "its budget", "a budget of one line or none, got '2\\nor more'"),
    ("Crashing", "an episode ends", "expected no fault in 'polished granite stairs', got ActorCrashed: "),
    ("Unseeded", "the same seed", "expected the content of another run of 'polished"),
    ("Hashed", "another process", "expected the content of a run in another process, at [("),
    ("Persistent", "an episode that used up", "to be cut short, got no calls left"),
    ("Counted", "an episode that was killed", " and resumed, at [('polished"),
]


@pytest.mark.parametrize(("name", "clause", "said"), BROKEN)
def test_a_clause_is_broken_by(name: str, clause: str, said: str) -> None:
    (case,) = method_cases(name)
    with pytest.raises((pytest.fail.Exception, ValueError), match=re.escape(said)):
        clause_of(clause, method)(case)


def test_every_clause_is_broken_above() -> None:
    assert unbroken_clauses((clause for _, clause, _ in BROKEN), method) == set()


def test_a_method_is_tried_in_the_environment_that_is_given() -> None:
    (case,) = method_cases(Random, environment=Kitchen)
    assert (case.world, case.obstacle()) == ("kitchen", "")
    assert case.spec.world.name == "kitchen"


GROUP = child(episode_path("beehive", 0, 0), 2)


def test_events_that_are_committed_together_are_left_together() -> None:
    records = [
        decided(1),
        Record(event=BranchEnded(path=child(GROUP, 2), place=1), incarnation=1),
        *(Record(event=BranchStopped(path=child(GROUP, number)), incarnation=1) for number in (1, 3)),
        decided(3),
    ]
    assert [len(left_by_kill(records, most)) for most in range(6)] == [0, 1, 1, 1, 4, 5]


def test_the_likeliest_actions_come_first() -> None:
    found = candidate_actions('Say `press 1` or "press 2".\nAction: open door\nYou see: a lamp, a door.')
    assert found[:3] == ("open door", "press 1", "press 2")
    assert {"a lamp", "a door", "lamp", "You see"} <= set(found)
    assert "" not in found
    assert candidate_actions("") == ()


def test_actions_of_a_world_are_found_in_the_prompts_of_methods() -> None:
    assert "inventory" in actions_in_prompts("textcraft")
    assert actions_in_prompts("nowhere") == ()
