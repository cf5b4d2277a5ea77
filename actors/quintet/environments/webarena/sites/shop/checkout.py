"""The checkout: address and shipping, review and payment, the order that comes of it."""

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.shopper import (
    SHIPPING,
    Cart,
    cart_of,
    refused_quantity,
    set_checkout,
    shopper,
)
from quintet.environments.webarena.sites.site import SiteRoute

PAYMENTS = ("On account", "At the door")


def _shipping(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)
    cart = cart_of(request, customer["id"])
    if not cart.items:
        return request.page("empty_cart.html")
    addresses = request.db.execute(
        "SELECT * FROM shop_addresses WHERE customer_id = ? ORDER BY preferred DESC, id", (customer["id"],)
    ).fetchall()
    return request.page("shipping.html", cart=cart, addresses=addresses, methods=SHIPPING)


def _choose_shipping(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)["id"]
    address = request.db.execute(
        "SELECT id FROM shop_addresses WHERE id = ? AND customer_id = ?", (request.number("address"), customer)
    ).fetchone()
    if address is None:
        return request.redirect("/checkout", error="Choose an address that the order is shipped to.")
    if request.form.get("method") not in SHIPPING:
        return request.redirect("/checkout", error="Choose a shipping method.")
    set_checkout(request.db, customer, "address_id", address["id"])
    set_checkout(request.db, customer, "method", request.form["method"])
    return request.redirect("/checkout/payment")


def _payment(request: SiteRequest) -> SiteResponse:
    cart = cart_of(request, shopper(request)["id"])
    address = request.db.execute("SELECT * FROM shop_addresses WHERE id = ?", (cart.address_id,)).fetchone()
    if not cart.items:
        return request.page("empty_cart.html")
    if address is None or not cart.method:
        return SiteResponse(status=303, location="/checkout")
    return request.page("payment.html", cart=cart, address=address, payments=PAYMENTS)


def _place(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)["id"]
    cart = cart_of(request, customer)
    address = request.db.execute("SELECT * FROM shop_addresses WHERE id = ?", (cart.address_id,)).fetchone()
    if not cart.items or address is None or not cart.method:
        return request.redirect("/checkout", error="Choose an address and a shipping method first.")
    if request.form.get("payment") not in PAYMENTS:
        return request.redirect("/checkout/payment", error="Choose how you pay.")
    for item in cart.items:
        if refused := refused_quantity(item, item["quantity"]):
            return request.redirect("/cart", error=refused)
    number = _add_order(request, customer, cart, address)
    return request.redirect(f"/checkout/success/{number}", success="Thank you for your purchase!")


def _add_order(request: SiteRequest, customer: int, cart: Cart, address: dict[str, str]) -> str:
    """Write the order, take what was bought from the stock and empty the cart. Returns the order's number."""
    db = request.db
    order = db.execute("SELECT max(id) + 1 FROM shop_orders").fetchone()[0]
    db.execute(
        "INSERT INTO shop_orders VALUES (?, ?, ?, 'Pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            order, f"{order:09d}", customer, request.now, cart.subtotal, cart.discount, cart.shipping, cart.total,
            cart.coupon, cart.method, request.form["payment"], address["name"], address["street"], address["city"],
            address["state"], address["postcode"], address["phone"],
        ),
    )  # fmt: skip
    for item in cart.items:
        db.execute(
            "INSERT INTO shop_order_items (order_id, product_id, sku, name, options, price, quantity) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (order, item["product_id"], item["sku"], item["name"], item["options"], item["price"], item["quantity"]),
        )
        db.execute("UPDATE shop_products SET stock = stock - ? WHERE id = ?", (item["quantity"], item["product_id"]))
    db.execute("DELETE FROM shop_cart_items WHERE customer_id = ?", (customer,))
    db.execute("DELETE FROM shop_checkouts WHERE customer_id = ?", (customer,))
    return f"{order:09d}"


def _success(request: SiteRequest) -> SiteResponse:
    order = request.db.execute(
        "SELECT * FROM shop_orders WHERE number = ? AND customer_id = ?",
        (request.params["number"], shopper(request)["id"]),
    ).fetchone()
    return request.page("success.html", order=order) if order else request.not_found()


CHECKOUT_ROUTES = (
    SiteRoute("GET", "/checkout", _shipping, login=True),
    SiteRoute("POST", "/checkout", _choose_shipping, login=True),
    SiteRoute("GET", "/checkout/payment", _payment, login=True),
    SiteRoute("POST", "/checkout/place", _place, login=True),
    SiteRoute("GET", "/checkout/success/{number}", _success, login=True),
)
