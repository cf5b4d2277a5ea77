import pytest

from quintet.environments.scienceworld.simulator import simulator
from quintet.environments.scienceworld.variations import (
    SCIENCE_SPLITS,
    VARIATIONS,
    read_task_name,
    science_tasks,
    variations,
)
from tests.actors.environments.scienceworld.installed import needs_simulator


def test_the_tasks_of_a_split_begin_with_one_of_each_type() -> None:
    names = science_tasks("test")
    assert names[:3] == ("boil-21", "change-the-state-of-matter-of-21", "chemistry-mix-24")
    assert {name.rpartition("-")[0] for name in names[: len(VARIATIONS)]} == set(VARIATIONS)


def test_every_variation_is_in_one_split() -> None:
    names = [name for split in SCIENCE_SPLITS for name in science_tasks(split)]
    assert len(names) == len(set(names)) == sum(VARIATIONS.values())
    assert all(read_task_name(name) is not None for name in names)


@pytest.mark.parametrize(
    "name", ["boil", "boil-30", "boil--1", "boil-01", "boil-²", "bake-0", "identify-life-stages-1"]
)
def test_other_names_are_no_tasks(name: str) -> None:
    assert read_task_name(name) is None


def test_a_types_own_number_is_no_variation() -> None:
    assert read_task_name("identify-life-stages-1-9") == ("identify-life-stages-1", 9)


@needs_simulator
def test_types_variations_and_splits_are_the_packages() -> None:
    package = simulator().new_interface()
    assert tuple(package.getTaskNames()) == tuple(VARIATIONS)
    for kind, count in VARIATIONS.items():
        assert package.getTaskMaxVariations(kind) == count
    for kind in ("boil", "identify-life-stages-1", "identify-life-stages-2", "find-animal"):
        package.load(kind, 0, "", False)
        assert list(variations(kind, "train")) == list(package.getVariationsTrain())
        assert list(variations(kind, "dev")) == list(package.getVariationsDev())
        assert list(variations(kind, "test")) == list(package.getVariationsTest())
