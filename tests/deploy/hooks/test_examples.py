"""The example hooks, with stand-ins for the libraries that they report to, which are not installed."""

import sys
from pathlib import Path
from unittest.mock import ANY, MagicMock, call

import pytest

from quintet.hooks.hook import load_hooks
from tests.deploy import samples
from tests.deploy.hooks.test_thread import INFO, told_of

EXAMPLES = Path(__file__).parents[3] / "examples"
METRICS = {"reward": 1.0, "success": 1.0, "faulted": 0.0, "calls": 1, "tokens": 0}


def test_the_hook_on_the_page_is_told_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (EXAMPLES.parent / "docs" / "hooks.md").read_text(encoding="utf-8")
    file = tmp_path / "failures.py"
    file.write_text(page.split("```python\n")[1].split("```")[0])
    assert told_of(*load_hooks([f"{file}:Failures"])) == []
    assert capsys.readouterr().out == "run: 0 failed\n"


def test_weights_and_biases_is_told_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = MagicMock()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    assert told_of(*load_hooks([f"{EXAMPLES}/hooks_wandb.py:WandbHook"])) == []
    started = f"{INFO.record.created:%Y%m%d-%H%M%S-%f}"
    assert fake.mock_calls == [
        call.init(project="quintet", name="run", id=started, config=ANY, resume="allow"),
        call.init().log({**METRICS, "seconds": 0.0}),
        call.init().finish(),
    ]
    assert "environment" in fake.init.call_args.kwargs["config"]


def test_mlflow_is_told_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = MagicMock()
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    assert told_of(*load_hooks([f"{EXAMPLES}/hooks_mlflow.py:MlflowHook"])) == []
    assert fake.mock_calls == [
        call.set_experiment("quintet"),
        call.start_run(run_name="run", tags={"folder": "None"}),
        call.log_params({"method": "react", "environment": "textcraft", "model": samples.MODEL, "seed": 0}),
        call.log_metrics(METRICS, step=1),
        call.end_run(),
    ]
