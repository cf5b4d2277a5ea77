"""The example hooks, with stand-ins for the libraries that they report to, which are not installed."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest

from quintet.hooks.hook import RunInfo, load_hooks
from quintet.hooks.thread import RunningHooks
from quintet.journal.feed import Feed
from tests.deploy import samples
from tests.deploy.hooks.test_thread import ITEMS

EXAMPLES = Path(__file__).parents[3] / "examples"


class FakeWandb(ModuleType):
    """The interface of typings/wandb.pyi."""

    def __init__(self) -> None:
        super().__init__("wandb")
        self.said: list[tuple[str, object]] = []

    def init(self, *, project: str, name: str, id: str, config: Mapping[str, object], resume: str) -> "FakeWandb":
        assert "environment" in config
        self.said.append(("init", (project, name, id, resume)))
        return self

    def log(self, data: Mapping[str, float]) -> None:
        self.said.append(("log", dict(data)))

    def finish(self, exit_code: int | None = None) -> None:
        self.said.append(("finish", exit_code))


class FakeMlflow(ModuleType):
    """The interface of typings/mlflow.pyi."""

    def __init__(self) -> None:
        super().__init__("mlflow")
        self.said: list[tuple[str, object]] = []

    def set_experiment(self, experiment_name: str) -> None:
        self.said.append(("experiment", experiment_name))

    def start_run(self, *, run_name: str, tags: Mapping[str, str]) -> None:
        self.said.append(("start", run_name))

    def log_params(self, params: Mapping[str, object]) -> None:
        self.said.append(("params", dict(params)))

    def log_metrics(self, metrics: Mapping[str, float], step: int) -> None:
        self.said.append((f"metrics {step}", dict(metrics)))

    def end_run(self, status: str = "FINISHED") -> None:
        self.said.append(("end", status))


def _follow(place: str) -> RunInfo:
    info = RunInfo("mine", None, samples.record())
    complaints: list[str] = []

    async def run() -> None:
        feed = Feed()
        running = RunningHooks(load_hooks([f"{EXAMPLES}/{place}"]), feed, complaints.append)
        running.begin(info)
        feed.committed(ITEMS)
        feed.close()
        await running.close()

    asyncio.run(run())
    assert complaints == []
    return info


def test_the_hook_on_the_page_is_told_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (EXAMPLES.parent / "docs" / "hooks.md").read_text(encoding="utf-8")
    file = tmp_path / "failures.py"
    file.write_text(page.split("```python\n")[1].split("```")[0])
    monkeypatch.setattr("tests.deploy.hooks.test_examples.EXAMPLES", tmp_path)
    _follow("failures.py:Failures")
    assert capsys.readouterr().out == "mine: 0 failed\n"


METRICS = {"reward": 1.0, "success": 1.0, "faulted": 0.0, "calls": 1, "tokens": 0}


def test_weights_and_biases_is_told_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeWandb()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    info = _follow("hooks_wandb.py:WandbHook")
    started = f"{info.record.created:%Y%m%d-%H%M%S-%f}"
    assert fake.said == [
        ("init", ("quintet", "mine", started, "allow")),
        ("log", {**METRICS, "seconds": 0.0}),
        ("finish", None),
    ]


def test_mlflow_is_told_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeMlflow()
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    _follow("hooks_mlflow.py:MlflowHook")
    params = {"method": "react", "environment": "textcraft", "model": samples.MODEL, "seed": 0}
    assert fake.said == [
        ("experiment", "quintet"),
        ("start", "mine"),
        ("params", params),
        ("metrics 1", METRICS),
        ("end", "FINISHED"),
    ]
