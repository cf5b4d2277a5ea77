"""The back office as a site."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quintet.environments.webarena.sites.back_office.customers import CUSTOMER_ROUTES
from quintet.environments.webarena.sites.back_office.dashboard import DASHBOARD_ROUTES
from quintet.environments.webarena.sites.back_office.goods import GOODS_ROUTES
from quintet.environments.webarena.sites.back_office.marketing import MARKETING_ROUTES
from quintet.environments.webarena.sites.back_office.reports import REPORT_ROUTES
from quintet.environments.webarena.sites.back_office.sales import SALES_ROUTES
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.shop.stock.people import CLERK
from quintet.environments.webarena.sites.site import Site


def _filled_path(path: str, row: Any) -> str:
    """A column's link for one row."""
    return path.format_map({key: row[key] for key in row.keys()})  # noqa: SIM118


def _shared(request: SiteRequest) -> Mapping[str, object]:
    return {"new": None, "mass": None, "signed_in": request.user is not None}


BACK_OFFICE_SITE = Site(
    name="shopping_admin",
    label="Lantern Row Back Office",
    folder=Path(__file__).parent,
    routes=(
        *DASHBOARD_ROUTES,
        *SALES_ROUTES,
        *GOODS_ROUTES,
        *CUSTOMER_ROUTES,
        *MARKETING_ROUTES,
        *REPORT_ROUTES,
    ),
    login_path="/admin/login",
    user=CLERK,
    shared=_shared,
    filters={"filled_path": _filled_path},
)
