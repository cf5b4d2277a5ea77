"""What an evaluator asks a site beside its pages."""

from typing import Protocol


class SiteFacts(Protocol):
    """The shop's answers to the `func:` calls that need more than a page.

    Raises:
        WorldFault: the site does not answer.
    """

    async def latest_order_url(self) -> str:
        """Where the shop shows the order that was made last; empty: there is none."""
        ...

    async def latest_review_author(self, sku: str) -> str:
        """The nickname under a product's last review; empty: there is none."""
        ...

    async def latest_review_rating(self, sku: str) -> str:
        """The rating of a product's last review in percent, `80`; empty: there is none."""
        ...
