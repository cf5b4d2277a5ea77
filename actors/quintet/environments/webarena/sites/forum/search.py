"""The forum's search: submissions, comments, forums and users that hold all words of a query."""

from typing import Final

from quintet.environments.webarena.sites.forum.listing import submission_list
from quintet.environments.webarena.sites.forum.people import comment_rows
from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import all_words

_KINDS: Final = ("submissions", "comments", "forums")


def _search(request: SiteRequest) -> SiteResponse:
    query = request.query.get("q", "").strip()
    kind = request.query.get("kind", "submissions")
    if kind not in _KINDS:
        return request.not_found()
    if kind == "submissions":
        condition, values = all_words(("s.title", "s.body"), query)
        page = submission_list(request, condition, values, "new")
    elif kind == "comments":
        condition, values = all_words(("c.body",), query)
        page = paged(comment_rows(request, condition, values), request.number("page", 1), 15)
    else:
        condition, values = all_words(("name", "title", "description"), query)
        rows = request.db.execute(f"SELECT * FROM forum_forums WHERE {condition} ORDER BY name", values).fetchall()
        page = paged(rows, request.number("page", 1), 15)
    return request.page("search.html", query=query, kind=kind, kinds=_KINDS, page=page)


FORUM_SEARCH_ROUTES: Final = (SiteRoute("GET", "/search", _search),)
