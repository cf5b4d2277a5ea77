"""What evaluators may ask: the pages of a session, and its shop."""

from typing import TYPE_CHECKING

from msgspec import Struct

from quintet.environments.webarena.addresses import SiteAddresses

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window


class SiteFacts:
    """A shop's answers to the `func:` calls that need more than a page; here those of a shop where nothing happened.

    Raises:
        WorldFault: the site does not answer.
    """

    async def latest_order_url(self) -> str:
        """Where the shop shows the order that was made last; empty: there is none."""
        return ""

    async def latest_review_author(self, sku: str) -> str:
        """The nickname under a product's last review; empty: there is none."""
        return ""

    async def latest_review_rating(self, sku: str) -> str:
        """The rating of a product's last review in percent, `80`; empty: there is none."""
        return ""


class EndedSession(Struct, frozen=True):
    """A session once its task ended. Evaluating changes nothing in it."""

    page: "Window"
    facts: SiteFacts
    addresses: SiteAddresses
