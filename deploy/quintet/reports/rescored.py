"""Two scores of the same episodes side by side: those that they have in their run, and those that a run gives anew."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from quintet.messages.paths import Path, attempt_of
from quintet.reports.intervals import Estimate, rate
from quintet.reports.load import Report, RunReport
from quintet.reports.text_tables import TextTable, number, percent, plural, share
from quintet.runs.record import ScoredRun

_MOST_SHOWN = 10
"""Episodes on which two scores differ."""


class ScorePair(NamedTuple):
    """An episode with both of its scores, in [0, 1]."""

    episode: str
    """Its path in the run that played it."""
    before: float
    now: float

    @property
    def verdicts(self) -> tuple[bool, bool]:
        """Whether each says that it succeeded."""
        return self.before >= 1, self.now >= 1


class Agreement(NamedTuple):
    """How far two scores agree on which episodes succeeded."""

    share: float
    kappa: float | None
    """Cohen's; None where each gives all episodes the same verdict, so that chance alone would agree as well."""
    only_before: int
    """Episodes that succeeded by the score before alone."""
    only_now: int

    @classmethod
    def of(cls, verdicts: Sequence[tuple[bool, bool]]) -> "Agreement":
        """Of at least one episode."""
        agree = fmean(before == now for before, now in verdicts)
        p, q = fmean(before for before, _ in verdicts), fmean(now for _, now in verdicts)
        chance = p * q + (1 - p) * (1 - q)
        kappa = (agree - chance) / (1 - chance) if chance < 1 else None
        only_before = sum(before > now for before, now in verdicts)
        return cls(agree, kappa, only_before, sum(now > before for before, now in verdicts))


def score_pairs(run: RunReport, scored: ScoredRun) -> list[ScorePair]:
    """The episodes that have a new score so far."""
    rewards = {task.task.name: task.rewards for task in run.results.tasks}
    found = ((each, rewards.get(each.task, {}).get(0)) for each in scored.scores)
    return [ScorePair(each.episode, each.reward, now) for each, now in found if now is not None]


def differing(pairs: Sequence[ScorePair]) -> list[ScorePair]:
    """Those whose scores differ: first where one says that it succeeded and the other not, then the farthest apart."""
    found = [pair for pair in pairs if pair.before != pair.now]
    return sorted(found, key=lambda pair: (len(set(pair.verdicts)) == 1, -abs(pair.before - pair.now)))


def rescored_tables(report: Report) -> list[TextTable]:
    """Both scores, how far they agree, and on which episodes they differ; none of runs that played."""
    found = [(run, scored, score_pairs(run, scored)) for run, scored in _rescored(report)]
    found = [each for each in found if each[2]]
    if not found:
        return []
    means: list[tuple[str, ...]] = []
    agreements: list[tuple[str, ...]] = []
    for run, scored, pairs in found:
        for by, of in ((scored.before, _before), (scored.now, _now)):
            score, success = _estimates(pairs, of)
            tasks = len({attempt_of(Path(pair.episode)).task for pair in pairs})
            means.append((run.label, by, str(tasks), str(len(pairs)), percent(score), percent(success)))
        agreement = Agreement.of([pair.verdicts for pair in pairs])
        only = (str(agreement.only_before), str(agreement.only_now))
        agreements.append((run.label, str(len(pairs)), share(agreement.share), number(agreement.kappa, ".2f"), *only))
    title = "Two scores of the same episodes: mean x 100 and success in percent (95 % interval)"
    columns = ("", "scored by", "n", "episodes", "score", "success")
    agreed = ("", "episodes", "agree in percent", "Cohen's kappa", "succeeded only before", "only now")
    return [
        TextTable(title, columns, tuple(means), left=2),
        TextTable("Agreement on which episodes succeeded", agreed, tuple(agreements)),
        *_differences(found),
    ]


def _differences(found: Sequence[tuple[RunReport, ScoredRun, Sequence[ScorePair]]]) -> Iterator[TextTable]:
    for run, _, pairs in found:
        if differ := differing(pairs):
            shown = differ[:_MOST_SHOWN]
            rows = tuple((pair.episode, f"{pair.before:.2f}", f"{pair.now:.2f}") for pair in shown)
            more = f", {len(shown)} of {len(differ)}" if len(differ) > len(shown) else ""
            yield TextTable(f"Episodes on which the scores differ ({run.label}{more})", ("", "before", "now"), rows)


def rescored_note(scored: ScoredRun) -> str:
    """Who scored what."""
    where = f" that meet {scored.where!r}" if scored.where else ""
    return f"{scored.now} scores {plural(len(scored.scores), 'stored episode')} of {scored.run}{where}; none is played"


def rescored_content(run: RunReport) -> Mapping[str, Any] | None:
    """The same for programs, with all episodes on which the scores differ; None for a run that played."""
    scored = run.summary.record.scored
    if scored is None:
        return None
    pairs = score_pairs(run, scored)
    agreement = Agreement.of([pair.verdicts for pair in pairs]) if pairs else None
    return {
        "of": str(scored.run),
        "where": scored.where,
        "episodes": len(pairs),
        "before": _content(scored.before, pairs, _before),
        "now": _content(scored.now, pairs, _now),
        "agreement": None if agreement is None else agreement._asdict(),
        "differ": [pair._asdict() for pair in differing(pairs)],
    }


def _content(by: str, pairs: Sequence[ScorePair], of: Callable[[ScorePair], float]) -> Mapping[str, Any]:
    score, success = (None if each is None else each._asdict() for each in _estimates(pairs, of))
    return {"by": by, "score": score, "success": success}


def _estimates(pairs: Sequence[ScorePair], of: Callable[[ScorePair], float]) -> tuple[Estimate | None, Estimate | None]:
    """The mean score and the success; a task counts once, with the mean of its episodes."""
    by_task: dict[str, list[float]] = {}
    for pair in pairs:
        by_task.setdefault(attempt_of(Path(pair.episode)).task, []).append(of(pair))
    if not by_task:
        return None, None
    success = [fmean(value >= 1 for value in values) for values in by_task.values()]
    return rate([fmean(values) for values in by_task.values()]), rate(success)


def _before(pair: ScorePair) -> float:
    return pair.before


def _now(pair: ScorePair) -> float:
    return pair.now


def _rescored(report: Report) -> Iterator[tuple[RunReport, ScoredRun]]:
    for run in report.runs:
        if run.summary.record.scored is not None:
            yield run, run.summary.record.scored
