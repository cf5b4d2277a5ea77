"""The start page: links to the other sites."""

from pathlib import Path

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import Site, SiteRoute


def _start(request: SiteRequest) -> SiteResponse:
    return request.page("start.html")


HOMEPAGE_SITE = Site(
    name="homepage", label="Homepage", folder=Path(__file__).parent, routes=(SiteRoute("GET", "/", _start),)
)
