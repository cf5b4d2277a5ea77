"""Plays a scenario by forks of this process."""

import os
import signal
from pathlib import Path

from quintet.config.settings import Setting
from quintet.launch.prepare import Prepared
from tests.soak.kill.life import LifePlan, start_life
from tests.soak.kill.model import LoggedModel
from tests.soak.process.draw import Life, Scenario
from tests.soak.process.found import Came
from tests.soak.process.lives import Ending, Lives


class Player(Lives):
    """Plays one scenario in a folder, with a run that was prepared."""

    def __init__(
        self, scenario: Scenario, folder: Path, prepared: Prepared, model: LoggedModel, whole: Came | None
    ) -> None:
        super().__init__(scenario, folder, whole)
        self._prepared = prepared
        self._model = model

    def live(self, life: Life, budget: int | None) -> Ending:
        heard, told = os.pipe()
        process = start_life(self._plan(life, budget), told)
        os.close(told)
        if os.read(heard, 1):  # nothing: it ended before
            os.kill(process, signal.SIGKILL)
        os.close(heard)
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        return Ending(code, hung=code == -signal.SIGALRM)

    def _plan(self, life: Life, budget: int | None) -> LifePlan:
        at = 0 if life.death is None else self.commit_of(life.death.share)
        between = life.death is not None and life.death.moment == "between"
        changes = {"runtime.concurrency": self.scenario.concurrency, **self.limits(budget)}
        return LifePlan(
            prepared=self._prepared,
            model=self._model,
            folder=self.folder,
            changes={key: Setting(value, "the soak") for key, value in changes.items()},
            kill_at=0 if between else at,
            moment="before" if life.death is None else life.death.moment,
            notify_at=at if between else 0,
            most_tokens=budget,
            delays=len(self.played.endings),
        )
