"""The forum: submissions with comments in forums, votes and subscriptions."""

import re
import sqlite3
from typing import Final

from aiohttp import web

from quintet.environments.webarena.sites.visit import SiteRoutes, SiteVisit

FORUM: Final = SiteRoutes("reddit")
_LISTED: Final = """
    SELECT s.*, s.score + (SELECT count(*) FROM votes WHERE submission = s.id) AS points,
        (SELECT count(*) FROM comments WHERE submission = s.id) AS comments,
        EXISTS (SELECT 1 FROM votes WHERE submission = s.id AND user = ?) AS voted
    FROM submissions s
"""


@FORUM.get("/")
def _front(visit: SiteVisit) -> web.Response:
    return visit.page("forum_list", title="Everything", forum=None, submissions=_listed(visit, "ORDER BY id DESC"))


@FORUM.get("/search")
def _search(visit: SiteVisit) -> web.Response:
    words = visit.query.get("q", "").split()
    where = " AND ".join("instr(lower(title || ' ' || body), lower(?)) > 0" for _ in words) or "0"
    found = _listed(visit, f"WHERE {where} ORDER BY id DESC", *words)
    return visit.page("forum_list", title=f"{len(found)} found for '{' '.join(words)}'", forum=None, submissions=found)


@FORUM.get("/forums")
def _forums(visit: SiteVisit) -> web.Response:
    return visit.page("forum_forums", title="Forums", forums=visit.all("SELECT * FROM forums ORDER BY name"))


@FORUM.get("/f/{forum}")
def _forum(visit: SiteVisit) -> web.Response:
    return _sorted(visit, "id")


@FORUM.get("/f/{forum}/top")
def _top(visit: SiteVisit) -> web.Response:
    return _sorted(visit, "points")


def _sorted(visit: SiteVisit, by: str) -> web.Response:
    forum = visit.need(
        "SELECT *, EXISTS (SELECT 1 FROM subscriptions WHERE forum = name AND user = ?) AS mine FROM forums "
        "WHERE name = ?",
        visit.user,
        visit.part["forum"],
    )
    found = _listed(visit, f"WHERE forum = ? ORDER BY {by} DESC", forum["name"])
    return visit.page("forum_list", title=forum["name"], forum=forum, submissions=found)


@FORUM.post("/f/{forum}/subscribe")
def _subscribe(visit: SiteVisit) -> web.Response:
    pair = (visit.part["forum"], visit.user)
    if not visit.db.execute("DELETE FROM subscriptions WHERE forum = ? AND user = ?", pair).rowcount:
        visit.db.execute("INSERT INTO subscriptions VALUES (?, ?)", pair)
    return visit.redirect(f"/f/{pair[0]}")


@FORUM.get("/submit/{forum}", needs_login=True)
def _write(visit: SiteVisit) -> web.Response:
    forum = visit.need("SELECT * FROM forums WHERE name = ?", visit.part["forum"])
    return visit.page("forum_submit", title=f"Submit to {forum['name']}", forum=forum)


@FORUM.post("/submit/{forum}")
def _submit(visit: SiteVisit) -> web.Response:
    forum = visit.need("SELECT * FROM forums WHERE name = ?", visit.part["forum"])["name"]
    title, body = visit.form.get("title", "").strip(), visit.form.get("body", "").strip()
    if not title:
        return visit.redirect(f"/submit/{forum}")
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "-"
    put = "INSERT INTO submissions (forum, slug, title, author, body, score) VALUES (?, ?, ?, ?, ?, 1)"
    number = visit.db.execute(put, (forum, slug, title, visit.user, body)).lastrowid
    return visit.redirect(f"/f/{forum}/{number}/{slug}")


@FORUM.get("/f/{forum}/{id:[0-9]+}")
@FORUM.get("/f/{forum}/{id:[0-9]+}/{slug}")
def _submission(visit: SiteVisit) -> web.Response:
    found = _listed(visit, "WHERE id = ? AND forum = ?", visit.part["id"], visit.part["forum"])
    if not found:
        raise web.HTTPNotFound(text="There is no such submission.")
    comments = visit.all("SELECT * FROM comments WHERE submission = ? ORDER BY id", visit.part["id"])
    return visit.page("forum_submission", title=found[0]["title"], submission=found[0], comments=comments)


@FORUM.post("/f/{forum}/{id:[0-9]+}/{slug}/comment")
def _comment(visit: SiteVisit) -> web.Response:
    if text := visit.form.get("comment", "").strip():
        put = "INSERT INTO comments (submission, author, body, score) VALUES (?, ?, ?, 1)"
        visit.db.execute(put, (visit.part["id"], visit.user, text))
    return _back(visit)


@FORUM.post("/f/{forum}/{id:[0-9]+}/{slug}/vote")
def _vote(visit: SiteVisit) -> web.Response:
    pair = (visit.part["id"], visit.user)
    if not visit.db.execute("DELETE FROM votes WHERE submission = ? AND user = ?", pair).rowcount:
        visit.db.execute("INSERT INTO votes VALUES (?, ?)", pair)
    return _back(visit)


def _back(visit: SiteVisit) -> web.Response:
    part = visit.part
    return visit.redirect(f"/f/{part['forum']}/{part['id']}/{part['slug']}")


def _listed(visit: SiteVisit, rest: str, *values: object) -> list[sqlite3.Row]:
    return visit.all(f"{_LISTED} {rest}", visit.user, *values)
