"""The learning report as tables, and the files of versions."""

import io
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console

from quintet.events import Published
from quintet.learned.kinds import CONTENT_KINDS, discard_versions
from quintet.messages.message import Unanswered
from quintet.messages.paths import LEARNER, child
from quintet.messages.reflection import Reflected
from quintet.quota.prices import Price
from quintet.reports.episodes import results
from quintet.reports.exports import as_csv, as_json
from quintet.reports.learning.files import VersionFiles
from quintet.reports.learning.tables import history, learning_tables
from quintet.reports.load import Report, load_report
from quintet.reports.notes import notes, title
from quintet.reports.tables import print_report, report_tables
from quintet.runs.run_folder import RunFolder
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, NO_LESSONS, Step
from tests.deploy.samples import Went

LOOKED_BACK: dict[str, Reflected | Unanswered] = {
    "stick": Reflected(summary="It crafted nothing."),
    "torch": Unanswered(reason="mute"),
}
STEPS = [
    Step({"stick": LOST, "torch": Went()}, "Fetch a log first.\nThen craft.", LOOKED_BACK),
    Step({"bowl": Went("faulted"), "ladder": LOST}, Unanswered(reason="no text")),
    Step({"stick": Went(), "torch": Went(None)}, "Fetch a log first.\nThen craft."),
]
MEASURED = {
    0: {"beehive": LOST, "cake": LOST, "chest": LOST},
    1: {"beehive": Went(), "cake": LOST},
    3: {"beehive": Went(), "cake": Went("faulted"), "chest": Went()},
}
TRAINING = ("stick", "torch", "bowl", "ladder")


def _learning_report(path: Path, chosen: int | None = 3) -> Report:
    record = learning_runs.record(TRAINING, ("chest",), learning={"batch": 2})
    return load_report([learning_runs.write(path, record, STEPS, MEASURED, chosen=chosen)])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return _learning_report(tmp_path_factory.mktemp("learnt") / "run")


def test_every_version_has_a_row_with_its_change_its_batch_and_its_scores(report: Report) -> None:
    curve, costs = learning_tables(report)
    assert curve.title == "By version"
    assert curve.columns == ("version", "plan", "batch solved", "held out", "n", "test")
    assert curve.rows == (
        ("0", "empty", "1 of 2", "0.0 (0, 79)", "2", "0.0 (0, 66)"),
        ("1", "2 lines, changed", "0 of 2, 1 faulted", "-", "2", "50.0 (9, 91)"),
        ("2", "2 lines, update failed", "1 of 2, 1 under way", "-", "-", "-"),
        ("3, chosen", "2 lines, unchanged", "-", "100 (21, 100)", "1", "100 (21, 100), 1 faulted"),
    )
    # Training: eight episodes, three answers of the learner's for a batch and two updates, over five tasks.
    assert costs.rows == (("autoplan", "5", "2.6", "1,276", "-", "2", "1.0", "110", "-"),)
    out = io.StringIO()
    print_report(report, Console(file=out, width=120, force_terminal=True, color_system=None))
    (line,) = (line for line in out.getvalue().splitlines() if "3, chosen" in line)
    assert tuple(re.split(r" {2,}", line.strip())) == curve.rows[-1], "it fits a terminal of 120 columns"


def test_without_held_out_tasks_there_is_no_column_for_them_and_prices_make_usd(tmp_path: Path) -> None:
    prices = {samples.MODEL: Price(Decimal(10), Decimal(10), Decimal(20))}
    record = learning_runs.record(TRAINING).model_copy(update={"prices": prices})
    measured = {0: {"beehive": LOST}, 1: {"beehive": Went(), "cake": Went()}}
    path = learning_runs.write(tmp_path, record, STEPS[:1], measured, chosen=1)
    curve, costs = learning_tables(load_report([path]))
    assert curve.columns == ("version", "plan", "batch solved", "n", "test")
    assert curve.rows[0][-1] == "1 of 2 done"
    assert costs.rows[0][-1] == "0.0012"


def test_a_learning_runs_success_is_in_the_table_with_other_runs(tmp_path: Path) -> None:
    _learning_report(tmp_path / "learnt")
    samples.write(tmp_path / "react", samples.record("react", ["beehive", "cake"]), {"beehive": LOST, "cake": LOST})
    report = load_report([tmp_path / "react", tmp_path / "learnt"])
    success = report_tables(report)[0]
    assert [(row[0], row[-2]) for row in success.rows] == [("react", "0.0 (0, 66)"), ("learnt", "100 (21, 100)")]
    curve, costs = learning_tables(report)
    assert curve.title == "By version, learnt"
    assert [row[0] for row in costs.rows] == ["react", "learnt"]
    assert [line.split(",")[0] for line in as_csv(report).splitlines()[1:]] == ["react"] * 2 + ["learnt"] * 2
    alone = load_report([tmp_path / "react"])
    assert learning_tables(alone) == []
    assert json.loads(as_json(alone))["runs"][0]["learning"] is None


def test_the_notes_list_learning_settings_and_failed_updates(report: Report, tmp_path: Path) -> None:
    said, path = notes(report), report.runs[0].to_resume
    assert any("; learning: batch 2, eval_every 1, select last" in note for note in said)
    assert {
        "autoplan: 1 of 3 updates left the plan as it was",
        "autoplan: iteration 2: no new plan: no text",
        "autoplan: iteration 1: no reflection on torch: mute",
        "autoplan: iteration 2: 1 faulted episode, not learnt from",
        f"autoplan: 2 faulted episodes, not counted; quintet resume {path} --faulted",
        f"autoplan: unfinished, version 3 of 12 chosen; quintet resume {path}",
    } <= set(said)
    assert "5 training tasks of split dev" in title(report)
    still = notes(_learning_report(tmp_path / "still", None))
    assert f"autoplan: unfinished, still learning, version 3 of 12; quintet resume {tmp_path}/still" in still
    steps = [STEPS[0], Step({"bowl": Went("faulted")}, NO_LESSONS)]
    skipped = notes(load_report([learning_runs.write(tmp_path / "none", learning_runs.record(TRAINING), steps)]))
    assert "autoplan: iteration 2: no lessons, so no new plan was asked for" in skipped
    assert not [note for note in skipped if "left the plan as it was" in note]


