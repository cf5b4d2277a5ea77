"""Whole runs against an endpoint, killed, refused or away, and with a model in a file, which is never loaded."""

import asyncio
import json
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from quintet.config import plugins
from quintet.config.sections import ModelSettings, RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import Prepared, prepare, prepare_again
from quintet.models.local.model import Local
from quintet.models.scripted import Scripted
from quintet.quota import quota, sustained
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.runtime import retries
from quintet.serving import latency
from quintet.serving.models import served_models
from tests.actors.models.local import gguf_files
from tests.command import command
from tests.deploy.export.exported import metadata, table
from tests.faulty import faults
from tests.faulty.committed import calls_of, committed, is_further
from tests.faulty.endpoint import ServedEndpoint, serve_models

pytestmark = pytest.mark.real_time

GOALS = "beehive,stick"
SECRET = "sk-nobody-may-ever-read-this"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between the attempts of a call, of which the test counts only their results."""
    monkeypatch.setattr(retries, "_SHORTEST", 0.001)
    monkeypatch.setattr(retries, "_LONGEST", 0.01)


async def quintet(*arguments: str) -> tuple[int, str]:
    """Run the command in a thread, beside the endpoint; returns its exit code and output."""
    said = await asyncio.to_thread(command, *arguments)
    return said.code, said.out + said.err


async def kill_after(completions: int, served: ServedEndpoint, *arguments: str) -> int:
    """Run the command in a process that is killed after so many completions; returns its exit code."""
    code = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, *arguments)
    async with asyncio.timeout(300):
        while served.counters.completions < completions:  # noqa: ASYNC110  counted by a server that knows no events
            await asyncio.sleep(0.005)
    process.kill()
    return await process.wait()


def evaluation(served: ServedEndpoint, out: Path, *more: str, method: str = "adapt") -> tuple[str, ...]:
    task = (method, "textcraft", "--tasks", GOALS, "--model", "sim-weak", "--model-url", served.url)
    return ("eval", *task, "--out", str(out), *more)


@pytest.mark.parametrize(
    ("method", "completions", "takes_n"),
    [("adapt", 40, False), *(pytest.param("lats", *each, marks=pytest.mark.slow) for each in ((15, False), (8, True)))],
)
async def test_a_killed_run_resumes_and_asks_again_only_for_what_was_not_committed(
    tmp_path: Path, method: str, completions: int, takes_n: bool
) -> None:
    async with serve_models(served_models("sim"), latency=latency.parse_latency("20ms"), takes_n=takes_n) as served:
        arguments = evaluation(served, tmp_path / "run", method=method)
        assert await kill_after(completions, served, *arguments) == -signal.SIGKILL
        before = committed(tmp_path / "run")
        assert len(before) > completions // 2
        code, said = await quintet("resume", str(tmp_path / "run"))
        assert code == 0, said
        after = committed(tmp_path / "run")
        asked = served.counters.asked
        assert set(after) <= set(asked)
        repeated = {request for request, times in asked.items() if times > after.count(request)}
        assert not repeated & set(before), "a completion that was in the journal was asked for again"
        assert served.counters.completions - len(after) <= 4 * 2, "more was lost than what was in flight"


@pytest.mark.parametrize("takes_n", [True, False])
async def test_candidates_are_one_request_where_the_server_takes_that_and_else_it_is_asked_for_them_once(
    tmp_path: Path, takes_n: bool
) -> None:
    async with serve_models(served_models("sim"), takes_n=takes_n) as served:
        code, said = await quintet(*evaluation(served, tmp_path / "run", "--concurrency", "1", method="lats"))
        assert code == 0, said
    counters, calls = served.counters, calls_of(tmp_path / "run")
    others = set(committed(tmp_path / "run")) ^ set(counters.asked)
    # The first of several has its seed, in case that it is answered alone; of several, no seed is recorded.
    assert len(others) == 2 * takes_n, "another request was recorded than was sent"
    assert counters.requests - counters.completions == (not takes_n)
    assert len(calls) - counters.completions == sum(is_further(call) for _, call in calls)
    assert (len(calls) > 2 * counters.completions) == takes_n
    used = [call.completion.usage for _, call in calls]
    assert sum(usage.prompt_tokens for usage in used) == counters.used["prompt"]
    assert sum(usage.completion_tokens for usage in used) == counters.used["completion"]
    cost = results(RunFolder.open_to_read(tmp_path / "run")).cost
    assert cost.tokens == counters.used.total()


async def test_a_budget_in_dollars_stops_a_run_with_3_and_a_larger_one_takes_it_to_its_end(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 10.0\n')

    async with serve_models(served_models("sim")) as served:
        priced = ("--set", f"limits.prices={prices}", "--budget-usd")
        code, said = await quintet(*evaluation(served, tmp_path / "run", *priced, "0.05"))
        assert code == 3, said
        assert "expected room in the budget of the run, 0.05 USD; spent so far: 0.0" in said
        assert "USD; to go on with a larger one: quintet resume" in said
        code, said = await quintet("resume", str(tmp_path / "run"), "--budget-usd", "5")
        assert code == 0, said
        assert set(served.counters.asked.values()) == {1}
        found = results(RunFolder.open_to_read(tmp_path / "run"))
        charged = sqlite3.connect(tmp_path / "run" / "journal.sqlite")
        (cost,) = charged.execute("SELECT sum(1000 * prompt_tokens + 10000 * completion_tokens) FROM _charges")
        charged.close()
        assert found.cost.nanodollars == cost[0]
        assert "USD" in said


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize(
    ("method", "stumbles", "takes_n"),
    [
        ("adapt", "429:0.1,503:0.02,500:0.03,drop:0.03,garbage:0.02,retry-after=0.05", False),
        ("lats", "429:0.2,503:0.1,drop:0.1,garbage:0.1,retry-after=0.01", True),  # 500 may say that it does not take n
    ],
)
async def test_an_endpoint_that_stumbles_changes_nothing_but_the_time_it_takes(
    tmp_path: Path, method: str, stumbles: str, takes_n: bool
) -> None:
    stumbling = faults.parse_faults(stumbles)
    async with (
        serve_models(served_models("sim"), takes_n=takes_n) as faultless,
        serve_models(served_models("sim"), faults=stumbling, takes_n=takes_n) as busy,
    ):
        assert (await quintet(*evaluation(faultless, tmp_path / "faultless", method=method)))[0] == 0
        repeats = ("--set", "limits.repeats=9")
        code, said = await quintet(*evaluation(busy, tmp_path / "busy", *repeats, method=method))
        assert code == 0, said
        assert busy.counters.faults
        assert sorted(committed(tmp_path / "busy")) == sorted(committed(tmp_path / "faultless"))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("401:1", "OPENAI_API_KEY"), ("404:1", "sim-weak")],
)
async def test_an_endpoint_that_refuses_everything_suspends_the_run_at_once(
    tmp_path: Path, kind: str, expected: str
) -> None:
    async with serve_models(served_models("sim"), faults=faults.parse_faults(kind)) as served:
        code, said = await quintet(*evaluation(served, tmp_path / "run"))
        assert code == 130
        assert "\ninterrupted: " in said
        assert expected in said
        assert "quintet resume" in said
        assert served.counters.requests <= 16
        assert results(RunFolder.open_to_read(tmp_path / "run")).count("faulted") == 0


@pytest.mark.usefixtures("short_pauses")
async def test_an_endpoint_that_is_not_there_suspends_the_run_soon_and_one_that_simulates_is_named(
    tmp_path: Path,
) -> None:
    async with serve_models(served_models("sim")) as gone:
        pass
    code, said = await quintet(*evaluation(gone, tmp_path / "run"))
    assert code == 130
    assert gone.url in said
    async with serve_models(served_models("sim")) as back:
        code, said = await quintet("resume", str(tmp_path / "run"), "--model-url", back.url)
    assert code == 0, said
    assert "model sim-weak (simulated)" in said
    _, listed = await quintet("report", str(tmp_path / "run"), "--json")
    assert json.loads(listed)["runs"][0]["model"] == "sim-weak (simulated)"
    _, lines = await quintet("report", str(tmp_path / "run"), "--csv")
    assert "sim-weak (simulated)" in lines
    await quintet("export", str(tmp_path / "run"), "--parquet", str(tmp_path / "tables"))
    (part,) = (tmp_path / "tables" / "episodes").iterdir()
    assert {row["models"] for row in table(part.parent)} == {"sim-weak (simulated)"}
    assert metadata(part)["quintet.simulated"] == "true"


async def test_the_key_is_nowhere_but_on_its_way_to_the_endpoint(tmp_path: Path) -> None:
    async with serve_models(served_models("sim"), faults=faults.parse_faults("401@9,400@3,500@5")) as served:
        arguments = evaluation(served, tmp_path / "run", "--json")
        _, said = await quintet(*arguments)
        _, resumed = await quintet("resume", str(tmp_path / "run"), "--faulted")
        await quintet("export", str(tmp_path / "run"), "--parquet", str(tmp_path / "parquet"))
        assert SECRET not in said + resumed
    written = [file for file in tmp_path.rglob("*") if file.is_file()]  # noqa: ASYNC240  nothing else runs
    assert len(written) > 5
    for file in written:
        assert SECRET.encode() not in file.read_bytes(), file


REACT = {"method": {"name": "react"}, "environment": {"name": "textcraft"}, "run": {"tasks": ["stick"]}}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(_name: str) -> object:
        return object()

    monkeypatch.setattr("quintet.models.local.model.find_spec", find)


def prepared(*assignments: str, **sections: Any) -> Prepared:
    return prepare([from_table({**REACT, **sections}, "test"), from_assignments(assignments)])


def config(*assignments: str, **sections: Any) -> RunConfig:
    return prepared(*assignments, **sections).config


def test_a_local_file_is_the_model_of_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gguf_files.file(tmp_path / "tiny.gguf")
    monkeypatch.chdir(tmp_path)
    short = config(model={"name": "local:tiny.gguf"})
    assert short == config(model={"name": "local", "file": str(tmp_path / "tiny.gguf")})
    assert short.model.options["file"] == str(tmp_path / "tiny.gguf")
    assert isinstance(plugins.make_model(short.model), Local)


def test_a_later_layer_names_another_file(tmp_path: Path) -> None:
    first, second = (str(gguf_files.file(tmp_path / f"{name}.gguf")) for name in ("first", "second"))
    assert config(f"model.name=local:{second}", model={"name": f"local:{first}"}).model.options["file"] == second
    assert config(f"model.file={second}", model={"name": f"local:{first}"}).model.options["file"] == second
    assert config("model.name=sim-weak", model={"name": "local", "url": ""}).model.name == "sim-weak"


def test_a_role_has_a_file_of_its_own(tmp_path: Path) -> None:
    first, second = (str(gguf_files.file(tmp_path / f"{name}.gguf")) for name in ("first", "second"))
    model = {"name": f"local:{first}", "planner": {"name": f"local:{second}"}}
    models = prepared(method={"name": "adapt"}, model=model).spec.models
    assert models["react/executor"].name.startswith("local:first.gguf@")
    assert models["planner"].name.startswith("local:second.gguf@")


def test_a_role_inherits_context_and_options_with_the_file_alone(tmp_path: Path) -> None:
    first, second = (str(gguf_files.file(tmp_path / f"{name}.gguf")) for name in ("first", "second"))
    base = {"name": f"local:{first}", "context": 512, "parallel": 2, "max_tokens": 99}

    def planner(**table: Any) -> ModelSettings:
        return config(method={"name": "adapt"}, model={**base, "planner": table}).model.of("planner")

    for same in (planner(temperature=0.5), planner(name=f"local:{first}"), planner(name="local")):
        assert (same.context, same.options["parallel"], same.max_tokens) == (512, 2, 99)
    for other in (planner(name=f"local:{second}"), planner(file=second)):
        assert (other.context, other.options["parallel"], other.max_tokens) == (None, 1, 99)


def test_a_set_context_replaces_the_models(tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(gguf_files.header({"general.architecture": "llama", "tokenizer.chat_template": "{{ messages }}"}))
    with pytest.raises(UsageError, match=r"^model\.context: expected one.*test\)$"):
        config(model={"name": f"local:{file}"})
    config(model={"name": f"local:{file}", "context": 512})


def test_a_missing_model_file_is_refused_with_its_origin(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^model\.file: expected a GGUF file, got no such file .*, --set model\."):
        config(f"model.name=local:{tmp_path / 'none.gguf'}")


def test_a_local_model_is_refused_on_ray(tmp_path: Path) -> None:
    file = gguf_files.file(tmp_path / "tiny.gguf")
    with pytest.raises(UsageError, match=r"^model: expected one behind an endpoint for a run on Ray, got local:tiny"):
        config(model={"name": f"local:{file}"}, runtime={"hosts": 2})


def test_the_record_keeps_the_file_and_another_one_does_not_resume(tmp_path: Path) -> None:
    file = gguf_files.file(tmp_path / "tiny.gguf")
    record = prepared(model={"name": f"local:{file}"}).record
    assert record.files["executor"].name == "tiny.gguf"
    assert record.files["executor"].size == file.stat().st_size
    prepare_again(record, {}, tmp_path)
    gguf_files.file(file, name="another one")
    with pytest.raises(UsageError, match=r"^model file of executor: expected SHA-256 .* \(tiny\.gguf, \d+ bytes\)"):
        prepare_again(record, {}, tmp_path)


async def test_a_run_closes_its_models_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Held(Scripted):
        async def aclose(self) -> None:
            closed.append(self.name)

    def held(_settings: ModelSettings) -> Held:
        return Held(["Action: task failed"], name="held")

    monkeypatch.setattr(plugins, "make_model", held)

    async with open_evaluation(prepared(model={"name": "scripted"})) as evaluation:
        ends = [end async for end in evaluation.run(evaluation.left())]
        assert [end.state for end in ends] == ["unsolved"]
        assert closed == []
    assert closed == ["held"]


async def test_a_run_and_its_report_say_that_it_starts_with_what_its_endpoint_sustained_in_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sustained, "FIRST_CALLS", 1)
    monkeypatch.setattr(quota, "FIRST_CALLS", 1)
    starts = "so it starts with as many (limits.start)"
    reported = "sim-weak: 2 calls at once were sustained when the run was made (limits.start)"
    async with serve_models(served_models("sim")) as served:
        code, first = await quintet(*evaluation(served, tmp_path / "first"))
        assert (code, starts in first) == (0, False)
        code, second = await quintet(*evaluation(served, tmp_path / "second"))
        assert code == 0
        assert f"sim-weak: sustained 2 calls at once in an earlier run, {starts}" in second
        code, third = await quintet(*evaluation(served, tmp_path / "third", "--set", "limits.start=3"))
        assert (code, starts in third) == (0, False)
    reports = [(await quintet("report", str(tmp_path / name)))[1] for name in ("first", "second", "third")]
    assert [reported in report for report in reports] == [False, True, False]
