"""The folder for what is kept of this user, beside any run."""

import os
from pathlib import Path


def state_folder() -> Path | None:
    """`$XDG_STATE_HOME/quintet`, by default below `~/.local/state`; None: this user has no home."""
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    try:
        state = named if named.is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError:
        return None
    return state / "quintet"
