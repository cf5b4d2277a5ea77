"""Notes on a report: what its runs have in common, the settings of each, and what is missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from quintet.config.memory_section import MemorySection
from quintet.config.settings import flatten
from quintet.config.tasks import left_out_text
from quintet.learned.given_trajectories import count_words
from quintet.learned.kinds import CONTENT_KINDS
from quintet.quota.cost import Cost
from quintet.reports.continuations import origin_line
from quintet.reports.learning.lessons import failures
from quintet.reports.learning.report import LearningReport
from quintet.reports.load import Comparison, Report, RunReport, condition_difference
from quintet.reports.rescored import rescored_note
from quintet.reports.stream import stale_tasks, streams
from quintet.reports.summary import shares, unpaired_tasks
from quintet.reports.text_tables import model_label, plural
from quintet.reports.troubles import troubles
from quintet.runs.record import NO_MODEL, RunRecord


def title(report: Report) -> str:
    """A report's title: the environment, split, tasks, epochs, seed and model that its runs have in common."""
    records = [run.summary.record for run in report.runs]
    configs = [record.configuration for record in records]
    parts = [
        _common([config.environment.name for config in configs]),
        _common([_tasks(record) for record in records]),
        _common([_lessons(record) for record in records]),
        _common([_order(record) for record in records]),
        _common([_epochs(record) for record in records]),
        _common([_seeds(run) for run in report.runs]),
        _common([model_label(model) for model in asked_models(report) or [NO_MODEL]]),
    ]
    return ", ".join(part for part in parts if part)


def origins(report: Report) -> list[str]:
    """Of each fork, which run it goes on from, and what it changed."""
    forks = [(run.label, run.summary.record.fork) for run in report.runs]
    several = len(forks) > 1
    return [f"{label} " * several + origin_line(fork) for label, fork in forks if fork is not None]


def copied_notes(report: Report) -> list[str]:
    """What the figures of forks leave out."""
    return [
        f"{run.label}: calls, tokens and costs are those made here; {plural(run.results.copied, 'call')} before the "
        "places came from the recorded run; steps are those of whole episodes"
        for run in report.runs
        if run.summary.record.fork is not None
    ]


def _epochs(record: RunRecord) -> str:
    if record.fork is not None:
        return plural(record.episodes, "continuation")
    epochs = record.configuration.run.epochs
    return f"{epochs} epochs" if epochs > 1 else ""


def _tasks(record: RunRecord) -> str:
    run = record.configuration.run
    of_type = "" if run.task_type is None else f"task type {run.task_type}, "
    of_type += "" if run.per_type is None else f"the first {run.per_type} of each task type, "
    if isinstance(run.tasks, tuple):
        return f"{of_type}{plural(len(record.tasks), 'named task')}"
    return f"split {run.split}, {of_type}{plural(len(record.tasks), 'task')}"


def _seeds(run: RunReport) -> str:
    if len(run.seeds) > 1:
        return f"seeds {', '.join(map(str, run.seeds))}"
    return f"seed {run.summary.record.configuration.run.seed}"


def _order(record: RunRecord) -> str:
    """That its tasks are a stream, and in which order."""
    run = record.configuration.run
    order = "" if run.order is None else f" in order {run.order}"
    return f"as a stream{order}" if run.stream else ""


def _lessons(record: RunRecord) -> str:
    learning = record.configuration.learning
    if learning is None or record.streams:
        return ""
    number = len(record.training) + len(record.held_out)
    if not number:
        return ""
    tasks = plural(number, "training task")
    return tasks + ("" if learning.split is None else f" of split {learning.split}")


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def notes(report: Report) -> list[str]:
    """Notes on the tables, one line each."""
    found = [*task_warnings(report), *report.unpooled, *settings_notes(report)]
    found += copied_notes(report)
    found += troubles(report)
    return found + [left_out(comparison) for comparison in report.compared if any(comparison.unpaired)]


