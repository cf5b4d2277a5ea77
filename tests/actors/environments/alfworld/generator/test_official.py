"""The official package reads and plays what we write."""

from pathlib import Path

import pytest

from actors.environments.alfworld.games.dialect import CLASSIC, NEW, Dialect
from actors.environments.alfworld.generator.layout import RELEASE, write
from actors.environments.alfworld.generator.splits import SPLITS, spread
from actors.environments.alfworld.world import AlfWorld
from protocols.environment import Task

pytestmark = [pytest.mark.conformance, pytest.mark.slow]


@pytest.mark.parametrize(("dialect", "seed"), [(NEW, 1), (CLASSIC, 2)])
def test_every_walkthrough_wins_on_the_official_engine(tmp_path: Path, dialect: Dialect, seed: int) -> None:
    pytest.importorskip("alfworld")
    write(tmp_path, spread(6), seed=seed, dialect=dialect)
    native, official = (AlfWorld(tmp_path, engine=engine) for engine in ("native", "textworld"))
    for name in (task for split in native.splits for task in native.tasks(split)):
        ours, theirs = (world.open(Task(name=name, seed=0)) for world in (native, official))
        assert ours.opening == theirs.opening
        for action in ours.expert() or ():
            assert ours.step(action) == theirs.step(action)
        assert theirs.step("look").done


def test_the_official_loader_collects_every_game(tmp_path: Path) -> None:
    loader = pytest.importorskip("alfworld.agents.environment.alfred_tw_env").AlfredTWEnv
    written = write(tmp_path, spread(6))
    folders = [str(tmp_path / RELEASE / split) for split in SPLITS]
    sizes = {"num_train_games": -1, "num_eval_games": -1}
    keys = ("eval_ood_data_path", "eval_id_data_path", "data_path")
    env = {"goal_desc_human_anns_prob": 0, "task_types": [1, 2, 3, 4, 5, 6]}
    config = {"env": env, "dataset": dict(zip(keys, folders, strict=True)) | sizes}
    kinds = ("eval_out_of_distribution", "eval_in_distribution", "train")
    assert sum(len(loader(config, kind).game_files) for kind in kinds) == len(written) == 6
