"""The cart and the wish list."""

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.catalogue import find_product
from quintet.environments.webarena.sites.shop.shopper import (
    add_to_cart,
    cart_of,
    refused_quantity,
    set_checkout,
    shopper,
    valid_coupon,
)
from quintet.environments.webarena.sites.site import SiteRoute


def _show(request: SiteRequest) -> SiteResponse:
    return request.page("cart.html", cart=cart_of(request, shopper(request)["id"]))


def _add(request: SiteRequest) -> SiteResponse:
    product = find_product(request.db, request.form.get("product", ""))
    if product is None:
        return request.back("/", error="This product is not sold any more.")
    path = f"/product/{product['slug']}"
    options = request.db.execute("SELECT value FROM shop_options WHERE product_id = ?", (product["id"],)).fetchall()
    colour = request.text("colour")
    if options and colour not in {row["value"] for row in options}:
        return request.redirect(path, error="You need to choose a color for this item.")
    words = f"Color: {colour}" if options else ""
    if refused := add_to_cart(request.db, shopper(request)["id"], product, words, request.number("quantity", 0)):
        return request.redirect(path, error=refused)
    return request.back(path, success=f"You added {product['name']} to your shopping cart.")


def _update(request: SiteRequest) -> SiteResponse:
    for item in cart_of(request, shopper(request)["id"]).items:
        field = f"quantity-{item['id']}"
        if field not in request.form:
            continue
        quantity = request.number(field)
        if refused := refused_quantity(item, quantity):
            return request.redirect("/cart", error=refused)
        request.db.execute("UPDATE shop_cart_items SET quantity = ? WHERE id = ?", (quantity, item["id"]))
    return request.redirect("/cart", success="You updated your shopping cart.")


def _remove(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)["id"]
    request.db.execute(
        "DELETE FROM shop_cart_items WHERE id = ? AND customer_id = ?", (request.number("item"), customer)
    )
    return request.redirect("/cart", success="You removed an item from your shopping cart.")


def _use_coupon(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)["id"]
    if request.text("action") == "cancel":
        set_checkout(request.db, customer, "coupon", "")
        return request.redirect("/cart", success="You canceled the coupon code.")
    code = request.text("coupon")[:40]
    found = valid_coupon(request.db, code, request.now)
    if found is None:
        return request.redirect("/cart", error=f'The coupon code "{code}" is not valid.')
    set_checkout(request.db, customer, "coupon", found["code"])
    return request.redirect("/cart", success=f'You used coupon code "{found["code"]}".')


def _wishes(request: SiteRequest) -> SiteResponse:
    rows = request.db.execute(
        "SELECT w.id AS wish, w.created AS wished, p.* FROM shop_wishes w JOIN shop_products p ON p.id = w.product_id "
        "WHERE w.customer_id = ? ORDER BY w.id",
        (shopper(request)["id"],),
    ).fetchall()
    return request.page("wishes.html", wishes=rows)


def _wish(request: SiteRequest) -> SiteResponse:
    product = find_product(request.db, request.form.get("product", ""))
    if product is None:
        return request.back("/", error="This product is not sold any more.")
    customer = shopper(request)["id"]
    values = (customer, product["id"])
    if not request.db.execute("SELECT 1 FROM shop_wishes WHERE customer_id = ? AND product_id = ?", values).fetchone():
        request.db.execute(
            "INSERT INTO shop_wishes (customer_id, product_id, created) VALUES (?, ?, ?)", (*values, request.now)
        )
    return request.redirect("/wishlist", success=f"{product['name']} has been added to your wish list.")


def _forget_wish(request: SiteRequest) -> SiteResponse:
    request.db.execute(
        "DELETE FROM shop_wishes WHERE id = ? AND customer_id = ?", (request.number("wish"), shopper(request)["id"])
    )
    return request.redirect("/wishlist", success="You removed an item from your wish list.")


CART_ROUTES = (
    SiteRoute("GET", "/cart", _show, login=True),
    SiteRoute("POST", "/cart/add", _add, login=True),
    SiteRoute("POST", "/cart/update", _update, login=True),
    SiteRoute("POST", "/cart/remove", _remove, login=True),
    SiteRoute("POST", "/cart/coupon", _use_coupon, login=True),
    SiteRoute("GET", "/wishlist", _wishes, login=True),
    SiteRoute("POST", "/wishlist/add", _wish, login=True),
    SiteRoute("POST", "/wishlist/remove", _forget_wish, login=True),
)
