"""Puts into customers' words what is wanted of made-up products: human instructions, and synthetic ones."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

from msgspec import Struct

from quintet.environments.webshop.generator.products import MadeUpProduct, made_up_products
from quintet.environments.webshop.generator.tables import attribute_words
from quintet.environments.webshop.goals.instructions import HumanInstruction, SyntheticInstruction
from quintet.environments.webshop.products import Product

_OPENINGS = (
    "i am looking for",
    "i need",
    "i want",
    "i would like to buy",
    "i'm shopping for",
    "find me",
    "please find",
    "i'd like to get",
    "i want to order",
    "looking for",
    "can you get me",
    "help me find",
    "i'm in need of",
    "my sister needs",
    "i have to replace an old one, so find me",
    "for a birthday present i need",
)
_BY_OPTION = {
    "color": (" in {}", ", {} color", ". i'd like the color {}", ", and i want the {} one"),
    "flavor": (", {} flavor", " in {} flavor", ". i want the flavor {}"),
    "scent": (" with {} scent", ". the scent should be {}"),
    "style": (" in {} style", ", {} style"),
    "size": (", size {}", " in size {}", ". the size should be {}", ". i need the {} size"),
}
_AT_MOST_BEFORE = 2
_VOWEL = re.compile("(?!uv )[aeiou]")
"""How a word begins that follows `an`."""


class WantedProduct(Struct, frozen=True):
    """A made-up product, and what customers ask for who want it."""

    product: Product
    human: tuple[HumanInstruction, ...]
    synthetic: SyntheticInstruction


def wanted_products(products: int, goals: int, seed: int) -> Iterator[WantedProduct]:
    """A made-up shop, product by product; the same for the same seed in every process.

    Args:
        products: how many. More products begin with those of fewer.
        goals: human instructions, spread evenly; the first products have one more than the last.
        seed: of the products and of the instructions.
    """
    for number, wanted in enumerate(islice(made_up_products(seed), products)):
        random = Random(f"wishes {seed} {number}")
        synthetic = synthetic_instruction(wanted, random)
        wishes = goals // products + (number < goals % products)
        yield WantedProduct(wanted.product, tuple(human_instruction(wanted, random) for _ in range(wishes)), synthetic)


def human_instruction(wanted: MadeUpProduct, random: Random) -> HumanInstruction:
    """An instruction in the words of a customer who wants some of what the product has."""
    product = wanted.product
    attributes = _wanted(wanted, random)
    chosen = {name: random.choice(values) for name, values in product.options.items() if random.random() < 0.75}
    noun = _described(random.choice(wanted.kind.asked), attributes, random)
    options = "".join(random.choice(_BY_OPTION[name]).format(value) for name, value in chosen.items())
    return HumanInstruction(
        instruction=f"{random.choice(_OPENINGS)} {noun}{options}",
        instruction_attributes=attributes,
        instruction_options=tuple(chosen.values()),
    )


def synthetic_instruction(wanted: MadeUpProduct, random: Random) -> SyntheticInstruction:
    """The fixed part of a product's synthetic goals."""
    attributes = _wanted(wanted, random)
    return SyntheticInstruction(
        instruction=f"Find me {', '.join(attributes)} {wanted.product.query}", instruction_attributes=attributes
    )


def _wanted(wanted: MadeUpProduct, random: Random) -> tuple[str, ...]:
    """One to three attributes, the distinctive one among them."""
    own = wanted.product.attributes
    chosen = {*random.sample(own, random.choice((1, 1, 2, 2, 3)))}
    if wanted.distinctive is not None:
        chosen.add(wanted.distinctive)
    return tuple(name for name in own if name in chosen)


def _described(asked: str, attributes: tuple[str, ...], random: Random) -> str:
    before: list[str] = []
    after: list[str] = []
    for name in attributes:
        words = attribute_words()[name]
        if words.before and len(before) < _AT_MOST_BEFORE and (not words.after or random.random() < 0.5):
            before.append(random.choice(words.before))
        else:
            after.append(random.choice(words.after) if words.after else f"that has to be {name}")
    noun = " ".join(asked.replace("*", ", ".join(before)).split())
    described = " ".join((noun, " and ".join(after))).strip()
    article, _, rest = described.partition(" ")
    if article in {"a", "an"}:
        return f"{'an' if _VOWEL.match(rest) else 'a'} {rest}"
    return described
