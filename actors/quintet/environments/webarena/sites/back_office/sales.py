"""Orders, invoices and shipments in the back office."""

from typing import Any

from quintet.environments.webarena.sites.back_office.grid import GridColumn, read_grid
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

ORDER_STATES = ("Pending", "Processing", "On Hold", "Complete", "Canceled")
CARRIERS = ("Northway Parcel", "Blue Heron Post", "Swiftline")
_ORDERS = (
    "SELECT o.*, c.first || ' ' || c.last AS customer FROM shop_orders o JOIN shop_customers c ON c.id = o.customer_id"
)
_ORDER_COLUMNS = (
    GridColumn("number", "ID", link="/admin/orders/{number}"),
    GridColumn("created", "Purchase Date", "day"),
    GridColumn("customer", "Customer", link="/admin/customers/{customer_id}"),
    GridColumn("ship_city", "Ship-to City"),
    GridColumn("total", "Grand Total", "money"),
    GridColumn("payment", "Payment", "choice", ("On account", "At the door")),
    GridColumn("status", "Status", "choice", ORDER_STATES),
)
_INVOICES = (
    "SELECT i.*, o.number AS order_number, o.created AS ordered, o.ship_name FROM shop_invoices i "
    "JOIN shop_orders o ON o.id = i.order_id"
)
_INVOICE_COLUMNS = (
    GridColumn("number", "Invoice", link="/admin/invoices/{number}"),
    GridColumn("created", "Invoice Date", "day"),
    GridColumn("order_number", "Order #", link="/admin/orders/{order_number}"),
    GridColumn("ordered", "Order Date", "day"),
    GridColumn("ship_name", "Bill-to Name"),
    GridColumn("total", "Amount", "money"),
)
_SHIPMENTS = (
    "SELECT s.*, o.number AS order_number, o.ship_name FROM shop_shipments s JOIN shop_orders o ON o.id = s.order_id"
)
_SHIPMENT_COLUMNS = (
    GridColumn("tracking", "Tracking Number"),
    GridColumn("carrier", "Carrier", "choice", CARRIERS),
    GridColumn("created", "Ship Date", "day"),
    GridColumn("order_number", "Order #", link="/admin/orders/{order_number}"),
    GridColumn("ship_name", "Ship-to Name"),
)


def _orders(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _ORDERS, _ORDER_COLUMNS, sort="number", descending=True)
    return request.page("grid.html", grid=grid, heading="Orders")


def _invoices(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _INVOICES, _INVOICE_COLUMNS, sort="number", descending=True)
    return request.page("grid.html", grid=grid, heading="Invoices")


def _shipments(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, _SHIPMENTS, _SHIPMENT_COLUMNS, sort="created", descending=True)
    return request.page("grid.html", grid=grid, heading="Shipments")


def _invoice(request: SiteRequest) -> SiteResponse:
    invoice = request.db.execute(f"{_INVOICES} WHERE i.number = ?", (request.params["number"],)).fetchone()
    if invoice is None:
        return request.not_found()
    items = request.db.execute(
        "SELECT * FROM shop_order_items WHERE order_id = ? ORDER BY id", (invoice["order_id"],)
    ).fetchall()
    return request.page("invoice.html", invoice=invoice, items=items)


def _find_order(request: SiteRequest) -> Any:
    return request.db.execute(f"{_ORDERS} WHERE o.number = ?", (request.params["number"],)).fetchone()


def allowed_actions(status: str) -> tuple[str, ...]:
    """What can be done with an order in a state."""
    if status == "Pending":
        return ("cancel", "hold", "invoice", "ship")
    if status == "Processing":
        return ("cancel", "hold", "ship")
    return ("unhold",) if status == "On Hold" else ()


