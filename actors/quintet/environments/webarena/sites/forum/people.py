"""Signing in and out, and what users show of themselves."""

import sqlite3
from typing import Final

from quintet.environments.webarena.sites.forum.listing import submission_list
from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute

_BIOGRAPHY_AT_MOST: Final = 300


def the_forum_user(request: SiteRequest, name: str) -> sqlite3.Row | None:
    """A user, with the number of submissions and comments; the name may be written in any case."""
    found: sqlite3.Row | None = request.db.execute(
        "SELECT u.name, u.biography, u.joined,"
        " (SELECT count(*) FROM forum_submissions WHERE author = u.name) AS submissions,"
        " (SELECT count(*) FROM forum_comments WHERE author = u.name AND NOT deleted) AS comments"
        " FROM forum_users u WHERE u.name = ? COLLATE NOCASE",
        (name,),
    ).fetchone()
    return found


def comment_rows(request: SiteRequest, where: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
    """Comments with what their links need, the latest first. `where`: a condition on the comments `c`."""
    return request.db.execute(
        "SELECT c.*, s.forum, s.title, s.id AS submission_id FROM forum_comments c"
        f" JOIN forum_submissions s ON s.id = c.submission WHERE NOT c.deleted AND {where}"
        " ORDER BY c.created DESC, c.id DESC",
        values,
    ).fetchall()


def _overview(request: SiteRequest) -> SiteResponse:
    user = the_forum_user(request, request.params["name"])
    if user is None:
        return request.not_found()
    page = submission_list(request, "s.author = ?", (user["name"],), "new", size=5)
    comments = comment_rows(request, "c.author = ?", (user["name"],))[:5]
    return request.page("user.html", user=user, page=page, comments=comments, tab="overview")


def _submissions(request: SiteRequest) -> SiteResponse:
    user = the_forum_user(request, request.params["name"])
    if user is None:
        return request.not_found()
    page = submission_list(request, "s.author = ?", (user["name"],), "new")
    return request.page("user.html", user=user, page=page, comments=None, tab="submissions")


def _comments(request: SiteRequest) -> SiteResponse:
    user = the_forum_user(request, request.params["name"])
    if user is None:
        return request.not_found()
    page = paged(comment_rows(request, "c.author = ?", (user["name"],)), request.number("page", 1), 15)
    return request.page("user.html", user=user, page=page, comments=page.items, tab="comments")


def _own(request: SiteRequest) -> sqlite3.Row | None:
    user = the_forum_user(request, request.params["name"])
    return user if user and user["name"] == request.user else None


def _biography_page(request: SiteRequest) -> SiteResponse:
    user = _own(request)
    return request.page("biography.html", user=user) if user else request.not_found()


def _biography(request: SiteRequest) -> SiteResponse:
    user = _own(request)
    if user is None:
        return request.not_found()
    biography = request.text("biography")
    if len(biography) > _BIOGRAPHY_AT_MOST:
        error = f"A biography has at most {_BIOGRAPHY_AT_MOST} characters, this one has {len(biography)}."
        return request.redirect(f"/user/{user['name']}/edit_biography", error=error)
    request.db.execute("UPDATE forum_users SET biography = ? WHERE name = ?", (biography, user["name"]))
    return request.redirect(f"/user/{user['name']}", success="Your biography was changed.")


def _hidden(request: SiteRequest) -> SiteResponse:
    user = _own(request)
    if user is None:
        return request.not_found()
    rows = request.db.execute(
        "SELECT f.* FROM forum_forums f JOIN forum_hidden h ON h.forum = f.name WHERE h.user = ? ORDER BY f.name",
        (user["name"],),
    ).fetchall()
    return request.page("hidden.html", user=user, forums=rows)


def _login_page(request: SiteRequest) -> SiteResponse:
    if request.user:
        return request.redirect("/")
    return request.page("login.html", next=request.query.get("next", "/"))


def _login(request: SiteRequest) -> SiteResponse:
    user = request.db.execute(
        "SELECT name FROM forum_users WHERE name = ? COLLATE NOCASE AND password = ?",
        (request.text("username"), request.form.get("password", "")),
    ).fetchone()
    if user is None:
        return request.redirect("/login", error="Wrong username or password.")
    return request.sign_in(user["name"], "/")


def _logout(request: SiteRequest) -> SiteResponse:
    return request.sign_out("/", success="You are logged out.")


PEOPLE_ROUTES: Final = (
    SiteRoute("GET", "/login", _login_page),
    SiteRoute("POST", "/login", _login),
    SiteRoute("POST", "/logout", _logout),
    SiteRoute("GET", "/user/{name}", _overview),
    SiteRoute("GET", "/user/{name}/submissions", _submissions),
    SiteRoute("GET", "/user/{name}/comments", _comments),
    SiteRoute("GET", "/user/{name}/edit_biography", _biography_page, login=True),
    SiteRoute("POST", "/user/{name}/edit_biography", _biography, login=True),
    SiteRoute("GET", "/user/{name}/hidden_forums", _hidden, login=True),
)
