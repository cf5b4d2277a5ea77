"""Kills, in place of `run_one`, around every arm that a start of a study begins."""

from typing import Any

import pytest

from quintet.runs.ends import RunStop
from quintet.studies.run import WritableStudy, run_one


class Killed(BaseException):
    """The process is gone."""


def kill_around_arms(monkeypatch: pytest.MonkeyPatch, module: str, *, before: bool) -> list[str]:
    """Raise `Killed` behind every new arm that a module runs, or before every further one.

    Returns:
        The arms that the start began, to be cleared before the next start.
    """
    begun: list[str] = []

    def killed(folder: WritableStudy, arm: str, *further: Any) -> RunStop:
        new = not folder.begun(arm)
        if new and begun and before:
            raise Killed
        begun.extend([arm] * new)
        stop = run_one(folder, arm, *further)
        if new and not before:
            raise Killed
        return stop

    monkeypatch.setattr(f"{module}.run_one", killed)
    return begun
