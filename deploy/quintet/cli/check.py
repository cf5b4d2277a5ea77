"""`check`: try a plug-in, or one of ours, against the contract of its kind."""

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import msgspec
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from quintet.cli.children import ending_children
from quintet.cli.console import console
from quintet.cli.flags import Assignments, Switch
from quintet.config import plugins
from quintet.config.complaints import complaint, refuse_unknown
from quintet.config.method_names import parse_method
from quintet.config.sections import ModelSettings
from quintet.config.settings import Setting, Settings, from_assignments
from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind
from quintet.plugins.files import read_limited
from quintet.reports.text_tables import plural
from quintet.testing import (
    embedder,
    environment,
    environment_copies,
    environment_members,
    environment_methods,
    learner,
    method,
    model,
    repeatable_model,
    stream,
)
from quintet.testing.contract import State, Verdict, clauses, run_contracts
from quintet.testing.embedder_case import EmbedderCase
from quintet.testing.environment_case import environment_cases
from quintet.testing.learner import learner_cases
from quintet.testing.method_case import method_cases
from quintet.testing.model_case import ModelCase
from quintet.testing.stream import stream_cases
from quintet.testing.subprocesses import NamedPlugIn, name_plug_in

_LARGEST = 2**20
"""Bytes of a file of actions."""

_STYLES: dict[State, str] = {"holds": "green", "broken": "bold red", "skipped": "yellow"}


def check_command(
    kind: Kind,
    name: str,
    *,
    assignments: Assignments = (),
    task: str | None = None,
    actions: Path | None = None,
    repeatable: Switch = False,
) -> int:
    """Print every clause of the contract with its result; the exit code is 1 if one is broken.

    Args:
        kind: environment, method, model or embedder.
        name: `quintet list`, or FILE.py:OBJECT; a method also with an inner one and options: `OUTER(INNER):key=value`.
        assignments: An option, `environment.key=value`, `method.key=value`, `model.key=value` or
            `memory.embedder.key=value`; may be repeated.
        task: The task of an environment to try; by default the first and the last of every split.
        actions: A file with a JSON list of actions that solve the (first) task of an environment; by default some are
            found at random.
        repeatable: Also check that a model answers equal calls equally, with more than a hundred calls. Otherwise it is
            called fewer than ten times.
    """
    _refuse(kind, "environment", "--task", given=task is not None)
    _refuse(kind, "environment", "--actions", given=actions is not None)
    _refuse(kind, "model", "--repeatable", given=repeatable)
    solution = None if actions is None else _read_actions(actions)
    options: Mapping[str, str] = {}
    if kind == "method":
        plug_in = parse_method(name).names[0]
    else:
        plug_in, options = catalogue.split_name(kind, name)
    settings = {f"{kind}.{option}": Setting(value, f"check {kind} {name}") for option, value in options.items()}
    settings = {**from_assignments(assignments), **settings}
    named = name_plug_in(kind, plug_in)
    catalogue.refuse_rivals(kind, named.name)
    out = console()
    with (
        ending_children(),
        named.brought(kind),
        catalogue.as_plug_in_error(kind, named.name, "something to try the contract on"),
    ):
        if kind in ("environment", "method"):  # an endpoint's model is in no catalogue
            catalogue.factory(kind, named.name)
        label = catalogue.plug_in_label(kind, named.name)
        _say(out, label if plug_in == name else f"{label}: {name}", "bold")
        match kind:
            case "environment":
                return _environment(out, named, settings, task, solution)
            case "method":
                return _method(out, name, assignments)
            case "model":
                return _model(out, named, settings, repeatable=repeatable)
            case "embedder":
                return _embedder(out, named, settings)


