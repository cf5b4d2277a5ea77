"""What makes a run a stream: its settings, a learner's defaults along one, and what does not go beside it."""

from collections.abc import Mapping
from typing import Any, Final

from quintet.config.complaints import with_origin
from quintet.config.sections import RunSection
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.messages.learning import Feedback
from quintet.methods.base.method import LearnerSpec

NO_MEMORY: Final = "none"
"""In place of a learner or of what one learnt: nothing."""

ALONG_STREAM: Mapping[str, object] = {"split": None, "tasks": None, "held_out": 0, "select": "last", "rounds": 1}
"""The only values along a stream of settings of `[learning]` that are about other tasks or further passes. A learner's
own defaults for them do not hold there."""


def stream_settings(method: object, learner: object) -> dict[str, object]:
    """The settings of a stream, by dotted key.

    Args:
        method: that plays the tasks, by name or as an object; None: other settings name it.
        learner: the method that learns around it; `NO_MEMORY`: nothing learns; None: the method learns itself.
    """
    learns: dict[str, object] = {"run.stream": True, "run.learn": learner != NO_MEMORY}
    if learner is not None and learner != NO_MEMORY:
        return {"method.name": learner, "method.inner.name": method, **learns}
    return learns if method is None else {"method.name": method, **learns}


def is_stream(settings: Settings) -> bool:
    """Whether settings ask for a stream."""
    asked = settings.get("run.stream")
    return asked is not None and asked.value is True


def learning_defaults(learner: type[LearnerSpec[Any]], environment: str, settings: Settings) -> Mapping[str, Any]:
    """A learner's defaults in an environment. Along a stream it has no other tasks, and a model judges attempts."""
    own = learner.worlds.get(environment, {})
    if not is_stream(settings):
        return own
    feedback: Feedback = "judged"
    return {"feedback": feedback, **{name: value for name, value in own.items() if name not in ALONG_STREAM}}


def refuse_beside_stream(run: RunSection, given: Settings) -> None:
    """Refuse an order without a stream, and beside one repetitions and other tasks."""
    if not run.stream:
        if run.order is not None:
            with with_origin(given, ["run.order"]):
                raise UsageError(f"run.order: expected a stream (quintet stream, or run.stream=true), got {run.order}")
        return
    if run.epochs != 1:
        with with_origin(given, ["run.epochs"]):
            raise UsageError(f"run.epochs: expected 1 in a stream, whose tasks are played once, got {run.epochs}")
    for name, only in ALONG_STREAM.items():
        setting = given.get(f"learning.{name}")
        if setting is not None and setting.value != only:
            expected = f"{'none' if only is None else repr(only)} along a stream, whose own tasks are played once"
            raise UsageError(f"learning.{name}: expected {expected}, got {setting.value!r} ({setting.where})")
