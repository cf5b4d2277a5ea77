"""The back office's first page, and signing in to it."""

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

SOLD = "o.status NOT IN ('Canceled', 'On Hold')"
"""Orders that count as sales."""


def _to_dashboard(request: SiteRequest) -> SiteResponse:
    return request.redirect("/admin")


def _dashboard(request: SiteRequest) -> SiteResponse:
    """The dashboard, or for a visitor the form to sign in by, as the official back office has it at this address."""
    if request.user is None:
        return request.page("admin_login.html", next="/admin")
    db = request.db
    totals = db.execute(
        f"SELECT count(*) AS orders, sum(total) AS sales, avg(total) AS mean FROM shop_orders o WHERE {SOLD}"
    ).fetchone()
    last = db.execute(
        "SELECT o.*, (SELECT sum(quantity) FROM shop_order_items i WHERE i.order_id = o.id) AS items, "
        "c.first || ' ' || c.last AS customer FROM shop_orders o JOIN shop_customers c ON c.id = o.customer_id "
        "ORDER BY o.id DESC LIMIT 5"
    ).fetchall()
    best = db.execute(
        "SELECT i.name, i.product_id, sum(i.quantity) AS sold, max(i.price) AS price FROM shop_order_items i "
        f"JOIN shop_orders o ON o.id = i.order_id WHERE {SOLD} GROUP BY i.product_id "
        "ORDER BY sold DESC, i.product_id LIMIT 5"
    ).fetchall()
    return request.page(
        "dashboard.html",
        totals=totals,
        last=last,
        best=best,
        recent=db.execute("SELECT * FROM shop_searches ORDER BY last_used DESC LIMIT 5").fetchall(),
        top=db.execute("SELECT * FROM shop_searches ORDER BY uses DESC, id LIMIT 5").fetchall(),
        waiting=db.execute("SELECT count(*) FROM shop_reviews WHERE status = 'Pending'").fetchone()[0],
    )


def _login_page(request: SiteRequest) -> SiteResponse:
    if request.user is not None:
        return request.redirect("/admin")
    return request.page("admin_login.html", next=request.query.get("next", ""))


def _login(request: SiteRequest) -> SiteResponse:
    user, password = request.text("user"), request.form.get("password", "")
    row = request.db.execute(
        "SELECT user FROM shop_clerks WHERE user = ? AND password = ?", (user, password)
    ).fetchone()
    if row is None:
        words = "The account sign-in was incorrect or your account is disabled temporarily."
        return request.redirect("/admin/login", error=words)
    return request.sign_in(row["user"], "/admin")


def _logout(request: SiteRequest) -> SiteResponse:
    return request.sign_out("/admin/login", success="You have logged out.")


DASHBOARD_ROUTES = (
    SiteRoute("GET", "/", _to_dashboard),
    SiteRoute("GET", "/admin", _dashboard),
    SiteRoute("GET", "/admin/login", _login_page),
    SiteRoute("POST", "/admin/login", _login),
    SiteRoute("POST", "/admin/logout", _logout),
)
