"""OpenEnv's own client and validator against a server of ours, in a process of its own."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quintet.messages.environment import Task
from quintet.plugins import catalogue

pytestmark = pytest.mark.slow
core = pytest.importorskip(
    "openenv.core", reason="needs the dependency group `peers`: make test-worlds", exc_type=ImportError
)

_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    words = [sys.executable, "-c", _MAIN, "serve-world", "textcraft", "alfworld", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.send_signal(signal.SIGINT)
        assert server.wait() == 0


@pytest.mark.parametrize("name", ["textcraft", "alfworld"])
def test_their_client_plays_a_task_to_its_end(address: str, name: str) -> None:
    world = catalogue.world(name)
    task = Task(name=world.tasks(world.splits[0])[0], seed=5)
    state = world.open(task)
    with core.GenericEnvClient(base_url=f"{address}/{name}") as env:
        begun = env.reset(task=task.name, seed=5, episode_id="theirs")
        assert begun.observation["text"] == state.observation
        actions = state.expert() or ()
        steps: list[Any] = [env.step({"text": action}) for action in actions]
        assert [step.observation["text"] for step in steps] == [state.step(action).observation for action in actions]
        assert (steps[-1].done, sum(step.reward for step in steps)) == (True, 1.0)
        assert env.state().items() >= {"episode_id": "theirs", "step_count": len(actions), "done": True}.items()


def test_their_client_is_told_what_is_wrong_and_goes_on(address: str) -> None:
    with core.GenericEnvClient(base_url=address) as env:
        with pytest.raises(RuntimeError, match=re.escape("expected a reset first, got none (code: EXECUTION_ERROR)")):
            env.step({"text": "inventory"})
        assert env.reset().done is False


def test_the_page_prints_what_it_shows(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "serve-worlds.md").read_text()
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "openenv" in block)
    exec(code.replace("http://127.0.0.1:8000", address), {})
    assert f"```\n{capsys.readouterr().out}```" in page


@pytest.mark.parametrize("below", ["", "/alfworld"])
def test_their_validator_passes(address: str, below: str) -> None:
    code = "import typer; from openenv.cli.commands.validate import validate; typer.run(validate)"
    validator = subprocess.run(
        [sys.executable, "-c", code, "--url", address + below], capture_output=True, text=True, check=False
    )
    assert "Verdict: PASS" in validator.stdout, validator.stdout + validator.stderr
    assert "FAIL" not in validator.stdout
    assert validator.returncode == 0
