"""The settings that make a run a stream, as the command and the Python interface take them."""

from typing import Final

NO_MEMORY: Final = "none"
"""In place of a learner: nothing is learnt."""


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
