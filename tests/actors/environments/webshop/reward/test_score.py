import sys
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.webshop.goals.instructions import Goal, WantedOption
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.reward.score import (
    PurchaseScore,
    alike,
    find_tagger,
    main_color,
    nouns_by_words,
    option_fits,
    score_purchase,
    type_of_purchase,
)
from quintet.errors import UsageError
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED

CHOSEN = {"scent": "dark rose", "size": "8 ounce"}


_PARTS = (WantedOption("pack of 2"), WantedOption("16 ounce"))


def bought(
    product: Product = SHAMPOO, goal: Goal = WANTED, options: Mapping[str, str] = CHOSEN, price: float = 12.5
) -> PurchaseScore:
    return score_purchase(product, goal, options, price, nouns=nouns_by_words)


@pytest.mark.parametrize(
    ("score", "reward"),
    [
        (bought(), 1.0),
        (bought(options={}), 3 / 5),
        (bought(options={"size": "8 ounce"}), 4 / 5),
        (bought(price=20.0), 1.0),
        (bought(price=20.01), 4 / 5),
        (bought(product=replace(SHAMPOO, attributes=())), 3 / 5),
        (bought(product=replace(SHAMPOO, attributes=()), options={}, price=99.0), 0.0),
        (bought(goal=replace(WANTED, options=()), options={}), 1.0),
        (bought(goal=replace(WANTED, attributes=("sulfate free", "gluten free"))), 4 / 5),
        # One option satisfies several, and an attribute may lie across two bullets, as in the released code.
        (bought(goal=replace(WANTED, options=_PARTS), options={"size": "16 ounce (pack of 2)"}), 1.0),
        (bought(replace(SHAMPOO, bullets=("for long", "hair")), replace(WANTED, attributes=("long hair",))), 1.0),
    ],
)
def test_every_term_that_matches_counts_the_same(score: PurchaseScore, reward: float) -> None:
    assert score.reward == pytest.approx(reward)
    assert set(score.figures) == {"type", "attributes", "price", *["options"] * (score.options is not None)}


@pytest.mark.parametrize("where", ["title", "description", "bullets"])
def test_an_attribute_is_found_in_the_texts_of_a_product_that_does_not_list_it(where: str) -> None:
    bare = replace(SHAMPOO, attributes=(), description="", bullets=())
    said = "For Oily Scalp"
    product = replace(bare, bullets=(said,)) if where == "bullets" else replace(bare, **{where: f"Shampoo {said}"})
    goal = replace(WANTED, attributes=("oily scalp", "tea tree"))
    assert bought(product=product, goal=goal).attributes == 1 / 2


@pytest.mark.parametrize(
    ("shared", "query", "product_category", "expected"),
    [
        (3, "other", "other", 1.0),  # 3 / 11 > 0.2
        (2, "other", "other", 0.5),  # 2 / 11
        (2, "kettle", "other", 1.0),
        (2, "other", "Kettles › x › Home", 1.0),
        (2, "other", "x › Home", 0.5),
        (2, "other", "Home › Home", 0.5),
        (1, "kettle", "Home › Kettles", 0.1),  # 1 / 11 < 0.1 counts more than the same query
        (0, "kettle", "Home › Kettles", 0.0),
    ],
)
def test_the_type_depends_on_query_categories_and_shared_nouns(
    shared: int, query: str, product_category: str, expected: float
) -> None:
    title = [f"noun{letter}" for letter in "abcdefghijk"]
    goal = replace(WANTED, title=" ".join(title), query="kettle", product_category="Home › Kettles")
    product = replace(
        SHAMPOO, title=" ".join(["thing", *title[:shared]]), query=query, product_category=product_category
    )
    assert type_of_purchase(product, goal, nouns_by_words) == expected


def test_a_goal_whose_title_has_no_noun_shares_a_fifth() -> None:
    goal = replace(WANTED, title="2 in 1", query="kettle", product_category="other")
    assert type_of_purchase(SHAMPOO, goal, nouns_by_words) == 0.5
    assert type_of_purchase(SHAMPOO, replace(goal, query="shampoo"), nouns_by_words) == 1.0


_WORDS = st.sampled_from(["tea tree", "cruelty free", "long lasting", "essential oils", "vegan", "8 ounce", "rose"])


