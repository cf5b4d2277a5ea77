"""Fills the shop with two years of orders, their invoices, shipments and comments."""

import sqlite3
from typing import Any

from quintet.environments.webarena.sites.clock import OPENING_MOMENT, moment_after
from quintet.environments.webarena.sites.shop.stock.draw import Draw

_ORDERS = 150
_OF_THE_CUSTOMER = 38
"""How many are of the customer who is signed in: four pages of them."""
_DAYS = 730
_RECENT_DAYS = 40
_NOTES = (
    "The customer asked for a delivery in the afternoon.",
    "Please leave the parcel with the neighbour.",
    "The address was confirmed by phone.",
    "One box was repacked before it left.",
)


def add_orders(db: sqlite3.Connection) -> None:
    """Fill orders in the order of their days, so that numbers rise with time."""
    draw = Draw("shop orders")
    customers = [row["id"] for row in db.execute("SELECT id FROM shop_customers ORDER BY id")]
    buyers = [customers[0]] * _OF_THE_CUSTOMER
    buyers += [draw.pick(customers[1:]) for _ in range(_ORDERS - _OF_THE_CUSTOMER)]
    moments = sorted((_moment(draw, place), place) for place in range(_ORDERS))
    products = db.execute("SELECT * FROM shop_products ORDER BY id").fetchall()
    for number, (created, place) in enumerate(moments, start=1):
        _add_order(db, draw, number, buyers[place], created, products)


def _moment(draw: Draw, place: int) -> str:
    # One order in six is of the last weeks, so that a clerk has something to do.
    return draw.moment(_RECENT_DAYS, _RECENT_DAYS) if place % 6 == 5 else draw.moment(_DAYS, _DAYS - _RECENT_DAYS)


def _status(draw: Draw, created: str) -> str:
    if created > moment_after(OPENING_MOMENT, -15 * 24 * 60):
        return draw.weighted(("Pending", "Processing", "On Hold", "Canceled"), (5, 3, 2, 1))
    if created > moment_after(OPENING_MOMENT, -_RECENT_DAYS * 24 * 60):
        return draw.weighted(("Processing", "Complete", "Pending", "Canceled", "On Hold"), (3, 5, 1, 1, 1))
    return draw.weighted(("Complete", "Canceled"), (8, 1))


def _add_order(
    db: sqlite3.Connection, draw: Draw, number: int, customer: int, created: str, products: list[sqlite3.Row]
) -> None:
    addresses = db.execute("SELECT * FROM shop_addresses WHERE customer_id = ? ORDER BY id", (customer,)).fetchall()
    address = draw.weighted(addresses, [4, 1][: len(addresses)])
    items = [(product, draw.weighted((1, 2, 3), (6, 2, 1))) for product in draw.some(products, draw.whole(1, 4))]
    subtotal = sum(product["price"] * quantity for product, quantity in items)
    coupon = "WELCOME10" if draw.chance(0.12) else ""
    discount = subtotal // 10 if coupon else 0
    method = "Express" if draw.chance(0.25) else "Standard"
    shipping = 1500 if method == "Express" else 500
    status = _status(draw, created)
    payment = draw.weighted(("On account", "At the door"), (3, 1))
    db.execute(
        "INSERT INTO shop_orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number, f"{number:09d}", customer, status, created, subtotal, discount, shipping,
            subtotal - discount + shipping, coupon, method, payment, address["name"], address["street"],
            address["city"], address["state"], address["postcode"], address["phone"],
        ),
    )  # fmt: skip
    for product, quantity in items:
        _add_item(db, draw, number, product, quantity)
    _follow_up(db, draw, number, status, created)


def _add_item(db: sqlite3.Connection, draw: Draw, order: int, product: Any, quantity: int) -> None:
    colours = db.execute("SELECT value FROM shop_options WHERE product_id = ? ORDER BY id", (product["id"],)).fetchall()
    options = f"Color: {draw.pick(colours)['value']}" if colours else ""
    db.execute(
        "INSERT INTO shop_order_items (order_id, product_id, sku, name, options, price, quantity) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (order, product["id"], product["sku"], product["name"], options, product["price"], quantity),
    )


def _follow_up(db: sqlite3.Connection, draw: Draw, order: int, status: str, created: str) -> None:
    """What came after an order: its invoice, its parcel, a clerk's comment."""
    if status in ("Processing", "Complete"):
        at = moment_after(created, draw.whole(60, 600))
        number = db.execute("SELECT count(*) + 1 FROM shop_invoices").fetchone()[0]
        db.execute(
            "INSERT INTO shop_invoices (number, order_id, created, total) "
            "SELECT ?, id, ?, total FROM shop_orders WHERE id = ?",
            (f"{number:09d}", at, order),
        )
    if status == "Complete":
        carrier = draw.pick(("Northway Parcel", "Blue Heron Post", "Swiftline"))
        tracking = f"{carrier[0]}{draw.whole(10_000_000, 99_999_999)}"
        at = moment_after(created, draw.whole(1440, 4000))
        db.execute(
            "INSERT INTO shop_shipments (order_id, created, carrier, tracking) VALUES (?, ?, ?, ?)",
            (order, at, carrier, tracking),
        )
    if draw.chance(0.15):
        db.execute(
            "INSERT INTO shop_order_comments (order_id, created, status, text, told) VALUES (?, ?, ?, ?, 0)",
            (order, moment_after(created, draw.whole(30, 900)), status, draw.pick(_NOTES)),
        )
