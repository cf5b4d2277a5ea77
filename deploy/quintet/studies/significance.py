"""Student's t-test of two groups of runs, as AutoPlan's table 5 has it."""

from collections.abc import Sequence
from importlib.util import find_spec
from statistics import fmean, stdev
from typing import NamedTuple

NO_SCIPY = "no scipy"
SCIPY_HINT = (
    "t-tests: expected scipy, found none; install it with pip install 'quintet-agents[plots]', and report again"
)

_FEWEST = 2


class TTest(NamedTuple):
    """Its p-value, or why there is none."""

    p: float | None
    why: str = ""


def t_test(ours: Sequence[float], theirs: Sequence[float]) -> TTest:
    """Whether two groups have the same mean: two-sided, with equal variances.

    Where neither group varies there is no such test, whatever the means: t is nothing or infinite.

    Source: AutoPlan, appendix B.3, says t-test and no more.
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
