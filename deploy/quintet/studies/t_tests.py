"""Student's t-tests between two groups of runs, version by version, and what a paper prints of the same."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from quintet.reports.text_tables import TextTable, p_value
from quintet.studies.definition import TTests
from quintet.studies.learning_curves import Curve, iteration_headings
from quintet.studies.paper_tables import papers_table, published_content
from quintet.studies.papers import PaperRow

NO_SCIPY = "no scipy"
_HINT = "t-tests: expected scipy, found none; install it with pip install 'quintet-agents[plots]', and report again"

_FEWEST = 2


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


class ComparedCurves(NamedTuple):
    """Two groups and their tests, one for each version."""

    pair: str
    ours: Curve
    theirs: Curve
    tests: Sequence[TTest]


def compare_curves(wanted: TTests, curves: Mapping[str, Curve], versions: Sequence[int]) -> Sequence[ComparedCurves]:
    """The tests of every pair."""
    pairs = ((pair, curves[ours], curves[theirs]) for pair, (ours, theirs) in wanted.pairs.items())
    return [
        ComparedCurves(pair, ours, theirs, [t_test(ours.of(version), theirs.of(version)) for version in versions])
        for pair, ours, theirs in pairs
    ]


def t_test_tables(
    wanted: TTests, compared: Sequence[ComparedCurves], versions: Sequence[int], paper: PaperRow | None
) -> list[TextTable]:
    """Our p-values, and the paper's, if it prints any, in a table of its own.

    Args:
        paper: whose p-values are shown; None: none are.
    """
    rows = tuple((each.pair, f"{each.ours.runs} and {each.theirs.runs}", *map(_cell, each.tests)) for each in compared)
    title = f"t-tests between {wanted.between}"
    ours = TextTable(f"P-values of {title}", ("", "runs", *iteration_headings(versions)), rows)
    return [ours, *([] if paper is None else _papers(title, wanted.p_values, paper))]


def _papers(title: str, p_values: Mapping[str, tuple[float, ...]], paper: PaperRow) -> list[TextTable]:
    rows = [
        (msgspec.structs.replace(paper, row=f"{paper.row}, {pair}"), [f"{p:g}" for p in printed])
        for pair, printed in p_values.items()
    ]
    longest = max(map(len, p_values.values()), default=0)
    return papers_table(f"p-values of {title}", iteration_headings(range(1, longest + 1)), rows)


def t_test_notes(compared: Iterable[ComparedCurves]) -> list[str]:
    """The name of the test, and the package that is missing."""
    missing = any(test.why == NO_SCIPY for each in compared for test in each.tests)
    return ["p-values: Student's t-test, two-sided", *[_HINT] * missing]


def t_test_content(compared: Iterable[ComparedCurves], versions: Sequence[int]) -> list[dict[str, Any]]:
    """The tests for programs."""
    return [
        {
            "groups": [each.ours.label, each.theirs.label],
            "iteration": version,
            "p": test.p,
            "why_none": test.why or None,
        }
        for each in compared
        for version, test in zip(versions, each.tests, strict=True)
    ]


def p_value_content(wanted: TTests, paper: PaperRow) -> dict[str, Any]:
    """The paper's p-values for programs."""
    return {**published_content(paper), "p_values": wanted.p_values}


def _cell(test: TTest) -> str:
    return test.why if test.p is None else p_value(test.p)
