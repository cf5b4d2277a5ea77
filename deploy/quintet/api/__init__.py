"""Quintet from Python: `evaluate` runs a whole evaluation, `open_run` opens one, `serve_worlds` serves worlds.

What `__all__` names is the public interface: `docs/api.md` says what stays as it is.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from quintet.api.forks import fork, open_fork
from quintet.api.prompts import optimize_prompts, resume_prompts
from quintet.api.runs import evaluate, open_run, read_run, reopen_run, rescore, resume
from quintet.api.serving import serve_roles, serve_worlds

if TYPE_CHECKING:
    from quintet.export.frames import RunFrames
    from quintet.hooks.hook import Hook, RunInfo
    from quintet.journal.feed import EpisodeStart, EventStream, Feed, FeedItem, Subscription
    from quintet.launch.evaluation import Evaluation
    from quintet.prompt_optimizer.optimized import OptimizedPrompts
    from quintet.runtime.refs import Ref, RefAnswer
    from quintet.world_server.sessions import SessionLimits

__all__ = [
    "EpisodeStart",
    "Evaluation",
    "EventStream",
    "Feed",
    "FeedItem",
    "Hook",
    "OptimizedPrompts",
    "Ref",
    "RefAnswer",
    "RunFrames",
    "RunInfo",
    "SessionLimits",
    "Subscription",
    "evaluate",
    "fork",
    "open_fork",
    "open_run",
    "optimize_prompts",
    "read_run",
    "reopen_run",
    "rescore",
    "resume",
    "resume_prompts",
    "serve_roles",
    "serve_worlds",
]

_TYPES = {
    "export.frames": ("RunFrames",),
    "hooks.hook": ("Hook", "RunInfo"),
    "journal.feed": ("EpisodeStart", "EventStream", "Feed", "FeedItem", "Subscription"),
    "launch.evaluation": ("Evaluation",),
    "prompt_optimizer.optimized": ("OptimizedPrompts",),
    "runtime.refs": ("Ref", "RefAnswer"),
    "world_server.sessions": ("SessionLimits",),
}
"""By module, the types that are imported when they are first asked for: few programs name them."""


def __getattr__(name: str) -> object:
    for module, names in _TYPES.items():
        if name in names:
            return getattr(import_module(f"quintet.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__  # for completion in notebooks
