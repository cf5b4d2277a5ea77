"""The references of the tasks on the forum and the tracker are what the seed says."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.tasks.library import open_library
from tests.actors.environments.webarena.tasks.references import references

ANSWERS: Mapping[str, dict[str, object]] = tomllib.loads((Path(__file__).parent / "community_answers.toml").read_text())
TASKS = {task.task_id: task for task in open_library(None).tasks.values() if 1100 <= task.task_id < 1140}
QUOTED = {1100: "Tarnwell 300", 1101: "28 July", 1102: "The Salt Stair"}
"""Answers that stand in a sentence of the seed's."""


@pytest.mark.parametrize("number", ANSWERS)
def test_a_reference_follows_from_the_seed(number: str) -> None:
    task, expected = TASKS[int(number)], ANSWERS[number]
    found = [str(value) for row in Instance().db.execute(str(expected["sql"])).fetchall() for value in row]
    assert found
    if "is" in expected:
        assert found == expected["is"]
    elif task.kind == "read":
        assert found == [each for each in references(task) if each]
    else:
        assert [value for value in found if not any(value in each for each in references(task))] == []
    if quoted := QUOTED.get(int(number)):
        assert quoted in found[0]
        assert quoted in set(references(task))


def test_each_task_has_its_query_but_those_that_the_seed_has_no_part_in() -> None:
    assert sorted(set(TASKS) - {int(number) for number in ANSWERS}) == [1117, 1124, 1127]


def test_there_are_forty_tasks_of_all_kinds_over_the_sites() -> None:
    assert Counter(task.kind for task in TASKS.values()) == {"read": 16, "navigate": 9, "change": 11, "impossible": 4}
    assert Counter(task.sites for task in TASKS.values()) == {("reddit",): 17, ("gitlab",): 22, ("reddit", "gitlab"): 1}
    assert Counter(task.judge for task in TASKS.values()) == {"never": 35, "unless exact": 4, "always": 1}
