"""The user's code in a run's record, and how a resume finds it again."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from quintet.errors import UsageError
from quintet.plugins.brought import FROM_PYTHON, BroughtObject
from quintet.plugins.objects import find_object
from quintet.runs.record import CodeRecord


def record_code(objects: Sequence[BroughtObject]) -> tuple[CodeRecord, ...]:
    """What a record keeps of objects."""
    folders = dict.fromkeys(each.folder for each in objects)
    commits = {folder: None if folder is None else commit_of(folder) for folder in folders}
    return tuple(
        CodeRecord(
            kind=each.kind,
            name=each.name,
            origin=each.origin,
            sha256=each.sha256,
            texts=each.digests,
            git_commit=commits[each.folder],
        )
        for each in objects
    )


def find_recorded(code: Sequence[CodeRecord], given: Sequence[object], run: Path) -> tuple[BroughtObject, ...]:
    """The objects that a run was begun with, found again.

    Args:
        code: as the run's record has it.
        given: those from Python, in any order; others are passed over.
        run: its folder, for errors.

    Raises:
        UsageError: one is missing, cannot be found, or has changed.
    """
    return tuple(_find(each, given, run) for each in code)


def _find(recorded: CodeRecord, given: Sequence[object], run: Path) -> BroughtObject:
    places = [*given, *([] if recorded.origin == FROM_PYTHON else [recorded.origin])]
    found = next((each for place in places if (each := _at(place, recorded)) is not None), None)
    if found is None:
        expected = f"expected the object that was {recorded.origin} when the run was begun, got none"
        remedy = "resume it from Python: quintet.api.resume(FOLDER, objects=[...])"
        raise UsageError(f"{recorded.kind} {recorded.name}: {expected}; {remedy} ({run})")
    _refuse_changed(recorded, found, run)
    return found


def _at(place: object, recorded: CodeRecord) -> BroughtObject | None:
    """The object that is given, or found at its origin; None if it is of another kind or name."""
    try:
        found = find_object(recorded.kind, place)
    except UsageError:
        if place == recorded.origin:
            raise
        return None
    return None if found is None or found.name != recorded.name else found.brought


def _refuse_changed(recorded: CodeRecord, found: BroughtObject, run: Path) -> None:
    now = found.digests
    for text in sorted(recorded.texts.keys() | now.keys()):
        begun = recorded.texts.get(text, "none")
        if begun != now.get(text, "none"):
            what = f"code of {recorded.kind} {recorded.name}, {text} ({found.origin})"
            got = now.get(text, "none")
            raise UsageError(f"{what}: expected SHA-256 {begun}, under which the run was begun, got {got} ({run})")


def commit_of(folder: Path) -> str | None:
    """The commit of the git checkout that a folder lies in, with `+changes` if it had any; None outside a checkout."""
    commit = _git(folder, "rev-parse", "HEAD")
    return commit and commit + ("+changes" if _git(folder, "status", "--porcelain", "--untracked-files=no") else "")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
