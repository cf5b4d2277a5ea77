"""The start page as a site. It keeps nothing."""

from pathlib import Path
from typing import Final

from quintet.environments.webarena.sites.forum.seed import FORUM_USER
from quintet.environments.webarena.sites.homepage.arithmetic import calculate
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.stock.people import CLERK, CUSTOMER_EMAIL
from quintet.environments.webarena.sites.site import Site, SiteRoute
from quintet.environments.webarena.sites.tracker.seed import TRACKER_USER

_ACCOUNTS: Final = (
    ("Shop", "SELECT email AS name, password FROM shop_customers WHERE email = ?", CUSTOMER_EMAIL),
    ("Back office", "SELECT user AS name, password FROM shop_clerks WHERE user = ?", CLERK),
    ("Forum", "SELECT name, password FROM forum_users WHERE name = ?", FORUM_USER),
    ("Tracker", "SELECT username AS name, password FROM tracker_users WHERE username = ?", TRACKER_USER),
)


def _start(request: SiteRequest) -> SiteResponse:
    return request.page("start.html")


def _accounts(request: SiteRequest) -> SiteResponse:
    accounts = [(label, *request.db.execute(sql, (user,)).fetchone()) for label, sql, user in _ACCOUNTS]
    return request.page("accounts.html", accounts=accounts)


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
