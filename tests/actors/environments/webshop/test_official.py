"""Made-up files in the official schema, with what is odd in the official ones, played from the opening to the score."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quintet.environments.webshop.world import WebShop
from quintet.messages.environment import Task


def record(asin: str, name: str, **fields: Any) -> dict[str, Any]:
    """A product; the official file has more fields, some of which are none of ours."""
    return {
        "asin": asin,
        "name": name,
        "brand": "Visit the Marl Store",
        "total_reviews": "",
        "small_description": ["Sits low on the hip", "Wash it cold"],
        "full_description": "A belt for everyday wear.",
        "pricing": "$15.99",
        "customization_options": "",
        "images": ["https://example.invalid/a.jpg"],
        "product_category": "Clothing, Shoes & Jewelry › Men › Accessories › Belts",
        "category": "fashion",
        "query": "Men's Belts ",
        **fields,
    }


PRODUCTS: list[Any] = [
    record(
        "B07BELT001",
        "Marl Leather Belt for Men",
        pricing="$9.99 - $25.50",
        customization_options={
            "Color": [
                {
                    "is_selected": True,
                    "is_available": True,
                    "value": "Dark Brown/Brass",
                    "price_string": "",
                    "image": "u",
                },
                {"value": "Black", "image": None, "asin": "B07BELT001"},
            ],
            "Size": [{"value": " Large "}, {"value": "X-Large"}],
            "Style": None,
        },
    ),
    record("B07BELT001", "The same id again"),
    record("B07BELT002X", "An id that is too long"),
    record("B07BELT003", "Canvas Belt", small_description="Webbing with a steel buckle", pricing=None),
    record("B07SOAP004", "Oat Soap Bar", category="beauty", query="soap", product_category="Beauty › Soap"),
]
NOTES: dict[str, Any] = {
    "B07BELT001": {
        "attributes": ["genuine leather", "hand wash"],
        "instruction": "Find me genuine leather men's belts",
        "instruction_attributes": ["genuine leather"],
    },
    "B07BELT003": {"attributes": ["long lasting"], "instruction": None, "instruction_attributes": None},
}
HUMAN: dict[str, Any] = {
    "B07BELT001": [
        {
            "asin": "B07BELT001",
            "instruction": "i need a hand washable belt made of real leather in brown.",
            "attributes": ["genuine leather", "hand wash"],
            "options": ["color: dark brown | brass", "size: large"],
            "instruction_attributes": ["hand wash", "genuine leather"],
            "instruction_options": ["dark brown | brass", "large"],
            "worker_id": "A1",
            "assignment_id": "3X",
        },
        {"instruction": "a belt", "instruction_attributes": [], "instruction_options": []},
    ],
    "B07BELT003": [
        {"instruction": "a canvas belt", "instruction_attributes": ["steel buckle"], "instruction_options": []}
    ],
    "B07NOTHERE": [{"instruction": "a hat", "instruction_attributes": ["warm"], "instruction_options": []}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in (("items_shuffle_1000", PRODUCTS), ("items_ins_v2_1000", NOTES), ("items_human_ins", HUMAN)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return tmp_path


def play(world: WebShop, task: str, *actions: str) -> tuple[float, dict[str, float]]:
    state = world.open(Task(name=task, seed=0))
    outcomes = [state.step(action) for action in actions]
    assert not any(outcome.rejected for outcome in outcomes)
    return outcomes[-1].reward, dict(outcomes[-1].figures)


def order(number: int) -> list[int]:
    """The released order of so many goals: `random.seed(233); random.shuffle(goals)`."""
    places = list(range(number))
    Random(233).shuffle(places)
    return places


def test_goals_are_those_of_the_released_code_in_its_order(folder: Path) -> None:
    world = WebShop(folder)
    tasks = [*world.tasks("test"), *world.tasks("train")]
    goals = [world.open(Task(name=task, seed=0)).opening.goal for task in tasks]
    said = [
        "i need a hand washable belt made of real leather in brown, and price lower than ",
        "a canvas belt, and price",
    ]
    assert len(goals) == 2
    assert all(goal.startswith(said[place]) for goal, place in zip(goals, order(2), strict=True))
    assert [world.metadata(task)["options"] for task in tasks] == [("2", "0")[place] for place in order(2)]


def test_a_purchase_of_an_official_goal_is_scored_by_hand(folder: Path) -> None:
    world = WebShop(folder, page_len=3)
    (belt,) = (task for task in ("human-0", "human-1") if world.metadata(task)["options"] == "2")
    way = ("search[leather belt]", "click[b07belt001]")
    chosen = ("click[dark brown | brass]", "click[large]")
    every = {"type": 1.0, "attributes": 1.0, "options": 1.0, "price": 1.0}
    assert play(world, belt, *way, *chosen, "click[buy now]") == (1.0, every)
    # Of two attributes, two options and the price, one option is missing: x-large passes for large, black is not brown.
    score, figures = play(world, belt, *way, "click[black]", "click[x-large]", "click[buy now]")
    assert score == pytest.approx(4 / 5)
    assert figures == every | {"options": 0.5}
    # The canvas belt, of the same kind, has neither attribute and no option, and costs $100.
    score, figures = play(world, belt, "search[canvas belt]", "click[b07belt003]", "click[buy now]")
    assert (score, figures) == (0.0, {"type": 1.0, "attributes": 0.0, "options": 0.0, "price": 0.0})


def test_the_expert_buys_what_official_goals_ask_for(folder: Path) -> None:
    for world, number in ((WebShop(folder), 2), (WebShop(folder, goals="synthetic"), 4)):
        tasks = {task for split in world.splits for task in world.tasks(split)}
        assert len(tasks) == number
        for task in tasks:
            expert = world.open(Task(name=task, seed=0)).expert()
            assert expert is not None
            assert play(world, task, *expert)[0] == 1.0
