"""A plan that is given as a file."""

from pathlib import Path

import pytest

from quintet.config.sections import ModelSettings
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.learned.plans import read_plan_file
from quintet.messages.parts import LONGEST_PLAN
from tests.deploy import samples

READER = ModelSettings()


def test_a_plan_is_its_text_without_what_editors_leave(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_bytes("\ufeff\r\n1. Look around.\r\n2. Möbel öffnen.\r\n\r\n".encode())
    assert read_plan_file(file, "textcraft", [READER]) == "1. Look around.\n2. Möbel öffnen."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected a plan, got an empty file"),
        (b" \n\t\n", "expected a plan, got an empty file"),
        (b"\xff\xfe1\x00", "expected UTF-8 text, got other bytes"),
        (b"a\0b", "expected text, got null characters"),
        (b"a" * (LONGEST_PLAN + 1), "expected at most 65,536 bytes, got more"),
        ("none", "expected a text file, got No such file or directory"),
        (".", "expected a text file, got Is a directory"),
        ("/dev/zero", "expected at most 65,536 bytes, got more"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(content: bytes | str, said: str, tmp_path: Path) -> None:
    file = tmp_path / ("plan.md" if isinstance(content, bytes) else content)
    if isinstance(content, bytes):
        file.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read_plan_file(file, "textcraft", [READER])
    assert str(caught.value) == f"method.plan: {said} ({file})"


def test_a_plan_that_cannot_fit_the_models_context_is_refused_and_one_that_might_is_not(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    reader = ModelSettings(context=612, max_tokens=512)
    file.write_text("a" * 800)
    assert len(read_plan_file(file, "textcraft", [reader])) == 800
    file.write_text("a" * 801)
    with pytest.raises(
        UsageError,
        match=r"expected at most 800 bytes, since the executor's context of 612 tokens holds .*, got 801 \(/",
    ):
        read_plan_file(file, "textcraft", [reader])
    with pytest.raises(UsageError, match="expected at most 0 bytes"):
        read_plan_file(file, "textcraft", [ModelSettings(context=100, max_tokens=512)])


def test_a_plan_in_the_folder_of_a_run_is_of_that_runs_world(tmp_path: Path) -> None:
    WritableRun.create(tmp_path / "run", samples.record()).close()
    (tmp_path / "run" / "plans").mkdir()
    for file in (tmp_path / "run" / "plan.md", tmp_path / "run" / "plans" / "1.md"):
        file.write_text("1. Look around.", encoding="utf-8")
        assert read_plan_file(file, "textcraft", [READER]) == "1. Look around."
        with pytest.raises(UsageError, match=r"expected a plan for alfworld, got one of a run in textcraft \(.*\.md\)"):
            read_plan_file(file, "alfworld", [READER])