@given(
    has=st.lists(_WORDS),
    asked=st.lists(_WORDS, min_size=1),
    wanted=st.lists(_WORDS, max_size=3),
    chosen=st.dictionaries(st.sampled_from(["scent", "size"]), _WORDS),
    price=st.floats(0.01, 40),
    title=st.lists(st.sampled_from(["shampoo", "hair", "oil", "hose", "garden", "comb"]), max_size=4).map(" ".join),
)
def test_a_score_is_in_range_and_rises_with_every_term_that_matches(
    has: list[str], asked: list[str], wanted: list[str], chosen: dict[str, str], price: float, title: str
) -> None:
    product = replace(SHAMPOO, attributes=tuple(has), title=title)
    goal = replace(WANTED, attributes=tuple(asked), options=tuple(map(WantedOption, wanted)))
    score = bought(product, goal, chosen, price)
    assert 0.0 <= score.reward <= 1.0
    assert all(0.0 <= figure <= 1.0 for figure in score.figures.values())
    more = replace(product, attributes=(*has, *asked))
    for better in (
        bought(more, goal, chosen, price),
        bought(product, goal, chosen | dict(zip(("a", "b", "c"), wanted, strict=False)), price),
        bought(product, goal, chosen, min(price, goal.price_limit)),
    ):
        assert better.reward >= score.reward
    assert bought(more, goal, dict(zip(map(str, range(3)), wanted, strict=False)), 1.0).reward == score.type


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


@pytest.mark.parametrize(
    ("title", "nouns"),
    [
        ("Soft Cotton Towels for the Bath, 2 Pack", ("cotton", "towels", "bath", "pack")),
        ("Stainless-Steel Kettle (1.7L), Cordless", ("steel", "kettle")),
        ("Women's Padded Washable Coat", ("women's", "coat")),
        ("red seed bed", ("seed", "bed")),
        ("Shoe Rack Shoe Bench", ("shoe", "rack", "shoe", "bench")),
        ("100% 4K", ()),
        ("", ()),
    ],
)
def test_nouns_are_the_words_of_no_other_class(title: str, nouns: tuple[str, ...]) -> None:
    assert nouns_by_words(title) == nouns


_LEAD = "BRST AC Power Cord Outlet Socket Cable Plug Lead for Panasonic SC-HT830V DVD/VCR Combo Home Theater System"


# Pairs of the released tests of the reward, with the share of nouns that spaCy gives there.
@pytest.mark.parametrize(
    ("wanted", "bought", "share"),
    [
        (
            "adidas Unisex-Adult D.o.n. Issue 2 Basketball Shoe",
            "adidas Unisex-Adult D.o.n. Issue 2 Indoor Court Shoe",
            0.85,
        ),
        (
            "Saireed UL Listed 2 Prong Power Cord for JBL Bar 3.1 Bar 2.1 Channel 4K Ultra HD Soundbar Home Theater "
            "System Subwoofer",
            _LEAD,
            0.31,
        ),
        (
            "Saireed UL Listed 2 Prong Power Cord for JBL Bar 3.1 Bar 2.1 Channel 4K Ultra HD Soundbar",
            _LEAD,
            0.17,
        ),
        (
            "Rusticware 921ORB Kitchen and Bath Cabinet Knob",
            "Minkissy 2pcs Stainless Steel Eyebrow Tweezers Blackhead Acne Remover Portable Makeup Tweezers (Silver)",
            0.0,
        ),
    ],
)
def test_published_shares_of_nouns_come_out(wanted: str, bought: str, share: float) -> None:
    nouns = nouns_by_words(wanted)
    assert len({*nouns} & {*nouns_by_words(bought)}) / len(nouns) == pytest.approx(share, abs=0.01)


def test_a_tagger_or_a_model_that_is_not_there_is_refused_with_what_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        raise OSError(f"[E050] Can't find model '{name}'.")

    with pytest.raises(UsageError, match="expected one of words, spacy, got 'nltk'"):
        find_tagger("nltk")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"got none installed; pip install 'quintet-agents\[spacy\]'.*en_core_web_sm"):
        find_tagger("spacy")
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    with pytest.raises(UsageError, match="expected spaCy's model en_core_web_sm, got none installed"):
        find_tagger("spacy")


def test_spacys_nouns_and_names_are_taken_in_lower_case(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = {"Marl": "PROPN", "Red": "ADJ", "Kettle": "NOUN", "boils": "VERB"}

    def model(title: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(text=word, pos_=classes[word]) for word in title.split()]

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load={"en_core_web_sm": model}.__getitem__))
    assert find_tagger("spacy")("Marl Red Kettle boils Kettle") == ("marl", "kettle", "kettle")
