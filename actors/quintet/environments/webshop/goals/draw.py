"""Makes goals of instructions: price limits, combinations of options, order and splits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from random import Random

from quintet.environments.webshop.goals.instructions import (
    NO_LIMIT,
    Goal,
    HumanInstruction,
    SyntheticInstruction,
    WantedOption,
)
from quintet.environments.webshop.products import Product

_LIMITS = range(10, 1000, 10)
"""Price limits in dollars."""
_ORDER = 233
"""The seed by which the released code shuffles its goals."""
_RELEASED = (500, 1_000)
"""Goals in the released splits `test` and `eval`; `train` has the rest."""
_SMALL = sum(_RELEASED)
"""A list of at most this many goals is split 2 : 1 : 2, since it would leave none to train on."""
_PARTS = (("adapt", "test", 100), ("adapt-dev", "eval", 40))
"""Parts of splits: ADaPT's 100 instructions, and as many as it chose its prompts by."""


def kept_price(product: Product) -> float:
    """What a product costs, in dollars: of a range, one price, drawn once for all by its id.

    Differs from the released code, which draws it anew in every process.
    """
    low, high = product.price_range
    return low if low == high else Random(f"price of {product.asin}").uniform(low, high)


def human_goals(
    priced: Iterable[tuple[Product, float]], instructions: Mapping[str, Sequence[HumanInstruction]]
) -> Iterator[Goal]:
    """A goal for each instruction that names an attribute, in the order of the products."""
    for each, price in priced:
        for place, written in enumerate(instructions.get(each.asin, ())):
            if written.instruction_attributes:
                limit, text = _price_limit(f"{each.asin} {place}", price)
                options = tuple(map(WantedOption, written.instruction_options))
                instruction = written.instruction.strip(".") + text
                yield _goal(each, instruction, written.instruction_attributes, options, limit)


def synthetic_goals(
    priced: Iterable[tuple[Product, float]], instructions: Mapping[str, SyntheticInstruction]
) -> Iterator[Goal]:
    """A goal for each combination of options of each product with an instruction, in the order of the products."""
    for each, price in priced:
        if (written := instructions.get(each.asin)) is None:
            continue
        limit, text = _price_limit(f"{each.asin} synthetic", price)
        names = sorted(each.options)
        for values in product(*(each.options[name] for name in names)):
            said = ", and ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
            instruction = f"{written.instruction}{' with ' if said else ''}{said}{text}"
            options = tuple(map(WantedOption, values, names))
            yield _goal(each, instruction, written.instruction_attributes, options, limit)


def shuffled(goals: Iterable[Goal]) -> Sequence[Goal]:
    """In the order in which the released code numbers them."""
    ordered = list(goals)
    Random(_ORDER).shuffle(ordered)
    return ordered


def splits(goals: Mapping[str, Goal]) -> Mapping[str, Mapping[str, Goal]]:
    """The goals by split, then by name; no split is empty.

    `test`, `eval`, `train`: the first 500, the next 1,000 and the rest, as released; of up to 1,500 goals, two fifths,
    one fifth and the rest. `adapt`, `adapt-dev`: the first of `test` and of `eval`.
    """
    sizes = _RELEASED if len(goals) > _SMALL else (-(-len(goals) * 2 // 5), len(goals) // 5)
    rest = iter(goals.items())
    found = {"test": dict(islice(rest, sizes[0])), "eval": dict(islice(rest, sizes[1])), "train": dict(rest)}
    found.update({name: dict(islice(found[whole].items(), size)) for name, whole, size in _PARTS})
    return {name: part for name, part in found.items() if part}


def _price_limit(drawn_for: str, price: float) -> tuple[float, str]:
    """The larger of two of the next four limits above a price, and how the instruction says it."""
    above = [limit for limit in _LIMITS if limit > price][:4]
    if len(above) < 2:
        return NO_LIMIT, ""
    limit = max(Random(f"limit of {drawn_for}").sample(above, 2))
    return float(limit), f", and price lower than {limit:.2f} dollars"


def _goal(
    about: Product, instruction: str, attributes: tuple[str, ...], options: tuple[WantedOption, ...], limit: float
) -> Goal:
    return Goal(
        asin=about.asin,
        instruction=instruction,
        attributes=attributes,
        options=options,
        price_limit=limit,
        title=about.title,
        category=about.category,
        query=about.query,
        product_category=about.product_category,
    )
