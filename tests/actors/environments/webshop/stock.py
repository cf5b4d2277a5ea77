"""A few products for tests, and a catalogue of them."""

from functools import cache
from typing import Any

from quintet.environments.webshop.catalogue.catalogue import Catalogue, catalogue_of
from quintet.environments.webshop.products import Product


def product(asin: str, title: str, **fields: Any) -> Product:
    """A product of $10.0 without options."""
    given: dict[str, Any] = {
        "description": "",
        "bullets": (),
        "price_text": "$10.0",
        "price_range": (10.0, 10.0),
        "options": {},
        "category": "home",
        "query": "things",
        "product_category": "Home › Things",
        "attributes": (),
    }
    return Product(asin=asin, title=title, **given | fields)


LAMPS = (
    product("B0LAMP0001", "Tallow Desk Lamp, Brass Finish", bullets=("Warm light", "Three years of warranty")),
    product(
        "B0LAMP0002",
        "Heron Dimmable Desk Lamp with USB Port",
        description="A lamp for reading.",
        bullets=("Five levels of light",),
        options={"color": ("black", "white"), "size": ("small", "large")},
        price_text="$29.99 to $35.5",
        price_range=(29.99, 35.5),
        attributes=("usb port",),
    ),
    product("B0LAMP0003", "Heron Dimmable Desk Lamp"),
    product("B0MUGS0001", "Stoneware Mug, 12 oz"),
    product(
        "B0MUGS0002",
        " Mug & Saucer ",
        bullets=("", "Dishwasher safe ", "\n"),
        options={"Maker's mark": ("none", " | with", "<3")},
    ),
)


@cache
def lamps() -> Catalogue:
    """A catalogue of lamps and mugs; each costs its least price."""
    return catalogue_of((each, each.price_range[0]) for each in LAMPS)
