"""The user's objects reach Ray's hosts: by value, with the modules beside them, or not at all."""

import asyncio
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate, open_run
from quintet.cluster.packed_objects import pack_objects
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.plugins.brought import BroughtObject
from quintet.plugins.objects import find_object
from tests.actors.fakes import Kitchen

MINE = """
from pydantic import BaseModel

from quintet.methods.base.method import Method


class Nothing(BaseModel):
    pass


class Mine(Method[Nothing]):
    name, version = "mine", "1"

    async def solve(self, episode):
        import os

        import late

        reason = f"{late.WORD}, {type(__loader__).__name__}, {os.environ.get('A_WORD')}"
        return episode.conclude(None, [], reason=reason)
"""


def brought(given: object) -> BroughtObject:
    found = find_object("environment", given)
    assert found is not None
    assert found.brought is not None
    return found.brought


def test_objects_are_the_same_after_they_travelled() -> None:
    class Pantry(Kitchen):
        name = "pantry"

    sent = [brought(Pantry), brought(Kitchen())]
    there = pack_objects(sent).unpack()
    assert [(each.kind, each.name, each.origin) for each in there] == [
        (each.kind, each.name, each.origin) for each in sent
    ]
    assert there[1].value.tasks("all") == sent[1].value.tasks("all")


class Locked(Kitchen):
    def __init__(self) -> None:
        self.guard = threading.Lock()


def test_an_object_that_cannot_travel_is_refused_with_its_name_and_the_reason() -> None:
    error = r"environment kitchen: expected an object that can be sent .*, got .*cannot pickle .*lock.* in its guard"
    with pytest.raises(UsageError, match=error):
        pack_objects([brought(Locked())])


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "late.py").write_text("WORD = 'imported late'\n")
    (tmp_path / "code" / "mine.py").write_text(MINE)
    return tmp_path / "code" / "mine.py"


def settings(**runtime: Any) -> dict[str, Any]:
    return {"runtime": {"kind": "ray", "hosts": 1, **runtime}}


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
@pytest.mark.usefixtures("local_cluster")
def test_modules_of_files_and_what_ray_prepares_are_on_a_host_that_does_not_have_the_files(mine: Path) -> None:
    env = {"env_vars": {"A_WORD": "from the configuration"}}

    async def run() -> list[EpisodeEnded]:
        async with open_run(f"{mine}:Mine", "textcraft", tasks=1, settings=settings(env=env)) as opened:
            shutil.rmtree(mine.parent)
            return [end async for end in opened.run(opened.left())]

    assert [end.reason for end in asyncio.run(run())] == ["imported late, _SourceLoader, from the configuration"]


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
@pytest.mark.usefixtures("local_cluster")
def test_a_class_that_is_in_no_module_travels_by_value_and_acts_as_it_does_here() -> None:
    class Pantry(Kitchen):
        name = "pantry"

    here = evaluate("random", Pantry)
    there = evaluate("random", Pantry, settings=settings())
    assert here == there
