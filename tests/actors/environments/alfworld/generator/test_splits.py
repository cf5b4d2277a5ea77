"""Which games there are."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.generator.objectives import TASK_TYPES
from quintet.environments.alfworld.generator.rooms import UNSEEN_SCENES
from quintet.environments.alfworld.generator.splits import BUILT_IN, SPLITS, spread_evenly, task_names

_SEEDS = st.integers(min_value=0, max_value=2**64)


@given(_SEEDS)
def test_the_unseen_split_shares_no_room_with_the_others(seed: int) -> None:
    rooms = {split: {name.scene for name in task_names(split, BUILT_IN[split], seed)} for split in SPLITS}
    assert rooms["valid_unseen"] <= UNSEEN_SCENES
    assert not rooms["valid_unseen"] & (rooms["valid_seen"] | rooms["train"])


@given(_SEEDS)
def test_no_two_games_have_one_name(seed: int) -> None:
    every = [str(name) for split in SPLITS for name in task_names(split, BUILT_IN[split], seed)]
    assert len(every) == len(set(every)) == 338


def test_the_first_few_are_of_many_types() -> None:
    for split in SPLITS:
        assert len({name.objective.type for name in task_names(split, BUILT_IN[split])[:12]}) >= 4


def test_another_seed_brings_other_games() -> None:
    one, other = (set(map(str, task_names("train", BUILT_IN["train"], seed))) for seed in (0, 1))
    assert not one & other


def test_more_games_begin_with_those_of_fewer() -> None:
    few, many = (set(task_names("train", dict.fromkeys(TASK_TYPES, number))) for number in (3, 9))
    assert few < many


@given(st.integers(min_value=1, max_value=5_000))
def test_games_are_spread_equally(games: int) -> None:
    counts = [number for kinds in spread_evenly(games).values() for number in kinds.values()]
    assert sum(counts) == games
    assert max(counts) - min(counts) <= 1
