"""The change of the chance of success at every step of the blamed episodes, as rows."""

from collections.abc import Iterator, Mapping
from typing import Any

from quintet.blame.blamed import BlamedRun
from quintet.blame.chances import Chance
from quintet.runs.study_folder import StudyFolder


def step_rewards(folder: StudyFolder) -> Iterator[Mapping[str, Any]]:
    """A row for each step, also of a search that has not ended: the steps of `quintet.training.columns`."""
    run = BlamedRun.of(folder)
    for attempt in run.attempts:
        for number in range(1, attempt.outcomes.about.steps + 1):
            before, after = attempt.outcomes.at(number - 1), attempt.outcomes.at(number)
            step = attempt.steps.get(number)
            yield {
                "run": str(run.about.run),
                "episode": attempt.path,
                "source": "blame",
                "step": number,
                "path": None if step is None else step.path,
                "action": None if step is None else step.action,
                **_figures("before", before),
                **_figures("after", after),
                "reward": after.share - before.share if before and after and before.n and after.n else None,
            }


def _figures(side: str, chance: Chance | None) -> dict[str, float | int | None]:
    found = None if chance is None else chance.estimate
    value, low, high = (None, None, None) if found is None else found[:3]
    n = None if chance is None else chance.n
    return {side: value, f"{side}_low": low, f"{side}_high": high, f"{side}_n": n}
