"""A run that is made of trajectories, ours and others', and what reports, transcripts and learners read of it."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from atif import Agent

from quintet.atif.parts import KEY
from quintet.atif.read import read_episode
from quintet.learned.given_trajectories import gather_trajectories
from quintet.messages.paths import episode_path
from quintet.methods.react.react import React
from quintet.runs.run_folder import RunFolder
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.actors.pictured import picture_at
from tests.command import command, printed, refused
from tests.deploy import samples
from tests.deploy.atif import foreign
from tests.deploy.samples import Went

WENT = {
    "beehive": Went(depth=2, calls=3, trials=({"reward": 1.0},)),
    "cake": Went("faulted", traceback="Traceback: it broke"),
    "stick": Went(None),
    "torch": Went("unsolved", 0.5, None, cut_short=True, figures={"eaten": 0.5}),
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    record = samples.record("adapt", [*WENT, "furnace"])
    return samples.write(tmp_path / "one", record, WENT)


@pytest.fixture
def exported(run: Path, tmp_path: Path) -> Path:
    assert printed("export", run, "--atif", tmp_path / "out") == "        4 trajectories of one\n"
    return tmp_path / "out"


def test_pictures_are_files_that_observations_refer_to_and_no_import_opens(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "one", samples.record("adapt", ["beehive"]), {"beehive": Went(pictures=True)})
    out = tmp_path / "out"
    said = printed("export", run, "--atif", out)
    assert said == "        1 trajectories of one\n        2 pictures beside them\n"
    (file,) = out.glob("*.atif.json")
    trajectory = json.loads(file.read_text())
    results = [result for step in trajectory["steps"] for result in step.get("observation", {}).get("results", ())]
    contents = [result["content"] for result in results if isinstance(result["content"], list)]
    assert [content[0]["text"] for content in contents] == ["Goal: craft beehive.", "Got 1 log"]
    pictures = [out / content[1]["source"]["path"] for content in contents]
    assert [each.read_bytes() for each in pictures] == [picture_at(0), picture_at(1)]
    (tool,) = trajectory["agent"]["tool_definitions"]
    assert tool["function"]["name"] == "textcraft"
    for each in pictures:
        each.unlink()
    assert "left out or missing: pictures (2)" in printed("import", out, "--out", tmp_path / "again")
    shown = printed("show", tmp_path / "again", "beehive")
    without = [line for line in printed("show", run, "beehive").splitlines() if not line.strip().startswith("picture ")]
    assert shown.splitlines() == without


def test_a_picture_that_is_damaged_is_missing_and_the_rest_is_written(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "one", samples.record("adapt", ["beehive"]), {"beehive": Went(pictures=True)})
    with closing(sqlite3.connect(run / "journal.sqlite")) as journal, journal:
        journal.execute("UPDATE _pictures SET picture = 'no bytes' WHERE id = (SELECT min(id) FROM _pictures)")
    assert "1 pictures beside them" in command("export", run, "--atif", tmp_path / "out").out
    assert len(list((tmp_path / "out").glob("*.jpg"))) == 1


def _report(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(command("report", run, "--json").out)
    del found["runs"][0]["path"]
    return found


def test_a_run_that_is_exported_and_imported_has_the_same_report_and_transcripts(
    run: Path, exported: Path, tmp_path: Path
) -> None:
    assert printed("import", exported, "--out", tmp_path / "again") == f"        4 episodes in {tmp_path / 'again'}\n"
    assert _report(tmp_path / "again") == _report(run)
    for task in WENT:
        assert printed("show", tmp_path / "again", task) == printed("show", run, task)
        file = next(exported.glob(f"*-{task}-*.atif.json"))
        assert printed("show", file) == printed("show", run, task)
    assert printed("show", tmp_path / "again", "beehive", "--call", 2) == printed("show", run, "beehive", "--call", 2)


@pytest.mark.parametrize("went", [WENT, {"beehive": Went()}], ids=["with episodes left", "with all episodes ended"])
def test_an_imported_run_is_never_resumed(went: dict[str, Went], tmp_path: Path) -> None:
    run = samples.write(tmp_path / "one", samples.record("adapt", list(went)), went)
    command("export", run, "--atif", tmp_path / "out", code=0)
    command("import", tmp_path / "out", "--out", tmp_path / "again", code=0)
    assert "expected a run that was played here, got one imported from ATIF-v1.8" in refused(
        "resume", tmp_path / "again"
    )


def test_learners_read_the_same_of_a_run_that_is_exported_and_imported(tmp_path: Path) -> None:
    run, again = tmp_path / "played", tmp_path / "again"
    command("eval", "react", "textcraft", "--model", "sim-strong", "--tasks", 2, "--out", run, code=0)
    command("export", run, "--atif", tmp_path / "out", code=0)
    command("import", tmp_path / "out", "--out", again, code=0)
    first, second = (gather_trajectories([], [each], world="textcraft") for each in (run, again))
    assert [(each.goal, each.steps) for each in first.trajectories] == [
        (each.goal, each.steps) for each in second.trajectories
    ]
    assert first.trajectories


def test_what_another_tool_wrote_is_read_as_a_run_and_what_is_left_out_is_said(tmp_path: Path) -> None:
    file = foreign.write(tmp_path / "theirs" / "beehive.atif.json", foreign.trajectory())
    said = printed("import", tmp_path / "theirs", "--out", tmp_path / "run", "--environment", "textcraft")
    assert said.splitlines()[1] == (
        "left out or missing: continuations in other files (1), copied steps (1), "
        "costs (1), pictures (1), references to other trajectories (2), sounds (1), steps without metrics (2), "
        "tokens that are not whole (1)"
    )
    shown = printed("show", tmp_path / "run", "beehive").splitlines()
    assert shown[0] == "beehive/0/0, openhands, m-1"
    assert "solve by helper: find planks -> unsolved: no reward in [0, 1] is said, reward 0, depth 1" in [
        *map(str.strip, shown)
    ]
    acted = [line.strip() for line in shown if line.strip().startswith(">")]
    assert acted == [
        '> get {"item": "log", "n": 1}',
        "> get 1 honeycomb",
        "> delegate {}",
        "> there are none",
        "> Is that all?",
    ]
    assert shown[-1] == "solved, reward 1, no claim, depth 1"
    assert printed("show", file).splitlines()[:-1] == shown
    (row,) = _report(tmp_path / "run")["runs"][0]["episodes"]
    assert (row["success"], row["steps"], row["prompt_tokens"], row["seconds"]) == (True, 5, 10, 2.0)


def test_what_another_tool_wrote_is_compared_and_learnt_from_where_it_names_the_same_tasks(tmp_path: Path) -> None:
    ours = samples.write(tmp_path / "ours", samples.record("react", ["beehive"]), {"beehive": Went("unsolved", 0.0)})
    foreign.write(tmp_path / "theirs" / "beehive.json", foreign.trajectory())
    command("import", tmp_path / "theirs", "--out", tmp_path / "run", "--environment", "textcraft", code=0)
    assert "openhands" in printed("compare", ours, tmp_path / "run")
    (learnt,) = gather_trajectories([], [tmp_path / "run"], world="textcraft").trajectories
    assert learnt.goal == "craft beehive"
    assert learnt.steps[0].observation.startswith("Crafting commands:")
    assert (learnt.steps[1].observation, learnt.steps[1].action) == ("Got 1 log", "get 1 honeycomb")


def test_nothing_goes_on_from_what_another_tool_wrote(tmp_path: Path) -> None:
    agent = Agent(name="react", version=React.version, model_name="sim-weak")
    foreign.write(tmp_path / "theirs" / "beehive.json", foreign.trajectory(agent=agent))
    command("import", tmp_path / "theirs", "--out", tmp_path / "run", "--environment", "textcraft", code=0)
    said = refused("fork", tmp_path / "run", "--at", "start", "--out", tmp_path / "on")
    assert "got one that other tools wrote" in said


def test_files_of_one_task_are_epochs_of_it_and_several_agents_are_named_together(tmp_path: Path) -> None:
    other = foreign.trajectory(agent=Agent(name="terminus", version="2"), extra={"reward": 50}, final_metrics=None)
    files = [
        foreign.write(tmp_path / "a" / "any task.json", foreign.trajectory()),
        foreign.write(tmp_path / "b" / "any task.json", other),
    ]
    assert "without a reward in [0, 1], which counts as 0 (1)" in printed("import", *files, "--out", tmp_path / "run")
    record = RunFolder.open_to_read(tmp_path / "run").record
    assert (record.method, record.models) == (
        "openhands + terminus",
        {"executor": "m-1", "executor 2": "unknown model"},
    )
    assert [row["epoch"] for row in _report(tmp_path / "run")["runs"][0]["episodes"]] == [0, 1]
    assert record.configuration.environment.name == "imported"


def test_a_study_is_exported_into_a_folder_for_each_arm(tmp_path: Path) -> None:
    arms = {"react": "react", "adapt 0.5": "adapt"}
    prepared = {arm: samples.prepared(method, ("beehive",)) for arm, method in arms.items()}
    with create(find_study("demo"), prepared, tmp_path / "demo") as folder:
        for arm, method in arms.items():
            samples.write(folder.arm_path(arm), samples.record(method, ("beehive",)), {"beehive": Went()})
    command("export", tmp_path / "demo", "--atif", tmp_path / "out", code=0)
    for arm in arms:
        command("import", tmp_path / "out" / arm, "--out", tmp_path / arm, code=0)
        assert _report(tmp_path / arm) == _report(folder.arm_path(arm))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that we wrote, with the record beside it."""
    place = tmp_path_factory.mktemp("exported")
    run = samples.write(place / "one", samples.record("react", ["beehive"]), {"beehive": Went()})
    command("export", run, "--atif", place / "out", code=0)
    return next((place / "out").glob("*.atif.json"))


