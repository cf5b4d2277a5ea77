"""The debate: three critics with models of their own, whose plan reaches ReAct; it keeps its contract and resumes."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.events import CallMade, EpisodeEnded, Record
from quintet.launch.prepare import Prepared, prepare
from quintet.studies.arms import prepare_arms
from quintet.studies.comparison_arms import define_comparison
from quintet.testing import method
from quintet.testing.content import content_of
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.method import places_to_kill
from quintet.testing.method_case import method_cases
from quintet.testing.replay import left_by_kill, run_episode
from tests.distributions import install, use_site

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAN = "List\\n1. get 4 planks"


@pytest.fixture(autouse=True)
def debate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_site(EXAMPLES, monkeypatch, "debate")
    install(tmp_path / "site", monkeypatch, {"methods": {"debate": "debate:Debate"}})


def _scripted(role: str, completion: str) -> list[str]:
    return [f"{role}.name=scripted", f'{role}.completions=["{completion}"]']


def _prepared(*assignments: str) -> Prepared:
    given = ("method.name=debate", "environment.name=textcraft", "run.tasks=stick", *assignments)
    return prepare([from_assignments(given)])


def _calls(records: Sequence[Record]) -> list[CallMade]:
    return [record.event for record in records if isinstance(record.event, CallMade)]


DISAGREE = (
    *_scripted("model", "Action: task failed"),
    *_scripted("model.skeptic", "List\\n1. give up"),
    *_scripted("model.optimist", PLAN),
    *_scripted("model.minimalist", PLAN),
)


def test_the_plan_of_most_critics_reaches_the_inner_method_and_every_kill_resumes_to_the_same() -> None:
    spec = _prepared(*DISAGREE).spec
    records = run_episode(spec, "stick")
    phases = [call.phase for call in _calls(records)]
    assert sorted(phases[:-1]) == ["minimalist"] * 2 + ["optimist"] * 2 + ["skeptic"] * 2
    assert phases[-1] == "react/execute"
    shown = [message.content for record in records for node in record.prompts for message in node.appended]
    assert any("The critics planned:\n\nList\n1. give up" in text for text in shown)
    assert any("A plan of 2 of 3 critics:\nList\n1. get 4 planks\n\nGoal: " in text for text in shown)
    for place in places_to_kill(len(records), 6):
        assert content_of(run_episode(spec, "stick", left_by_kill(records, place))) == content_of(records)


def test_the_stand_in_answers_no_critic_and_plays_all_the_same() -> None:
    records = run_episode(_prepared("model.name=sim-strong").spec, "stick")
    (end,) = [record.event for record in records if isinstance(record.event, EpisodeEnded)]
    assert (end.state, end.reward) == ("solved", 1.0)
    assert {call.completion.text for call in _calls(records) if call.phase == "skeptic"} == {
        "I only answer questions about a task."
    }


@pytest.mark.slow
def test_it_keeps_every_clause_of_the_contract_in_every_environment_that_react_has_prompts_for() -> None:
    cases = method_cases("debate")
    assert [case.world for case in cases] == ["textcraft", "alfworld"]
    verdicts: list[Verdict] = []
    run_contracts({method: cases}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(method))


def test_a_critics_tables_are_for_the_arms_of_a_comparison_that_have_it() -> None:
    study = define_comparison(["debate", "react"])
    given = from_assignments(["environment.name=textcraft", "model.skeptic.name=sim-strong", "run.tasks=1"])
    arms = prepare_arms(study, [given])
    assert {name: [*arm.config.model.roles] for name, arm in arms.items()} == {"debate": ["skeptic"], "react": []}
