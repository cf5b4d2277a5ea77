"""Fills the shop with reviews of its products."""

import sqlite3

from quintet.environments.webarena.sites.shop.stock.draw import Draw
from quintet.environments.webarena.sites.shop.stock.tables import people_tables

_REVIEWS = 600
_WAITING = 14
"""How many of the last ones nobody has approved yet."""
_GOOD = ((0, 2), (1, 2), (1, 1), (2, 1), (2, 0))
"""How many good and how many bad things a review says, by its stars."""


def add_reviews(db: sqlite3.Connection) -> None:
    """Fill reviews in the order of their days. Products differ in how well they are liked."""
    draw = Draw("shop reviews")
    words = people_tables().reviews
    customers = db.execute("SELECT id, first, last FROM shop_customers ORDER BY id").fetchall()
    products = [row["id"] for row in db.execute("SELECT id FROM shop_products ORDER BY id")]
    liked = {product: draw.whole(1, 4) for product in products}
    popular = draw.some(products, 50)
    moments = sorted(draw.moment(700, 699) for _ in range(_REVIEWS))
    for place, created in enumerate(moments):
        product = draw.pick(popular) if draw.chance(0.55) else draw.pick(products)
        stars = min(5, max(1, liked[product] + draw.whole(-1, 2)))
        customer = draw.pick(customers)
        good, bad = _GOOD[stars - 1]
        parts = [draw.pick(words.openings[stars - 1]).format(days=draw.whole(2, 90))]
        parts += [*draw.some(words.good, good), *draw.some(words.bad, bad)]
        status = "Pending" if place >= _REVIEWS - _WAITING else "Rejected" if draw.chance(0.01) else "Approved"
        db.execute(
            "INSERT INTO shop_reviews (product_id, customer_id, nickname, title, text, rating, status, created) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                product, customer["id"], f"{customer['first']} {customer['last'][0]}.",
                draw.pick(words.titles[stars - 1]), " ".join(parts), stars, status, created,
            ),
        )  # fmt: skip
