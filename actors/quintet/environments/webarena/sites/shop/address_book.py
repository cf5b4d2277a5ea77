"""A customer's address book."""

import re
from typing import Any

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.shopper import shopper
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import whole_number

_FIELDS = ("name", "street", "city", "state", "postcode", "phone")
_LONGEST = 120


def _addresses(request: SiteRequest) -> SiteResponse:
    rows = request.db.execute(
        "SELECT * FROM shop_addresses WHERE customer_id = ? ORDER BY preferred DESC, id", (shopper(request)["id"],)
    ).fetchall()
    return request.page("addresses.html", addresses=rows)


def _own_address(request: SiteRequest) -> Any:
    values = (whole_number(request.params["id"]), shopper(request)["id"])
    return request.db.execute("SELECT * FROM shop_addresses WHERE id = ? AND customer_id = ?", values).fetchone()


def _address_page(request: SiteRequest) -> SiteResponse:
    row = _own_address(request) if "id" in request.params else None
    if "id" in request.params and row is None:
        return request.not_found()
    return request.page("address.html", address=row, customer=shopper(request))


def _save_address(request: SiteRequest) -> SiteResponse:
    row = _own_address(request) if "id" in request.params else None
    if "id" in request.params and row is None:
        return request.not_found()
    path = f"/customer/addresses/{row['id']}" if row else "/customer/addresses/new"
    given = [request.text(name)[:_LONGEST] for name in _FIELDS]
    if not all(given):
        return request.redirect(path, error="All fields of an address are required.")
    if not re.fullmatch(r"\d{5}", given[4]):
        return request.redirect(path, error="A postal code has five digits.")
    customer = shopper(request)["id"]
    preferred = int("preferred" in request.form or bool(row and row["preferred"]))
    if preferred:
        request.db.execute("UPDATE shop_addresses SET preferred = 0 WHERE customer_id = ?", (customer,))
    if row:
        request.db.execute(
            "UPDATE shop_addresses SET name = ?, street = ?, city = ?, state = ?, postcode = ?, phone = ?, "
            "preferred = ? WHERE id = ?",
            (*given, preferred, row["id"]),
        )
    else:
        request.db.execute(
            "INSERT INTO shop_addresses (name, street, city, state, postcode, phone, preferred, customer_id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*given, preferred, customer),
        )
    return request.redirect("/customer/addresses", success="You saved the address.")


def _delete_address(request: SiteRequest) -> SiteResponse:
    row = _own_address(request)
    if row is None:
        return request.not_found()
    if row["preferred"]:
        return request.redirect("/customer/addresses", error="The default address cannot be deleted.")
    request.db.execute("DELETE FROM shop_addresses WHERE id = ?", (row["id"],))
    return request.redirect("/customer/addresses", success="You deleted the address.")


ADDRESS_ROUTES = (
    SiteRoute("GET", "/customer/addresses", _addresses, login=True),
    SiteRoute("GET", "/customer/addresses/new", _address_page, login=True),
    SiteRoute("POST", "/customer/addresses/new", _save_address, login=True),
    SiteRoute("GET", "/customer/addresses/{id}", _address_page, login=True),
    SiteRoute("POST", "/customer/addresses/{id}", _save_address, login=True),
    SiteRoute("POST", "/customer/addresses/{id}/delete", _delete_address, login=True),
)
