"""The world: what travels to another process, and names that are too long to show."""

import pickle
from pathlib import Path

import pytest

from quintet.environments.webshop.data import generate_shop
from quintet.environments.webshop.world import WebShop
from quintet.errors import UsageError
from quintet.messages.environment import Task


def test_a_world_is_opened_again_in_another_process_and_only_as_it_was(tmp_path: Path) -> None:
    generate_shop(products=3, goals=3, out=tmp_path / "shop")
    world = WebShop(tmp_path / "shop", page_len=3, text="gym")
    sent = pickle.dumps(world)
    again = pickle.loads(sent)
    assert again.version == world.version
    task = Task(name=world.tasks("test")[0], seed=0)
    assert again.open(task).observation == world.open(task).observation
    file = tmp_path / "shop" / "items_shuffle.json"
    file.write_text(file.read_text("utf-8").replace('"pricing":"$', '"pricing":"$1', 1), "utf-8")
    with pytest.raises(UsageError, match=r"data: expected the shop of version 1\+gym-line-3.*, got 1\+gym-line-3"):
        pickle.loads(sent)


def test_of_a_long_task_name_an_error_shows_the_beginning() -> None:
    with pytest.raises(UsageError, match="expected a goal of the shop, got 'xxx") as raised:
        WebShop().open(Task(name="x" * 100_000, seed=0))
    assert len(str(raised.value)) < 400
