"""What a study is: named arms, each a method with settings of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quintet.config.sections import RunConfig
from quintet.config.settings import Settings, from_table
from quintet.errors import UsageError
from quintet.reports.load import Report, Reported
from quintet.reports.wording import TextTable
from quintet.runs.prepare import prepare

_MOST_SEEDS = 1_000
"""Of a study; every one repeats all arms."""


@dataclass(frozen=True)
class Arm:
    """One run of a study, or one for each seed."""

    name: str
    settings: Mapping[str, Any]
    """By dotted key."""


@dataclass(frozen=True)
class Findings:
    """What a study comes to, where that is not said arm by arm."""

    tables: Sequence[TextTable]
    notes: Sequence[str]
    """What a reader of the tables has to know."""
    content: Mapping[str, Any]
    """The same for programs, as JSON can say it."""


@dataclass(frozen=True)
class Study:
    """The definition of a study."""

    name: str
    summary: str
    common: Mapping[str, Any]
    """Settings of every arm; a user may change them. Those of `learning` are for the arms that learn."""
    arms: tuple[Arm, ...]
    reference: str = ""
    """The arm that the others are compared with, task by task; empty: none."""
    seeds: int = 0
    """How many runs every arm is, each with the next seed from `run.seed` on, by which it is named; 0: one, of its own
    name."""
    findings: Callable[[Mapping[str, Reported]], Findings] | None = None
    """What the arms that have begun, by name, come to; None: what a report says of them."""
    draw: Callable[[Report, Path], None] | None = None
    """Draws a picture of the report into a file."""

    def configurations(self, layers: Sequence[Settings], *, seeds: int | None = None) -> dict[str, RunConfig]:
        """The arms' configurations under a user's settings; each is prepared, so mistakes show early.

        Args:
            layers: the settings, later ones overriding earlier ones.
            seeds: how many of them, in place of the study's own number.

        Raises:
            UsageError: a setting is what the arms differ in, an arm cannot be prepared, or the study has no seeds.
        """
        fixed = {key for arm in self.arms for key in arm.settings}
        for layer in layers:
            for key, setting in layer.items():
                if key in fixed:
                    expected = f"what study {self.name} sets for each arm"
                    raise UsageError(f"{key}: expected {expected}, got {setting.value!r} ({setting.where})")
        common = from_table(self.common, f"study {self.name}")
        arms = self._with_seeds([common, *layers], seeds)
        return {arm.name: self._configuration(arm, [common, *layers]) for arm in arms}

    def _with_seeds(self, layers: Sequence[Settings], wanted: int | None) -> list[Arm]:
        if not self.seeds:
            if wanted is not None:
                raise UsageError(f"--seeds: expected a study that repeats its arms, got {self.name!r}")
            return list(self.arms)
        if wanted is not None and not 1 <= wanted <= _MOST_SEEDS:
            raise UsageError(f"--seeds: expected 1 to {_MOST_SEEDS:,}, got {wanted:,}")
        given = [layer["run.seed"].value for layer in layers if "run.seed" in layer]
        first = given[-1] if given else 0
        if not isinstance(first, int) or isinstance(first, bool):
            return list(self.arms)  # which is refused with the arms' other settings
        return [
            Arm(_seeded(arm.name, seed), {**arm.settings, "run.seed": seed})
            for arm in self.arms
            for seed in range(first, first + (wanted or self.seeds))
        ]

    def _configuration(self, arm: Arm, layers: Sequence[Settings]) -> RunConfig:
        own = from_table(arm.settings, f"study {self.name}, arm {arm.name}")
        if not any(setting.value is True for layer in [*layers, own] if (setting := layer.get("run.learn"))):
            layers = [{key: setting for key, setting in layer.items() if not _of_learning(key)} for layer in layers]
        try:
            return prepare([*layers, own]).config
        except UsageError as error:
            raise UsageError(f"arm {arm.name}: {error}") from error


def _of_learning(key: str) -> bool:
    return key.startswith("learning.")


def repeats(arms: Mapping[str, Reported], name: str) -> list[Reported]:
    """The runs of an arm that has one for each seed.

    Args:
        arms: of the study, by name.
        name: of the arm, without a seed.
    """
    return [run for arm, run in arms.items() if arm == _seeded(name, run.summary.record.configuration.run.seed)]


def _seeded(name: str, seed: int) -> str:
    return f"{name}-seed-{seed}"
