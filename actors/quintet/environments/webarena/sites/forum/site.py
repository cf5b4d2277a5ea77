"""The forum as a site."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from quintet.environments.webarena.sites.forum.boards import BOARD_ROUTES, FORUM_LISTING_ROUTES
from quintet.environments.webarena.sites.forum.letters import LETTER_ROUTES, unread_messages
from quintet.environments.webarena.sites.forum.people import PEOPLE_ROUTES
from quintet.environments.webarena.sites.forum.posting import POSTING_ROUTES
from quintet.environments.webarena.sites.forum.schema import FORUM_SCHEMA
from quintet.environments.webarena.sites.forum.search import FORUM_SEARCH_ROUTES
from quintet.environments.webarena.sites.forum.seed import FORUM_USER, seed_forum
from quintet.environments.webarena.sites.forum.slugs import submission_path
from quintet.environments.webarena.sites.forum.submissions import SUBMISSION_ROUTES
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.site import Site


def _shared(request: SiteRequest) -> Mapping[str, object]:
    return {"unread": unread_messages(request)}


FORUM_SITE: Final = Site(
    name="reddit",
    label="Commonplace",
    folder=Path(__file__).parent,
    routes=(
        *FORUM_LISTING_ROUTES,
        *FORUM_SEARCH_ROUTES,
        *LETTER_ROUTES,
        *PEOPLE_ROUTES,
        *BOARD_ROUTES,
        *POSTING_ROUTES,
        *SUBMISSION_ROUTES,
    ),
    schema=FORUM_SCHEMA,
    seed=seed_forum,
    user=FORUM_USER,
    filters={"submission_path": submission_path},
    shared=_shared,
)
