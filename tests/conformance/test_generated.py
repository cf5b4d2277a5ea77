"""The official package reads and plays what we write to disk."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, GameDialect
from quintet.environments.alfworld.generator.layout import RELEASE, write
from quintet.environments.alfworld.generator.objectives import TaskType
from quintet.environments.alfworld.generator.splits import SPLITS, spread_evenly
from quintet.environments.alfworld.world import AlfWorld
from quintet.messages.environment import Task

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(find_spec("alfworld") is None, reason="the extra `alfworld` is not installed"),
]
ONE: Mapping[str, Mapping[TaskType, int]] = {"valid_unseen": {"pick_two_obj_and_place": 1}}


@pytest.mark.parametrize("dialect", [NEW, CLASSIC], ids=lambda dialect: dialect.name)
def test_a_game_on_disk_is_the_same_on_either_engine_and_its_walkthrough_wins(
    tmp_path: Path, dialect: GameDialect
) -> None:
    (name,) = map(str, write(tmp_path, ONE, seed=1, dialect=dialect))
    ours, theirs = (
        AlfWorld(tmp_path, engine="native").open(Task(name=name, seed=0)),
        AlfWorld(tmp_path, engine="textworld").open(Task(name=name, seed=0)),
    )
    assert ours.opening == theirs.opening
    outcomes = [(ours.step(action), theirs.step(action)) for action in ours.expert() or ()]
    assert all(own == official for own, official in outcomes)
    assert [official.done for _, official in outcomes] == [*(False for _ in outcomes[1:]), True]


def test_the_official_loader_collects_every_game(tmp_path: Path) -> None:
    written = write(tmp_path, spread_evenly(6))
    folders = [str(tmp_path / RELEASE / split) for split in SPLITS]
    sizes = {"num_train_games": -1, "num_eval_games": -1}
    keys = ("eval_ood_data_path", "eval_id_data_path", "data_path")
    env = {"goal_desc_human_anns_prob": 0, "task_types": [1, 2, 3, 4, 5, 6]}
    config = {"env": env, "dataset": dict(zip(keys, folders, strict=True)) | sizes}
    loader: Any = import_module("alfworld.agents.environment.alfred_tw_env").AlfredTWEnv
    kinds = ("eval_out_of_distribution", "eval_in_distribution", "train")
    assert sum(len(loader(config, kind).game_files) for kind in kinds) == len(written) == 6
