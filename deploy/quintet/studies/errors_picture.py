"""The picture of `errors`: success and model calls over the error rate, a line for each method."""

from pathlib import Path
from typing import Any

from quintet.models.sim.draws import ASSUMPTION, FALLIBLE
from quintet.reports.load import Report
from quintet.reports.tables import title
from quintet.studies.error_rates import METHODS, RATES, points
from quintet.studies.extra import require_matplotlib


def draw(report: Report, file: Path) -> None:
    """Draw both panels; arms without a result are left out.

    Raises:
        UsageError: matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    arms = {run.arm: run for run in report.runs}
    # Any: matplotlib's annotations leave its keyword arguments open.
    figure: Any = Figure(figsize=(11, 4.8), layout="constrained")
    success, calls = figure.subplots(1, 2)
    for method, marker in zip(METHODS, "os^", strict=True):
        found = points(arms, method)
        estimates = [[100 * share for share in point.success] for point in found.values()]
        success.errorbar(
            list(found),
            [value for value, _, _ in estimates],
            yerr=[[value - low for value, low, _ in estimates], [high - value for value, _, high in estimates]],
            marker=marker,
            capsize=3,
            label=method,
        )
        calls.plot(list(found), [point.calls for point in found.values()], marker=marker, label=method)
    success.set(title="Success over the error rate", ylabel="success in percent", ylim=(0, 104))
    calls.set(title="Calls over the error rate", ylabel="model calls per episode, mean", ylim=(0, None))
    for axes in (success, calls):
        axes.set(
            xlabel=f"error rate of {FALLIBLE} (simulated)", xticks=RATES, xticklabels=[f"{rate:g}" for rate in RATES]
        )
        axes.legend()
    figure.suptitle(f"{title(report)}\n{ASSUMPTION}", fontsize="small", wrap=True)
    figure.savefig(file, dpi=150)