def task_warnings(report: Report) -> list[str]:
    """Where the runs of a report did not meet, or did not end, the same tasks, so that their rates are not alike."""
    if not report.runs:
        return []
    first, *others = report.runs
    paired = {frozenset((each.ours, each.theirs)) for each in report.compared}
    differing: dict[str, dict[str, list[str]]] = {}
    ended: list[str] = []
    for other in others:
        differs = condition_difference(first.summary.record, other.summary.record)
        mine, its = unpaired_tasks(first.results, other.results)
        if differs is not None and not differs.key.startswith("task "):
            here = f"{differs.key} is {differs.ours} in {first.label}"
            differing.setdefault(here, {}).setdefault(differs.theirs, []).append(other.label)
        elif (mine or its) and frozenset((first.label, other.label)) not in paired:
            both = plural(len(shares(first.results.tasks)) - mine, "task")
            ended.append(f"{both} ended in both, {mine} in {first.label} only, {its} in {other.label} only")
    found = [
        f"warning: tasks or worlds differ: {here}, "
        + ", ".join(f"{value} in {', '.join(labels)}" for value, labels in values.items())
        for here, values in differing.items()
    ]
    orders = {run.label: run.summary.record.configuration.run.order for run in report.runs if streams([run.results])}
    if len(set(orders.values())) > 1:
        named = ", ".join(f"{order} in {label}" for label, order in orders.items())
        found.append(f"warning: the streams are in other orders: run.order is {named}")
    return found + [f"warning: tasks differ: {'; '.join(ended)}"] * bool(ended)


def left_out_tasks(runs: Sequence[RunReport]) -> Iterator[str]:
    """How many tasks are left out of runs, by reason; of all together where they are the same."""
    texts = {run.label: left_out_texts(run.summary.record) for run in runs if run.version_of is None}
    if len(set(texts.values())) == 1:
        yield from next(iter(texts.values()))
    else:
        yield from (f"{label}: {text}" for label, found in texts.items() for text in found)


def left_out_texts(record: RunRecord) -> tuple[str, ...]:
    """How many tasks are left out of a run, by reason: of those that measure it, and of those to learn from."""
    measured, training = left_out_text(record.left_out), left_out_text(record.training_left_out)
    return (*[measured] * bool(measured), *[f"to learn from, {training}"] * bool(training))


def settings_notes(report: Report) -> Iterator[str]:
    """The settings of every run, what it was given and charged, and what its learner did not learn from."""
    yield from left_out_tasks(report.runs)
    yield from assumptions(run.summary.record for run in report.runs)
    yield from (f"{run.label}: {text}" for run in report.runs for text in _settings(run))


def _settings(run: RunReport) -> Iterator[str]:
    if run.version_of is not None:
        yield f"version {run.version_of.version} of {run.version_of.arm}"
        return
    record, config = run.summary.record, run.summary.record.configuration
    if record.scored is not None:
        yield rescored_note(record.scored)
        return
    options = ", ".join([record.label, run.results.model, *_option_texts(config.method.nested_options)])
    if config.learning is not None:
        judged = {} if config.learning.feedback == "reward" else {"feedback": config.learning.feedback}
        options += "; learning: " + ", ".join(_option_texts({**judged, **config.learning.options}))
    if config.memory is not None and (recalling := _recall_options(config.memory)):
        options += "; memory: " + ", ".join(_option_texts(recalling))
    if config.run.sampling_seed:
        options += f"; its calls are drawn anew (run.sampling_seed {config.run.sampling_seed})"
    yield options
    yield from (*declarations(record), *_own_prompts(record), *_given(record), *_started_with(record))
    if run.summary.overall.success is not None and run.summary.overall.success.stepless:
        yield "no episode took a step, so its figures say nothing of what it does"
    for section, times, cut, left_out in run.results.note_recalls:
        of = f" of section {section}" if section else ""
        budget = f"; the budget left out {plural(left_out, 'note')} in {cut:,} of them" if cut else ", none left out"
        yield f"notes{of} were recalled {plural(times, 'time')}{budget}"
    if run.results.charged is not None:
        yield _charge_text(run.results.charged)
    for calls, reason in run.results.lost_batches:
        yield f"a batch of {plural(calls, 'call')} was lost, and those that were needed were sent anew: {reason}"
    if run.results.learning is not None:
        if record.streams and (beside := stale_tasks(run.results.learning)):
            yield f"tasks were played side by side: each lacked the lessons of {beside:.1f} tasks before it, mean"
        yield from _verdicts(run.results.learning)
        yield from learning_troubles(run.results.learning)


