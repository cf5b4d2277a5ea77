"""Fills the shop with categories and products."""

import sqlite3

from quintet.environments.webarena.sites.shop.stock.draw import Draw
from quintet.environments.webarena.sites.shop.stock.tables import StockKind, stock_tables

_PRODUCTS = 200
_ENDS = (99, 95, 50, 0)


def slug(name: str) -> str:
    """A name as it stands in an address: `Mugs and Cups` is `mugs-and-cups`."""
    kept = "".join(letter if letter.isalnum() else " " for letter in name.lower())
    return "-".join(kept.split())


def add_products(db: sqlite3.Connection) -> None:
    """Fill categories, products, their options, details and relations."""
    draw = Draw("shop products")
    kinds = stock_tables().kinds
    parents: dict[str, int] = {}
    number = 0
    for place, kind in enumerate(kinds):
        if kind.category not in parents:
            parents[kind.category] = _add_category(db, None, kind.category)
        category = _add_category(db, parents[kind.category], kind.name)
        count = _PRODUCTS // len(kinds) + (place < _PRODUCTS % len(kinds))
        for name, price in zip(_names(draw, kind, count), _prices(draw, kind, count), strict=True):
            number += 1
            _add_product(db, draw, kind, number, category, name, price)
    _relate(db, draw)


def _add_category(db: sqlite3.Connection, parent: int | None, name: str) -> int:
    added = db.execute(
        "INSERT INTO shop_categories (parent_id, name, slug) VALUES (?, ?, ?)", (parent, name, slug(name))
    )
    return added.lastrowid or 0


def _names(draw: Draw, kind: StockKind, count: int) -> list[tuple[str, str, str]]:
    """Material, size and name of each product; no two are called alike."""
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < count:
        material, size = draw.pick(kind.materials), draw.pick(kind.sizes.values)
        name = f"{draw.pick(kind.adjectives)} {material} {draw.pick(kind.nouns)}, {size}"
        found.setdefault(name, (material, size, name))
    return list(found.values())


def _prices(draw: Draw, kind: StockKind, count: int) -> list[int]:
    """In cents, and no two of a kind are equal, so that there is one cheapest product."""
    found: dict[int, None] = {}
    while len(found) < count:
        found[draw.whole(kind.price[0], kind.price[1] - 1) * 100 + draw.pick(_ENDS)] = None
    return list(found)


def _add_product(
    db: sqlite3.Connection,
    draw: Draw,
    kind: StockKind,
    number: int,
    category: int,
    name: tuple[str, str, str],
    price: int,
) -> None:
    tables = stock_tables()
    material, size, words = name
    brand = draw.pick(tables.brands)
    title = f"{brand} {words}"
    colours = draw.some(tables.colours, draw.whole(2, 4) if draw.chance(0.6) else 1)
    stock = 0 if draw.chance(0.05) else draw.whole(1, 9) if draw.chance(0.12) else draw.whole(10, 120)
    about = " ".join(draw.some(kind.about, 2))
    description = f"{words} by {brand}. {about} Made of {material.lower()}."
    sku = f"{kind.category[:2].upper()}{kind.name[0].upper()}-{1000 + number * 7}"
    db.execute(
        "INSERT INTO shop_products VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)",
        (
            number, sku, title, slug(title), category, brand, price, stock, colours[0], description,
            draw.moment(900, 170),
        ),
    )  # fmt: skip
    if len(colours) > 1:
        db.executemany(
            "INSERT INTO shop_options (product_id, name, value) VALUES (?, 'Color', ?)",
            [(number, colour) for colour in colours],
        )
    details = {
        "Brand": brand,
        "Material": material,
        kind.sizes.name: size,
        "Weight": f"{draw.whole(2, 120) / 10:.1f} lb",
        "Guarantee": f"{draw.pick((1, 2, 3, 5, 10))} years",
        "Made in": draw.pick(("Portugal", "Estonia", "Slovenia", "Vietnam", "Mexico", "Canada")),
        "Care": draw.pick(("Wipe with a damp cloth", "Wash by hand", "Keep dry", "Oil once a year")),
    }
    db.executemany(
        "INSERT INTO shop_details (product_id, name, value) VALUES (?, ?, ?)",
        [(number, key, value) for key, value in details.items()],
    )


def _relate(db: sqlite3.Connection, draw: Draw) -> None:
    rows = db.execute("SELECT id, category_id FROM shop_products ORDER BY id").fetchall()
    for row in rows:
        alike = [
            other["id"] for other in rows if other["category_id"] == row["category_id"] and other["id"] != row["id"]
        ]
        others = [other["id"] for other in rows if other["category_id"] != row["category_id"]]
        for related in [*draw.some(alike, 3), draw.pick(others)]:
            db.execute("INSERT INTO shop_related (product_id, related_id) VALUES (?, ?)", (row["id"], related))
