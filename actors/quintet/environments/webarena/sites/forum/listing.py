"""Lists of submissions, of a forum, of a user or of a search, in an order and cut into pages."""

import sqlite3
from typing import Final, Literal, get_args

from quintet.environments.webarena.sites.paging import Paging, paged
from quintet.environments.webarena.sites.request import SiteRequest

SubmissionOrder = Literal["hot", "new", "top", "most_commented"]
"""Hot: new and liked; a point is worth twenty minutes."""
SUBMISSION_ORDERS: Final[tuple[SubmissionOrder, ...]] = get_args(SubmissionOrder)
_SQL: Final[dict[SubmissionOrder, str]] = {
    "hot": "strftime('%s', s.created) / 60 + 20 * s.points DESC",
    "new": "s.created DESC",
    "top": "s.points DESC",
    "most_commented": "s.comments DESC",
}
_SPANS: Final = {"day": "-1 day", "week": "-7 days", "month": "-1 month", "year": "-1 year"}
SUBMISSIONS_A_PAGE: Final = 20


def submission_list(
    request: SiteRequest,
    where: str,
    values: tuple[object, ...],
    order: SubmissionOrder,
    *,
    size: int = SUBMISSIONS_A_PAGE,
) -> Paging:
    """The page of a list that the address asks for.

    Args:
        request: `t` of its query is the span of time (day, week, month, year), `page` the page.
        where: an SQL condition on the submissions `s`.
        values: of the condition.
        order: of the list; equals stand in the order of their ids, the latest first.
        size: of a page.
    """
    span = _SPANS.get(request.query.get("t", ""))
    if span is not None:
        where, values = f"({where}) AND s.created >= datetime(?, ?)", (*values, request.now, span)
    rows = request.db.execute(
        "SELECT s.*, coalesce(v.value, 0) AS vote FROM forum_submissions s"
        " LEFT JOIN forum_votes v ON v.kind = 'submission' AND v.target = s.id AND v.user = ?"
        f" WHERE {where} ORDER BY {_SQL[order]}, s.id DESC",
        (request.user or "", *values),
    ).fetchall()
    return paged(rows, request.number("page", 1), size)


def the_forum(request: SiteRequest, name: str) -> sqlite3.Row | None:
    """A forum, with whether the visitor subscribes to it or hides it. Its name may be written in any case."""
    found: sqlite3.Row | None = request.db.execute(
        "SELECT f.*,"
        " EXISTS (SELECT 1 FROM forum_subscriptions WHERE user = ? AND forum = f.name) AS subscribed,"
        " EXISTS (SELECT 1 FROM forum_hidden WHERE user = ? AND forum = f.name) AS hidden"
        " FROM forum_forums f WHERE f.name = ? COLLATE NOCASE",
        (request.user or "", request.user or "", name),
    ).fetchone()
    return found
