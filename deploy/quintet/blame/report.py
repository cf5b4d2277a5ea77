"""The report of a search: a line for each episode, where the steps lie that decided, and all of it for programs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from quintet.blame.blamed import BlamedAttempt, BlamedRun, Third
from quintet.blame.chances import LEVEL, Chance, least_fall
from quintet.blame.step_rewards import step_rewards
from quintet.blame.verdicts import DECIDED_BY
from quintet.quota.cost import total
from quintet.reports.exports import cost_content, estimate_content
from quintet.reports.text_tables import NONE, TextTable, cut, number, p_value, percent, plural, share
from quintet.runs.folder import shell_command
from quintet.runs.study_folder import StudyFolder

_SHOWN: Final = 5
"""Episodes of each kind that have notes of their own; the others are in the table, and JSON has all."""
_LONGEST: Final = 160
"""Characters of an action or an observation."""
_THIRDS: Final[Mapping[Third, str]] = {"early": "first", "middle": "middle", "late": "last"}
_TITLE: Final = "Success x 100 (reward >= 1) of continuations from before and after the step, or the whole episode"


def blame_report(folder: StudyFolder) -> tuple[list[TextTable], list[str], dict[str, Any]]:
    """Tables, notes on them, and the same for programs."""
    run = BlamedRun.of(folder)
    return [_episodes_table(run), _places_table(run)], list(_notes(run)), _content(run)


def _episodes_table(run: BlamedRun) -> TextTable:
    return TextTable(
        f"{_TITLE} ({run.about.times} of each place)",
        ("episode", "decided by", "action", "before", "after", "p", "n", "calls", "tokens", "USD"),
        tuple(map(_episode_row, run.attempts)),
        left=3,
    )


def _episode_row(each: BlamedAttempt) -> tuple[str, ...]:
    verdict, cost, of = each.verdict, each.outcomes.cost, f"of {each.outcomes.about.steps}"
    named = verdict.kind == "step"
    return (
        each.path,
        f"step {verdict.step} {of}" if named else DECIDED_BY[verdict.kind],
        cut(each.step.action, 40) if named and each.step is not None else NONE,
        percent(verdict.before.estimate),
        percent(verdict.after.estimate),
        NONE if verdict.p is None else p_value(verdict.p),
        str(each.outcomes.continuations),
        f"{cost.calls:,}",
        f"{cost.tokens:,}",
        number(cost.usd, ".2f"),
    )


def _places_table(run: BlamedRun) -> TextTable:
    thirds = Counter(each.third for each in run.attempts)
    kinds = Counter(each.verdict.kind for each in run.attempts)
    counts = {
        **{f"a step in the {name} third": thirds[third] for third, name in _THIRDS.items()},
        **{words: kinds[kind] for kind, words in DECIDED_BY.items() if kind != "step"},
    }
    rows = tuple((words, str(n), share(n / len(run.attempts))) for words, n in counts.items() if n)
    return TextTable("What decided the episodes", ("", "episodes", "%"), rows)


def _notes(run: BlamedRun) -> Iterator[str]:
    about, times = run.about, run.about.times
    yield f"continuations of {_shown(about.run)}; calls, tokens and USD are those of live calls"
    named = [each for each in run.attempts if each.verdict.kind == "step"]
    for each in named[:_SHOWN]:
        yield from _step_lines(run, each)
    if len(named) > _SHOWN:
        yield f"{plural(len(named) - _SHOWN, 'further step')}: --json has all"
    for each in [each for each in run.attempts if each.verdict.kind == "end" and each.end][:_SHOWN]:
        read = shell_command("show", _shown(about.run), each.path)
        yield f"{each.path}, after its last step: {cut(each.end, _LONGEST)}; to read it: {read}"
    if about.changes:
        yield f"the continuations have {', '.join(about.changes)}: they are those of another policy than the run's"
    if tested := sum(each.verdict.tested for each in run.attempts):
        way = "comparing all steps" if about.every_step else "bisection"
        yield (
            f"{way} only proposes a step: its fall is tested once, with {times} fresh continuations on each side that "
            f"the search did not see (Fisher's exact test, one-sided, level {LEVEL:g} for each episode); where nothing "
            f"fell, at most {100 * LEVEL:g} % of the {plural(tested, 'test')} name a step all the same"
        )
    least = share(1 - least_fall(times))
    yield f"{times} continuations prove a fall from 100 to {least}, or a greater one; smaller ones need more"
    unproven = [each for each in run.attempts if each.verdict.enough is not None]
    for each in unproven[:_SHOWN]:
        yield f"{each.path}: {each.verdict.unproven} is no proof; --times {each.verdict.enough} could prove as much"
    if len(unproven) > _SHOWN:
        yield f"{len(unproven) - _SHOWN} further episodes need more continuations: --json has all"
    if faulted := sum(each.outcomes.faulted for each in run.attempts):
        yield f"{plural(faulted, 'continuation')} faulted and are not counted"
    if run.unread:
        yield f"actions cannot be shown: {run.unread}"


def _step_lines(run: BlamedRun, each: BlamedAttempt) -> Iterator[str]:
    step = each.step
    if step is None:
        return
    verdict, folder = each.verdict, _shown(run.about.run)
    fell = f"{percent(verdict.before.estimate)} before, {percent(verdict.after.estimate)} after"
    yield f"{each.path}, step {step.number} at {step.path}: {fell}"
    yield f"  action: {cut(step.action, _LONGEST)}"
    yield f"  observation: {cut(step.observation, _LONGEST)}"
    yield f"  to read it: {shell_command('show', folder, each.path)}"
    yield f"  to try something else there: {_fork(folder, each)} --act ACTION"


def _shown(run: Path) -> Path:
    """A folder as a person here would name it."""
    here = Path.cwd()
    return run.relative_to(here) if run.is_relative_to(here) else run


def _fork(run: Path, each: BlamedAttempt) -> str:
    return shell_command("fork", run, each.path, "--at", f"step:{each.verdict.step}")


def _content(run: BlamedRun) -> dict[str, Any]:
    about = run.about
    return {
        "run": str(about.run),
        "times": about.times,
        "every_step": about.every_step,
        "changes": list(about.changes),
        "success": "reward >= 1",
        "level": LEVEL,
        "ended": about.ended,
        "episodes": [_episode_content(run, each) for each in run.attempts],
        "decided_by": dict(Counter(each.verdict.kind for each in run.attempts)),
        "thirds": {third: sum(each.third == third for each in run.attempts) for third in _THIRDS},
        "spent": cost_content(total(each.outcomes.cost for each in run.attempts)),
        "step_rewards": step_rewards(run),
    }


def _episode_content(run: BlamedRun, each: BlamedAttempt) -> Mapping[str, Any]:
    verdict, step = each.verdict, each.step
    return {
        "episode": each.path,
        "steps": each.outcomes.about.steps,
        "end": each.end or None,
        "decided_by": verdict.kind,
        "step": verdict.step,
        "path": None if step is None else step.path,
        "action": None if step is None else step.action,
        "observation": None if step is None else step.observation,
        "before": _chance_content(verdict.before),
        "after": _chance_content(verdict.after),
        "p": verdict.p,
        "unproven": verdict.unproven or None,
        "enough_continuations": verdict.enough,
        "continuations": each.outcomes.continuations,
        "faulted": each.outcomes.faulted,
        "spent": cost_content(each.outcomes.cost),
        "show": shell_command("show", run.about.run, each.path),
        "fork": None if verdict.step is None else _fork(run.about.run, each),
        "search": {place: _chance_content(chance) for place, chance in sorted(each.outcomes.searched.items())},
    }


def _chance_content(chance: Chance) -> Mapping[str, Any]:
    return {"solved": chance.solved, "n": chance.n, **(estimate_content(chance.estimate) or {})}
