"""How evaluators reach pages."""

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
