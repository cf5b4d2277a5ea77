"""Names of generated tasks."""

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.generator.names import TaskName, parse_task_name, trial
from quintet.environments.alfworld.generator.objectives import TASK_TYPES, Objective, possible
from quintet.environments.alfworld.generator.rooms import scenes
from quintet.environments.alfworld.generator.tables import RoomKind

_OBJECTIVES: Sequence[tuple[Objective, int]] = [
    (objective, scene)
    for kind in get_args(RoomKind)
    for scene in scenes(kind, unseen=False)[::7]
    for task_type in TASK_TYPES
    for objective in possible(task_type, scene)
]


@given(st.sampled_from(_OBJECTIVES), st.text())
def test_a_name_reads_back(chosen: tuple[Objective, int], seed: str) -> None:
    name = TaskName(*chosen, trial(seed))
    assert parse_task_name(str(name)) == name
    assert "/" not in str(name)


def test_a_name_looks_like_an_official_one() -> None:
    name = TaskName(Objective("pick_heat_then_place_in_recep", "Egg", "Fridge"), 6, trial("x"))
    assert str(name) == f"pick_heat_then_place_in_recep-Egg-None-Fridge-6.{trial('x')}"
    assert trial("x").startswith("trial_T2025")
    assert len(trial("x")) == len("trial_T20190907_184715_099476")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "pick_heat_then_place_in_recep-Egg-None-Fridge-6",
        "pick_heat_then_place_in_recep-Egg-None-Fridge-6.trial_T2019",
        f"pick_heat_then_place_in_recep-Egg-None-Fridge-406.{trial('x')}",
        f"pick_heat_then_place_in_recep-Egg-None-Sofa-6.{trial('x')}",
        f"pick_heat_then_place_in_recep-Unicorn-None-Fridge-6.{trial('x')}",
        f"pick_heat_then_place_in_recep-Egg-Mug-Fridge-6.{trial('x')}",
        f"../pick_heat_then_place_in_recep-Egg-None-Fridge-6.{trial('x')}",
    ],
)
def test_other_names_are_of_no_generated_task(name: str) -> None:
    assert parse_task_name(name) is None


@given(st.text(max_size=120))
def test_any_text_is_a_name_or_not(text: str) -> None:
    found = parse_task_name(text)
    assert found is None or str(found) == text