def _own(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["extra"][KEY]
    return found


def _acted(content: dict[str, Any]) -> dict[str, Any]:
    """The first step that acts, of those of the model."""
    found: dict[str, Any] = next(step for step in content["steps"] if step.get("tool_calls") and step.get("metrics"))
    return found


DAMAGES: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda each: each.update(schema_version="ATIF-v2.0"), "expected one of ATIF-v1.x, got schema_version"),
    (lambda each: each.update(steps={}), "steps: Input should be a valid list"),
    (lambda each: each["steps"][1].update(step_id=7), "step_id=7 is not sequential"),
    (lambda each: each["steps"][0].update(timestamp="soon"), "timestamp must be ISO 8601"),
    (lambda each: _own(each).update(path="../../etc/0/0"), "got too many values to unpack"),
    (lambda each: _own(each).update(path="x/0"), "got not enough values to unpack"),
    (lambda each: _own(each).pop("began"), "got no 'began'"),
    (lambda each: _own(each).update(reward="much"), "Expected `float`"),
    (lambda each: _own(each).update(created="2020-01-01"), "got one of another run"),
    (lambda each: _acted(each)["extra"][KEY].update(path="cake/0/0/2/1"), "an event of another episode"),
    (lambda each: _acted(each)["extra"][KEY].update(path="beehive/0/0/../1"), "an event of another episode"),
    (lambda each: _acted(each)["extra"][KEY].update(type="no_event"), "Invalid value 'no_event'"),
    (lambda each: _acted(each)["extra"].update({KEY: [1]}), "expected an object"),
    (lambda each: _acted(each)["extra"][KEY].update(prompt="0" * 32), "a part of the prompt"),
    (lambda each: _acted(each)["metrics"].update(prompt_tokens=-1), "Expected `int` >= 0"),
    (lambda each: _acted(each)["metrics"].update(prompt_tokens=10**30), "expected"),
    (lambda each: _acted(each)["tool_calls"][0]["arguments"].clear(), "got no 'action'"),
    (lambda each: each.update(subagent_trajectories=[{**each, "trajectory_id": "x"}] * 2), "Duplicate"),
    (lambda each: each.update(subagent_trajectories=[{**each, "trajectory_id": "x"}]), "twice at"),
]


