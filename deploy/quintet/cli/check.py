"""`check`: hold a plug-in, or one of ours, to the contract of its kind."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

import msgspec
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from quintet.cli.console import console
from quintet.config import plugins
from quintet.config.complaints import complaint, refuse_unknown
from quintet.config.sections import ModelSettings
from quintet.config.settings import Setting, Settings, from_assignments, with_files
from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind
from quintet.plugins.files import read_limited
from quintet.reports.text_tables import plural
from quintet.testing.clauses import Skipped, State, Verdict, judged
from quintet.testing.environment import ENVIRONMENT
from quintet.testing.environment_cases import EnvironmentCase, visits
from quintet.testing.learner import LEARNER_CONTRACT, apprenticeships
from quintet.testing.method import METHOD, practices
from quintet.testing.model import MODEL, REPEATABLE
from quintet.testing.named import Named
from quintet.testing.questions import Questioned

_LARGEST = 2**20
"""Bytes of a file of actions."""

_STYLES: dict[State, str] = {"holds": "green", "broken": "bold red", "skipped": "yellow"}


def check(
    kind: Kind,
    name: str,
    assignments: Sequence[str],
    *,
    task: str | None = None,
    walk: Path | None = None,
    repeatable: bool = False,
) -> int:
    """Print every clause of the contract with what came of it.

    Returns:
        The exit code: 0 where none is broken, else 1.

    Raises:
        UsageError: there is no such plug-in, it cannot be made, or a flag is for another kind.
    """
    _refuse(kind, "environment", "--task", given=task is not None)
    _refuse(kind, "environment", "--walk", given=walk is not None)
    _refuse(kind, "model", "--repeatable", given=repeatable)
    actions = None if walk is None else _walk(walk)
    catalogue.refuse_rivals(kind, name)
    if kind != "model":  # a model may be an endpoint's, and then no catalogue has its name
        catalogue.factory(kind, name)
    out = console()
    found = catalogue.origin(kind, name)
    _say(out, f"{kind} {name}" if found is None else f"{kind} {name} ({found.brought_by})", "bold")
    with catalogue.as_plug_in_error(kind, name, "something to try the contract on"):
        match kind:
            case "environment":
                return _environment(out, name, from_assignments(assignments), task, actions)
            case "method":
                return _method(out, name, assignments)
            case "model":
                named = with_files({"model.name": Setting(name, f"check model {name}")})
                return _model(out, {**from_assignments(assignments), **named}, repeatable=repeatable)


def _environment(out: Console, name: str, settings: Settings, task: str | None, walk: tuple[str, ...] | None) -> int:
    known = {f"environment.{option}" for option in plugins.world_options(name).model_fields}
    refuse_unknown(settings, known)
    with _complaining(settings, "environment."):
        found = visits(Named(name, _options(settings, "environment.")), task, walk)
    for visit in found:
        _say(out, f"  {visit}: {_described(visit)}", "dim")
    return _judge(out, judged(ENVIRONMENT, found))


def _method(out: Console, name: str, assignments: Sequence[str]) -> int:
    found = practices(name, assignments)
    for practice in found if assignments else ():
        with suppress(Skipped):
            practice.spec()  # a setting that is not to be had is no clause's business
    learning = apprenticeships(name, assignments)
    return _judge(out, chain(judged(METHOD, found), judged(LEARNER_CONTRACT, learning) if learning else ()))


def _model(out: Console, settings: Settings, *, repeatable: bool) -> int:
    name = str(settings["model.name"].value)
    settings = {key: setting for key, setting in settings.items() if key != "model.name"}
    url = str(settings["model.url"].value) if "model.url" in settings else None
    options = {*plugins.model_options(name, url).model_fields, *ModelSettings.model_fields} - {"name"}
    refuse_unknown(settings, {f"model.{option}" for option in options})
    with _complaining(settings, "model."):
        asked = Questioned(Named(name, _options(settings, "model.")))
    with asked:
        code = _judge(out, judged((*MODEL, *REPEATABLE) if repeatable else MODEL, [asked]))
    if not repeatable:
        _say(out, f"{len(REPEATABLE)} more, in many calls, for a model that answers equal calls equally: --repeatable")
    _say(out, f"{plural(asked.calls, 'call')} made")
    return code


def _judge(out: Console, verdicts: Iterator[Verdict]) -> int:
    count: dict[State, int] = {"holds": 0, "broken": 0, "skipped": 0}
    for verdict in verdicts:
        count[verdict.state] += 1
        _say(out, f"  {verdict.state:<8} {verdict.clause}", _STYLES[verdict.state])
        if verdict.text:
            _say(out, f"           {verdict.text}")
    said = f"{plural(sum(count.values()), 'clause')}: {count['holds']} hold, {count['broken']} broken"
    _say(out, f"{said}, {count['skipped']} skipped", "bold")
    return 1 if count["broken"] else 0


def _say(out: Console, text: str, style: str = "") -> None:
    out.print(Text(text, style=style), soft_wrap=True)


def _described(visit: EnvironmentCase) -> str:
    steps = plural(len(visit.walk), "action")
    return f"a walk of {steps} that {'solves it' if visit.solves else 'does not solve it'}" if visit.walk else "no walk"


def _refuse(kind: Kind, its_kind: Kind, flag: str, *, given: bool) -> None:
    if given and kind != its_kind:
        raise UsageError(f"{flag}: expected with `check {its_kind}` only, got `check {kind}`")


def _options(settings: Settings, prefix: str) -> dict[str, object]:
    return {key.removeprefix(prefix): setting.value for key, setting in settings.items()}


@contextmanager
def _complaining(settings: Settings, prefix: str) -> Generator[None, None, None]:
    try:
        yield
    except ValidationError as error:
        raise complaint(error, settings, prefix) from error


def _walk(file: Path) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(read_limited(file, _LARGEST), type=tuple[str, ...])
    except OSError as error:
        raise UsageError(f"--walk: expected a file, got {error.strerror or error} ({file})") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--walk: expected a JSON list of actions, got something else: {error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"--walk: {error} ({file})") from error
