"""`prompts`: list the prompts of a method in an environment, copy them to a folder of one's own, compare both.

`optimize` has a module of its own.
"""

from collections.abc import Generator
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args

from cyclopts import App, Parameter
from rich.text import Text

from quintet.cli.console import console
from quintet.config.objects import take_objects
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.prompts import changed_prompts, refuse_other_prompts
from quintet.messages.learning import MemoryKind
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import INSERTED, Prompts, read_prompt
from quintet.plugins import catalogue
from quintet.plugins.brought import bringing
from quintet.plugins.prompts import find_prompts, known_prompts, required_prompts
from quintet.reports.text_tables import TextTable, plural, print_notes, print_tables
from quintet.roles.registry import roles_answering
from quintet.runs.files import named_path

prompts = App(
    name="prompts",
    help="List a method's prompts, copy them, compare yours, and optimise them.",
    help_format="plaintext",
)

prompts.command(
    "quintet.cli.optimize_prompts:optimize_prompts_command",
    name="optimize",
    help="""Rewrite prompts of a method by what they lead to on training tasks, with GEPA, and measure the best.

    Needs the extra: pip install 'quintet-agents[gepa]'.
    """,
)

_SHOWN = "executor, as an example"


class _Found(NamedTuple):
    method: type[Method[Any]]
    world: str
    names: tuple[str, ...]

    def prompts(self, own: Path | None = None) -> Prompts:
        """Its prompts there, the user's first."""
        if own is not None:
            refuse_other_prompts("prompts", own, self.world, self.names)
        return find_prompts(self.method, self.world, own)


@prompts.command(name="list")
def list_prompts_command(method: str, environment: str, folder: Path | None = None, /) -> None:
    """List the prompts of a method in an environment: who reads each, and where it lies.

    Args:
        method: `quintet list methods`, or FILE.py:OBJECT; an inner method's prompts are its own.
        environment: `quintet list environments`, or FILE.py:OBJECT.
        folder: Of your own prompts; what it has comes first.
    """
    with _find(method, environment) as found:
        there = found.prompts(None if folder is None else named_path(folder, "prompts"))
        readers = _readers(found.method) | dict.fromkeys(INSERTED, "whoever acts")
        lacking = dict.fromkeys(required_prompts(found.method), "missing")
        lacking |= {name: "none, optional" for role in found.method.roles for name in role.optional_prompts}
        rows: list[tuple[str, ...]] = []
        for name in found.names:
            file = there.find(name)
            if file is not None or name in lacking:
                place = lacking[name] if file is None else str(file.parent)
                rows.append((name, readers.get(name.partition(".")[0], _SHOWN), place))
        out = console()
        title = f"{found.method.name} in {found.world}"
        print_tables([TextTable(title, ("prompt", "read by", "folder"), tuple(rows))], out)
        _say_missing(found, there)


@prompts.command(name="copy")
def copy_prompts_command(
    method: str, environment: str, folder: Path, /, *, source: Annotated[str | None, Parameter(name="--from")] = None
) -> None:
    """Copy the prompts of a method in an environment, to edit them and run with --set method.prompts=FOLDER.

    Args:
        method: `quintet list methods`, or FILE.py:OBJECT; an inner method's prompts are its own.
        environment: `quintet list environments`, or FILE.py:OBJECT.
        folder: Where to: FOLDER/ENVIRONMENT/NAME.txt. A file there that says something else is never replaced.
        source: The environment whose prompts to begin with, where the method has none for this one.
    """
    with _find(method, environment) as found:
        origin = found.prompts() if source is None else find_prompts(found.method, source)
        place = named_path(folder, "prompts") / found.world
        files = {place / file.name: read_prompt(file) for name in found.names if (file := origin.find(name))}
        for file, text in files.items():
            if file.exists() and read_prompt(file) != text:
                raise UsageError(f"prompts: expected no file, or the same text, got another in {file}; move it away")
        place.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            file.write_text(text, encoding="utf-8", newline="")
        notes = [f"{plural(len(files), 'prompt')} in {place}; to run with them: --set method.prompts={folder}"]
        print_notes(notes, console())
        _say_missing(found, find_prompts(found.method, found.world, named_path(folder, "prompts")))


@prompts.command(name="diff")
def diff_prompts_command(method: str, environment: str, folder: Path, /) -> None:
    """Print how your prompts differ from those of a method in an environment.

    Args:
        method: `quintet list methods`, or FILE.py:OBJECT; an inner method's prompts are its own.
        environment: `quintet list environments`, or FILE.py:OBJECT.
        folder: Of your own prompts: FOLDER/ENVIRONMENT/NAME.txt.
    """
    with _find(method, environment) as found:
        own = named_path(folder, "prompts")
        found.prompts(own)
        shipped, changed = find_prompts(found.method, found.world), changed_prompts(found.method, found.world, own)
        for name, file in changed.items():
            before = shipped.find(name)
            lines = [] if before is None else read_prompt(before).splitlines()
            named = "none" if before is None else str(before)
            for line in unified_diff(lines, read_prompt(file).splitlines(), named, str(file), lineterm=""):
                console().print(Text(line), soft_wrap=True)
        same = len(Prompts([own], found.world).names) - len(changed)
        print_notes([f"{plural(len(changed), 'prompt')} of yours; {same} as the method has them"], console())


@contextmanager
def _find(method: str, environment: str) -> Generator[_Found, None, None]:
    given = from_table({"method": {"name": method}, "environment": {"name": environment}}, "quintet prompts")
    (settings,), objects = take_objects([given])
    if inner := settings.get("method.inner.name"):
        raise UsageError(f"method: expected one method, got {inner.value!r} too; an inner one's prompts are its own")
    world: str = settings["environment.name"].value
    with bringing(objects):
        kind = catalogue.method(settings["method.name"].value)
        yield _Found(kind, world, known_prompts(kind, world))


def _readers(method: type[Method[Any]]) -> dict[str, str]:
    """The names of roles, by the first part of the names of the prompts that they read."""
    requests = method.asks(learning="judged", recalling=get_args(MemoryKind))
    found = {
        name.partition(".")[0]: role.name
        for request in requests
        for role in roles_answering(request, method.roles)
        for name in role.requests[request]
    }
    return found | {name: role.name for role in method.roles for name in role.optional_prompts}


def _say_missing(found: _Found, there: Prompts) -> None:
    missing = [f"{name}.txt" for name in required_prompts(found.method) if there.find(name) is None]
    if missing:
        print_notes([f"missing, for you to write: {', '.join(missing)}"], console())
