"""The command line as a person uses it, but for what runs episodes."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from deploy.cli import main
from deploy.folders.run import RunFolder
from deploy.studies.catalogue import study
from deploy.studies.running import create
from tests.deploy import runs
from tests.deploy.runs import Went

ROOT = Path(__file__).parents[3]
HEAVY = ("ray", "openai", "scipy", "matplotlib", "gymnasium")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    went = {"beehive": Went(calls=2), "cake": Went("faulted")}
    return runs.write(tmp_path / "one", runs.record("adapt", tuple(went)), went)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    arms = {"react": runs.config("react"), "adapt": runs.config("adapt")}
    with create(study("demo"), arms, tmp_path / "demo") as folder:
        runs.write(folder.arm_path("react"), runs.record("react"), {"beehive": Went("unsolved", 0.0)})
    return tmp_path / "demo"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from deploy.cli import main; main(sys.argv[1:]); "
        f"sys.exit(sum(name in sys.modules for name in {HEAVY!r}))"
    )
    for arguments in (["--help"], ["eval", "--help"], ["list", "studies"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout


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
        (["eval", "adapt", "textcraft", "--tasks", "beehiv"], "got 'beehiv'"),
        (["eval", "adapt", "textcraft", "--tasks", "0"], "run.tasks: expected a number of tasks >= 1"),
        (["eval", "adapt", "textcraft", "--epochs", "0"], "run.epochs: expected >= 1, got 0 (--epochs)"),
        (
            ["eval", "adapt", "textcraft", "--epochs", "many"],
            'Invalid value for --epochs: unable to convert "many" into int',
        ),
        (["eval", "adapt", "textcraft", "--epoch", "1"], "Unknown option: --epoch. Did you mean --epochs?"),
        (
            ["eval", "adapt", "textcraft", "--concurrency", "0"],
            "runtime.concurrency: expected >= 1, got 0 (--concurrency)",
        ),
        (["eval", "adapt", "textcraft", "--config", "none.toml"], "expected a readable TOML file, got No such file"),
        (
            ["eval", "adapt", "textcraft", "--set", "method.max_dept=3"],
            "expected 'method.max_depth', got an unknown key",
        ),
        (["eval", "adapt"], "requires an argument"),
        (["evl"], 'Did you mean "eval"?'),
        (["list", "worlds"], "worlds"),
        (["report"], "report: expected at least one run folder, got none"),
        (["report", "nothing"], "run folder: expected a folder, found none (nothing)"),
        (["report", "one", "--json", "--csv"], "expected one of --json and --csv, got both"),
        (["show", "nothing"], "run folder: expected a folder, found none (nothing)"),
        (["resume", "nothing"], "run folder: expected a folder, found none (nothing)"),
        (["study", "dmo"], "study: expected 'demo', got 'dmo'"),
        (["study", "adapt-dmax", "--set", "method.max_depth=1"], "expected what study adapt-dmax sets for each arm"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.startswith("quintet: ")
    assert len(err.splitlines()) == 1


def test_a_dry_run_prints_what_it_would_run_and_creates_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "adapt", "textcraft", "--tasks", "beehive,cake", "--seed", "7", "--dry-run"]) == 0
    out, _ = capsys.readouterr()
    table = tomllib.loads(out)
    assert table["method"]["max_depth"] == 4
    assert table["run"]["seed"] == 7
    assert "# 2 tasks, model sim-weak (simulated): beehive, cake" in out
    assert list(tmp_path.iterdir()) == []


def test_a_dry_runs_output_is_a_configuration_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--tasks", "beehive", "--set", "model.planner.name=sim-strong", "--dry-run"]
    main(["eval", "adapt", "textcraft", *flags])
    first, _ = capsys.readouterr()
    (tmp_path / "again.toml").write_text(first, encoding="utf-8")
    assert main(["eval", "adapt", "textcraft", "--config", "again.toml", "--dry-run"]) == 0
    assert capsys.readouterr().out == first


def test_a_dry_run_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "react", "textcraft", "--tasks", "1", "--dry-run", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["configuration"]["method"]["name"] == "react"
    assert len(plan["tasks"]) == 1


def test_a_dry_run_of_a_study_prints_its_arms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "adapt-dmax", "--tasks", "1", "--dry-run"]) == 0
    assert capsys.readouterr().out.count("# arm ") == 6
    assert list(tmp_path.iterdir()) == []


def test_variables_are_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("QUINTET_MODEL__NAME", "sim-strong")
    assert main(["eval", "react", "textcraft", "--tasks", "1", "--dry-run"]) == 0
    assert "sim-strong (simulated)" in capsys.readouterr().out
    monkeypatch.setenv("QUINTET_RUN__EPOCHS", "0")
    assert main(["eval", "react", "textcraft", "--dry-run"]) == 2
    assert "run.epochs: expected >= 1, got 0 (QUINTET_RUN__EPOCHS)" in capsys.readouterr().err


def test_a_folder_with_content_is_not_run_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "main.tex").touch()
    assert main(["eval", "react", "textcraft", "--tasks", "1", "--out", "thesis"]) == 2
    assert "expected a new or empty folder, got one with 'main.tex' in it (thesis)" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["methods", "environments", "models", "studies"])
def test_everything_that_can_be_named_is_listed(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", what]) == 0
    known = {"methods": "adapt: ", "environments": "textcraft: ", "models": "sim-weak: ", "studies": "demo: "}
    assert known[what] in capsys.readouterr().out


def test_the_schema_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert "Execute" in json.loads(capsys.readouterr().out)["$defs"]


def test_a_run_shows_its_episodes(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(run)]) == 0
    out, _ = capsys.readouterr()
    assert "adapt, sim-weak (simulated), 2 of 2 done, 1 faulted" in out
    assert "faulted: WorldFault: it broke" in out


def test_an_episode_shows_its_conversation_and_a_call_its_prompt(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(run), "beehive"]) == 0
    assert "  execute: craft beehive -> completed" in capsys.readouterr().out
    assert main(["show", str(run), "beehive/0/0", "--call", "1"]) == 0
    assert "--- system\nYou craft.\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["behive"], "episode: expected 'beehive', got 'behive'"),
        (["beehive", "--call", "3"], "--call: expected 1 to 2, the calls of this episode, got 3"),
        (["--call", "1"], "--call: expected an episode before it, got none"),
    ],
)
def test_what_is_not_in_a_run_cannot_be_shown(
    run: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_study_shows_its_arms_their_episodes_and_those(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(demo)]) == 0
    assert "not begun" in capsys.readouterr().out
    assert main(["show", str(demo), "react"]) == 0
    assert "beehive/0/0" in capsys.readouterr().out
    assert main(["show", str(demo), "react/beehive"]) == 0
    assert "execute: craft beehive" in capsys.readouterr().out


def test_an_arm_that_is_none_cannot_be_shown(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(demo), "reakt"]) == 2
    assert "arm: expected 'react', got 'reakt'" in capsys.readouterr().err
    assert main(["show", str(demo), "adapt"]) == 2
    assert "arm: expected one that has begun, got 'adapt'" in capsys.readouterr().err


def test_runs_and_studies_are_reported_together(run: Path, demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), str(demo)]) == 0
    out, _ = capsys.readouterr()
    assert "demo/react" in out
    assert main(["report", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["run"] == "adapt"
    assert main(["report", str(run), "--csv"]) == 0
    assert capsys.readouterr().out.startswith("run,model,task,")


def test_a_finished_run_has_nothing_to_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs.write(tmp_path / "two", runs.record(), {"beehive": Went()})
    assert main(["resume", "two"]) == 0
    assert "nothing to resume: all 1 episodes ended" in capsys.readouterr().err


def test_a_finished_run_with_faults_says_how_to_repeat_them(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", str(run)]) == 1
    assert f"quintet resume {run} --faulted" in capsys.readouterr().err


def test_a_resume_refuses_what_could_change_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs.write(tmp_path / "two", runs.record("adapt", ["beehive", "cake"]), {"beehive": Went()})
    assert main(["resume", "two", "--set", "method.max_depth=2"]) == 2
    err = capsys.readouterr().err
    assert "method.max_depth: expected 4, as the run was begun, got 2 (--set method.max_depth=2)" in err


def test_a_run_that_is_being_written_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RunFolder.create(tmp_path / "two", runs.record()):
        assert main(["resume", "two"]) == 2
    assert "expected no other writer, got process" in capsys.readouterr().err


def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = f"{sys.executable} -c 'import sys; from deploy.cli import main; sys.exit(main([\"schema\"]))'"
    piped = f"{command} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", piped], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
