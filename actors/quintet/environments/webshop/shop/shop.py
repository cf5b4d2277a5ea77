"""A shop: products, and the goals of its customers by task."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from quintet.environments.webshop.catalogue.catalogue import Catalogue
from quintet.environments.webshop.catalogue.write import catalogue_of
from quintet.environments.webshop.goals.goal import Goal, WantedOption
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.purchase import Purchase
from quintet.errors import UsageError


@dataclass(frozen=True)
class Shop:
    """Products, and the goals of their customers."""

    version: str
    catalogue: Catalogue
    goals: Mapping[str, Mapping[str, Goal]]
    """By split and task."""
    purchases: Mapping[str, Purchase]
    """The shortest of the best purchases that are known, by task."""

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self.goals)

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.goals:
            raise UsageError(f"split: expected {' or '.join(self.goals)}, got {split!r} (webshop)")
        return tuple(self.goals[split])

    def goal(self, task: str) -> Goal:
        for goals in self.goals.values():
            if task in goals:
                return goals[task]
        near = get_close_matches(task, [name for goals in self.goals.values() for name in goals], n=3)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise UsageError(f"task: expected a goal of the shop, got {task!r} (webshop){hint}")

    def metadata(self, task: str) -> Mapping[str, str]:
        goal = self.goal(task)
        wanted = len(goal.options)
        return {"category": goal.category, "options": "3+" if wanted > 2 else str(wanted)}


def open_shop() -> Shop:
    """A shop of six lamps and mugs, until the shipped one is here."""
    catalogue = catalogue_of(map(_priced, _PRODUCTS))
    lamp = Goal(
        asin="B0LAMP0002",
        instruction="i want a dimmable desk lamp in white with a usb port, and price lower than 40.00 dollars",
        attributes=("usb port",),
        options=(WantedOption("white"), WantedOption("large")),
        price_limit=40.0,
        title=_PRODUCTS[1].title,
        category="home",
        query="desk lamps",
        product_category="Home › Lamps › Desk Lamps",
    )
    bought = Purchase("dimmable desk lamp usb", "B0LAMP0002", {"color": "white", "size": "large"})
    return Shop("sample", catalogue, {"test": {"lamp-1": lamp}}, {"lamp-1": bought})


def _priced(product: Product) -> tuple[Product, float]:
    return product, product.price_range[0]


def _product(asin: str, title: str, price: float, colors: tuple[str, ...], *bullets: str) -> Product:
    return Product(
        asin=asin,
        title=title,
        description=f"{title}. Made for everyday use.",
        bullets=bullets,
        price_text=f"${price}",
        price_range=(price, price),
        options={"color": colors, "size": ("small", "large")},
        category="home",
        query="desk lamps" if "Lamp" in title else "mugs",
        product_category="Home › Lamps › Desk Lamps" if "Lamp" in title else "Home › Kitchen › Mugs",
        attributes=("usb port",) if "USB" in title else (),
    )


_PRODUCTS = (
    _product("B0LAMP0001", "Tallow Desk Lamp, Brass Finish", 35.5, ("gold", "white"), "Warm light"),
    _product("B0LAMP0002", "Heron Dimmable Desk Lamp with USB Port", 29.99, ("black", "white"), "Five levels of light"),
    _product("B0LAMP0003", "Heron Dimmable Desk Lamp", 24.99, ("black", "white"), "Five levels of light"),
    _product("B0MUGS0001", "Stoneware Mug, 12 oz", 9.5, ("blue", "white"), "Safe in the dishwasher"),
    _product("B0MUGS0002", "Stoneware Mug with Lid, 16 oz", 14.0, ("blue", "green"), "Safe in the dishwasher"),
    _product("B0MUGS0003", "Glass Mug, Set of 4", 22.0, ("clear",), "Double wall"),
)
