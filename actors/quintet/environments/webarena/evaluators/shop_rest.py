"""A shop's facts by its own REST interface, as the released code asks them of a user's shop."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Annotated, TypeVar
from urllib.parse import quote

import msgspec
from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from msgspec import Meta, Struct

from quintet.environments.webarena.accounts.sites_file import SitesFile
from quintet.environments.webarena.evaluators.functions import SiteFacts
from quintet.errors import WorldFault

_TIMEOUT = ClientTimeout(total=20)
_AnswerT = TypeVar("_AnswerT")


class _Order(Struct):
    increment_id: str


class _Orders(Struct):
    items: list[_Order] | None = None


class _Rating(Struct):
    percent: Annotated[int, Meta(ge=0, le=100)]


class _Review(Struct):
    nickname: str
    ratings: list[_Rating] = []


class ShopRest(SiteFacts):
    """The facts of a shop that other people run: Magento, in version 1 of its interface.

    Args:
        sites: with the shop's address, and an account of its back office, whose password is read for each question. It
            is sent to the shop for a token only, and stands in no error.

    Source: WebArena's released helpers.
    """

    def __init__(self, sites: SitesFile) -> None:
        self._sites = sites

    async def latest_order_url(self) -> str:
        sort = "searchCriteria[sortOrders][0]"
        newest = {f"{sort}[field]": "created_at", f"{sort}[direction]": "DESC", "searchCriteria[pageSize]": "1"}
        found = await self._get("/rest/V1/orders", newest, _Orders)
        if not found.items:
            return ""
        number = found.items[0].increment_id
        # The shop writes order 42 as 000000042, and its page's address without the zeros.
        return f"{self._sites.addresses['shopping']}/sales/order/view/order_id/{number.lstrip('0') or '0'}/"

    async def latest_review_author(self, sku: str) -> str:
        review = await self._latest_review(sku)
        return review.nickname if review else ""

    async def latest_review_rating(self, sku: str) -> str:
        review = await self._latest_review(sku)
        return str(review.ratings[0].percent) if review and review.ratings else ""

    async def _latest_review(self, sku: str) -> _Review | None:
        found = await self._get(f"/rest/V1/products/{quote(sku, safe='')}/reviews", {}, list[_Review])
        return found[-1] if found else None

    async def _get(self, path: str, query: Mapping[str, str], answer: type[_AnswerT]) -> _AnswerT:
        account, address = self._sites.accounts.get("shopping_admin"), self._sites.addresses.get("shopping")
        if account is None or address is None:
            expected = "expected [shopping] and an account in [shopping_admin], which the shop is asked with"
            raise WorldFault(f"webarena: evaluation: {expected}, got none ({self._sites.path})")
        async with ClientSession(timeout=_TIMEOUT, headers={"Content-Type": "application/json"}) as session:
            # A token lives for hours, a run for days.
            login = msgspec.json.encode({"username": account.username, "password": account.password.reveal()})
            where = f"{address}/rest/default/V1/integration/admin/token"
            token = await _read(session.post(where, data=login), where, str)
            where = f"{address}{path}"
            headers = {"Authorization": f"Bearer {token}"}
            return await _read(session.get(where, params=query, headers=headers), where, answer)


async def _read(request: AbstractAsyncContextManager[ClientResponse], where: str, answer: type[_AnswerT]) -> _AnswerT:
    expected = "webarena: expected an answer of the shop"
    try:
        async with request as response:
            content = await response.read()
    except (ClientError, TimeoutError) as error:
        raise WorldFault(f"{expected}, got {str(error) or 'none in 20 s'} ({where})") from error
    if response.status != HTTPStatus.OK:
        raise WorldFault(f"{expected}, got status {response.status} ({where})")
    try:
        return msgspec.json.decode(content, type=answer)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WorldFault(f"{expected}, got {error} ({where})") from error
