"""Fills the forum: submissions, comments, votes and messages, always the same ones."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from quintet.environments.webarena.sites.clock import moment_after
from quintet.environments.webarena.sites.forum.tables import (
    ForumTopic,
    ForumWords,
    GenericWords,
    ToldComment,
    ToldPost,
    forum_story,
    forum_words,
)

FORUM_USER = "OliveAndOar"
"""Who is signed in when a session opens."""
FORUM_PASSWORD = "salt-and-thyme"
"""Of every made-up user."""
_A_FORUM = 16
"""Submissions put together for each forum, beside the told ones."""
_FIRST, _LAST = "2022-07-01 06:00:00", 349 * 24 * 60
"""Submissions begin at the one, and the latest is at most that many minutes later: 2023-06-15 06:00."""
_FIRST_ID = 1001


class _Post:
    """A submission before it has a number: told and made ones are put in one order of time."""

    def __init__(self, row: ToldPost, url: str, comments: Sequence[tuple[int | None, str, str, int, str]]) -> None:
        self.row = row
        self.url = url
        self.comments = comments
        """Each: the parent's place in this list, author, text, points, time."""


def seed_forum(db: sqlite3.Connection) -> None:
    """Fill the forum's tables."""
    rng = Random("forum")
    words = forum_words()
    story = forum_story()
    _users(db, rng, words)
    _forums(db, rng, words)
    posts = [_told(post) for post in story.posts]
    posts += [post for topic in words.forums for post in _made(rng, topic, words)]
    posts.sort(key=lambda post: (post.row.at, post.row.title))
    titles = _submissions(db, posts)
    for late in story.comments:
        _add_comment(db, titles[late.post], None, (late.author, late.body, late.points, late.at))
    db.execute(
        "UPDATE forum_submissions SET comments ="
        " (SELECT count(*) FROM forum_comments WHERE submission = forum_submissions.id)"
    )
    for thread in story.threads:
        first: int | None = None
        for message in thread.messages:
            mine = message.author == FORUM_USER
            other = thread.other if mine else FORUM_USER
            unread = not mine and message is thread.messages[-1]
            row = (first or 0, message.author, other, message.body, message.at, unread)
            added = db.execute(
                "INSERT INTO forum_messages (thread, sender, recipient, body, created, unread)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            ).lastrowid
            first = first or added
        db.execute("UPDATE forum_messages SET thread = ? WHERE thread = 0", (first,))


def _users(db: sqlite3.Connection, rng: Random, words: ForumWords) -> None:
    for place, name in enumerate(words.users):
        told = place % 3 != 2
        biography = words.generic.biographies[place % len(words.generic.biographies)] if told else ""
        joined = moment_after("2021-01-04 08:00:00", rng.randrange(500 * 24 * 60))
        db.execute("INSERT INTO forum_users VALUES (?, ?, ?, ?)", (name, FORUM_PASSWORD, biography, joined))


def _forums(db: sqlite3.Connection, rng: Random, words: ForumWords) -> None:
    for topic in words.forums:
        row = (topic.name, topic.title, topic.description, topic.sidebar, rng.choice(words.users[1:]))
        created = moment_after("2021-01-04 08:00:00", rng.randrange(400 * 24 * 60))
        db.execute("INSERT INTO forum_forums VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, rng.randrange(180, 9400), created))
    db.execute("UPDATE forum_forums SET moderator = ? WHERE name = 'gardening'", (FORUM_USER,))
    for name in ("baking", "gardening", "Harborview", "stargazing"):
        db.execute("INSERT INTO forum_subscriptions VALUES (?, ?)", (FORUM_USER, name))
    db.execute("INSERT INTO forum_hidden VALUES (?, 'films')", (FORUM_USER,))


def _told(post: ToldPost) -> _Post:
    comments: list[tuple[int | None, str, str, int, str]] = []

    def add(told: Iterable[ToldComment], parent: int | None) -> None:
        for comment in told:
            at = moment_after(post.at, 9 + 23 * len(comments))
            comments.append((parent, comment.author, comment.body, comment.points, at))
            add(comment.replies, len(comments) - 1)

    add(post.comments, None)
    return _Post(post, "", comments)


def _made(rng: Random, topic: ForumTopic, words: ForumWords) -> Iterator[_Post]:
    titles: set[str] = set()
    while len(titles) < _A_FORUM:
        pattern = topic.titles[len(titles) % len(topic.titles)]
        title = _capital(_filled(rng, topic, pattern))
        if title in titles:
            continue
        titles.add(title)
        linked = rng.random() < 0.2
        url = f"https://{rng.choice(words.generic.link_hosts)}/{topic.name.lower()}/{rng.randrange(100, 999)}"
        body = (
            ""
            if linked
            else " ".join(_filled(rng, topic, each) for each in rng.sample(topic.bodies, rng.choice((1, 1, 2))))
        )
        at = moment_after(_FIRST, rng.randrange(_LAST))
        points = int(4 + 1.6 * 2 ** (rng.random() * 8.4))
        row = ToldPost(topic.name, rng.choice(words.users), title, _capital(body), at, points, ())
        yield _Post(row, url if linked else "", _comments(rng, topic, words.generic, words.users, at))


def _comments(
    rng: Random, topic: ForumTopic, generic: GenericWords, users: Sequence[str], at: str
) -> list[tuple[int | None, str, str, int, str]]:
    firsts = rng.sample(topic.comments, rng.randrange(1, len(topic.comments)))
    replies = rng.sample(generic.replies, rng.choice((0, 0, 1, 2, 2, 3, 4)))
    made: list[tuple[int | None, str, str, int, str]] = []
    for pattern in firsts[:6]:
        at = moment_after(at, rng.randrange(4, 420))
        made.append((None, rng.choice(users), _capital(_filled(rng, topic, pattern)), _liking(rng), at))
    for reply in replies:
        at = moment_after(at, rng.randrange(4, 420))
        made.append((rng.randrange(len(made)), rng.choice(users), reply, _liking(rng), at))
    return [comment for comment in made if comment[4] < "2023-06-15 11:00:00"] if at >= "2023-06-15 11:00:00" else made


def _liking(rng: Random) -> int:
    return -rng.randrange(1, 24) if rng.random() < 0.12 else int(1 + 2 ** (rng.random() * 6.5))


def _filled(rng: Random, topic: ForumTopic, pattern: str) -> str:
    chosen = {
        "{thing}": rng.choice(topic.things),
        "{kit}": rng.choice(topic.kit),
        "{number}": str(rng.randrange(2, 10)),
    }
    for slot, word in chosen.items():
        pattern = pattern.replace(slot, word)
    return pattern


def _capital(text: str) -> str:
    """Capitals where a sentence begins: a slot may stand there."""
    parts = text.split(". ")
    return ". ".join(part[:1].upper() + part[1:] for part in parts)


def _submissions(db: sqlite3.Connection, posts: Sequence[_Post]) -> dict[str, int]:
    titles: dict[str, int] = {}
    for number, post in enumerate(posts, _FIRST_ID):
        row = post.row
        titles[row.title] = number
        db.execute(
            "INSERT INTO forum_submissions VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, NULL)",
            (number, row.forum, row.author, row.title, post.url, row.body, row.points, row.at),
        )
    for number, post in enumerate(posts, _FIRST_ID):
        ids: list[int] = []
        for parent, *comment in post.comments:
            ids.append(_add_comment(db, number, None if parent is None else ids[parent], comment))
    return titles


def _add_comment(db: sqlite3.Connection, submission: int, parent: int | None, comment: Sequence[object]) -> int:
    added = db.execute(
        "INSERT INTO forum_comments (submission, parent, author, body, points, created) VALUES (?, ?, ?, ?, ?, ?)",
        (submission, parent, *comment),
    )
    return added.lastrowid or 0
