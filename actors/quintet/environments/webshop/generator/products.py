"""Makes products: families of near-duplicates that differ in one attribute, option, price or brand."""

from collections.abc import Iterator, Mapping
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webshop.generator.tables import (
    CONTRADICTIONS,
    ProductKind,
    attribute_words,
    brands,
    category_path,
    option_values,
    product_kinds,
)
from quintet.environments.webshop.products import Product

MADE_UP = "B0Q"
"""How the ids of made-up products start."""
_CODES = 36**7
_STRIDE = 48_271_001
"""Shares no factor with `_CODES`, so that all ids differ."""
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SIBLINGS = (0, 1, 1, 2, 2, 3)
_DIFFERENCES = ("attribute", "attribute", "option", "price", "brand")
_ACRONYMS = {"Bpa": "BPA", "Usb": "USB", "Uv": "UV", "Gmo": "GMO"}
_LAST = (
    "Questions? Write to us; people answer, not machines.",
    "If it is not for you, send it back within 60 days.",
    "Packed with care by a team of nine.",
    "Thank you for shopping with a small company.",
    "Colors on screens vary a little from the real thing.",
)


class MadeUpProduct(Struct, frozen=True):
    """A product of a made-up shop."""

    product: Product
    kind: ProductKind
    distinctive: str | None
    """The attribute by which it differs from a near-duplicate, if it differs by one."""


class _Draft(Struct, frozen=True):
    """What a product is, before it is put into words."""

    kind: ProductKind
    brand: str
    noun: str
    use: str
    attributes: tuple[str, ...]
    """The first ones stand in the title, the last in a bullet or only in the description."""
    options: Mapping[str, tuple[str, ...]]
    price: tuple[float, float]
    distinctive: str | None = None


def made_up_products(seed: int) -> Iterator[MadeUpProduct]:
    """An endless series of products, the same for the same seed in every process."""
    number = 0
    kinds = product_kinds()
    family = 0
    while True:
        random = Random(f"webshop {seed} {family}")
        words = random.randrange(1 << 30)
        for draft in _family(kinds[family % len(kinds)], random):
            yield MadeUpProduct(_in_words(draft, _asin(number, seed), Random(words)), draft.kind, draft.distinctive)
            number += 1
        family += 1


def _family(kind: ProductKind, random: Random) -> Iterator[_Draft]:
    base = _draft(kind, random)
    siblings = [_vary(base, random.choice(_DIFFERENCES), random) for _ in range(random.choice(_SIBLINGS))]
    lacking = {name for each in siblings for name in base.attributes if name not in each.attributes}
    yield replace(base, distinctive=min(lacking, default=None))
    yield from siblings


def _draft(kind: ProductKind, random: Random) -> _Draft:
    options = {name: _some_values(values, random) for name, values in kind.options.items() if random.random() < 0.85}
    return _Draft(
        kind=kind,
        brand=random.choice(brands()),
        noun=random.choice(kind.titles),
        use=random.choice(kind.uses),
        attributes=_attributes(kind.attributes, random.randint(4, 6), random),
        options=options,
        price=_prices(*kind.price, random),
    )


def _vary(base: _Draft, difference: str, random: Random) -> _Draft:
    if difference == "option" and base.options:
        name = random.choice(list(base.options))
        others = [value for value in option_values()[base.kind.options[name]] if value not in base.options[name]]
        if others:
            return replace(base, options={**base.options, name: tuple(others[:5])})
    if difference == "price":
        factor = random.choice((0.55, 1.6, 2.1))
        low, high = base.price
        return replace(base, price=(_rounded(low * factor), _rounded(high * factor)))
    if difference == "brand":
        others = [brand for brand in brands() if brand != base.brand]
        return replace(base, brand=random.choice(others), use=random.choice(base.kind.uses))
    return _swap_attribute(base, random)


def _swap_attribute(base: _Draft, random: Random) -> _Draft:
    place = random.randrange(len(base.attributes))
    kept = base.attributes[:place] + base.attributes[place + 1 :]
    left = [name for name in base.kind.attributes if name not in base.attributes and _agrees(name, kept)]
    if not left:
        return replace(base, attributes=kept)
    new = random.choice(left)
    return replace(base, attributes=(*kept[:place], new, *kept[place:]), distinctive=new)


def _attributes(names: tuple[str, ...], number: int, random: Random) -> tuple[str, ...]:
    chosen: list[str] = []
    for name in random.sample(names, len(names)):
        if len(chosen) < number and _agrees(name, chosen):
            chosen.append(name)
    return tuple(chosen)


def _agrees(name: str, others: tuple[str, ...] | list[str]) -> bool:
    return not any({name, other} in CONTRADICTIONS for other in others)


def _some_values(values: str, random: Random) -> tuple[str, ...]:
    known = option_values()[values]
    chosen = set(random.sample(known, random.randint(min(3, len(known)), min(7, len(known)))))
    return tuple(value for value in known if value in chosen)


def _prices(cheapest: float, dearest: float, random: Random) -> tuple[float, float]:
    low = cheapest * (dearest / cheapest) ** random.random()
    high = low * random.uniform(1.2, 1.6) if random.random() < 0.12 else low
    return _rounded(low), _rounded(high)


def _rounded(price: float) -> float:
    return int(price) + (0.99, 0.95, 0.49, 0.75)[int(price * 10) % 4]


def _in_words(draft: _Draft, asin: str, random: Random) -> Product:
    """Near-duplicates get the same words but for what differs: `random` begins alike for all of a family."""
    kind, words = draft.kind, attribute_words()
    shown = 2 if random.random() < 0.5 else 1
    quiet = draft.attributes[-1:] if random.random() < 0.35 else ()
    said = {name: random.choice(words[name].said) for name in draft.attributes}
    bullets = [said[name] for name in draft.attributes if name not in quiet]
    bullets.insert(random.randint(1, len(bullets)), random.choice(kind.details))
    description = [*random.sample(kind.about, 2), *(f"{said[name]}." for name in quiet), random.choice(_LAST)]
    low, high = draft.price
    return Product(
        asin=asin,
        title=_title(draft, draft.attributes[:shown], random),
        description=" ".join(description),
        bullets=tuple(bullets),
        price_text=f"${low}" if low == high else f"${low} to ${high}",
        price_range=(low, high),
        options=draft.options,
        category=kind.category,
        query=kind.query,
        product_category=f"{category_path(kind.category)} › {kind.path}",
        attributes=draft.attributes,
    )


def _title(draft: _Draft, shown: tuple[str, ...], random: Random) -> str:
    first, *more = (_title_case(name) for name in shown)
    rest = f", {more[0]}" if more else ""
    return random.choice(
        (
            f"{draft.brand} {draft.noun}, {first}{rest}, for {draft.use}",
            f"{draft.brand} {first} {draft.noun} for {draft.use}{rest.replace(', ', ' - ')}",
            f"{draft.noun} by {draft.brand}, {first}{rest} - Great for {draft.use}",
            f"{draft.brand} {draft.noun} for {draft.use} ({first}{rest})",
        )
    )


def _title_case(name: str) -> str:
    return " ".join(_ACRONYMS.get(word, word) for word in name.title().split())


def _asin(number: int, seed: int) -> str:
    code = (number * _STRIDE + seed * 7_919) % _CODES
    digits = ""
    for _ in range(7):
        code, digit = divmod(code, 36)
        digits = _DIGITS[digit] + digits
    return f"{MADE_UP}{digits}"
