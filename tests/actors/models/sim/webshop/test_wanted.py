import pytest

from quintet.models.sim.webshop.wanted import query_words, read_wanted, stems


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("i need red shoes, and price lower than 40.00 dollars", 40),
        ("i need red shoes that cost less than 1,300 dollars", 1300),
        ("i need red shoes under $50", 50),
        ("i need red shoes, priced at most 20.5 dollars", 20.5),
        ("i need red shoes for no more than 80 bucks", 80),
        ("i need red shoes", None),
        ("i need red shoes less than 5 inches high", None),
        ("i need red shoes with a heel under 4 inches, price below 35 dollars", 35),
    ],
)
def test_the_price_limit_is_read_in_plain_english(said: str, limit: float | None) -> None:
    wanted = read_wanted(said)
    assert wanted.limit == limit
    assert query_words(wanted)[:2] == ["red", "shoes"]
    assert limit is None or not {"price", "dollars", "lower", "50"} & set(query_words(wanted))


def test_the_frame_of_a_request_says_nothing_of_a_product() -> None:
    assert query_words(read_wanted("I'm looking for a pair of women's high heels, and please in the color black")) == [
        "women",
        "high",
        "heels",
        "black",
    ]


def test_options_may_be_given_by_name() -> None:
    wanted = read_wanted(
        'find me machine washable pillows with long zipper with color: dark blue, and size: 28" x 28", '
        "and price lower than 30.00 dollars"
    )
    assert wanted.named == (("color", "dark blue"), ("size", '28" x 28"'))
    assert wanted.limit == 30


@pytest.mark.parametrize(
    ("one", "other"),
    [("shoes", "shoe"), ("berries", "berry"), ("washes", "washing"), ("women's", "women"), ("sided", "side")],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)


@pytest.mark.parametrize(("one", "other"), [("glass", "glow"), ("7", "7.5"), ("red", "reed")])
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stems(one) != stems(other)
