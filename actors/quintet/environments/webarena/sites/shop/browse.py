"""The shop's pages for looking around: home, categories, search, comparison of products."""

from collections.abc import Sequence
from typing import Any

from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.catalogue import (
    PRICE_RANGES,
    SORT_LABELS,
    category_menu,
    find_product,
    find_products,
)
from quintet.environments.webarena.sites.shop.shopper import shopper
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import all_words

_SIZES = (12, 24, 36)
_SEARCHED = ("name", "description", "sku")


def _home(request: SiteRequest) -> SiteResponse:
    newest = find_products(request.db, sort="newest", descending=True)[:4]
    best = find_products(request.db, "reviews >= 4", sort="rating", descending=True)[:4]
    return request.page("home.html", newest=newest, best=best)


def _listing(request: SiteRequest, where: str, values: Sequence[object]) -> dict[str, Any]:
    """What a page shows of products that can be narrowed, sorted and paged."""
    sort = request.query.get("sort", "position")
    descending = request.query.get("dir") == "desc"
    found = find_products(request.db, where, values, sort=sort, descending=descending)
    ranges = [(low, high, sum(low * 100 <= row["price"] < high * 100 for row in found)) for low, high in PRICE_RANGES]
    colours = _counted(found, "colour")
    brands = _counted(found, "brand")
    chosen = request.query.get("price", "")
    for low, high in PRICE_RANGES:
        if chosen == f"{low}-{high}":
            found = [row for row in found if low * 100 <= row["price"] < high * 100]
    for column in ("brand", "colour"):
        if wanted := request.query.get(column):
            found = [row for row in found if row[column] == wanted]
    size = request.number("size", _SIZES[0])
    page = paged(found, request.number("p", 1), size if size in _SIZES else _SIZES[0])
    return {
        "page": page,
        "ranges": ranges,
        "brands": brands,
        "colours": colours,
        "sort": sort if sort in SORT_LABELS else "position",
        "descending": descending,
        "sort_labels": SORT_LABELS,
        "sizes": _SIZES,
        "size": size if size in _SIZES else _SIZES[0],
    }


def _counted(rows: Sequence[Any], column: str) -> list[tuple[str, int]]:
    names = sorted({row[column] for row in rows})
    return [(name, sum(row[column] == name for row in rows)) for name in names]


def _category(request: SiteRequest) -> SiteResponse:
    for category, below in category_menu(request.db):
        if category["slug"] == request.params["slug"]:
            marks = ", ".join("?" * len(below))
            listing = _listing(request, f"category_id IN ({marks})", [row["id"] for row in below])
            return request.page("category.html", **listing, category=category, below=below, parent=None)
        for row in below:
            if row["slug"] == request.params["slug"]:
                listing = _listing(request, "category_id = ?", [row["id"]])
                return request.page("category.html", **listing, category=row, below=[], parent=category)
    return request.not_found()


def _search(request: SiteRequest) -> SiteResponse:
    words = request.query.get("q", "").strip()
    where, values = all_words(_SEARCHED, words)
    return request.page(
        "results.html", **_listing(request, where, values), heading=f"Search results for: '{words}'", words=words
    )


def _advanced(request: SiteRequest) -> SiteResponse:
    return request.page("advanced.html")


def _advanced_results(request: SiteRequest) -> SiteResponse:
    parts: list[str] = []
    values: list[object] = []
    for column in _SEARCHED:
        if words := request.query.get(column, "").strip():
            part, more = all_words((column,), words)
            parts.append(part)
            values += more
    for name, sign in (("from", ">="), ("to", "<=")):
        given = request.query.get(name, "").strip()
        if given.replace(".", "", 1).isdigit() and given.isascii() and len(given) < 10:
            parts.append(f"price {sign} ?")
            values.append(round(float(given) * 100))
    where = " AND ".join(parts) or "0"
    return request.page("results.html", **_listing(request, where, values), heading="Advanced search results", words="")


def _compared(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)
    rows = request.db.execute(
        "SELECT product_id FROM shop_compared WHERE customer_id = ? ORDER BY id", (customer["id"],)
    ).fetchall()
    marks = ", ".join("?" * len(rows))
    found = find_products(request.db, f"id IN ({marks})", [row["product_id"] for row in rows])
    details = {
        row["id"]: dict(
            request.db.execute(
                "SELECT name, value FROM shop_details WHERE product_id = ? ORDER BY id", (row["id"],)
            ).fetchall()
        )
        for row in found
    }
    names = list(dict.fromkeys(name for pairs in details.values() for name in pairs))
    return request.page("compare.html", products=found, details=details, names=names)


def _compare(request: SiteRequest) -> SiteResponse:
    product = find_product(request.db, request.form.get("product", ""))
    if product is None:
        return request.back("/", error="This product is not sold any more.")
    customer = shopper(request)["id"]
    count = request.db.execute("SELECT count(*) FROM shop_compared WHERE customer_id = ?", (customer,)).fetchone()[0]
    known = request.db.execute(
        "SELECT 1 FROM shop_compared WHERE customer_id = ? AND product_id = ?", (customer, product["id"])
    ).fetchone()
    if not known and count >= 4:
        return request.back("/compare", error="Four products at most can be compared.")
    if not known:
        request.db.execute(
            "INSERT INTO shop_compared (customer_id, product_id) VALUES (?, ?)", (customer, product["id"])
        )
    return request.back("/compare", success=f"You added {product['name']} to the comparison list.")


def _stop_comparing(request: SiteRequest) -> SiteResponse:
    customer = shopper(request)["id"]
    request.db.execute(
        "DELETE FROM shop_compared WHERE customer_id = ? AND product_id = ?", (customer, request.number("product"))
    )
    return request.redirect("/compare", success="You removed a product from the comparison list.")


BROWSE_ROUTES = (
    SiteRoute("GET", "/", _home),
    SiteRoute("GET", "/category/{slug}", _category),
    SiteRoute("GET", "/search", _search),
    SiteRoute("GET", "/search/advanced", _advanced),
    SiteRoute("GET", "/search/advanced/results", _advanced_results),
    SiteRoute("GET", "/compare", _compared, login=True),
    SiteRoute("POST", "/compare/add", _compare, login=True),
    SiteRoute("POST", "/compare/remove", _stop_comparing, login=True),
)
