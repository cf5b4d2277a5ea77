"""What a run learns is copied from its journal."""

from pathlib import Path

import pytest

from quintet.events import Published
from quintet.messages.paths import LEARNER, child
from quintet.messages.reflection import Reflected
from quintet.runs.plan_copies import PlanCopies
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

STEPS = [
    Step({"stick": LOST, "torch": Went()}, "Fetch a log.", {"stick": Reflected(summary="It crafted nothing.")}),
    Step({"bowl": Went()}, "Fetch two logs.", {"bowl": Reflected(summary="It went well.")}),
]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    record = learning_runs.record(("stick", "torch", "bowl"))
    return RunFolder.open_to_read(learning_runs.write(tmp_path / "run", record, STEPS, chosen=2))


@pytest.fixture
def told() -> list[str]:
    return []


def _names(folder: RunFolder) -> list[str]:
    return sorted(str(file.relative_to(folder.path)) for file in folder.path.rglob("*.md"))


def _published(version: int, content: str) -> Published:
    return Published(path=child(LEARNER, 2 + 4 * version), version=version, content=content)


def test_a_version_is_written_with_the_reflections_that_led_to_it_when_it_is_published(
    folder: RunFolder, told: list[str]
) -> None:
    copies = PlanCopies(folder, told.append)
    copies.add(_published(0, ""))
    copies.add(_published(1, "Fetch a log."))
    assert _names(folder) == ["plans/0.md", "plans/1.md", "reflections/1.md"]
    assert (folder.path / "reflections" / "1.md").read_text().split("\n\n") == [
        "# Iteration 1",
        "## stick: failed",
        "Summary: It crafted nothing.\n",
    ]
    assert told == []


def test_what_is_missing_is_written_when_the_run_is_left(folder: RunFolder, told: list[str]) -> None:
    PlanCopies(folder, told.append).complete()
    names = ["plan.md", *(f"plans/{version}.md" for version in range(3)), "reflections/1.md", "reflections/2.md"]
    assert _names(folder) == names
    assert (folder.path / "plan.md").read_text() == "Fetch two logs.\n"


def test_a_job_went_as_the_attempt_did_that_was_reflected_on(folder: RunFolder, told: list[str]) -> None:
    samples.journal(folder, {"stick": Went()}, attempt=1)
    PlanCopies(folder, told.append).complete()
    assert "## stick: failed" in (folder.path / "reflections" / "1.md").read_text()


@pytest.mark.parametrize("content", [b"no journal", None])
def test_a_journal_that_cannot_be_read_is_told_and_never_raised(
    content: bytes | None, folder: RunFolder, told: list[str]
) -> None:
    folder.journal.unlink()
    if content is not None:
        folder.journal.write_bytes(content)
    copies = PlanCopies(folder, told.append)
    copies.add(_published(1, "Fetch a log."))
    copies.complete()
    copies.complete()
    assert _names(folder) == ["plans/1.md"]
    (said,) = told
    assert said.startswith("plans: expected to copy what was learnt, got journal: expected a")
