"""The back office: the shop's database seen by a clerk; what is changed here shows there."""

from collections.abc import Mapping
from typing import Any

import pytest

from quintet.environments.webarena.sites.back_office.grid import read_day
from tests.actors.environments.webarena.sites.visitor import Page, Visitor

HOSTILE = "<script>alert(1)</script>\"'><b onclick=x>"


def clerk() -> Visitor:
    return Visitor("shopping_admin")


def ask(visitor: Visitor, sql: str) -> Any:
    return visitor.instance.db.execute(sql).fetchone()[0]


def text(answer: Any) -> str:
    return Page(answer.text).text


def test_the_nearest_pages_and_all_that_they_link_to_are_there() -> None:
    kinds: set[str] = set()
    for path, answer, origin in clerk().crawl("/admin", 45):
        assert answer.status == 200, f"{path}, linked from {origin}"
        kinds.add(path.partition("/admin/")[2].partition("?")[0].split("/")[0])
    assert kinds >= {"orders", "products", "customers", "coupons", "reviews", "newsletter", "reports", "messages"}


@pytest.mark.slow
def test_every_page_and_all_that_it_links_to_is_there() -> None:
    wrong = [
        f"{path}, linked from {origin}: {answer.status}"
        for path, answer, origin in clerk().crawl("/admin", 900)
        if answer.status != 200
    ]
    assert wrong == []


def test_nobody_gets_in_without_signing_in() -> None:
    visitor = Visitor("shopping_admin", signed_in=False)
    assert "please sign in" in text(visitor.get("/admin"))
    assert "please sign in" in text(visitor.get("/admin/orders"))
    visitor.post("/admin/products/1", {"name": "Mine", "price": "1", "stock": "1"})
    assert ask(visitor, "SELECT count(*) FROM shop_products WHERE name = 'Mine'") == 0
    assert "sign-in was incorrect" in text(visitor.post("/admin/login", {"user": "admin", "password": "guess"}))
    password = ask(visitor, "SELECT password FROM shop_clerks")
    visitor.post("/admin/login", {"user": "admin", "password": password, "next": "/admin/orders"})
    assert visitor.path == "/admin/orders"


@pytest.mark.parametrize(
    ("path", "form", "words"),
    [
        ("/admin/products/7", {"name": "", "price": "1", "stock": "1"}, "needs a name"),
        ("/admin/products/7", {"name": "A", "price": "-1", "stock": "1"}, "A price is a number"),
        ("/admin/products/7", {"name": "A", "price": "1", "stock": "many"}, "whole number from 0 up"),
        ("/admin/orders/000000144/ship", {"carrier": "Swiftline", "tracking": " "}, "needs a carrier and a tracking"),
        ("/admin/orders/000000137/ship", {"carrier": "Swiftline", "tracking": "1"}, "canceled cannot be changed"),
        ("/admin/orders/000000140/cancel", {}, "complete cannot be changed"),
        ("/admin/orders/000000144/comment", {}, "comment is missing"),
        ("/admin/coupons/new", {"code": "A!", "name": "B"}, "3 to 20 letters"),
        ("/admin/coupons/new", {"code": "welcome10", "name": "B"}, "already a coupon"),
        ("/admin/coupons/new", {"code": "ABCD", "name": "B", "kind": "percent", "amount": "101"}, "100 percent"),
        (
            "/admin/coupons/new",
            {"code": "ABCD", "name": "B", "kind": "amount", "amount": "5", "starts": "6/2/2023", "ends": "6/1/2023"},
            "a first and a last day",
        ),
        ("/admin/reviews", {"action": "delete"}, "Tick the reviews first"),
        ("/admin/reviews", {"ids": "590", "action": "burn"}, "Choose what is to be done"),
        ("/admin/reviews/590", {"title": "", "text": "b", "status": "Approved"}, "needs a summary"),
        ("/admin/newsletter", {"ids": "1"}, "Choose what is to be done"),
        ("/admin/customers/3", {"first": "A", "last": "", "kind": "Club"}, "needs a first name"),
    ],
)
def test_a_form_says_what_is_wrong_with_it(path: str, form: Mapping[str, str], words: str) -> None:
    assert words in text(clerk().post(path, form))


def test_markup_from_the_shop_is_text_here() -> None:
    office = clerk()
    Visitor("shopping", office.instance).post("/contact", {"name": HOSTILE, "email": "a@b.example", "message": HOSTILE})
    pages = [
        office.get("/admin/messages"),
        office.post("/admin/orders/000000144/comment", {"comment": HOSTILE}),
        office.post("/admin/products/7", {"name": HOSTILE, "price": "1", "stock": "1", "enabled": "on"}),
        office.get("/admin/products?name=%3Cscript%3E&sort=%3Cscript%3E&price_from=%3Cscript%3E"),
        office.get("/admin/reports/sales?period=%3Cscript%3E&from=%3Cscript%3E&to=x"),
    ]
    assert "alert(1)" in pages[0].text
    for page in pages:
        assert "<script>alert" not in page.text
        assert "<b onclick" not in page.text
    assert "<script>alert" not in Visitor("shopping", office.instance).get("/category/mugs-and-cups").text


