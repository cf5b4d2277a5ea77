"""A shop: the made-up one, one of a folder of official files, or of a file that was built of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from quintet.environments.options import check_choice
from quintet.environments.webshop.catalogue.catalogue import Catalogue, catalogue_of, open_catalogue
from quintet.environments.webshop.generator.products import MADE_UP
from quintet.environments.webshop.generator.wishes import wanted_products
from quintet.environments.webshop.goals.draw import human_goals, kept_price, shuffled, splits, synthetic_goals
from quintet.environments.webshop.goals.instructions import (
    Goal,
    HumanInstruction,
    Instructions,
    pack,
    read_human_instructions,
    read_product_notes,
    unpack_human,
    unpack_synthetic,
)
from quintet.environments.webshop.products import Product, read_products
from quintet.errors import UsageError
from quintet.ports.task_names import unknown_split, unknown_task

OFFICIAL = ".json"
"""How the names of official files end; those of built ones do not."""
PRODUCTS, NOTES, HUMAN = "items_shuffle", "items_ins_v2", "items_human_ins"
_HOW = "the WebShop project's setup.sh fetches the official files, `quintet data generate webshop` makes some up"


class ShopFiles(Struct, frozen=True):
    """The files of a shop."""

    products: Path
    notes: Path
    """Attributes and synthetic instructions."""
    human: Path | None
    """Instructions that people wrote."""


def is_built(path: Path) -> bool:
    """Whether a path is that of a file that was built, and not of official ones."""
    return path.is_file() and path.suffix != OFFICIAL


def locate(path: Path) -> ShopFiles:
    """The files of a shop.

    Args:
        path: a folder with `items_shuffle.json` or one like it, `items_ins_v2.json` and, for human goals,
            `items_human_ins.json`; or the file of products in such a folder.

    Raises:
        UsageError: a file is missing, or it is not clear which one is meant.
    """
    if not path.exists():
        raise UsageError(f"data: expected a folder or a file, got nothing there; {_HOW} ({path})")
    if is_built(path):
        raise UsageError(f"data: expected official files, got one that is built already, or no .json ({path})")
    products = path if path.is_file() else _one(path, PRODUCTS, "")
    variant = products.stem.removeprefix(PRODUCTS) if products.stem.startswith(PRODUCTS) else ""
    human = products.with_name(f"{HUMAN}.json")
    return ShopFiles(products, _one(products.parent, NOTES, variant), human if human.is_file() else None)


def read_shop_files(files: ShopFiles) -> tuple[Iterator[Product], Instructions]:
    """The products, read one by one, and what customers ask for."""
    notes = read_product_notes(files.notes)
    human: Mapping[str, tuple[HumanInstruction, ...]] = {}
    if files.human is not None:
        human = read_human_instructions(files.human)
    synthetic = {asin: written for asin, note in notes.items() if (written := note.synthetic) is not None}
    attributes = {asin: note.attributes for asin, note in notes.items()}
    return read_products(files.products, attributes), Instructions(human, synthetic)


def _one(folder: Path, name: str, variant: str) -> Path:
    """The file of a variant, as `_1000`; else the plain one, or the only one."""
    for exact in (f"{name}{variant}.json", f"{name}.json"):
        if (folder / exact).is_file():
            return folder / exact
    found = sorted(folder.glob(f"{name}*.json")) if folder.is_dir() else []
    if len(found) == 1:
        return found[0]
    got = ", ".join(each.name for each in found) or "none"
    raise UsageError(f"data: expected one file {name}*.json, got {got}; {_HOW} ({folder})")


@dataclass(frozen=True)
class Shop:
    """Products, and the goals of their customers."""

    version: str
    """Changes when a product, a price or a goal does."""
    catalogue: Catalogue
    goals: Mapping[str, Mapping[str, Goal]]
    """By split and task; a task of two splits is the same in both."""

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self.goals)

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.goals:
            raise unknown_split(split, self.goals, "webshop")
        return tuple(self.goals[split])

    def goal(self, task: str) -> Goal:
        for goals in self.goals.values():
            if task in goals:
                return goals[task]
        raise unknown_task(task, (name for goals in self.goals.values() for name in goals), "webshop")

    def metadata(self, task: str) -> Mapping[str, str]:
        goal = self.goal(task)
        wanted = len(goal.options)
        return {"category": goal.category, "options": "3+" if wanted > 2 else str(wanted)}


GoalShape: TypeAlias = Literal["human", "synthetic"]
"""`human`: an instruction in a person's words. `synthetic`: attributes and options listed, a goal per combination."""
_SHIPPED = 500
"""Products of the made-up shop, and its goals of either shape."""


def open_shop(data: Path | None = None, goals: GoalShape = "human") -> Shop:
    """A shop.

    Args:
        data: a file that `quintet data build webshop` wrote, a folder with official files, or its file of products;
            None: the made-up shop, the same for everyone.

    Raises:
        UsageError: the data cannot be read, or hold no goal of that shape.
    """
    check_choice("goals", goals, get_args(GoalShape), "webshop")
    if data is None:
        return _made_up(goals)
    path = data.expanduser()
    if is_built(path):
        catalogue = open_catalogue(path)
    else:
        products, instructions = read_shop_files(locate(path))
        catalogue = catalogue_of(priced(products), pack(instructions))
    found = _shop_of(catalogue, goals)
    if not found.goals:
        files = "human ones are in items_human_ins.json, synthetic ones in items_ins_v2.json"
        raise UsageError(f"goals: expected {goals} ones about products that are there, got none; {files} ({data})")
    return found


def priced(products: Iterable[Product]) -> Iterator[tuple[Product, float]]:
    """Products with what they cost."""
    return ((product, kept_price(product)) for product in products)


def _shop_of(catalogue: Catalogue, shape: GoalShape, most: int | None = None) -> Shop:
    """The shop of products and of the instructions that are kept with them, with the first `most` goals."""
    if shape == "human":
        human = unpack_human(catalogue.notes)
        drawn = human_goals(_about(catalogue, human), human)
    else:
        synthetic = unpack_synthetic(catalogue.notes)
        drawn = synthetic_goals(_about(catalogue, synthetic), synthetic)
    named = _named(shuffled(drawn)[:most], shape)
    digest = blake2b(msgspec.msgpack.encode([*named.values()]), digest_size=4).hexdigest()
    return Shop(f"{shape}-{digest}-{catalogue.digest}", catalogue, splits(named))


@cache
def _made_up(shape: GoalShape) -> Shop:
    return _shop_of(_made_up_catalogue(), shape, _SHIPPED)


@cache
def _made_up_catalogue() -> Catalogue:
    shop = list(wanted_products(_SHIPPED, _SHIPPED, seed=0))
    human = {each.product.asin: each.human for each in shop}
    synthetic = {each.product.asin: each.synthetic for each in shop}
    return catalogue_of(priced(each.product for each in shop), pack(Instructions(human, synthetic)))


def _about(catalogue: Catalogue, instructions: Iterable[str]) -> Iterator[tuple[Product, float]]:
    """The products that instructions are about, in order; those that are not there are passed over, as released."""
    numbers = sorted(number for asin in instructions if (number := catalogue.number(asin)) is not None)
    return ((catalogue.product(number), catalogue.price(number)) for number in numbers)


def _named(goals: Iterable[Goal], shape: GoalShape) -> Mapping[str, Goal]:
    """By shape and place; goals of made-up products have another name, so that nobody takes them for official ones."""
    return {f"{'shop' if goal.asin.startswith(MADE_UP) else shape}-{place}": goal for place, goal in enumerate(goals)}
