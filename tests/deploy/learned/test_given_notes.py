"""Notebooks that are learnt from given trajectories, of earlier runs or of files, in place of tasks."""

import asyncio
import json
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.learned.given_trajectories import read_earlier_run
from quintet.memory.note_search import find_notes
from quintet.memory.place import find_memory
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.paths import LEARNER
from quintet.messages.store import FindNotes, Sealed
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.studies.cost_bound import cost_bound
from tests.command import command, printed, refused
from tests.deploy.atif import foreign

_GIVEN = ("--model", "sim-fallible", "--tasks", 1, "--set", "learning.source=given")
_HASHED = ("--set", "memory.embedder.name=hashed-words")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that solved four tasks."""
    run = tmp_path_factory.mktemp("played") / "run"
    printed("eval", "react", "textcraft", "--model", "sim-strong", "--split", "dev", "--tasks", 4, "--out", run)
    return run


def _notes(run: Path) -> list[tuple[str, str, str]]:
    """Of the newest version, task, type and text of each note."""
    with closing(find_memory(str(run)).reader) as reader:
        newest = reader.newest()
        assert newest is not None
        found = [each.note for each in find_notes(reader, FindNotes(version=newest)).notes]
    return [(each.episode, each.task_type, each.text) for each in found]


def _versions(run: Path) -> dict[int, Sealed]:
    with closing(find_memory(str(run)).reader) as reader:
        return reader.versions()


def test_awm_induces_workflows_from_a_run_by_type_and_plays_no_task_to_learn(tmp_path: Path) -> None:
    earlier, run = tmp_path / "earlier", tmp_path / "run"
    printed("eval", "expert", "alfworld", "--split", "train", "--set", "run.per_type=2", "--out", earlier)
    said = command("optimize", "awm", "alfworld", *_GIVEN, "--from-run", earlier, "--out", run, code=0)
    found = read_earlier_run(earlier, "alfworld").successes
    assert {task_type for _, task_type, _ in _notes(run)} == {each.task_type for each in found} > {"heat"}
    assert f"awm: is given {len(found)} trajectories" in said.out
    assert "training task" not in said.out
    assert "2/2 episodes" in said.err
    record = RunFolder.open_to_read(run).record
    assert (record.training, record.versions, record.planned) == ((), 1, 2)
    training = json.loads(printed("report", run, "--json"))["runs"][0]["learning"]["spent"]["training"]
    assert training["calls"] > 0
    assert training["tasks"] == len(found), "its cost is divided among what it was learnt from"


def test_an_imported_run_teaches_what_the_run_does_that_was_exported(played: Path, tmp_path: Path) -> None:
    command("export", played, "--atif", tmp_path / "out", code=0)
    command("import", tmp_path / "out", "--out", tmp_path / "again", code=0)
    learnt: list[object] = []
    for number, source in enumerate((played, tmp_path / "again")):
        run = tmp_path / f"run{number}"
        asked = (*_GIVEN, *_HASHED, "--from-run", source, "--out", run)
        command("optimize", "reasoning_bank", "textcraft", *asked, code=0)
        learnt.append(_notes(run))
    assert learnt[0] == learnt[1]
    assert len(_notes(tmp_path / "run0")) == 4


def test_awm_learns_from_what_another_tool_wrote(tmp_path: Path) -> None:
    foreign.write(tmp_path / "theirs" / "beehive.json", foreign.trajectory())
    command("import", tmp_path / "theirs", "--out", tmp_path / "theirs-run", "--environment", "textcraft", code=0)
    asked = ("--split", "dev", "--from-run", tmp_path / "theirs-run", "--out", tmp_path / "run")
    command("optimize", "awm", "textcraft", *_GIVEN, *asked, code=0)
    ((task, _, text),) = _notes(tmp_path / "run")
    assert (task, text.splitlines()[1]) == ("beehive", "get honeycomb")


@pytest.mark.parametrize("method", ["reasoning_bank", "ace", "expel"])
def test_trajectories_of_unknown_tasks_are_learnt_from(method: str, tmp_path: Path) -> None:
    """The stand-in knows no way at a task without a name, so it judges that attempts failed."""
    file = tmp_path / "given.jsonl"
    printed("eval", "expert", "alfworld", "--split", "train", "--tasks", 2, "--out", tmp_path / "earlier")
    command("memory", "trajectories", tmp_path / "earlier", "--jsonl", file, code=0)
    lines = [{**json.loads(line), "task": "", "source": "somebody"} for line in file.read_text().splitlines()]
    file.write_text("\n".join(map(json.dumps, lines)))
    asked = (*_HASHED, "--set", "learning.feedback=judged", "--trajectories", file, "--out", tmp_path / "run")
    said = printed("optimize", method, "alfworld", *_GIVEN, *asked)
    assert f"{method}: is given 2 trajectories" in said
    assert "was refused" not in said


def test_the_most_that_it_can_cost_counts_the_trajectories(played: Path) -> None:
    given = ("run.learn=true", "learning.source=given", f"memory.from_runs={json.dumps([str(played)])}")
    named = ("method.name=awm", "environment.name=textcraft", "model.name=sim-weak", "run.tasks=1")
    run = prepare([from_assignments((*named, *given, "limits.episode_calls=10"))])
    assert cost_bound(run).calls == 2 * 10 + 4 * 4


def test_whom_it_teaches_is_warned_of_measured_tasks_that_the_trajectories_are_of(played: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    command("optimize", "awm", "textcraft", *_GIVEN, "--from-run", played, "--out", run, code=0)
    named = ("method.name=react", "environment.name=textcraft", "model.name=sim-weak", f"memory.source={run}")
    (learnt,) = prepare([from_assignments((*named, "run.split=dev", "run.tasks=5"))]).record.learnt_by
    assert learnt.tasks == tuple(sorted(each.name for each in RunFolder.open_to_read(played).record.tasks))


@pytest.mark.parametrize("then", ["as it is", "lost"])
def test_a_run_that_was_killed_goes_on_to_the_same_notebook(then: str, played: Path, tmp_path: Path) -> None:
    whole, run = tmp_path / "whole", tmp_path / "run"
    asked = (*_GIVEN, "--set", "learning.rounds=3", "--from-run", played)
    command("optimize", "ace", "textcraft", *asked, "--out", whole, code=0)
    asyncio.run(_begin(RunFolder.open_to_read(whole).record, run))
    assert 0 < len(_versions(run)) < len(_versions(whole)) == 13
    if then == "lost":
        (run / MEMORY_FILE).unlink()
    command("resume", run, code=0)
    assert _versions(run) == _versions(whole)


async def _begin(record: RunRecord, folder: Path) -> None:
    """Begin such a run, up to the end of its first episode, which measures version 0."""
    with WritableRun.create(folder, record) as run:
        async with open_evaluation(run) as opened, aclosing(opened.run(opened.left())) as ends:
            assert (await anext(aiter(ends))).path != LEARNER


@pytest.mark.parametrize(
    ("method", "setting", "said"),
    [
        (
            "skill_discovery",
            "learning.window=1",
            "learning.source: expected 'played', since a trajectory has no program, got 'given' (",
        ),
        (
            "awm",
            "learning.source=played",
            "learning.source: expected 'given', since 4 trajectories were given, got 'played' (",
        ),
        ("awm", "learning.window=5", "learning.window: expected at most 4, the given trajectories, got 5"),
        ("awm", "run.epochs=2", "run.epochs: expected 1 in a run that learns, got 2 ("),
        ("awm", "run.split=dev", "trajectories: expected at least one, got 0 trajectories; left out: 4 measured"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(method: str, setting: str, said: str, played: Path) -> None:
    asked = ("--model", "sim-fallible", "--tasks", 4, "--set", "learning.source=given", "--set", setting)
    assert said in refused("optimize", method, "textcraft", *asked, "--from-run", played)
