"""How clauses are judged, and what is said of one that is broken."""

import pytest
from msgspec import Struct

from quintet.errors import UsageError
from quintet.testing.clauses import Broken, Skipped, Verdict, judged, refused, require, same, typed


class Place(Struct, frozen=True):
    """Somewhere."""

    name: str
    steps: list[int]


class Unshowable:
    """Cannot be written down."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def nothing_is_odd(subject: int) -> None:
    if subject == 0:
        raise Skipped("there is nothing")
    require(subject % 2 == 0, "an even number", subject)


def it_can_be_divided_by(subject: int) -> None:
    if 12 // subject > 12:
        raise SystemExit("cannot be")


def test_a_contract_is_judged_clause_by_clause() -> None:
    assert list(judged([nothing_is_odd, it_can_be_divided_by], [4])) == [
        Verdict("nothing is odd", "holds"),
        Verdict("it can be divided by", "holds"),
    ]


def test_one_subject_is_enough_to_break_a_clause_and_all_have_to_skip_it() -> None:
    (broken,) = judged([nothing_is_odd], [0, 2, 3, 5])
    assert broken == Verdict("nothing is odd", "broken", "expected an even number, got 3 (3)")
    (held,) = judged([nothing_is_odd], [0, 2])
    assert held.state == "holds"
    (skipped,) = judged([nothing_is_odd], [0, 0])
    assert skipped == Verdict("nothing is odd", "skipped", "there is nothing")


def test_whatever_a_plug_in_raises_breaks_the_clause_and_says_where() -> None:
    (verdict,) = judged([it_can_be_divided_by], [0])
    assert verdict.state == "broken"
    assert "expected no exception, got ZeroDivisionError: " in verdict.text
    assert " in test_clauses.py, line " in verdict.text


def test_the_first_part_that_differs_is_named() -> None:
    with pytest.raises(Broken) as caught:
        same("the way", {"there": Place("roof", [1, 2, 3])}, {"there": Place("roof", [1, 5, 3])})
    assert str(caught.value) == "expected the way['there'].steps[1] to be 2, got 5"
    with pytest.raises(Broken, match=r"expected the way\['back'\] to be None, got 'path'"):
        same("the way", {}, {"back": "path"})
    with pytest.raises(Broken, match=r"expected the way to be \[1\], got \[1, 2\]"):
        same("the way", [1], [1, 2])


def test_what_is_got_is_cut_and_never_fails_to_be_said() -> None:
    with pytest.raises(Broken) as caught:
        same("a text", "", "x" * 10_000)
    assert len(str(caught.value)) < 400
    with pytest.raises(Broken, match="got <Unshowable without a readable form>"):
        require(False, "something", Unshowable())


def test_parts_of_a_struct_are_of_their_types() -> None:
    typed("a place", Place, Place("roof", [1]))
    with pytest.raises(Broken, match=r"a place with parts of their types, got Expected `int`, got `str` - at"):
        typed("a place", Place, Place("roof", ["one"]))  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    with pytest.raises(Broken, match=r"expected a place of type Place, got 'roof'"):
        typed("a place", Place, "roof")


def test_an_exception_is_of_its_kind_and_names_what_it_should() -> None:
    def refuse() -> None:
        raise UsageError("expected more")

    refused(UsageError, refuse, naming="more")
    with pytest.raises(Broken, match="expected a UsageError that names 'less', got 'expected more'"):
        refused(UsageError, refuse, naming="less")
    with pytest.raises(Broken, match=r"expected a KeyError, got UsageError: expected more in test_clauses\.py"):
        refused(KeyError, refuse)
    with pytest.raises(Broken, match="expected a KeyError, got no exception but None"):
        refused(KeyError, lambda: None)
