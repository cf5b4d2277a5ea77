"""What issues and merge requests share: lists with filters, one item with all that belongs to it, and notes."""

import sqlite3
from collections.abc import Mapping
from typing import Final, Literal

from quintet.environments.webarena.sites.paging import Paging, paged
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.tracker.access import VISIBLE, VisitedProject
from quintet.environments.webarena.sites.visitor_input import all_words, whole_number

ItemKind = Literal["issue", "merge_request"]
ITEM_ORDERS: Final = {
    "created_date": ("Created date", "i.created DESC, i.id DESC"),
    "created_asc": ("Oldest first", "i.created, i.id"),
    "updated_desc": ("Updated date", "i.updated DESC, i.id DESC"),
    "title_asc": ("Title", "i.title COLLATE NOCASE, i.id"),
    "due_date": ("Due date", "i.due = '', i.due, i.id"),
}
ITEM_PLURALS: Final[Mapping[str, str]] = {"issue": "issues", "merge_request": "merge_requests"}
_STATES: Final = {"issue": ("opened", "closed", "all"), "merge_request": ("opened", "merged", "closed", "all")}
_NOTE_AT_MOST: Final = 10_000
_SELECT: Final = (
    "SELECT i.*, p.namespace, p.path, m.title AS milestone_title, m.number AS milestone_number,"
    " a.name AS author_name, s.name AS assignee_name, r.name AS reviewer_name,"
    " (SELECT count(*) FROM tracker_notes WHERE item = i.id AND NOT system) AS notes"
    " FROM tracker_items i JOIN tracker_projects p ON p.id = i.project"
    " JOIN tracker_users a ON a.username = i.author LEFT JOIN tracker_users s ON s.username = i.assignee"
    " LEFT JOIN tracker_users r ON r.username = i.reviewer LEFT JOIN tracker_milestones m ON m.id = i.milestone"
)


def item_states(kind: ItemKind) -> tuple[str, ...]:
    """By which states a list can be filtered."""
    return _STATES[kind]


