"""The contract of environments that methods play: a good world keeps it, another one breaks it."""

from pathlib import Path

import pytest

from quintet.messages.environment import Task
from quintet.testing import environment_methods
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.subprocesses import NamedPlugIn
from tests.deploy.testing.broken_environments import Climb, Stairs
from tests.deploy.testing.verdicts import verdicts_on

pytestmark = pytest.mark.usefixtures("registered")
CASE = EnvironmentCase(NamedPlugIn("stairs"), Task(name="low stairs", seed=0), ("up", "up"), solves=True)


def test_a_world_without_prompts_is_played_by_plain_ones() -> None:
    assert [verdict.state for verdict in verdicts_on({environment_methods: [CASE]})] == ["holds", "holds"]


def test_a_prompt_of_its_own_that_cannot_be_read_breaks_a_clause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stairs, "prompt_folder", tmp_path, raising=False)
    (tmp_path / "adapt").mkdir()
    (tmp_path / "adapt" / "decompose.txt").write_text("{form sonnet}Climb.{end}")
    with pytest.raises(pytest.fail.Exception, match=r"decompose\.txt for \w+, got prompt: expected \{form NAME\}"):
        environment_methods.test_every_method_of_ours_has_prompts_for_it(CASE)


def test_a_step_that_faults_breaks_a_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    def step(self: Climb, action: str) -> None:
        raise RuntimeError("a loose stair")

    monkeypatch.setattr(Climb, "step", step)
    with pytest.raises(pytest.fail.Exception, match=r"an episode of \w+ without a fault, got .*a loose stair"):
        environment_methods.test_methods_play_it_with_a_model_that_acts_at_random(CASE)
