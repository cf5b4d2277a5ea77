"""The picture of groups of runs that learn: success over iterations, as in AutoPlan's figure 3."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quintet.studies.extra import require_matplotlib
from quintet.studies.learning_curves import Curve


def draw_curves(curves: Sequence[Curve], versions: Sequence[int], heading: str, title: str, file: Path) -> None:
    """Draw the mean as a line and the standard deviation as a band; what was not measured is left out.

    Args:
        curves: one for each group.
        versions: what the horizontal axis counts.
        heading: above the axes.
        title: above everything.
        file: to write.

    Raises:
        UsageError: matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    # Any: matplotlib's annotations leave its keyword arguments open.
    figure: Any = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.subplots()
    for curve, marker in zip(curves, "os^Dv" * len(curves), strict=False):
        _band(axes, curve, versions, marker)
    axes.set(title=heading, xlabel="iteration", xticks=list(versions), ylabel="success in percent", ylim=(-4, 104))
    axes.legend()
    figure.suptitle(title, fontsize="small", wrap=True)
    figure.savefig(file, dpi=150)


def _band(axes: Any, curve: Curve, versions: Sequence[int], marker: str) -> None:
    found = [(version, mean) for version in versions if (mean := curve.mean(version)) is not None]
    places, means = [version for version, _ in found], [100 * mean for _, mean in found]
    bands = [100 * (curve.deviation(version) or 0.0) for version in places]
    (line,) = axes.plot(places, means, marker=marker, label=f"{curve.label} ({curve.runs})")
    low, high = ([mean + sign * band for mean, band in zip(means, bands, strict=True)] for sign in (-1, 1))
    axes.fill_between(places, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