def _verdicts(learning: LearningReport) -> Iterator[str]:
    """How often a model's verdict on an attempt to learn from was what the reward says; nothing if it gave none."""
    pairs = [
        (iteration.lessons.verdicts[row.task], row.success)
        for iteration in learning.iterations
        for row in iteration.batch
        if row.task in iteration.lessons.verdicts
    ]
    if pairs:
        right = sum(verdict == success for verdict, success in pairs)
        yield f"attempts were judged: {right} of {plural(len(pairs), 'verdict')} say what the reward says"


def assumptions(records: Iterable[RunRecord]) -> Iterator[str]:
    """What the figures of models depend on that are none, each once."""
    yield from dict.fromkeys(text for record in records for text in record.assumptions)


def declarations(record: RunRecord) -> Iterator[str]:
    """Why a run's results are not those of one blind try at each task, as its method says of itself."""
    if record.oracle:
        yield f"an oracle: {record.oracle}"
    if record.best_of:
        yield f"a best of several: {record.best_of}"
    if record.undo:
        yield f"a free undo, which few tasks of your own would allow: {record.undo}"


def _own_prompts(record: RunRecord) -> Iterator[str]:
    names: dict[Path, list[str]] = {}
    for name, file in record.own_prompts.items():
        names.setdefault(file.parent, []).append(name)
    for folder, found in names.items():
        yield f"own prompts: {', '.join(found)} ({folder})"


def left_out(comparison: Comparison) -> str:
    """How many tasks two runs do not have in common."""
    ours, theirs = comparison.ours, comparison.theirs
    common = plural(comparison.differences["", ""].tasks, "task")
    mine, other = comparison.unpaired
    return (
        f"{ours} - {theirs}: compares the {common} that ended in both; "
        f"{mine} ended in {ours} only, {other} in {theirs} only"
    )


def _option_texts(options: Mapping[str, object]) -> list[str]:
    return [f"{key} {value}" for key, value in options.items() if value is not None]


def _recall_options(memory: MemorySection) -> dict[str, object]:
    """How a run recalls, where that is not the default; and what embeds it, if anything does."""
    fields = {"world", "batch", "sections", "retrieval", "budget", "most", "control"}
    recalling = dict(flatten(memory.model_dump(include=fields, exclude_defaults=True)))
    return recalling if memory.embeds is None else {**recalling, "embedder": memory.embeds.name}


def _given(record: RunRecord) -> Iterator[str]:
    for kind in CONTENT_KINDS.values():
        if kind.given(record):
            yield f"{'begins with' if record.learns else 'is shown'} the {kind.name} in {kind.source(record)}"
    if record.trajectories is not None:
        number, _, left_out = record.trajectories
        yield f"is given {count_words(number, left_out)}"


def _started_with(record: RunRecord) -> Iterator[str]:
    for model, calls in record.sustained.items():
        yield f"{model}: {calls:,} calls at once were sustained when the run was made (limits.start)"


def _charge_text(charged: Cost) -> str:
    usd = "" if charged.usd is None else f"{charged.usd:.4f} USD, "
    return f"charged {usd}{charged.tokens:,} tokens, attempts that brought no answer included"


def asked_models(report: Report) -> list[str]:
    """The models of the runs. A run without a model is left out."""
    return list(dict.fromkeys(run.results.model for run in report.runs if run.results.model != NO_MODEL))


def learning_troubles(learning: LearningReport) -> Iterator[str]:
    """Work from which the run learnt nothing: updates without effect, failed requests, faulted episodes."""
    name = learning.kind.name
    if unchanged := learning.count("unchanged"):
        yield f"{unchanged} of {plural(learning.updates, 'update')} left the {name} as it was"
    for version in learning.versions:
        if version.outcome == "no lessons":
            yield f"iteration {version.number}: no lessons, so no new {name} was asked for"
    for iteration in learning.iterations:
        if iteration.lessons.failed:
            yield f"iteration {iteration.number}: no new {name}: {iteration.lessons.failed}"
        for failure in failures(iteration.lessons):
            yield f"iteration {iteration.number}: {failure}"
        faulted = sum(row.state == "faulted" for row in iteration.batch)
        if faulted:
            yield f"iteration {iteration.number}: {plural(faulted, 'faulted episode')}, not learnt from"