@pytest.mark.parametrize(("change", "expected"), DAMAGES)
def test_a_damaged_file_is_refused_with_its_place_and_leaves_nothing(
    change: Callable[[dict[str, Any]], object], expected: str, file: Path, tmp_path: Path
) -> None:
    content = json.loads(file.read_text())
    change(content)
    shutil.copytree(file.parent, tmp_path / "out")
    damaged = tmp_path / "out" / file.name
    damaged.write_text(json.dumps(content))
    said = refused("import", tmp_path / "out", "--out", tmp_path / "again")
    assert expected in said
    assert str(damaged) in said
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "expected JSON"),
        (b'{"schema_version": "ATIF-v1.8"', "expected JSON"),
        (b"[" * 100_000, "expected JSON"),
        (b'{"schema_version": NaN}', "expected JSON"),
        (b'{"schema_version": "\\ud800"}', "expected JSON"),
        (b'"ATIF-v1.8"', "got schema_version None"),
        (b'{"schema_version": "ATIF-v1.8", "agent": {"name": "a"}, "steps": []}', "agent.version: Field required"),
    ],
)
def test_what_is_no_trajectory_is_refused(content: bytes, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    file.write_bytes(content)
    assert expected in refused("import", file, "--out", tmp_path / "run")
    assert expected in refused("show", file)
    assert f"--page: expected a run folder with it, got a file ({file})" in refused("show", file, "--page", 2)
    assert not (tmp_path / "run").exists()


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(2**28 + 1)
    assert "expected at most 268,435,456 bytes, got more" in refused("show", tmp_path / "huge.json")


def test_fields_of_another_version_are_left_out_and_said(tmp_path: Path) -> None:
    content = foreign.trajectory(schema_version="ATIF-v1.9").model_dump(mode="json", exclude_none=True)
    content["steps"][3]["tool_calls"][0]["priority"] = 1
    content["steps"][1]["message"][0]["language"] = "en"
    content["weather"] = {"sun": True}
    (tmp_path / "beehive.json").write_text(json.dumps(content))
    assert read_episode(tmp_path / "beehive.json", episode_path("beehive", 0, 0)).left_out["unknown fields"] == 3


def test_trajectories_deep_in_each_other_are_read_or_refused_in_words(tmp_path: Path) -> None:
    deep = foreign.helper()
    for _ in range(40):
        deep = deep.model_copy(update={"subagent_trajectories": [deep]})
    foreign.write(tmp_path / "beehive.json", deep)
    assert printed("show", tmp_path / "beehive.json").count("solve by helper") == 40
    for _ in range(80):
        deep = deep.model_copy(update={"subagent_trajectories": [deep]})
    foreign.write(tmp_path / "beehive.json", deep)
    assert "expected JSON, got recursion limit exceeded" in refused("show", tmp_path / "beehive.json")


def test_one_run_is_made_of_files_of_one_run(file: Path, tmp_path: Path) -> None:
    theirs = foreign.write(tmp_path / "theirs" / "beehive.json", foreign.trajectory())
    out = ("--out", tmp_path / "run")
    assert "expected trajectories of one run, got one that another tool wrote" in refused("import", file, theirs, *out)
    assert "got one that quintet wrote, without quintet-run.json" in refused("import", theirs, file, *out)
    assert "expected each episode once, got 'beehive/0/0' twice" in refused(
        "import", file, f"{file.parent}/../out/{file.name}", *out
    )
    assert "task: expected one such as" in refused(
        "import", foreign.write(tmp_path / "theirs.json", foreign.trajectory()), *out, "--environment", "textcraft"
    )
    assert "task name: expected printable text" in refused("import", theirs.rename(tmp_path / "~learn.json"), *out)
    assert "expected files that end in .json, got none" in refused("import", tmp_path / "theirs", *out)
    assert not (tmp_path / "run").exists()


def test_a_name_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "one", samples.record("react", ["beehive"]), {"beehive": Went()})
    samples.journal(RunFolder.open_to_read(run), {"..": Went(), "a" * 300: Went(), "...": Went()})
    printed("export", run, "--atif", tmp_path / "out")
    names = sorted(each.name for each in (tmp_path / "out").iterdir())
    assert len(names) == 5
    assert all(len(name) < 120 for name in names)
    own = json.loads((tmp_path / "out" / names[1]).read_text())["extra"][KEY]
    assert own["path"] == "../0/0"
