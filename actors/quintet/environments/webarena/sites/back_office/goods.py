"""Products in the back office."""

import re
from typing import Any

from quintet.environments.webarena.sites.back_office.grid import GridColumn, read_grid
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

_PRODUCTS = (
    "SELECT p.*, c.name AS category, CASE p.enabled WHEN 1 THEN 'Enabled' ELSE 'Disabled' END AS status "
    "FROM shop_products p JOIN shop_categories c ON c.id = p.category_id"
)
_COLUMNS = (
    GridColumn("id", "ID", "number"),
    GridColumn("name", "Name", link="/admin/products/{id}"),
    GridColumn("sku", "SKU"),
    GridColumn("category", "Category"),
    GridColumn("price", "Price", "money"),
    GridColumn("stock", "Quantity", "number"),
    GridColumn("status", "Status", "choice", ("Enabled", "Disabled")),
)
_PRICE = re.compile(r"\d{1,6}(\.\d{1,2})?")


def _products(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _PRODUCTS, _COLUMNS, sort="id")
    return request.page("grid.html", grid=grid, heading="Products")


def _find(request: SiteRequest) -> Any:
    return request.db.execute(f"{_PRODUCTS} WHERE p.id = ?", (request.params["id"],)).fetchone()


def _product(request: SiteRequest) -> SiteResponse:
    product = _find(request)
    if product is None:
        return request.not_found()
    reviews = request.db.execute(
        "SELECT count(*) AS count, avg(rating) AS mean FROM shop_reviews WHERE product_id = ? AND status = 'Approved'",
        (product["id"],),
    ).fetchone()
    return request.page("admin_product.html", product=product, reviews=reviews)


def _save(request: SiteRequest) -> SiteResponse:
    product = _find(request)
    if product is None:
        return request.not_found()
    path = f"/admin/products/{product['id']}"
    name, price, stock = request.text("name")[:200], request.text("price"), request.text("stock")
    if not name:
        return request.redirect(path, error="A product needs a name.")
    if not _PRICE.fullmatch(price):
        return request.redirect(path, error="A price is a number such as 19.95.")
    if not re.fullmatch(r"[0-9]{1,6}", stock):
        return request.redirect(path, error="A quantity is a whole number from 0 up.")
    dollars, _, cents = price.partition(".")
    request.db.execute(
        "UPDATE shop_products SET name = ?, price = ?, stock = ?, enabled = ?, description = ? WHERE id = ?",
        (
            name,
            int(dollars) * 100 + int(cents.ljust(2, "0")),
            int(stock),
            int("enabled" in request.form),
            request.text("description")[:4000],
            product["id"],
        ),
    )
    return request.redirect(path, success="You saved the product.")


GOODS_ROUTES = (
    SiteRoute("GET", "/admin/products", _products, login=True),
    SiteRoute("GET", "/admin/products/{id}", _product, login=True),
    SiteRoute("POST", "/admin/products/{id}", _save, login=True),
)
