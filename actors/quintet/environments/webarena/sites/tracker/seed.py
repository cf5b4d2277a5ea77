"""Fills the tracker: users, groups, projects with files and commits, and their work; always the same."""

import hashlib
import sqlite3
from random import Random

from quintet.environments.webarena.sites.clock import moment_after
from quintet.environments.webarena.sites.tracker.sources import module_path, part_diff, project_files
from quintet.environments.webarena.sites.tracker.tables import ProjectWords, TrackerWords, tracker_story, tracker_words
from quintet.environments.webarena.sites.tracker.work import seed_work

TRACKER_USER = "mvoss"
"""Who is signed in when a session opens."""
TRACKER_PASSWORD = "warp-and-weft"
"""Of every made-up user."""
_FIRST = "2022-10-01 07:00:00"
_SPAN = 256 * 24 * 60
"""Minutes: commits lie between 2022-10-01 and 2023-06-14."""
_ROLES = ("Owner", "Maintainer", "Developer", "Developer", "Reporter", "Guest", "Guest")


def seed_tracker(db: sqlite3.Connection) -> None:
    """Fill the tracker's tables."""
    rng = Random("tracker")
    words = tracker_words()
    people = {username: (name, mail) for username, name, mail, _ in words.users}
    _people(db, rng, words)
    for number, project in enumerate(words.projects, 1):
        _project(db, rng, number, project, words)
        for path, content in project_files(project, people).items():
            db.execute("INSERT INTO tracker_files VALUES (?, ?, ?)", (number, path, content))
        _commits(db, rng, number, project, words)
    for username, number in ((TRACKER_USER, 6), (TRACKER_USER, 9), (TRACKER_USER, 11)):
        db.execute("INSERT INTO tracker_stars VALUES (?, ?)", (username, number))
    seed_work(db, rng, words, tracker_story())


def _people(db: sqlite3.Connection, rng: Random, words: TrackerWords) -> None:
    places = ("Harborview", "Anstruth", "Marl", "", "Little Skerry")
    for place, (username, name, mail, bio) in enumerate(words.users):
        joined = moment_after("2021-03-01 09:00:00", rng.randrange(500 * 24 * 60))
        site = f"https://{username}.example" if place % 4 == 1 else ""
        row = (username, name, mail, TRACKER_PASSWORD, bio, "", site, places[place % 5], joined)
        db.execute("INSERT INTO tracker_users VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for group in words.groups:
        created = moment_after("2022-01-10 09:00:00", rng.randrange(200 * 24 * 60))
        db.execute(
            "INSERT INTO tracker_groups VALUES (?, ?, ?, 'public', ?)",
            (group.path, group.name, group.description, created),
        )
        for username, role in group.members.items():
            db.execute("INSERT INTO tracker_group_members VALUES (?, ?, ?, ?)", (group.path, username, role, created))


def _project(db: sqlite3.Connection, rng: Random, number: int, project: ProjectWords, words: TrackerWords) -> None:
    created = moment_after("2022-02-01 09:00:00", rng.randrange(230 * 24 * 60))
    about = (project.namespace, project.path, project.name, project.description, project.visibility)
    row = (number, *about, project.stars, project.stars // 9, project.license, created, created, None)
    db.execute("INSERT INTO tracker_projects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for place, username in enumerate(project.team):
        since = moment_after(created, place * rng.randrange(1, 20) * 24 * 60)
        db.execute("INSERT INTO tracker_members VALUES (?, ?, ?, ?)", (number, username, _ROLES[place], since))


def _commits(db: sqlite3.Connection, rng: Random, number: int, project: ProjectWords, words: TrackerWords) -> None:
    few = project.visibility == "private"
    moments = sorted(moment_after(_FIRST, rng.randrange(_SPAN)) for _ in range(6 if few else rng.randrange(22, 36)))
    # People work in bursts: some commits follow the one before within hours, by the same hand.
    author = project.team[0]
    at = moments[0]
    for place, moment in enumerate(moments):
        if place and rng.random() < 0.45:
            at = moment_after(at, rng.randrange(10, 150))
        else:
            at = max(at, moment)
            author = rng.choice((project.team[0], *project.team))
        part = rng.choice(project.parts)
        title = rng.choice(words.generic.commit_titles).replace("{part}", part)
        sha = hashlib.sha1(f"{project.full_path} {place} {title}".encode(), usedforsecurity=False).hexdigest()
        db.execute(
            "INSERT INTO tracker_commits (project, sha, username, title, path, diff, created)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, sha, author, title, module_path(project, part), part_diff(rng, project, part), at),
        )
    db.execute("UPDATE tracker_projects SET updated = ? WHERE id = ?", (at, number))
