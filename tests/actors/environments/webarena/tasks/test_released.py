"""The 812 released tasks, where they are there: all are read, and in which forms."""

from collections import Counter
from pathlib import Path

import pytest

from quintet.environments.webarena.tasks.library import TaskLibrary, open_library

RELEASED = Path(__file__).parents[6] / "shared" / "data" / "webarena" / "test.raw.json"

pytestmark = pytest.mark.skipif(not RELEASED.is_file(), reason="no released tasks beside the repository")


@pytest.fixture(scope="module")
def library() -> TaskLibrary:
    return open_library(RELEASED)


def test_all_812_are_read_with_their_sites_and_templates(library: TaskLibrary) -> None:
    assert {split: len(names) for split, names in library.splits.items()} == {
        "test": 812,
        "shopping": 187,
        "shopping_admin": 182,
        "reddit": 106,
        "gitlab": 180,
        "map": 109,
        "several": 48,
        "read": 299,
        "navigate": 101,
        "change": 376,
        "impossible": 36,
        "templates": 190,
    }
    assert library.splits["test"] == tuple(f"webarena-{number}" for number in range(812))


def test_their_evaluators_are_those_that_were_published(library: TaskLibrary) -> None:
    evaluators = Counter(task.eval.eval_types for task in library.tasks.values())
    assert evaluators == {
        ("string_match",): 325,
        ("program_html",): 282,
        ("url_match", "program_html"): 129,
        ("url_match",): 66,
        ("string_match", "url_match"): 10,
    }
    assert Counter(task.judge for task in library.tasks.values()) == {"never": 694, "always": 82, "unless exact": 36}
