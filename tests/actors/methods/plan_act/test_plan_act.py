import pytest
from msgspec.structs import replace
from pydantic import ValidationError

from quintet.messages.environment import Fork, Snapshot
from quintet.messages.execution import Retarget
from quintet.methods.devils_advocate.config import PlanTrialConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.plan_act.plan_act import PlanAct
from tests.actors.methods.devils_advocate.play import Play, served


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
    assert [*ours.requests(Snapshot), *ours.requests(Fork)] == []
    assert len(ours.trials) > 0
    assert [replace(each, method="") for each in ours.trials] == [replace(each, method="") for each in theirs.trials]
