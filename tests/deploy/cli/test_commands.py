"""The commands that run no episodes."""

import json
import os
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from quintet.cli import report
from quintet.cli.commands import app
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.command import command, printed, refused
from tests.deploy import pupil, samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    went = {"beehive": Went(calls=2), "cake": Went("faulted")}
    return samples.write(tmp_path / "one", samples.record("adapt", tuple(went)), went)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    arms = {"react": samples.prepared("react"), "adapt": samples.prepared("adapt")}
    with create(find_study("demo"), arms, tmp_path / "demo") as folder:
        samples.write(folder.arm_path("react"), samples.record("react"), {"beehive": Went("unsolved", 0.0)})
    return tmp_path / "demo"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eval", "adpt", "textcraft"], "method: expected 'adapt', got 'adpt' (METHOD)"),
        (["eval", "adapt", "textcart"], "environment: expected 'textcraft', got 'textcart' (ENVIRONMENT)"),
        (["eval", "adapt", "textcraft", "--model", "sim-weack"], "got 'sim-weack' (--model)"),
        (
            ["eval", "adapt", "textcraft", "--split", "tset"],
            "split: expected test or dev, got 'tset' (textcraft, --split)",
        ),
        (
            ["eval", "react", "textcraft", "--task-type", "heat"],
            "run.task_type: expected none, since the tasks of textcraft have no types, got 'heat' (--task-type)",
        ),
        (
            ["eval", "adapt", "textcraft", "--epochs", "many"],
            "--epochs: expected a whole number, got 'many'",
        ),
        (["memory", "search", "one", "--most", "9" * 23], f"--most: expected at most 2,147,483,647, got {'9' * 23}"),
        (["show", "one", "--page", "9" * 5_000], "--page: expected a whole number, got '999"),
        (["eval", "adapt", "textcraft", "--epoch", "1"], "Unknown option: --epoch. Did you mean --epochs?"),
        (["eval", "adapt", "textcraft", "--config", "none.toml"], "expected a readable TOML file, got No such file"),
        (
            ["eval", "adapt"],
            "environment.name: expected a name on the command line, in a file or in QUINTET_ENVIRONMENT__NAME",
        ),
        (["eval", "react", "lamps.py"], "environment: expected FILE.py:OBJECT, got 'lamps.py' (ENVIRONMENT)"),
        (["eval", "lamps.py", "textcraft"], "method: expected FILE.py:OBJECT, got 'lamps.py' (METHOD)"),
        (["eval", "lamps:Lamps", "textcraft"], "got the end; FILE.py:OBJECT names one of yours (METHOD)"),
        (["eval", "react", "lamps:Lamps"], "'mcp', or FILE.py:OBJECT for one of yours, got 'lamps:Lamps'"),
        (["eval", "react", "textcraft", "--model", "a:B"], "'bridge', or FILE.py:OBJECT for one of yours (--model)"),
        (
            ["eval", "react", "textcraft", "--tasks", "1", "--out", "~nobody-here/x"],
            "--out: expected a path below a known home folder, got '~nobody-here/x'",
        ),
        (["evl"], 'Did you mean "eval"?'),
        (["list", "worlds"], "worlds"),
        (["report"], "report: expected at least one run folder, got none"),
        (["report", "nothing"], "run folder: expected a folder, found none (nothing)"),
        (["report", "one", "--json", "--csv"], "expected one of --json and --csv, got both"),
        (
            ["study", "adapt-figure4", "--set", "method.max_depth=1"],
            "expected what study adapt-figure4 sets for each arm",
        ),
    ],
)
def test_a_usage_error_is_one_line_and_exit_code_2(arguments: list[str], said: str) -> None:
    _, out, err = command(*arguments, code=2)
    assert out == ""
    assert said in err
    assert err.startswith("quintet: ")
    assert len(err.splitlines()) == 1


def test_whole_numbers_of_all_commands_are_read_by_one_rule_that_has_a_limit() -> None:
    flags = [
        flag
        for name in app
        if not name.startswith("-") and app[name].default_command is not None
        for flag in app[name].assemble_argument_collection()
        if flag.hint in (int, int | None)
    ]
    assert len(flags) > 20
    assert [flag.name for flag in flags if getattr(flag.parameter.converter, "__name__", "") != "_whole"] == []


