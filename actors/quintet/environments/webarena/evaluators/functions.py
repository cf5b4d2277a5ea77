"""What evaluators may ask, and the `func:` table: the released helpers by name. Nothing is evaluated as Python."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
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


FUNCTION_PREFIX = "func:"
LAST_URL = "__last_url__"
"""In an argument: the address of the page where the task ended."""
THE_PAGE = "__page__"
"""As an argument, without quotes: the page that the check is about."""

CheckPlace: TypeAlias = Literal["url", "locator"]
"""Which field of a check calls a function."""


class FunctionCall(Struct, frozen=True):
    """A call as it stands in a check."""

    name: str
    arguments: tuple[str, ...]
    """Texts without their quotes, and `__page__` as it is."""


class _Function(Struct, frozen=True):
    place: CheckPlace
    parameters: tuple[Literal["text", "page"], ...]
    call: Callable[[EndedSession, str | None, tuple[str, ...]], Awaitable[str]]
    """Of what is judged, the address where the check goes, and arguments."""


class UnreadableCall(ValueError):
    """A text calls none of the functions; the words say what was expected."""


_CALL = re.compile(r"\s*(?P<name>\w{1,100})\s*\((?P<arguments>.{0,2000})\)\s*", re.DOTALL)
_ARGUMENT = re.compile(rf"\s*(?:(?P<page>{THE_PAGE})|'(?P<single>[^'\\\n]*)'|\"(?P<double>[^\"\\\n]*)\")\s*(?:,|\Z)")


def read_call(text: str, place: CheckPlace) -> FunctionCall:
    """Read what stands behind `func:`: a name of the table, and literal texts without escapes, or `__page__`.

    Args:
        text: `reddit_get_post_url('__last_url__')`.
        place: the field where it stands.

    Raises:
        UnreadableCall: it is no call, or of no such function, or with other arguments.
    """
    found, known = _CALL.fullmatch(text), [each for each, of in _FUNCTIONS.items() if of.place == place]
    if found is None:
        raise UnreadableCall(f"expected a call such as {known[0]}(...), got {text[:100]!r}")
    name, arguments = found["name"], _read_arguments(found["arguments"])
    function = _FUNCTIONS.get(name)
    if function is None or function.place != place:
        raise UnreadableCall(f"expected one of {', '.join(known)}, got {name}")
    kinds = None if arguments is None else tuple("page" if each == THE_PAGE else "text" for each in arguments)
    if arguments is None or kinds != function.parameters:
        wanted = ", ".join(THE_PAGE if each == "page" else "'...'" for each in function.parameters)
        raise UnreadableCall(f"expected {name}({wanted}), got {text[:100].strip()}")
    return FunctionCall(name, arguments)


def _read_arguments(text: str) -> tuple[str, ...] | None:
    """None: they are not literal."""
    arguments: list[str] = []
    position = 0
    while text[position:].strip():
        found = _ARGUMENT.match(text, position)
        if found is None:
            return None
        arguments.append(next(part for part in (found["page"], found["single"], found["double"]) if part is not None))
        position = found.end()
    return tuple(arguments)


async def call_function(call: FunctionCall, judged: EndedSession, url: str | None = None) -> str:
    """The answer of a call: an address or a text; empty where there is nothing.

    Args:
        url: where the check goes; None: the page where the task ended.
    """
    arguments = tuple(each.replace(LAST_URL, judged.page.last_url) for each in call.arguments)
    return await _FUNCTIONS[call.name].call(judged, url, arguments)


def post_url(url: str) -> str:
    """The address of the post that a forum's page belongs to; any other address as it is."""
    parts = urlsplit(url)
    steps = parts.path.split("/")
    if len(steps) < 4 or steps[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{steps[2]}/{steps[3]}/"


def member_role_script(account: str) -> str:
    """An expression for a member's role on a project's page of members; it throws if there is no such member."""
    name = msgspec.json.encode(f"@{account}").decode()
    return (
        """((rows, name) => rows[1][rows[0].findIndex((each) => each.outerText === name)].outerText)("""
        """["td[data-label='Account'] span.gl-avatar-labeled-sublabel", "td.col-max-role span"]"""
        f""".map((each) => [...document.querySelectorAll(each)]), {name})"""
    )


async def _post_url(_judged: EndedSession, _url: str | None, arguments: tuple[str, ...]) -> str:
    return post_url(arguments[0])


_FUNCTIONS: Final[Mapping[str, _Function]] = {
    "reddit_get_post_url": _Function("url", ("text",), _post_url),
    "shopping_get_latest_order_url": _Function("url", (), lambda judged, _url, _given: judged.facts.latest_order_url()),
    "gitlab_get_project_memeber_role": _Function(
        "locator", ("page", "text"), lambda judged, url, given: judged.page.evaluate(url, member_role_script(given[1]))
    ),
    "shopping_get_sku_latest_review_author": _Function(
        "locator", ("text",), lambda judged, _url, given: judged.facts.latest_review_author(given[0])
    ),
    "shopping_get_sku_latest_review_rating": _Function(
        "locator", ("text",), lambda judged, _url, given: judged.facts.latest_review_rating(given[0])
    ),
}
"""Named as the released code has them, with its spelling."""
