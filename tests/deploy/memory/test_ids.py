import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.memory.ids import TuplePlace, ids_of_process, ids_of_version, place_of, tuple_id

_PLACES = st.builds(TuplePlace, st.integers(0, 2**15 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**16 - 1))


@given(_PLACES)
def test_an_id_says_what_it_is_made_of(place: TuplePlace) -> None:
    identifier = tuple_id(*place)
    assert place_of(identifier) == place
    assert 0 <= identifier < 2**63
    assert identifier in ids_of_version(place.version)
    assert identifier in ids_of_process(place.version, place.place)


@given(_PLACES, _PLACES)
def test_ids_have_the_order_of_version_place_and_number(one: TuplePlace, other: TuplePlace) -> None:
    assert (tuple_id(*one) < tuple_id(*other)) == (one < other)
    assert (tuple_id(*other) in ids_of_version(one.version)) == (one.version == other.version)
    assert (tuple_id(*other) in ids_of_process(one.version, one.place)) == (one[:2] == other[:2])


@pytest.mark.parametrize(
    ("place", "name"), [((-1, 0, 0), "version"), ((0, 2**32, 0), "place"), ((0, 0, 2**16), "number")]
)
def test_what_does_not_fit_into_an_id_is_refused(place: tuple[int, int, int], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} of a tuple: expected 0 to "):
        tuple_id(*place)
