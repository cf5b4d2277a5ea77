"""A customer's account: signing in, name and password, orders, addresses, reviews, newsletter."""

import re
import sqlite3
from typing import Any

from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.catalogue import find_product
from quintet.environments.webarena.sites.shop.shopper import add_to_cart, shopper
from quintet.environments.webarena.sites.site import SiteRoute

_EMAIL = re.compile(r"[^@\s<>\"]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
_FIELD = 120
_ORDERS = "SELECT * FROM shop_orders WHERE customer_id = ? ORDER BY id DESC"


def is_email(text: str) -> bool:
    """Whether a text has the form of an address for mail."""
    return _EMAIL.fullmatch(text) is not None


def _login_page(request: SiteRequest) -> SiteResponse:
    if request.user is not None:
        return request.redirect("/customer/account")
    return request.page("login.html", next=request.query.get("next", ""))


def _login(request: SiteRequest) -> SiteResponse:
    email, password = request.text("email").lower(), request.form.get("password", "")
    row = request.db.execute(
        "SELECT email FROM shop_customers WHERE email = ? AND password = ?", (email, password)
    ).fetchone()
    if row is None:
        return request.redirect(
            "/customer/account/login", error="The account sign-in was incorrect, or your account does not exist."
        )
    return request.sign_in(row["email"], "/customer/account")


def _logout(request: SiteRequest) -> SiteResponse:
    return request.sign_out("/", success="You have signed out.")


def _new_account(request: SiteRequest) -> SiteResponse:
    return request.page("create.html")


def _create(request: SiteRequest) -> SiteResponse:
    first, last, email = (request.text(name)[:_FIELD] for name in ("first", "last", "email"))
    password = request.form.get("password", "")
    error = ""
    if not (first and last):
        error = "First name and last name are required."
    elif not is_email(email):
        error = "Enter a valid email address, such as name@mailbox.example."
    elif len(password) < 8:
        error = "The password needs 8 characters at least."
    elif password != request.form.get("password_again", ""):
        error = "The two passwords are not the same."
    elif request.db.execute("SELECT 1 FROM shop_customers WHERE email = ?", (email.lower(),)).fetchone():
        error = "There is already an account with this email address."
    if error:
        return request.redirect("/customer/create", error=error)
    request.db.execute(
        "INSERT INTO shop_customers (email, password, first, last, kind, phone, created) "
        "VALUES (?, ?, ?, ?, 'General', '', ?)",
        (email.lower(), password, first, last, request.now),
    )
    return request.sign_in(email.lower(), "/customer/account", success="Thank you for registering.")


def _account(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)
    orders = request.db.execute(f"{_ORDERS} LIMIT 5", (customer["id"],)).fetchall()
    address = request.db.execute(
        "SELECT * FROM shop_addresses WHERE customer_id = ? AND preferred = 1", (customer["id"],)
    ).fetchone()
    return request.page(
        "account.html", customer=customer, orders=orders, address=address, subscribed=_subscribed(request)
    )


def _edit_page(request: SiteRequest) -> SiteResponse:
    return request.page("edit.html", customer=shopper(request))


def _edit(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)
    first, last, phone = (request.text(name)[:_FIELD] for name in ("first", "last", "phone"))
    if not (first and last):
        return request.redirect("/customer/edit", error="First name and last name are required.")
    password = request.form.get("new_password", "")
    if password:
        if request.form.get("password", "") != customer["password"]:
            return request.redirect("/customer/edit", error="The current password is not right.")
        if len(password) < 8:
            return request.redirect("/customer/edit", error="The password needs 8 characters at least.")
    request.db.execute(
        "UPDATE shop_customers SET first = ?, last = ?, phone = ?, password = ? WHERE id = ?",
        (first, last, phone, password or customer["password"], customer["id"]),
    )
    return request.redirect("/customer/account", success="You saved the account information.")


def _orders(request: SiteRequest) -> SiteResponse:
    rows = request.db.execute(_ORDERS, (shopper(request)["id"],)).fetchall()
    return request.page("orders.html", page=paged(rows, request.number("p", 1), 10))


def _find_order(request: SiteRequest) -> Any:
    return request.db.execute(
        "SELECT * FROM shop_orders WHERE number = ? AND customer_id = ?",
        (request.params["number"], shopper(request)["id"]),
    ).fetchone()


def _order(request: SiteRequest) -> SiteResponse:
    order = _find_order(request)
    if order is None:
        return request.not_found()

    def below(table: str, more: str = "") -> list[Any]:
        query = f"SELECT * FROM {table} WHERE order_id = ? {more} ORDER BY id"
        return request.db.execute(query, (order["id"],)).fetchall()

    return request.page(
        "order.html",
        order=order,
        items=_items(request.db, order["id"]),
        invoices=below("shop_invoices"),
        shipments=below("shop_shipments"),
        comments=below("shop_order_comments", "AND told = 1"),
    )


def _items(db: sqlite3.Connection, order: int) -> list[Any]:
    return db.execute(
        "SELECT i.*, p.slug, p.enabled FROM shop_order_items i JOIN shop_products p ON p.id = i.product_id "
        "WHERE i.order_id = ? ORDER BY i.id",
        (order,),
    ).fetchall()


def _reorder(request: SiteRequest) -> SiteResponse:
    order = _find_order(request)
    if order is None:
        return request.not_found()
    refused: list[str] = []
    for item in _items(request.db, order["id"]):
        product = find_product(request.db, item["slug"])
        if product is None:
            refused.append(f"{item['name']} is not sold any more.")
        elif why := add_to_cart(request.db, order["customer_id"], product, item["options"], item["quantity"]):
            refused.append(why)
    if refused:
        return request.redirect("/cart", error=" ".join(refused))
    return request.redirect("/cart", success=f"The items of order {order['number']} are in your shopping cart.")


def _reviews(request: SiteRequest) -> SiteResponse:
    rows = request.db.execute(
        "SELECT r.*, p.name, p.slug FROM shop_reviews r JOIN shop_products p ON p.id = r.product_id "
        "WHERE r.customer_id = ? ORDER BY r.created DESC, r.id DESC",
        (shopper(request)["id"],),
    ).fetchall()
    return request.page("reviews.html", page=paged(rows, request.number("p", 1), 10))


def _subscribed(request: SiteRequest) -> bool:
    row = request.db.execute("SELECT status FROM shop_subscribers WHERE email = ?", (request.user,)).fetchone()
    return bool(row and row["status"] == "Subscribed")


def _newsletter_page(request: SiteRequest) -> SiteResponse:
    return request.page("newsletter.html", subscribed=_subscribed(request))


def _newsletter(request: SiteRequest) -> SiteResponse:
    wanted = "subscribed" in request.form
    subscribe(request.db, request.user or "", "Subscribed" if wanted else "Unsubscribed", request.now)
    words = "We have saved your subscription." if wanted else "We have removed your newsletter subscription."
    return request.redirect("/customer/account", success=words)


def subscribe(db: sqlite3.Connection, email: str, status: str, now: str) -> None:
    """Note whether an address takes the newsletter."""
    db.execute(
        "INSERT INTO shop_subscribers (email, status, created) VALUES (?, ?, ?) "
        "ON CONFLICT (email) DO UPDATE SET status = excluded.status",
        (email, status, now),
    )


ACCOUNT_ROUTES = (
    SiteRoute("GET", "/customer/account/login", _login_page),
    SiteRoute("POST", "/customer/account/login", _login),
    SiteRoute("POST", "/customer/logout", _logout),
    SiteRoute("GET", "/customer/create", _new_account),
    SiteRoute("POST", "/customer/create", _create),
    SiteRoute("GET", "/customer/account", _account, login=True),
    SiteRoute("GET", "/customer/edit", _edit_page, login=True),
    SiteRoute("POST", "/customer/edit", _edit, login=True),
    SiteRoute("GET", "/customer/orders", _orders, login=True),
    SiteRoute("GET", "/customer/orders/{number}", _order, login=True),
    SiteRoute("POST", "/customer/orders/{number}/reorder", _reorder, login=True),
    SiteRoute("GET", "/customer/reviews", _reviews, login=True),
    SiteRoute("GET", "/customer/newsletter", _newsletter_page, login=True),
    SiteRoute("POST", "/customer/newsletter", _newsletter, login=True),
)
