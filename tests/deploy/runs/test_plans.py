"""The copies of plans and reflections in a run folder."""

import os
from pathlib import Path

import pytest

from quintet.config.sections import ModelSettings
from quintet.errors import UsageError
from quintet.events import Published
from quintet.journal.iterations import JobReflection
from quintet.messages.parts import LONGEST_PLAN
from quintet.messages.paths import LEARNER, child
from quintet.messages.reflection import Reflected
from quintet.runs.plans import PlanCopies, PlanFiles, discard_plans, read_plan_file
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

VERSIONS = {0: "", 1: "1. Look around.", 2: "1. Look around.\n2. Open everything."}


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def files(tmp_path: Path, messages: list[str]) -> PlanFiles:
    return PlanFiles(tmp_path, messages.append)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def test_every_version_is_a_file_and_the_chosen_one_is_the_plan_once_the_learner_is_done(
    files: PlanFiles, tmp_path: Path
) -> None:
    files.write({0: "", 1: VERSIONS[1]})
    assert sorted(file.name for file in (tmp_path / "plans").iterdir()) == ["0.md", "1.md"]
    assert not (tmp_path / "plan.md").exists()
    files.write(VERSIONS, 1)
    assert [_text(tmp_path / "plans" / f"{version}.md") for version in VERSIONS] == [
        "",
        "1. Look around.\n",
        "1. Look around.\n2. Open everything.\n",
    ]
    assert _text(tmp_path / "plan.md") == "1. Look around.\n"


def test_what_is_written_is_not_written_again(files: PlanFiles, tmp_path: Path, messages: list[str]) -> None:
    files.write(VERSIONS, 2)
    before = {file: file.stat().st_ino for file in tmp_path.rglob("*.md")}
    files.write(VERSIONS, 2)
    assert {file: file.stat().st_ino for file in tmp_path.rglob("*") if file.is_file()} == before
    assert messages == []


def test_another_choice_takes_the_place_of_an_earlier_one(files: PlanFiles, tmp_path: Path) -> None:
    files.write(VERSIONS, 1)
    files.write(VERSIONS, 2)
    assert "Open everything" in _text(tmp_path / "plan.md")


def test_an_edited_plan_is_kept_and_reported_once(files: PlanFiles, tmp_path: Path, messages: list[str]) -> None:
    files.write(VERSIONS, 2)
    (tmp_path / "plan.md").write_text("1. Sit down.\n")
    files.write(VERSIONS, 2)
    files.write(VERSIONS, 2)
    assert _text(tmp_path / "plan.md") == "1. Sit down.\n"
    assert messages == [f"{tmp_path / 'plan.md'}: was edited, so it is kept; the learnt plan is plans/2.md"]


def test_a_folder_that_cannot_be_written_is_reported_once_and_ends_nothing(
    files: PlanFiles, tmp_path: Path, messages: list[str]
) -> None:
    (tmp_path / "plans").touch()
    (tmp_path / "reflections").touch()
    files.write(VERSIONS)
    files.write(VERSIONS, 2)
    files.write_reflections(1, [])
    assert messages == [f"plans: expected files that can be written, got File exists ({tmp_path})"]


