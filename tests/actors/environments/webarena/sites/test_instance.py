"""Instances: copies of one seed that do not meet, whose pages read and whose forms write."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.page_changes import changed_pages, with_changes
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.seed import the_seed
from quintet.environments.webarena.sites.shop.site import SHOP_SITE
from quintet.environments.webarena.sites.site import SiteRoute
from tests.actors.environments.webarena.sites.visitor import Visitor

ACTIONS: tuple[tuple[SiteName, str, dict[str, str]], ...] = (
    ("shopping", "/wishlist/add", {"product": "SLUG"}),
    ("shopping", "/compare/add", {"product": "SLUG"}),
    ("shopping", "/cart/add", {"product": "SLUG", "quantity": "2"}),
    ("shopping", "/contact", {"name": "A", "email": "a@b.example", "message": "Hello <b>"}),
    ("shopping", "/checkout", {"address": "1", "method": "Standard"}),
    ("shopping", "/checkout/place", {"payment": "On account"}),
    ("shopping", "/customer/newsletter", {"subscribed": "on"}),
    ("shopping_admin", "/admin/products/7", {"name": "New", "price": "1.5", "stock": "4", "enabled": "on"}),
    ("shopping_admin", "/admin/orders/000000150/comment", {"comment": "Seen"}),
    ("shopping_admin", "/admin/reviews", {"ids": "590", "action": "delete"}),
)


def slugs() -> list[str]:
    rows = Instance().db.execute(
        "SELECT slug FROM shop_products WHERE stock > 5 AND id NOT IN (SELECT product_id FROM shop_options) LIMIT 20"
    )
    return [row["slug"] for row in rows]


def carry_out(instance: Instance, action: int, product: str) -> None:
    site, path, form = ACTIONS[action]
    fields = [(key, product if value == "SLUG" else value) for key, value in form.items()]
    answer = instance.respond(site, "POST", path, form=fields, cookies={"session": the_seed().tokens[site]})
    assert answer.status == 303


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(ACTIONS) - 1), st.integers(0, 9)), max_size=6))
def test_a_restored_instance_is_the_instance_and_goes_on_like_it(steps: list[tuple[int, int]]) -> None:
    names = slugs()
    first = Instance()
    for action, product in steps:
        carry_out(first, action, names[product])
    second = Instance.restored(first.changes())
    assert second.db.serialize() == first.db.serialize()
    for instance in (first, second):
        carry_out(instance, 3, names[0])
        carry_out(instance, 0, names[-1])
    assert second.changes() == first.changes()


def test_a_new_instance_has_no_changes_and_a_changed_one_few_bytes_of_them() -> None:
    instance = Instance()
    unchanged = instance.changes()
    assert with_changes(the_seed().data, unchanged) == the_seed().data
    carry_out(instance, 3, "")
    assert len(unchanged) < len(instance.changes()) < 4000


def test_pages_do_not_change_an_instance() -> None:
    instance = Instance()
    before = instance.changes()
    for path in ("/", "/cart", "/search?q=lamp", "/customer/orders"):
        assert Visitor("shopping", instance).get(path).status == 200
    assert instance.changes() == before


def test_instances_do_not_meet() -> None:
    one, other = Instance(), Instance()
    carry_out(one, 2, slugs()[0])
    assert "My Cart (2)" in Visitor("shopping", one).get("/").text
    assert "My Cart (2)" not in Visitor("shopping", other).get("/").text


def test_a_get_cannot_write_and_a_form_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(request: SiteRequest) -> SiteResponse:
        request.db.execute("DELETE FROM shop_reviews")
        raise KeyError("the handler failed")

    routes = (SiteRoute("GET", "/write", write), SiteRoute("POST", "/write", write))
    monkeypatch.setattr(SHOP_SITE, "routes", routes)
    instance = Instance()
    before = instance.db.serialize()
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        instance.respond("shopping", "GET", "/write")
    with pytest.raises(KeyError):
        instance.respond("shopping", "POST", "/write")
    assert instance.db.serialize() == before


def test_a_cookie_is_of_one_site_and_ends_with_signing_out() -> None:
    instance = Instance()
    stolen = {"session": the_seed().tokens["shopping"]}
    answer = instance.respond("shopping_admin", "GET", "/admin/orders", cookies=stolen)
    assert answer.location == "/admin/login?next=%2Fadmin%2Forders"
    Visitor("shopping", instance).post("/customer/logout")
    answer = instance.respond("shopping", "GET", "/customer/account", cookies=stolen)
    assert answer.location == "/customer/account/login?next=%2Fcustomer%2Faccount"


def test_the_clock_moves_a_minute_with_each_change() -> None:
    instance = Instance()
    for _ in range(3):
        carry_out(instance, 3, "")
    times = [row[0] for row in instance.db.execute("SELECT created FROM shop_messages ORDER BY id DESC LIMIT 3")]
    assert times == ["2023-06-15 12:03:00", "2023-06-15 12:02:00", "2023-06-15 12:01:00"]


@pytest.mark.parametrize("changes", [b"", b"no changes", changed_pages(b"\0" * 16 + b"\x10\0" + b"\0" * 4078, b"")])
def test_changes_of_another_seed_are_refused(changes: bytes) -> None:
    with pytest.raises(ValueError, match="changes of a site's database"):
        Instance.restored(changes)
