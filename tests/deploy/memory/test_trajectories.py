"""A file of trajectories: what is written is read again, and what is wrong is named with its line and field."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.memory.ids import MOST_TUPLES
from quintet.memory.trajectories import LONGEST_LINE, read_trajectory_file, trajectory_lines
from quintet.messages.memory import ObservedAction, Trajectory

TEXTS = st.text(st.characters(codec="utf-8"))
NAMED = TEXTS.filter(bool)
STEPS = st.builds(ObservedAction, observation=TEXTS, action=NAMED)
TRAJECTORIES = st.builds(
    Trajectory,
    goal=NAMED,
    steps=st.lists(STEPS, min_size=1).map(tuple),
    reward=st.floats(0, 1),
    source=NAMED,
    task=TEXTS,
    task_type=TEXTS,
)
LINE: dict[str, Any] = {"goal": "craft stick", "reward": 1, "steps": [{"observation": "seen", "action": "done"}]}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files") / "given.jsonl"


def read(file: Path, content: bytes | str) -> list[Trajectory]:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_trajectory_file(file, "textcraft"))


@given(st.lists(TRAJECTORIES, min_size=1))
def test_what_is_written_is_read_again(file: Path, trajectories: list[Trajectory]) -> None:
    assert read(file, b"".join(trajectory_lines(trajectories, "textcraft"))) == trajectories


@given(st.binary() | st.recursive(st.none() | st.floats() | TEXTS, lambda each: st.lists(each) | st.dictionaries(
    st.sampled_from([*LINE, "observation", "action", "world", "a`b"]), each), max_leaves=20).map(
        lambda found: json.dumps(found).encode()))  # fmt: skip
def test_any_bytes_are_trajectories_or_an_error_that_names_the_file(file: Path, content: bytes) -> None:
    try:
        assert read(file, content)
    except UsageError as error:
        assert str(error).startswith("trajectories: ")  # noqa: PT017
        assert str(file) in str(error)  # noqa: PT017


def test_a_trajectory_without_a_source_is_known_by_its_file_and_line(file: Path) -> None:
    own = {**LINE, "source": "the paper", "task": "stick", "world": "textcraft"}
    found = read(file, f"\ufeff{json.dumps(LINE)}\r\n\n  \n{json.dumps(own)}")
    assert [(each.source, each.task) for each in found] == [
        (f"{file}, line 1", ""),
        ("the paper", "stick"),
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ({**LINE, "world": "alfworld"}, "world: expected 'textcraft', got 'alfworld'"),
        ({**LINE, "goal": 3}, "goal: expected str, got int"),
        ({**LINE, "goal": ""}, 'goal: expected str of length >= 1, got ""'),
        ({**LINE, "reward": 1.5}, "reward: expected float <= 1.0, got 1.5"),
        ({**LINE, "reward": -1}, "reward: expected float >= 0.0, got -1"),
        ({**LINE, "reward": float("inf")}, "expected a JSON object, got something else: JSON is malformed"),
        ({**LINE, "steps": []}, r"steps: expected array of length >= 1, got \[\]"),
        ({**LINE, "steps": [*LINE["steps"], {"action": "x"}]}, r"steps\[1\]: object missing required field obs"),
        (
            {**LINE, "steps": [{"observation": "", "action": ""}]},
            r"steps\[0\].action: expected str of length >= 1, got",
        ),
        ({**LINE, "steps": [{"observation": "", "action": None}]}, r"steps\[0\].action: expected str, got null"),
        ({**LINE, "reword": 1}, "object contains unknown field reword"),
        ({"goal": "craft stick", "reward": 1}, "object missing required field steps"),
        ([LINE], "expected object, got array"),
    ],
)
def test_what_is_wrong_is_said_with_field_and_line(file: Path, line: object, error: str) -> None:
    with pytest.raises(UsageError, match=rf"^trajectories: {error}.* \({file}, line 3\)$"):
        read(file, f"{json.dumps(LINE)}\n\n{json.dumps(line)}\n")


def test_a_line_may_be_as_long_as_the_limit_and_no_longer(file: Path) -> None:
    written = json.dumps(LINE).encode()
    assert len(read(file, written + b" " * (LONGEST_LINE - len(written) - 1) + b"\n" + written)) == 2
    with pytest.raises(UsageError, match="expected one a line, got an empty file"):
        read(file, "\ufeff \r\n\t\n")
    with pytest.raises(UsageError, match=r"expected a line of at most 4,194,304 bytes, got a longer one .*line 2"):
        read(file, written + b"\n" + written + b" " * (LONGEST_LINE - len(written)) + b"\n")


def test_a_trajectory_has_no_more_steps_than_a_process_has_tuples(file: Path) -> None:
    line = {**LINE, "steps": [{"observation": "", "action": "x"}] * MOST_TUPLES}
    assert len(read(file, json.dumps(line, separators=(",", ":")))) == 1
    line = {**LINE, "steps": [{"observation": "", "action": "x"}] * (MOST_TUPLES + 1)}
    with pytest.raises(UsageError, match=r"steps: expected array of length <= 65536, got .{80}\.\.\. \("):
        read(file, json.dumps(line, separators=(",", ":")))


def test_a_pipe_is_read_to_its_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, json.dumps(LINE).encode())
    os.close(writing)
    try:
        assert len(list(read_trajectory_file(Path(f"/dev/fd/{reading}"), "textcraft"))) == 1
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("none", "expected a file to read, got No such file or directory"),
        (".", "expected a file to read, got Is a directory"),
        ("/dev/zero", r"got a longer one \(/dev/zero, line 1\)"),
        ("/dev/null", "expected one a line, got an empty file"),
    ],
)
def test_a_file_that_cannot_be_read_or_has_no_end_or_content_is_refused(tmp_path: Path, name: str, error: str) -> None:
    with pytest.raises(UsageError, match=error):
        list(read_trajectory_file(tmp_path / name, "textcraft"))
