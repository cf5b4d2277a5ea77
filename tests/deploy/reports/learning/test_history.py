"""The history of a learnt plan."""

from pathlib import Path

from quintet.messages.message import Unanswered
from quintet.messages.reflection import Reflected
from quintet.reports.episodes import results
from quintet.reports.learning.history import history
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs
from tests.deploy.learning_runs import LOST, NO_LESSONS, Step
from tests.deploy.samples import Went

RECORD = learning_runs.record(("stick", "torch", "bowl", "ladder"))
FIRST = Step(
    {"stick": LOST, "torch": Went()},
    "Fetch a log first.\nCraft planks by hand.",
    {"stick": Reflected(summary="It crafted nothing.", flaws="No log was fetched.", revision="Craft planks later.")},
)


def _history(path: Path, *steps: Step, start: str = "", chosen: int | None = None) -> list[str]:
    found = results(
        RunFolder.open_to_read(learning_runs.write(path, RECORD, steps, start=start, chosen=chosen))
    ).learning
    assert found is not None
    return ["  " * line.depth + line.text for line in history(found)]


def test_a_version_is_compared_with_the_one_before(tmp_path: Path) -> None:
    second = Step(
        {"bowl": LOST},
        "Fetch a log first.\nCraft planks at the table.",
        {"bowl": Reflected(summary="Hands were used.", revision="Go to the crafting table for planks.")},
    )
    assert _history(tmp_path, FIRST, second, chosen=2) == [
        "Version 0: empty",
        "Version 1: 2 lines, from a batch that solved 1 of 2",
        "  + Fetch a log first.",
        "  + Craft planks by hand.",
        "Version 2: 2 lines, from a batch that solved 0 of 1, chosen",
        "  - Craft planks by hand.",
        "  + Craft planks at the table.",
    ]


def test_an_initial_plan_is_shown(tmp_path: Path) -> None:
    step = Step(
        {"bowl": LOST}, "Fetch a log.", {"bowl": Reflected(summary="It dug.", flaws="It only digs for diamonds.")}
    )
    assert _history(tmp_path, step, start="Fetch a log.\nDig for diamonds.") == [
        "Version 0: 2 lines",
        "  + Fetch a log.",
        "  + Dig for diamonds.",
        "Version 1: 1 line, from a batch that solved 0 of 1",
        "  - Dig for diamonds.",
    ]


def test_updates_without_change_and_failures_are_listed(tmp_path: Path) -> None:
    same = Step({"bowl": LOST}, FIRST.plan)
    failed = Step({"ladder": LOST}, Unanswered(reason="no text"), {"ladder": Unanswered(reason="mute")})
    assert _history(tmp_path, FIRST, same, failed)[-4:] == [
        "Version 2: unchanged, from a batch that solved 0 of 1",
        "Version 3: update failed, from a batch that solved 0 of 1",
        "  no new plan: no text",
        "  no reflection on ladder: mute",
    ]


def test_a_batch_without_lessons_is_reported(tmp_path: Path) -> None:
    faulted = Step({"bowl": Went("faulted")}, NO_LESSONS)
    assert _history(tmp_path, FIRST, faulted)[-1] == "Version 2: no lessons, from a batch that solved 0 of 1, 1 faulted"


def test_a_batch_in_progress_is_reported(tmp_path: Path) -> None:
    waiting = Step({"bowl": Went(None), "ladder": Went()}, None)
    last = _history(tmp_path, FIRST, waiting)[-1]
    assert last == "Version 2: under way, from a batch that solved 1 of 2, 1 under way"


def test_a_version_of_too_many_lines_is_not_compared(tmp_path: Path) -> None:
    many = [Step({name: LOST}, "\n".join(f"{name} {number}" for number in range(600))) for name in ("stick", "torch")]
    note = "  not compared with the version before: expected 250,000 pairs of lines at most, got 600 lines and 600"
    assert _history(tmp_path, *many)[-1] == note
