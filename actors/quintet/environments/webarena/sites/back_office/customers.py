"""Customers and their messages in the back office."""

from quintet.environments.webarena.sites.back_office.grid import GridColumn, read_grid
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

_CUSTOMERS = (
    "SELECT c.id, c.first || ' ' || c.last AS name, c.email, c.kind, c.phone, c.created, a.city, a.state "
    "FROM shop_customers c LEFT JOIN shop_addresses a ON a.customer_id = c.id AND a.preferred = 1"
)
_COLUMNS = (
    GridColumn("id", "ID", "number"),
    GridColumn("name", "Name", link="/admin/customers/{id}"),
    GridColumn("email", "Email"),
    GridColumn("kind", "Group", "choice", ("General", "Wholesale", "Club")),
    GridColumn("phone", "Phone"),
    GridColumn("state", "State"),
    GridColumn("created", "Customer Since", "day"),
)
_MESSAGE_COLUMNS = (
    GridColumn("id", "ID", "number"),
    GridColumn("created", "Received", "day"),
    GridColumn("name", "Name"),
    GridColumn("email", "Email"),
    GridColumn("text", "Message"),
)


def _customers(request: SiteRequest) -> SiteResponse:
    return request.page("grid.html", grid=read_grid(request, _CUSTOMERS, _COLUMNS, sort="id"), heading="Customers")


def _messages(request: SiteRequest) -> SiteResponse:
    grid = read_grid(request, "SELECT * FROM shop_messages", _MESSAGE_COLUMNS, sort="id", descending=True)
    return request.page("grid.html", grid=grid, heading="Messages")


def _customer(request: SiteRequest) -> SiteResponse:
    db, number = request.db, request.params["id"]
    customer = db.execute("SELECT * FROM shop_customers WHERE id = ?", (number,)).fetchone()
    if customer is None:
        return request.not_found()
    number = customer["id"]
    return request.page(
        "admin_customer.html",
        customer=customer,
        addresses=db.execute("SELECT * FROM shop_addresses WHERE customer_id = ? ORDER BY id", (number,)).fetchall(),
        orders=db.execute("SELECT * FROM shop_orders WHERE customer_id = ? ORDER BY id DESC", (number,)).fetchall(),
        spent=db.execute(
            "SELECT coalesce(sum(total), 0) FROM shop_orders WHERE customer_id = ? AND status != 'Canceled'", (number,)
        ).fetchone()[0],
        reviews=db.execute("SELECT count(*) FROM shop_reviews WHERE customer_id = ?", (number,)).fetchone()[0],
    )


def _save(request: SiteRequest) -> SiteResponse:
    customer = request.db.execute("SELECT * FROM shop_customers WHERE id = ?", (request.params["id"],)).fetchone()
    if customer is None:
        return request.not_found()
    path = f"/admin/customers/{customer['id']}"
    first, last, phone = (request.text(name)[:120] for name in ("first", "last", "phone"))
    kind = request.form.get("kind")
    if not (first and last) or kind not in ("General", "Wholesale", "Club"):
        return request.redirect(path, error="A customer needs a first name, a last name and a group.")
    request.db.execute(
        "UPDATE shop_customers SET first = ?, last = ?, phone = ?, kind = ? WHERE id = ?",
        (first, last, phone, kind, customer["id"]),
    )
    return request.redirect(path, success="You saved the customer.")


CUSTOMER_ROUTES = (
    SiteRoute("GET", "/admin/customers", _customers, login=True),
    SiteRoute("GET", "/admin/customers/{id}", _customer, login=True),
    SiteRoute("POST", "/admin/customers/{id}", _save, login=True),
    SiteRoute("GET", "/admin/messages", _messages, login=True),
)
