"""The tracker: projects with issues, milestones and members."""

import sqlite3
from typing import Final

from aiohttp import web

from quintet.environments.webarena.sites.visit import SiteRoutes, SiteVisit

TRACKER: Final = SiteRoutes("gitlab")
_LABELS: Final = ("bug", "feature")
_ROLES: Final = ("Guest", "Reporter", "Developer", "Maintainer", "Owner")
_PROJECT: Final = "/{group}/{project:[a-z]+}"


@TRACKER.get("/")
def _projects(visit: SiteVisit) -> web.Response:
    return visit.page("tracker_projects", title="Projects", projects=visit.all("SELECT * FROM projects ORDER BY path"))


@TRACKER.get(_PROJECT)
def _project(visit: SiteVisit) -> web.Response:
    project = _found(visit)
    milestones = visit.all("SELECT * FROM milestones WHERE project = ? ORDER BY due", project["path"])
    return visit.page("tracker_project", title=project["name"], project=project, milestones=milestones)


@TRACKER.get(f"{_PROJECT}/-/issues")
def _issues(visit: SiteVisit) -> web.Response:
    project, state, label = _found(visit), visit.query.get("state", "opened"), visit.query.get("label", "")
    found = visit.all(
        "SELECT * FROM issues WHERE project = ? AND (? = 'all' OR state = ?) AND (? = '' OR label = ?) "
        "ORDER BY number DESC",
        *(project["path"], state, state, label, label),
    )
    chosen = {"state": state, "label": label, "labels": _LABELS}
    return visit.page("tracker_issues", title="Issues", project=project, issues=found, **chosen)


@TRACKER.get(f"{_PROJECT}/-/issues/new", needs_login=True)
def _new(visit: SiteVisit) -> web.Response:
    project = _found(visit)
    members = _members(visit, project)
    return visit.page("tracker_new", title="New issue", project=project, members=members, labels=_LABELS)


@TRACKER.post(f"{_PROJECT}/-/issues/new")
def _create(visit: SiteVisit) -> web.Response:
    path, form = _found(visit)["path"], visit.form
    title = form.get("title", "").strip()
    if not title:
        return visit.redirect(f"/{path}/-/issues/new")
    number = visit.need("SELECT coalesce(max(number), 0) + 1 AS next FROM issues WHERE project = ?", path)["next"]
    given = (form.get("text", ""), visit.user, form.get("assignee", ""), form.get("label", ""))
    visit.db.execute("INSERT INTO issues VALUES (?, ?, ?, ?, ?, ?, ?, '', 'opened')", (path, number, title, *given))
    return visit.redirect(f"/{path}/-/issues/{number}")


@TRACKER.get(f"{_PROJECT}/-/issues/{{number:[0-9]+}}")
def _issue(visit: SiteVisit) -> web.Response:
    project, number = _found(visit), visit.part["number"]
    issue = visit.need("SELECT * FROM issues WHERE project = ? AND number = ?", project["path"], number)
    notes = visit.all("SELECT * FROM notes WHERE project = ? AND number = ? ORDER BY rowid", project["path"], number)
    return visit.page("tracker_issue", title=issue["title"], project=project, issue=issue, notes=notes)


@TRACKER.post(f"{_PROJECT}/-/issues/{{number:[0-9]+}}/note")
def _note(visit: SiteVisit) -> web.Response:
    path, number = _found(visit)["path"], visit.part["number"]
    if text := visit.form.get("note", "").strip():
        visit.db.execute("INSERT INTO notes VALUES (?, ?, ?, ?)", (path, number, visit.user, text))
    return visit.redirect(f"/{path}/-/issues/{number}")


@TRACKER.post(f"{_PROJECT}/-/issues/{{number:[0-9]+}}/state")
def _close(visit: SiteVisit) -> web.Response:
    path, number = _found(visit)["path"], visit.part["number"]
    change = "UPDATE issues SET state = iif(state = 'opened', 'closed', 'opened') WHERE project = ? AND number = ?"
    visit.db.execute(change, (path, number))
    return visit.redirect(f"/{path}/-/issues/{number}")


@TRACKER.get(f"{_PROJECT}/-/project_members")
def _people(visit: SiteVisit) -> web.Response:
    project = _found(visit)
    members = _members(visit, project)
    return visit.page("tracker_members", title="Members", project=project, members=members, roles=_ROLES)


@TRACKER.post(f"{_PROJECT}/-/project_members")
def _invite(visit: SiteVisit) -> web.Response:
    path, name, role = _found(visit)["path"], visit.form.get("username", "").strip(), visit.form.get("role", "")
    if name and role in _ROLES:
        put = "INSERT INTO members VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET role = excluded.role"
        visit.db.execute(put, (path, name, name, role))
    return visit.redirect(f"/{path}/-/project_members")


def _found(visit: SiteVisit) -> sqlite3.Row:
    return visit.need("SELECT * FROM projects WHERE path = ?", f"{visit.part['group']}/{visit.part['project']}")


def _members(visit: SiteVisit, project: sqlite3.Row) -> list[sqlite3.Row]:
    return visit.all("SELECT * FROM members WHERE project = ? ORDER BY rowid", project["path"])
