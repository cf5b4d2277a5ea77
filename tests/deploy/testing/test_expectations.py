"""The texts of failed expectations."""

import pytest
from msgspec import Struct

from quintet.errors import UsageError
from quintet.testing.expectations import expect, expect_equal, expect_error, expect_type


class Place(Struct, frozen=True):
    """A place."""

    name: str
    steps: list[int]


class Unshowable:
    """Cannot be written down."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_the_first_part_that_differs_is_named() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        expect_equal("the way", {"there": Place("roof", [1, 2, 3])}, {"there": Place("roof", [1, 5, 3])})
    assert str(caught.value) == "expected the way['there'].steps[1] to be 2, got 5"
    with pytest.raises(pytest.fail.Exception, match=r"expected the way\['back'\] to be None, got 'path'"):
        expect_equal("the way", {}, {"back": "path"})
    with pytest.raises(pytest.fail.Exception, match=r"expected the way to be \[1\], got \[1, 2\]"):
        expect_equal("the way", [1], [1, 2])


def test_a_long_or_unprintable_value_is_shortened() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        expect_equal("a text", "", "x" * 10_000)
    assert len(str(caught.value)) < 400
    with pytest.raises(pytest.fail.Exception, match="got <Unshowable without a readable form>"):
        expect(False, "something", Unshowable())


def test_parts_of_a_struct_are_of_their_types() -> None:
    expect_type("a place", Place, Place("roof", [1]))
    with pytest.raises(
        pytest.fail.Exception, match=r"a place with parts of their types, got Expected `int`, got `str` - at"
    ):
        expect_type("a place", Place, Place("roof", ["one"]))  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    with pytest.raises(pytest.fail.Exception, match=r"expected a place of type Place, got 'roof'"):
        expect_type("a place", Place, "roof")


def test_an_exception_is_of_its_kind_and_names_what_it_should() -> None:
    def refuse() -> None:
        raise UsageError("expected more")

    expect_error(UsageError, refuse, naming="more")
    with pytest.raises(pytest.fail.Exception, match="expected a UsageError that names 'less', got 'expected more'"):
        expect_error(UsageError, refuse, naming="less")
    with pytest.raises(
        pytest.fail.Exception, match=r"expected a KeyError, got UsageError: expected more in test_expectations\.py"
    ):
        expect_error(KeyError, refuse)
    with pytest.raises(pytest.fail.Exception, match="expected a KeyError from a test, got no exception but None"):
        expect_error(KeyError, lambda: None, when="a test")
