"""The commands and their flags. Each imports what carries it out only when it is called."""

from pathlib import Path
from typing import Literal

from cyclopts import App

from quintet.cli.flags import Assignments, Changes, EvaluationFlags, LearningFlags, Switch, Whole

_NOTHING_GIVEN = EvaluationFlags()
_NOTHING_LEARNT_OTHERWISE = LearningFlags()
_NOTHING_CHANGED = Changes()


def _version() -> str:
    from importlib.metadata import version

    return version("quintet-agents")


app = App(
    name="quintet",
    help="Evaluate language-model agents that plan, act, reflect and remember.",
    version=_version,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)


@app.command(name="eval")
def evaluate(method: str, environment: str, *, flags: EvaluationFlags = _NOTHING_GIVEN) -> int:
    """Evaluate a method in an environment.

    Args:
        method: `quintet list methods`.
        environment: `quintet list environments`.
    """
    from quintet.cli.run import evaluate as carry_out

    return carry_out(method, environment, flags)


@app.command
def optimize(method: str, environment: str, *, flags: LearningFlags = _NOTHING_LEARNT_OTHERWISE) -> int:
    """Let a method learn in an environment, and measure what it learns.

    Args:
        method: One that learns: `quintet list methods`.
        environment: `quintet list environments`.
    """
    from quintet.cli.run import evaluate as carry_out

    return carry_out(method, environment, flags)


@app.command
def resume(run: Path, *, flags: Changes = _NOTHING_CHANGED, faulted: Switch = False, anew: Switch = False) -> int:
    """Go on with a run or a study that was interrupted, also with what cannot change its results.

    Args:
        run: Its folder.
        faulted: Also repeat the episodes that faulted.
        anew: Begin again where the run's journal is lost; every model call is made, and paid for, again.
    """
    from quintet.cli.run import resume as carry_out

    return carry_out(run, flags, faulted=faulted, anew=anew)


@app.command
def show(run: Path, episode: str | None = None, *, call: int | None = None) -> None:
    """Show a run's episodes, an episode's conversation, or one model call of it.

    Args:
        run: A run folder, or a study folder.
        episode: A task's name, or its path task/epoch/attempt. In a study ARM, or ARM/EPISODE.
        call: Print the exact prompt and completion of this call, numbered as in the conversation.
    """
    from quintet.cli.show import show as carry_out

    carry_out(run, episode, call)


@app.command
def report(*runs: Path, json: Switch = False, csv: Switch = False) -> None:
    """Report success, differences and costs of runs and studies.

    Args:
        runs: Run folders and study folders.
        json: Everything, for programs.
        csv: One line per episode.
    """
    from quintet.cli.show import report as carry_out

    carry_out(runs, json=json, csv=csv)


@app.command
def export(run: Path, *, parquet: Path) -> None:
    """Write a run's episodes, steps, completions, decisions and prompts as tables (docs/export.md).

    Args:
        run: A run folder, or a study folder.
        parquet: The folder to write, new or empty; one folder in it for each table.
    """
    from quintet.export.export import export_parquet
    from quintet.journal.reader import raise_damage

    written = export_parquet(run, parquet)
    for table, rows in written.rows.items():
        print(f"{rows:>9,} {table}")
    raise_damage(written.damage)


@app.command
def ctl(run: Path, /, *command: str, json: Switch = False, force: Switch = False) -> None:
    """Look at a run that is running, and control it.

    Args:
        run: Its folder, or that of a study, of which the arm is meant that runs now.
        command: status, pause, resume, cancel EPISODE, requeue EPISODE, or set concurrency=N.
        json: The answer, for programs.
        force: Requeue an episode that ended solved or unsolved too; its result does not count any more.
    """
    from quintet.cli.control import ctl as carry_out

    carry_out(run, command, json=json, force=force)


@app.command
def study(
    name: str, *, flags: EvaluationFlags = _NOTHING_GIVEN, seeds: Whole | None = None, no_picture: Switch = False
) -> int:
    """Run the arms of a study and compare them; flags are for all arms.

    Args:
        name: `quintet list studies`.
        seeds: Of a study that repeats its arms, how often: with --seed and those after it.
        no_picture: Draw no picture.
    """
    from quintet.cli.run import study as carry_out

    return carry_out(name, flags, picture=not no_picture, seeds=seeds)


@app.command(name="list")
def list_(what: Literal["methods", "environments", "models", "studies"]) -> None:
    """List what can be named, with the options of each.

    Args:
        what: methods, environments, models or studies.
    """
    from quintet.cli.list import listing

    print(listing(what))


