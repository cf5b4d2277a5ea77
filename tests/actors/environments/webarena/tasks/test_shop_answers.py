"""The references of the shop's tasks are what its seed says."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.shop.stock.tables import people_tables
from quintet.environments.webarena.tasks.library import open_library
from tests.actors.environments.webarena.tasks.references import references

ANSWERS: Mapping[str, dict[str, object]] = tomllib.loads((Path(__file__).parent / "shop_answers.toml").read_text())
TASKS = {task.task_id: task for task in open_library(None).tasks.values() if task.task_id < 1100}
INSTANCE = Instance()


def found(sql: str) -> list[str]:
    return [str(value) for row in INSTANCE.db.execute(sql).fetchall() for value in row]


@pytest.mark.parametrize("number", ANSWERS)
def test_a_reference_follows_from_the_seed(number: str) -> None:
    task, expected = TASKS[int(number)], ANSWERS[number]
    values = found(str(expected["sql"]))
    assert values
    if "is" in expected:
        assert values == expected["is"]
    elif task.kind == "read":
        assert values == [each for each in references(task) if each]
    else:
        parts = [part for value in values for part in value.split(" / ")]
        assert [part for part in parts if not any(part in each for each in references(task))] == []


def test_the_complaints_that_are_asked_for_are_the_most_frequent_ones() -> None:
    task = TASKS[1007]
    texts = found(
        "SELECT r.text FROM shop_reviews r JOIN shop_products p ON p.id = r.product_id "
        f"WHERE p.name = '{task.instantiation_dict['product']}' AND r.rating <= 2 AND r.status = 'Approved'"
    )
    complaints = people_tables().reviews.bad
    counted = Counter(each for text in texts for each in complaints if each in text).most_common()
    assert counted[1][1] > counted[2][1]
    answers = task.eval.reference_answers
    assert answers is not None
    assert answers.fuzzy_match == tuple(name[0].lower() + name[1:].rstrip(".") for name, _ in counted[:2])


def test_each_task_that_reads_or_leads_somewhere_has_its_query() -> None:
    """But one that reads a page without data, and pages and texts that the seed has no part in."""
    without = sorted(set(TASKS) - {int(number) for number in ANSWERS})
    assert without == [1007, 1008, 1021, 1022, 1025, 1026, 1028, 1041, 1047]


def test_there_are_fifty_tasks_of_all_kinds_over_both_sites() -> None:
    kinds = Counter(task.kind for task in TASKS.values())
    assert kinds == {"read": 20, "navigate": 10, "change": 14, "impossible": 6}
    assert Counter(task.sites for task in TASKS.values()) == {
        ("shopping",): 28,
        ("shopping_admin",): 20,
        ("shopping_admin", "shopping"): 2,
    }
    assert Counter(task.judge for task in TASKS.values()) == {"never": 42, "unless exact": 6, "always": 2}
