"""Pages and facts for evaluators, without a browser."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.evaluators.functions import EndedSession, SiteFacts

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window

SHOP = "http://shopping.s3.localhost:81"
FORUM = "http://reddit.s3.localhost:81"
ADDRESSES = SiteAddresses({"shopping": SHOP, "reddit": FORUM})


class FixedPages:
    """Answers from tables and keeps what was asked: the address (None: the last page), the script, those before it."""

    def __init__(
        self,
        last_url: str = f"{SHOP}/",
        *,
        sources: Mapping[str | None, str] | None = None,
        values: Mapping[str, str] | None = None,
        otherwise: str = "",
    ) -> None:
        self.last_url = last_url
        self._otherwise = otherwise
        self._sources = sources or {}
        self._values = values or {}
        self.asked: list[tuple[str | None, str, tuple[str, ...]]] = []

    async def html(self, url: str | None) -> str:
        self.asked.append((url, "", ()))
        return self._sources.get(url, self._otherwise)

    async def evaluate(self, url: str | None, javascript: str, before: Sequence[str] = ()) -> str:
        self.asked.append((url, javascript, tuple(before)))
        return self._values.get(javascript, self._otherwise)


class FixedFacts(SiteFacts):
    """A shop's facts: of one product, and one order if there is one."""

    def __init__(self, order_url: str = "") -> None:
        self._order_url = order_url

    async def latest_order_url(self) -> str:
        return self._order_url

    async def latest_review_author(self, sku: str) -> str:
        return "Ida" if sku == "MUG-1" else ""

    async def latest_review_rating(self, sku: str) -> str:
        return "80" if sku == "MUG-1" else ""


def judged(page: FixedPages, order_url: str = "", addresses: SiteAddresses = ADDRESSES) -> EndedSession:
    return EndedSession(cast("Window", page), FixedFacts(order_url), addresses)
