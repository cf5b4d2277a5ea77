"""Files of tasks: JSON lines and TOML, and what is said of those that cannot be read."""

from pathlib import Path

import pytest

from quintet.environments.mcp.task_file import ToolTask, read_tool_tasks
from quintet.errors import UsageError

LINES = '{"name": "a", "goal": "write", "data": {"notes": [1]}}\n\n{"name": "b", "goal": "read", "answer": "tea"}\n'
TABLES = '[a]\ngoal = "write"\ndata = { notes = [1] }\n[b]\ngoal = "read"\nanswer = "tea"\n'


@pytest.mark.parametrize(("name", "text"), [("tasks.jsonl", LINES), ("tasks.toml", TABLES)])
def test_both_forms_say_the_same(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_tool_tasks(tmp_path / name) == {
        "a": ToolTask(name="a", goal="write", data={"notes": [1]}),
        "b": ToolTask(name="b", goal="read", answer="tea"),
    }


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        (
            "tasks.jsonl",
            '{"name": "a"}',
            "with a name and a goal, got Object missing .*`goal` in line 1",
        ),
        ("tasks.jsonl", f"{LINES}[]", "got Expected `object`, got `array` in line 4"),
        ("tasks.jsonl", '{"name": "a", "goal": "b", "gaol": 1}', "unknown field `gaol` in line 1"),
        ("tasks.jsonl", "\n", "expected tasks of different names, got none"),
        ("tasks.jsonl", LINES * 2, "expected tasks of different names, got a name that comes twice"),
        ("tasks.toml", "[a]\ngoal = 3", r"Expected `str`, got `int` - at `\$.goal` in \[a\]"),
        ("tasks.toml", "a = 3", r"Expected `object`, got `int` in \[a\]"),
        ("tasks.toml", "[a", "expected tasks with a name and a goal, got Expected"),
    ],
)
def test_what_is_no_task_is_refused_with_its_place(name: str, text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=f"^environment.tasks: .*{why}.*{name}"):
        read_tool_tasks(tmp_path / name)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^environment.tasks: expected a file, got No such file .*none"):
        read_tool_tasks(tmp_path / "none.jsonl")
