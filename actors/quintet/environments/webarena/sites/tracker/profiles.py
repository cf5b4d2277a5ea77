"""Signing in and out, users' profiles, and the list of what there is to do."""

from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VISIBLE
from quintet.environments.webarena.sites.tracker.members import group_page

_FIELDS: Final = {"name": 120, "status": 100, "website": 200, "location": 100, "bio": 250}
"""What a user may change of a profile, with the greatest length."""


def _profile(request: SiteRequest) -> SiteResponse:
    user = request.db.execute(
        "SELECT * FROM tracker_users WHERE username = ? COLLATE NOCASE", (request.params["group"],)
    ).fetchone()
    if user is None:
        return group_page(request)
    projects = request.db.execute(
        f"SELECT p.* FROM tracker_projects p WHERE {VISIBLE} AND (p.namespace = ?2 OR p.id IN"
        " (SELECT project FROM tracker_members WHERE username = ?2)) ORDER BY p.namespace != ?2, p.name",
        (request.user or "", user["username"]),
    ).fetchall()
    commits = request.db.execute(
        "SELECT c.*, p.namespace, p.path AS project_path"
        " FROM tracker_commits c JOIN tracker_projects p ON p.id = c.project"
        f" WHERE {VISIBLE} AND c.username = ? ORDER BY c.created DESC, c.id DESC LIMIT 10",
        (request.user or "", user["username"]),
    ).fetchall()
    return request.page("profile.html", user=user, projects=projects, commits=commits)


def _edit_page(request: SiteRequest) -> SiteResponse:
    user = request.db.execute("SELECT * FROM tracker_users WHERE username = ?", (request.user,)).fetchone()
    return request.page("edit_profile.html", user=user)


def _edit(request: SiteRequest) -> SiteResponse:
    values = {name: request.text(name) for name in _FIELDS}
    wrong = [f"{name} has at most {most} characters" for name, most in _FIELDS.items() if len(values[name]) > most]
    if not values["name"]:
        wrong.append("a profile needs a name")
    if values["website"] and not values["website"].startswith(("http://", "https://")):
        wrong.append("a website starts with http:// or https://")
    if wrong:
        return request.redirect("/-/profile", error=f"{'; '.join(wrong).capitalize()}.")
    request.db.execute(
        "UPDATE tracker_users SET name = ?, status = ?, website = ?, location = ?, bio = ? WHERE username = ?",
        (*values.values(), request.user),
    )
    return request.redirect("/-/profile", success="Profile was successfully updated.")


def _todos(request: SiteRequest) -> SiteResponse:
    done = request.query.get("state") == "done"
    rows = request.db.execute(
        "SELECT t.id AS todo, t.action, t.author AS by, t.created AS since, i.*, p.namespace, p.path, u.name AS by_name"
        " FROM tracker_todos t JOIN tracker_items i ON i.id = t.item JOIN tracker_projects p ON p.id = i.project"
        " JOIN tracker_users u ON u.username = t.author WHERE t.username = ? AND t.done = ?"
        " ORDER BY t.created DESC, t.id DESC",
        (request.user, done),
    ).fetchall()
    return request.page("todos.html", rows=rows, done=done)


def _todo_done(request: SiteRequest) -> SiteResponse:
    number = request.number("todo")
    request.db.execute("UPDATE tracker_todos SET done = 1 - done WHERE id = ? AND username = ?", (number, request.user))
    return request.back("/dashboard/todos")


def open_todos(request: SiteRequest) -> int:
    """How much the visitor has to do."""
    sql = "SELECT count(*) FROM tracker_todos WHERE username = ? AND NOT done"
    return int(request.db.execute(sql, (request.user or "",)).fetchone()[0])


def _login_page(request: SiteRequest) -> SiteResponse:
    if request.user:
        return request.redirect("/")
    return request.page("login.html", next=request.query.get("next", "/"))


def _login(request: SiteRequest) -> SiteResponse:
    name = request.text("username")
    user = request.db.execute(
        "SELECT username FROM tracker_users WHERE (username = ? OR email = ?) AND password = ?",
        (name, name, request.form.get("password", "")),
    ).fetchone()
    if user is None:
        return request.redirect("/users/sign_in", error="Invalid login or password.")
    return request.sign_in(user["username"], "/")


def _logout(request: SiteRequest) -> SiteResponse:
    return request.sign_out("/users/sign_in", success="You are signed out.")


PROFILE_ROUTES: Final = (
    SiteRoute("GET", "/users/sign_in", _login_page),
    SiteRoute("POST", "/users/sign_in", _login),
    SiteRoute("POST", "/users/sign_out", _logout),
    SiteRoute("GET", "/-/profile", _edit_page, login=True),
    SiteRoute("POST", "/-/profile", _edit, login=True),
    SiteRoute("GET", "/dashboard/todos", _todos, login=True),
    SiteRoute("POST", "/dashboard/todos", _todo_done, login=True),
)
NAME_ROUTES: Final = (SiteRoute("GET", "/{group}", _profile),)
"""A user's page or a group's: tried after all others."""
