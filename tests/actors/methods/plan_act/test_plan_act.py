import pytest
from msgspec.structs import replace
from pydantic import ValidationError

from quintet.messages.environment import Fork, Snapshot
from quintet.messages.execution import Decide, Retarget
from quintet.messages.planning import MakePlan
from quintet.messages.solving import Solved
from quintet.methods.devils_advocate.config import PlanTrialConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.plan_act.plan_act import PlanAct
from tests.actors.methods.devils_advocate.play import Play, served


def test_an_action_that_does_not_serve_its_step_ends_the_trial_and_the_plan_is_revised() -> None:
    play = Play(plans=[("wait",), ("serve",)], actions=["wait", "serve"], aligned=lambda align: align.action == "serve")
    answer = play.solve_by(PlanAct(PlanTrialConfig()))
    assert isinstance(answer, Solved)
    assert [request.failed for request in play.requests(MakePlan)] == [(), ("wait",)]
    assert [request.instead_of for request in play.requests(Decide)] == [(), ()]
    assert [*play.requests(Snapshot), *play.requests(Fork)] == []


def test_without_revision_the_plan_stays() -> None:
    play = Play(actions=["wait", "serve"], aligned=lambda align: align.action == "serve")
    assert isinstance(play.solve_by(PlanAct(PlanTrialConfig(revision=False))), Solved)
    assert len(play.requests(MakePlan)) == 1


def test_it_is_devils_advocate_without_what_only_remedies_need() -> None:
    assert set(DevilsAdvocate.requests) - set(PlanAct.requests) == {Retarget}
    assert PlanAct.prompt_folders == DevilsAdvocate.prompt_folders
    assert set(PlanAct.worlds) == set(DevilsAdvocate.worlds)
    with pytest.raises(ValidationError, match="Extra inputs"):
        PlanTrialConfig.model_validate({"remedies": 1})


def supper() -> Play:
    """A plan that fails and one that comes through, a note, an answer that is no action, and steps that are done."""
    return Play(
        plans=[("taste", "wait"), ("taste", "serve")],
        actions=["note_down [salt]", "taste", "wait", "?", "burn", "taste", "serve"] * 2,
        aligned=lambda align: align.action != "wait",
        completed=lambda judge: served(judge) or judge.current == 0,
    )


@pytest.mark.parametrize("revision", [True, False])
@pytest.mark.parametrize("alignment", ["judged", "off", "random"])
def test_it_does_as_devils_advocate_with_no_remedies(alignment: str, revision: bool) -> None:
    config = {"alignment": alignment, "revision": revision, "max_actions": 7}
    ours, theirs = supper(), supper()
    answer = ours.solve_by(PlanAct(PlanTrialConfig.model_validate(config)))
    assert answer == theirs.solved(**config, remedies=0)
    assert ours.asked == theirs.asked
    assert len(ours.trials) > 0
    assert [replace(each, method="") for each in ours.trials] == [replace(each, method="") for each in theirs.trials]
