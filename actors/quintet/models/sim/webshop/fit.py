"""Compares products with what is wanted: which of its words they show, which option values are meant, the price."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from quintet.models.sim.draws import Misreading
from quintet.models.sim.stems import tokens
from quintet.models.sim.webshop.pages import ListedProduct, ShownPrice
from quintet.models.sim.webshop.picture import SeenProduct
from quintet.models.sim.webshop.wanted import Wanted, content_stems, stems

_LIKE = 0.5
"""A value is meant if the instruction has at least this share of its words."""


@dataclass(frozen=True)
class Fit:
    """How well a product fits, as it is read."""

    share: float
    """Of the words that are wanted, those that it shows; in [0, 1]."""
    missing: tuple[str, ...]
    """The stems of the other words."""
    kind: bool
    """It is said to be of the kind that is wanted, and was not bought in vain before."""
    price: bool
    """The price is low enough."""
    fits: bool
    """All of it fits."""


@dataclass(frozen=True)
class Buyer:
    """One who compares products with what is wanted. Its questions may be misread."""

    wording: str
    wanted: Wanted
    misreading: Misreading
    shunned: frozenset[str] = frozenset()
    """Products that were bought before and did not fit."""

    def of_listing(self, listing: ListedProduct) -> Fit:
        """By title and price."""
        return self._fit(listing.product, listing.title, listing.price)

    def of_product(self, key: str, product: SeenProduct) -> Fit:
        """By all that was read of it, and the option values that would be chosen."""
        values = (value for value in self.meant(key, product).values() if self._is_said(value))
        return self._fit(key, " ".join((product.page.title, *product.texts.values(), *values)), product.page.price)

    def _fit(self, key: str, text: str, price: ShownPrice) -> Fit:
        shown, wrong = stems(text), self.misreading.wrong
        missing = tuple(word for word in self.wanted.words if word not in shown)
        share = 1 - len(missing) / len(self.wanted.words) if self.wanted.words else 1.0
        low_enough = self.wanted.limit is None or price.low <= self.wanted.limit
        if self.wanted.limit is not None:
            low_enough = low_enough != wrong(self.wording, "price fits", key)
        fits = (low_enough and not missing and key not in self.shunned) != wrong(self.wording, "fits", key)
        kind = self.wanted.kind in shown and key not in self.shunned
        return Fit(share, missing, kind, low_enough, fits)

    def _is_said(self, value: str) -> bool:
        """Whether a value is the one that is wanted, and not another kind of it, as `x-large` is of `large`."""
        first, *_ = (*content_stems(value), "")
        return first in self.wanted.words

    def meant(self, key: str, product: SeenProduct) -> dict[str, str]:
        """By option: the value that the instruction means, for all options of which it means one."""
        found: dict[str, str] = {}
        for name, values in product.page.options:
            if (right := _value_meant(self.wanted, name, values)) is not None:
                others = [value for value in values if value != right]
                found[name] = self.misreading.answer(right, others, self.wording, "means", key, name)
        return found


@lru_cache(maxsize=4096)
def _value_meant(wanted: Wanted, name: str, values: tuple[str, ...]) -> str | None:
    asked = next((value for named, value in wanted.named if _same(named, name)), None)
    text = wanted.text if asked is None else asked
    likeness = {value: _likeness(value, name, text) for value in values}
    best = max(values, key=likeness.__getitem__, default=None)
    return best if best is not None and likeness[best][0] >= _LIKE else None


def _same(one: str, other: str) -> bool:
    return bool(stems(one) & stems(other))


def _likeness(value: str, name: str, text: str) -> tuple[float, bool, bool, int]:
    """The share of the value's words that are said; whether it is said next to the option's name, or in one piece."""
    of_value = frozenset(content_stems(value)) or stems(value)
    if not of_value:
        return 0.0, False, False, 0
    words, phrase = f" {' '.join(tokens(text))} ", " ".join(tokens(value))
    named = any(f" {pair} " in words for pair in _beside(phrase, name))
    return len(of_value & stems(text)) / len(of_value), named, f" {phrase} " in words, len(of_value)


def _beside(phrase: str, name: str) -> Iterator[str]:
    for word in tokens(name):
        yield f"{word} {phrase}"
        yield f"{phrase} {word}"
