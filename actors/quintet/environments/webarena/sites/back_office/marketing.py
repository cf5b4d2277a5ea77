"""Coupons, reviews and the newsletter in the back office."""

import re

from quintet.environments.webarena.sites.back_office.grid import GridColumn, read_day, read_grid
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import whole_number

REVIEW_STATES = ("Pending", "Approved", "Rejected")
_COUPONS = (
    "SELECT id, code, name, CASE kind WHEN 'percent' THEN amount || '%' ELSE '$' || printf('%.2f', amount / 100.0) END "
    "AS discount, starts, ends, CASE active WHEN 1 THEN 'Active' ELSE 'Inactive' END AS status, "
    "(SELECT count(*) FROM shop_orders o WHERE o.coupon = code) AS uses FROM shop_coupons"
)
_COUPON_COLUMNS = (
    GridColumn("id", "ID", "number", filtered=False),
    GridColumn("code", "Coupon Code", link="/admin/coupons/{id}"),
    GridColumn("name", "Rule"),
    GridColumn("discount", "Discount", filtered=False),
    GridColumn("starts", "Start", "day"),
    GridColumn("ends", "End", "day"),
    GridColumn("uses", "Times Used", "number", filtered=False),
    GridColumn("status", "Status", "choice", ("Active", "Inactive")),
)
_REVIEWS = (
    "SELECT r.id, r.created, r.status, r.title, r.nickname, r.text, r.rating, p.name AS product, p.sku "
    "FROM shop_reviews r JOIN shop_products p ON p.id = r.product_id"
)
_REVIEW_COLUMNS = (
    GridColumn("id", "ID", "number", link="/admin/reviews/{id}"),
    GridColumn("created", "Created", "day"),
    GridColumn("status", "Status", "choice", REVIEW_STATES),
    GridColumn("rating", "Rating", "number"),
    GridColumn("title", "Title", link="/admin/reviews/{id}"),
    GridColumn("nickname", "Nickname"),
    GridColumn("text", "Review"),
    GridColumn("product", "Product"),
)
_SUBSCRIBER_COLUMNS = (
    GridColumn("id", "ID", "number", filtered=False),
    GridColumn("email", "Email"),
    GridColumn("created", "Since", "day"),
    GridColumn("status", "Status", "choice", ("Subscribed", "Unsubscribed")),
)


def _coupons(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _COUPONS, _COUPON_COLUMNS, sort="id")
    return request.page("grid.html", grid=grid, heading="Coupons", new=("/admin/coupons/new", "Add New Coupon"))


def _coupon_page(request: SiteRequest) -> SiteResponse:
    coupon = None
    if "id" in request.params:
        coupon = request.db.execute("SELECT * FROM shop_coupons WHERE id = ?", (request.params["id"],)).fetchone()
        if coupon is None:
            return request.not_found()
    return request.page("coupon.html", coupon=coupon)


