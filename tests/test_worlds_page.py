"""The worlds that docs/worlds.md shows: they are made and played as they stand there."""

import re
from pathlib import Path

import msgspec
import pytest

from quintet.api import evaluate

PAGE = (Path(__file__).parents[1] / "docs" / "worlds.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def saved(name: str, folder: Path) -> Path:
    """The block that makes a world of this name, as a file."""
    (text,) = (block for block in BLOCKS if f"\n{name} = " in block)
    file = folder / f"{name.lower()}.py"
    file.write_text(text)
    return file


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