def item_list(request: SiteRequest, kind: ItemKind, project: VisitedProject | None) -> Paging:
    """The page of a list that the address asks for.

    Args:
        request: its query filters: `state`, `label_name[]`, `author_username`, `assignee_username`,
            `reviewer_username`, `milestone_title`, `search`, `sort`, `page`.
        kind: of items.
        project: whose; None: of all that the visitor may see.
    """
    query = request.query
    conditions, values = [VISIBLE, "i.kind = ?"], [request.user or "", kind]
    if project:
        conditions, values = [*conditions, "i.project = ?"], [*values, str(project.id)]
    state = query.get("state", "opened")
    if state != "all":
        conditions, values = [*conditions, "i.state = ?"], [*values, state]
    for column in ("author", "assignee", "reviewer"):
        if name := query.get(f"{column}_username", ""):
            conditions, values = [*conditions, f"i.{column} = ?"], [*values, name]
    if milestone := query.get("milestone_title", ""):
        conditions, values = [*conditions, "m.title = ?"], [*values, milestone]
    labelled = (
        "EXISTS (SELECT 1 FROM tracker_item_labels x JOIN tracker_labels l ON l.id = x.label"
        " WHERE x.item = i.id AND l.title = ?)"
    )
    for label in filter(None, request.values("label_name[]")):
        conditions, values = [*conditions, labelled], [*values, label]
    if search := query.get("search", "").strip():
        condition, words = all_words(("i.title", "i.body"), search)
        conditions, values = [*conditions, condition], [*values, *words]
    order = ITEM_ORDERS.get(query.get("sort", ""), ITEM_ORDERS["created_date"])[1]
    rows = request.db.execute(f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY {order}", values).fetchall()
    return paged(rows, request.number("page", 1), 15)


def labels_of(request: SiteRequest, rows: list[sqlite3.Row]) -> dict[int, list[sqlite3.Row]]:
    """The labels of some items, by the items' ids."""
    found: dict[int, list[sqlite3.Row]] = {row["id"]: [] for row in rows}
    marks = ", ".join("?" for _ in rows)
    for row in request.db.execute(
        "SELECT x.item, l.title, l.color FROM tracker_item_labels x JOIN tracker_labels l ON l.id = x.label"
        f" WHERE x.item IN ({marks}) ORDER BY l.title",
        [row["id"] for row in rows],
    ):
        found[row["item"]].append(row)
    return found


def item_counts(request: SiteRequest, kind: ItemKind, project: VisitedProject) -> dict[str, int]:
    """How many items of each state a project has."""
    counts = dict.fromkeys(_STATES[kind], 0)
    for row in request.db.execute(
        "SELECT state, count(*) AS items FROM tracker_items WHERE project = ? AND kind = ? GROUP BY state",
        (project.id, kind),
    ):
        counts[row["state"]] = row["items"]
        counts["all"] += row["items"]
    return counts


def the_item(request: SiteRequest, kind: ItemKind, project: VisitedProject | None) -> sqlite3.Row | None:
    """The item that the path names by its number."""
    if project is None:
        return None
    found: sqlite3.Row | None = request.db.execute(
        f"{_SELECT} WHERE i.project = ? AND i.kind = ? AND i.number = ?",
        (project.id, kind, whole_number(request.params["number"])),
    ).fetchone()
    return found


def item_path(row: sqlite3.Row) -> str:
    """An item's page."""
    return f"/{row['namespace']}/{row['path']}/-/{ITEM_PLURALS[row['kind']]}/{row['number']}"


def item_values(request: SiteRequest, project: VisitedProject, item: sqlite3.Row) -> dict[str, object]:
    """What an item's page and its form show beside the item itself."""
    db = request.db
    notes = (
        "SELECT n.*, u.name FROM tracker_notes n JOIN tracker_users u ON u.username = n.author"
        " WHERE item = ? ORDER BY n.created, n.id"
    )
    people = (
        "SELECT username, name FROM tracker_users WHERE username IN"
        " (SELECT username FROM tracker_members WHERE project = ?1 UNION"
        " SELECT username FROM tracker_group_members WHERE path = ?2) ORDER BY username"
    )
    return {
        "project": project,
        "item": item,
        "labels": labels_of(request, [item])[item["id"]],
        "notes": db.execute(notes, (item["id"],)).fetchall(),
        "people": db.execute(people, (project.id, project.row["namespace"])).fetchall(),
        "all_labels": db.execute(
            "SELECT * FROM tracker_labels WHERE project = ? ORDER BY title", (project.id,)
        ).fetchall(),
        "milestones": db.execute(
            "SELECT * FROM tracker_milestones WHERE project = ? AND (state = 'active' OR id = ?) ORDER BY due, id",
            (project.id, item["milestone"]),
        ).fetchall(),
    }


def add_note(request: SiteRequest, item: sqlite3.Row, text: str, *, system: bool = False) -> str:
    """Put a note below an item. Returns why it is refused; empty if it is not."""
    if not text or len(text) > _NOTE_AT_MOST:
        return f"A comment has a text of at most {_NOTE_AT_MOST:,} characters."
    request.db.execute(
        "INSERT INTO tracker_notes (item, author, body, system, created) VALUES (?, ?, ?, ?, ?)",
        (item["id"], request.user, text, system, request.now),
    )
    request.db.execute("UPDATE tracker_items SET updated = ? WHERE id = ?", (request.now, item["id"]))
    return ""


def set_state(request: SiteRequest, item: sqlite3.Row, state: str, said: str) -> None:
    """Open, close or merge an item, and say so below it."""
    closed = None if state == "opened" else request.now
    by = request.user if state == "merged" else None
    request.db.execute(
        "UPDATE tracker_items SET state = ?, closed = ?, merged_by = ? WHERE id = ?", (state, closed, by, item["id"])
    )
    add_note(request, item, said, system=True)


def add_todo(request: SiteRequest, item: int, username: str | None, action: str) -> None:
    """Put an item on somebody's list, if it is another than the visitor."""
    if username and username != request.user:
        request.db.execute(
            "INSERT INTO tracker_todos (username, item, action, author, created, done) VALUES (?, ?, ?, ?, ?, 0)",
            (username, item, action, request.user, request.now),
        )
