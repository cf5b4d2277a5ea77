import pickle
import re
from pathlib import Path

import pytest

from quintet.environments.hotpotqa.data import build_pages
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.hotpotqa.records import RIVER, write_lines


def test_its_splits_are_dev_train_and_papers_orders_of_them() -> None:
    world = HotpotQa()
    assert world.splits == ("dev", "train", "react", "autoplan", "autoplan-train", "lats", "reflexion")
    assert len(world.tasks("dev")) == len(world.tasks("train")) == 60
    assert world.tasks("reflexion") == world.tasks("dev")
    assert sorted(world.tasks("react")) == sorted(world.tasks("dev"))
    assert world.tasks("react") != world.tasks("dev")
    assert world.tasks("autoplan-train") == world.tasks("train")[:50]
    assert world.metadata("aune-source-depth") == {"type": "bridge"}


def test_what_changes_an_outcome_changes_the_version() -> None:
    wordings = HotpotQa(), HotpotQa(wording="autoplan"), HotpotQa(wording="reflexion")
    worlds = (*wordings, HotpotQa(max_steps=7), HotpotQa(score="judge"))
    versions = [world.version for world in worlds]
    assert len(set(versions)) == len(worlds)
    assert versions[0] == HotpotQa().version
    assert "2026-11-01" in versions[0]
    assert [world.needs_judge for world in worlds] == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"wording": "adapt"}, "wording: expected one of react, autoplan, reflexion, got 'adapt' (hotpotqa)"),
        ({"score": "f1"}, "score: expected one of exact, judge, got 'f1' (hotpotqa)"),
        ({"max_steps": 0}, "max_steps: expected >= 1, got 0 (hotpotqa)"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, object], error: str) -> None:
    with pytest.raises(UsageError, match=re.escape(error)):
        HotpotQa(**options)  # type: ignore[arg-type]


def test_a_world_travels_with_its_pages(tmp_path: Path) -> None:
    questions = write_lines(tmp_path / "dev.jsonl", RIVER)
    build_pages(out=tmp_path / "corpus.sqlite", questions=questions)
    for world, task in (
        (HotpotQa(), "aune-source-depth"),
        (HotpotQa(questions, corpus=tmp_path / "corpus.sqlite"), "5a7613c15542994ccc9186bf"),
    ):
        there = pickle.loads(pickle.dumps(world))
        assert there.version == world.version
        state = there.open(Task(name=task, seed=0))
        assert [state.step(action).reward for action in state.expert()][-1] == 1
