"""The commands and their flags. Each imports what carries it out only when it is called."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from cyclopts import App, Parameter

from deploy.cli.flags import Flags

Switch: TypeAlias = Annotated[bool, Parameter(negative="")]
Assignments: TypeAlias = Annotated[Sequence[str], Parameter(name="--set", negative="")]


def _version() -> str:
    from importlib.metadata import version

    return version("quintet")


app = App(
    name="quintet",
    help="Evaluate language-model agents that plan, act, reflect and remember.",
    version=_version,
    help_format="plaintext",
)


@app.command(name="eval")
def evaluate(
    method: str,
    environment: str,
    *,
    model: str | None = None,
    split: str | None = None,
    tasks: str | None = None,
    epochs: int | None = None,
    seed: int | None = None,
    concurrency: int | None = None,
    config: Path | None = None,
    assignments: Assignments = (),
    out: Path | None = None,
    dry_run: Switch = False,
    fail_fast: Switch = False,
    json: Switch = False,
) -> int:
    """Evaluate a method in an environment.

    Args:
        method: `quintet list methods`.
        environment: `quintet list environments`.
        model: `quintet list models`.
        split: List of tasks; the environment's first by default.
        tasks: The first so many, or names separated by commas.
        epochs: Repetitions of every task, each in a world of its own.
        seed: Fixes the worlds and the calls.
        concurrency: Episodes at a time.
        config: A TOML file with the sections method, environment, model, run, runtime, limits.
        assignments: A setting, `section.key=value`; may be repeated.
        out: The run folder, new or empty. By default runs/TIME-METHOD-ENVIRONMENT.
        dry_run: Print the resolved configuration and the tasks; create nothing.
        fail_fast: Stop the run at the first bug in an actor or a plug-in.
        json: Print the report as JSON.
    """
    from deploy.cli.running import evaluate as carry_out

    flags = Flags(
        method=method,
        environment=environment,
        model=model,
        split=split,
        tasks=tasks,
        epochs=epochs,
        seed=seed,
        concurrency=concurrency,
        fail_fast=fail_fast,
        config=config,
        assignments=assignments,
    )
    return carry_out(flags, out, dry_run=dry_run, json=json)


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
def study(
    name: str,
    *,
    model: str | None = None,
    split: str | None = None,
    tasks: str | None = None,
    epochs: int | None = None,
    seed: int | None = None,
    concurrency: int | None = None,
    config: Path | None = None,
    assignments: Assignments = (),
    out: Path | None = None,
    dry_run: Switch = False,
    json: Switch = False,
    no_picture: Switch = False,
) -> int:
    """Run the arms of a study and compare them.

    Args:
        name: `quintet list studies`.
        model: As for eval; this and what follows is for all arms.
        split: As for eval.
        tasks: As for eval.
        epochs: As for eval.
        seed: As for eval.
        concurrency: As for eval.
        config: As for eval.
        assignments: As for eval.
        out: The study folder, new or empty. By default runs/TIME-NAME.
        dry_run: Print the arms; create nothing.
        json: Print the report as JSON.
        no_picture: Draw no picture.
    """
    from deploy.cli.running import study as carry_out

    flags = Flags(
        model=model,
        split=split,
        tasks=tasks,
        epochs=epochs,
        seed=seed,
        concurrency=concurrency,
        config=config,
        assignments=assignments,
    )
    return carry_out(name, flags, out, dry_run=dry_run, json=json, picture=not no_picture)


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
