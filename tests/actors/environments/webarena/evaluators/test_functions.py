"""The `func:` table: which calls are read, what they answer, and a shop's facts by its REST interface."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Literal

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.accounts.sites_file import Secret, SiteAccount, SitesFile
from quintet.environments.webarena.evaluators.functions import (
    FunctionCall,
    UnreadableCall,
    call_function,
    member_role_script,
    read_call,
)
from quintet.environments.webarena.evaluators.shop_rest import ShopRest
from quintet.errors import WorldFault
from tests.actors.environments.webarena.evaluators.pages import SHOP, FixedPages, judged

TEXTS = st.text(st.characters(exclude_characters="'\"\\\n", exclude_categories=["Cs"]), max_size=20)


def answer(
    text: str, place: Literal["url", "locator"], page: FixedPages, order_url: str = "", url: str | None = None
) -> str:
    return asyncio.run(call_function(read_call(text, place), judged(page, order_url), url))


@pytest.mark.parametrize(
    ("text", "place", "arguments"),
    [
        ("reddit_get_post_url('__last_url__')", "url", ("__last_url__",)),
        ("shopping_get_latest_order_url()", "url", ()),
        ("gitlab_get_project_memeber_role(__page__, 'ida')", "locator", ("__page__", "ida")),
        (' shopping_get_sku_latest_review_rating( "B0,(1)" ) ', "locator", ("B0,(1)",)),
    ],
)
def test_a_call_is_a_name_of_the_table_with_literal_arguments(
    text: str, place: Literal["url", "locator"], arguments: tuple[str, ...]
) -> None:
    assert read_call(text, place) == FunctionCall(text.strip().partition("(")[0], arguments)


NO_CALL, NO_NAME = "expected a call such as reddit_get_post_url", "expected one of reddit_get_post_url, shopping_"
NO_ARGUMENTS = r"expected reddit_get_post_url\('...'\), got reddit_get_post_url\("


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, NO_CALL) for text in ("reddit_get_post_url", "os.system('ls')", "")),
        *((f"{name}(__page__, 'ida')", NO_NAME) for name in ("eval", "gitlab_get_project_memeber_role")),
        *(
            (f"reddit_get_post_url({arguments})", NO_ARGUMENTS)
            for arguments in ("", "'a', 'b'", "page", "__page__", "'a' + 'b'", r"'a\x62'", "f'{1}'", "open('a')")
        ),
        ("reddit_get_post_url('a').strip()", f"{NO_CALL}|{NO_ARGUMENTS}"),
        ("reddit_get_post_url(" * 200 + ")" * 200, f"{NO_CALL}|{NO_ARGUMENTS}"),
    ],
)
def test_nothing_else_is_a_call(text: str, expected: str) -> None:
    with pytest.raises(UnreadableCall, match=f"^(?:{expected})"):
        read_call(text, "url")


@given(TEXTS, st.sampled_from("'\""))
def test_a_literal_argument_is_read_as_it_stands(text: str, quote: str) -> None:
    assert read_call(f"reddit_get_post_url({quote}{text}{quote})", "url").arguments == (text,)


@given(st.text())
def test_any_text_is_a_call_or_is_refused(text: str) -> None:
    for call in (text, f"reddit_get_post_url({text})"):
        try:
            arguments = read_call(call, "url").arguments
        except UnreadableCall:
            continue
        assert len(arguments) <= 1


@pytest.mark.parametrize(
    ("url", "post"),
    [
        ("http://r:9/f/books/12/a-title?sort=new", "http://r:9/f/books/12/"),
        ("http://r:9/f/books/12/-/comment/3", "http://r:9/f/books/12/"),
        ("http://r:9/f/books/12/", "http://r:9/f/books/12/"),
        ("http://r:9/f/books", "http://r:9/f/books"),
        ("http://r:9/user/ida/posts/12", "http://r:9/user/ida/posts/12"),
        ("about:blank", "about:blank"),
        ("http://r:9/f/books/12'),print('x", "http://r:9/f/books/12'),print('x/"),
    ],
)
def test_a_posts_address_is_that_of_its_forum_and_number(url: str, post: str) -> None:
    assert answer("reddit_get_post_url('__last_url__')", "url", FixedPages(url)) == post


def test_a_shops_facts_are_asked_of_the_shop() -> None:
    assert answer("shopping_get_latest_order_url()", "url", FixedPages(), f"{SHOP}/o/7/") == f"{SHOP}/o/7/"
    assert answer("shopping_get_sku_latest_review_author('MUG-1')", "locator", FixedPages()) == "Ida"
    assert answer("shopping_get_sku_latest_review_rating('MUG-1')", "locator", FixedPages()) == "80"
    assert answer("shopping_get_sku_latest_review_rating('MUG-2')", "locator", FixedPages()) == ""


def test_a_role_is_read_on_the_page_that_the_check_goes_to() -> None:
    script = member_role_script("ida")
    page = FixedPages(values={script: "Developer"})
    call = "gitlab_get_project_memeber_role(__page__, 'ida')"
    assert answer(call, "locator", page, url="http://g/members") == "Developer"
    assert page.asked == [("http://g/members", script, ())]
    assert '"@ida"' in script
    assert '"@\\"+alert(1)+\\""' in member_role_script('"+alert(1)+"')


PASSWORD = "an-admin-password"
ORDERS = {"items": [{"increment_id": "000000042", "state": "new"}]}
REVIEWS = [
    {"nickname": "Ida", "ratings": [{"rating_name": "Rating", "percent": 20}]},
    {"nickname": "Bo", "ratings": [{"rating_name": "Rating", "percent": 80}]},
]


def shop_at(address: str) -> ShopRest:
    account = SiteAccount(username="admin", password=Secret(variable="SHOP_PASSWORD"))
    return ShopRest(SitesFile(path=Path(), addresses={"shopping": address}, accounts={"shopping_admin": account}))


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", PASSWORD)


def ask(
    answers: Mapping[str, object], question: Callable[[ShopRest], Awaitable[str]], status: int = 200
) -> tuple[str, str]:
    """What a shop's answer comes to, with `SHOP` for its address, and what the shop was asked."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        if request.path.endswith("/admin/token"):
            known = await request.json() == {"username": "admin", "password": PASSWORD}
            return web.json_response("a-token", status=200 if known else 401)
        asked.append(request.path_qs)
        known = request.headers.get("Authorization") == "Bearer a-token"
        return web.json_response(answers.get(request.path), status=status if known else 401)

    async def serve() -> str:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", answer)
        async with TestServer(application) as server:
            address = str(server.make_url("")).rstrip("/")
            return (await question(shop_at(address))).replace(address, "SHOP")

    return asyncio.run(serve()), asked[0]