def _order(request: SiteRequest) -> SiteResponse:
    order = _find_order(request)
    if order is None:
        return request.not_found()

    def below(table: str) -> list[Any]:
        return request.db.execute(f"SELECT * FROM {table} WHERE order_id = ? ORDER BY id", (order["id"],)).fetchall()

    return request.page(
        "admin_order.html",
        order=order,
        items=below("shop_order_items"),
        customer=request.db.execute("SELECT * FROM shop_customers WHERE id = ?", (order["customer_id"],)).fetchone(),
        comments=below("shop_order_comments"),
        shipments=below("shop_shipments"),
        invoices=below("shop_invoices"),
        actions=allowed_actions(order["status"]),
        carriers=CARRIERS,
    )


def _act(request: SiteRequest) -> SiteResponse:
    """Cancel, hold, release, invoice or ship an order."""
    order = _find_order(request)
    action = request.params["action"]
    if order is None or action not in ("cancel", "hold", "unhold", "invoice", "ship"):
        return request.not_found()
    path = f"/admin/orders/{order['number']}"
    if action not in allowed_actions(order["status"]):
        return request.redirect(
            path, error=f"An order that is {order['status'].lower()} cannot be changed in this way."
        )
    if action == "ship":
        carrier, tracking = request.form.get("carrier", ""), request.text("tracking")[:40]
        if carrier not in CARRIERS or not tracking:
            return request.redirect(path, error="A shipment needs a carrier and a tracking number.")
        request.db.execute(
            "INSERT INTO shop_shipments (order_id, created, carrier, tracking) VALUES (?, ?, ?, ?)",
            (order["id"], request.now, carrier, tracking),
        )
    if action in ("invoice", "ship"):
        _add_invoice(request, order)
    if action == "cancel":
        request.db.execute(
            "UPDATE shop_products SET stock = stock + (SELECT sum(quantity) FROM shop_order_items i "
            "WHERE i.order_id = ? AND i.product_id = shop_products.id) "
            "WHERE id IN (SELECT product_id FROM shop_order_items WHERE order_id = ?)",
            (order["id"], order["id"]),
        )
    status, words = {
        "cancel": ("Canceled", "You canceled the order."),
        "hold": ("On Hold", "You put the order on hold."),
        "unhold": ("Pending", "You released the order from holding status."),
        "invoice": ("Processing", "The invoice has been created."),
        "ship": ("Complete", "The shipment has been created."),
    }[action]
    request.db.execute("UPDATE shop_orders SET status = ? WHERE id = ?", (status, order["id"]))
    return request.redirect(path, success=words)


def _add_invoice(request: SiteRequest, order: Any) -> None:
    if request.db.execute("SELECT 1 FROM shop_invoices WHERE order_id = ?", (order["id"],)).fetchone():
        return
    number = request.db.execute("SELECT count(*) + 1 FROM shop_invoices").fetchone()[0]
    request.db.execute(
        "INSERT INTO shop_invoices (number, order_id, created, total) VALUES (?, ?, ?, ?)",
        (f"{number:09d}", order["id"], request.now, order["total"]),
    )


def _comment(request: SiteRequest) -> SiteResponse:
    order = _find_order(request)
    if order is None:
        return request.not_found()
    path = f"/admin/orders/{order['number']}"
    text = request.text("comment")[:2000]
    if not text:
        return request.redirect(path, error="The comment is missing.")
    request.db.execute(
        "INSERT INTO shop_order_comments (order_id, created, status, text, told) VALUES (?, ?, ?, ?, ?)",
        (order["id"], request.now, order["status"], text, int("told" in request.form)),
    )
    return request.redirect(path, success="You added a comment to the order.")


SALES_ROUTES = (
    SiteRoute("GET", "/admin/orders", _orders, login=True),
    SiteRoute("GET", "/admin/orders/{number}", _order, login=True),
    SiteRoute("POST", "/admin/orders/{number}/comment", _comment, login=True),
    SiteRoute("POST", "/admin/orders/{number}/{action}", _act, login=True),
    SiteRoute("GET", "/admin/invoices", _invoices, login=True),
    SiteRoute("GET", "/admin/invoices/{number}", _invoice, login=True),
    SiteRoute("GET", "/admin/shipments", _shipments, login=True),
)
