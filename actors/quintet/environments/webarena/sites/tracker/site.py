"""The tracker as a site."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.site import Site
from quintet.environments.webarena.sites.tracker.explore import EXPLORE_ROUTES
from quintet.environments.webarena.sites.tracker.issues import ISSUE_ROUTES
from quintet.environments.webarena.sites.tracker.items import item_path
from quintet.environments.webarena.sites.tracker.members import GROUP_ROUTES, MEMBER_ROUTES
from quintet.environments.webarena.sites.tracker.merge_requests import MERGE_REQUEST_ROUTES
from quintet.environments.webarena.sites.tracker.planning import PLANNING_ROUTES
from quintet.environments.webarena.sites.tracker.profiles import NAME_ROUTES, PROFILE_ROUTES, open_todos
from quintet.environments.webarena.sites.tracker.projects import PROJECT_ROUTES
from quintet.environments.webarena.sites.tracker.repository import REPOSITORY_ROUTES
from quintet.environments.webarena.sites.tracker.schema import TRACKER_SCHEMA
from quintet.environments.webarena.sites.tracker.seed import TRACKER_USER, seed_tracker


def _shared(request: SiteRequest) -> Mapping[str, object]:
    return {"todos": open_todos(request), "project": None}


TRACKER_SITE: Final = Site(
    name="gitlab",
    label="Branchworks",
    folder=Path(__file__).parent,
    routes=(
        *EXPLORE_ROUTES,
        *PROFILE_ROUTES,
        *GROUP_ROUTES,
        *REPOSITORY_ROUTES,
        *ISSUE_ROUTES,
        *MERGE_REQUEST_ROUTES,
        *PLANNING_ROUTES,
        *MEMBER_ROUTES,
        *PROJECT_ROUTES,
        *NAME_ROUTES,
    ),
    schema=TRACKER_SCHEMA,
    seed=seed_tracker,
    login_path="/users/sign_in",
    user=TRACKER_USER,
    filters={"item_path": item_path},
    shared=_shared,
)
