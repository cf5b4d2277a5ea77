"""Writes a made-up shop in the layout of the official files."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from quintet.environments.webshop.generator.wishes import WantedProduct
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.shop.open import HUMAN, NOTES, PRODUCTS
from quintet.errors import UsageError

_encode = msgspec.json.Encoder().encode


def write_shop(out: Path, shop: Iterable[WantedProduct]) -> None:
    """Write products, their attributes and the instructions to three files, product by product."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise UsageError(f"--out: expected a new or empty folder, got one with files in it ({out})")
        with (
            _items(out / f"{PRODUCTS}.json", b"[]") as products,
            _items(out / f"{NOTES}.json", b"{}") as notes,
            _items(out / f"{HUMAN}.json", b"{}") as human,
        ):
            for each in shop:
                asin = _encode(each.product.asin)
                products.add(_encode(_record(each.product)))
                notes.add(
                    asin
                    + b":"
                    + _encode({"attributes": each.product.attributes, **msgspec.to_builtins(each.synthetic)})
                )
                if each.human:
                    human.add(asin + b":" + _encode(each.human))
    except OSError as error:
        raise UsageError(f"--out: expected a folder that can be written, got {error.strerror} ({out})") from error


class _Items:
    """The items of a JSON list or object, one a line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._before = b"\n"

    def add(self, item: bytes) -> None:
        self._file.write(self._before + item)
        self._before = b",\n"


@contextmanager
def _items(path: Path, brackets: bytes) -> Generator[_Items]:
    with path.open("wb") as file:
        file.write(brackets[:1])
        yield _Items(file)
        file.write(b"\n" + brackets[1:] + b"\n")


def _record(product: Product) -> dict[str, object]:
    """In the official schema; `images` is there for the released code, which reads one."""
    return {
        "asin": product.asin,
        "name": product.title,
        "full_description": product.description,
        "small_description": product.bullets,
        "pricing": product.price_text.replace(" to ", " - "),
        "customization_options": {
            name: [{"value": value, "image": None} for value in values] for name, values in product.options.items()
        },
        "category": product.category,
        "query": product.query,
        "product_category": product.product_category,
        "images": [""],
    }
