"""The picture of a study: panels side by side, as its definition lists them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any, TypeAlias, assert_never

from quintet.errors import UsageError
from quintet.reports.episodes import SIMULATED, RunResults
from quintet.reports.intervals import Estimate
from quintet.reports.load import Report, RunReport
from quintet.reports.notes import assumptions, title
from quintet.reports.stream import Streams, cumulative
from quintet.reports.summary import NO_TASKS, heading
from quintet.studies.cells import study_matrix
from quintet.studies.costs import method_points, pareto_front
from quintet.studies.definition import CurveFindings, OverSetting, Study, TransferFindings
from quintet.studies.findings import study_curves
from quintet.studies.grid import Grid
from quintet.studies.grid_picture import grid_figure
from quintet.studies.learning_curves import Curve, iterations
from quintet.studies.over_setting import MEANS, over_rows, setting_points
from quintet.studies.panels import (
    BarsPanel,
    CostPanel,
    CurvesPanel,
    LinesPanel,
    Panel,
    PlanStepsPanel,
    StreamPanel,
    TransferPanel,
    TrialsPanel,
)
from quintet.studies.seeds import pool_seeds
from quintet.studies.stream_orders import arm_streams
from quintet.studies.transfer import Transfer, draw_transfer

_Arms: TypeAlias = Mapping[str, RunReport]
_MARKERS = "os^Dv"
_LINE = 70
"""Characters of a legend that fit below a panel side by side."""
_HANDLE = 8
"""The width of a symbol and of the gaps beside it, in characters."""
_GROUP = 0.8
"""The width of all bars at one value."""


def require_matplotlib() -> None:
    """Make sure that a picture can be drawn.

    Raises:
        UsageError: it cannot; with the extra to install.
    """
    if find_spec("matplotlib") is None:
        raise UsageError(
            "picture: expected matplotlib, found none; install it with pip install 'quintet-agents[plots]', "
            "or leave the picture out with --no-picture"
        )


def draw_picture(study: Study, report: Report, file: Path) -> None:
    """Draw a study's panels, or its grid; arms and tasks without a result are left out.

    Raises:
        UsageError: matplotlib is not installed, or the file's name ends in no format of its.
    """
    require_matplotlib()
    from matplotlib import rc_context  # pyright: ignore[reportUnknownVariableType]  half of it has no types
    from matplotlib.figure import Figure

    if (formats := Figure().canvas.get_supported_filetypes()).get(file.suffix[1:].lower()) is None:
        endings = ", ".join(f".{ending}" for ending in sorted(formats))
        raise UsageError(f"picture: expected a name that ends in one of {endings}, got {file.name!r}")
    with rc_context({"text.parse_math": False}):  # no name is a formula, nor can it be a wrong one
        _figure(study, report).savefig(file, dpi=150)


def _figure(study: Study, report: Report) -> Any:
    found = replace(report, runs=pool_seeds(study, report.runs).runs)
    if study.grid:
        figure = grid_figure(Grid(study, study_matrix(report.studies[0], report.runs)))
    else:
        figure = _panels_figure(study, {run.arm: run for run in found.runs})
    assumed = assumptions(run.summary.record for run in report.runs)
    simulated = any(run.results.simulated for run in report.runs) and SIMULATED not in title(found)
    first = title(found) + f" ({SIMULATED})" * simulated
    # A text that is wrapped is searched for formulas all the same.
    above = "\n".join([first, *assumed]).replace("$", r"\$")
    figure.suptitle(above, fontsize="small", wrap=True, parse_math=True)
    return figure


def _panels_figure(study: Study, arms: _Arms) -> Any:
    from matplotlib.figure import Figure

    panels = [panel for panel in study.picture if not isinstance(panel, CostPanel) or _is_priced(panel, arms)]
    # Any: matplotlib's annotations leave its keyword arguments open.
    figure: Any = Figure(figsize=(max(7.5, 5.5 * len(panels)), 4.7), layout="constrained")
    (row,) = figure.subplots(1, len(panels), squeeze=False)
    for axes, panel in zip(row, panels, strict=True):
        _draw_panel(axes, panel, study, arms)
        axes.set(title=panel.title)
        handles, labels = axes.get_legend_handles_labels()
        if handles:  # no method may have a result
            axes.legend(handles, labels, fontsize="small", **(_below(labels) if isinstance(panel, CostPanel) else {}))
    return figure


def _below(labels: Sequence[str]) -> dict[str, Any]:
    """Where the legend of a panel is whose points may be anywhere: below it, in as many columns as its labels allow."""
    widest = max(len(label) for label in labels) + _HANDLE
    return {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17), "ncols": max(1, min(3, _LINE // widest))}


def _draw_panel(axes: Any, panel: Panel, study: Study, arms: _Arms) -> None:
    match panel:
        case LinesPanel():
            if study.over is not None:
                _draw_lines(axes, panel, study, study.over, arms)
        case BarsPanel(figure="claims"):
            _draw_claims(axes, panel, arms)
        case BarsPanel():
            _draw_bars(axes, panel, arms)
        case CurvesPanel():
            if isinstance(study.findings, CurveFindings):
                curves = study_curves(study.findings, arms)
                shown = [curves[group] for group in panel.groups or curves]
                draw_curves(axes, shown, iterations(arms.values()))
        case StreamPanel():
            _draw_streams(axes, arm_streams(study, arms))
        case CostPanel():
            _draw_costs(axes, panel, arms)
        case TrialsPanel():
            _draw_success_by_trial(axes, _chosen(panel.arms, arms))
        case PlanStepsPanel():
            _draw_plan_steps(axes, _chosen(panel.arms, arms))
        case TransferPanel():
            if isinstance(study.findings, TransferFindings):
                draw_transfer(axes, Transfer(study, study.findings, arms))
        case _:
            assert_never(panel)


def _is_priced(panel: CostPanel, arms: _Arms) -> bool:
    return panel.cost != "USD" or any(run.summary.record.prices for run in arms.values())


def _chosen(names: Sequence[str], arms: _Arms) -> dict[str, RunResults]:
    """The arms of those names that are there; all without names."""
    return {name: arms[name].results for name in names or arms if name in arms}


def _percent_axis(axes: Any) -> None:
    axes.set(ylabel="success in percent", ylim=(-4, 119), yticks=range(0, 101, 20))


def _draw_lines(axes: Any, panel: LinesPanel, study: Study, over: OverSetting, arms: _Arms) -> None:
    rows = over_rows(study)
    if panel.figure == "success_by_calls":
        _draw_success_by_calls(axes, over, rows, arms)
        return
    axes.set(xlabel=over.label, xticks=over.values, xticklabels=[f"{value:g}" for value in over.values])
    if panel.figure in MEANS:
        title = MEANS[panel.figure][0]
        for (name, members), marker in zip(rows.items(), cycle(_MARKERS), strict=False):
            means = {value: point.means[panel.figure] for value, point in setting_points(arms, over, members).items()}
            drawn = {value: each for value, each in means.items() if each is not None}
            if drawn:
                axes.plot(list(drawn), list(drawn.values()), marker=marker, label=name)
        axes.set(ylabel=title.lower(), ylim=(0, None))
        return
    _percent_axis(axes)
    groups = [("", ""), *((panel.by, value) for value in _values(arms.values(), panel.by))]
    lines = [(name, group) for name in rows for group in groups]
    for (name, group), marker in zip(lines, cycle(_MARKERS), strict=False):
        points = setting_points(arms, over, rows[name], group)
        found = {value: point.success for value, point in points.items()}
        label = " ".join([name, *[heading(group)] * bool(panel.by)])
        _draw_errors(axes, found, marker=marker, linewidth=2 if panel.by and not group[0] else 1, label=label)


def _draw_success_by_calls(axes: Any, over: OverSetting, rows: Mapping[str, Sequence[str]], arms: _Arms) -> None:
    """Draw each arm through its points: how much it costs and how often it succeeds at each value, named beside it."""
    for (name, members), marker in zip(rows.items(), cycle(_MARKERS), strict=False):
        points = setting_points(arms, over, members)
        calls = [point.calls for point in points.values()]
        shares = [100 * point.success.value for point in points.values()]
        (line,) = axes.plot(calls, shares, marker=marker, label=name)
        for value, place in zip(points, zip(calls, shares, strict=True), strict=True):
            axes.annotate(
                f"{value:g}",
                place,
                xytext=(4, 4),
                textcoords="offset points",
                fontsize="x-small",
                color=line.get_color(),
            )
    axes.set(xlabel=f"model calls per episode, mean (at each point, the {over.label})")
    _percent_axis(axes)


def _draw_costs(axes: Any, panel: CostPanel, arms: _Arms) -> None:
    found = [each for each in method_points(arms.values()) if panel.cost in each.costs]
    for each, marker in zip(found, cycle(_MARKERS), strict=False):
        cost, interval = each.costs[panel.cost]
        low, high = interval or (cost, cost)
        across = [[cost - low], [high - cost]]
        _draw_errors(axes, {cost: each.success}, xerr=across, marker=marker, linestyle="", label=each.run.arm)
    front = pareto_front(found, panel.cost)
    if front:
        places = [(each.costs[panel.cost].value, 100 * each.success.value) for each in front]
        ringed = {"markersize": 14, "markerfacecolor": "none", "linewidth": 1}
        axes.plot(*zip(*places, strict=True), "o--", color="black", label="Pareto front", **ringed)
    axes.set(xlabel=f"{panel.cost} per episode, mean", xlim=(0, None))
    _percent_axis(axes)


def _draw_errors(axes: Any, found: Mapping[float, Estimate], **style: Any) -> None:
    values, errors = _percents(found.values())
    axes.errorbar(list(found), values, yerr=errors, capsize=3, **style)


def _draw_groups(axes: Any, groups: Sequence[str], series: Mapping[str, Sequence[Estimate | None]]) -> list[Any]:
    """Draw groups of bars with their intervals: in each group one of every series; where there is none, of height 0."""
    width = _GROUP / len(series)
    bars: list[Any] = []
    for position, (name, found) in enumerate(series.items()):
        heights, errors = _percents(each or Estimate(0.0, 0.0, 0.0) for each in found)
        places = [place + width * position for place in range(len(groups))]
        bars.append(axes.bar(places, heights, 0.9 * width, yerr=errors, error_kw={"linewidth": 0.7}, label=name))
    axes.set_xticks([place + (_GROUP - width) / 2 for place in range(len(groups))], groups)
    _percent_axis(axes)
    return bars


def _percents(found: Iterable[Estimate]) -> tuple[list[float], list[list[float]]]:
    """Estimates in percent, and how far their intervals reach below and above them."""
    scaled = [(100 * each.value, 100 * (each.value - each.low), 100 * (each.high - each.value)) for each in found]
    return [value for value, _, _ in scaled], [[low for _, low, _ in scaled], [high for _, _, high in scaled]]


def _draw_bars(axes: Any, panel: BarsPanel, arms: _Arms) -> None:
    values = _values(arms.values(), panel.by) if panel.by else ("",)
    shares = {
        name: [arms[name].summary.share_of((panel.by, value)) if name in arms else NO_TASKS for value in values]
        for name in panel.arms
    }
    success = {name: [share.success for share in found] for name, found in shares.items()}
    bars = _draw_groups(axes, [value or "all" for value in values], success)
    for drawn, found in zip(bars, shares.values(), strict=True):
        axes.bar_label(drawn, ["" if share.depth is None else f"{share.depth:.1f}" for share in found])
    axes.set(xlabel=panel.by)


def _draw_claims(axes: Any, panel: BarsPanel, arms: _Arms) -> None:
    claims = [arms[name].summary.claims if name in arms else None for name in panel.arms]
    series = {
        "as claimed": [None if each is None else each.claimed for each in claims],
        "as earned": [None if each is None else each.earned for each in claims],
    }
    _draw_groups(axes, panel.arms, series)


def _values(runs: Iterable[RunReport], label: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for run in runs for value in run.summary.groups.get(label, {})))


def _draw_success_by_trial(axes: Any, found: Mapping[str, RunResults]) -> None:
    success = {name: results.success_by_trial for name, results in found.items()}
    most = max(map(len, success.values()), default=0)
    for (name, shares), marker in zip(success.items(), cycle(_MARKERS), strict=False):
        if shares:  # after its last trial, a method has solved what it has solved
            whole = [*shares, *shares[-1:] * (most - len(shares))]
            _draw_errors(axes, dict(enumerate(whole, start=1)), marker=marker, label=name)
    axes.set(xlabel="trial", xticks=range(1, most + 1))
    _percent_axis(axes)


def _draw_streams(axes: Any, arms: Mapping[str, Streams]) -> None:
    for label, found in arms.items():
        points = cumulative(found)
        orders = f", {len(found)} orders" if len(found) > 1 else ""
        (line,) = axes.plot(list(points), [100 * each.value for each in points.values()], label=label + orders)
        low, high = [100 * each.low for each in points.values()], [100 * each.high for each in points.values()]
        axes.fill_between(list(points), low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="tasks of the stream")
    _percent_axis(axes)


def _draw_plan_steps(axes: Any, found: Mapping[str, RunResults]) -> None:
    plans = {name: results.trials.plan_steps for name, results in found.items() if results.trials}
    drawn = {name: counts for name, counts in plans.items() if counts}
    width = _GROUP / max(1, len(drawn))
    for position, (name, counts) in enumerate(drawn.items()):
        mean = sum(steps * count for steps, count in counts.items()) / counts.total()
        places = [steps + width * (position - (len(drawn) - 1) / 2) for steps in counts]
        heights = [100 * count / counts.total() for count in counts.values()]
        axes.bar(places, heights, 0.9 * width, label=f"{name} (mean {mean:.1f})")
    axes.set(xlabel="steps of a plan", ylabel="percent of plans")


def draw_curves(axes: Any, curves: Sequence[Curve], versions: Sequence[int]) -> None:
    """Draw the mean of each group as a line and the standard deviation as a band; what was not measured is left out."""
    for curve, marker in zip(curves, cycle(_MARKERS), strict=False):
        means = {version: 100 * mean for version in versions if (mean := curve.mean(version)) is not None}
        bands = [100 * (curve.deviation(version) or 0.0) for version in means]
        (line,) = axes.plot(list(means), list(means.values()), marker=marker, label=f"{curve.label} ({curve.runs})")
        low, high = ([mean + sign * band for mean, band in zip(means.values(), bands, strict=True)] for sign in (-1, 1))
        axes.fill_between(list(means), low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="iteration", xticks=list(versions))
    _percent_axis(axes)
