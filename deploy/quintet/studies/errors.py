"""`errors`: what methods make of a model's misreadings: success and calls over the error rate of `sim-fallible`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from quintet.models.sim.draws import ASSUMPTION, FALLIBLE
from quintet.reports.learning.export import estimate_content
from quintet.reports.load import Reported
from quintet.reports.wording import NONE, TextTable, percent
from quintet.studies.definition import Arm, Findings, Study
from quintet.studies.error_rates import METHODS, RATES, Point, arm_name, points
from quintet.studies.errors_picture import draw


def _findings(arms: Mapping[str, Reported]) -> Findings:
    found = {method: points(arms, method) for method in METHODS}
    return Findings(
        tables=[
            _table("Success in percent (95 % interval), by error rate", found, _success),
            _table("Model calls per episode, mean, by error rate", found, _calls),
        ],
        notes=[
            *(f"{method}: {', '.join(_worded(settings))}" for method, settings in METHODS.items()),
            f"model {FALLIBLE} (simulated) at the error rate of the column: {ASSUMPTION}",
        ],
        content={
            "methods": [
                {"method": method, "rates": [_content(rate, point) for rate, point in of_method.items()]}
                for method, of_method in found.items()
            ]
        },
    )


def _worded(settings: Mapping[str, Any]) -> Iterator[str]:
    for key, value in settings.items():
        option = key.removeprefix("method.")
        yield value if option == "name" else f"{option} {value}"


def _table(title: str, found: Mapping[str, Mapping[float, Point]], cell: Callable[[Point], str]) -> TextTable:
    rows = tuple(
        (method, _tasks(of_method.values()), *(cell(of_method[rate]) if rate in of_method else NONE for rate in RATES))
        for method, of_method in found.items()
    )
    return TextTable(title, ("", "n", *(f"{rate:g}" for rate in RATES)), rows)


def _tasks(found: Iterable[Point]) -> str:
    """How many tasks a rate is of: `200`, or `198 to 200` where arms differ."""
    counts = sorted({point.tasks for point in found})
    if not counts:
        return NONE
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _success(point: Point) -> str:
    return percent(point.success)


def _calls(point: Point) -> str:
    return f"{point.calls:.1f}"


def _content(rate: float, point: Point) -> dict[str, Any]:
    return {"error_rate": rate, "tasks": point.tasks, "success": estimate_content(point.success), "calls": point.calls}


ERRORS = Study(
    name="errors",
    summary="ReAct, and ADaPT with and without what it hands on, on sim-fallible at error rates from 0 to 0.3",
    common={"environment.name": "textcraft", "run.split": "test", "model.name": "sim-fallible"},
    arms=tuple(
        Arm(arm_name(method, rate), {**settings, "model.error_rate": rate})
        for method, settings in METHODS.items()
        for rate in RATES
    ),
    findings=_findings,
    draw=draw,
)
