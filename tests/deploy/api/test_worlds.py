"""Serving worlds from Python."""

import re
from pathlib import Path

import pytest

from quintet.api import serve_worlds
from quintet.errors import UsageError
from tests.deploy.world_server.serving import Fragile, connected, fetched

pytestmark = pytest.mark.real_time


async def test_names_and_objects_are_served_with_their_options() -> None:
    options = {"alfworld": {"dialect": "classic"}}
    async with serve_worlds([Fragile(), "alfworld"], options=options) as address:
        assert await fetched(f"{address}/list_environments") == (200, ["fragile", "alfworld"])
        async with connected(address) as client, connected(f"{address}/alfworld") as other:
            await client.ask("reset")
            assert await client.text("leave") == "It opens."
            _, begun = await other.ask("reset")
            assert "Your task is to" in begun["observation"]["text"]


async def test_a_wrong_option_is_refused_in_words() -> None:
    with pytest.raises(UsageError, match=r"environment\.dialect"):
        async with serve_worlds(["alfworld"], options={"alfworld": {"dialect": "old"}}):
            pass


def test_the_page_serves_as_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "serve-worlds.md").read_text()
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "serve_worlds" in block)
    exec(code, {})
    assert re.fullmatch(r"serving at http://127\.0\.0\.1:\d+\n", capsys.readouterr().out)
