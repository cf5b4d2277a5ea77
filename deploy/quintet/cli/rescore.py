"""`rescore`: scores the stored episodes of a run anew, in a run folder of its own."""

import os
from pathlib import Path

from quintet.cli.flags import FolderFlags
from quintet.cli.plan import print_run_plan
from quintet.cli.run import new_folder, start_prepared
from quintet.config.settings import from_environment, from_file
from quintet.rescoring.rescore import prepare_rescoring

_FLAGS = FolderFlags()


def rescore_command(
    run: Path,
    *,
    flags: FolderFlags = _FLAGS,
    judge: str | None = None,
    scorer: str | None = None,
    where: str = "",
    config: Path | None = None,
) -> int:
    """Score stored episodes anew, in a new run folder.

    Args:
        run: The folder of the run that played them.
        judge: The model that says of each whether it succeeded: `quintet list models`, or an endpoint's.
        scorer: FILE.py:F, a function of a stored episode that returns a number from 0 to 1 (docs/evaluate.md).
        where: Of the episodes that ended, those that are `solved`, `unsolved`, or meet an SQL condition over the view
            `episodes`: "reward < 1 AND steps > 20".
        config: A TOML file with the sections model, runtime, limits.
    """
    file = [] if config is None else [from_file(config)]
    layers = [*file, from_environment(os.environ), flags.settings()]
    prepared = prepare_rescoring(layers, run, judge=judge, scorer=scorer, where=where)
    if flags.dry_run:
        return print_run_plan(prepared, json=flags.json)
    hooks = flags.load_hooks()
    return start_prepared(prepared, new_folder(flags.out, f"rescore-{run.resolve().name}"), flags, hooks)
