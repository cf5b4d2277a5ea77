"""The worlds that docs/worlds.md shows: they are made and played as they stand there."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from quintet.api import evaluate
from quintet.messages.environment import Task
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.subprocesses import name_plug_in
from tests.command import printed

PAGE = (Path(__file__).parents[1] / "docs" / "worlds.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
WAY = ["open door to kitchen", "go to kitchen"]


def saved(name: str, folder: Path) -> Path:
    """The block that makes a world of this name, as a file."""
    (text,) = (block for block in BLOCKS if f"\n{name} = " in block)
    file = folder / f"{name.lower()}.py"
    file.write_text(text)
    return file


class TextWorldExpressEnv:
    """What the page uses of TextWorld-Express, in a house of two rooms."""

    def __init__(self, *, envStepLimit: int) -> None:  # noqa: N803  its own name
        assert envStepLimit == 100

    def reset(self, **given: object) -> tuple[str, dict[str, Any]]:
        assert given == {
            "gameName": "coin", "gameParams": "", "gameFold": "test", "seed": 20_001, "generateGoldPath": True
        }  # fmt: skip
        self._taken = 0
        return "You are in the hallway.", self._info()

    def getGoldActionSequence(self) -> list[str]:  # noqa: N802  its own name
        return list(WAY)

    def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        if action not in self._info()["validActions"]:
            return "Unknown action: I'm not sure what you mean.", 0.0, False, self._info()
        self._taken += 1
        return f"You {action}.", 0.5, self._taken == len(WAY), self._info()

    def _info(self) -> dict[str, Any]:
        actions = WAY[self._taken : self._taken + 1]
        return {"taskDescription": "Reach the\n kitchen.", "validActions": actions, "score": self._taken / len(WAY)}


def test_the_express_of_the_page_is_a_world_that_its_expert_solves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = ModuleType("textworld_express")
    vars(module)["TextWorldExpressEnv"] = TextWorldExpressEnv
    monkeypatch.setitem(sys.modules, "textworld_express", module)
    place, task = f"{saved('EXPRESS', tmp_path)}:EXPRESS", "coin-20001"
    case = EnvironmentCase(name_plug_in("environment", place), Task(name=task, seed=0), tuple(WAY), solves=True)
    state = case.open()
    assert (state.opening.goal, case.world().metadata(task)) == ("Reach the kitchen", {"kind": "coin"})
    assert state.step("dance").rejected
    assert case.world().places == 4
    for method, model in (("expert", None), ("react", "sim-strong")):
        (end,) = evaluate(method, place, tasks=[task], model=model)
        assert (end.state, end.reward) == ("solved", 1.0)


@pytest.mark.slow
def test_the_express_of_the_page_keeps_the_contract_with_the_real_package(tmp_path: Path) -> None:
    pytest.importorskip("textworld_express")
    printed("check", "environment", f"{saved('EXPRESS', tmp_path)}:EXPRESS", "--task", "coin-20001")


def test_the_sums_of_the_page_are_answered(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["Action: add {\\"x\\": 19, \\"y\\": 23}", "Action: submit {\\"answer\\": \\"42\\"}"]')
    settings = {"model.script": str(script)}
    (end,) = evaluate("react", f"{saved('SUMS', tmp_path)}:SUMS", model="scripted", settings=settings)
    assert (end.state, end.reward, end.figures) == ("solved", 1.0, {"sum": 1.0})


def test_the_capitals_of_the_page_are_judged(tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text('["Action: submit {\\"answer\\": \\"It is Lima\\"}"]')
    (tmp_path / "verdict.json").write_text('["The same town. Correct: YES"]')
    settings = {
        "model.script": str(tmp_path / "answer.json"),
        "model.judge.name": "scripted",
        "model.judge.script": str(tmp_path / "verdict.json"),
    }
    (end,) = evaluate("react", f"{saved('CAPITALS', tmp_path)}:CAPITALS", model="scripted", settings=settings)
    assert (end.reward, end.figures) == (1.0, {"meant": 1.0, "short": 1 / 3})


@pytest.mark.slow
def test_the_notes_of_the_page_are_kept_by_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mcp.server.mcpserver")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes_server.py").write_text(
        "from mcp.server.mcpserver import MCPServer\n"
        "server, notes = MCPServer('notes'), []\n"
        "@server.tool()\ndef add_note(text: str) -> str:\n    notes.append(text)\n    return f'{len(notes)} notes'\n"
        "@server.tool()\ndef count_notes() -> str:\n    return str(len(notes))\n"
        "server.run()\n"
    )
    calls = ('add_note {"text": "tea"}', 'add_note {"text": "milk"}', 'submit {"answer": "done"}')
    (tmp_path / "script.json").write_bytes(msgspec.json.encode([f"Action: {call}" for call in calls]))
    settings = {"model.script": "script.json"}
    (end,) = evaluate("react", f"{saved('NOTES', tmp_path)}:NOTES", model="scripted", settings=settings)
    assert (end.state, end.reward) == ("solved", 1.0)