def test_no_flag_has_an_opposite_that_nobody_asked_for() -> None:
    flags = [
        flag
        for name in app
        if not name.startswith("-") and app[name].default_command is not None
        for flag in app[name].assemble_argument_collection()
    ]
    assert not [name for flag in flags for name in flag.negatives]


def test_a_dry_run_prints_a_configuration_file_and_the_tasks_and_creates_nothing(tmp_path: Path) -> None:
    flags = ["--tasks", "beehive,cake", "--seed", "7", "--set", "model.planner.name=sim-strong", "--dry-run"]
    out = printed("eval", "adapt", "textcraft", *flags)
    table = tomllib.loads(out)
    assert (table["method"]["max_depth"], table["run"]["seed"]) == (4, 7)
    assert "# 2 tasks, model planner sim-strong (simulated) + react/executor sim-weak (simulated): beehive, cake" in out
    out_of_alfworld = printed("eval", "expert", "alfworld", "--task-type", "pick two", "--tasks", "3", "--dry-run")
    assert tomllib.loads(out_of_alfworld)["run"]["task_type"] == "pick two"
    assert "model" not in tomllib.loads(out_of_alfworld)
    assert "# 3 tasks, no model: pick_two_obj_and_place-" in out_of_alfworld
    assert printed("study", "adapt-table7", "--tasks", "1", "--dry-run").count("# arm ") == 2
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "again.toml").write_text(out, encoding="utf-8")
    assert printed("eval", "adapt", "textcraft", "--config", "again.toml", "--dry-run") == out


def test_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_MODEL__NAME", "sim-strong")
    assert "sim-strong (simulated)" in printed("eval", "react", "textcraft", "--tasks", "1", "--dry-run")
    monkeypatch.setenv("QUINTET_RUN__EPOCHS", "0")
    err = refused("eval", "react", "textcraft", "--dry-run")
    assert "run.epochs: expected >= 1, got 0 (QUINTET_RUN__EPOCHS)" in err


@pytest.mark.parametrize("what", ["methods", "environments", "models", "studies"])
def test_list_prints_methods_environments_models_and_studies(what: str) -> None:
    known = {"methods": "adapt: ", "environments": "textcraft: ", "models": "sim-weak: ", "studies": "demo: "}
    assert known[what] in printed("list", what)


def test_the_schema_is_printed_as_json() -> None:
    assert "Execute" in json.loads(printed("schema"))["$defs"]


def test_a_run_shows_its_episodes(run: Path) -> None:
    out = printed("show", run)
    assert "adapt, sim-weak (simulated), 2 of 2 done, 1 faulted" in out
    assert "faulted: WorldFault: it broke" in out


def test_an_episode_shows_its_conversation_and_a_call_its_prompt(run: Path) -> None:
    assert "  execute: craft beehive -> completed" in printed("show", run, "beehive")
    assert "--- system\nYou craft.\n" in printed("show", run, "beehive/0/0", "--call", "1")
    assert "episode: expected 'beehive', got 'behive'" in refused("show", run, "behive")
    assert "--call: expected 1 to 2, the calls of this episode, got 3" in refused("show", run, "beehive", "--call", "3")


def test_a_study_shows_its_arms_their_episodes_and_those(demo: Path) -> None:
    assert "not begun" in printed("show", demo)
    assert "beehive/0/0" in printed("show", demo, "react")
    assert "execute: craft beehive" in printed("show", demo, "react/beehive")
    assert "arm: expected 'react', got 'reakt'" in refused("show", demo, "reakt")
    assert "arm: expected one that has begun, got 'adapt'" in refused("show", demo, "adapt")


def test_runs_and_studies_are_reported_together(run: Path, demo: Path) -> None:
    out = printed("report", run, demo)
    assert "demo/react" in out
    assert json.loads(printed("report", run, "--json"))["runs"][0]["run"] == "adapt"
    assert printed("report", run, "--csv").startswith("run,model,task,")


def test_a_finished_run_has_nothing_to_resume(tmp_path: Path) -> None:
    samples.write(tmp_path / "two", samples.record(), {"beehive": Went()})
    assert "nothing to resume: all 1 episodes ended" in command("resume", "two", code=0).err


