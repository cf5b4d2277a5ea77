"""What `--dry-run` prints: what would run, the most that it can cost, and what is missing to run it."""

import json as json_text
from collections.abc import Mapping, Sequence
from typing import cast

from rich.text import Text

from quintet.cli.console import console, notify
from quintet.config.resolve import as_tables
from quintet.config.settings import flatten
from quintet.launch.prepare import Prepared
from quintet.reports.continuations import origin_line
from quintet.reports.notes import left_out_texts
from quintet.reports.text_tables import model_label, plural, print_notes, print_tables
from quintet.runs.record import RunRecord
from quintet.studies.arms import by_arm
from quintet.studies.conditions import GridConditions
from quintet.studies.cost_bound import bound_notes, bound_table, cost_bound, together
from quintet.studies.definition import Study

_INCOMPLETE = 2
"""The exit code if something is missing."""


def print_run_plan(run: Prepared, *, json: bool) -> int:
    """Print a run's settings, as a file that `--config` takes, and its tasks.

    Returns:
        The exit code.
    """
    if json:
        print(json_text.dumps(_content(run), indent=2))
    else:
        print("\n".join(_lines(run.record)), end="\n\n")
    return _tell({}, {run.record.label: run})


def print_study_plan(study: Study, arms: Mapping[str, Prepared], refused: Mapping[str, str], *, json: bool) -> int:
    """Print a study's arms, what they can cost, what is not compared, and the settings and tasks of all and of each.

    Args:
        study: its definition.
        arms: that could be prepared.
        refused: why the others could not.

    Returns:
        The exit code.
    """
    if json:
        print(json_text.dumps({arm: _content(run) for arm, run in arms.items()}, indent=2))
        return _tell(refused, arms)
    if arms:
        print_cost(study.name, arms, error=False)
        conditions = GridConditions(study, {name: cell.levels for name, cell in study.cells.items()})
        records = {arm: runs[0].record for arm, runs in _by_arm(arms).items()}
        given = [f"{arm}: is given what {learner} learns" for arm, learner in study.given.items()]
        print_notes([*conditions.notes(records), *given], console())
    lines = {
        _with_seeds(arm, runs): _shared([_lines(run.record) for run in runs]) for arm, runs in _by_arm(arms).items()
    }
    common = _shared([*lines.values()]) if len(lines) > 1 else []
    if common:
        print("\n".join(["# all arms", *common, ""]))
    for arm, own in lines.items():
        print("\n".join([f"# arm {arm}", *(line for line in own if line not in common), ""]))
    return _tell(refused, arms)


def print_cost(title: str, arms: Mapping[str, Prepared], *, error: bool) -> None:
    """Print the most that the arms of a study can cost; `error`: on standard error."""
    out = console(stderr=error)
    models = ", ".join(dict.fromkeys(run.record.model for run in arms.values()))
    out.print(Text(f"{title}: {plural(len(arms), 'arm')}, {models}", style="bold"))
    bounds = {_with_seeds(arm, runs): together(map(cost_bound, runs)) for arm, runs in _by_arm(arms).items()}
    (budget, *_) = (run.config.limits for run in arms.values())  # the same of all
    print_tables([bound_table(bounds, budget)], out)
    print_notes(bound_notes(arms, bounds), out)


def _by_arm(arms: Mapping[str, Prepared]) -> Mapping[str, Sequence[Prepared]]:
    """The runs of each arm, which differ by seed, by its name without one."""
    return by_arm((name, run.config.run.seed, run) for name, run in arms.items())


def _with_seeds(arm: str, runs: Sequence[Prepared]) -> str:
    """`ARM`, or of several runs `ARM (seeds 0, 1)`."""
    seeds = ", ".join(str(run.config.run.seed) for run in runs)
    return arm if len(runs) == 1 else f"{arm} (seeds {seeds})"


def _shared(texts: Sequence[Sequence[str]]) -> list[str]:
    """The lines that all texts have."""
    return [line for line in texts[0] if all(line in text for text in texts)]


def _tell(refused: Mapping[str, str], arms: Mapping[str, Prepared]) -> int:
    """Say on standard error what is missing, each once with the arms that need it, and return the exit code."""
    missing: dict[str, list[str]] = {}
    lacking = ((arm, runs[0].spec.world.lacking()) for arm, runs in _by_arm(arms).items())
    for arm, why in (*refused.items(), *lacking):
        if why:
            missing.setdefault(why, []).append(arm)
    for why, names in missing.items():
        notify(f"cannot run: {', '.join(names)}: {why}")
    return _INCOMPLETE if missing else 0


def _content(run: Prepared) -> Mapping[str, object]:
    record = run.record
    configuration = record.configuration.model_dump(mode="json")
    return {"configuration": configuration, **_tasks(record), "tasks_left_out": dict(record.left_out)}


def _lines(record: RunRecord) -> list[str]:
    what = {"tasks": f", {model_label(record.model)}", "training": " to learn from", "held_out": " held out"}
    tasks = (f"{plural(len(names), 'task')}{what[kind]}: {', '.join(names)}" for kind, names in _tasks(record).items())
    begins = [] if record.fork is None else [origin_line(record.fork), plural(record.episodes, "continuation")]
    return [*_as_toml(record), *(f"# {text}" for text in (*begins, *tasks, *left_out_texts(record)))]


def _tasks(record: RunRecord) -> dict[str, list[str]]:
    """The names of its tasks: the test tasks, then those that it learns from, if it does."""
    others = record.learns and not record.streams
    learnt = {"training": record.training, "held_out": record.held_out} if others else {}
    return {use: [task.name for task in tasks] for use, tasks in {"tasks": record.tasks, **learnt}.items()}


def _as_toml(record: RunRecord) -> list[str]:
    # TOML has no None: unset settings are left out, and so is a model that no role calls.
    settings = flatten(as_tables(record.configuration))
    return [
        f"{key} = {_toml_value(value)}"
        for key, value in settings
        if value is not None and (record.models or not key.startswith("model."))
    ]


def _toml_value(value: object) -> str:
    """A value as TOML writes it: tables on one line, without keys that are unset."""
    match value:
        case list():
            return f"[{', '.join(map(_toml_value, cast('list[object]', value)))}]"
        case dict():
            table = cast("dict[str, object]", value)
            given = (f"{key} = {_toml_value(each)}" for key, each in table.items() if each is not None)
            return f"{{ {', '.join(given)} }}"
        case _:
            return json_text.dumps(value)
