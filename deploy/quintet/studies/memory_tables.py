"""What arms were given: what it cost to learn and to use, and where an outcome is another than without it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quintet.messages.learning import LearntKind
from quintet.quota.cost import Cost, total
from quintet.reports.exports import cost_content
from quintet.reports.load import Report, RunReport
from quintet.reports.text_tables import NONE, TextTable, number, plural
from quintet.runs.record import RunRecord
from quintet.studies.costs import costs_of

_ITEMS: Mapping[LearntKind, str] = {"memory": "tuples", "notebook": "notes"}


class GivenArm(NamedTuple):
    """An arm that was given something that was learnt."""

    run: RunReport
    kinds: tuple[LearntKind, ...]
    learning: Cost | None
    """What its training cost, with several seeds that of all runs; None: unknown, since it lay in no run's folder."""
    ended: int
    """Episodes with a result."""
    recalled: Sequence[int]
    """By episode with a result that recalled any, how many tuples or notes; one that is recalled twice counts twice."""
    won: int | None
    """Of the episodes that were shown any of it, those in which only it succeeded, and not the reference; None: there
    is no reference."""
    lost: int | None
    """Those in which only the reference succeeded."""

    @property
    def shown_in(self) -> int:
        """In how many episodes any of it was shown. A plan is in all."""
        return self.ended if "plan" in self.kinds else len(self.recalled)


def given_arms(part: Report) -> list[GivenArm]:
    """The arms of a comparison that were given something, in order."""
    theirs = _references(part)
    return [_given_arm(run, kinds, theirs.get(run.label)) for run in part.runs if (kinds := _kinds(run.summary.record))]


def _references(part: Report) -> dict[str, RunReport]:
    """By label, the run that each is compared with."""
    runs = {run.label: run for run in part.runs}
    return {each.ours: runs[each.theirs] for each in part.compared if each.theirs in runs}


def _kinds(record: RunRecord) -> tuple[LearntKind, ...]:
    plan: tuple[LearntKind, ...] = ("plan",) if record.plan else ()
    return plan if record.memory is None else (*plan, record.memory.kind)


def _given_arm(run: RunReport, kinds: tuple[LearntKind, ...], reference: RunReport | None) -> GivenArm:
    learnt_by = run.results.learnt_by
    recalled = [amount for task in run.results.tasks for amount in task.recalled.values()]
    won, lost = (None, None) if reference is None else _changed(run, reference, always="plan" in kinds)
    learning = total(each.cost for each in learnt_by) if {each.kind for each in learnt_by} == {*kinds} else None
    return GivenArm(run, kinds, learning, run.summary.ended, recalled, won, lost)


def _changed(run: RunReport, reference: RunReport, *, always: bool) -> tuple[int, int]:
    """In how many episodes that were shown something only ours succeeded, and only the reference's."""
    others = {task.task.name: task for task in reference.results.tasks}
    won = lost = 0
    for task in run.results.tasks:
        other = others.get(task.task.name)
        if other is None:
            continue
        for epoch, its in task.pairs(other):
            if always or epoch in task.recalled:
                success, theirs = task.rewards[epoch] >= 1, other.rewards[its] >= 1
                won += success and not theirs
                lost += theirs and not success
    return won, lost


def memory_tables(part: Report) -> list[TextTable]:
    """The costs of learning and of use, and what was recalled; none if no arm was given anything."""
    arms = given_arms(part)
    if not arms:
        return []
    references = {run.label for run in _references(part).values()}
    return [_costs(part, arms, references), _recalls(arms, references)]


def _costs(part: Report, arms: Sequence[GivenArm], references: Collection[str]) -> TextTable:
    priced = any(run.summary.record.prices for run in part.runs)
    learning = {each.run.label: each for each in arms}
    rows: list[tuple[str, ...]] = []
    for run in part.runs:
        given = learning.get(run.label)
        if given is None and run.label not in references:
            continue
        spent = None if given is None else given.learning
        use = {kind: cost.value for kind, cost in costs_of(run).items()}
        cells = [number(None if spent is None else figure, ",.0f") for figure in _figures(spent)]
        usd = [number(None if spent is None else spent.usd, ".4f")] * priced
        uses = [number(use.get("calls"), ".1f"), number(use.get("tokens"), ",.0f")]
        rows.append((run.label, *cells, *usd, *uses, *[number(use.get("USD"), ".4f")] * priced))
    spent_on = ("calls", "tokens", *["USD"] * priced)
    columns = (f"{what}\n{each}" for what in ("to learn", "per episode") for each in spent_on)
    return TextTable("Cost of learning, in all, beside cost of use", ("", *columns), tuple(rows))


def _figures(cost: Cost | None) -> tuple[float, float]:
    return (0, 0) if cost is None else (cost.calls, cost.tokens)


def _recalls(arms: Sequence[GivenArm], references: Collection[str]) -> TextTable:
    rows = tuple(
        (
            each.run.label,
            f"{each.shown_in} of {each.ended}",
            _amount(each),
            *(NONE if changed is None else str(changed) for changed in (each.won, each.lost)),
        )
        for each in arms
    )
    name = "its reference" if len(references) > 1 else "".join(references) or "no reference"
    title = f"What was shown, and in which of those episodes the outcome is another than that of {name}"
    return TextTable(title, ("", "shown in", "per episode", "won", "lost"), rows)


def _amount(arm: GivenArm) -> str:
    found = ["a plan"] * ("plan" in arm.kinds)
    for kind in arm.kinds:
        if kind in _ITEMS and arm.recalled:
            found.append(f"{_mean(arm):.1f} {_ITEMS[kind]}")
    return ", ".join(found) or NONE


def _mean(arm: GivenArm) -> float | None:
    return sum(arm.recalled) / len(arm.recalled) if arm.recalled else None


def memory_notes(part: Report) -> Iterator[str]:
    """How to read the tables, and which tasks were learnt from."""
    arms = given_arms(part)
    if arms:
        yield (
            "to learn: training up to the version that is given, and that of what it began with; measuring versions is "
            "left out"
        )
    if any(each.recalled for each in arms):
        yield "shown: tuples or notes of the episodes that recalled any; one that was recalled twice counts twice"
    for each in arms:
        seen = _seen(each)
        if seen:
            tasks = plural(len(each.run.results.tasks), "task")
            yield f"warning: {each.run.label}: {len(seen)} of its {tasks} are among those that were learnt from"


def _seen(arm: GivenArm) -> set[str]:
    return {task for run in arm.run.results.learnt_by for task in run.tasks}


def memory_content(part: Report) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "method": each.run.label,
            "kinds": list(each.kinds),
            "learnt_by": [
                {"run": str(run.run), "kind": run.kind, "version": run.version} for run in each.run.results.learnt_by
            ],
            "learning": None if each.learning is None else cost_content(each.learning),
            "episodes": each.ended,
            "shown_in": each.shown_in,
            "recalled_per_episode": _mean(each),
            "won": each.won,
            "lost": each.lost,
            "tasks_learnt_from": sorted(_seen(each)),
        }
        for each in given_arms(part)
    ]
