"""What was given to arms, what it cost, and where the outcome is another than without it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from quintet.config.settings import from_assignments
from quintet.events import EpisodeEnded, Recalled, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_path
from quintet.reports.load import load_report
from quintet.runs.run_folder import RunFolder
from quintet.studies.arms import prepare_arms, with_seeds
from quintet.studies.comparison_arms import compare_runs, define_comparison
from quintet.studies.memory_arms import read_memories
from quintet.studies.memory_tables import given_arms, memory_tables
from quintet.studies.run import create
from tests.deploy.samples import journal
from tests.deploy.studies.compared import TASKS, findings_of, went
from tests.deploy.studies.given import a_notebook, a_run_with_a_plan

_SHOWN: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "beehive": ((0, 1), (1,)),
    "cake": ((2,),),
    "lantern": ((0,), ()),
    "painting": ((),),
}
"""By task, the notes of each recall."""


def _journal_recalls(folder: RunFolder, failed: str) -> None:
    """Episodes with these recalls, all but one solved."""

    async def write() -> None:
        writer = SqliteJournal(folder.journal)
        for task, found in _SHOWN.items():
            episode = episode_path(task, 0, 0)
            incarnation = writer.begin(episode)
            events: list[Recalled | EpisodeEnded] = [
                *(Recalled(path=child(episode, place), version=1, ids=ids) for place, ids in enumerate(found, 1)),
                EpisodeEnded(path=episode, state="solved", reward=float(task != failed)),
            ]
            await writer.append([Record(event=event, incarnation=incarnation) for event in events])
        writer.close()

    asyncio.run(write())


def _study(path: Path, tmp_path: Path, seeds: int | None = None) -> Path:
    """React solves the first and second task; with notes the first, third and fourth, of which the fourth had none."""
    notes, plan = a_notebook(tmp_path / "notes.sqlite"), a_run_with_a_plan(tmp_path / "plan")
    definition = define_comparison(["react"], memories=read_memories(f"none,ace:{notes},auto:{plan}"))
    definition = with_seeds(definition, seeds)
    settings = from_assignments([f"run.tasks={','.join(TASKS)}", "environment.name=textcraft"])
    with create(definition, prepare_arms(definition, [settings]), path) as folder:
        for arm in folder.record.arms:
            with folder.create_arm(arm) as run:
                if "ace" in arm:
                    _journal_recalls(run, failed="cake")
                else:
                    journal(run, went(2, 2, 2, 2) if "auto" in arm else went(1, 1, -1, -1))
    return path


def test_recalls_are_counted_by_episode_beside_what_changed_in_those(tmp_path: Path) -> None:
    found = findings_of(_study(tmp_path / "study", tmp_path)).findings
    costs, shown = found.tables[2:4]
    assert shown.title.endswith("the outcome is another than that of react")
    assert [tuple(each.strip() for each in row) for row in shown.rows] == [
        ("react + ace", "3 of 4", "1.7 notes", "1", "1"),
        ("react + auto", "4 of 4", "a plan", "2", "0"),
    ]
    assert [row[:3] for row in costs.rows] == [
        ("react", "-", "-"),
        ("react + ace", "-", "-"),
        ("react + auto", "12", "2,310"),
    ]
    ace, auto = found.content["memories"]
    assert (ace["learning"], ace["recalled_per_episode"], ace["won"], ace["lost"]) == (None, 5 / 3, 1, 1)
    assert auto["learnt_by"] == [{"run": str(tmp_path / "plan"), "kind": "plan", "version": 1}]
    assert (auto["learning"]["calls"], auto["tasks_learnt_from"]) == (12, ["cake"])
    assert "warning: react + auto: 1 of its 4 tasks are among those that were learnt from" in found.notes


def test_the_runs_of_several_seeds_are_counted_together(tmp_path: Path) -> None:
    found = findings_of(_study(tmp_path / "study", tmp_path, seeds=2)).findings
    ace, auto = found.content["memories"]
    assert (ace["episodes"], ace["shown_in"], ace["won"], ace["lost"]) == (8, 6, 2, 2)
    assert (auto["shown_in"], auto["won"], auto["learning"]["calls"]) == (8, 4, 12)


def test_the_report_needs_no_folder_of_what_was_learnt_and_runs_that_exist_have_the_same_tables(tmp_path: Path) -> None:
    study = _study(tmp_path / "study", tmp_path)
    before = findings_of(study).findings
    (tmp_path / "plan").rename(tmp_path / "gone")
    (tmp_path / "notes.sqlite").unlink()
    assert findings_of(study).findings == before
    arms = [study / "arms" / name for name in ("react", "react + ace", "react + auto")]
    _, report = compare_runs(arms)
    assert [each.won for each in given_arms(report)] == [1, 2]
    alone = load_report(arms[1:])
    assert [each.won for each in given_arms(alone)] == [None, None], "there is no reference"
    assert memory_tables(load_report(arms[:1])) == []