def _environment(
    out: Console, named: NamedPlugIn, settings: Settings, task: str | None, actions: tuple[str, ...] | None
) -> int:
    with _as_complaint(settings, "environment.", plugins.world_options(named.name).model_fields):
        cases = environment_cases(named.place, _options(settings, "environment."), task=task, actions=actions)
    for case in cases:
        solved = "solved" if case.solves else "not solved"
        _say(out, f"  {case}: {plural(len(case.actions), 'action')}, {solved}", "dim")
    contracts = (environment, environment_copies, environment_members, environment_methods)
    return _run(out, dict.fromkeys(contracts, cases))


def _method(out: Console, name: str, assignments: Sequence[str]) -> int:
    named = from_assignments(assignments).get("environment.name")
    cases = method_cases(name, assignments, environment=None if named is None else str(named.value))
    for case in cases:
        if assignments and not case.obstacle():
            case.prepared()  # an invalid setting is a usage error, not a broken clause
    found: dict[ModuleType, Sequence[object]]
    found = {method: cases, learner: learner_cases(name, assignments), stream: stream_cases(name, assignments)}
    return _run(out, {contract: each for contract, each in found.items() if each or contract is method})


def _model(out: Console, named: NamedPlugIn, settings: Settings, *, repeatable: bool) -> int:
    url = _url("model.", settings)
    options = {*plugins.model_options(named.name, url).model_fields, *ModelSettings.model_fields} - {"name"}
    with _as_complaint(settings, "model.", options):
        case = ModelCase(named.place, _options(settings, "model."))
    with case:
        code = _run(out, {model: [case], repeatable_model: [case]} if repeatable else {model: [case]})
    if not repeatable:
        more = len(clauses(repeatable_model))
        _say(out, f"{more} more, in many calls, for a model that answers equal calls equally: --repeatable")
    _say(out, f"{plural(case.calls, 'call')} made")
    return code


def _embedder(out: Console, named: NamedPlugIn, settings: Settings) -> int:
    section = "memory.embedder."
    options = {*plugins.embedder_options(named.name, _url(section, settings)).model_fields, "url"}
    with _as_complaint(settings, section, options):
        case = EmbedderCase(named.place, _options(settings, section))
    with case:
        code = _run(out, {embedder: [case]})
    _say(out, f"{plural(case.calls, 'call')} made")
    return code


def _url(section: str, settings: Settings) -> str | None:
    return str(settings[f"{section}url"].value) if f"{section}url" in settings else None


def _run(out: Console, contracts: Mapping[ModuleType, Sequence[object]]) -> int:
    count: Counter[State] = Counter()

    def report(verdict: Verdict) -> None:
        count[verdict.state] += 1
        _say(out, f"  {verdict.state:<8} {verdict.clause}", _STYLES[verdict.state])
        if verdict.text:
            _say(out, f"           {verdict.text}")

    run_contracts(contracts, report)
    total = f"{plural(count.total(), 'clause')}: {count['holds']} hold, {count['broken']} broken"
    _say(out, f"{total}, {count['skipped']} skipped", "bold")
    return 1 if count["broken"] else 0


def _say(out: Console, text: str, style: str = "") -> None:
    out.print(Text(text, style=style), soft_wrap=True)


def _refuse(kind: Kind, its_kind: Kind, flag: str, *, given: bool) -> None:
    if given and kind != its_kind:
        raise UsageError(f"{flag}: expected with `check {its_kind}` only, got `check {kind}`")


def _options(settings: Settings, prefix: str) -> dict[str, object]:
    return {key.removeprefix(prefix): setting.value for key, setting in settings.items()}


@contextmanager
def _as_complaint(settings: Settings, prefix: str, options: Iterable[str]) -> Generator[None, None, None]:
    refuse_unknown(settings, {f"{prefix}{option}" for option in options})
    try:
        yield
    except ValidationError as error:
        raise complaint(error, settings, prefix) from error


def _read_actions(file: Path) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(read_limited(file, _LARGEST), type=tuple[str, ...])
    except OSError as error:
        raise UsageError(f"--actions: expected a file, got {error.strerror or error} ({file})") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--actions: expected a JSON list of actions, got something else: {error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"--actions: {error} ({file})") from error
