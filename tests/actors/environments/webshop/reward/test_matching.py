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


# With the percentage that `token_set_ratio` of thefuzz 0.19.0 gives, the version of the released code.
@pytest.mark.parametrize(
    ("one", "other", "percent"),
    [
        ("crème bottle", "crm bottle", 100),
        ("café ingredients", "ingredients clean", 88),
        ("8 jalapeño", "jalapeño bpa pack", 88),
        ("jalapeño large ingredients long", "oz ingredients", 88),
        ("gluten naïve stainless sodium water", "café gluten sodium", 87),
        ("ounce gluten water natural", "gluten 12 navy natural ounce", 87),
        ("easy sodium stainless", "blue stainless machine sodium", 86),
        ("8 8 wash ſ", "ſ wash ingredients", 86),
        ("gluten 8", "crème wash crème gluten steel", 86),
        ("x cotton", "xx-large cotton", 86),
        ("sodium jalapeño free easy", "jalapeño sodium long", 85),
        ("slim xx-large it’s sleeve machine", "xx-large navy it’s", 84),
        ("machine steel Straße", "Straße x", 83),
        ("waist xx-large fit rubber", "rubber slim large", 83),
        ("brûlée jalapeño brûlée long", "ingredients brûlée jalapeño", 83),
        ("日本 jalapeño", "gluten oz blue jalapeño", 82),
        ("water stainless", "non stainless", 82),
        ("wash stainless naïve high sodium", "stainless non", 82),
    ],
)
def test_texts_are_alike_where_the_released_library_gives_more_than_85_percent(
    one: str, other: str, percent: int
) -> None:
    assert alike(one, other) is (percent > 85)


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
