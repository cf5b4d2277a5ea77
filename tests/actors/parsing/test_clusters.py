"""Clusters as models write them, and as they must come back from any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.clusters import ItemCluster, read_clusters
from tests.actors.parsing.styles import Style, styles

STYLES = [*styles("clusters")]
NAMES = st.text("abcdefghij klm", min_size=1, max_size=30).map(lambda name: " ".join(name.split())).filter(bool)
NUMBERS = st.lists(st.integers(1, 500), max_size=60).map(tuple)


def read(text: str) -> list[dict[str, object]] | None:
    clusters = read_clusters(text)
    return None if clusters is None else [{"name": each.name, "numbers": [*each.numbers]} for each in clusters]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_clusters_are_read(style: Style) -> None:
    assert read(style.text) == style.expected["clusters"]
    assert read(f"<think>\nHigh-level Type1: x [9]\n</think>\n{style.text}") == style.expected["clusters"]


@given(st.lists(st.builds(ItemCluster, NAMES, NUMBERS), min_size=1, max_size=12))
def test_clusters_in_the_prescribed_form_are_read_as_they_are(clusters: list[ItemCluster]) -> None:
    said = "\n".join(
        f"High-level Type{number}: {each.name} [{', '.join(map(str, each.numbers))}]"
        for number, each in enumerate(clusters, 1)
    )
    assert read_clusters(said) == tuple(clusters)


@given(st.text())
def test_of_any_text_the_numbers_are_whole_and_the_names_short(text: str) -> None:
    for said in (text, f"High-level Type1: {text} [1, 2]", f"High-level Type1: a [{text}]", f'{{"types": {text}}}'):
        for name, numbers in read_clusters(said) or ():
            assert len(name) <= 200
            assert all(type(number) is int and number >= 0 for number in numbers)


def test_a_range_as_wide_as_no_list_is_left_out() -> None:
    assert read_clusters("High-level Type1: all [1-9999999, 3]") == (ItemCluster("all", (3,)),)
