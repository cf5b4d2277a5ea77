"""What the forum's seed is made of: the tables in forums.toml, and the posts that stand in told.toml word by word."""

import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

_FOLDER = Path(__file__).parent


class ForumTopic(Struct, frozen=True):
    """A forum, and the sentences from which its submissions and comments are put together."""

    name: str
    title: str
    description: str
    sidebar: str
    things: tuple[str, ...]
    kit: tuple[str, ...]
    titles: tuple[str, ...]
    bodies: tuple[str, ...]
    comments: tuple[str, ...]


class GenericWords(Struct, frozen=True):
    """Sentences that fit anywhere."""

    replies: tuple[str, ...]
    link_hosts: tuple[str, ...]
    biographies: tuple[str, ...]


class ForumWords(Struct, frozen=True):
    """All of forums.toml."""

    users: tuple[str, ...]
    """The first one is signed in when a session opens."""
    forums: tuple[ForumTopic, ...]
    generic: GenericWords


class ToldComment(Struct, frozen=True):
    """A comment as it stands, with those below it."""

    author: str
    points: int
    body: str
    replies: tuple["ToldComment", ...] = ()


class ToldPost(Struct, frozen=True):
    """A submission as it stands."""

    forum: str
    author: str
    title: str
    body: str
    at: str
    points: int
    comments: tuple[ToldComment, ...]


class LaterComment(Struct, frozen=True):
    """A comment of its own time below a told post."""

    post: str
    """Its title."""
    author: str
    body: str
    points: int
    at: str


class ToldMessage(Struct, frozen=True):
    """A message of a thread."""

    author: str
    at: str
    body: str


class ToldThread(Struct, frozen=True):
    """Messages between the signed-in user and another."""

    other: str
    messages: tuple[ToldMessage, ...]


class ForumStory(Struct, frozen=True):
    """All of told.toml."""

    posts: tuple[ToldPost, ...]
    comments: tuple[LaterComment, ...]
    threads: tuple[ToldThread, ...]


def forum_words() -> ForumWords:
    """Read forums.toml."""
    return msgspec.convert(tomllib.loads((_FOLDER / "forums.toml").read_text()), ForumWords)


def forum_story() -> ForumStory:
    """Read told.toml."""
    return msgspec.convert(tomllib.loads((_FOLDER / "told.toml").read_text()), ForumStory)
