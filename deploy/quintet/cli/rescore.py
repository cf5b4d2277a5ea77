"""`rescore`: scores the stored episodes of a run anew, in a run folder of its own."""

import os
from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from quintet.cli.detach import start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import ResumeFlags, Switch
from quintet.cli.plan import print_run_plan
from quintet.cli.run import new_folder, run_to_end
from quintet.config.settings import from_environment, from_file
from quintet.launch.writable_run import WritableRun
from quintet.rescoring.rescore import prepare_rescoring


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RescoreFlags(ResumeFlags):
    """The flags of a run that plays nothing."""

    config: Path | None = None
    """A TOML file with the sections model, runtime, limits."""
    out: Path | None = None
    """The folder, new or empty. By default runs/TIME-rescore-RUN."""
    dry_run: Switch = False
    """Print the resolved configuration and the episodes; create nothing."""


_FLAGS = RescoreFlags()


def rescore_command(
    run: Path,
    *,
    flags: RescoreFlags = _FLAGS,
    judge: str | None = None,
    scorer: str | None = None,
    where: str = "",
) -> int:
    """Score stored episodes anew, in a new run folder.

    Args:
        run: The folder of the run that played them.
        judge: The model that says of each whether it succeeded: `quintet list models`, or an endpoint's.
        scorer: FILE.py:F, a function of a stored episode that returns a number from 0 to 1 (docs/evaluate.md).
        where: Only the episodes that meet this SQL condition over the view `episodes`: "reward < 1 AND steps > 20"; or
            `solved`, `unsolved`.
    """
    file = [] if flags.config is None else [from_file(flags.config)]
    layers = [*file, from_environment(os.environ), flags.settings()]
    prepared = prepare_rescoring(layers, run, judge=judge, scorer=scorer, where=where)
    if flags.dry_run:
        return print_run_plan(prepared, json=flags.json)
    hooks = flags.load_hooks()
    path = new_folder(flags.out, f"rescore-{run.resolve().name}")
    if flags.detach:
        return start_detached(path, *([] if flags.out else ["--out", str(path)]), json=flags.json)
    with WritableRun.create(path, prepared) as folder:
        stop = run_to_end(folder, prepared.record.label, hooks)
    return finish(path, stop, json=flags.json)