def test_what_the_clerk_changes_shows_in_the_shop() -> None:
    office = clerk()
    shop = Visitor("shopping", office.instance)
    slug = ask(office, "SELECT slug FROM shop_products WHERE id = 9")
    form = {"name": "Renamed Mug", "price": "12.5", "stock": "0", "enabled": "on", "description": "New words."}
    office.post("/admin/products/9", form)
    page = text(shop.get(f"/product/{slug}"))
    assert "Renamed Mug" in page
    assert "$12.50" in page
    assert "Out of stock" in page
    office.post("/admin/products/9", {**form, "stock": "1"} | {"enabled": ""})
    del form["enabled"]
    office.post("/admin/products/9", form)
    assert shop.get(f"/product/{slug}").status == 404


def test_what_a_customer_writes_waits_for_the_clerk() -> None:
    office = clerk()
    shop = Visitor("shopping", office.instance)
    slug = ask(office, "SELECT slug FROM shop_products WHERE id = 9")
    review = {"rating": "4", "title": "Fine", "text": "It holds what it says.", "nickname": "Nora"}
    shop.post(f"/product/{slug}/review", review)
    assert "It holds what it says." not in shop.get(f"/product/{slug}").text
    number = ask(office, "SELECT max(id) FROM shop_reviews")
    office.post("/admin/reviews", [("ids", str(number)), ("ids", "587"), ("action", "status:Approved")])
    assert "It holds what it says." in shop.get(f"/product/{slug}").text
    office.post(f"/admin/reviews/{number}", {"action": "delete"})
    assert "It holds what it says." not in shop.get(f"/product/{slug}").text
    assert ask(office, "SELECT count(*) FROM shop_reviews WHERE status = 'Pending'") == 13


def test_an_order_goes_its_way() -> None:
    office = clerk()
    path = "/admin/orders/000000144"
    office.post(f"{path}/hold")
    assert "On Hold" in text(office.get(path))
    office.post(f"{path}/unhold")
    office.post(f"{path}/invoice")
    invoice = ask(office, "SELECT max(number) FROM shop_invoices")
    assert office.get(f"/admin/invoices/{invoice}").status == 200
    office.post(f"{path}/ship", {"carrier": "Swiftline", "tracking": "S1"})
    page = text(office.get(path))
    assert "Order Status Complete" in page
    assert "with Swiftline, tracking number S1" in page
    assert ask(office, "SELECT max(number) FROM shop_invoices") == invoice
    assert "cannot be changed" in text(office.post(f"{path}/cancel"))


def test_canceling_an_order_gives_its_things_back_to_the_stock() -> None:
    office = clerk()
    sql = "SELECT stock FROM shop_products WHERE name = 'Brasko Satin Bamboo Soprano Ukulele, 26 in'"
    before = ask(office, sql)
    office.post("/admin/orders/000000142/cancel")
    assert ask(office, sql) == before + 3


def test_a_comment_reaches_the_customer_only_if_she_is_told() -> None:
    office = clerk()
    shop = Visitor("shopping", office.instance)
    office.post("/admin/orders/000000149/comment", {"comment": "For us alone."})
    office.post("/admin/orders/000000149/comment", {"comment": "For you, too.", "told": "on"})
    page = text(shop.get("/customer/orders/000000149"))
    assert "For you, too." in page
    assert "For us alone." not in page


def test_a_coupon_is_made_and_used() -> None:
    office = clerk()
    form = {"code": "TENTH", "name": "A tenth", "kind": "percent", "amount": "10", "active": "on"}
    office.post("/admin/coupons/new", {**form, "starts": "2023-06-01", "ends": "7/1/2023"})
    shop = Visitor("shopping", office.instance)
    assert 'You used coupon code "TENTH"' in text(shop.post("/cart/coupon", {"coupon": "tenth"}))


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("status=On+Hold", 5),
        ("status=On+Hold&customer=whitfield", 2),
        ("total_from=900", 2),
        ("created_from=6/1/2023&created_to=6/4/2023", 2),
        ("created_from=nonsense&total_to=much", 150),
        ("customer=%25", 0),
    ],
)
def test_a_grid_shows_what_its_filters_leave(query: str, count: int) -> None:
    assert f"{count} records found" in text(clerk().get(f"/admin/orders?{query}"))


def test_a_grid_is_sorted_either_way_by_a_column() -> None:
    office = clerk()
    up, down = (text(office.get(f"/admin/products?sort=price{more}")) for more in ("", "&dir=desc"))
    cheapest = ask(office, "SELECT name FROM shop_products ORDER BY price LIMIT 1")
    assert cheapest in up
    assert cheapest not in down


def test_the_sales_report_adds_up() -> None:
    office = clerk()
    page = text(office.get("/admin/reports/sales?period=Month&from=1/1/2022&to=12/31/2022"))
    orders = ask(
        office,
        "SELECT count(*) FROM shop_orders WHERE created LIKE '2022%' AND status NOT IN ('Canceled', 'On Hold')",
    )
    assert f"Total {orders} " in page
    assert "The last day lies before the first." in text(
        office.get("/admin/reports/sales?period=Day&from=6/2/2023&to=6/1/2023")
    )


@pytest.mark.parametrize(
    ("given", "day"),
    [("6/5/2023", "2023-06-05"), ("2023-6-5", "2023-06-05"), ("13/1/2023", None), ("6/5/23", None), ("", None)],
)
def test_a_day_is_read_in_two_forms(given: str, day: str | None) -> None:
    assert read_day(given) == day
