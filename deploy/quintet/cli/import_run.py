"""`import`: make a run of files that another tool, or `quintet export`, wrote."""

from pathlib import Path

from quintet.errors import UsageError
from quintet.plugins.extras import require_extra
from quintet.runs.files import named_path


def import_command(*places: Path, out: Path, environment: str | None = None) -> None:
    """Make a run of ATIF trajectories, which `report`, `show`, `view`, `compare` and learners read.

    Args:
        places: Files, or folders with them: of one export, or of other tools, where a file's name is its task's.
        out: The folder, new or empty.
        environment: The world that other tools' agents acted in, if it is one of `quintet list environments`.
    """
    if not places:
        raise UsageError("import: expected files or folders, got none")
    require_extra("atif", "atif", "import")
    from quintet.atif.import_run import import_run
    from quintet.atif.read import describe_left_out

    imported = import_run([named_path(place, "import") for place in places], named_path(out, "--out"), environment)
    print(f"{imported.episodes:>9,} episodes in {out}")
    if left := describe_left_out(imported.left_out):
        print(left)
