"""`reproduce`: repeats a paper's table or figure, once the most that it can cost is confirmed."""

import re
import sys
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import EvaluationFlags, Switch, Whole
from quintet.cli.plan import print_cost
from quintet.cli.run import start_study
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare_config
from quintet.plugins.catalogue import one_of
from quintet.studies.arms import prepare_arms, take_study_objects, with_seeds
from quintet.studies.definition import PaperTable, Study, known_studies

_FLAGS = EvaluationFlags()


def reproduce_command(
    table: str | None = None,
    *,
    flags: EvaluationFlags = _FLAGS,
    limit: Whole | None = None,
    seeds: Whole | None = None,
    yes: Switch = False,
    no_picture: Switch = False,
    listed: Annotated[bool, Parameter(name="--list", negative="")] = False,
) -> int:
    """Run what a paper's table shows, with the paper's settings, and print it beside what is published.

    Args:
        table: Its name: `quintet reproduce --list`.
        limit: Only the first so many test tasks of every arm. Then no published figure is compared with it.
        seeds: How many seeds every arm runs with: --seed and those after it. The runs of an arm are reported as one.
        yes: Run without asking, whatever it may cost.
        no_picture: Draw no picture.
        listed: Print the tables and figures that there are.
    """
    tables = {each.table: (study, each) for study in known_studies().values() for each in study.reproduces}
    if listed:
        print("\n".join(_described(*tables[name]) for name in sorted(tables, key=_by_number)))
        return 0
    if table is None or table not in tables:
        got = "none" if table is None else repr(table)
        raise UsageError(f"table: expected {one_of(tables, table or '')}, got {got} (quintet reproduce --list)")
    study, each = tables[table]
    if limit is not None and limit < 1:
        raise UsageError(f"--limit: expected >= 1, got {limit:,}")
    study, layers, objects = take_study_objects(with_seeds(study, seeds), flags.layers())
    if not any("model.name" in layer for layer in layers):
        raise UsageError("--model: expected the model to run it with, got none")
    refused: dict[str, str] | None = {} if flags.dry_run else None
    arms = prepare_arms(study, layers, objects=objects, refused=refused)
    arms = {name: _limited(arm, name, limit) for name, arm in arms.items()}
    if not flags.dry_run:
        print_cost(each.source, arms, error=True)
        if not yes:
            _confirm()
    confirmed = [] if yes else ["--yes"]
    return start_study(study, arms, flags, objects, *confirmed, name=table, no_picture=no_picture, refused=refused)


def _described(study: Study, table: PaperTable) -> str:
    quoted = [row.row for row in table.quoted if row.row not in table.rows]
    further = [f"the paper {table.statement}"] * bool(table.statement)
    further += [f"published only: {'; '.join(quoted)}"] * bool(quoted)
    return "\n  ".join([f"{table.table}: {table.source}. {study.summary}", *further])


def _by_number(name: str) -> list[tuple[str, int]]:
    """Sorts `table4` before `table10`."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", name)]


def _limited(arm: Prepared, name: str, limit: int | None) -> Prepared:
    """An arm with its first test tasks only; it has fewer if there are fewer."""
    if limit is None or limit >= len(arm.record.tasks):
        return arm
    run = arm.config.run.model_copy(update={"tasks": limit})
    return prepare_config(arm.config.model_copy(update={"run": run}), f"arm {name}, --limit", arm.objects)


def _confirm() -> None:
    if not sys.stdin.isatty():
        raise UsageError("reproduce: expected --yes, or a terminal to confirm the cost at, got neither")
    console(stderr=True).print(Text("Run it? [y/N] "), end="")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):  # empty at the end of the input
        raise UsageError("reproduce: expected the cost to be confirmed, got no; nothing was run")
