"""Submitting, commenting, and changing or deleting what one wrote."""

import sqlite3
from typing import Final
from urllib.parse import urlsplit

from quintet.environments.webarena.sites.forum.listing import the_forum
from quintet.environments.webarena.sites.forum.slugs import submission_path
from quintet.environments.webarena.sites.forum.submissions import the_submission
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import whole_number

_TITLE_AT_MOST: Final = 300
_TEXT_AT_MOST: Final = 10_000


def _submit_page(request: SiteRequest) -> SiteResponse:
    forums = request.db.execute("SELECT name, title FROM forum_forums ORDER BY name COLLATE NOCASE").fetchall()
    named = the_forum(request, request.params.get("forum", ""))
    if "forum" in request.params and named is None:
        return request.not_found()
    return request.page("submit.html", forums=forums, forum=named)


def _wrong(title: str, url: str, body: str) -> str:
    """Why a submission is refused; empty if it is not."""
    if not title:
        return "A submission needs a title."
    if len(title) > _TITLE_AT_MOST or len(body) > _TEXT_AT_MOST or len(url) > _TITLE_AT_MOST:
        return f"A title and a URL have at most {_TITLE_AT_MOST} characters, a text at most {_TEXT_AT_MOST:,}."
    if url and not (url.startswith(("http://", "https://")) and _has_host(url)):
        return "A URL starts with http:// or https:// and names a host."
    return ""


