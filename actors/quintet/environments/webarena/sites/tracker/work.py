"""The seed's work: labels, milestones, issues, merge requests, notes and to-dos."""

import sqlite3
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from quintet.environments.webarena.sites.clock import OPENING_MOMENT, moment_after
from quintet.environments.webarena.sites.tracker.sources import part_diff
from quintet.environments.webarena.sites.tracker.tables import (
    ProjectWords,
    ToldChange,
    ToldIssue,
    TrackerStory,
    TrackerWords,
)

_LABELS: Final = (
    ("bug", "Something is wrong", "#b3261e"),
    ("feature", "Something is wanted", "#1e6b3a"),
    ("documentation", "Something should be written down", "#6a4fa3"),
    ("task", "Something has to be done", "#4a5560"),
    ("critical", "Before everything else", "#8c1d18"),
    ("good first issue", "For somebody who is new here", "#2f6f9f"),
    ("accessibility", "Who cannot use this now?", "#a35b00"),
)
_FIRST, _SPAN = "2022-11-01 08:00:00", 220 * 24 * 60
_BUSY: Final = 15
"""Issues put together for a public project."""


class _Seeder:
    """One project's work."""

    def __init__(
        self, db: sqlite3.Connection, rng: Random, number: int, project: ProjectWords, words: TrackerWords
    ) -> None:
        self.db = db
        self.rng = rng
        self.number = number
        self.project = project
        self.words = words
        self.labels: dict[str, int] = {}
        self.milestones: dict[str, int] = {}

    def plan(self, story: TrackerStory) -> None:
        """Labels and milestones."""
        extra = (("data", "A number or a name is wrong", "#556b2f"),) * (self.project.namespace == "civicdata")
        for title, description, color in (*_LABELS, *extra):
            added = self.db.execute(
                "INSERT INTO tracker_labels (project, title, description, color) VALUES (?, ?, ?, ?)",
                (self.number, title, description, color),
            )
            self.labels[title] = added.lastrowid or 0
        told = [
            (each.title, each.description, each.due)
            for each in story.milestones
            if each.project == self.project.full_path
        ]
        made = [("Spring clean", "Fewer open issues than in winter.", "2023-04-28")] * (
            self.project.visibility == "public"
        )
        for place, (title, description, due) in enumerate([*made, *told], 1):
            start = moment_after(f"{due} 00:00:00", -40 * 24 * 60)[:10]
            state = "closed" if due < OPENING_MOMENT and self.rng.random() < 0.6 else "active"
            added = self.db.execute(
                "INSERT INTO tracker_milestones (project, number, title, description, start, due, state)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self.number, place, title, description, start, due, state),
            )
            self.milestones[title] = added.lastrowid or 0

    def issues(self, told: Sequence[ToldIssue], outsiders: Sequence[str]) -> None:
        """Told issues among made ones, in the order of time."""
        made = [self._made_issue(outsiders) for _ in range(_BUSY if self.project.visibility == "public" else 4)]
        rows = [(each.at, each) for each in (*told, *made)]
        titles: set[str] = set()
        number = 0
        for at, issue in sorted(rows, key=lambda row: row[0]):
            if issue.title in titles:
                continue
            titles.add(issue.title)
            number += 1
            closed = self._closing(at) if issue not in told else None
            values = {
                "kind": "issue", "number": number, "title": issue.title, "body": issue.body, "author": issue.author,
                "assignee": issue.assignee, "state": "closed" if closed else "opened", "created": at,
                "milestone": self.milestones.get(issue.milestone or ""), "closed": closed, "updated": closed or at,
            }  # fmt: skip
            item = self._add(values, issue.notes, at)
            for label in issue.labels:
                self.db.execute("INSERT INTO tracker_item_labels VALUES (?, ?)", (item, self.labels[label]))
            if closed:
                self._note(item, self.rng.choice(self.project.team), "closed this issue", closed, system=True)

    def changes(self, told: Sequence[ToldChange]) -> None:
        """Merge requests."""
        made = [self._made_change() for _ in range(4 if self.project.visibility == "public" else 1)]
        for number, change in enumerate(sorted((*told, *made), key=lambda each: each.at), 1):
            state = self.rng.choice(("merged", "merged", "opened", "closed")) if change not in told else "opened"
            ended = moment_after(change.at, self.rng.randrange(300, 9000)) if state != "opened" else None
            ended = min(ended, "2023-06-15 08:00:00") if ended else None
            by = self.project.team[0]
            values = {
                "kind": "merge_request", "number": number, "title": change.title, "body": change.body,
                "author": change.author, "reviewer": change.reviewer, "assignee": change.author, "state": state,
                "source": change.source, "target": "main", "diff": part_diff(self.rng, self.project, change.part),
                "merged_by": by if state == "merged" else None, "created": change.at, "updated": ended or change.at,
                "closed": ended,
            }  # fmt: skip
            item = self._add(values, change.notes, change.at)
            self.db.execute(
                "INSERT INTO tracker_item_labels VALUES (?, ?)",
                (item, self.labels[self.rng.choice(("bug", "feature", "task"))]),
            )
            if ended:
                self._note(item, by, f"{state} this merge request", ended, system=True)

    def _made_issue(self, outsiders: Sequence[str]) -> ToldIssue:
        rng, generic = self.rng, self.words.generic
        kind = rng.choice(("bug", "bug", "bug", "feature", "feature", "documentation", "task"))
        titles, bodies = {
            "bug": (self.project.bugs, generic.bug_bodies),
            "feature": (self.project.wishes, generic.wish_bodies),
            "documentation": (generic.doc_titles, generic.wish_bodies),
            "task": (generic.task_titles, generic.wish_bodies),
        }[kind]
        part = rng.choice(self.project.parts)
        chance = rng.random()
        labels = (kind,) if chance > 0.35 else (kind, rng.choice(("good first issue", "accessibility", "critical")))
        notes = tuple(
            (rng.choice(self.project.team), self._filled(text, part))
            for text in rng.sample(generic.notes, rng.choice((0, 1, 1, 2, 3)))
        )
        return ToldIssue(
            project=self.project.full_path,
            title=self._title(rng.choice(titles), part),
            body=self._filled(rng.choice(bodies), part),
            author=rng.choice((*self.project.team, *outsiders)),
            labels=labels,
            at=moment_after(_FIRST, rng.randrange(_SPAN)),
            notes=notes,
            assignee=rng.choice((None, *self.project.team)),
            milestone=rng.choice((None, None, *self.milestones)),
        )

    def _made_change(self) -> ToldChange:
        rng, generic = self.rng, self.words.generic
        part = rng.choice(self.project.parts)
        title = rng.choice(generic.change_titles)
        author = rng.choice(self.project.team)
        notes = tuple(
            (rng.choice(self.project.team), self._filled(text, part))
            for text in rng.sample(generic.notes, rng.choice((0, 1, 2)))
        )
        return ToldChange(
            project=self.project.full_path,
            title=self._title(title, part),
            body=self._filled(rng.choice(generic.change_bodies), part),
            author=author,
            source=f"{title.split()[0].lower()}-{part.replace(' ', '-')}-{rng.randrange(10, 99)}",
            reviewer=rng.choice(self.project.team),
            at=moment_after(_FIRST, rng.randrange(_SPAN)),
            part=part,
            notes=notes,
        )

    def _filled(self, pattern: str, part: str) -> str:
        return pattern.replace("{part}", part).replace("{number}", str(self.rng.randrange(2, 10)))

    def _title(self, pattern: str, part: str) -> str:
        title = self._filled(pattern, part)
        return title[:1].upper() + title[1:]

    def _closing(self, at: str) -> str | None:
        closed = moment_after(at, self.rng.randrange(400, 60 * 24 * 60))
        return closed if self.rng.random() < 0.5 and closed < "2023-06-15 09:00:00" else None

    def _add(self, values: dict[str, Any], notes: Sequence[tuple[str, str]], at: str) -> int:
        columns = {"project": self.number, **values}
        item = (
            self.db.execute(
                f"INSERT INTO tracker_items ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})",
                tuple(columns.values()),
            ).lastrowid
            or 0
        )
        for author, text in notes:
            at = min(moment_after(at, self.rng.randrange(20, 1500)), "2023-06-15 11:00:00")
            self._note(item, author, text, at)
            self.db.execute("UPDATE tracker_items SET updated = max(updated, ?) WHERE id = ?", (at, item))
        return item

    def _note(self, item: int, author: str, text: str, at: str, *, system: bool = False) -> None:
        self.db.execute(
            "INSERT INTO tracker_notes (item, author, body, system, created) VALUES (?, ?, ?, ?, ?)",
            (item, author, text, system, at),
        )


def seed_work(db: sqlite3.Connection, rng: Random, words: TrackerWords, story: TrackerStory) -> None:
    """Fill the tables of issues, merge requests and what belongs to them."""
    for number, project in enumerate(words.projects, 1):
        seeder = _Seeder(db, rng, number, project, words)
        seeder.plan(story)
        outsiders = ("fperrin", "yfeld", "ktorres", "pgrove", "vsingh") if project.visibility == "public" else ()
        seeder.issues([each for each in story.issues if each.project == project.full_path], outsiders)
        seeder.changes([each for each in story.merge_requests if each.project == project.full_path])
    for todo in story.todos:
        db.execute(
            "INSERT INTO tracker_todos (username, item, action, author, created, done) SELECT ?, i.id, ?, ?, ?, 0"
            " FROM tracker_items i JOIN tracker_projects p ON p.id = i.project"
            " WHERE i.title = ? AND p.namespace || '/' || p.path = ?",
            (words.users[0][0], todo.action, todo.by, todo.at, todo.title, todo.project),
        )
