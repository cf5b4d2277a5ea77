"""Lists of projects: the visitor's own, all public ones, starred ones, and the search."""

from typing import Final

from quintet.environments.webarena.sites.paging import Paging, paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VISIBLE
from quintet.environments.webarena.sites.visitor_input import all_words

_ORDERS: Final = {
    "latest_activity_desc": ("Updated date", "p.updated DESC, p.id"),
    "name_asc": ("Name", "p.name COLLATE NOCASE, p.id"),
    "created_desc": ("Last created", "p.created DESC, p.id"),
    "created_asc": ("Oldest created", "p.created, p.id"),
    "stars_desc": ("Stars", "p.stars DESC, p.id"),
}


def _list(request: SiteRequest, where: str, values: tuple[object, ...], default: str) -> tuple[Paging, str]:
    order = request.query.get("sort", default)
    order = order if order in _ORDERS else default
    name = request.query.get("name", "").strip()
    if name:
        condition, words = all_words(("p.name", "p.path"), name)
        where, values = f"({where}) AND {condition}", (*values, *words)
    rows = request.db.execute(
        "SELECT p.*, (SELECT count(*) FROM tracker_items WHERE project = p.id AND kind = 'issue' AND state = 'opened')"
        " AS open_issues, (SELECT count(*) FROM tracker_items WHERE project = p.id AND kind = 'merge_request'"
        " AND state = 'opened') AS open_changes"
        f" FROM tracker_projects p WHERE {VISIBLE} AND {where} ORDER BY {_ORDERS[order][1]}",
        (request.user or "", *values),
    ).fetchall()
    return paged(rows, request.number("page", 1), 10), order


_MINE: Final = "(p.namespace = ?1 OR EXISTS (SELECT 1 FROM tracker_members WHERE project = p.id AND username = ?1))"


def _dashboard(request: SiteRequest) -> SiteResponse:
    if request.user is None:
        return _explore(request)
    page, order = _list(request, _MINE, (), "latest_activity_desc")
    return request.page("projects.html", page=page, order=order, orders=_ORDERS, heading="Your projects", tab="mine")


def _personal(request: SiteRequest) -> SiteResponse:
    page, order = _list(request, "p.namespace = ?1", (), "latest_activity_desc")
    return request.page(
        "projects.html", page=page, order=order, orders=_ORDERS, heading="Personal projects", tab="personal"
    )


def _starred(request: SiteRequest) -> SiteResponse:
    where = "p.id IN (SELECT project FROM tracker_stars WHERE username = ?1)"
    page, order = _list(request, where, (), "latest_activity_desc")
    return request.page(
        "projects.html", page=page, order=order, orders=_ORDERS, heading="Starred projects", tab="starred"
    )


def _explore(request: SiteRequest) -> SiteResponse:
    page, order = _list(request, "p.visibility = 'public'", (), "latest_activity_desc")
    return request.page(
        "projects.html", page=page, order=order, orders=_ORDERS, heading="Explore projects", tab="explore"
    )


def _search(request: SiteRequest) -> SiteResponse:
    query, scope = request.query.get("search", "").strip(), request.query.get("scope", "projects")
    visitor = request.user or ""
    if scope == "projects":
        condition, values = all_words(("p.name", "p.path", "p.namespace", "p.description"), query)
        sql = f"SELECT p.* FROM tracker_projects p WHERE {VISIBLE} AND {condition} ORDER BY p.stars DESC, p.id"
    elif scope in ("issues", "merge_requests"):
        condition, values = all_words(("i.title", "i.body"), query)
        sql = (
            "SELECT i.*, p.namespace, p.path FROM tracker_items i JOIN tracker_projects p ON p.id = i.project"
            f" WHERE {VISIBLE} AND i.kind = '{scope[:-1]}' AND {condition} ORDER BY i.updated DESC, i.id DESC"
        )
    elif scope == "users":
        condition, values = all_words(("username", "name"), query)
        sql = f"SELECT * FROM tracker_users WHERE ? IS NOT NULL AND {condition} ORDER BY username"
    else:
        return request.not_found()
    page = paged(request.db.execute(sql, (visitor, *values)).fetchall(), request.number("page", 1), 15)
    return request.page("search.html", query=query, scope=scope, page=page)


EXPLORE_ROUTES: Final = (
    SiteRoute("GET", "/", _dashboard),
    SiteRoute("GET", "/dashboard/projects", _dashboard, login=True),
    SiteRoute("GET", "/dashboard/projects/personal", _personal, login=True),
    SiteRoute("GET", "/dashboard/projects/starred", _starred, login=True),
    SiteRoute("GET", "/explore", _explore),
    SiteRoute("GET", "/explore/projects", _explore),
    SiteRoute("GET", "/search", _search),
)
