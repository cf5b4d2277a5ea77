"""The noise floor of a comparison: what an arm that is equal to the reference differs in, and what that hides."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from quintet.reports.intervals import Estimate
from quintet.reports.load import Report, RunReport
from quintet.reports.rows import TaskResult
from quintet.reports.summary import paired_episodes
from quintet.reports.text_tables import NONE, TextTable
from quintet.studies.exact_tests import discordant, smallest_difference


class NoiseFloor(NamedTuple):
    """Two equal arms, and the smallest difference that the tasks of both could have shown."""

    arm: str
    """The one that repeats the reference, by its name in the study."""
    label: str
    reference: str
    tasks: int
    episodes: int
    """Pairs of them."""
    discordant: int
    """Pairs in which only one succeeded."""
    smallest: float | None
    """Of success, in (0, 1]; None: these tasks could have shown none."""
    same: bool
    """Whether all episodes earned and cost the same in both."""

    def hides(self, difference: Estimate) -> bool:
        """Whether a difference of success is below it."""
        return self.smallest is None or abs(difference.value) < self.smallest


def noise_floor(part: Report, noise: str) -> NoiseFloor | None:
    """The floor by the arm of that name; None: there is none, or no task ended in both."""
    compared = {each.ours: each.theirs for each in part.compared}
    ours = next((run for run in part.runs if noise and run.arm == noise and run.label in compared), None)
    if ours is None:
        return None
    theirs = next(run for run in part.runs if run.label == compared[ours.label])
    pairs = paired_episodes(ours.results.tasks, theirs.results.tasks)
    found = discordant(pairs.values())
    episodes = sum(map(len, pairs.values()))
    return NoiseFloor(
        arm=noise,
        label=ours.label,
        reference=theirs.label,
        tasks=len(pairs),
        episodes=episodes,
        discordant=sum(mine + its for mine, its in found),
        smallest=smallest_difference([mine - its for mine, its in found], episodes),
        same=_outcomes(ours) == _outcomes(theirs),
    )


def _outcomes(run: RunReport) -> dict[str, tuple[object, ...]]:
    return {task.task.name: _outcome(task) for task in run.results.tasks}


def _outcome(task: TaskResult) -> tuple[object, ...]:
    return task.rewards, task.cost.calls, task.cost.tokens, task.cost.steps


def noise_tables(floor: NoiseFloor | None) -> list[TextTable]:
    """How far two equal arms differ, and the smallest difference; none without a floor."""
    if floor is None:
        return []
    smallest = NONE if floor.smallest is None else f"{100 * floor.smallest:.1f} points"
    differ = f"{floor.discordant} of {floor.episodes}"
    row = (f"{floor.label} - {floor.reference}", str(floor.tasks), differ, smallest)
    columns = ("", "n", "differ", "smallest difference")
    return [TextTable("Noise floor: two equal arms with other draws", columns, (row,))]


def noise_notes(floor: NoiseFloor | None) -> Iterator[str]:
    """How to read it."""
    if floor is None:
        return
    if floor.smallest is None:
        yield f"noise floor: with {floor.tasks} tasks no difference could have been significant (p < 0.05)"
    else:
        yield (
            "noise floor: the smallest difference that the test could have shown (p < 0.05, one comparison), where the "
            "outcomes that differ between equal arms differ either way alike, and a better method adds some one way"
        )
    if floor.same:
        yield (
            f"{floor.label} is equal to {floor.reference} in every outcome and cost: here the model's answers do not "
            "depend on the seed, and the floor is that of the number of tasks alone"
        )


def noise_content(floor: NoiseFloor | None) -> dict[str, Any]:
    """The same for programs; nothing without a floor."""
    if floor is None:
        return {}
    found = floor._asdict()
    return {"noise_floor": {"method": found.pop("label"), "from": found.pop("reference"), **found}}
