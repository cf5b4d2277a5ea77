"""The shop's pages: every link leads somewhere, forms say what is wrong, and what is typed is never markup."""

from collections.abc import Mapping
from typing import Any

import pytest

from quintet.environments.webarena.sites.instance import Instance
from tests.actors.environments.webarena.sites.visitor import Page, Visitor

HOSTILE = "<script>alert(1)</script>\"'><b onclick=x>\u202e\x1b[31m"
PLAIN = "SELECT slug FROM shop_products WHERE stock > 20 AND id NOT IN (SELECT product_id FROM shop_options) LIMIT 1"
COLOURED = "SELECT slug FROM shop_products WHERE stock > 20 AND id IN (SELECT product_id FROM shop_options) LIMIT 1"
SOLD_OUT = "SELECT slug FROM shop_products WHERE stock = 0 LIMIT 1"
FEW = "SELECT slug FROM shop_products WHERE stock BETWEEN 1 AND 5 AND id NOT IN (SELECT product_id FROM shop_options)"


def shopper() -> Visitor:
    return Visitor("shopping")


def ask(visitor: Visitor, sql: str) -> Any:
    return visitor.instance.db.execute(sql).fetchone()[0]


def text(answer: Any) -> str:
    return Page(answer.text).text


def test_the_nearest_pages_and_all_that_they_link_to_are_there() -> None:
    visitor = shopper()
    kinds: set[str] = set()
    for path, answer, origin in visitor.crawl("/", 70):
        assert answer.status == 200, f"{path}, linked from {origin}"
        kinds.add(path.split("/")[1].split("?")[0])
    assert kinds >= {"category", "product", "customer", "search", "wishlist", "cart", "compare", "contact", "delivery"}


@pytest.mark.slow
def test_every_page_and_all_that_it_links_to_is_there() -> None:
    wrong = [
        f"{path}, linked from {origin}: {answer.status}"
        for path, answer, origin in shopper().crawl("/", 900)
        if answer.status != 200
    ]
    assert wrong == []


def test_pages_that_are_not_there_are_404() -> None:
    visitor = shopper()
    for path in ("/nothing", "/product/nothing", "/category/x", "/customer/orders/000000150", "/customer/addresses/3"):
        assert visitor.get(path).status == 404, path


@pytest.mark.parametrize(
    ("path", "form", "words"),
    [
        ("/contact", {"name": "A", "email": "a@b", "message": "Hi"}, "valid email address"),
        ("/contact", {"name": "", "email": "a@b.example", "message": "Hi"}, "needs your name"),
        ("/newsletter/subscribe", {"email": "nobody"}, "valid email address"),
        ("/cart/add", {"product": "nothing", "quantity": "1"}, "not sold any more"),
        ("/cart/add", {"product": COLOURED, "quantity": "1"}, "choose a color"),
        ("/cart/add", {"product": PLAIN, "quantity": "0"}, "whole number from 1 up"),
        ("/cart/add", {"product": PLAIN, "quantity": "two"}, "whole number from 1 up"),
        ("/cart/add", {"product": FEW, "quantity": "6"}, "are in stock"),
        ("/cart/add", {"product": SOLD_OUT, "quantity": "1"}, "out of stock"),
        ("/cart/coupon", {"coupon": "SPRING15"}, '"SPRING15" is not valid'),
        ("/cart/coupon", {"coupon": "CLUB25"}, '"CLUB25" is not valid'),
        ("/checkout/place", {"payment": "On account"}, "Choose an address and a shipping method"),
        ("/customer/addresses/new", {"name": "A"}, "All fields of an address are required"),
        ("/customer/addresses/1/delete", {}, "default address cannot be deleted"),
        ("/customer/edit", {"first": "A", "last": "B", "password": "x", "new_password": "long-enough"}, "not right"),
        ("/product/PLAIN/review", {"rating": "9", "title": "a", "text": "b", "nickname": "c"}, "rating of 1 to 5"),
        ("/product/PLAIN/review", {"rating": "5", "title": "", "text": "b", "nickname": "c"}, "needs a nickname"),
        ("/customer/create", {"first": "A", "last": "B", "email": "c@d.example", "password": "short"}, "8 characters"),
    ],
)
def test_a_form_says_what_is_wrong_with_it(path: str, form: Mapping[str, str], words: str) -> None:
    visitor = shopper()
    queries = {COLOURED, PLAIN, FEW, SOLD_OUT}
    filled = {key: ask(visitor, value) if value in queries else value for key, value in form.items()}
    page = Page(visitor.post(path.replace("PLAIN", ask(visitor, PLAIN)), filled).text)
    assert words in page.text


def test_what_was_typed_is_shown_again_but_no_password() -> None:
    page = shopper().post("/customer/create", {"first": "Ada", "email": "ada", "password": "secret-secret"})
    assert 'value="Ada"' in page.text
    assert "secret-secret" not in page.text


