"""The worked examples are what the world answers."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.environments.shell.world import Shell
from quintet.messages.environment import Task
from tests.actors.environments.shell.sandboxes import NEEDS_SANDBOX
from tests.actors.environments.shell.test_task_folder import write_task

_EXAMPLES = (Shell.prompt_folder / "react" / "demonstrations.txt").read_text(encoding="utf-8").split("\nYou are ")[1:]
_FILES: tuple[Mapping[str, str], ...] = (
    {"notes/a.txt": "buy tea\nand milk\n", "notes/b.txt": "call Mia\n", "notes/old.bak": "buy tea\n"},
    {"backup.sh": "mkdir -p backup\ncp data.text backup\n"},
)
_TURN = re.compile(r"^Action: (.+)\nObservation: (.*(?:\n(?!Thought: ).*)*)", re.MULTILINE)


@NEEDS_SANDBOX
@pytest.mark.parametrize(("example", "files"), list(zip(_EXAMPLES, _FILES, strict=True)), ids=["counts", "script"])
def test_a_worked_example_shows_what_the_world_answers(example: str, files: Mapping[str, str], tmp_path: Path) -> None:
    environment = {f"environment/{name}": text for name, text in files.items()}
    given = {"instruction.md": example.partition("Goal: ")[2].partition("\n")[0], "tests/test.sh": "true\n"}
    write_task(tmp_path / "one", {**given, **environment})
    state = Shell(tmp_path).open(Task(name="one", seed=0))
    assert f"You are {example}".startswith(f"{state.opening.setting}\n\nGoal: {state.opening.goal}\n")
    turns = _TURN.findall(example)
    assert len(turns) == 3
    for action, said in turns:
        assert state.step(action).observation == said.rstrip("\n")
    assert example.rstrip().endswith("Action: submit")
    assert state.step("submit").reward == 1
