"""Pages that list issues or merge requests: a project's, and those of all projects."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.tracker.access import VisitedProject
from quintet.environments.webarena.sites.tracker.items import (
    ITEM_ORDERS,
    ItemKind,
    item_counts,
    item_list,
    item_states,
    labels_of,
)

_HEADINGS: Final[Mapping[ItemKind, str]] = {"issue": "Issues", "merge_request": "Merge requests"}


def project_items(
    request: SiteRequest, kind: ItemKind, project: VisitedProject, milestones: Sequence[sqlite3.Row] = ()
) -> SiteResponse:
    """A project's items with their filters.

    Args:
        request: its query filters, as `item_list` says.
        kind: of items.
        project: whose.
        milestones: that the list can be filtered by.
    """
    page = item_list(request, kind, project)
    labels = "SELECT title FROM tracker_labels WHERE project = ? ORDER BY title"
    return request.page(
        "items.html",
        kind=kind,
        heading=_HEADINGS[kind],
        project=project,
        page=page,
        labels=labels_of(request, list(page.items)),
        counts=item_counts(request, kind, project),
        states=item_states(kind),
        orders=ITEM_ORDERS,
        all_labels=request.db.execute(labels, (project.id,)).fetchall(),
        milestones=milestones,
        people=request.db.execute("SELECT username FROM tracker_users ORDER BY username").fetchall(),
    )


def dashboard_items(request: SiteRequest, kind: ItemKind) -> SiteResponse:
    """Items of all projects that the visitor may see."""
    page = item_list(request, kind, None)
    return request.page(
        "dashboard.html",
        kind=kind,
        heading=_HEADINGS[kind],
        page=page,
        labels=labels_of(request, list(page.items)),
        states=item_states(kind),
    )