def test_a_disk_that_is_full_leaves_no_half_of_a_file(
    files: PlanFiles, tmp_path: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, _: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        files.write(VERSIONS)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    assert len(messages) == 1
    files.write(VERSIONS)
    assert (tmp_path / "plans" / "2.md").is_file()


def test_reflections_are_a_text_for_every_iteration(files: PlanFiles, tmp_path: Path) -> None:
    files.write_reflections(
        3,
        [
            (JobReflection("heat egg", "I looked for an egg.", "I never opened the fridge.", "Open things."), False),
            (JobReflection("heat cup", "It went well."), True),
            (JobReflection("heat pan", failed="there is no summary"), False),
        ],
    )
    assert _text(tmp_path / "reflections" / "3.md").split("\n\n") == [
        "# Iteration 3",
        "## heat egg: failed",
        "Summary: I looked for an egg.",
        "Flaws: I never opened the fridge.",
        "Suggested revision: Open things.",
        "## heat cup: succeeded",
        "Summary: It went well.",
        "## heat pan: failed",
        "No reflection: there is no summary\n",
    ]


def test_all_copies_can_be_discarded(files: PlanFiles, tmp_path: Path) -> None:
    files.write(VERSIONS, 2)
    files.write_reflections(1, [])
    discard_plans(tmp_path)
    assert list(tmp_path.iterdir()) == []
    discard_plans(tmp_path)


STEPS = [
    Step({"stick": LOST, "torch": Went()}, "Fetch a log.", {"stick": Reflected(summary="It crafted nothing.")}),
    Step({"bowl": Went()}, "Fetch two logs.", {"bowl": Reflected(summary="It went well.")}),
]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    record = learning_runs.record(("stick", "torch", "bowl"))
    return RunFolder.open_to_read(learning_runs.write(tmp_path / "run", record, STEPS, chosen=2))


def _names(folder: RunFolder) -> list[str]:
    return sorted(str(file.relative_to(folder.path)) for file in folder.path.rglob("*.md"))


def _published(version: int, content: str) -> Published:
    return Published(path=child(LEARNER, 2 + 4 * version), version=version, content=content)


def test_a_version_is_written_with_the_reflections_that_led_to_it_when_it_is_published(
    folder: RunFolder, messages: list[str]
) -> None:
    copies = PlanCopies(folder.path, folder.journal, messages.append)
    copies.add(_published(0, ""))
    copies.add(_published(1, "Fetch a log."))
    assert _names(folder) == ["plans/0.md", "plans/1.md", "reflections/1.md"]
    assert (folder.path / "reflections" / "1.md").read_text().split("\n\n") == [
        "# Iteration 1",
        "## stick: failed",
        "Summary: It crafted nothing.\n",
    ]
    assert messages == []


def test_missing_copies_are_written_when_the_run_is_left(folder: RunFolder, messages: list[str]) -> None:
    PlanCopies(folder.path, folder.journal, messages.append).complete()
    names = ["plan.md", *(f"plans/{version}.md" for version in range(3)), "reflections/1.md", "reflections/2.md"]
    assert _names(folder) == names
    assert (folder.path / "plan.md").read_text() == "Fetch two logs.\n"


def test_a_reflection_has_the_result_of_the_attempt_it_is_about(folder: RunFolder, messages: list[str]) -> None:
    samples.journal(folder, {"stick": Went()}, attempt=1)
    PlanCopies(folder.path, folder.journal, messages.append).complete()
    assert "## stick: failed" in (folder.path / "reflections" / "1.md").read_text()


@pytest.mark.parametrize("content", [b"no journal", None])
def test_an_unreadable_journal_is_reported_and_never_raised(
    content: bytes | None, folder: RunFolder, messages: list[str]
) -> None:
    folder.journal.unlink()
    if content is not None:
        folder.journal.write_bytes(content)
    copies = PlanCopies(folder.path, folder.journal, messages.append)
    copies.add(_published(1, "Fetch a log."))
    copies.complete()
    copies.complete()
    assert _names(folder) == ["plans/1.md"]
    (said,) = messages
    assert said.startswith("plans: expected to copy the learnt plans, got journal: expected a")


READER = ModelSettings()


def test_a_plan_is_its_text_without_what_editors_leave(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_bytes("\ufeff\r\n1. Look around.\r\n2. Möbel öffnen.\r\n\r\n".encode())
    assert read_plan_file(file, READER) == "1. Look around.\n2. Möbel öffnen."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected a plan, got an empty file"),
        (b" \n\t\n", "expected a plan, got an empty file"),
        (b"\xff\xfe1\x00", "expected UTF-8 text, got other bytes"),
        (b"a\0b", "expected text, got null characters"),
        (b"a" * (LONGEST_PLAN + 1), "expected at most 65,536 bytes, got more"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read_plan_file(file, READER)
    assert str(caught.value) == f"method.plan: {said} ({file})"


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"method\.plan: expected a text file, got No such file or directory \(/"):
        read_plan_file(tmp_path / "plan.md", READER)
    with pytest.raises(UsageError, match=r"method\.plan: expected a text file, got Is a directory \(/"):
        read_plan_file(tmp_path, READER)


def test_a_file_without_an_end_is_not_read_to_it() -> None:
    with pytest.raises(UsageError, match="got more"):
        read_plan_file(Path("/dev/zero"), READER)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_text("1. Look around.")
    file.chmod(0)
    with pytest.raises(UsageError, match="got Permission denied"):
        read_plan_file(file, READER)


def test_a_plan_that_cannot_fit_the_models_context_is_refused_and_one_that_might_is_not(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    reader = ModelSettings(context=612, max_tokens=512)
    file.write_text("a" * 800)
    assert len(read_plan_file(file, reader)) == 800
    file.write_text("a" * 801)
    with pytest.raises(
        UsageError,
        match=r"expected at most 800 bytes, since the executor's context of 612 tokens holds .*, got 801 \(/",
    ):
        read_plan_file(file, reader)
    with pytest.raises(UsageError, match="expected at most 0 bytes"):
        read_plan_file(file, ModelSettings(context=100, max_tokens=512))
