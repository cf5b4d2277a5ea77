"""What of a world travels to another process."""

import pickle
from pathlib import Path

import pytest

from quintet.environments.webshop.data import build_shop, generate_shop
from quintet.environments.webshop.world import WebShop
from quintet.errors import UsageError
from quintet.messages.environment import Task


class Shallow(WebShop):
    """A user's own."""


def test_a_world_travels_with_its_shop_and_maps_a_built_one_again(tmp_path: Path) -> None:
    generate_shop(products=3, goals=3, out=tmp_path / "shop")
    generate_shop(products=2, goals=2, out=tmp_path / "other")
    for name in ("shop", "other"):
        build_shop(tmp_path / name, out=tmp_path / f"{name}.built")
    sent = b""
    for data in ("shop", "shop.built"):
        world = Shallow(tmp_path / data, page_len=3, text="gym")
        sent = pickle.dumps(world)
        again = pickle.loads(sent)
        assert (type(again), again.version) == (Shallow, world.version)
        task = Task(name=world.tasks("test")[0], seed=0)
        begun = again.open(task)
        assert [begun.step(action).reward for action in begun.expert() or ()][-1] == 1.0
    (tmp_path / "other.built").replace(tmp_path / "shop.built")
    with pytest.raises(UsageError, match=r"data: expected products of digest \w+, which were opened first, got \w+"):
        pickle.loads(sent)
