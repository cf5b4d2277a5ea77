"""What texts show of where things are."""

import pytest

from quintet.models.sim.alfworld.sightings import sightings_in


@pytest.mark.parametrize(
    "text",
    [
        "You arrive at shelf 2. On the shelf 2, you see a book 1, a mug 3, and a pen 1.",
        "You open the shelf 1. The shelf 1 is open. In it, you see a mug 3.",
        "In/on the shelf 1, I saw a mug 2.",
        "Action: take mug 2 from shelf 1",
        "You pick up the mug 2 from the shelf 1.",
        "A mug is usually on a shelf.",
        "Mugs are often kept on the shelf.",
        "Once there was a mug in the shelf.",
        "I found the mug 1 on shelf 3 at last.",
    ],
)
def test_a_thing_in_or_on_a_place_tells_its_kind_of_place(text: str) -> None:
    assert sightings_in([text])["mug"] == ("shelf",)


@pytest.mark.parametrize(
    "text",
    [
        "Goal: find and take a mug from shelf 1.",
        "Your task is to: put a mug in shelf.",
        "Next time: look for the mug in shelf 3.",
        "You move the mug 2 to the shelf 1.",
        "I did not find a mug on the shelf 1.",
        "On the shelf 1, you see nothing.",
        "bring the mug to the shelf",
    ],
)
def test_a_wish_or_a_search_shows_nothing(text: str) -> None:
    assert "mug" not in sightings_in([text])


def test_what_is_shown_most_often_comes_first() -> None:
    texts = ["take mug 1 from desk 1", "take mug 1 from shelf 1", "take mug 2 from shelf 4"]
    assert sightings_in(texts)["mug"] == ("shelf", "desk")
    assert sightings_in(texts[:2])["mug"] == ("desk", "shelf")
