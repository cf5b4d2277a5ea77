"""The tracker's tables. Times are text, `2023-06-15 12:00:00`, so that their order is that of time."""

from typing import Final

TRACKER_SCHEMA: Final = """
CREATE TABLE tracker_users (
    username TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, password TEXT NOT NULL, bio TEXT NOT NULL,
    status TEXT NOT NULL, website TEXT NOT NULL, location TEXT NOT NULL, joined TEXT NOT NULL
);
CREATE TABLE tracker_groups (
    path TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, visibility TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE tracker_group_members (
    path TEXT NOT NULL, username TEXT NOT NULL, role TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (path, username)
);
CREATE TABLE tracker_projects (
    id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
    visibility TEXT NOT NULL, stars INTEGER NOT NULL, forks INTEGER NOT NULL, license TEXT NOT NULL,
    created TEXT NOT NULL, updated TEXT NOT NULL, forked_from INTEGER, UNIQUE (namespace, path)
);
CREATE TABLE tracker_stars (username TEXT NOT NULL, project INTEGER NOT NULL, PRIMARY KEY (username, project));
CREATE TABLE tracker_members (
    project INTEGER NOT NULL, username TEXT NOT NULL, role TEXT NOT NULL, since TEXT NOT NULL,
    PRIMARY KEY (project, username)
);
CREATE TABLE tracker_files (
    project INTEGER NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (project, path)
);
CREATE TABLE tracker_commits (
    id INTEGER PRIMARY KEY, project INTEGER NOT NULL, sha TEXT NOT NULL, username TEXT NOT NULL, title TEXT NOT NULL,
    path TEXT NOT NULL, diff TEXT NOT NULL, created TEXT NOT NULL
);
CREATE INDEX tracker_commits_by_project ON tracker_commits (project);
CREATE TABLE tracker_labels (
    id INTEGER PRIMARY KEY, project INTEGER NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL,
    color TEXT NOT NULL
);
CREATE TABLE tracker_milestones (
    id INTEGER PRIMARY KEY, project INTEGER NOT NULL, number INTEGER NOT NULL, title TEXT NOT NULL,
    description TEXT NOT NULL, start TEXT NOT NULL, due TEXT NOT NULL, state TEXT NOT NULL
);
CREATE TABLE tracker_items (
    id INTEGER PRIMARY KEY, project INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, title TEXT NOT NULL,
    body TEXT NOT NULL, author TEXT NOT NULL, assignee TEXT, reviewer TEXT, state TEXT NOT NULL, milestone INTEGER,
    due TEXT NOT NULL DEFAULT '', source TEXT NOT NULL DEFAULT '', target TEXT NOT NULL DEFAULT '',
    diff TEXT NOT NULL DEFAULT '', merged_by TEXT, created TEXT NOT NULL, updated TEXT NOT NULL, closed TEXT,
    UNIQUE (project, kind, number)
);
CREATE TABLE tracker_item_labels (item INTEGER NOT NULL, label INTEGER NOT NULL, PRIMARY KEY (item, label));
CREATE TABLE tracker_approvals (item INTEGER NOT NULL, username TEXT NOT NULL, PRIMARY KEY (item, username));
CREATE TABLE tracker_notes (
    id INTEGER PRIMARY KEY, item INTEGER NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, system INTEGER NOT NULL,
    created TEXT NOT NULL
);
CREATE INDEX tracker_notes_by_item ON tracker_notes (item);
CREATE TABLE tracker_todos (
    id INTEGER PRIMARY KEY, username TEXT NOT NULL, item INTEGER NOT NULL, action TEXT NOT NULL, author TEXT NOT NULL,
    created TEXT NOT NULL, done INTEGER NOT NULL
);
"""
