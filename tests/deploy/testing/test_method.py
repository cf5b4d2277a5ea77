"""The contract of methods: a good method keeps it, and every clause is broken by one that breaks it."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from quintet.environments.textcraft.world import TextCraft
from quintet.events import CallMade, EpisodeEnded, Record
from quintet.messages.prompts import Prompt
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Sampling
from quintet.testing import method
from quintet.testing.content import content_of
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.method_case import method_cases
from quintet.testing.random_model import RandomModel
from quintet.testing.replay import run_episode, with_model
from tests.deploy.testing import broken_methods
from tests.distributions import install
from tests.simulation.content import expect_agreement


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Good")
    install(tmp_path, monkeypatch, {"methods": {"toy": f"{broken_methods.__name__}:{target}"}})
    monkeypatch.setattr(catalogue, "WORLDS", {"textcraft": catalogue.WORLDS["textcraft"]})


@pytest.mark.usefixtures("registered")
def test_a_method_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts: list[Verdict] = []
    run_contracts({method: method_cases("toy")}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(method))


@pytest.mark.parametrize("registered", ["Timed"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_decisions_that_depend_on_time_may_differ_in_a_new_run() -> None:
    (case,) = method_cases("toy")
    method.test_the_same_seed_gives_the_same_content(case)
    method.test_another_process_with_another_hash_seed_gives_the_same_content(case)
    method.test_an_episode_that_was_killed_goes_on_to_the_same_content(case)


@pytest.mark.parametrize("registered", ["UnseededAndTimed"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_runs_that_decided_differently_are_compared_up_to_there() -> None:
    (case,) = method_cases("toy")
    with pytest.raises(pytest.fail.Exception, match=r"of another run of .*, before the decision at .*, at "):
        method.test_the_same_seed_gives_the_same_content(case)


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


@pytest.mark.parametrize("registered", ["Searching"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_an_asynchronous_search_killed_at_every_position_goes_on_without_a_repeated_call() -> None:
    """Every start has other delays, so without journaled ends it would go on differently."""
    (case,) = method_cases("toy")
    spec = case.spec()
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


@pytest.mark.parametrize("registered", ["Searching"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_an_asynchronous_search_keeps_every_clause() -> None:
    verdicts: list[Verdict] = []
    run_contracts({method: method_cases("toy")}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(method))


@pytest.mark.parametrize("registered", ["Promptless"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_without_prompts_for_an_environment_a_method_is_not_run() -> None:
    (case,) = method_cases("toy")
    with pytest.raises(pytest.skip.Exception, match="environment with prompts for it is not installed"):
        method.test_an_episode_ends_and_not_by_a_fault(case)


@pytest.mark.parametrize("registered", ["Copying"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_where_no_state_can_be_copied_a_method_that_copies_sessions_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = method_cases("toy")
    assert not case.obstacle()
    monkeypatch.setattr(TextCraft, "forks", "none")
    verdicts: list[Verdict] = []
    run_contracts({method: method_cases("toy")}, verdicts.append)
    skipped = {verdict.text for verdict in verdicts if verdict.state == "skipped"}
    needed = "one whose sessions can be copied, for method toy, got textcraft, which cannot"
    assert skipped == {f"environment: expected {needed}"}
    assert {verdict.state for verdict in verdicts} == {"holds", "skipped"}


BROKEN = [
    ("Misnamed", "it has its name and a version", "expected name to be 'toy', got 'other'"),
    ("Versionless", "it has its name and a version", "expected a version, got ''"),
    ("Unanswered", "a role answers each of its requests", "that a role answers, got role: expected one"),
    (
        "Deaf",
        "the actor of each role that it brings accepts the requests of the role",
        "an actor of role critic that accepts Complete, got MakePlan, ",
    ),
    ("Misspelt", "its values for the world are valid", "options that the configuration has, got 'cals'"),
    ("Invalid", "its values for the world are valid", "greater than or equal to 1"),
    (
        "Promptless",
        "every request has its prompts in an environment that is installed",
        "expected the prompt execute, got prompt: expected a file",
    ),
    ("Talkative", "its budget is one line", "a budget of one line or none, got '2\\nor more'"),
    (
        "Crashing",
        "an episode ends and not by a fault",
        "expected no fault in 'polished granite stairs', got ActorCrashed: ",
    ),
    ("Unseeded", "the same seed gives the same content", "expected the content of another run of 'polished"),
    (
        "Hashed",
        "another process with another hash seed gives the same content",
        "expected the content of a run in another process, at [(",
    ),
    ("Persistent", "an episode that used up its calls ends as it offered", "to be cut short, got no calls left"),
    ("Counted", "an episode that was killed goes on to the same content", " and resumed, at [('polished"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: str, said: str) -> None:
    (case,) = method_cases("toy")
    with pytest.raises((pytest.fail.Exception, ValueError), match=re.escape(said)):
        clauses(method)[clause](case)


def test_every_clause_is_broken_above() -> None:
    assert {clause for _, clause, _ in BROKEN} == clauses(method).keys()