def _shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which `quintet` is this checkout's; its exit code is that of `quintet`."""
    call = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    script = f"quintet() {{ {sys.executable} -c '{call}' \"$@\"; }}; {line}; exit ${{PIPESTATUS[0]}}"
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(["bash", "-c", script], env=variables, capture_output=True, text=True, check=False)


def test_a_reader_that_stops_reading_is_no_error() -> None:
    done = _shell("quintet schema | head -n 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


def test_a_full_disk_behind_the_output_is_one_line(run: Path) -> None:
    done = _shell(f"quintet report {run} >/dev/full")
    assert (done.returncode, done.stderr) == (2, "quintet: [Errno 28] No space left on device\n")


def test_an_interrupt_while_modules_are_imported_leaves_no_traceback() -> None:
    code = (
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'cyclopts': os.kill(os.getpid(), signal.SIGINT)\n"
        "from quintet.cli import main\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "sys.exit(main(['--help']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_file_system_or_a_database_that_fails_is_one_line(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (PermissionError(13, "Permission denied", "run.json"), sqlite3.OperationalError("disk I/O error")):

        def fails(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        monkeypatch.setattr(report, "load_report", fails)
        assert refused("report", run) == f"quintet: {error}\n"


def test_a_folder_that_cannot_be_looked_into_is_named() -> None:
    name = "x" * 300
    assert f"run folder: expected a folder that can be read, got File name too long ({name})" in refused("show", name)


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("bad", ["method.max_depth=2", "method.max_dept=2", "runtime.concurrency=0"])
def test_a_bad_setting_is_refused_even_if_nothing_is_left_to_run(bad: str, finished: bool, tmp_path: Path) -> None:
    ended = {"beehive": Went()} if finished else {}
    samples.write(tmp_path / "two", samples.record("adapt"), ended)
    arms = {"react": samples.prepared("react"), "adapt": samples.prepared("adapt")}
    with create(find_study("demo"), arms, tmp_path / "demo") as folder:
        for arm in arms:
            samples.write(folder.arm_path(arm), samples.record(arm), ended)
    for name in ("two", "demo"):
        assert bad.partition("=")[0] in refused("resume", name, "--set", bad)


OPTIMIZE = ["optimize", "pupil", "alfworld", "--task-type", "heat", "--tasks", "2"]


def test_a_dry_run_of_a_run_that_learns_prints_a_file_for_eval_and_all_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pupil.enroll(monkeypatch)
    shown = printed(*OPTIMIZE, "--batch", "2", "--select", "best", "--train-tasks", "8", "--dry-run")
    table = tomllib.loads(shown)
    assert table["run"]["learn"] is True
    settings = {"split": "train", "tasks": 8, "held_out": 2, "feedback": "reward"}
    assert table["learning"] == {**settings, "batch": 2, "select": "best", "passes": 1}
    assert "# 2 tasks, model sim-weak (simulated): " in shown
    assert "# 6 tasks to learn from: " in shown
    assert "# 2 tasks held out: " in shown
    (tmp_path / "run.toml").write_text(shown)
    assert printed("eval", "pupil", "alfworld", "--config", "run.toml", "--dry-run") == shown


def test_a_dry_run_as_json_names_the_tasks_to_learn_from_and_a_bad_learning_setting_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pupil.enroll(monkeypatch)
    plan = json.loads(printed(*OPTIMIZE, "--held-out", "3", "--dry-run", "--json"))
    assert [len(plan[kind]) for kind in ("tasks", "training", "held_out")] == [2, 21, 3]
    learns = "method: expected 'pupil', which learns across episodes, got 'react' (METHOD)"
    assert learns in refused("optimize", "react", "textcraft")
    assert "learning.iterations: expected" in refused(*OPTIMIZE, "--iterations", "3")
    assert "Unknown option: --epochs" in refused(*OPTIMIZE, "--epochs", "2")


def test_a_plan_is_given_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("1. Look around.")
    out = printed("eval", "react", "textcraft", "--tasks", "1", "--plan", "plan.md", "--dry-run")
    assert tomllib.loads(out)["method"]["plan"] == str(tmp_path / "plan.md")
