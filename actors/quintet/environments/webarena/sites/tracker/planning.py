"""A project's milestones and labels."""

import re
import sqlite3
from datetime import date
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VisitedProject, the_project
from quintet.environments.webarena.sites.tracker.items import labels_of
from quintet.environments.webarena.sites.visitor_input import whole_number

_TITLE_AT_MOST: Final = 120
_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_MILESTONES: Final = (
    "SELECT m.*, (SELECT count(*) FROM tracker_items WHERE milestone = m.id) AS items,"
    " (SELECT count(*) FROM tracker_items WHERE milestone = m.id AND state != 'opened') AS closed_items"
    " FROM tracker_milestones m WHERE m.project = ?"
)


def _planner(request: SiteRequest) -> VisitedProject | None:
    project = the_project(request)
    return project if project and project.allows("Developer") else None


def _milestones(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    state = request.query.get("state", "opened")
    where = {"opened": " AND m.state = 'active'", "closed": " AND m.state = 'closed'"}.get(state, "")
    rows = request.db.execute(f"{_MILESTONES}{where} ORDER BY m.due, m.id", (project.id,)).fetchall()
    return request.page("milestones.html", project=project, rows=rows, state=state)


def _the_milestone(request: SiteRequest, project: VisitedProject | None) -> sqlite3.Row | None:
    if project is None:
        return None
    found: sqlite3.Row | None = request.db.execute(
        f"{_MILESTONES} AND m.number = ?", (project.id, whole_number(request.params["number"]))
    ).fetchone()
    return found


def _milestone(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    row = _the_milestone(request, project)
    if row is None:
        return request.not_found()
    items = request.db.execute(
        "SELECT i.*, p.namespace, p.path FROM tracker_items i JOIN tracker_projects p ON p.id = i.project"
        " WHERE i.milestone = ? ORDER BY i.state DESC, i.number",
        (row["id"],),
    ).fetchall()
    return request.page("milestone.html", project=project, row=row, items=items, labels=labels_of(request, items))


def _new_milestone_page(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    return request.page("edit_milestone.html", project=project, row=None) if project else request.not_found()


def _edit_milestone_page(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    row = _the_milestone(request, project)
    return request.page("edit_milestone.html", project=project, row=row) if row else request.not_found()


def _wrong_milestone(request: SiteRequest) -> str:
    title = request.text("title")
    if not title or len(title) > _TITLE_AT_MOST:
        return f"A milestone needs a title of at most {_TITLE_AT_MOST} characters."
    try:
        days = [date.fromisoformat(text) for name in ("start", "due") if (text := request.text(name))]
    except ValueError:
        return "A date is written as 2023-06-30."
    return "A milestone is due after its start." if len(days) == 2 and days[0] > days[1] else ""


def _new_milestone(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    if project is None:
        return request.not_found()
    if wrong := _wrong_milestone(request):
        return request.redirect(f"{project.base}/-/milestones/new", error=wrong)
    number = request.db.execute(
        "SELECT coalesce(max(number), 0) + 1 FROM tracker_milestones WHERE project = ?", (project.id,)
    ).fetchone()[0]
    fields = [request.text(name) for name in ("title", "description", "start", "due")]
    request.db.execute(
        "INSERT INTO tracker_milestones (project, number, title, description, start, due, state)"
        " VALUES (?, ?, ?, ?, ?, ?, 'active')",
        (project.id, number, *fields),
    )
    return request.redirect(f"{project.base}/-/milestones/{number}", success="The milestone was created.")


def _edit_milestone(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    row = _the_milestone(request, project)
    if project is None or row is None:
        return request.not_found()
    page = f"{project.base}/-/milestones/{row['number']}"
    if wrong := _wrong_milestone(request):
        return request.redirect(f"{page}/edit", error=wrong)
    fields = [request.text(name) for name in ("title", "description", "start", "due")]
    request.db.execute(
        "UPDATE tracker_milestones SET title = ?, description = ?, start = ?, due = ? WHERE id = ?",
        (*fields, row["id"]),
    )
    return request.redirect(page, success="The milestone was changed.")


def _switch_milestone(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    row = _the_milestone(request, project)
    if project is None or row is None:
        return request.not_found()
    state = "closed" if row["state"] == "active" else "active"
    request.db.execute("UPDATE tracker_milestones SET state = ? WHERE id = ?", (state, row["id"]))
    return request.redirect(f"{project.base}/-/milestones/{row['number']}")


def _labels(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    rows = request.db.execute(
        "SELECT l.*, (SELECT count(*) FROM tracker_item_labels x JOIN tracker_items i ON i.id = x.item"
        " WHERE x.label = l.id AND i.kind = 'issue' AND i.state = 'opened') AS open_issues"
        " FROM tracker_labels l WHERE l.project = ? ORDER BY l.title",
        (project.id,),
    ).fetchall()
    return request.page("labels.html", project=project, rows=rows)


def _new_label_page(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    return request.page("new_label.html", project=project) if project else request.not_found()


def _new_label(request: SiteRequest) -> SiteResponse:
    project = _planner(request)
    if project is None:
        return request.not_found()
    title, color = request.text("title"), request.text("color")
    taken = request.db.execute(
        "SELECT 1 FROM tracker_labels WHERE project = ? AND title = ?", (project.id, title)
    ).fetchone()
    wrong = "A label of this title is there already." if taken else ""
    if not title or len(title) > _TITLE_AT_MOST:
        wrong = f"A label needs a title of at most {_TITLE_AT_MOST} characters."
    elif not _COLOR.fullmatch(color):
        wrong = "A color is written as #1e6b3a."
    if wrong:
        return request.redirect(f"{project.base}/-/labels/new", error=wrong)
    request.db.execute(
        "INSERT INTO tracker_labels (project, title, description, color) VALUES (?, ?, ?, ?)",
        (project.id, title, request.text("description"), color),
    )
    return request.redirect(f"{project.base}/-/labels", success="The label was created.")


_BASE: Final = "/{namespace}/{project}/-"
PLANNING_ROUTES: Final = (
    SiteRoute("GET", f"{_BASE}/milestones", _milestones),
    SiteRoute("GET", f"{_BASE}/milestones/new", _new_milestone_page, login=True),
    SiteRoute("POST", f"{_BASE}/milestones/new", _new_milestone, login=True),
    SiteRoute("GET", f"{_BASE}/milestones/{{number}}", _milestone),
    SiteRoute("GET", f"{_BASE}/milestones/{{number}}/edit", _edit_milestone_page, login=True),
    SiteRoute("POST", f"{_BASE}/milestones/{{number}}/edit", _edit_milestone, login=True),
    SiteRoute("POST", f"{_BASE}/milestones/{{number}}/state", _switch_milestone, login=True),
    SiteRoute("GET", f"{_BASE}/labels", _labels),
    SiteRoute("GET", f"{_BASE}/labels/new", _new_label_page, login=True),
    SiteRoute("POST", f"{_BASE}/labels/new", _new_label, login=True),
)
