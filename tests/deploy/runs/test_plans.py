"""The copies of plans and reflections in a run folder."""

from pathlib import Path

import pytest

from quintet.journal.iterations import JobReflection
from quintet.runs.plans import PlanFiles, discard_plans

VERSIONS = {0: "", 1: "1. Look around.", 2: "1. Look around.\n2. Open everything."}


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def files(tmp_path: Path, told: list[str]) -> PlanFiles:
    return PlanFiles(tmp_path, told.append)


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


def test_what_is_written_is_not_written_again(files: PlanFiles, tmp_path: Path, told: list[str]) -> None:
    files.write(VERSIONS, 2)
    before = {file: file.stat().st_ino for file in tmp_path.rglob("*.md")}
    files.write(VERSIONS, 2)
    assert {file: file.stat().st_ino for file in tmp_path.rglob("*") if file.is_file()} == before
    assert told == []


def test_another_choice_takes_the_place_of_an_earlier_one(files: PlanFiles, tmp_path: Path) -> None:
    files.write(VERSIONS, 1)
    files.write(VERSIONS, 2)
    assert "Open everything" in _text(tmp_path / "plan.md")


def test_a_plan_that_a_person_changed_is_left_and_that_is_said_once(
    files: PlanFiles, tmp_path: Path, told: list[str]
) -> None:
    files.write(VERSIONS, 2)
    (tmp_path / "plan.md").write_text("1. Sit down.\n")
    files.write(VERSIONS, 2)
    files.write(VERSIONS, 2)
    assert _text(tmp_path / "plan.md") == "1. Sit down.\n"
    assert told == [f"{tmp_path / 'plan.md'}: was changed, and is left so; what was learnt is plans/2.md"]


def test_a_folder_that_cannot_be_written_ends_nothing_and_is_said_once(
    files: PlanFiles, tmp_path: Path, told: list[str]
) -> None:
    (tmp_path / "plans").touch()
    (tmp_path / "reflections").touch()
    files.write(VERSIONS)
    files.write(VERSIONS, 2)
    files.write_reflections(1, [])
    assert told == [f"plans: expected files that can be written, got File exists ({tmp_path})"]


def test_a_disk_that_is_full_leaves_no_half_of_a_file(
    files: PlanFiles, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, _: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        files.write(VERSIONS)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    assert len(told) == 1
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


def test_all_of_it_can_be_discarded(files: PlanFiles, tmp_path: Path) -> None:
    files.write(VERSIONS, 2)
    files.write_reflections(1, [])
    discard_plans(tmp_path)
    assert list(tmp_path.iterdir()) == []
    discard_plans(tmp_path)
