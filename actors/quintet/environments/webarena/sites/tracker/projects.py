"""A project: its page, stars, forks, a new one, and its settings."""

import re
import sqlite3
from typing import Final

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.tracker.access import VisitedProject, namespaces, the_project
from quintet.environments.webarena.sites.tracker.repository import directory, latest_commit

_VISIBILITIES: Final = ("private", "public")
_NAME_AT_MOST: Final = 80
_NOT_IN_PATHS: Final = re.compile(r"[^a-z0-9_.-]+")
_LICENSES: Final = ("", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "MIT")


def _show(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    readme = request.db.execute(
        "SELECT content FROM tracker_files WHERE project = ? AND path = 'README.md'", (project.id,)
    ).fetchone()
    commits = request.db.execute("SELECT count(*) FROM tracker_commits WHERE project = ?", (project.id,)).fetchone()[0]
    source = request.db.execute("SELECT * FROM tracker_projects WHERE id = ?", (project.row["forked_from"],)).fetchone()
    return request.page(
        "project.html",
        project=project,
        readme=readme["content"] if readme else None,
        commits=commits,
        latest=latest_commit(request, project),
        entries=directory(request, project, ""),
        source=source,
    )


def _star(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    sql = (
        "DELETE FROM tracker_stars WHERE username = ? AND project = ?"
        if project.starred
        else "INSERT INTO tracker_stars VALUES (?, ?)"
    )
    request.db.execute(sql, (request.user, project.id))
    by = -1 if project.starred else 1
    request.db.execute("UPDATE tracker_projects SET stars = stars + ? WHERE id = ?", (by, project.id))
    return request.back(project.base)


def _starrers(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    rows = request.db.execute(
        "SELECT u.* FROM tracker_users u JOIN tracker_stars s USING (username) WHERE s.project = ? ORDER BY username",
        (project.id,),
    ).fetchall()
    return request.page("starrers.html", project=project, users=rows)


def project_path(name: str) -> str:
    """A name as an address has it: `tide-table`; empty if nothing of it can stand there."""
    return _NOT_IN_PATHS.sub("-", name.lower()).strip("-.")


def _wrong_name(request: SiteRequest, name: str, namespace: str, path: str, but: int = 0) -> str:
    """Why a name is refused; empty if it is not. `but`: the project that may have it."""
    if not name or not path:
        return "A project needs a name with at least one letter or digit."
    if len(name) > _NAME_AT_MOST:
        return f"A name has at most {_NAME_AT_MOST} characters, this one has {len(name)}."
    taken = request.db.execute(
        "SELECT 1 FROM tracker_projects WHERE namespace = ? AND path = ? AND id != ?", (namespace, path, but)
    ).fetchone()
    return f"{namespace}/{path} has already been taken." if taken else ""


def add_project(
    request: SiteRequest,
    namespace: str,
    name: str,
    path: str,
    *,
    visibility: str,
    description: str,
    forked_from: int | None = None,
) -> sqlite3.Row:
    """A new project, owned by the visitor."""
    row: sqlite3.Row = request.db.execute(
        "INSERT INTO tracker_projects (namespace, path, name, description, visibility, stars, forks, license, created,"
        " updated, forked_from) VALUES (?, ?, ?, ?, ?, 0, 0, '', ?, ?, ?) RETURNING *",
        (namespace, path, name, description, visibility, request.now, request.now, forked_from),
    ).fetchone()
    request.db.execute("INSERT INTO tracker_members VALUES (?, ?, 'Owner', ?)", (row["id"], request.user, request.now))
    return row


def _new_page(request: SiteRequest) -> SiteResponse:
    return request.page("new_project.html", namespaces=namespaces(request))


def _new(request: SiteRequest) -> SiteResponse:
    name, namespace, visibility = request.text("name"), request.text("namespace"), request.text("visibility")
    path = project_path(request.text("path") or name)
    wrong = _wrong_name(request, name, namespace, path)
    if namespace not in namespaces(request):
        wrong = "Choose a namespace that is yours."
    elif visibility not in _VISIBILITIES:
        wrong = "Choose who may see the project."
    if wrong:
        return request.redirect("/projects/new", error=wrong)
    row = add_project(request, namespace, name, path, visibility=visibility, description=request.text("description"))
    if request.text("readme"):
        request.db.execute("INSERT INTO tracker_files VALUES (?, 'README.md', ?)", (row["id"], f"# {name}\n"))
    return request.redirect(f"/{namespace}/{path}", success=f"Project '{name}' was successfully created.")


def _fork_page(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    return (
        request.page("fork.html", project=project, namespaces=namespaces(request)) if project else request.not_found()
    )


def _fork(request: SiteRequest) -> SiteResponse:
    project = the_project(request)
    if project is None:
        return request.not_found()
    name, namespace = request.text("name"), request.text("namespace")
    path = project_path(name)
    wrong = _wrong_name(request, name, namespace, path)
    if namespace not in namespaces(request):
        wrong = "Choose a namespace that is yours."
    if wrong:
        return request.redirect(f"{project.base}/-/forks/new", error=wrong)
    row = add_project(
        request,
        namespace,
        name,
        path,
        visibility=project.row["visibility"],
        description=project.row["description"],
        forked_from=project.id,
    )
    copied = "INSERT INTO tracker_files SELECT ?, path, content FROM tracker_files WHERE project = ?"
    request.db.execute(copied, (row["id"], project.id))
    request.db.execute(
        "INSERT INTO tracker_commits (project, sha, username, title, path, diff, created)"
        " SELECT ?, sha, username, title, path, diff, created FROM tracker_commits WHERE project = ? ORDER BY id",
        (row["id"], project.id),
    )
    request.db.execute("UPDATE tracker_projects SET forks = forks + 1 WHERE id = ?", (project.id,))
    request.db.execute("UPDATE tracker_projects SET license = ? WHERE id = ?", (project.row["license"], row["id"]))
    return request.redirect(f"/{namespace}/{path}", success="The project was successfully forked.")


def _own(request: SiteRequest) -> VisitedProject | None:
    project = the_project(request)
    return project if project and project.allows("Maintainer") else None


def _settings(request: SiteRequest) -> SiteResponse:
    project = _own(request)
    return request.page("settings.html", project=project, licenses=_LICENSES) if project else request.not_found()


def _change(request: SiteRequest) -> SiteResponse:
    project = _own(request)
    if project is None:
        return request.not_found()
    name, description, visibility = request.text("name"), request.text("description"), request.text("visibility")
    if not name or len(name) > _NAME_AT_MOST or visibility not in _VISIBILITIES:
        error = f"A project needs a name of at most {_NAME_AT_MOST} characters and a visibility."
        return request.redirect(f"{project.base}/edit", error=error)
    request.db.execute(
        "UPDATE tracker_projects SET name = ?, description = ?, visibility = ? WHERE id = ?",
        (name, description, visibility, project.id),
    )
    return request.redirect(f"{project.base}/edit", success=f"Project '{name}' was successfully updated.")


def _rename(request: SiteRequest) -> SiteResponse:
    project = _own(request)
    if project is None:
        return request.not_found()
    path, namespace = project_path(request.text("path")), project.row["namespace"]
    if wrong := _wrong_name(request, path, namespace, path, but=project.id):
        return request.redirect(f"{project.base}/edit", error=wrong)
    request.db.execute("UPDATE tracker_projects SET path = ? WHERE id = ?", (path, project.id))
    return request.redirect(f"/{namespace}/{path}/edit", success="The path was changed.")


PROJECT_ROUTES: Final = (
    SiteRoute("GET", "/projects/new", _new_page, login=True),
    SiteRoute("POST", "/projects/new", _new, login=True),
    SiteRoute("GET", "/{namespace}/{project}", _show),
    SiteRoute("POST", "/{namespace}/{project}/star", _star, login=True),
    SiteRoute("GET", "/{namespace}/{project}/-/starrers", _starrers),
    SiteRoute("GET", "/{namespace}/{project}/-/forks/new", _fork_page, login=True),
    SiteRoute("POST", "/{namespace}/{project}/-/forks/new", _fork, login=True),
    SiteRoute("GET", "/{namespace}/{project}/edit", _settings, login=True),
    SiteRoute("POST", "/{namespace}/{project}/edit", _change, login=True),
    SiteRoute("POST", "/{namespace}/{project}/rename", _rename, login=True),
)
