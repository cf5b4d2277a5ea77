import pytest

from quintet.environments.webshop.goals.goal import WantedOption
from quintet.environments.webshop.reward.matching import alike, main_color, option_fits


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("essential oils", "essential oil", True),  # 2 * 13 / 27 = 96 %
        ("Tea-Tree", "tea tree", True),
        ("tree tea", "tea tree", True),
        ("powder snow", "cool powder snow", True),  # one is part of the other
        ("tea bag", "tea tree", False),
        ("", "", False),
        ("!?", "!?", False),
        ("long sleeve", "short sleeve", False),
        # Rounded to whole percent: 200 * 40 / 94 = 85.1, which the released code does not take for more than 85.
        ("abcdefghijklmnopqrstuvwxyzabcdefghijklmn1111111", "abcdefghijklmnopqrstuvwxyzabcdefghijklmn2222222", False),
    ],
)
def test_texts_are_alike_by_their_words(one: str, other: str, expected: bool) -> None:
    assert alike(one, other) is expected
    assert alike(other, one) is expected


# Differ from RapidFuzz's own processor, which keeps accented letters; checked against thefuzz 0.19.0.
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("café ingredients", "ingredients clean", True), ("crème bottle", "crm bottle", True)],
)
def test_accented_letters_of_latin_1_are_dropped(one: str, other: str, expected: bool) -> None:
    assert alike(one, other) is expected


@pytest.mark.parametrize(
    ("value", "color"),
    [
        ("dark navy", "dark"),
        ("navy | white", "navy"),
        ("heather blue", "blue"),
        ("tired", "red"),
        ("washed", "ash"),
        ("xx-large", "xx-large"),
    ],
)
def test_the_first_listed_color_stands_for_a_value(value: str, color: str) -> None:
    assert main_color(value) == color


@pytest.mark.parametrize(
    ("wanted", "chosen", "expected"),
    [
        (WantedOption("navy blue"), "sky blue", True),
        (WantedOption("small"), "x-small", True),  # part of the other, as in the released code
        (WantedOption("small"), "large", False),
        (WantedOption("red", "color"), "dark red", False),  # `dark` comes first
        (WantedOption("red", "color"), "wine red", True),
        (WantedOption("wine red", "color"), "red", True),
        (WantedOption("8 ounce", "size"), "8 ounce", True),
        (WantedOption("8 ounce", "size"), "16 ounce", False),
    ],
)
def test_options_fit_by_color_and_words(wanted: WantedOption, chosen: str, expected: bool) -> None:
    assert option_fits(wanted, chosen) is expected
