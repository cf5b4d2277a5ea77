"""Success over learnt versions, in groups of runs that differ only in their seed, and t-tests between groups."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import fmean, stdev
from typing import Any, NamedTuple

from quintet.reports.load import RunReport
from quintet.reports.text_tables import NONE, TextTable, p_value, plural
from quintet.studies.definition import TTests

NO_SCIPY = "no scipy"
_HINT = "t-tests: expected scipy, found none; install it with pip install 'quintet-agents[plots]', and report again"
_FEWEST = 2


@dataclass(frozen=True)
class Curve:
    """A group's success with the test tasks."""

    label: str
    runs: int
    """How many runs have begun."""
    shares: Mapping[int, tuple[float, ...]]
    """By version, the share of every run that was measured with it to the end."""
    updates: int
    """Of all runs."""
    unchanged: int
    """How many updates changed nothing, for any reason."""

    def of(self, version: int) -> tuple[float, ...]:
        """The share of each run that was measured with a version."""
        return self.shares.get(version, ())

    def mean(self, version: int) -> float | None:
        """The mean over runs; None without a run."""
        shares = self.of(version)
        return fmean(shares) if shares else None

    def deviation(self, version: int) -> float | None:
        """The standard deviation of a sample; None with fewer than two runs."""
        shares = self.of(version)
        return stdev(shares) if len(shares) > 1 else None


def learning_curve(label: str, runs: Sequence[RunReport]) -> Curve:
    """The curve of runs that learn."""
    shares: dict[int, list[float]] = {}
    for run in runs:
        for version in () if run.results.learning is None else run.results.learning.versions:
            if version.test is not None and version.test.success is not None and version.test.whole:
                shares.setdefault(version.number, []).append(version.test.success.value)
    learning = [run.results.learning for run in runs if run.results.learning is not None]
    return Curve(
        label,
        runs=len(runs),
        shares={version: tuple(found) for version, found in sorted(shares.items())},
        updates=sum(each.updates for each in learning),
        unchanged=sum(each.updates - each.count("changed") for each in learning),
    )


def iterations(runs: Iterable[RunReport]) -> range:
    """The versions after version 0, as many as the run with most of them learns."""
    return range(1, max((run.summary.record.versions for run in runs), default=0) + 1)


def iteration_headings(versions: Iterable[int]) -> list[str]:
    """The headings of columns for versions."""
    return [f"iteration {version}" for version in versions]


def curves_table(curves: Sequence[Curve], versions: Sequence[int]) -> TextTable:
    """A row for each group, a column for each version."""
    rows = [
        (
            f"{each.label}, {plural(each.runs, 'run')}",
            *(_cell(each, version) for version in versions),
            f"{each.unchanged} of {each.updates}",
        )
        for each in curves
    ]
    return TextTable(
        "Success in percent with the test tasks, mean ± standard deviation over seeds",
        ("", *iteration_headings(versions), "updates that\nchanged nothing"),
        tuple(rows),
    )


def _cell(curve: Curve, version: int) -> str:
    mean, deviation = curve.mean(version), curve.deviation(version)
    if mean is None:
        return NONE
    said = f"{100 * mean:.1f}" + ("" if deviation is None else f" ± {100 * deviation:.1f}")
    measured = len(curve.of(version))
    return said if measured == curve.runs else f"{said} ({measured} of {curve.runs})"


def curves_content(curves: Sequence[Curve], versions: Sequence[int]) -> list[dict[str, Any]]:
    """The curves for programs, as shares of 1."""
    return [
        {
            "group": each.label,
            "runs": each.runs,
            "updates": each.updates,
            "unchanged": each.unchanged,
            "iterations": [
                {
                    "iteration": version,
                    "successes": list(each.of(version)),
                    "mean": each.mean(version),
                    "deviation": each.deviation(version),
                }
                for version in versions
            ],
        }
        for each in curves
    ]


class TTest(NamedTuple):
    """Its p-value, or why there is none."""

    p: float | None
    why: str = ""


def t_test(ours: Sequence[float], theirs: Sequence[float]) -> TTest:
    """Whether two groups have the same mean: two-sided, with equal variances.

    If neither group varies there is no such test: t is undefined or infinite.
    """
    if find_spec("scipy") is None:
        return TTest(None, NO_SCIPY)
    from scipy.stats import ttest_ind_from_stats

    if min(len(ours), len(theirs)) < _FEWEST:
        return TTest(None, f"fewer than {_FEWEST} runs")
    if len(set(ours)) == len(set(theirs)) == 1:
        same = fmean(ours) == fmean(theirs)
        return TTest(None, "no variance, " + ("equal" if same else "unequal"))
    groups = (fmean(ours), stdev(ours), len(ours)), (fmean(theirs), stdev(theirs), len(theirs))
    # From these rather than from the groups, where scipy warns of one that does not vary.
    return TTest(float(ttest_ind_from_stats(*groups[0], *groups[1]).pvalue))


def compare_curves(
    wanted: TTests, curves: Mapping[str, Curve], versions: Sequence[int]
) -> tuple[TextTable, list[str], list[dict[str, Any]]]:
    """The tests of every pair as a table, notes on it, and the same for programs."""
    rows: list[tuple[str, ...]] = []
    content: list[dict[str, Any]] = []
    for pair, names in wanted.pairs.items():
        ours, theirs = (curves[name] for name in names)
        tests = [t_test(ours.of(version), theirs.of(version)) for version in versions]
        rows.append((pair, f"{ours.runs} and {theirs.runs}", *map(_p_cell, tests)))
        content += [
            {"groups": [ours.label, theirs.label], "iteration": version, "p": test.p, "why_none": test.why or None}
            for version, test in zip(versions, tests, strict=True)
        ]
    columns = ("", "runs", *iteration_headings(versions))
    table = TextTable(f"P-values of t-tests between {wanted.between}", columns, tuple(rows))
    missing = any(each["why_none"] == NO_SCIPY for each in content)
    return table, ["p-values: Student's t-test, two-sided", *[_HINT] * missing], content


def _p_cell(test: TTest) -> str:
    return test.why if test.p is None else p_value(test.p)
