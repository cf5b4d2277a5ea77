"""What the search came to in one episode: the step that decided it, or why none is named."""

from math import inf
from typing import Final, Literal, NamedTuple, TypeAlias

from quintet.blame.chances import Chance, enough, fall_test, fell
from quintet.blame.outcomes import Outcomes
from quintet.reports.text_tables import share

DecidedBy: TypeAlias = Literal["step", "end", "gradual", "never", "few", "open"]

DECIDED_BY: Final[dict[DecidedBy, str]] = {
    "step": "a step",
    "end": "after the last step",
    "gradual": "no single step",
    "never": "never had a chance",
    "few": "too few continuations",
    "open": "not finished",
}
"""In words. `end`: the chance behind the last step is still above 0, so what ended the episode came after it.
`gradual`: the chance fell, but not provably at the one step that the search came to. `never`: no continuation from the
start succeeded. `few`: a fall, or a chance, that so many continuations cannot prove."""

_NOTHING: Final = Chance()


class StepVerdict(NamedTuple):
    """What decided an episode."""

    kind: DecidedBy
    before: Chance = _NOTHING
    """At the step's beginning; where no step was looked at, at the episode's start."""
    after: Chance = _NOTHING
    """Behind the step; else behind the last step."""
    step: int | None = None
    """Its number from 1, also of one whose fall is not proven."""
    p: float | None = None
    """Of the fall from before to after."""
    unproven: str = ""
    """What was seen and is no proof, in words; empty: nothing."""
    enough: int | None = None
    """So many continuations of each place could prove that; None: more than anyone should make."""

    @property
    def tested(self) -> bool:
        """Whether a fall at a step was tested."""
        return self.kind in ("step", "gradual")


def verdict_on(outcomes: Outcomes, *, every_step: bool, ended: bool) -> StepVerdict:
    """What decided an episode, by the chances so far.

    Args:
        every_step: as the search was made.
        ended: whether no further stage follows.
    """
    search = outcomes.search(every_step=every_step)
    if search.wanted:
        return StepVerdict("open")
    if search.pair is not None:
        high, low = search.pair
        if not {high, low} <= outcomes.fresh.keys():
            return StepVerdict("few" if ended else "open", step=low)
        before, after = outcomes.fresh[high], outcomes.fresh[low]
        p = fall_test(before, after)
        if fell(before, after):
            return StepVerdict("step", before, after, low, p)
        seen = f"a fall from {share(before.share)} to {share(after.share)} at step {low}"
        return StepVerdict("gradual", before, after, low, p, seen, enough(before.share, after.share, before.n))
    before, after = outcomes.searched[0], outcomes.searched[outcomes.about.steps]
    p = fall_test(before, after)
    if fell(after, Chance(0, after.n)):
        return StepVerdict("end", before, after, p=p)
    if before.n and not before.solved and not after.solved:
        return StepVerdict("never", before, after, p=p)
    return StepVerdict("few", before, after, None, p, *_unproven(before, after))


def _unproven(before: Chance, after: Chance) -> tuple[str, int | None]:
    """What was seen from the start to the end, and how many continuations could prove it: of two things the easier."""
    start, end = before.share, after.share
    seen = {
        f"a fall from {share(start)} to {share(end)} over the episode": enough(start, end, before.n),
        f"a chance of {share(end)} behind the last step": enough(end, 0.0, after.n),
    }
    words = min(seen, key=lambda each: seen[each] or inf)
    return words, seen[words]
