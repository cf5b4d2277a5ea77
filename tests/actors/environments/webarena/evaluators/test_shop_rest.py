"""A shop's facts by its REST interface, asked of a server on loopback."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from quintet.environments.webarena.accounts.sites_file import Secret, SiteAccount, SitesFile
from quintet.environments.webarena.evaluators.shop_rest import ShopRest
from quintet.errors import WorldFault

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