@app.command
def serve_sim(
    *,
    port: int,
    model: str = "sim",
    script: Path | None = None,
    cycle: Switch = False,
    style: Literal["plain", "mixed"] = "plain",
    latency: str = "0",
    faults: str = "",
    seed: int = 0,
    host: str = "127.0.0.1",
) -> int:
    """Serve a simulated model over HTTP, as OpenAI's chat completions, until it is interrupted.

    Clients take the base URL that is printed, and any key. What was asked and answered is counted at /status.

    Args:
        port: Where to listen; 0 for any that is free.
        model: sim, which answers as sim-weak, sim-strong and sim-fallible (sim is the first), one of these alone
            (under its own name and sim), or scripted (under that name).
        script: What scripted says, a JSON list of texts: the first where the model has said nothing yet, and so on.
        cycle: Begin again after the last of them.
        style: mixed: the levels write as language models do, each answer in another form (reasoning, Markdown, JSON,
            lists), with the same content.
        latency: Of a completion: 0, 200ms, 2s, uniform(100ms,300ms), normal(2s,500ms), exponential(1s) or
            lognormal(1s,0.5), median and sigma.
        faults: KIND:SHARE of the requests, KIND@N or KIND@FIRST-LAST by number, separated by commas. Kinds: 400, 401,
            404, 422, 429, 500, 502, 503, 504, drop (no answer), late, lost (answered, but never sent), garbage (no
            JSON), empty (no choices), nousage, huge (usage), and instead of a text: refusal, filter, tools, null,
            image. Also retry-after=SECONDS, of 429 and 503, late=SECONDS, and context=TOKENS, the longest prompt.
        seed: Fixes latencies, shares of faults and styles, whatever the order in which requests come.
        host: Whose connections to take; only this machine's by default.
    """
    from quintet.cli.serve_sim import serve_sim as carry_out

    return carry_out(
        model,
        script=script,
        cycle=cycle,
        style=style,
        latency=latency,
        faults=faults,
        seed=seed,
        host=host,
        port=port,
    )


@app.command
def read(kind: Literal["decision", "plan", "reflection", "revision"]) -> None:
    """Read completions and print how each is understood, one JSON line for each, to tune prompts.

    A line of standard input is {"text": "..."}. It may say how the completion ended: {"text": "...", "finish":
    "length"} was cut off. Other fields are ignored. A line of another form ends the command with its number and exit
    code 2.

    decision: {"action": "go to desk 1"}, {"claim": true} (completed) or false (failed), or {"unreadable": WHY}.

    plan: {"plan": TREE, "notes": [...]}. TREE is the text of a step, {"all": [TREE, ...]} or {"any": [TREE, ...]}; null
    where there is no plan.

    reflection: {"reflection": TEXT, "notes": [...]}. TEXT is a summary, flaws or a suggested revision, without its
    label; null where nothing is left. The notes name further parts under labels of their own.

    revision: {"revision": TEXT, "unchanged": false, "notes": [...]}. TEXT is a new plan for all tasks; null where there
    is none. "unchanged" is true where the answer says that the plan stays as it is.

    Args:
        kind: decision, plan, reflection or revision.
    """
    from quintet.cli.read import read as carry_out

    carry_out(kind)


@app.command
def schema() -> None:
    """Print the JSON Schema of everything that is said on the wire and in the journal."""
    import msgspec

    from quintet.messages.wire import wire_schema

    print(msgspec.json.format(msgspec.json.encode(wire_schema()), indent=2).decode())


@app.command
def check(
    kind: Literal["environment", "method", "model"],
    name: str,
    *,
    assignments: Assignments = (),
    task: str | None = None,
    actions: Path | None = None,
    repeatable: Switch = False,
) -> int:
    """Check a plug-in, or one of ours, against the contract of its kind, clause by clause.

    Needs the extra: pip install 'quintet-agents[testing]'.

    Args:
        kind: environment, method or model.
        name: `quintet list`.
        assignments: An option, `environment.key=value` or as the kind is; may be repeated.
        task: Of an environment, the task to try; by default the first and the last of every split.
        actions: Of an environment, a file with actions that solve the (first) task, a JSON list; by default some are
            found at random.
        repeatable: A model claims to answer equal calls equally: try that too, in a hundred calls and more. Without it
            a model is called less than ten times.
    """
    from quintet.cli.check import check as carry_out

    return carry_out(kind, name, assignments, task=task, actions=actions, repeatable=repeatable)


app.command("quintet.cli.data:data", name="data", help="Make and check files that an environment is played from.")
