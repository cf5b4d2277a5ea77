"""Nodes: other versions are refused by name."""

import pytest

from quintet.cluster.nodes import Versions, compare_versions
from quintet.cluster.spread import ClusterNode
from quintet.errors import UsageError

ONE = ClusterNode("a" * 56, "10.0.0.1", {"CPU": 2.0})
TWO = ClusterNode("b" * 56, "10.0.0.2", {"CPU": 8.0})
OURS = Versions("3.11.7", "2.60.0", "0.1.0")


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (Versions("3.12.1", "2.60.0", "0.1.0"), "expected Python 3.11 as here (3.11.7), got 3.12.1"),
        (Versions("3.11.7", "2.59.0", "0.1.0"), "expected Ray 2.60.0, got 2.59.0"),
        (Versions("3.11.7", "2.60.0", "0.2.0"), "expected quintet 0.1.0, got 0.2.0"),
        (Versions("3.11.7", "2.60.0", ""), "expected quintet 0.1.0, got none: it is not installed"),
    ],
)
def test_a_node_that_differs_is_named_with_what_was_expected(theirs: Versions, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        compare_versions([(ONE, OURS), (TWO, theirs)], OURS)
    assert str(refused.value).startswith(f"node 10.0.0.2 (bbbbbbbbbbbb): {said}")


def test_another_patch_of_python_is_no_difference() -> None:
    compare_versions([(ONE, Versions("3.11.2", "2.60.0", "0.1.0"))], OURS)
