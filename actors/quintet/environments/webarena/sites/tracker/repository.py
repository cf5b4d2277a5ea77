"""A project's files and commits."""

import hashlib
import sqlite3
from difflib import unified_diff
from typing import Final, NamedTuple

from quintet.environments.webarena.sites.paging import paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VisitedProject, the_project

_FILE_AT_MOST: Final = 100_000


class DirectoryEntry(NamedTuple):
    """A file or a folder."""

    name: str
    path: str
    folder: bool
    commit: sqlite3.Row | None
    """The latest one that touched it."""


def directory(request: SiteRequest, project: VisitedProject, folder: str) -> list[DirectoryEntry]:
    """What lies in a folder, folders first. `folder`: its path with a slash at the end; empty: the root."""
    paths = [
        str(row["path"])
        for row in request.db.execute("SELECT path FROM tracker_files WHERE project = ? ORDER BY path", (project.id,))
    ]
    latest = {
        str(row["path"]): row
        for row in request.db.execute(
            "SELECT * FROM tracker_commits WHERE project = ? ORDER BY created, id", (project.id,)
        )
    }
    entries: dict[str, DirectoryEntry] = {}
    for path in paths:
        if path.startswith(folder):
            name, slash, _ = path[len(folder) :].partition("/")
            below = [
                row
                for place, row in latest.items()
                if place == path or (slash and place.startswith(f"{folder}{name}/"))
            ]
            commit = max(below, key=lambda row: (row["created"], row["id"]), default=None)
            entries[name] = DirectoryEntry(name, folder + name, bool(slash), commit)
    return sorted(entries.values(), key=lambda entry: (not entry.folder, entry.name.lower()))


def latest_commit(request: SiteRequest, project: VisitedProject) -> sqlite3.Row | None:
    found: sqlite3.Row | None = request.db.execute(
        "SELECT c.*, u.name, u.email FROM tracker_commits c JOIN tracker_users u USING (username)"
        " WHERE c.project = ? ORDER BY c.created DESC, c.id DESC",
        (project.id,),
    ).fetchone()
    return found


def add_commit(request: SiteRequest, project: VisitedProject, title: str, path: str, diff: str) -> str:
    """Record a change of a file by the visitor. Returns its id."""
    number = request.db.execute("SELECT coalesce(max(id), 0) FROM tracker_commits").fetchone()[0]
    sha = hashlib.sha1(f"{number} {title} {diff}".encode(), usedforsecurity=False).hexdigest()
    request.db.execute(
        "INSERT INTO tracker_commits (project, sha, username, title, path, diff, created) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (project.id, sha, request.user, title, path, diff, request.now),
    )
    request.db.execute("UPDATE tracker_projects SET updated = ? WHERE id = ?", (request.now, project.id))
    return sha


def _tree(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    folder = request.params.get("path", "").strip("/")
    entries = directory(request, project, f"{folder}/" if folder else "")
    if folder and not entries:
        return request.not_found()
    return request.page("tree.html", project=project, folder=folder, entries=entries)


def _file(request: SiteRequest, project: VisitedProject) -> sqlite3.Row | None:
    found: sqlite3.Row | None = request.db.execute(
        "SELECT * FROM tracker_files WHERE project = ? AND path = ?", (project.id, request.params["path"])
    ).fetchone()
    return found


def _blob(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    file = _file(request, project) if project else None
    if project is None or file is None:
        return request.not_found()
    return request.page("blob.html", project=project, file=file)


def _raw(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    file = _file(request, project) if project else None
    if file is None:
        return request.not_found()
    return SiteResponse(body=file["content"].encode(), content_type="text/plain")


def _edit_page(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    file = _file(request, project) if project else None
    if project is None or file is None or not project.allows("Developer"):
        return request.not_found()
    return request.page("edit_file.html", project=project, file=file)


def _edit(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    file = _file(request, project) if project else None
    if project is None or file is None or not project.allows("Developer"):
        return request.not_found()
    path, old = str(file["path"]), str(file["content"])
    new = request.form.get("content", "").replace("\r\n", "\n")
    message = request.text("message") or f"Update {path}"
    if new == old or len(new) > _FILE_AT_MOST:
        error = "Nothing was changed." if new == old else f"A file has at most {_FILE_AT_MOST:,} characters."
        return request.redirect(f"{project.base}/-/edit/main/{path}", error=error)
    diff = "\n".join(unified_diff(old.splitlines(), new.splitlines(), f"a/{path}", f"b/{path}", lineterm=""))
    request.db.execute("UPDATE tracker_files SET content = ? WHERE project = ? AND path = ?", (new, project.id, path))
    add_commit(request, project, message, path, diff)
    return request.redirect(f"{project.base}/-/blob/main/{path}", success="Your changes have been committed.")


def _commits(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    author, search = request.query.get("author", ""), request.query.get("search", "").strip()
    rows = request.db.execute(
        "SELECT c.*, u.name, u.email FROM tracker_commits c JOIN tracker_users u USING (username) WHERE c.project = ?"
        " AND (? = '' OR username = ?) AND instr(lower(c.title), lower(?)) > 0 ORDER BY c.created DESC, c.id DESC",
        (project.id, author, author, search),
    ).fetchall()
    return request.page(
        "commits.html",
        project=project,
        page=paged(rows, request.number("page", 1), 20),
        authors=_contributors(request, project),
        author=author,
    )


def _contributors(request: SiteRequest, project: VisitedProject) -> list[sqlite3.Row]:
    return request.db.execute(
        "SELECT u.username, u.name, u.email, count(*) AS commits, min(c.created) AS first, max(c.created) AS last"
        " FROM tracker_commits c JOIN tracker_users u USING (username) WHERE c.project = ?"
        " GROUP BY u.username ORDER BY commits DESC, u.username",
        (project.id,),
    ).fetchall()


def _graphs(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    return request.page("contributors.html", project=project, rows=_contributors(request, project))


def _commit(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    row = (
        request.db.execute(
            "SELECT c.*, u.name, u.email FROM tracker_commits c JOIN tracker_users u USING (username)"
            " WHERE c.project = ? AND c.sha = ?",
            (project.id, request.params["sha"]),
        ).fetchone()
        if project
        else None
    )
    return request.page("commit.html", project=project, commit=row) if row else request.not_found()


_BASE: Final = "/{namespace}/{project}/-"
REPOSITORY_ROUTES: Final = (
    SiteRoute("GET", f"{_BASE}/tree/main", _tree),
    SiteRoute("GET", f"{_BASE}/tree/main/{{path*}}", _tree),
    SiteRoute("GET", f"{_BASE}/blob/main/{{path*}}", _blob),
    SiteRoute("GET", f"{_BASE}/raw/main/{{path*}}", _raw),
    SiteRoute("GET", f"{_BASE}/edit/main/{{path*}}", _edit_page, login=True),
    SiteRoute("POST", f"{_BASE}/edit/main/{{path*}}", _edit, login=True),
    SiteRoute("GET", f"{_BASE}/commits/main", _commits),
    SiteRoute("GET", f"{_BASE}/commit/{{sha}}", _commit),
    SiteRoute("GET", f"{_BASE}/graphs/main", _graphs),
)
