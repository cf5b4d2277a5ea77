"""The sites that an instance has."""

from collections.abc import Mapping

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.back_office.site import BACK_OFFICE_SITE
from quintet.environments.webarena.sites.forum.site import FORUM_SITE
from quintet.environments.webarena.sites.homepage.site import HOMEPAGE_SITE
from quintet.environments.webarena.sites.shop.site import SHOP_SITE
from quintet.environments.webarena.sites.site import Site
from quintet.environments.webarena.sites.tracker.site import TRACKER_SITE

SITES: Mapping[SiteName, Site] = {
    site.name: site for site in (HOMEPAGE_SITE, SHOP_SITE, BACK_OFFICE_SITE, FORUM_SITE, TRACKER_SITE)
}
"""In the order in which they are seeded."""