def test_markup_that_is_typed_is_shown_as_text() -> None:
    visitor = shopper()
    slug = ask(visitor, PLAIN)
    pages = [
        visitor.get("/search?q=%3Cscript%3Ealert(1)%3C/script%3E%22%27%3E"),
        visitor.post("/contact", {"name": HOSTILE, "email": HOSTILE, "message": HOSTILE}),
        visitor.post(
            f"/product/{slug}/review", {"rating": "5", "title": HOSTILE, "text": HOSTILE, "nickname": HOSTILE}
        ),
        visitor.get("/customer/reviews"),
        visitor.post("/cart/coupon", {"coupon": HOSTILE}),
        visitor.post(
            "/customer/addresses/new",
            {"name": HOSTILE, "street": HOSTILE, "city": "A", "state": "B", "postcode": "12345", "phone": HOSTILE},
        ),
        visitor.post("/customer/edit", {"first": HOSTILE, "last": HOSTILE, "phone": HOSTILE}),
    ]
    assert "alert(1)" in pages[3].text
    for page in pages:
        assert "<script>alert" not in page.text
        assert "<b onclick" not in page.text


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nb"])
def test_nobody_is_sent_to_another_site(path: str) -> None:
    visitor = shopper()
    instance = visitor.instance
    nora = {"email": "nora.whitfield@mailbox.example", "next": path}
    nora["password"] = ask(visitor, "SELECT password FROM shop_customers WHERE id = 1")
    answer = instance.respond("shopping", "POST", "/customer/account/login", form=nora.items())
    assert answer.location == "/customer/account"
    form = [("product", ask(visitor, PLAIN)), ("quantity", "1"), ("back", path)]
    bought = instance.respond("shopping", "POST", "/cart/add", form=form, cookies=dict(answer.cookies))
    assert str(bought.location).startswith("/product/")


def test_an_order_is_placed_and_everything_follows_from_it() -> None:
    visitor = shopper()
    slug = ask(visitor, PLAIN)
    price, stock = visitor.instance.db.execute(
        "SELECT price, stock FROM shop_products WHERE slug = ?", (slug,)
    ).fetchone()
    visitor.post("/cart/add", {"product": slug, "quantity": "3"})
    visitor.post("/cart/coupon", {"coupon": "summer20"})
    visitor.post("/checkout", {"address": "1", "method": "Express"})
    done = visitor.post("/checkout/place", {"payment": "At the door"})
    assert "Your order number is 000000151" in text(done)
    total = 3 * price - 3 * price * 20 // 100 + 1500
    assert f"${total // 100:,}.{total % 100:02d}" in text(visitor.get("/customer/orders/000000151"))
    assert ask(visitor, f"SELECT stock FROM shop_products WHERE slug = '{slug}'") == stock - 3
    assert "You have no items" in text(visitor.get("/cart"))
    office = Visitor("shopping_admin", visitor.instance)
    assert "000000151" in text(office.get("/admin/orders"))


def test_a_visitor_signs_in_where_the_page_asked_for_it_and_out_again() -> None:
    visitor = Visitor("shopping", signed_in=False)
    assert "Customer Login" in text(visitor.get("/customer/orders"))
    assert visitor.path == "/customer/account/login?next=%2Fcustomer%2Forders"
    wrong = {"email": "nora.whitfield@mailbox.example", "password": "wrong", "next": "/customer/orders"}
    assert "sign-in was incorrect" in text(visitor.post("/customer/account/login", wrong))
    right = {**wrong, "password": ask(visitor, "SELECT password FROM shop_customers WHERE id = 1")}
    visitor.post("/customer/account/login", right)
    assert visitor.path == "/customer/orders"
    assert "My Account" in text(visitor.get("/customer/account/login/"))
    visitor.post("/customer/logout")
    assert "Customer Login" in text(visitor.get("/customer/orders"))


def test_a_new_customer_has_an_account_of_her_own() -> None:
    visitor = Visitor("shopping", signed_in=False)
    form = {"first": "Ada", "last": "Byron", "email": "ada@mailbox.example"}
    visitor.post("/customer/create", {**form, "password": "analytical", "password_again": "analytical"})
    assert "Welcome, Ada!" in text(visitor.get("/customer/account"))
    assert "You have placed no orders" in text(visitor.get("/customer/orders"))
    assert visitor.get("/customer/orders/000000149").status == 404


def test_a_listing_is_narrowed_sorted_and_cut_into_pages() -> None:
    visitor = shopper()
    page = text(visitor.get("/category/kitchen?sort=price&dir=desc&size=24"))
    assert "Items 1-24 of 27" in page
    assert "Items 25-27 of 27" in text(visitor.get("/category/kitchen?sort=price&dir=desc&size=24&p=9"))
    dear = text(visitor.get("/search/advanced/results?from=250&to=300"))
    count = ask(visitor, "SELECT count(*) FROM shop_products WHERE price BETWEEN 25000 AND 30000")
    assert f"of {count}" in dear
    assert "can't find products" in text(visitor.get("/search?q=%25"))
    assert "can't find products" in text(visitor.get("/search?q="))


def test_reordering_puts_what_is_there_into_the_cart_and_names_what_is_not() -> None:
    visitor = Visitor("shopping", Instance())
    visitor.instance.db.execute("PRAGMA query_only = OFF")
    visitor.instance.db.execute(
        "UPDATE shop_products SET enabled = 0 WHERE name = 'Odrey Narrow Stainless Weeder, 15 in'"
    )
    page = text(visitor.post("/customer/orders/000000065/reorder"))
    assert "Odrey Narrow Stainless Weeder, 15 in is not sold any more." in page
    assert "Brasko Three-Way Marble Corner Lamp" in page


def test_four_products_are_compared_at_most() -> None:
    visitor = shopper()
    slugs = [row[0] for row in visitor.instance.db.execute("SELECT slug FROM shop_products LIMIT 5")]
    for slug in slugs[:4]:
        visitor.post("/compare/add", {"product": slug})
    assert "Four products at most" in text(visitor.post("/compare/add", {"product": slugs[4]}))
    assert "Guarantee" in text(visitor.get("/compare"))