def _save_coupon(request: SiteRequest) -> SiteResponse:
    coupon = None
    if "id" in request.params:
        coupon = request.db.execute("SELECT * FROM shop_coupons WHERE id = ?", (request.params["id"],)).fetchone()
        if coupon is None:
            return request.not_found()
    path = f"/admin/coupons/{coupon['id']}" if coupon else "/admin/coupons/new"
    code, name, kind = request.text("code"), request.text("name")[:120], request.form.get("kind", "")
    amount, starts, ends = request.text("amount"), read_day(request.text("starts")), read_day(request.text("ends"))
    taken = request.db.execute(
        "SELECT 1 FROM shop_coupons WHERE upper(code) = upper(?) AND id != ?", (code, coupon["id"] if coupon else 0)
    ).fetchone()
    error = ""
    if not re.fullmatch(r"[A-Za-z0-9]{3,20}", code):
        error = "A coupon code has 3 to 20 letters and digits."
    elif taken:
        error = "There is already a coupon with this code."
    elif not name:
        error = "A coupon needs a name."
    elif kind not in ("percent", "amount") or not re.fullmatch(r"[0-9]{1,4}", amount) or int(amount) < 1:
        error = "A discount is a whole number from 1 up, of percent or dollars."
    elif kind == "percent" and int(amount) > 100:
        error = "A discount is 100 percent at most."
    elif starts is None or ends is None or ends < starts:
        error = "A coupon needs a first and a last day, such as 6/15/2023."
    if error:
        return request.redirect(path, error=error)
    values = (
        code,
        name,
        kind,
        int(amount) * (1 if kind == "percent" else 100),
        starts,
        ends,
        int("active" in request.form),
    )
    if coupon:
        request.db.execute(
            "UPDATE shop_coupons SET code = ?, name = ?, kind = ?, amount = ?, starts = ?, ends = ?, active = ? "
            "WHERE id = ?",
            (*values, coupon["id"]),
        )
    else:
        request.db.execute(
            "INSERT INTO shop_coupons (code, name, kind, amount, starts, ends, active) VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )
    return request.redirect("/admin/coupons", success="You saved the coupon.")


def _reviews(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _REVIEWS, _REVIEW_COLUMNS, sort="id", descending=True)
    actions = [(f"status:{state}", f"Set status to {state}") for state in REVIEW_STATES] + [("delete", "Delete")]
    return request.page("grid.html", grid=grid, heading="Reviews", mass=("/admin/reviews", actions))


def _change_reviews(request: SiteRequest) -> SiteResponse:
    """Set the state of the reviews that were ticked, or delete them."""
    ids = _ticked(request)
    action = request.form.get("action", "")
    if not ids:
        return request.back("/admin/reviews", error="Tick the reviews first.")
    if not _change(request, action, ids):
        return request.back("/admin/reviews", error="Choose what is to be done with the reviews.")
    return request.back("/admin/reviews", success=f"A total of {len(ids)} record(s) have been updated.")


def _ticked(request: SiteRequest) -> list[int]:
    numbers = map(whole_number, request.values("ids"))
    return [number for number in numbers if number is not None]


def _change(request: SiteRequest, action: str, ids: list[int]) -> bool:
    marks = ", ".join("?" * len(ids))
    state = action.removeprefix("status:")
    if action == "delete":
        request.db.execute(f"DELETE FROM shop_reviews WHERE id IN ({marks})", ids)
    elif state in REVIEW_STATES:
        request.db.execute(f"UPDATE shop_reviews SET status = ? WHERE id IN ({marks})", (state, *ids))
    else:
        return False
    return True


def _review(request: SiteRequest) -> SiteResponse:
    review = request.db.execute(f"SELECT * FROM ({_REVIEWS}) WHERE id = ?", (request.params["id"],)).fetchone()
    if review is None:
        return request.not_found()
    return request.page("admin_review.html", review=review, states=REVIEW_STATES)


def _save_review(request: SiteRequest) -> SiteResponse:
    review = request.db.execute("SELECT * FROM shop_reviews WHERE id = ?", (request.params["id"],)).fetchone()
    if review is None:
        return request.not_found()
    action = request.form.get("action", "")
    if action == "delete":
        _change(request, "delete", [review["id"]])
        return request.redirect("/admin/reviews", success="The review has been deleted.")
    title, text, state = request.text("title")[:200], request.text("text")[:4000], request.form.get("status", "")
    if not (title and text) or state not in REVIEW_STATES:
        return request.redirect(
            f"/admin/reviews/{review['id']}", error="A review needs a summary, a text and a status."
        )
    request.db.execute(
        "UPDATE shop_reviews SET title = ?, text = ?, status = ? WHERE id = ?", (title, text, state, review["id"])
    )
    return request.redirect("/admin/reviews", success="You saved the review.")


def _subscribers(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, "SELECT * FROM shop_subscribers", _SUBSCRIBER_COLUMNS, sort="id")
    actions = [("Unsubscribed", "Unsubscribe"), ("delete", "Delete")]
    return request.page("grid.html", grid=grid, heading="Newsletter Subscribers", mass=("/admin/newsletter", actions))


def _change_subscribers(request: SiteRequest) -> SiteResponse:
    ids = _ticked(request)
    marks = ", ".join("?" * len(ids))
    action = request.form.get("action", "")
    if not ids:
        return request.back("/admin/newsletter", error="Tick the subscribers first.")
    if action == "delete":
        request.db.execute(f"DELETE FROM shop_subscribers WHERE id IN ({marks})", ids)
    elif action == "Unsubscribed":
        request.db.execute(f"UPDATE shop_subscribers SET status = 'Unsubscribed' WHERE id IN ({marks})", ids)
    else:
        return request.back("/admin/newsletter", error="Choose what is to be done with the subscribers.")
    return request.back("/admin/newsletter", success=f"A total of {len(ids)} record(s) have been updated.")


MARKETING_ROUTES = (
    SiteRoute("GET", "/admin/coupons", _coupons, login=True),
    SiteRoute("GET", "/admin/coupons/new", _coupon_page, login=True),
    SiteRoute("POST", "/admin/coupons/new", _save_coupon, login=True),
    SiteRoute("GET", "/admin/coupons/{id}", _coupon_page, login=True),
    SiteRoute("POST", "/admin/coupons/{id}", _save_coupon, login=True),
    SiteRoute("GET", "/admin/reviews", _reviews, login=True),
    SiteRoute("POST", "/admin/reviews", _change_reviews, login=True),
    SiteRoute("GET", "/admin/reviews/{id}", _review, login=True),
    SiteRoute("POST", "/admin/reviews/{id}", _save_review, login=True),
    SiteRoute("GET", "/admin/newsletter", _subscribers, login=True),
    SiteRoute("POST", "/admin/newsletter", _change_subscribers, login=True),
)
