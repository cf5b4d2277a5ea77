"""The small shop in which the worked examples of WebShop's prompts were played. None of its products is shipped."""

from collections.abc import Mapping
from typing import Any

from quintet.environments.webshop.catalogue.catalogue import catalogue_of
from quintet.environments.webshop.goals.instructions import Goal
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.reward.score import find_tagger
from quintet.environments.webshop.state import ShoppingTask, WebShopState
from quintet.environments.webshop.storefront import Storefront
from tests.actors.environments.webshop.stock import product

_TEA = {"flavor name": ("chamomile", "ginger lemon", "peppermint"), "size": ("20 count", "50 count", "100 count")}
_SOCKS = {"color": ("heather grey", "moss green", "plum"), "size": ("small", "medium", "large")}


def _product(asin: str, title: str, price: float, options: Mapping[str, tuple[str, ...]], *bullets: str) -> Product:
    said = f"{title}: a favourite of our customers."
    priced: dict[str, Any] = {"price_text": f"${price}", "price_range": (price, price)}
    return product(asin, title, description=said, options=options, bullets=bullets, **priced)


_TEA_BAGS = "Naturally caffeine free, for the evening", "Every tea bag is individually wrapped"
_LEAVES = {"size": ("4 ounce", "16 ounce")}
_LAMP = {"color": ("amber", "emerald green")}
PRODUCTS = (
    _product("B0TEA5N3HC", "Morrow Hill Peppermint Tea Bags, Caffeine Free Herbal Tea", 9.75, _TEA, *_TEA_BAGS),
    _product("B0TEA1V8KZ", "Larkspur Loose Leaf Peppermint Infusion", 14.2, _LEAVES, "Whole leaves in a paper pouch"),
    _product(
        "B0TEA7Q6JM",
        "Dunmere Peppermint Tea, Gift Tin of Tea Bags",
        16.3,
        {},
        "A tin of 40 tea bags in one sealed pouch",
    ),
    _product("B0SCK3D7PF", "Tarn Trail Merino Wool Hiking Socks for Women, 2 Pairs", 16.0, _SOCKS, "Cushioned sole"),
    _product(
        "B0SCK6W1GB",
        "Tarn Trail Wool Hiking Socks for Men, 3 Pairs",
        21.5,
        {"size": ("medium", "large")},
        "Ribbed cuff",
    ),
    _product(
        "B0LMP4R7QX",
        "Harrow & Finch Banker Desk Lamp with Glass Shade",
        34.99,
        _LAMP,
        "Pull chain switch, no dimmer",
        "One USB port in the base",
    ),
)


def customer(instruction: str) -> WebShopState:
    """A session of somebody who wants this."""
    shown = {"category": "", "query": "", "product_category": "", "title": PRODUCTS[0].title}
    asin = PRODUCTS[0].asin
    goal = Goal(asin=asin, instruction=instruction, attributes=("tea",), options=(), price_limit=100.0, **shown)
    front = Storefront(catalogue_of((each, each.price_range[0]) for each in PRODUCTS), 10, released=False)
    nouns = find_tagger("words")
    return WebShopState(ShoppingTask(goal=goal, front=front, nouns=nouns, form="client", clicks="line", max_steps=None))