def _has_host(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False


def _submit(request: SiteRequest) -> SiteResponse:
    forum = the_forum(request, request.text("forum"))
    title, url, body = request.text("title"), request.text("url"), request.text("body")
    wrong = _wrong(title, url, body) if forum else "Choose a forum."
    if wrong or forum is None:
        return request.redirect(f"/submit/{forum['name']}" if forum else "/submit", error=wrong)
    added = request.db.execute(
        "INSERT INTO forum_submissions (forum, author, title, url, body, points, comments, created)"
        " VALUES (?, ?, ?, ?, ?, 1, 0, ?) RETURNING *",
        (forum["name"], request.user, title, url, body, request.now),
    ).fetchone()
    request.db.execute("INSERT INTO forum_votes VALUES (?, 'submission', ?, 1)", (request.user, added["id"]))
    return request.redirect(submission_path(added))


def _edit_page(request: SiteRequest) -> SiteResponse:
    row = the_submission(request)
    return (
        request.page("edit_submission.html", row=row) if row and row["author"] == request.user else request.not_found()
    )


def _edit(request: SiteRequest) -> SiteResponse:
    row = the_submission(request)
    if row is None or row["author"] != request.user:
        return request.not_found()
    title, url, body = request.text("title"), request.text("url"), request.text("body")
    if wrong := _wrong(title, url, body):
        return request.redirect(f"{submission_path(row)}/edit", error=wrong)
    changed = request.db.execute(
        "UPDATE forum_submissions SET title = ?, url = ?, body = ?, edited = ? WHERE id = ? RETURNING *",
        (title, url, body, request.now, row["id"]),
    ).fetchone()
    return request.redirect(submission_path(changed), success="The submission was changed.")


def _delete(request: SiteRequest) -> SiteResponse:
    row = the_submission(request)
    if row is None or row["author"] != request.user:
        return request.not_found()
    request.db.execute("DELETE FROM forum_submissions WHERE id = ?", (row["id"],))
    request.db.execute("DELETE FROM forum_comments WHERE submission = ?", (row["id"],))
    return request.redirect(f"/f/{row['forum']}", success="The submission was deleted.")


def _comment(request: SiteRequest) -> SiteResponse:
    row = the_submission(request)
    if row is None:
        return request.not_found()
    body, parent = request.text("comment"), request.number("parent")
    page = submission_path(row)
    if parent and _comment_of(request, row, parent) is None:
        return request.redirect(page, error="The comment that you answer is gone.")
    if not body or len(body) > _TEXT_AT_MOST:
        back = f"{page}/comment/{parent}" if parent else page
        return request.redirect(back, error=f"A comment has a text of at most {_TEXT_AT_MOST:,} characters.")
    added = request.db.execute(
        "INSERT INTO forum_comments (submission, parent, author, body, points, created) VALUES (?, ?, ?, ?, 1, ?)",
        (row["id"], parent or None, request.user, body, request.now),
    ).lastrowid
    request.db.execute("INSERT INTO forum_votes VALUES (?, 'comment', ?, 1)", (request.user, added))
    request.db.execute("UPDATE forum_submissions SET comments = comments + 1 WHERE id = ?", (row["id"],))
    return request.redirect(f"{page}/comment/{added}", success="Your comment was added.")


def _comment_of(request: SiteRequest, submission: sqlite3.Row, number: int) -> sqlite3.Row | None:
    found: sqlite3.Row | None = request.db.execute(
        "SELECT * FROM forum_comments WHERE id = ? AND submission = ? AND NOT deleted", (number, submission["id"])
    ).fetchone()
    return found


def _own_comment(request: SiteRequest) -> tuple[sqlite3.Row, sqlite3.Row] | None:
    """The submission and the visitor's comment that the path names."""
    row = the_submission(request)
    number = whole_number(request.params["comment"])
    comment = _comment_of(request, row, number) if row and number is not None else None
    return (row, comment) if row and comment and comment["author"] == request.user else None


def _edit_comment_page(request: SiteRequest) -> SiteResponse:
    own = _own_comment(request)
    return request.page("edit_comment.html", row=own[0], comment=own[1]) if own else request.not_found()


def _edit_comment(request: SiteRequest) -> SiteResponse:
    own = _own_comment(request)
    if own is None:
        return request.not_found()
    row, comment = own
    page = f"{submission_path(row)}/comment/{comment['id']}"
    body = request.text("comment")
    if not body or len(body) > _TEXT_AT_MOST:
        return request.redirect(f"{page}/edit", error=f"A comment has a text of at most {_TEXT_AT_MOST:,} characters.")
    request.db.execute(
        "UPDATE forum_comments SET body = ?, edited = ? WHERE id = ?", (body, request.now, comment["id"])
    )
    return request.redirect(page, success="Your comment was changed.")


def _delete_comment(request: SiteRequest) -> SiteResponse:
    own = _own_comment(request)
    if own is None:
        return request.not_found()
    row, comment = own
    answered = request.db.execute("SELECT 1 FROM forum_comments WHERE parent = ?", (comment["id"],)).fetchone()
    if answered:
        request.db.execute("UPDATE forum_comments SET deleted = 1, body = '' WHERE id = ?", (comment["id"],))
    else:
        request.db.execute("DELETE FROM forum_comments WHERE id = ?", (comment["id"],))
        request.db.execute("UPDATE forum_submissions SET comments = comments - 1 WHERE id = ?", (row["id"],))
    return request.redirect(submission_path(row), success="Your comment was deleted.")


_COMMENT_PATH: Final = "/f/{forum}/{id}/{slug}/comment/{comment}"
POSTING_ROUTES: Final = (
    SiteRoute("GET", "/submit", _submit_page, login=True),
    SiteRoute("GET", "/submit/{forum}", _submit_page, login=True),
    SiteRoute("POST", "/submit", _submit, login=True),
    SiteRoute("GET", "/f/{forum}/{id}/{slug}/edit", _edit_page, login=True),
    SiteRoute("POST", "/f/{forum}/{id}/{slug}/edit", _edit, login=True),
    SiteRoute("POST", "/f/{forum}/{id}/{slug}/delete", _delete, login=True),
    SiteRoute("POST", "/f/{forum}/{id}/{slug}/comment", _comment, login=True),
    SiteRoute("GET", f"{_COMMENT_PATH}/edit", _edit_comment_page, login=True),
    SiteRoute("POST", f"{_COMMENT_PATH}/edit", _edit_comment, login=True),
    SiteRoute("POST", f"{_COMMENT_PATH}/delete", _delete_comment, login=True),
)
