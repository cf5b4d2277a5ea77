"""What evaluators may ask: the pages of a session, and its shop."""

from collections.abc import Sequence
from typing import Protocol


class JudgedPage(Protocol):
    """A session's window once its task ended. Evaluating changes nothing in it.

    A page that does not load, or a script that throws, gives an empty text.
    """

    @property
    def last_url(self) -> str:
        """The real address of the current tab."""
        ...

    async def html(self, url: str | None) -> str:
        """The source of a page as it is rendered.

        Args:
            url: its real address, opened anew beside the session's tabs; None: the current tab as it is, with what was
                typed and not sent.
        """
        ...

    async def evaluate(self, url: str | None, javascript: str, before: Sequence[str] = ()) -> str:
        """The value of an expression on a page, as a text: `True`, `3`; empty for null.

        Args:
            url: as in `html`.
            javascript: the expression.
            before: scripts that run first in the same page; what they throw is ignored.
        """
        ...


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
