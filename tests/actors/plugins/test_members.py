"""Objects by their dotted path in a module."""

import pytest

from quintet.errors import UsageError
from quintet.plugins.members import find_member
from tests.actors.plugins import objects_of_tests


def find(path: str, *, usable: bool = True) -> object:
    return find_member(
        objects_of_tests, path, where="mine.py", label="model", expected="a Model", is_usable=lambda _: usable
    )


def test_a_member_of_a_member_is_found() -> None:
    assert find("Echo.__init__") is objects_of_tests.Echo.__init__


def test_a_missing_one_is_refused_with_the_nearest_or_with_what_is_expected() -> None:
    with pytest.raises(UsageError, match=r"model: expected .*'Echo'.* in mine\.py, got 'Ecko'"):
        find("Ecko")
    with pytest.raises(UsageError, match=r"model: expected a Model in mine\.py, got 'Ecko'"):
        find("Ecko", usable=False)
