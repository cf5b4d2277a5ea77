"""A submission's page with its comments, and votes."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from quintet.environments.webarena.sites.forum.listing import the_forum
from quintet.environments.webarena.sites.forum.slugs import submission_path
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import whole_number

_COMMENT_ORDERS: Final = {"best": "c.points DESC, c.id", "new": "c.created DESC, c.id DESC", "old": "c.created, c.id"}
_TABLES: Final = {"submission": "forum_submissions", "comment": "forum_comments"}
_DEEPEST: Final = 5


class CommentNode(NamedTuple):
    """A comment in its place below a submission."""

    row: sqlite3.Row
    depth: int
    """Of its place, 0 at the top; comments below the deepest place stand beside each other."""


def the_submission(request: SiteRequest) -> sqlite3.Row | None:
    """The submission that the path names by its forum and number, with the visitor's vote."""
    found: sqlite3.Row | None = request.db.execute(
        "SELECT s.*, coalesce(v.value, 0) AS vote FROM forum_submissions s"
        " LEFT JOIN forum_votes v ON v.kind = 'submission' AND v.target = s.id AND v.user = ?"
        " WHERE s.id = ? AND s.forum = ? COLLATE NOCASE",
        (request.user or "", whole_number(request.params["id"]), request.params["forum"]),
    ).fetchone()
    return found


def comment_tree(rows: Sequence[sqlite3.Row], top: int | None) -> Iterator[CommentNode]:
    """Comments in the order in which a page shows them.

    Args:
        rows: of one submission, in the order of equals.
        top: the comment below which to begin, itself included; None: all.
    """
    below: dict[int | None, list[sqlite3.Row]] = {}
    for row in rows:
        below.setdefault(row["parent"], []).append(row)
    stack = [
        CommentNode(row, 0)
        for row in reversed([row for row in rows if row["id"] == top] if top else below.get(None, []))
    ]
    while stack:
        node = stack.pop()
        yield node
        depth = min(node.depth + 1, _DEEPEST)
        stack += [CommentNode(row, depth) for row in reversed(below.get(node.row["id"], []))]


def _comments(request: SiteRequest, submission: int, order: str) -> Sequence[sqlite3.Row]:
    return request.db.execute(
        "SELECT c.*, coalesce(v.value, 0) AS vote FROM forum_comments c"
        " LEFT JOIN forum_votes v ON v.kind = 'comment' AND v.target = c.id AND v.user = ?"
        f" WHERE c.submission = ? ORDER BY {_COMMENT_ORDERS.get(order, _COMMENT_ORDERS['best'])}",
        (request.user or "", submission),
    ).fetchall()


def _show(request: SiteRequest) -> SiteResponse:
    row = the_submission(request)
    if row is None:
        return request.not_found()
    order = request.query.get("sort", "best")
    only = request.params.get("comment")
    top = whole_number(only or "")
    nodes = list(comment_tree(_comments(request, row["id"], order), top))
    if only and (top is None or not nodes):
        return request.not_found()
    forum = the_forum(request, row["forum"])
    return request.page("submission.html", row=row, nodes=nodes, order=order, only=top, forum=forum)


def _vote(request: SiteRequest) -> SiteResponse:
    kind, number = request.params["kind"], request.number("id")
    row = (
        request.db.execute(f"SELECT * FROM {_TABLES[kind]} WHERE id = ?", (number,)).fetchone()
        if kind in _TABLES
        else None
    )
    if row is None:
        return request.not_found()
    target = (
        row
        if kind == "submission"
        else request.db.execute("SELECT * FROM forum_submissions WHERE id = ?", (row["submission"],)).fetchone()
    )
    wanted = {"1": 1, "-1": -1, "0": 0}.get(request.text("choice"))
    if wanted is None:
        return request.back(submission_path(target), error="A vote is up, down or none.")
    key = (request.user, kind, number)
    old = request.db.execute("SELECT value FROM forum_votes WHERE user = ? AND kind = ? AND target = ?", key).fetchone()
    before = old["value"] if old else 0
    request.db.execute("DELETE FROM forum_votes WHERE user = ? AND kind = ? AND target = ?", key)
    if wanted:
        request.db.execute("INSERT INTO forum_votes VALUES (?, ?, ?, ?)", (*key, wanted))
    request.db.execute(f"UPDATE {_TABLES[kind]} SET points = points + ? WHERE id = ?", (wanted - before, number))
    return request.back(submission_path(target))


SUBMISSION_ROUTES: Final = (
    SiteRoute("POST", "/vote/{kind}", _vote, login=True),
    SiteRoute("GET", "/f/{forum}/{id}", _show),
    SiteRoute("GET", "/f/{forum}/{id}/{slug}", _show),
    SiteRoute("GET", "/f/{forum}/{id}/{slug}/comment/{comment}", _show),
)
