"""What the tracker's seed is made of: the tables in projects.toml, and what stands in told.toml word by word."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

_FOLDER = Path(__file__).parent


class GroupWords(Struct, frozen=True):
    """A group and who is in it: roles by usernames."""

    path: str
    name: str
    description: str
    members: Mapping[str, str]


class ProjectWords(Struct, frozen=True):
    """A project, and the sentences from which its issues are put together."""

    namespace: str
    path: str
    name: str
    description: str
    language: str
    """The ending of its source files."""
    stars: int
    license: str
    parts: tuple[str, ...]
    features: tuple[str, ...]
    bugs: tuple[str, ...]
    wishes: tuple[str, ...]
    team: tuple[str, ...]
    """Usernames; the first one owns it."""
    visibility: str = "public"

    @property
    def full_path(self) -> str:
        return f"{self.namespace}/{self.path}"


class TrackerPhrases(Struct, frozen=True):
    """Sentences that fit any project."""

    bug_bodies: tuple[str, ...]
    wish_bodies: tuple[str, ...]
    doc_titles: tuple[str, ...]
    task_titles: tuple[str, ...]
    notes: tuple[str, ...]
    change_titles: tuple[str, ...]
    commit_titles: tuple[str, ...]
    change_bodies: tuple[str, ...]


class TrackerWords(Struct, frozen=True):
    """All of projects.toml."""

    users: tuple[tuple[str, str, str, str], ...]
    """Username, name, address of mail, what they say of themselves. The first one is signed in when a session opens."""
    groups: tuple[GroupWords, ...]
    projects: tuple[ProjectWords, ...]
    generic: TrackerPhrases


class ToldIssue(Struct, frozen=True):
    """An issue as it stands; `notes` are pairs of author and text."""

    project: str
    title: str
    body: str
    author: str
    labels: tuple[str, ...]
    at: str
    notes: tuple[tuple[str, str], ...]
    assignee: str | None = None
    milestone: str | None = None


class ToldChange(Struct, frozen=True):
    """A merge request as it stands, about a part of the project."""

    project: str
    title: str
    body: str
    author: str
    source: str
    reviewer: str
    at: str
    part: str
    notes: tuple[tuple[str, str], ...]


class ToldMilestone(Struct, frozen=True):
    """A milestone as it stands."""

    project: str
    title: str
    description: str
    due: str


class ToldTodo(Struct, frozen=True):
    """Something for the signed-in user to do, about the issue or merge request of a title."""

    project: str
    title: str
    action: str
    by: str
    at: str


class TrackerStory(Struct, frozen=True):
    """All of told.toml."""

    issues: tuple[ToldIssue, ...]
    merge_requests: tuple[ToldChange, ...]
    milestones: tuple[ToldMilestone, ...]
    todos: tuple[ToldTodo, ...]


def tracker_words() -> TrackerWords:
    """Read projects.toml."""
    return msgspec.convert(tomllib.loads((_FOLDER / "projects.toml").read_text()), TrackerWords)


def tracker_story() -> TrackerStory:
    """Read told.toml."""
    return msgspec.convert(tomllib.loads((_FOLDER / "told.toml").read_text()), TrackerStory)