def test_a_plan_to_begin_with_is_named(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("Look around.", encoding="utf-8")
    given = {"method": {"plan": str(tmp_path / "plan.md")}}
    learnt = learning_runs.record(TRAINING, **given)
    learning_runs.write(tmp_path / "learnt", learnt, [], start="Look around.")
    samples.write(tmp_path / "react", samples.record("react", **given), {"beehive": Went()})
    said = notes(load_report([tmp_path / "learnt", tmp_path / "react"]))
    assert f"learnt: begins with the plan in {tmp_path / 'plan.md'}" in said
    assert f"react: is shown the plan in {tmp_path / 'plan.md'}" in said


def test_json_has_the_whole_learning_report(report: Report) -> None:
    (run,) = json.loads(as_json(report))["runs"]
    learning = run["learning"]
    counts = {"unchanged": 1, "failed_updates": 1, "updates_without_lessons": 0}
    assert learning.items() >= {"ended": True, "chosen": 3, "judged_by": 3, **counts}.items()
    assert [version["text"].partition("\n")[0] for version in learning["versions"]] == ["", *["Fetch a log first."] * 3]
    assert learning["versions"][1]["test"]["success"]["value"] == 0.5
    assert learning["versions"][1]["held_out"] is None
    first, second, _ = learning["iterations"]
    found = [(episode["path"], episode["success"]) for episode in first["batch"]]
    assert found == [("stick/0/0", False), ("torch/0/0", True)]
    assert first["reflections"][0]["summary"] == "It crafted nothing."
    assert first["reflections"][1]["failed"] == "mute"
    assert second["update_failed"] == "no text"
    spent = learning["spent"]
    assert (spent["training"]["tasks"], spent["inference"]["tasks"]) == (5, 2)
    assert sum(part["calls"] for part in spent.values()) == run["calls"]


HISTORY = learning_runs.record(("stick", "torch", "bowl", "ladder"))
FIRST = Step(
    {"stick": LOST, "torch": Went()},
    "Fetch a log first.\nCraft planks by hand.",
    {"stick": Reflected(summary="It crafted nothing.", flaws="No log was fetched.", revision="Craft planks later.")},
)


def _history(path: Path, *steps: Step, start: str = "", chosen: int | None = None) -> list[str]:
    run = learning_runs.write(path, HISTORY, steps, start=start, chosen=chosen)
    found = results(RunFolder.open_to_read(run)).learning
    assert found is not None
    return ["  " * line.depth + line.text for line in history(found)]


def test_a_version_is_compared_with_the_one_before(tmp_path: Path) -> None:
    second = Step({"bowl": LOST}, "Fetch a log first.\nCraft planks at the table.", {"bowl": Reflected(summary="Hm.")})
    assert _history(tmp_path, FIRST, second, start="Dig for diamonds.", chosen=2) == [
        "Version 0: 1 line",
        "  + Dig for diamonds.",
        "Version 1: 2 lines, from a batch that solved 1 of 2",
        "  - Dig for diamonds.",
        "  + Fetch a log first.",
        "  + Craft planks by hand.",
        "Version 2: 2 lines, from a batch that solved 0 of 1, chosen",
        "  - Craft planks by hand.",
        "  + Craft planks at the table.",
    ]


FAILED = Step({"ladder": LOST}, Unanswered(reason="no text"), {"ladder": Unanswered(reason="mute")})


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step({"bowl": LOST}, FIRST.plan), ["unchanged, from a batch that solved 0 of 1"]),
        (
            FAILED,
            [
                "update failed, from a batch that solved 0 of 1",
                "  no new plan: no text",
                "  no reflection on ladder: mute",
            ],
        ),
        (Step({"bowl": Went("faulted")}, NO_LESSONS), ["no lessons, from a batch that solved 0 of 1, 1 faulted"]),
        (
            Step({"bowl": Went(None), "ladder": Went()}, None),
            ["under way, from a batch that solved 1 of 2, 1 under way"],
        ),
    ],
)
def test_an_update_that_changed_nothing_says_why(step: Step, said: list[str], tmp_path: Path) -> None:
    version, *failures = said
    assert _history(tmp_path, FIRST, step)[4:] == [f"Version 2: {version}", *failures]


def test_a_version_of_too_many_lines_is_not_compared(tmp_path: Path) -> None:
    many = [Step({name: LOST}, "\n".join(f"{name} {number}" for number in range(600))) for name in ("stick", "torch")]
    note = "  not compared with the version before: expected 250,000 pairs of lines at most, got 600 lines and 600"
    assert _history(tmp_path, *many)[-1] == note


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


TWO_STEPS = [
    Step({"stick": LOST, "torch": Went()}, "Fetch a log.", {"stick": Reflected(summary="It crafted nothing.")}),
    Step({"bowl": Went()}, "Fetch two logs.", {"bowl": Reflected(summary="It went well.")}),
]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    record = learning_runs.record(("stick", "torch", "bowl"))
    return RunFolder.open_to_read(learning_runs.write(tmp_path / "run", record, TWO_STEPS, chosen=2))


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
