"""What the tracker begins with."""

from quintet.environments.webarena.sites.instance import Instance


def rows(sql: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in Instance().db.execute(sql)]


def test_there_is_enough_to_do() -> None:
    tables = ("users", "projects", "commits", "items", "notes", "milestones", "groups")
    counts = {name: rows(f"SELECT count(*) FROM tracker_{name}")[0][0] for name in tables}
    assert counts == {
        "users": 25,
        "projects": 15,
        "commits": 409,
        "items": 263,
        "notes": 492,
        "milestones": 20,
        "groups": 4,
    }


def test_nothing_is_later_than_the_opening_moment() -> None:
    for table in ("commits", "items", "notes", "todos"):
        assert rows(f"SELECT id FROM tracker_{table} WHERE created >= '2023-06-15 12:00:00'") == []
    assert rows("SELECT id FROM tracker_items WHERE closed < created OR updated < created") == []


def test_items_are_numbered_in_the_order_of_time() -> None:
    earlier = "a.project = b.project AND a.kind = b.kind AND a.number < b.number AND a.created > b.created"
    assert rows(f"SELECT a.id FROM tracker_items a JOIN tracker_items b ON {earlier}") == []


def test_no_slot_is_left_open() -> None:
    assert (
        rows("SELECT id FROM tracker_items WHERE title || body LIKE '%{part}%' OR title || body LIKE '%{number}%'")
        == []
    )
    assert rows("SELECT id FROM tracker_notes WHERE body LIKE '%{part}%'") == []


def test_every_commit_touches_a_file_that_is_there() -> None:
    there = "SELECT 1 FROM tracker_files f WHERE f.project = c.project AND f.path = c.path"
    assert rows(f"SELECT id FROM tracker_commits c WHERE NOT EXISTS ({there})") == []
