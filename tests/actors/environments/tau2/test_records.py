from copy import deepcopy

from quintet.environments.tau2.records import Records


def test_a_change_of_a_record_reaches_neither_an_earlier_nor_a_later_copy() -> None:
    given = {"a": [1], "b": [2]}
    first = Records(given)
    second = deepcopy(first)
    first["a"].append(3)
    third = deepcopy(first)
    first["a"].append(4)
    third["b"].append(5)
    assert (given, second, third, first) == (
        {"a": [1], "b": [2]},
        {"a": [1], "b": [2]},
        {"a": [1, 3], "b": [2, 5]},
        {"a": [1, 3, 4], "b": [2]},
    )


def test_a_record_that_was_not_looked_up_is_the_same_in_both() -> None:
    first = Records({"a": [1], "b": [2], "c": [3]})
    second = deepcopy(first)
    assert first.differing(second) == set()
    second["a"].append(1)
    second["d"] = [4]
    del first["c"]
    assert first.differing(second) == {"a", "c", "d"}


def test_a_record_is_copied_once() -> None:
    records = Records({"a": [1]})
    assert records["a"] is records["a"]
