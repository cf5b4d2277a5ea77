"""What is missing of the runs of a report, and which episodes faulted: a line for each kind, with all its runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quintet.reports.episodes import RunResults
from quintet.reports.learning.report import LearningReport
from quintet.reports.load import Report, RunReport
from quintet.reports.text_tables import plural
from quintet.runs.folder import shell_command

_NAMED = 5
"""How many attempts a note names."""
_MOSTLY = 0.5
"""The share of answers that could not be read above which a report begins with it."""


class _Trouble(NamedTuple):
    what: str
    """The same of all runs that have it."""
    one: str
    """As said of one run."""
    among: str = ""
    """As said of one of several; empty: nothing differs."""
    remedy: str = ""


def troubles(report: Report) -> list[str]:
    """What is missing of runs' episodes, which faulted, and which arms have not begun: a line for each, with all runs.

    A version that is shown as an arm has those of the arm.
    """
    found: dict[tuple[str, str], list[tuple[str, _Trouble]]] = {}
    for run in report.runs:
        if run.version_of is None:
            for trouble in _troubles(run):
                found.setdefault((trouble.what, trouble.remedy), []).append((run.label, trouble))
    waiting: dict[Path, list[str]] = {}
    for arm, study in report.missing.items():
        waiting.setdefault(study, []).append(arm)
    lines = [_trouble_line(each) for each in found.values()]
    return lines + [
        f"{', '.join(arms)}: not begun; {shell_command('resume', study)}" for study, arms in waiting.items()
    ]


def _trouble_line(found: Sequence[tuple[str, _Trouble]]) -> str:
    (label, first), *others = found
    if not others:
        said = f"{label}: {first.one}"
    elif first.among:
        said = f"{first.what}: {', '.join(f'{name} ({each.among})' for name, each in found)}"
    else:
        said = f"{', '.join(name for name, _ in found)}: {first.what}"
    return f"{said}; {first.remedy}" if first.remedy else said


def _troubles(run: RunReport) -> Iterator[_Trouble]:
    results, summary, record = run.results, run.summary, run.summary.record
    resume = shell_command("resume", run.to_resume)
    if results.learning is not None and not results.finished:
        progress = learning_progress(results.learning, record.versions)
        yield _Trouble("unfinished", f"unfinished, {progress}", progress, resume)
    elif results.learning is None and summary.unfinished:
        done = f"{results.episodes - summary.unfinished} of {results.episodes} episodes"
        yield _Trouble("unfinished", f"unfinished, {done} done", done, resume)
    if results.repeats.times:
        yield _Trouble("repeats by hand (quintet ctl requeue)", _by_hand(results), _by_hand_counts(results))
    if interrupted := results.interrupted:
        again = "not counted; each episode began again, since the environment does not answer alike twice"
        attempts = plural(interrupted, "interrupted attempt")
        yield _Trouble(f"interrupted attempts, {again}", f"{attempts}, {again}", attempts)
    if unread := results.unanswered["unread"]:
        answers = f"{unread:,} of {plural(results.to_read, 'answer')} ({results.unread_share:.0%})"
        yield _Trouble("answers that could not be read", f"{answers} could not be read", answers)
    if bounded := results.bounded:
        counted = "what is counted is at most what was reserved"
        answers = plural(bounded, "answer")
        yield _Trouble(f"answers out of bounds, {counted}", f"{answers} out of bounds; {counted}", answers)
    if silent := results.without_verdict:
        answers, why = plural(silent, "answer"), "the judge said neither yes nor no"
        yield _Trouble(f"answers without a verdict, {why}", f"{answers} without a verdict: {why}", answers)
    if summary.faulted:
        faulted = plural(summary.faulted, "faulted episode")
        among = f"{summary.faulted} of {results.episodes} episodes"
        yield _Trouble("faulted, not counted", f"{faulted}, not counted", among, f"{resume} --faulted")


def mostly_unread(report: Report) -> list[str]:
    """A line for each run of whose answers less than half could be read: its figures say little of its method."""
    return [
        f"warning: {run.label}: {run.results.unread_share:.0%} of the answers could not be read, as with a wrong chat "
        f"template; to see them: {shell_command('show', run.results.folder.path)}"
        for run in report.runs
        if run.version_of is None and run.results.unread_share > _MOSTLY
    ]


def _by_hand_counts(results: RunResults) -> str:
    return plural(results.repeats.times, "repeat") + _discarded(results)


def _discarded(results: RunResults) -> str:
    discarded = results.repeats.discarded
    return f", {plural(discarded, 'result')} discarded" if discarded else ""


def _by_hand(results: RunResults) -> str:
    more = [f"and {len(results.by_hand) - _NAMED} more"] * (len(results.by_hand) > _NAMED)
    which = ", ".join([*results.by_hand[:_NAMED], *more])
    repeats = plural(results.repeats.times, "repeat")
    return f"{repeats} by hand (quintet ctl requeue): {which}{_discarded(results)}; the newest attempt counts"


def learning_progress(learning: LearningReport, versions: int) -> str:
    """How far a run that learns has come."""
    if learning.ended:
        return f"version {learning.chosen} of {versions} chosen"
    newest = max((version.number for version in learning.versions), default=0)
    return f"still learning, version {newest} of {versions}" if learning.begun else "not begun"
