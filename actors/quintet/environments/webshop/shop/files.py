"""The official files of a shop: products, their attributes, and what customers ask for."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from quintet.environments.webshop.goals.instructions import (
    HumanInstruction,
    Instructions,
    read_human_instructions,
    read_product_notes,
)
from quintet.environments.webshop.products import Product, read_products
from quintet.errors import UsageError

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
