"""The small shop in which the worked examples of WebShop's prompts were played. None of its products is shipped."""

from collections.abc import Mapping

from quintet.environments.webshop.catalogue.write import catalogue_of
from quintet.environments.webshop.goals.goal import Goal
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.reward.nouns import find_tagger
from quintet.environments.webshop.state import ShoppingTask, WebShopState
from quintet.environments.webshop.storefront import Storefront


def _product(asin: str, title: str, price: float, options: Mapping[str, tuple[str, ...]], *bullets: str) -> Product:
    return Product(
        asin=asin,
        title=title,
        description=f"{title}: a favourite of our customers.",
        bullets=bullets,
        price_text=f"${price}",
        price_range=(price, price),
        options=options,
        category="",
        query="",
        product_category="",
        attributes=(),
    )


_TEA = {"flavor name": ("chamomile", "ginger lemon", "peppermint"), "size": ("20 count", "50 count", "100 count")}
_SOCKS = {"color": ("heather grey", "moss green", "plum"), "size": ("small", "medium", "large")}
PRODUCTS = (
    _product(
        "B0TEA5N3HC",
        "Morrow Hill Peppermint Tea Bags, Caffeine Free Herbal Tea",
        9.75,
        _TEA,
        "Naturally caffeine free, for the evening",
        "Every tea bag is individually wrapped",
    ),
    _product(
        "B0TEA1V8KZ",
        "Larkspur Loose Leaf Peppermint Infusion",
        14.2,
        {"size": ("4 ounce", "16 ounce")},
        "Whole leaves in a paper pouch",
    ),
    _product(
        "B0TEA7Q6JM",
        "Dunmere Peppermint Tea, Gift Tin of Tea Bags",
        16.3,
        {},
        "A tin of 40 tea bags in one sealed pouch",
    ),
    _product(
        "B0SCK3D7PF",
        "Tarn Trail Merino Wool Hiking Socks for Women, 2 Pairs",
        16.0,
        _SOCKS,
        "Cushioned sole",
    ),
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
        {"color": ("amber", "emerald green")},
        "Pull chain switch, no dimmer",
        "One USB port in the base",
    ),
)


def customer(instruction: str) -> WebShopState:
    """A session of somebody who wants this."""
    goal = Goal(
        asin="B0TEA5N3HC",
        instruction=instruction,
        attributes=("tea",),
        options=(),
        price_limit=100.0,
        category="",
        query="",
        product_category="",
        title=PRODUCTS[0].title,
    )
    front = Storefront(catalogue_of((each, each.price_range[0]) for each in PRODUCTS), 10, search_anywhere=False)
    start = ShoppingTask(
        goal=goal,
        front=front,
        nouns=find_tagger("words"),
        form="client",
        clicks="line",
        max_steps=None,
    )
    return WebShopState(start)
