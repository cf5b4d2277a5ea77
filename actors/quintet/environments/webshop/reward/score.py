"""The score of a purchase: how well product, options and price fit what the goal asks for; and the taggers of titles.

A tagger says which words are nouns. Half of a purchase's type depends on it, so a world names its tagger.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from quintet.environments.options import check_choice
from quintet.environments.webshop.goals.instructions import Goal, WantedOption
from quintet.environments.webshop.products import Product
from quintet.errors import UsageError

_ALIKE = 85
"""Percent, which two texts must exceed."""
_LATIN_1 = dict.fromkeys(range(128, 256))


def alike(one: str, other: str) -> bool:
    """Whether the sets of words of two texts are alike enough.

    Source: the released reward, which compares by `token_set_ratio` of thefuzz 0.19. This is the same by RapidFuzz: it
    drops the accented letters of Latin 1 and rounds to whole percent as that one does.
    """
    from rapidfuzz import fuzz, utils  # takes 30 ms to import

    texts = one.translate(_LATIN_1), other.translate(_LATIN_1)
    return round(fuzz.token_set_ratio(*texts, processor=utils.default_process)) > _ALIKE


def option_fits(wanted: WantedOption, chosen: str) -> bool:
    """Whether a chosen value is what a goal wants."""
    return alike(main_color(chosen), _as_compared(wanted))


def _as_compared(wanted: WantedOption) -> str:
    if wanted.name is None:
        return main_color(wanted.value)
    # The released code compares a synthetic goal's option as one pair: its color counts only where it is a plain one.
    pair = (wanted.name, wanted.value)
    return next((color for color in colors() if color in pair), " ".join(pair))


def main_color(value: str) -> str:
    """The first color of the released list that occurs in `value`: `red` also in `tired`; without one, `value`."""
    return next((color for color in colors() if color in value), value)


@cache
def colors() -> tuple[str, ...]:
    """The colors of the released list, in its order."""
    return tuple(files("quintet.environments.webshop.reward").joinpath("colors.txt").read_text("utf-8").split())


Nouns: TypeAlias = Callable[[str], tuple[str, ...]]
"""The nouns of a title in lower case, each as often as it occurs."""

_SAME_KIND = 0.2
"""The share of a goal's nouns that the title of a product of the same kind exceeds."""
_HARDLY_RELATED = 0.1
"""The share below which a product is hardly related."""


class PurchaseScore(Struct, frozen=True, kw_only=True):
    """The terms of a purchase's score."""

    type: float
    """Whether it is the kind of product that was asked for: 1, 0.5, 0.1 or 0."""
    attributes: float
    """The share of the goal's attributes that the product has."""
    options: float | None
    """The share of the goal's options that were chosen; None: the goal names no option."""
    price: float
    """1 if the price is within the limit, else 0."""
    reward: float
    """In [0, 1]."""

    @property
    def figures(self) -> Mapping[str, float]:
        """The terms by name, without options where the goal names none."""
        terms = {"type": self.type, "attributes": self.attributes, "options": self.options, "price": self.price}
        return {name: term for name, term in terms.items() if term is not None}


def score_purchase(
    product: Product, goal: Goal, options: Mapping[str, str], price: float, *, nouns: Nouns
) -> PurchaseScore:
    """The score of buying `product` for `goal`.

    reward = type x (attributes matched + options matched + price fits) / (attributes + options + 1)

    Args:
        options: the chosen values by option, in lower case.
        price: what the product costs, in dollars.

    Source: WebShop (Yao et al., 2022), section 2.2, and its released code, quirks included: one chosen option may
    satisfy several wanted ones, and an option that the goal does not name costs nothing.
    """
    attributes = sum(_has_attribute(product, attribute) for attribute in goal.attributes)
    chosen = sum(any(option_fits(wanted, value) for value in options.values()) for wanted in goal.options)
    fits = price <= goal.price_limit
    type_term = type_of_purchase(product, goal, nouns)
    asked = len(goal.attributes) + len(goal.options) + 1
    return PurchaseScore(
        type=type_term,
        attributes=attributes / len(goal.attributes),
        options=chosen / len(goal.options) if goal.options else None,
        price=float(fits),
        reward=type_term * (attributes + chosen + fits) / asked,
    )


def type_of_purchase(product: Product, goal: Goal, nouns: Nouns) -> float:
    """How far the product is of the kind that the goal asks for: 1, 0.5, 0.1 or 0."""
    share = _shared_nouns(product, goal, nouns)
    if share == 0.0:
        return 0.0
    if share < _HARDLY_RELATED:
        return 0.1
    classes = _categories(product.product_category) & _categories(goal.product_category)
    return 1.0 if product.query == goal.query or len(classes) >= 2 or share > _SAME_KIND else 0.5


def _shared_nouns(product: Product, goal: Goal, nouns: Nouns) -> float:
    wanted = nouns(goal.title)
    return len({*wanted}.intersection(nouns(product.title))) / len(wanted) if wanted else _SAME_KIND


def _categories(path: str) -> frozenset[str]:
    return frozenset(each.strip() for each in path.split("›"))


def _has_attribute(product: Product, attribute: str) -> bool:
    if any(alike(own, attribute) for own in product.attributes):
        return True
    return any(attribute in text.lower() for text in (product.title, " ".join(product.bullets), product.description))


TaggerName: TypeAlias = Literal["words", "spacy"]
"""`words`: by a list of words that are no nouns. `spacy`: by the released code's model, which the user installs."""

MODEL = "en_core_web_sm"
_WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w.'’]*\w)?")
_ADJECTIVE = re.compile(r".{2,}(?:able|ible|ful|less|ous|proof|[^e]ed|est|ically)")
_KEPT = 100_000
"""Size of the cache of titles."""


def find_tagger(name: TaggerName) -> Nouns:
    """The tagger of a name."""
    check_choice("tagger", name, get_args(TaggerName), "webshop")
    return nouns_by_words if name == "words" else _spacy_tagger()


@lru_cache(_KEPT)
def nouns_by_words(title: str) -> tuple[str, ...]:
    """The words of a title, but for numbers, listed words of other classes, and words with an adjective's ending.

    Titles are mostly nouns and names. Source: ours. It gives the shares of the released tests' four pairs of titles.
    """
    words = (found.group().lower() for found in _WORD.finditer(title))
    return tuple(word for word in words if word not in _no_nouns() and _ADJECTIVE.fullmatch(word) is None)


@cache
def _no_nouns() -> frozenset[str]:
    lines = files("quintet.environments.webshop.reward").joinpath("no_nouns.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _spacy_tagger() -> Nouns:
    how = (
        f"pip install 'quintet-agents[spacy]', then python -m spacy download {MODEL}, or take tagger 'words' (webshop)"
    )
    try:
        import spacy
    except ImportError as error:
        raise UsageError(f"tagger: expected spaCy for 'spacy', got none installed; {how}") from error
    try:
        model = spacy.load(MODEL)
    except OSError as error:
        raise UsageError(f"tagger: expected spaCy's model {MODEL}, got none installed; {how}") from error

    @lru_cache(_KEPT)
    def nouns_by_spacy(title: str) -> tuple[str, ...]:
        return tuple(token.text.lower() for token in model(title) if token.pos_ in {"NOUN", "PROPN"})

    return nouns_by_spacy
