"""A product's page: its options, details, reviews and picture."""

from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.catalogue import find_product, find_products
from quintet.environments.webarena.sites.shop.shopper import shopper
from quintet.environments.webarena.sites.site import SiteRoute

_PAINTS = {
    "Amber": "#e0a030", "Charcoal": "#444", "Cream": "#efe6cf", "Forest": "#2f6b3a", "Indigo": "#3f3d8f",
    "Ochre": "#c58a2a", "Plum": "#6d2f5f",
    "Rust": "#a5482a", "Sage": "#9bb08d", "Sand": "#d8c3a0", "Slate": "#64727d", "Teal": "#2a8080",
}  # fmt: skip
_LONGEST_REVIEW = 4000


def _show(request: SiteRequest) -> SiteResponse:
    product = find_product(request.db, request.params["slug"])
    if product is None:
        return request.not_found()
    number = product["id"]
    options = request.db.execute(
        "SELECT value FROM shop_options WHERE product_id = ? ORDER BY id", (number,)
    ).fetchall()
    details = request.db.execute("SELECT * FROM shop_details WHERE product_id = ? ORDER BY id", (number,)).fetchall()
    related = request.db.execute(
        "SELECT related_id FROM shop_related WHERE product_id = ? ORDER BY id", (number,)
    ).fetchall()
    marks = ", ".join("?" * len(related))
    reviews = request.db.execute(
        "SELECT * FROM shop_reviews WHERE product_id = ? AND status = 'Approved' ORDER BY created DESC, id DESC",
        (number,),
    ).fetchall()
    return request.page(
        "product.html",
        product=product,
        options=options,
        details=details,
        related=find_products(request.db, f"id IN ({marks})", [row["related_id"] for row in related]),
        reviews=paged(reviews, request.number("p", 1), 10),
    )


def _review(request: SiteRequest) -> SiteResponse:
    product = find_product(request.db, request.params["slug"])
    if product is None:
        return request.not_found()
    path = f"/product/{product['slug']}"
    stars = request.number("rating")
    nickname, title, text = (request.text(name)[:_LONGEST_REVIEW] for name in ("nickname", "title", "text"))
    if not 1 <= stars <= 5:
        return request.redirect(path, error="Choose a rating of 1 to 5 stars.")
    if not (nickname and title and text):
        return request.redirect(path, error="A review needs a nickname, a summary and a text.")
    customer = shopper(request)
    request.db.execute(
        "INSERT INTO shop_reviews (product_id, customer_id, nickname, title, text, rating, status, created) "
        "VALUES (?, ?, ?, ?, ?, ?, 'Pending', ?)",
        (product["id"], customer["id"] if customer else None, nickname, title, text, stars, request.now),
    )
    return request.redirect(path, success="You submitted your review for moderation.")


def _picture(request: SiteRequest) -> SiteResponse:
    """A drawing in the product's colour; the shop has no photographs."""
    product = find_product(request.db, request.params["slug"])
    if product is None:
        return request.not_found()
    paint = _PAINTS.get(product["colour"], "#888")
    shapes = (
        '<circle cx="60" cy="50" r="32"/>',
        '<rect x="32" y="22" width="56" height="56" rx="8"/>',
        '<path d="M60 16 96 80H24z"/>',
        '<path d="M40 20h40l10 62H30z"/>',
        '<ellipse cx="60" cy="50" rx="44" ry="24"/>',
    )
    shape = shapes[int(product["category_id"]) % len(shapes)]
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 100"><g fill="{paint}">{shape}</g></svg>'
    return SiteResponse(body=drawing.encode(), content_type="image/svg+xml")


PRODUCT_ROUTES = (
    SiteRoute("GET", "/product/{slug}", _show),
    SiteRoute("POST", "/product/{slug}/review", _review),
    SiteRoute("GET", "/media/{slug}.svg", _picture),
)
