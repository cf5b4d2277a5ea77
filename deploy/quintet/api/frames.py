"""What a run recorded, from Python."""

from pathlib import Path

from quintet.export.frames import RunFrames


def read_run(folder: Path | str) -> RunFrames:
    """The tables of a run or a study as data frames: `read_run("runs/mine").polars("episodes")`.

    Args:
        folder: the run folder or the study folder, also while it is written.

    Raises:
        UsageError: there is no run, or none that this version reads.
    """
    return RunFrames(Path(folder))
