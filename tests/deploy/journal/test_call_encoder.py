"""What a call crosses to the journal: numbers of what is stored once, paths, and cells."""

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import JournalFault
from quintet.journal.call_encoder import Numbering, as_integer, as_real, as_text, below, full_path, next_id
from quintet.journal.codes import EPISODE_BITS
from quintet.journal.open_episode import OpenEpisode
from quintet.messages.paths import episode_path

EPISODE = episode_path("beehive", 0, 0)


def test_the_longest_unused_number_is_forgotten() -> None:
    numbers = Numbering[str]({}, 5, bound=2)
    assert [numbers.add(key) for key in ("a", "b")] == [6, 7]
    assert numbers.find("a") == 6
    assert numbers.add("c") == 8
    assert [numbers.find(key) for key in ("a", "b", "c")] == [6, None, 8]


def test_an_episode_has_room_for_as_many_events_as_its_ids_can_number() -> None:
    episode = OpenEpisode(number=3, path=EPISODE, incarnation=1, began=0, events=(1 << EPISODE_BITS) - 2)
    assert next_id(episode) == (4 << EPISODE_BITS) - 1
    with pytest.raises(JournalFault, match="expected fewer than 16,777,216 events"):
        next_id(episode)


@pytest.mark.parametrize(
    ("path", "stored"),
    [
        ("beehive/0/0", ""),
        ("beehive/0/0/2/1", "2/1"),
        ("beehive/0/01/2", "/beehive/0/01/2"),
        ("elsewhere", "/elsewhere"),
        ("", "/"),
    ],
)
def test_a_path_is_stored_below_its_episode(path: str, stored: str) -> None:
    assert below(path, EPISODE) == stored
    assert full_path(stored, EPISODE) == path


@given(st.text(st.sampled_from("b/01"), max_size=8))
def test_a_stored_path_is_found_again(path: str) -> None:
    assert full_path(below(path, EPISODE), EPISODE) == path


def test_what_sqlite_would_not_keep_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        as_text("\ud800")
    with pytest.raises(ValueError, match="expected a number, got nan"):
        as_real(nan)
    with pytest.raises(OverflowError, match="expected a number of 64 bits"):
        as_integer(2**63)
    assert (as_text("é"), as_real(1), as_integer(-(2**63))) == ("é", 1.0, -(2**63))
