"""What the forum begins with."""

from collections import Counter

from quintet.environments.webarena.sites.instance import Instance


def rows(sql: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in Instance().db.execute(sql)]


def test_there_is_enough_to_read() -> None:
    counts = {
        name: rows(f"SELECT count(*) FROM forum_{name}")[0][0]
        for name in ("users", "forums", "submissions", "comments")
    }
    assert counts == {"users": 30, "forums": 15, "submissions": 253, "comments": 1428}


def test_nothing_is_later_than_the_opening_moment_and_answers_follow_questions() -> None:
    assert rows("SELECT id FROM forum_comments WHERE created >= '2023-06-15 12:00:00'") == []
    above = "FROM forum_comments c JOIN forum_submissions s ON s.id = c.submission"
    assert rows(f"SELECT c.id {above} WHERE c.created <= s.created") == []
    below = "FROM forum_comments c JOIN forum_comments p ON p.id = c.parent"
    assert rows(f"SELECT c.id {below} WHERE c.submission != p.submission") == []


def test_no_slot_is_left_open_and_no_title_stands_twice_in_a_forum() -> None:
    assert rows("SELECT id FROM forum_submissions WHERE title || body LIKE '%{%'") == []
    assert rows("SELECT id FROM forum_comments WHERE body LIKE '%{%'") == []
    titles = Counter(rows("SELECT forum, title FROM forum_submissions"))
    assert [title for title, count in titles.items() if count > 1] == []
