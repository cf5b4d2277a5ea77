"""The commands and their flags. Each imports what carries it out only when it is called."""

from pathlib import Path
from typing import Literal

from cyclopts import App

from deploy.cli.flags import Assignments, Flags, Switch

_NOTHING_GIVEN = Flags()


def _version() -> str:
    from importlib.metadata import version

    return version("quintet")


app = App(
    name="quintet",
    help="Evaluate language-model agents that plan, act, reflect and remember.",
    version=_version,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)


@app.command(name="eval")
def evaluate(method: str, environment: str, *, flags: Flags = _NOTHING_GIVEN) -> int:
    """Evaluate a method in an environment.

    Args:
        method: `quintet list methods`.
        environment: `quintet list environments`.
    """
    from deploy.cli.running import evaluate as carry_out

    return carry_out(method, environment, flags)


@app.command
def resume(run: Path, *, faulted: Switch = False, assignments: Assignments = ()) -> int:
    """Go on with a run or a study that was interrupted.

    Args:
        run: Its folder.
        faulted: Also repeat the episodes that faulted.
        assignments: A setting, `section.key=value`, that cannot change results; may be repeated.
    """
    from deploy.cli.running import resume as carry_out

    return carry_out(run, assignments, faulted=faulted)


@app.command
def show(run: Path, episode: str | None = None, *, call: int | None = None) -> None:
    """Show a run's episodes, an episode's conversation, or one model call of it.

    Args:
        run: A run folder, or a study folder.
        episode: A task's name, or its path task/epoch/attempt. In a study ARM, or ARM/EPISODE.
        call: Print the exact prompt and completion of this call, numbered as in the conversation.
    """
    from deploy.cli.looking import show as carry_out

    carry_out(run, episode, call)


@app.command
def report(*runs: Path, json: Switch = False, csv: Switch = False) -> None:
    """Report success, differences and costs of runs and studies.

    Args:
        runs: Run folders and study folders.
        json: Everything, for programs.
        csv: One line per episode.
    """
    from deploy.cli.looking import report as carry_out

    carry_out(runs, json=json, csv=csv)


@app.command
def study(name: str, *, flags: Flags = _NOTHING_GIVEN, no_picture: Switch = False) -> int:
    """Run the arms of a study and compare them; flags are for all arms.

    Args:
        name: `quintet list studies`.
        no_picture: Draw no picture.
    """
    from deploy.cli.running import study as carry_out

    return carry_out(name, flags, picture=not no_picture)


@app.command(name="list")
def list_(what: Literal["methods", "environments", "models", "studies"]) -> None:
    """List what can be named, with the options of each.

    Args:
        what: methods, environments, models or studies.
    """
    from deploy.cli.listing import listing

    print(listing(what))


@app.command
def schema() -> None:
    """Print the JSON Schema of everything that is said on the wire and in the journal."""
    import msgspec

    from protocols.wire import schema as wire_schema

    print(msgspec.json.format(msgspec.json.encode(wire_schema()), indent=2).decode())
