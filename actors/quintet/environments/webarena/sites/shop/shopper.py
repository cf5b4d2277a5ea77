"""The customer who is signed in, and what lies in the cart."""

import sqlite3
from typing import Any, NamedTuple

from quintet.environments.webarena.sites.request import SiteRequest

SHIPPING = {"Standard": 500, "Express": 1500}
"""What a way of shipping costs, in cents."""


def shopper(request: SiteRequest) -> Any:
    """The customer who is signed in; None: nobody."""
    if request.user is None:
        return None
    return request.db.execute("SELECT * FROM shop_customers WHERE email = ?", (request.user,)).fetchone()


class Cart(NamedTuple):
    """What a customer is about to buy, in cents."""

    items: list[Any]
    subtotal: int
    coupon: str
    discount: int
    address_id: int | None
    method: str
    shipping: int

    @property
    def total(self) -> int:
        return self.subtotal - self.discount + self.shipping


def valid_coupon(db: sqlite3.Connection, code: str, now: str) -> Any:
    """The coupon of a code, if it may be used today; else None. Case does not matter."""
    return db.execute(
        "SELECT * FROM shop_coupons WHERE upper(code) = upper(?) AND active = 1 AND starts <= ? AND ends >= ?",
        (code, now[:10], now[:10]),
    ).fetchone()


def cart_of(request: SiteRequest, customer: int) -> Cart:
    """A customer's cart with its sums. A coupon that has ended since takes nothing off."""
    db = request.db
    items = db.execute(
        "SELECT i.*, p.name, p.slug, p.sku, p.price, p.stock, p.price * i.quantity AS sum FROM shop_cart_items i "
        "JOIN shop_products p ON p.id = i.product_id WHERE i.customer_id = ? ORDER BY i.id",
        (customer,),
    ).fetchall()
    subtotal = sum(item["sum"] for item in items)
    chosen = db.execute("SELECT * FROM shop_checkouts WHERE customer_id = ?", (customer,)).fetchone()
    coupon = valid_coupon(db, chosen["coupon"], request.now) if chosen and chosen["coupon"] else None
    discount = 0
    if coupon:
        discount = (
            subtotal * coupon["amount"] // 100 if coupon["kind"] == "percent" else min(subtotal, coupon["amount"])
        )
    method = chosen["method"] if chosen else ""
    address = chosen["address_id"] if chosen else None
    return Cart(items, subtotal, coupon["code"] if coupon else "", discount, address, method, SHIPPING.get(method, 0))


def set_checkout(db: sqlite3.Connection, customer: int, column: str, value: object) -> None:
    """Keep what was chosen for the checkout: `coupon`, `address_id` or `method`."""
    db.execute("INSERT OR IGNORE INTO shop_checkouts VALUES (?, '', NULL, '')", (customer,))
    db.execute(f"UPDATE shop_checkouts SET {column} = ? WHERE customer_id = ?", (value, customer))


def add_to_cart(db: sqlite3.Connection, customer: int, product: Any, options: str, quantity: int) -> str:
    """Put a product into a cart. Returns why not; empty if it lies there now."""
    row = db.execute(
        "SELECT id, quantity FROM shop_cart_items WHERE customer_id = ? AND product_id = ? AND options = ?",
        (customer, product["id"], options),
    ).fetchone()
    if refused := refused_quantity(product, quantity + (row["quantity"] if row else 0)):
        return refused
    if row:
        db.execute("UPDATE shop_cart_items SET quantity = quantity + ? WHERE id = ?", (quantity, row["id"]))
    else:
        db.execute(
            "INSERT INTO shop_cart_items (customer_id, product_id, options, quantity) VALUES (?, ?, ?, ?)",
            (customer, product["id"], options, quantity),
        )
    return ""


def refused_quantity(product: Any, quantity: int) -> str:
    """Why so many of a product cannot be bought; empty if they can."""
    if product["stock"] == 0:
        return f"{product['name']} is out of stock."
    if quantity < 1:
        return "The quantity has to be a whole number from 1 up."
    if quantity > product["stock"]:
        return f"Only {product['stock']} of {product['name']} are in stock."
    return ""
