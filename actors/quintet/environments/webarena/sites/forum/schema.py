"""The forum's tables. Times are text, `2023-06-15 12:00:00`, so that their order is that of time."""

from typing import Final

FORUM_SCHEMA: Final = """
CREATE TABLE forum_users (
    name TEXT PRIMARY KEY, password TEXT NOT NULL, biography TEXT NOT NULL, joined TEXT NOT NULL
);
CREATE TABLE forum_forums (
    name TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, sidebar TEXT NOT NULL,
    moderator TEXT NOT NULL, subscribers INTEGER NOT NULL, created TEXT NOT NULL
);
CREATE TABLE forum_submissions (
    id INTEGER PRIMARY KEY, forum TEXT NOT NULL, author TEXT NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL,
    body TEXT NOT NULL, points INTEGER NOT NULL, comments INTEGER NOT NULL, created TEXT NOT NULL, edited TEXT
);
CREATE INDEX forum_submissions_by_forum ON forum_submissions (forum);
CREATE INDEX forum_submissions_by_author ON forum_submissions (author);
CREATE TABLE forum_comments (
    id INTEGER PRIMARY KEY, submission INTEGER NOT NULL, parent INTEGER, author TEXT NOT NULL, body TEXT NOT NULL,
    points INTEGER NOT NULL, created TEXT NOT NULL, edited TEXT, deleted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX forum_comments_by_submission ON forum_comments (submission);
CREATE INDEX forum_comments_by_author ON forum_comments (author);
CREATE TABLE forum_votes (
    user TEXT NOT NULL, kind TEXT NOT NULL, target INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (user, kind, target)
);
CREATE TABLE forum_subscriptions (user TEXT NOT NULL, forum TEXT NOT NULL, PRIMARY KEY (user, forum));
CREATE TABLE forum_hidden (user TEXT NOT NULL, forum TEXT NOT NULL, PRIMARY KEY (user, forum));
CREATE TABLE forum_messages (
    id INTEGER PRIMARY KEY, thread INTEGER NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL, body TEXT NOT NULL,
    created TEXT NOT NULL, unread INTEGER NOT NULL
);
"""
