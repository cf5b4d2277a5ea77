"""The back office's reports: sales, bestsellers, search terms, low stock, reviews by product."""

from typing import Any

from quintet.environments.webarena.sites.back_office.dashboard import SOLD
from quintet.environments.webarena.sites.back_office.grid import GridColumn, read_day, read_grid
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

_PERIODS = {"Day": 10, "Month": 7, "Year": 4}
"""How much of a moment names the period that it lies in."""
_TERM_COLUMNS = (
    GridColumn("id", "ID", "number", filtered=False),
    GridColumn("term", "Search Query"),
    GridColumn("results", "Results", "number"),
    GridColumn("uses", "Hits", "number"),
    GridColumn("last_used", "Last Used", "day"),
)
_STOCK_COLUMNS = (
    GridColumn("id", "ID", "number", filtered=False),
    GridColumn("name", "Product", link="/admin/products/{id}"),
    GridColumn("sku", "SKU"),
    GridColumn("stock", "Stock Qty", "number"),
)
_REVIEWED_COLUMNS = (
    GridColumn("id", "ID", "number", filtered=False),
    GridColumn("name", "Product", link="/admin/products/{id}"),
    GridColumn("reviews", "Reviews", "number"),
    GridColumn("mean", "Average", "number"),
    GridColumn("last", "Last Review", "day"),
)
_REVIEWED = (
    "SELECT p.id, p.name, count(*) AS reviews, round(avg(r.rating), 2) AS mean, max(r.created) AS last "
    "FROM shop_reviews r JOIN shop_products p ON p.id = r.product_id WHERE r.status = 'Approved' GROUP BY p.id"
)


def _period(request: SiteRequest) -> tuple[str, str, str, str]:
    """The period's length, its first and last day, and what is wrong with them."""
    length = request.query.get("period", "Month")
    first = read_day(request.query.get("from", "")) or ""
    last = read_day(request.query.get("to", "")) or ""
    asked = "from" in request.query
    error = "Enter the first and the last day, such as 6/15/2023." if asked and not (first and last) else ""
    if first and last and last < first:
        error = "The last day lies before the first."
    return (length if length in _PERIODS else "Month"), first, last, error


def _sales(request: SiteRequest) -> SiteResponse:
    length, first, last, error = _period(request)
    rows: list[Any] = []
    if first and last and not error:
        rows = request.db.execute(
            f"SELECT substr(o.created, 1, {_PERIODS[length]}) AS period, count(*) AS orders, "
            "sum((SELECT sum(quantity) FROM shop_order_items i WHERE i.order_id = o.id)) AS items, "
            "sum(o.total) AS total, sum(o.shipping) AS shipping, sum(o.discount) AS discount "
            f"FROM shop_orders o WHERE {SOLD} AND o.created >= ? AND o.created <= ? GROUP BY period ORDER BY period",
            (first, f"{last} 23:59:59"),
        ).fetchall()
    return request.page("sales_report.html", rows=rows, error=error, length=length, periods=list(_PERIODS))


def _bestsellers(request: SiteRequest) -> SiteResponse:
    length, first, last, error = _period(request)
    rows: list[Any] = []
    if first and last and not error:
        rows = request.db.execute(
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY period ORDER BY sold DESC, name) AS place FROM ("
            f"SELECT substr(o.created, 1, {_PERIODS[length]}) AS period, i.name, i.sku, max(i.price) AS price, "
            "sum(i.quantity) AS sold FROM shop_order_items i JOIN shop_orders o ON o.id = i.order_id "
            f"WHERE {SOLD} AND o.created >= ? AND o.created <= ? GROUP BY period, i.product_id)) "
            "WHERE place <= 5 ORDER BY period, place",
            (first, f"{last} 23:59:59"),
        ).fetchall()
    return request.page("bestsellers.html", rows=rows, error=error, length=length, periods=list(_PERIODS))


def _terms(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, "SELECT * FROM shop_searches", _TERM_COLUMNS, sort="uses", descending=True)
    return request.page("grid.html", grid=grid, heading="Search Terms Report")


def _low_stock(request: SiteRequest) -> SiteResponse:
    source = "SELECT id, name, sku, stock FROM shop_products WHERE stock < 10 AND enabled = 1"
    return request.page(
        "grid.html", grid=read_grid(request, source, _STOCK_COLUMNS, sort="stock"), heading="Low Stock Report"
    )


def _reviewed(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _REVIEWED, _REVIEWED_COLUMNS, sort="reviews", descending=True)
    return request.page("grid.html", grid=grid, heading="Product Reviews Report")


REPORT_ROUTES = (
    SiteRoute("GET", "/admin/reports/sales", _sales, login=True),
    SiteRoute("GET", "/admin/reports/bestsellers", _bestsellers, login=True),
    SiteRoute("GET", "/admin/reports/search-terms", _terms, login=True),
    SiteRoute("GET", "/admin/reports/low-stock", _low_stock, login=True),
    SiteRoute("GET", "/admin/reports/reviews", _reviewed, login=True),
)
