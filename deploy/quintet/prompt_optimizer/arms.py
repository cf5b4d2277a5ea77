"""Runs the arms that an optimisation asks for, each once: what its folder has is not run again."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from quintet.config.resolve import as_tables
from quintet.config.sections import RunConfig
from quintet.config.settings import Setting, Settings, flatten, from_table
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare_named
from quintet.runs.ends import EARLY, RunStop
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import PromptOptimization
from quintet.studies.run import RunArm, WritableStudy, run_one

REFLECTION: Final = "reflection"
TEST: Final = "test"
"""What arms are named by that ask for a new text, and that measure the start and the best. All others play candidates
on tasks to learn from."""


class Halted(BaseException):
    """Leaves the package at once, which goes on after exceptions: a run stopped early, or something is wrong."""

    def __init__(self, cause: RunStop | Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Unprepared(UsageError):
    """An arm cannot be prepared as its own settings have it."""


class Arms:
    """The arms of an optimisation.

    Args:
        folder: its study, open to write.
        run_arm: runs what is left of an arm.
    """

    def __init__(self, folder: WritableStudy, run_arm: RunArm) -> None:
        assert folder.record.optimization is not None
        self.optimization: PromptOptimization = folder.record.optimization
        self.folder = folder
        self._run_arm = run_arm

    def run(
        self,
        arm: str,
        config: RunConfig,
        own: Mapping[str, Any],
        label: str,
        files: Callable[[], Settings] = dict[str, Setting],
    ) -> RunFolder:
        """An arm that has ended, by a result or a fault in each episode.

        Args:
            arm: its name.
            config: what it runs under, but for its own settings.
            own: these, by dotted key.
            label: what a person sees of it.
            files: writes what it reads, and returns the settings that name that; called before it is written down.

        Raises:
            Halted: it stopped early, so that nothing can go on.
            Unprepared: it cannot be prepared.
            UsageError: it cannot begin or go on; or the folder has another arm of that name.
        """
        recorded = self.folder.record.arms.get(arm)
        if recorded is None:
            self.folder.add_arm(arm, self._prepare(arm, config, own, files))
        else:
            self._refuse_other(arm, recorded, own)
        stop = run_one(self.folder, arm, self._run_arm, label)
        if stop.ended in EARLY:
            raise Halted(stop)
        return RunFolder.open_to_read(self.folder.arm_path(arm))

    def _prepare(self, arm: str, config: RunConfig, own: Mapping[str, Any], files: Callable[[], Settings]) -> Prepared:
        settings = {key: Setting(value, arm) for key, value in own.items()}
        try:
            return prepare_named([from_table(as_tables(config), arm), settings, files()], self.folder.objects)
        except UsageError as error:
            raise Unprepared(str(error)) from error

    def _refuse_other(self, arm: str, recorded: RunConfig, own: Mapping[str, Any]) -> None:
        before = dict(flatten(as_tables(recorded)))
        for key, value in own.items():
            if json.dumps(before.get(key)) != json.dumps(value):
                expected = f"expected {before.get(key)!r:.80}, as the arm was begun, got {value!r:.80}"
                raise UsageError(f"{arm}: {key}: {expected}; begin a new folder ({self.folder.path})")
