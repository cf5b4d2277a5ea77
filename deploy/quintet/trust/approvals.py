"""What this user has approved: a file for each set of effects, named by its digest, in the user's state folder."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from quintet.config.state_folder import state_folder
from quintet.trust.side_effects import SideEffect


def is_approved(effects: Sequence[SideEffect]) -> bool:
    """Whether a user started or approved a run that does exactly this; nothing needs no approval."""
    folder = approvals_folder()
    return not effects or (folder is not None and os.access(folder / _digest(effects), os.R_OK))


def approve(effects: Sequence[SideEffect]) -> None:
    """Keep that the user wants this. Where it cannot be kept the next resume asks again."""
    folder = approvals_folder()
    if effects and folder is not None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            (folder / _digest(effects)).write_text("".join(f"{each}\n" for each in effects))


def why_not_kept() -> str:
    """Why approvals cannot be kept here; empty: they can."""
    folder = approvals_folder()
    if folder is None:
        return "there is no home folder"
    there = next(place for place in (folder, *folder.parents) if os.access(place, os.F_OK))
    return "" if there.is_dir() and os.access(there, os.W_OK) else f"{there} is no folder that can be written"


def approvals_folder() -> Path | None:
    """Where approvals lie; None: this user has no home."""
    state = state_folder()
    return None if state is None else state / "approved"


def _digest(effects: Sequence[SideEffect]) -> str:
    return sha256(json.dumps(sorted(each.identity for each in effects)).encode()).hexdigest()
