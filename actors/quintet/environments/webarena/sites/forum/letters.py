"""Messages between two users, in threads."""

import sqlite3
from typing import Final

from quintet.environments.webarena.sites.forum.people import the_forum_user
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.site import SiteRoute
from quintet.environments.webarena.sites.visitor_input import whole_number

_AT_MOST: Final = 10_000


def unread_messages(request: SiteRequest) -> int:
    """How many messages the visitor has not read."""
    sql = "SELECT count(*) FROM forum_messages WHERE recipient = ? AND unread"
    return int(request.db.execute(sql, (request.user or "",)).fetchone()[0])


def _threads(request: SiteRequest) -> SiteResponse:
    rows = request.db.execute(
        "SELECT m.*, CASE WHEN m.sender = ?1 THEN m.recipient ELSE m.sender END AS other,"
        " (SELECT count(*) FROM forum_messages WHERE thread = m.thread) AS messages"
        " FROM forum_messages m WHERE (m.sender = ?1 OR m.recipient = ?1)"
        " AND m.id = (SELECT max(id) FROM forum_messages WHERE thread = m.thread) ORDER BY m.created DESC, m.id DESC",
        (request.user,),
    ).fetchall()
    return request.page("messages.html", rows=rows)


def _thread(request: SiteRequest) -> SiteResponse:
    rows = _messages(request)
    return request.page("thread.html", rows=rows, other=_other(request, rows)) if rows else request.not_found()


def _messages(request: SiteRequest) -> list[sqlite3.Row]:
    return request.db.execute(
        "SELECT * FROM forum_messages WHERE thread = ? AND (sender = ? OR recipient = ?) ORDER BY id",
        (whole_number(request.params["thread"]), request.user, request.user),
    ).fetchall()


def _other(request: SiteRequest, rows: list[sqlite3.Row]) -> str:
    return str(rows[0]["recipient"] if rows[0]["sender"] == request.user else rows[0]["sender"])


def _answer(request: SiteRequest) -> SiteResponse:
    rows = _messages(request)
    if not rows:
        return request.not_found()
    return _send(request, _other(request, rows), rows[0]["thread"], f"/messages/{rows[0]['thread']}")


def _send(request: SiteRequest, recipient: str, thread: int, page: str) -> SiteResponse:
    body = request.text("body")
    if not body or len(body) > _AT_MOST:
        return request.redirect(page, error=f"A message has a text of at most {_AT_MOST:,} characters.")
    added = request.db.execute(
        "INSERT INTO forum_messages (thread, sender, recipient, body, created, unread) VALUES (?, ?, ?, ?, ?, 1)",
        (thread, request.user, recipient, body, request.now),
    ).lastrowid
    request.db.execute("UPDATE forum_messages SET thread = id WHERE thread = 0")
    request.db.execute(
        "UPDATE forum_messages SET unread = 0 WHERE thread = ? AND recipient = ?", (thread, request.user)
    )
    return request.redirect(f"/messages/{thread or added}", success="The message was sent.")


def _read(request: SiteRequest) -> SiteResponse:
    rows = _messages(request)
    if not rows:
        return request.not_found()
    key = (rows[0]["thread"], request.user)
    request.db.execute("UPDATE forum_messages SET unread = 0 WHERE thread = ? AND recipient = ?", key)
    return request.redirect("/messages")


def _compose_page(request: SiteRequest) -> SiteResponse:
    user = the_forum_user(request, request.params["name"])
    if user is None or user["name"] == request.user:
        return request.not_found()
    return request.page("compose.html", user=user)


def _compose(request: SiteRequest) -> SiteResponse:
    user = the_forum_user(request, request.params["name"])
    if user is None or user["name"] == request.user:
        return request.not_found()
    return _send(request, user["name"], 0, f"/user/{user['name']}/compose_message")


LETTER_ROUTES: Final = (
    SiteRoute("GET", "/messages", _threads, login=True),
    SiteRoute("GET", "/messages/{thread}", _thread, login=True),
    SiteRoute("POST", "/messages/{thread}", _answer, login=True),
    SiteRoute("POST", "/messages/{thread}/read", _read, login=True),
    SiteRoute("GET", "/user/{name}/compose_message", _compose_page, login=True),
    SiteRoute("POST", "/user/{name}/compose_message", _compose, login=True),
)
