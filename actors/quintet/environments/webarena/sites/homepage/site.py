"""The start page as a site. It keeps nothing."""

from pathlib import Path
from typing import Final

from quintet.environments.webarena.sites.forum.seed import FORUM_PASSWORD, FORUM_USER
from quintet.environments.webarena.sites.homepage.arithmetic import calculate
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import Site, SiteRoute
from quintet.environments.webarena.sites.tracker.seed import TRACKER_PASSWORD, TRACKER_USER

_ACCOUNTS: Final = (("Forum", FORUM_USER, FORUM_PASSWORD), ("Tracker", TRACKER_USER, TRACKER_PASSWORD))


def _start(request: SiteRequest) -> SiteResponse:
    return request.page("start.html")


def _accounts(request: SiteRequest) -> SiteResponse:
    return request.page("accounts.html", accounts=_ACCOUNTS)


def _calculator(request: SiteRequest) -> SiteResponse:
    expression = request.query.get("expression", "").strip()
    return request.page("calculator.html", expression=expression, answer=calculate(expression) if expression else None)


def _handbook(request: SiteRequest) -> SiteResponse:
    return request.page("handbook.html")


HOMEPAGE_SITE: Final = Site(
    name="homepage",
    label="Homepage",
    folder=Path(__file__).parent,
    routes=(
        SiteRoute("GET", "/", _start),
        SiteRoute("GET", "/accounts", _accounts),
        SiteRoute("GET", "/calculator", _calculator),
        SiteRoute("GET", "/handbook", _handbook),
    ),
)
