"""Merge requests: lists, one with its changes, and review."""

import sqlite3
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VisitedProject, the_project
from quintet.environments.webarena.sites.tracker.issues import may_change
from quintet.environments.webarena.sites.tracker.item_pages import dashboard_items, project_items
from quintet.environments.webarena.sites.tracker.items import (
    add_note,
    item_path,
    item_values,
    set_state,
    the_item,
)
from quintet.environments.webarena.sites.tracker.patches import diff_path, patched
from quintet.environments.webarena.sites.tracker.repository import add_commit


def _list(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    return request.not_found() if project is None else project_items(request, "merge_request", project)


def _dashboard(request: SiteRequest) -> SiteResponse:
    return dashboard_items(request, "merge_request")


def _found(request: SiteRequest) -> tuple[VisitedProject, sqlite3.Row] | None:
    project = the_project(request)
    item = the_item(request, "merge_request", project)
    return (project, item) if project and item else None


def _show(request: SiteRequest) -> SiteResponse:
    return _page(request, "overview")


def _diffs(request: SiteRequest) -> SiteResponse:
    return _page(request, "changes")


def _page(request: SiteRequest, tab: str) -> SiteResponse:
    found = _found(request)
    if found is None:
        return request.not_found()
    project, item = found
    approvals = [
        str(row["username"])
        for row in request.db.execute(
            "SELECT username FROM tracker_approvals WHERE item = ? ORDER BY username", (item["id"],)
        )
    ]
    values = item_values(request, project, item)
    return request.page("merge_request.html", status=200, **values, tab=tab, approvals=approvals)


def _note(request: SiteRequest) -> SiteResponse:
    found = _found(request)
    if found is None:
        return request.not_found()
    return request.redirect(item_path(found[1]), error=add_note(request, found[1], request.text("note")))


def _approve(request: SiteRequest) -> SiteResponse:
    found = _found(request)
    if found is None:
        return request.not_found()
    project, item = found
    if not project.allows("Developer") or item["state"] != "opened" or item["author"] == request.user:
        return request.redirect(item_path(item), error="You cannot approve this merge request.")
    key = (item["id"], request.user)
    approved = request.db.execute("SELECT 1 FROM tracker_approvals WHERE item = ? AND username = ?", key).fetchone()
    if approved:
        request.db.execute("DELETE FROM tracker_approvals WHERE item = ? AND username = ?", key)
    else:
        request.db.execute("INSERT INTO tracker_approvals VALUES (?, ?)", key)
    add_note(request, item, "revoked an approval" if approved else "approved this merge request", system=True)
    return request.redirect(item_path(item))


def _merge(request: SiteRequest) -> SiteResponse:
    found = _found(request)
    if found is None:
        return request.not_found()
    project, item = found
    if not project.allows("Developer") or item["state"] != "opened":
        return request.redirect(item_path(item), error="You cannot merge this merge request.")
    path = diff_path(item["diff"])
    file = request.db.execute(
        "SELECT content FROM tracker_files WHERE project = ? AND path = ?", (project.id, path)
    ).fetchone()
    content = patched(file["content"], item["diff"]) if file else None
    if content is None:
        return request.redirect(item_path(item), error="There are merge conflicts: the file has changed since.")
    request.db.execute(
        "UPDATE tracker_files SET content = ? WHERE project = ? AND path = ?", (content, project.id, path)
    )
    add_commit(request, project, f"Merge branch '{item['source']}' into 'main'", path, item["diff"])
    set_state(request, item, "merged", "merged this merge request")
    return request.redirect(item_path(item), success="You merged this merge request.")


def _switch(request: SiteRequest) -> SiteResponse:
    found = _found(request)
    if found is None:
        return request.not_found()
    project, item = found
    if item["state"] == "merged" or not may_change(request, project, item):
        return request.redirect(item_path(item), error="You cannot close this merge request.")
    closes = item["state"] == "opened"
    said = "closed this merge request" if closes else "reopened this merge request"
    set_state(request, item, "closed" if closes else "opened", said)
    return request.redirect(item_path(item), success=f"You {said}.")


_BASE: Final = "/{namespace}/{project}/-/merge_requests"
MERGE_REQUEST_ROUTES: Final = (
    SiteRoute("GET", "/dashboard/merge_requests", _dashboard, login=True),
    SiteRoute("GET", _BASE, _list),
    SiteRoute("GET", f"{_BASE}/{{number}}", _show),
    SiteRoute("GET", f"{_BASE}/{{number}}/diffs", _diffs),
    SiteRoute("POST", f"{_BASE}/{{number}}/notes", _note, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/approve", _approve, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/merge", _merge, login=True),
    SiteRoute("POST", f"{_BASE}/{{number}}/state", _switch, login=True),
)
