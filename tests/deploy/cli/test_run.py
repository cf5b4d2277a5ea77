"""`run` and `resume`: what they print, in the shell's place or apart from it."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from inspect import currentframe
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from quintet.cli import detach, finish, main, run
from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.world import TextCraft
from quintet.journal.writer import SqliteJournal
from quintet.launch import evaluation
from quintet.launch.writable_run import WritableRun
from quintet.messages.prompts import Prompt
from quintet.methods.base import prompts
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Sampling
from quintet.reports.load import load_report
from quintet.runs.ends import HowEnded
from quintet.runs.files import lock_holder
from quintet.runs.listing import read_entry
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from tests.command import command, printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]
EVAL = ["eval", "adapt", "textcraft", "--tasks", "beehive,stick", "--out", "run"]


class Broken:
    """A plug-in with a bug."""

    name = "broken"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise RuntimeError("a bug in a plug-in")


def interrupt(monkeypatch: pytest.MonkeyPatch, method: str, *words: str) -> str:
    """What a command says whose runs of a method are interrupted."""
    whole = evaluation.run_left

    async def interrupted(folder: WritableRun, counters: RunCounters, *further: Any, **options: Any) -> HowEnded:
        if folder.config.method.name == method:
            signal.raise_signal(signal.SIGINT)
            await asyncio.get_running_loop().create_future()
        return await whole(folder, counters, *further, **options)

    with monkeypatch.context() as patch:
        patch.setattr(evaluation, "run_left", interrupted)
        return command(*words, code=130).err


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalogue, "MODELS", {**catalogue.MODELS, "broken": f"{__name__}:Broken"})


def test_a_run_ends_with_its_table_and_0_in_a_folder_of_its_own_by_default(tmp_path: Path) -> None:
    _, out, err = command(*EVAL[:-2], code=0)
    assert "Success in percent" in out
    assert "sim-weak (simulated)" in out
    assert "2/2 episodes" in err
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("-adapt-textcraft")
    assert RunFolder.open_to_read(folder).record.tasks[0].name == "beehive"
    words = ["expert", "textcraft", "--tasks", "1", "--set", "runtime.quota=", "--set", "runtime.address=", "--json"]
    (run,) = json.loads(printed("eval", *words, "--out", "json"))["runs"]  # unset by empty text
    assert (run["ended"], run["finished"]) == (1, True)


def test_random_and_expert_run_without_a_model_on_the_chosen_task_type() -> None:
    flags = ["--task-type", "heat", "--tasks", "2"]
    for method, solved in (("random", "% solved"), ("expert", "100 % solved")):
        _, out, err = command("eval", method, "alfworld", *flags, "--out", method, code=0)
        assert out.startswith("alfworld, split valid_unseen, task type heat, 2 tasks, seed 0, no model\n")
        assert "2/2 episodes" in err
        assert solved in err
    assert "task type heat" in printed("resume", "expert")
    err = refused("resume", "expert", "--set", "run.task_type=clean")
    assert "run.task_type: expected 'heat', as the run was begun, got 'clean'" in err


def test_a_spent_budget_names_the_flags_of_the_budgets_that_were_set(tmp_path: Path) -> None:
    said = "; to go on with a larger one: quintet resume run"
    err = command(*EVAL, "--budget-tokens", "5000", code=3).err
    assert "\nbudget spent: beehive/0/0" in err
    assert err.endswith(f"{said} --budget-tokens N\n")
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 10.0\n')
    err = command("resume", "run", "--set", f"limits.prices={prices}", "--budget-usd", "0.02", code=3).err
    assert f"{said} --budget-usd N --budget-tokens N\n" in err


def test_a_bug_faults_every_episode_it_meets_under_keep_going_which_are_repeated_on_demand_only() -> None:
    _, out, err = command(*EVAL, "--model", "broken", "--keep-going", code=1)
    assert "2 faulted episodes, not counted" in out
    assert "some episodes faulted; to repeat them: quintet resume run --faulted" in err
    assert "nothing to resume: all 2 episodes ended" in command("resume", "run", code=1).err
    assert main(["resume", "run", "--faulted"]) == 1
    assert "beehive/0/1" in command("show", "run").out


def test_the_first_bug_stops_a_run_with_its_place_in_the_last_line_and_without_an_empty_report() -> None:
    _, out, err = command(*EVAL, "--model", "broken", "--concurrency", "1", code=1)
    assert out == ""
    last = err.splitlines()[-1]
    assert re.match(rf"stopped at a bug: {re.escape(__file__)}, line \d+, in complete: RuntimeError: a bug in", last)
    assert last.endswith(
        "(beehive/0/0); its traceback: quintet show run beehive/0/0; "
        "to go on all the same: quintet resume run --keep-going"
    )
    shown = printed("show", "run", "beehive/0/0")
    told = shown[shown.index("\nRuntimeError: a bug in a plug-in\n") :]
    assert told.index("in complete") < told.index("in _complete"), "the innermost call comes first"
    assert re.search(r" stopped +1/2 ", printed("ls"))
    assert "2 faulted" in command("resume", "run", "--keep-going", code=1).out


def test_a_bug_in_a_learner_stops_its_run_with_its_place_and_traceback(tmp_path: Path) -> None:
    file = tmp_path / "pupil.py"
    file.write_text(
        "from quintet.methods.autoplan.autoplan import AutoPlan\n\nclass Bad(AutoPlan.learner):\n"
        "    async def learn(self, run):\n        return self.nothing\n\n"
        "class Pupil(AutoPlan):\n    name = 'pupil'\n    learner = Bad\n"
    )
    words = ["optimize", f"{file}:Pupil", *OPTIMIZE[2:], *SHORT, "--out", "run"]
    err = command(*words, code=1).err
    assert f"\nstopped at a bug: learner: ActorCrashed: {file}, line 5, in learn: AttributeError: 'Bad' object" in err
    assert f'\n  File "{file}", line 5, in learn\n' in err
    assert re.search(r" stopped +0/", printed("ls"))


def test_a_bug_that_a_world_meets_before_the_run_begins_is_one_line_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "attic.py"
    file.write_text(
        "from tests.actors.fakes import Kitchen\n\nclass Attic(Kitchen):\n    name = 'attic'\n\n"
        "    def open(self, task):\n        return self.door\n"
    )
    said = command("eval", "random", f"{file}:Attic", "--out", "run", code=1).err
    assert said == f"quintet: {file}, line 7, in open: AttributeError: 'Attic' object has no attribute 'door'\n"
    assert not Path("run").exists()


def test_an_interrupted_run_says_how_to_resume_and_130(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "interrupted; to go on: quintet resume run" in interrupt(monkeypatch, "adapt", *EVAL)
    assert "2/2 episodes" in command("resume", "run", "--set", "runtime.concurrency=1", code=0).err


def test_an_interrupted_study_is_resumed_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    said = interrupt(monkeypatch, "adapt", "study", "demo", "--tasks", "stick", "--out", "demo")
    assert "interrupted; to go on: quintet resume demo" in said
    _, out, err = command("resume", "demo", code=0)
    assert "adapt - react" in out
    assert "arm 1" not in err
    assert "arm 2 of 3: adapt" in err


def test_a_study_with_a_picture_leaves_it_in_its_folder(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    err = command("study", "adapt-table7", "--tasks", "stick", "--out", "depths", code=0).err
    assert "picture: depths/adapt-table7.png" in err
    assert (tmp_path / "depths" / "adapt-table7.png").is_file()
    assert main(["study", "adapt-table7", "--tasks", "stick", "--out", "plain", "--no-picture"]) == 0
    assert not (tmp_path / "plain" / "adapt-table7.png").exists()


@pytest.mark.parametrize(
    "broken",
    [
        ">&-",
        *(
            pytest.param(broken, marks=pytest.mark.slow)
            for broken in ("2>/dev/full", "> >(true)", "2>&-", "2> >(true)")
        ),
    ],
)
def test_a_failing_output_changes_neither_the_run_nor_its_exit_code(broken: str, tmp_path: Path) -> None:
    call = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    line = f"{sys.executable} -c '{call}' study demo --tasks stick --out demo {broken}"
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", line], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert all(run.results.ended == "done" for run in load_report([tmp_path / "demo"]).runs)


def test_a_disk_that_is_full_stops_a_run_that_can_be_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteJournal, "_write", full)
        err = command(*EVAL, code=130).err
    full_disk = "journal: expected one that can be written, got database or disk is full (run/journal.sqlite)"
    assert err.endswith(f"\ninterrupted: {full_disk}; to go on: quintet resume run\n")
    assert main(["resume", "run"]) == 0


def test_a_log_that_cannot_be_written_ends_no_run_and_a_home_folder_is_written_out_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "driver.log").symlink_to("/dev/full")
    for logs in (Path("/dev/full"), tmp_path / "logs"):
        monkeypatch.setattr(WritableRun, "logs", logs)
        printed("eval", "expert", "textcraft", "--tasks", "1", "--out", f"~/{logs.name}")
        assert (tmp_path / "home" / logs.name / "run.json").is_file()


def test_a_script_that_has_changed_is_not_resumed_on(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["Action: inventory"]', encoding="utf-8")
    assert main([*EVAL, "--model", "scripted", "--set", f"model.script={script}"]) == 1
    script.write_text('["Action: task failed"]', encoding="utf-8")
    assert "model of planner: expected name scripted-" in refused("resume", "run", "--faulted")


def test_a_picture_that_cannot_be_written_makes_no_run_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_study: object, _report: object, file: Path) -> None:
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr(finish, "draw_picture", full)
    monkeypatch.setattr(run, "require_matplotlib", lambda: None)
    err = command("study", "adapt-table7", "--tasks", "stick", "--out", "out", code=0).err
    assert "picture: [Errno 28] No space left on device: 'out/adapt-table7.png'" in err


OPTIMIZE = ["optimize", "autoplan", "textcraft", "--tasks", "stick", "--train-tasks", "4", "--batch", "2"]
SHORT = ["--set", "method.max_steps=3"]


def test_a_run_that_learns_ends_with_its_table_and_has_nothing_to_resume_then(tmp_path: Path) -> None:
    assert "Success in percent" in printed(*OPTIMIZE, *SHORT, "--out", "run")
    (tmp_path / "run" / "plan.md").unlink()
    assert "nothing to resume: all 7 episodes ended" in command("resume", "run", code=0).err
    assert (tmp_path / "run" / "plan.md").exists()
    err = refused("resume", "run", "--set", "learning.batch=4")
    assert "learning.batch: expected 2, as the run was begun, got 4 (--set learning.batch=4)" in err


def test_faulted_training_episodes_are_repeated_and_published_plans_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    async def mended(self: Broken, prompt: Prompt, sampling: Sampling) -> Completion:
        return Completion(text="Action: inventory")

    err = command(*OPTIMIZE, *SHORT, "--model", "broken", "--out", "run", "--keep-going", code=1).err
    assert "some episodes faulted; to repeat them: quintet resume run --faulted; most often: " in err
    monkeypatch.setattr(Broken, "complete", mended)
    assert "faulted episodes, not learnt from" in printed("resume", "run", "--faulted")
    assert "nothing to resume: all 7 episodes ended" in command("resume", "run", "--faulted", code=0).err


def test_the_folder_of_a_run_on_one_type_of_task_says_so(tmp_path: Path) -> None:
    flags = ["--task-type", "pick two", "--tasks", "1", "--train-tasks", "1", "--batch", "1", *SHORT]
    assert main(["optimize", "autoplan", "alfworld", *flags]) == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("-autoplan-alfworld-pick-two")


def test_a_plan_is_shown_before_every_task_of_an_evaluation(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("1. Always look at the recipes first.\n")
    printed(*EVAL, "--plan", "plan.md")
    assert "Always look at the recipes first." in printed("show", "run", "stick", "--call", "1")


def test_a_resume_that_never_began_leaves_nothing_behind_and_a_run_on_ray_goes_on_locally() -> None:
    assert main([*EVAL, "--ray-address", "127.0.0.1:1", "--quota", "ours"]) == 2
    assert not Path("run").exists(), "nothing began"
    assert main(EVAL) == 0
    with closing(sqlite3.connect("run/journal.sqlite")) as journal, journal:
        journal.execute("UPDATE _episodes SET ended = NULL, state = NULL")
    err = refused("resume", "run", "--ray-address", "127.0.0.1:1", "--quota", "ours")
    assert "expected a Ray head at 127.0.0.1:1" in err
    assert not Path("run/changes.jsonl").exists()
    record = json.loads(Path("run/run.json").read_text())
    record["configuration"]["runtime"] |= {"quota": "ours", "address": "127.0.0.1:1"}
    Path("run/run.json").write_text(json.dumps(record))
    assert main(["resume", "run", "--runtime", "local"]) == 0
    (kept,) = Path("run/changes.jsonl").read_text().splitlines()
    assert json.loads(kept)["settings"] == {"runtime.kind": "local", "runtime.address": None, "runtime.quota": None}


def test_a_lost_journal_is_begun_anew_only_when_that_is_asked_for() -> None:
    assert main(EVAL) == 0
    Path("run/journal.sqlite").unlink()
    for asked in (["report", "run"], ["show", "run"], ["resume", "run"], ["show", "run", "beehive"]):
        assert "or make and pay every call again: quintet resume run --anew" in refused(*asked)
    assert main(["resume", "run", "--anew"]) == 0
    assert "--anew: expected a run without a journal" in refused("resume", "run", "--anew")


def test_a_file_or_variables_name_the_method_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = command("eval", "react", "textcraft", "--tasks", "1", "--dry-run").out
    file = tmp_path / "react.toml"
    file.write_text(plan)
    assert command("eval", "--config", file, "--dry-run").out == plan
    file.write_text(f'{plan}[[limits.pace]]\nmodel = "gpt-4.1"\ncalls = 2\n'.replace("limits.pace = []\n", ""))
    with_pace = command("eval", "--config", file, "--dry-run").out
    assert 'limits.pace = [{ model = "gpt-4.1", calls = 2 }]' in with_pace
    file.write_text(with_pace)
    assert command("eval", "--config", file, "--dry-run").out == with_pace
    file.write_text(plan)
    assert command("eval", "--dry-run").err == (
        "quintet: method.name: expected a name on the command line, in a file or in QUINTET_METHOD__NAME, got none\n"
    )
    monkeypatch.setenv("QUINTET_METHOD__NAME", "react")
    monkeypatch.setenv("QUINTET_ENVIRONMENT__NAME", "textcraft")
    assert command("eval", "--tasks", "1", "--dry-run").out == plan


LONGEST = 10
"""Modules of `deploy/` on the way, the runtime's among them; docs/decisions/command-line-and-files.md."""


