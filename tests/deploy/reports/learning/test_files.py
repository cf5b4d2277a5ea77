"""The copies in a run folder of what it learns."""

from pathlib import Path

import pytest

from quintet.events import Published
from quintet.learned.kinds import CONTENT_KINDS, discard_versions
from quintet.messages.paths import LEARNER, child
from quintet.messages.reflection import Reflected
from quintet.reports.learning.files import VersionFiles
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

PLANS = CONTENT_KINDS["plan"]
VERSIONS = {0: "", 1: "1. Look around.", 2: "1. Look around.\n2. Open everything."}


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def files(tmp_path: Path, messages: list[str]) -> VersionFiles:
    return VersionFiles(PLANS, tmp_path, messages.append)


def texts(folder: Path) -> dict[str, str]:
    """The copies in a folder."""
    return {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.md"))}


def test_every_version_is_a_file_and_the_chosen_one_is_the_plan_once_the_learner_is_done(
    files: VersionFiles, tmp_path: Path, messages: list[str]
) -> None:
    files.write({0: "", 1: VERSIONS[1]})
    first, second = "1. Look around.\n", "1. Look around.\n2. Open everything.\n"
    assert texts(tmp_path) == {"plans/0.md": "", "plans/1.md": first}
    versions = {"plans/0.md": "", "plans/1.md": first, "plans/2.md": second}
    files.write(VERSIONS, 1)
    assert texts(tmp_path) == {**versions, "plan.md": first}
    files.write(VERSIONS, 2)
    assert texts(tmp_path) == {**versions, "plan.md": second}, "another choice takes the place of an earlier one"
    before = {file: file.stat().st_ino for file in tmp_path.rglob("*.md")}
    files.write(VERSIONS, 2)
    assert {file: file.stat().st_ino for file in tmp_path.rglob("*") if file.is_file()} == before, "not written again"
    assert messages == []


def test_an_edited_plan_is_kept_and_reported_once(files: VersionFiles, tmp_path: Path, messages: list[str]) -> None:
    files.write(VERSIONS, 2)
    (tmp_path / "plan.md").write_text("1. Sit down.\n")
    files.write(VERSIONS, 2)
    files.write(VERSIONS, 2)
    assert texts(tmp_path)["plan.md"] == "1. Sit down.\n"
    assert messages == [f"{tmp_path / 'plan.md'}: was edited, so it is kept; the learnt plan is plans/2.md"]


def test_a_folder_that_cannot_be_written_is_reported_once_and_ends_nothing(
    files: VersionFiles, tmp_path: Path, messages: list[str]
) -> None:
    (tmp_path / "plans").touch()
    files.write(VERSIONS)
    files.write(VERSIONS, 2)
    assert messages == [f"plans: expected files that can be written, got File exists ({tmp_path})"]


def test_a_disk_that_is_full_leaves_no_half_of_a_file(
    files: VersionFiles, tmp_path: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch
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


def test_all_copies_can_be_discarded(files: VersionFiles, tmp_path: Path) -> None:
    files.write(VERSIONS, 2)
    (tmp_path / "reflections").mkdir()
    (tmp_path / "reflections" / "1.md").touch()
    discard_versions(tmp_path)
    assert list(tmp_path.iterdir()) == []
    discard_versions(tmp_path)


STEPS = [
    Step({"stick": LOST, "torch": Went()}, "Fetch a log.", {"stick": Reflected(summary="It crafted nothing.")}),
    Step({"bowl": Went()}, "Fetch two logs.", {"bowl": Reflected(summary="It went well.")}),
]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    record = learning_runs.record(("stick", "torch", "bowl"))
    return RunFolder.open_to_read(learning_runs.write(tmp_path / "run", record, STEPS, chosen=2))


def test_a_version_is_written_with_the_reflections_that_led_to_it_when_it_is_published(
    folder: RunFolder, messages: list[str]
) -> None:
    copies = VersionFiles(PLANS, folder.path, messages.append)
    for version, content in enumerate(["", "Fetch a log."]):
        copies.add(Published(path=child(LEARNER, 2 + 4 * version), version=version, content=content))
    reflections = "# Iteration 1\n\n## stick: failed\n\nSummary: It crafted nothing.\n"
    assert texts(folder.path) == {"plans/0.md": "", "plans/1.md": "Fetch a log.\n", "reflections/1.md": reflections}
    assert messages == []


def test_missing_copies_are_written_when_the_run_is_left(folder: RunFolder, messages: list[str]) -> None:
    samples.journal(folder, {"stick": Went()}, attempt=1)
    VersionFiles(PLANS, folder.path, messages.append).complete()
    found = texts(folder.path)
    names = ["plan.md", *(f"plans/{version}.md" for version in range(3)), "reflections/1.md", "reflections/2.md"]
    assert (list(found), found["plan.md"]) == (names, "Fetch two logs.\n")
    assert "## stick: failed" in found["reflections/1.md"], "of the attempt that it is about"


@pytest.mark.parametrize("content", [b"no journal", None])
def test_an_unreadable_journal_is_reported_and_never_raised(
    content: bytes | None, folder: RunFolder, messages: list[str]
) -> None:
    folder.journal.unlink()
    if content is not None:
        folder.journal.write_bytes(content)
    copies = VersionFiles(PLANS, folder.path, messages.append)
    copies.add(Published(path=child(LEARNER, 6), version=1, content="Fetch a log."))
    copies.complete()
    copies.complete()
    assert list(texts(folder.path)) == ["plans/1.md"]
    (said,) = messages
    assert said.startswith("plans: expected to copy the learnt plans, got journal: expected a")
