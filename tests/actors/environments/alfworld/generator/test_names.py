"""Names of generated tasks."""

from quintet.environments.alfworld.generator.names import TaskName, trial
from quintet.environments.alfworld.generator.objectives import Objective


def test_a_name_looks_like_an_official_one() -> None:
    name = TaskName(Objective("pick_heat_then_place_in_recep", "Egg", "Fridge"), 6, trial("x"))
    assert str(name) == f"pick_heat_then_place_in_recep-Egg-None-Fridge-6.{trial('x')}"
    assert trial("x").startswith("trial_T2025")
    assert len(trial("x")) == len("trial_T20190907_184715_099476")