class Way:
    """Counts worlds and reads of prompts, and follows callers through tasks and callbacks."""

    def __init__(self) -> None:
        self.worlds = 0
        self.reads: Counter[str] = Counter()
        self.modules: list[str] = []
        """Of `deploy/`, from the command to the first step, each once."""
        self._of_task: dict[object, list[str]] = {}
        self._of_callback: list[str] = []

    def to(self, frame: FrameType | None) -> list[str]:
        """The modules whose functions lead to a frame."""
        try:
            task = asyncio.current_task()
        except RuntimeError:
            task = None
        before = self._of_callback if task is None else self._of_task[task]
        return list(dict.fromkeys([*before, *reversed(list(_modules(frame)))]))

    def make_world(self, make: Callable[..., None], *arguments: Any, **options: Any) -> None:
        self.worlds += 1
        make(*arguments, **options)

    def read_prompt(self, read: Callable[[Path, int], bytes], file: Path, most: int) -> bytes:
        self.reads[file.name] += 1
        return read(file, most)

    def step(self, step: Callable[..., object], *arguments: Any) -> object:
        self.modules = self.modules or self.to(currentframe())
        return step(*arguments)

    def create_task(self, create: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        way = self.to(currentframe())
        task = create(*arguments, **options)
        self._of_task[task] = way
        return task

    def call_soon(self, soon: Callable[..., Any], loop: Any, callback: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(getattr(callback, "__self__", None), asyncio.Future) or "Task" in type(callback).__name__:
            return soon(loop, callback, *arguments, **options)  # a step of a task, which has a way of its own
        way = self.to(currentframe())

        def call(*given: Any) -> None:
            self._of_callback = way
            callback(*given)

        return soon(loop, call, *arguments, **options)


def _modules(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        _, found, module = frame.f_code.co_filename.rpartition("/deploy/quintet/")
        if found:
            yield module
        frame = frame.f_back


def _wrap(function: Callable[..., Any], watch: Callable[..., Any]) -> Callable[..., Any]:
    def watched(*arguments: Any, **options: Any) -> Any:
        return watch(function, *arguments, **options)

    watched.__wrapped__ = function  # type: ignore[attr-defined]  # whose signature has a plug-in's options
    watched.__annotations__ = getattr(function, "__annotations__", {})
    return watched


def test_the_first_step_is_few_modules_away_the_world_is_made_once_and_every_prompt_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way()
    watched: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (TextCraft, "__init__", way.make_world),
        (prompts, "read_limited", way.read_prompt),
        (TextCraftState, "step", way.step),
        (asyncio.BaseEventLoop, "create_task", way.create_task),
        (asyncio.BaseEventLoop, "call_soon", way.call_soon),
    )
    for owner, name, watch in watched:
        monkeypatch.setattr(owner, name, _wrap(getattr(owner, name), watch))
    printed("eval", "react", "textcraft", "--tasks", "stick", "--out", tmp_path / "run")
    assert way.worlds == 1
    assert way.reads == dict.fromkeys(("demonstrations.txt", "execute.txt", "rules.txt", "subgoals.txt"), 1)
    assert way.modules[:2] == ["cli/__init__.py", "cli/run.py"]
    assert len(way.modules) <= LONGEST, way.modules


DETACHED = ["eval", "react", "textcraft", "--tasks", "stick", "--set", "method.max_steps=1"]


class Fails:
    """A process that says why and ends at once."""

    words: list[str]
    pid = 1

    def __init__(self, words: list[str], *, stdout: Any, **_: object) -> None:
        Fails.words = words
        stdout.write(b"quintet: no such thing\n")
        stdout.flush()

    def poll(self) -> int:
        return 2


def test_a_detached_command_that_fails_says_why_and_is_told_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(detach, "subprocess", SimpleNamespace(Popen=Fails, DEVNULL=subprocess.DEVNULL))
    assert refused(*DETACHED, "--detach", "--out", tmp_path / "run") == "quintet: no such thing\n"
    assert Fails.words[-len(DETACHED) - 2 :] == [*DETACHED, "--out", str(tmp_path / "run")]
    refused("study", "demo", "--tasks", "1", "--detach", "--out", tmp_path / "study")
    assert refused("eval", "react", "textcraft", "--tasks", "0", "--detach").startswith("quintet: run.tasks")
    refused(*DETACHED, "--detach")
    assert re.fullmatch(r"--out runs/\S+-react-textcraft", " ".join(Fails.words[-2:]))


@pytest.mark.parametrize("name", ["logs", "logs/console.log"])
def test_a_detached_run_prints_into_no_file_elsewhere(name: str, tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record(), {"beehive": Went()})
    (tmp_path / "mine").write_text("mine")
    (run / name).parent.mkdir(exist_ok=True)
    (run / name).symlink_to(tmp_path / "mine")
    assert "run folder: expected" in refused("resume", run, "--detach")
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.slow
def test_a_detached_run_outlives_its_command_and_is_stopped_and_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    flags = ["--model", "sim-fallible", "--epochs", "200", "--out", str(folder), "--detach", "--json"]
    words = ["-c", "import sys; from quintet.cli import main; sys.exit(main())", "eval", "adapt", "textcraft", *flags]
    began = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    said = json.loads(began.stdout)
    holder = lock_holder(folder)
    assert holder is not None
    assert (said["folder"], said["process"]) == (str(folder), holder.process)
    assert os.getsid(holder.process) == holder.process  # no terminal's end reaches it
    command("ctl", folder, "stop", code=0)
    log = Path(said["log"])
    _wait_until(lambda: "to go on: quintet resume" in log.read_text())
    assert (read_entry(folder).state, read_entry(folder).reason) == (
        "interrupted",
        "stopped by an operator (quintet ctl stop)",
    )
    command("resume", folder, "--detach", code=0)
    holder = lock_holder(folder)
    assert holder is not None
    os.kill(holder.process, signal.SIGTERM)
    _wait_until(lambda: lock_holder(folder) is None)


def _wait_until(so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not so():
        assert time.monotonic() < until
        time.sleep(0.05)