def test_the_newest_order_is_asked_for_and_its_page_has_its_number() -> None:
    found, asked = ask({"/rest/V1/orders": ORDERS}, ShopRest.latest_order_url)
    assert found == "SHOP/sales/order/view/order_id/42/"
    assert "created_at" in asked
    assert "DESC" in asked
    assert ask({"/rest/V1/orders": {"items": []}}, ShopRest.latest_order_url)[0] == ""


def test_the_last_review_tells_author_and_rating() -> None:
    answers = {"/rest/V1/products/A/B/reviews": REVIEWS, "/rest/V1/products/none/reviews": []}
    assert ask(answers, lambda shop: shop.latest_review_author("A/B")) == ("Bo", "/rest/V1/products/A%2FB/reviews")
    assert ask(answers, lambda shop: shop.latest_review_rating("A/B"))[0] == "80"
    assert ask(answers, lambda shop: shop.latest_review_rating("none"))[0] == ""


@pytest.mark.parametrize(
    ("answers", "status", "expected"),
    [({}, 500, "got status 500"), ({"/rest/V1/orders": [1]}, 200, "got Expected `object`, got `array`")],
)
def test_a_shop_that_answers_otherwise_is_a_fault_without_the_password(
    answers: Mapping[str, object], status: int, expected: str
) -> None:
    with pytest.raises(WorldFault, match=expected) as error:
        ask(answers, ShopRest.latest_order_url, status)
    assert PASSWORD not in repr(error.value)


def test_a_wrong_account_and_a_shop_that_is_away_are_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WorldFault, match="webarena: expected an answer of the shop, got "):
        asyncio.run(shop_at("http://127.0.0.1:1").latest_order_url())
    monkeypatch.setenv("SHOP_PASSWORD", "wrong")
    with pytest.raises(WorldFault, match="got status 401"):
        ask({}, ShopRest.latest_order_url)


def test_a_shop_without_an_account_is_a_fault_that_names_the_file() -> None:
    sites = SitesFile(path=Path("sites.toml"), addresses={"shopping": "http://127.0.0.1:1"}, accounts={})
    with pytest.raises(WorldFault, match=r"an account in \[shopping_admin\], .*, got none \(sites.toml\)$"):
        asyncio.run(ShopRest(sites).latest_review_author("A"))
