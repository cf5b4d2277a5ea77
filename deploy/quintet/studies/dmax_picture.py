"""The picture of `adapt-dmax`: success over dmax, and by recipe depth beside ReAct."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quintet.reports.intervals import Estimate
from quintet.reports.load import Report, Reported
from quintet.reports.summary import Share
from quintet.reports.tables import share_of, title
from quintet.studies.extra import require_matplotlib

DMAX = (1, 2, 3, 4)
"""Arms `adapt-1` to `adapt-4`."""

REACT: Mapping[str, int] = {"react-20": 20, "react-60": 60, "react-80": 80}
"""Arms, with their budgets of model calls: the executor's own, the one that the paper prints, and the executor's times
dmax, which the paper describes."""

_FACT = "recipe depth"
_BAR = 0.2


def draw(report: Report, file: Path) -> None:
    """Draw both panels; arms and tasks without a result are left out.

    Raises:
        UsageError: matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    arms = {run.arm: run for run in report.runs}
    values = tuple(dict.fromkeys(value for run in report.runs for value in run.summary.groups.get(_FACT, {})))
    # Any: matplotlib's annotations leave its keyword arguments open.
    figure: Any = Figure(figsize=(11, 4.5), layout="constrained")
    over_dmax, by_depth = figure.subplots(1, 2)
    for value in ("", *values):
        _curve(over_dmax, [arms.get(f"adapt-{dmax}") for dmax in DMAX], value)
    for position, label in enumerate((*REACT, f"adapt-{DMAX[-1]}")):
        _bars(by_depth, arms.get(label), label, values, position)
    over_dmax.set(title="Success over dmax", xlabel="dmax", xticks=DMAX)
    by_depth.set(title="By recipe depth, mean kmax above", xlabel=_FACT)
    by_depth.set_xticks([place + 1.5 * _BAR for place in range(len(values))], values)
    for axes in (over_dmax, by_depth):
        axes.set(ylabel="success in percent", ylim=(0, 119), yticks=range(0, 101, 20))
        axes.legend(loc="upper center", ncols=4, fontsize="small")
    figure.suptitle(title(report))
    figure.savefig(file, dpi=150)


def _curve(axes: Any, arms: Sequence[Reported | None], value: str) -> None:
    points = [(dmax, _success(arm, value)) for dmax, arm in zip(DMAX, arms, strict=True)]
    found = [(dmax, estimate) for dmax, estimate in points if estimate is not None]
    axes.errorbar(
        [dmax for dmax, _ in found],
        [100 * estimate.value for _, estimate in found],
        yerr=[
            [100 * (estimate.value - estimate.low) for _, estimate in found],
            [100 * (estimate.high - estimate.value) for _, estimate in found],
        ],
        marker="o",
        capsize=3,
        linewidth=1 if value else 2,
        label=f"depth {value}" if value else "all tasks",
    )


def _bars(axes: Any, arm: Reported | None, label: str, values: Sequence[str], position: int) -> None:
    found = [_success(arm, value) for value in values]
    heights = [0.0 if estimate is None else 100 * estimate.value for estimate in found]
    bars = axes.bar([place + _BAR * position for place in range(len(values))], heights, 0.9 * _BAR, label=label)
    shares = [_share(arm, value) for value in values]
    axes.bar_label(bars, ["" if share is None or share.depth is None else f"{share.depth:.1f}" for share in shares])


def _success(arm: Reported | None, value: str) -> Estimate | None:
    share = _share(arm, value)
    return None if share is None else share.success


def _share(arm: Reported | None, value: str) -> Share | None:
    return None if arm is None else share_of(arm.summary, (_FACT, value) if value else ("", ""))
