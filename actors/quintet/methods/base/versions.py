"""The versions of a learner: each is measured while the next is made, and held-out tasks may choose one."""

from collections.abc import Awaitable, Callable
from typing import Literal

from pydantic import Field

from quintet.messages.learning import Learned, Version
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.options import MethodOptions
from quintet.roles.branches import Branch


class VersionOptions(MethodOptions):
    """Options of learners: which versions are measured, and which is chosen."""

    eval_every: int = Field(default=1, ge=0)
    """The test tasks run with version 0, with every n-th version after it, and with the chosen one. 0: with the chosen
    one only."""

    select: Literal["last", "best"] = "last"
    """Which version is chosen: the last, or the one with which most held-out tasks succeed; in a tie, the latest."""

    def chooses(self) -> bool:
        """Whether held-out tasks choose the version."""
        return self.select == "best"

    def always_measured(self, last: Version) -> set[Version]:
        """The versions that the test tasks measure in any case: with the last one, unless a version is chosen."""
        measured = set(range(0, last + 1, self.eval_every)) if self.eval_every else set[Version]()
        return measured if self.chooses() else measured | {last}

    def episodes(self, last: Version, held_out: int, test: int) -> int:
        """The most episodes that measure versions."""
        measured = len(self.always_measured(last))
        if not self.chooses():
            return test * measured
        return held_out * (last + 1) + test * min(measured + 1, last + 1)


def refuse_wrong_source(source: str, trajectories: int) -> None:
    """Raise a `ValueError` if trajectories were given that are not learnt from, or none that should be.

    Args:
        source: the learner's option of that name.
        trajectories: how many were given.
    """
    if trajectories and source != "given":
        given = "1 trajectory was" if trajectories == 1 else f"{trajectories} trajectories were"
        raise ValueError(f"learning.source: expected 'given', since {given} given, got {source!r}")
    if source == "given" and not trajectories:
        raise ValueError("learning.source: expected --trajectories FILE or --from-run RUN with 'given', got neither")


async def publish_versions(
    run: LearnerContext, options: VersionOptions, last: Version, make: Callable[[Version], Awaitable[str]]
) -> Learned:
    """Make and publish versions from 0 to the last. Each is measured while the next one is made.

    Args:
        options: which are measured, and which is chosen.
        make: the content of a version; those before it are published. It depends on no measure.

    Returns:
        The version to keep.
    """
    measured = options.always_measured(last)
    async with run.branches() as measuring:
        held_out: list[Branch[float | None]] = []
        for version in range(last + 1):
            await run.publish(version, await make(version))
            if options.chooses():
                held_out.append(measuring.start(run.measure, run.held_out, version))
            if version in measured:
                measuring.start(run.measure, run.test, version)
    if not options.chooses():
        return Learned(version=last)
    # A version whose every episode faulted has no rate, and ranks below any that has one.
    rates = [-1.0 if (rate := branch.result()) is None else rate for branch in held_out]
    best = max(range(last + 1), key=lambda version: (rates[version], version))
    if best not in measured:
        await run.measure(run.test, best)
    return Learned(version=best)
