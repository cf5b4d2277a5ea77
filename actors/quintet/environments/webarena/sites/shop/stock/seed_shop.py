"""Fills the shop's tables."""

import sqlite3

from quintet.environments.webarena.sites.shop.stock.orders import add_orders
from quintet.environments.webarena.sites.shop.stock.people import add_people
from quintet.environments.webarena.sites.shop.stock.products import add_products
from quintet.environments.webarena.sites.shop.stock.promotions import add_promotions
from quintet.environments.webarena.sites.shop.stock.reviews import add_reviews


def seed_shop(db: sqlite3.Connection) -> None:
    """Fill all of it; the back office has the same tables."""
    add_products(db)
    add_people(db)
    add_orders(db)
    add_reviews(db)
    add_promotions(db)
