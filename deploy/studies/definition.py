"""What a study is: named arms, each a method with settings of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.config.resolve import resolve
from deploy.config.sections import RunConfig
from deploy.config.settings import Settings, from_table
from deploy.reports.gathering import Report
from protocols.errors import UsageError


@dataclass(frozen=True)
class Arm:
    """One run of a study."""

    name: str
    settings: Mapping[str, Any]
    """By dotted key."""


@dataclass(frozen=True)
class Study:
    """The definition of a study."""

    name: str
    summary: str
    common: Mapping[str, Any]
    """Settings of every arm; a user may change them."""
    arms: tuple[Arm, ...]
    reference: str
    """The arm that the others are compared with."""
    draw: Callable[[Report, Path], None] | None = None
    """Draws a picture of the report into a file."""

    def configurations(self, layers: Sequence[Settings]) -> dict[str, RunConfig]:
        """The arms' configurations, under a user's settings.

        Raises:
            UsageError: a setting is what the arms differ in, or does not validate.
        """
        fixed = {key for arm in self.arms for key in arm.settings}
        for layer in layers:
            for key, setting in layer.items():
                if key in fixed:
                    expected = f"what study {self.name} sets for each arm"
                    raise UsageError(f"{key}: expected {expected}, got {setting.value!r} ({setting.where})")
        common = from_table(self.common, f"study {self.name}")
        return {arm.name: self._configuration(arm, [common, *layers]) for arm in self.arms}

    def _configuration(self, arm: Arm, layers: Sequence[Settings]) -> RunConfig:
        own = from_table(arm.settings, f"study {self.name}, arm {arm.name}")
        try:
            return resolve([*layers, own])
        except UsageError as error:
            raise UsageError(f"arm {arm.name}: {error}") from error
