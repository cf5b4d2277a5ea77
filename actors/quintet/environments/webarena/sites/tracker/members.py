"""Members of projects and groups, and groups."""

import sqlite3
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import TRACKER_ROLES, VISIBLE, the_project
from quintet.environments.webarena.sites.tracker.projects import project_path

_PEOPLE: Final = (
    "SELECT u.username, u.name, m.role, m.since FROM {table} m"
    " JOIN tracker_users u USING (username) WHERE m.{key} = ? ORDER BY m.since, u.username"
)
_VISIBILITIES: Final = ("private", "public")


def _invited(request: SiteRequest, table: str, key: object) -> str:
    """Add the users of the form, or give them another role. Returns why that is refused; empty if it is not."""
    role = request.text("role")
    names = [name.strip().removeprefix("@") for name in request.text("users").split(",") if name.strip()]
    if not names or role not in TRACKER_ROLES:
        return "Name at least one user, and choose a role."
    for name in names:
        user = request.db.execute("SELECT 1 FROM tracker_users WHERE username = ?", (name,)).fetchone()
        if user is None:
            return f"There is no user {name}."
    for name in names:
        request.db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", (key, name, role, request.now))
    return ""


def _members(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    rows = request.db.execute(_PEOPLE.format(table="tracker_members", key="project"), (project.id,)).fetchall()
    group = request.db.execute(
        _PEOPLE.format(table="tracker_group_members", key="path"), (project.row["namespace"],)
    ).fetchall()
    return request.page("members.html", project=project, rows=rows, group=group, roles=TRACKER_ROLES)


def _invite(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    page = f"{project.base}/-/project_members"
    if not project.allows("Maintainer"):
        return request.redirect(page, error="Only a maintainer can invite members.")
    if wrong := _invited(request, "tracker_members", project.id):
        return request.redirect(page, error=wrong)
    return request.redirect(page, success="Members were successfully added.")


def _remove(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    page, username = f"{project.base}/-/project_members", request.text("username")
    if not project.allows("Maintainer") or username == request.user:
        return request.redirect(page, error="Only a maintainer can remove members, and nobody themselves.")
    request.db.execute("DELETE FROM tracker_members WHERE project = ? AND username = ?", (project.id, username))
    return request.redirect(page, success=f"@{username} is no member any more.")


def _the_group(request: SiteRequest) -> sqlite3.Row | None:
    found: sqlite3.Row | None = request.db.execute(
        "SELECT g.*, (SELECT role FROM tracker_group_members WHERE path = g.path AND username = ?) AS role"
        " FROM tracker_groups g WHERE g.path = ? COLLATE NOCASE",
        (request.user or "", request.params["group"]),
    ).fetchone()
    return found if found and (found["visibility"] == "public" or found["role"]) else None


def _groups(request: SiteRequest) -> SiteResponse:
    rows = request.db.execute(
        "SELECT g.*, m.role, (SELECT count(*) FROM tracker_group_members WHERE path = g.path) AS members"
        " FROM tracker_groups g LEFT JOIN tracker_group_members m ON m.path = g.path AND m.username = ?"
        " WHERE g.visibility = 'public' OR m.role IS NOT NULL ORDER BY g.name",
        (request.user or "",),
    ).fetchall()
    return request.page("groups.html", rows=rows)


def group_page(request: SiteRequest) -> SiteResponse:
    """A group with its projects; the path's `group` names it."""
    group = _the_group(request)
    if group is None:
        return request.not_found()
    projects = request.db.execute(
        f"SELECT p.* FROM tracker_projects p WHERE {VISIBLE} AND p.namespace = ? ORDER BY p.name",
        (request.user or "", group["path"]),
    ).fetchall()
    return request.page("group.html", group=group, projects=projects)


def _group_members(request: SiteRequest) -> SiteResponse:
    group = _the_group(request)
    if group is None:
        return request.not_found()
    rows = request.db.execute(_PEOPLE.format(table="tracker_group_members", key="path"), (group["path"],)).fetchall()
    return request.page("group_members.html", group=group, rows=rows, roles=TRACKER_ROLES)


def _invite_to_group(request: SiteRequest) -> SiteResponse:
    group = _the_group(request)
    if group is None:
        return request.not_found()
    page = f"/groups/{group['path']}/-/group_members"
    if group["role"] not in ("Owner", "Maintainer"):
        return request.redirect(page, error="Only a maintainer can invite members.")
    if wrong := _invited(request, "tracker_group_members", group["path"]):
        return request.redirect(page, error=wrong)
    return request.redirect(page, success="Members were successfully added.")


def _new_group_page(request: SiteRequest) -> SiteResponse:
    return request.page("new_group.html")


def _new_group(request: SiteRequest) -> SiteResponse:
    name, visibility = request.text("name"), request.text("visibility")
    path = project_path(name)
    taken = request.db.execute(
        "SELECT 1 FROM tracker_groups WHERE path = ?1 UNION SELECT 1 FROM tracker_users WHERE username = ?1", (path,)
    ).fetchone()
    wrong = f"{path} has already been taken." if taken else ""
    if not path or len(name) > 80:
        wrong = "A group needs a name with at least one letter or digit, and at most 80 characters."
    elif visibility not in _VISIBILITIES:
        wrong = "Choose who may see the group."
    if wrong:
        return request.redirect("/groups/new", error=wrong)
    row = (path, name, request.text("description"), visibility, request.now)
    request.db.execute("INSERT INTO tracker_groups VALUES (?, ?, ?, ?, ?)", row)
    request.db.execute("INSERT INTO tracker_group_members VALUES (?, ?, 'Owner', ?)", (path, request.user, request.now))
    return request.redirect(f"/groups/{path}", success=f"Group '{name}' was successfully created.")


MEMBER_ROUTES: Final = (
    SiteRoute("GET", "/{namespace}/{project}/-/project_members", _members),
    SiteRoute("POST", "/{namespace}/{project}/-/project_members", _invite, login=True),
    SiteRoute("POST", "/{namespace}/{project}/-/project_members/remove", _remove, login=True),
)
GROUP_ROUTES: Final = (
    SiteRoute("GET", "/dashboard/groups", _groups, login=True),
    SiteRoute("GET", "/explore/groups", _groups),
    SiteRoute("GET", "/groups/new", _new_group_page, login=True),
    SiteRoute("POST", "/groups/new", _new_group, login=True),
    SiteRoute("GET", "/groups/{group}", group_page),
    SiteRoute("GET", "/groups/{group}/-/group_members", _group_members),
    SiteRoute("POST", "/groups/{group}/-/group_members", _invite_to_group, login=True),
)
