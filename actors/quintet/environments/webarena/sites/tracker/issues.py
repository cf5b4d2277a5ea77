"""Issues: lists, one issue, a new one, and what can be done to one."""

import sqlite3
from datetime import date
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VisitedProject, the_project
from quintet.environments.webarena.sites.tracker.item_pages import dashboard_items, project_items
from quintet.environments.webarena.sites.tracker.items import (
    add_note,
    add_todo,
    item_path,
    item_values,
    set_state,
    the_item,
)

_TITLE_AT_MOST: Final = 255
_TEXT_AT_MOST: Final = 20_000


def _list(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    milestones = request.db.execute(
        "SELECT title FROM tracker_milestones WHERE project = ? ORDER BY id", (project.id,)
    ).fetchall()
    return project_items(request, "issue", project, milestones)


def _dashboard(request: SiteRequest) -> SiteResponse:
    return dashboard_items(request, "issue")


def _show(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    item = the_item(request, "issue", project)
    if project is None or item is None:
        return request.not_found()
    return request.page("issue.html", status=200, **item_values(request, project, item))


def _new_page(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    return request.page("new_issue.html", status=200, project=project, **_choices(request, project))


def _choices(request: SiteRequest, project: VisitedProject) -> dict[str, list[sqlite3.Row]]:
    """What an issue of the project can be given."""
    db = request.db
    people = (
        "SELECT username FROM tracker_members WHERE project = ? UNION"
        " SELECT username FROM tracker_group_members WHERE path = ? ORDER BY username"
    )
    milestones = "SELECT * FROM tracker_milestones WHERE project = ? AND state = 'active' ORDER BY due, id"
    return {
        "people": db.execute(people, (project.id, project.row["namespace"])).fetchall(),
        "all_labels": db.execute(
            "SELECT * FROM tracker_labels WHERE project = ? ORDER BY title", (project.id,)
        ).fetchall(),
        "milestones": db.execute(milestones, (project.id,)).fetchall(),
    }


def _wrong(request: SiteRequest) -> str:
    """Why the form is refused; empty if it is not."""
    title, due = request.text("title"), request.text("due")
    if not title or len(title) > _TITLE_AT_MOST:
        return f"An issue needs a title of at most {_TITLE_AT_MOST} characters."
    if len(request.text("description")) > _TEXT_AT_MOST:
        return f"A description has at most {_TEXT_AT_MOST:,} characters."
    try:
        if due:
            date.fromisoformat(due)
    except ValueError:
        return "A due date is written as 2023-06-30."
    return ""


def _chosen(request: SiteRequest, project: VisitedProject) -> tuple[str | None, int | None, list[int]]:
    """Assignee, milestone and labels of the form; what is none of the project's is left out."""
    given = _choices(request, project)
    people = {row["username"] for row in given["people"]}
    milestones = {str(row["id"]): int(row["id"]) for row in given["milestones"]}
    labels = {str(row["id"]): int(row["id"]) for row in given["all_labels"]}
    assignee = request.text("assignee")
    chosen = [labels[value] for value in dict.fromkeys(request.values("label")) if value in labels]
    return assignee if assignee in people else None, milestones.get(request.text("milestone")), chosen


def _new(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    if wrong := _wrong(request):
        return request.redirect(f"{project.base}/-/issues/new", error=wrong)
    assignee, milestone, labels = _chosen(request, project)
    number = request.db.execute(
        "SELECT coalesce(max(number), 0) + 1 FROM tracker_items WHERE project = ? AND kind = 'issue'", (project.id,)
    ).fetchone()[0]
    item = (
        request.db.execute(
            "INSERT INTO tracker_items (project, kind, number, title, body, author, assignee, state, milestone, due,"
            " created, updated) VALUES (?, 'issue', ?, ?, ?, ?, ?, 'opened', ?, ?, ?, ?)",
            (
                project.id,
                number,
                request.text("title"),
                request.text("description"),
                request.user,
                assignee,
                milestone,
                request.text("due"),
                request.now,
                request.now,
            ),
        ).lastrowid
        or 0
    )
    _set_labels(request, item, labels)
    add_todo(request, item, assignee, "assigned you")
    return request.redirect(f"{project.base}/-/issues/{number}", success="The issue was created.")


def _set_labels(request: SiteRequest, item: int, labels: list[int]) -> None:
    request.db.execute("DELETE FROM tracker_item_labels WHERE item = ?", (item,))
    for label in labels:
        request.db.execute("INSERT INTO tracker_item_labels VALUES (?, ?)", (item, label))


def may_change(request: SiteRequest, project: VisitedProject, item: sqlite3.Row) -> bool:
    """Whether the visitor may change an item: its author may, and who sorts the project's issues."""
    return item["author"] == request.user or project.allows("Reporter")


def _edit_page(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    item = the_item(request, "issue", project)
    if project is None or item is None or not may_change(request, project, item):
        return request.not_found()
    return request.page("edit_issue.html", status=200, **item_values(request, project, item))


def _edit(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    item = the_item(request, "issue", project)
    if project is None or item is None or not may_change(request, project, item):
        return request.not_found()
    if wrong := _wrong(request):
        return request.redirect(f"{item_path(item)}/edit", error=wrong)
    assignee, milestone, labels = _chosen(request, project)
    request.db.execute(
        "UPDATE tracker_items SET title = ?, body = ?, assignee = ?, milestone = ?, due = ?, updated = ? WHERE id = ?",
        (
            request.text("title"),
            request.text("description"),
            assignee,
            milestone,
            request.text("due"),
            request.now,
            item["id"],
        ),
    )
    _set_labels(request, item["id"], labels)
    if assignee != item["assignee"]:
        add_todo(request, item["id"], assignee, "assigned you")
        add_note(request, item, f"assigned to @{assignee}" if assignee else "removed the assignee", system=True)
    return request.redirect(item_path(item), success="The issue was changed.")


def _note(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    item = the_item(request, "issue", project)
    if item is None:
        return request.not_found()
    return request.redirect(item_path(item), error=add_note(request, item, request.text("note")))


def _switch(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    item = the_item(request, "issue", project)
    if project is None or item is None or not may_change(request, project, item):
        return request.not_found()
    closes = item["state"] == "opened"
    said = "closed this issue" if closes else "reopened this issue"
    set_state(request, item, "closed" if closes else "opened", said)
    return request.redirect(item_path(item), success=f"You {said}.")


def _take(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    item = the_item(request, "issue", project)
    if project is None or item is None or not project.allows("Reporter"):
        return request.not_found()
    request.db.execute("UPDATE tracker_items SET assignee = ? WHERE id = ?", (request.user, item["id"]))
    add_note(request, item, f"assigned to @{request.user}", system=True)
    return request.redirect(item_path(item))


_BASE: Final = "/{namespace}/{project}/-/issues"
ISSUE_ROUTES: Final = (
    SiteRoute("GET", "/dashboard/issues", _dashboard, login=True),
    SiteRoute("GET", _BASE, _list),
    SiteRoute("GET", f"{_BASE}/", _list),
    SiteRoute("GET", f"{_BASE}/new", _new_page, login=True),
    SiteRoute("POST", f"{_BASE}/new", _new, login=True),
    SiteRoute("GET", f"{_BASE}/{{number}}", _show),
    SiteRoute("GET", f"{_BASE}/{{number}}/edit", _edit_page, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/edit", _edit, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/notes", _note, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/state", _switch, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/assign_me", _take, login=True),
)
