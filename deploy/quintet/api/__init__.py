"""Quintet from Python: `evaluate` runs a whole evaluation, `open_run` opens one in your program.

What `__all__` names is the public interface: `docs/api.md` says what stays as it is.
"""

from quintet.api.frames import read_run
from quintet.api.new_run import evaluate, open_run
from quintet.api.resumed_run import reopen_run, resume
from quintet.export.frames import RunFrames
from quintet.hooks.hook import Hook, RunInfo
from quintet.runs.evaluation import Evaluation
from quintet.runs.feed import EpisodeStart, Feed, FeedItem, Subscription
from quintet.runs.stream import EventStream
from quintet.runtime.refs import Ref, RefAnswer

__all__ = [
    "EpisodeStart",
    "Evaluation",
    "EventStream",
    "Feed",
    "FeedItem",
    "Hook",
    "Ref",
    "RefAnswer",
    "RunFrames",
    "RunInfo",
    "Subscription",
    "evaluate",
    "open_run",
    "read_run",
    "reopen_run",
    "resume",
]
