"""Who may do what: projects as a visitor sees them, and the visitor's role there."""

import sqlite3
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from quintet.environments.webarena.sites.request import SiteRequest

TrackerRole = Literal["Guest", "Reporter", "Developer", "Maintainer", "Owner"]
"""From the least to the most: a guest comments, a reporter sorts issues, a developer merges, a maintainer sets up."""
TRACKER_ROLES: Final[tuple[TrackerRole, ...]] = get_args(TrackerRole)
_RANKS: Final[Mapping[str, int]] = {role: rank for rank, role in enumerate(TRACKER_ROLES, 1)}


class VisitedProject(NamedTuple):
    """A project that the visitor may see."""

    row: sqlite3.Row
    role: str
    """The visitor's; empty for somebody who is no member."""
    starred: bool

    @property
    def id(self) -> int:
        return int(self.row["id"])

    @property
    def base(self) -> str:
        """Its address."""
        return f"/{self.row['namespace']}/{self.row['path']}"

    def allows(self, role: TrackerRole) -> bool:
        """Whether the visitor has this role or more."""
        return _RANKS.get(self.role, 0) >= _RANKS[role]


def role_in(request: SiteRequest, project: sqlite3.Row) -> str:
    """The greatest role that the visitor has in a project: its own or of its group."""
    rows = request.db.execute(
        "SELECT role FROM tracker_members WHERE project = ? AND username = ?"
        " UNION SELECT role FROM tracker_group_members WHERE path = ? AND username = ?",
        (project["id"], request.user or "", project["namespace"], request.user or ""),
    ).fetchall()
    return max((str(row["role"]) for row in rows), key=lambda role: _RANKS.get(role, 0), default="")


def the_project(request: SiteRequest) -> VisitedProject | None:
    """The project that the path names, in any case of letters; None if there is none that the visitor may see."""
    row = request.db.execute(
        "SELECT * FROM tracker_projects WHERE namespace = ? COLLATE NOCASE AND path = ? COLLATE NOCASE",
        (request.params["namespace"], request.params["project"]),
    ).fetchone()
    if row is None:
        return None
    role = role_in(request, row)
    if row["visibility"] == "private" and not role:
        return None
    star = request.db.execute(
        "SELECT 1 FROM tracker_stars WHERE username = ? AND project = ?", (request.user or "", row["id"])
    ).fetchone()
    return VisitedProject(row, role, star is not None)


VISIBLE: Final = (
    "(p.visibility = 'public' OR EXISTS (SELECT 1 FROM tracker_members WHERE project = p.id AND username = ?))"
)
"""An SQL condition on the projects `p` with one value: the visitor may see it."""


def namespaces(request: SiteRequest) -> list[str]:
    """Where the visitor may put a new project: under their own name, and in groups that they maintain."""
    rows = request.db.execute(
        "SELECT path FROM tracker_group_members WHERE username = ? AND role IN ('Owner', 'Maintainer') ORDER BY path",
        (request.user,),
    ).fetchall()
    return [request.user or "", *(str(row["path"]) for row in rows)]
