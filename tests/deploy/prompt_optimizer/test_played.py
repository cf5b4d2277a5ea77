"""What the optimiser reads of an arm's episodes."""

from pathlib import Path

import pytest

from quintet.prompt_optimizer.played import read_new_text, read_played
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import OBSERVATION, Went


def _arm(folder: Path, **went: Went) -> RunFolder:
    return RunFolder.open_to_read(samples.write(folder, samples.record("react", [*went]), went))


def test_a_task_has_its_reward_and_what_was_said_and_done(tmp_path: Path) -> None:
    found = read_played(_arm(tmp_path, beehive=Went(reward=0.5), lantern=Went("faulted")))
    assert found["beehive"].reward == 0.5
    assert OBSERVATION in found["beehive"].trace
    assert "reward 0.5" in found["beehive"].trace
    assert (found["lantern"].reward, found["lantern"].faulted) == (0, True)


def test_a_long_trace_loses_its_middle_and_says_so(tmp_path: Path) -> None:
    trace = read_played(_arm(tmp_path, beehive=Went(calls=900)))["beehive"].trace
    assert 8_000 < len(trace) < 8_100
    assert "characters are left out]" in trace
    assert "reward 1" in trace[-200:]


@pytest.mark.parametrize("state", ["faulted", "unsolved"])
def test_a_reflection_without_a_text_says_why(tmp_path: Path, state: str) -> None:
    found = read_new_text(_arm(tmp_path, beehive=Went(state, calls=0)))
    assert found.text is None
    assert found.reason
