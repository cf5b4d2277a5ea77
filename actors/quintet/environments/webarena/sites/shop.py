"""The shop: goods in categories, reviews, a cart, orders and an account."""

import sqlite3
from collections.abc import Mapping
from typing import Final

from aiohttp import web

from quintet.environments.webarena.sites.visit import SiteRoutes, SiteVisit

SHOP: Final = SiteRoutes("shopping")
_ORDERED: Final = """
    SELECT o.number, o.day, o.state, sum(i.quantity * i.cents) AS cents
    FROM orders o JOIN order_items i USING (number) WHERE o.user = ?
"""
_MOST: Final = 99
"""Of a product in the cart."""
_SORTS: Final[Mapping[str, str]] = {"position": "rowid", "price": "cents", "name": "name"}


@SHOP.get("/")
def _front(visit: SiteVisit) -> web.Response:
    return _goods(visit, "All goods", "1")


@SHOP.get("/catalogsearch/result")
def _search(visit: SiteVisit) -> web.Response:
    words = visit.query.get("q", "").split()
    where = " AND ".join("instr(lower(name || ' ' || text), lower(?)) > 0" for _ in words)
    return _goods(visit, f"Results for '{' '.join(words)}'", where or "0", *words)


@SHOP.get("/{slug:[a-z-]+}.html")
def _category(visit: SiteVisit) -> web.Response:
    category = visit.need("SELECT * FROM categories WHERE slug = ?", visit.part["slug"])
    return _goods(visit, category["name"], "category = ?", category["slug"])


def _goods(visit: SiteVisit, title: str, where: str, *values: object) -> web.Response:
    sort = visit.query.get("product_list_order", "position")
    goods = visit.all(f"SELECT * FROM products WHERE {where} ORDER BY {_SORTS.get(sort, 'rowid')}", *values)
    return _page(visit, "shop_goods", title=title, goods=goods, sort=sort, sorts=_SORTS, q=visit.query.get("q"))


@SHOP.get("/{sku:[A-Z]+-[0-9]+}.html")
def _product(visit: SiteVisit) -> web.Response:
    product = _found(visit)
    reviews = visit.all("SELECT * FROM reviews WHERE sku = ?", product["sku"])
    return _page(visit, "shop_product", title=product["name"], product=product, reviews=reviews)


@SHOP.post("/{sku:[A-Z]+-[0-9]+}.html/cart")
def _add(visit: SiteVisit) -> web.Response:
    product, colour, wanted = _found(visit), visit.form.get("colour", ""), visit.form.get("quantity", "")
    if colour not in product["colours"].split(",") or not (wanted.isdecimal() and 1 <= int(wanted) <= _MOST):
        return visit.redirect(f"/{product['sku']}.html")
    put = "INSERT INTO cart VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET quantity = excluded.quantity"
    visit.db.execute(put, (visit.user, product["sku"], colour, int(wanted)))
    return visit.redirect("/checkout/cart/")


@SHOP.post("/{sku:[A-Z]+-[0-9]+}.html/review")
def _review(visit: SiteVisit) -> web.Response:
    product, form = _found(visit), visit.form
    rating = form.get("rating", "")
    written = [form.get(each, "").strip() for each in ("nickname", "summary", "text")]
    if rating in ("1", "2", "3", "4", "5") and all(written):
        visit.db.execute("INSERT INTO reviews VALUES (?, ?, ?, ?, ?)", (product["sku"], int(rating), *written))
    return visit.redirect(f"/{product['sku']}.html#reviews")


@SHOP.get("/checkout/cart", needs_login=True)
def _cart(visit: SiteVisit) -> web.Response:
    return _page(visit, "shop_cart", title="Shopping Cart", items=_in_cart(visit))


@SHOP.post("/checkout/cart/remove")
def _remove(visit: SiteVisit) -> web.Response:
    visit.db.execute("DELETE FROM cart WHERE user = ? AND rowid = ?", (visit.user, visit.form.get("item")))
    return visit.redirect("/checkout/cart/")


@SHOP.post("/checkout/order")
def _order(visit: SiteVisit) -> web.Response:
    items = _in_cart(visit)
    if not items:
        return visit.redirect("/checkout/cart/")
    made = visit.db.execute("INSERT INTO orders (user, day, state) VALUES (?, '6/15/2023', 'Pending')", (visit.user,))
    for item in items:
        bought = (made.lastrowid, item["sku"], item["colour"], item["quantity"], item["cents"])
        visit.db.execute("INSERT INTO order_items VALUES (?, ?, ?, ?, ?)", bought)
    visit.db.execute("DELETE FROM cart WHERE user = ?", (visit.user,))
    return visit.redirect(f"/sales/order/view/order_id/{made.lastrowid}/")


@SHOP.get("/customer/account", needs_login=True)
def _account(visit: SiteVisit) -> web.Response:
    person = visit.need("SELECT * FROM users WHERE site = 'shopping' AND name = ?", visit.user)
    return _page(visit, "shop_account", title="My Account", person=person)


@SHOP.post("/customer/account")
def _change(visit: SiteVisit) -> web.Response:
    phone = visit.form.get("phone", "").strip()
    visit.db.execute("UPDATE users SET phone = ? WHERE site = 'shopping' AND name = ?", (phone, visit.user))
    return visit.redirect("/customer/account/")


@SHOP.get("/sales/order/history", needs_login=True)
def _orders(visit: SiteVisit) -> web.Response:
    orders = visit.all(f"{_ORDERED} GROUP BY number ORDER BY number DESC", visit.user)
    return _page(visit, "shop_orders", title="My Orders", orders=orders)


@SHOP.get("/sales/order/view/order_id/{number:[0-9]+}", needs_login=True)
def _one_order(visit: SiteVisit) -> web.Response:
    order = visit.need(f"{_ORDERED} AND number = ? GROUP BY number", visit.user, visit.part["number"])
    items = visit.all("SELECT * FROM order_items JOIN products USING (sku) WHERE number = ?", order["number"])
    return _page(visit, "shop_order", title=f"Order #{order['number']:09}", order=order, items=items)


def _page(visit: SiteVisit, template: str, **values: object) -> web.Response:
    count = visit.need("SELECT coalesce(sum(quantity), 0) AS goods FROM cart WHERE user = ?", visit.user)
    categories = visit.all("SELECT * FROM categories ORDER BY rowid")
    return visit.page(template, in_cart=count["goods"], categories=categories, **values)


def _found(visit: SiteVisit) -> sqlite3.Row:
    return visit.need("SELECT * FROM products WHERE sku = ?", visit.part["sku"])


def _in_cart(visit: SiteVisit) -> list[sqlite3.Row]:
    return visit.all("SELECT cart.rowid AS item, * FROM cart JOIN products USING (sku) WHERE user = ?", visit.user)
