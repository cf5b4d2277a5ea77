"""The front page, the list of forums and a forum's own page, with subscribing and hiding."""

from typing import Final

from quintet.environments.webarena.sites.forum.listing import (
    SUBMISSION_ORDERS,
    SubmissionOrder,
    submission_list,
    the_forum,
)
from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

_FORUM_ORDERS: Final = {
    "name": "f.name COLLATE NOCASE",
    "subscribers": "f.subscribers DESC, f.name",
    "submissions": "submissions DESC, f.name",
}


def _order(request: SiteRequest) -> SubmissionOrder:
    last = request.path.rpartition("/")[2]
    named: dict[str, SubmissionOrder] = {order: order for order in SUBMISSION_ORDERS}
    return named.get(last, "hot")


def _front(request: SiteRequest) -> SiteResponse:
    order = _order(request)
    where = "s.forum NOT IN (SELECT forum FROM forum_hidden WHERE user = ?)"
    page = submission_list(request, where, (request.user or "",), order)
    return request.page("front.html", page=page, order=order, base="", heading="All forums", forum=None)


def _subscribed(request: SiteRequest) -> SiteResponse:
    where = "s.forum IN (SELECT forum FROM forum_subscriptions WHERE user = ?)"
    order = _order(request)
    page = submission_list(request, where, (request.user,), order)
    return request.page(
        "front.html", page=page, order=order, base="/subscribed", heading="Your subscriptions", forum=None
    )


def _forums(request: SiteRequest) -> SiteResponse:
    order = request.query.get("sort", "name")
    rows = request.db.execute(
        "SELECT f.*, (SELECT count(*) FROM forum_submissions WHERE forum = f.name) AS submissions,"
        " EXISTS (SELECT 1 FROM forum_subscriptions WHERE user = ? AND forum = f.name) AS subscribed"
        f" FROM forum_forums f ORDER BY {_FORUM_ORDERS.get(order, _FORUM_ORDERS['name'])}",
        (request.user or "",),
    ).fetchall()
    return request.page("forums.html", page=paged(rows, request.number("page", 1), 10), order=order)


def _board(request: SiteRequest) -> SiteResponse:
    forum = the_forum(request, request.params["forum"])
    order = _order(request)
    if forum is None:
        return request.not_found()
    page = submission_list(request, "s.forum = ?", (forum["name"],), order)
    base = f"/f/{forum['name']}"
    return request.page("front.html", page=page, order=order, base=base, heading=forum["title"], forum=forum)


def _edit_page(request: SiteRequest) -> SiteResponse:
    forum = the_forum(request, request.params["forum"])
    if forum is None or forum["moderator"] != request.user:
        return request.not_found()
    return request.page("edit_forum.html", forum=forum)


def _edit(request: SiteRequest) -> SiteResponse:
    forum = the_forum(request, request.params["forum"])
    if forum is None or forum["moderator"] != request.user:
        return request.not_found()
    title, description, sidebar = (request.text(name) for name in ("title", "description", "sidebar"))
    if not title or not description or not sidebar:
        return request.redirect(f"/f/{forum['name']}/edit", error="A forum needs a title, a description and a sidebar.")
    request.db.execute(
        "UPDATE forum_forums SET title = ?, description = ?, sidebar = ? WHERE name = ?",
        (title, description, sidebar, forum["name"]),
    )
    return request.redirect(f"/f/{forum['name']}", success="The forum was changed.")


def _subscribe(request: SiteRequest) -> SiteResponse:
    forum = the_forum(request, request.params["forum"])
    if forum is None:
        return request.not_found()
    if forum["subscribed"]:
        sql, by = "DELETE FROM forum_subscriptions WHERE user = ? AND forum = ?", -1
    else:
        sql, by = "INSERT INTO forum_subscriptions VALUES (?, ?)", 1
    request.db.execute(sql, (request.user, forum["name"]))
    request.db.execute("UPDATE forum_forums SET subscribers = subscribers + ? WHERE name = ?", (by, forum["name"]))
    return request.back(f"/f/{forum['name']}")


def _hide(request: SiteRequest) -> SiteResponse:
    forum = the_forum(request, request.params["forum"])
    if forum is None:
        return request.not_found()
    shown = "DELETE FROM forum_hidden WHERE user = ? AND forum = ?"
    request.db.execute(
        shown if forum["hidden"] else "INSERT INTO forum_hidden VALUES (?, ?)", (request.user, forum["name"])
    )
    said = "is on your front page again" if forum["hidden"] else "is hidden from your front page"
    return request.back(f"/f/{forum['name']}", success=f"{forum['title']} {said}.")


FORUM_LISTING_ROUTES: Final = (
    SiteRoute("GET", "/", _front),
    SiteRoute("GET", "/forums", _forums),
    SiteRoute("GET", "/subscribed", _subscribed, login=True),
    *(SiteRoute("GET", f"/subscribed/{order}", _subscribed, login=True) for order in SUBMISSION_ORDERS),
    *(SiteRoute("GET", f"/{order}", _front) for order in SUBMISSION_ORDERS),
)
BOARD_ROUTES: Final = (
    SiteRoute("GET", "/f/{forum}", _board),
    *(SiteRoute("GET", f"/f/{{forum}}/{order}", _board) for order in SUBMISSION_ORDERS),
    SiteRoute("GET", "/f/{forum}/edit", _edit_page, login=True),
    SiteRoute("POST", "/f/{forum}/edit", _edit, login=True),
    SiteRoute("POST", "/f/{forum}/subscribe", _subscribe, login=True),
    SiteRoute("POST", "/f/{forum}/hide", _hide, login=True),
)
