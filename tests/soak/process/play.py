"""Plays a scenario by the real command, before an endpoint of its own."""

import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from quintet.control.client import send_command
from quintet.control.messages import ChangeSettings, ControlCommand, Pause, RequeueEpisode, Resume, StopRun
from quintet.errors import UsageError
from tests.soak.process.draw import Life, Order, Scenario
from tests.soak.process.dying import strike
from tests.soak.process.endpoint import Death as EndpointDeath
from tests.soak.process.endpoint import EndpointProcess
from tests.soak.process.found import Came
from tests.soak.process.life import LifePlan, start_life
from tests.soak.process.lives import SECONDS, Ending, Lives, Played


class Player(Lives):
    """Plays one scenario in a folder."""

    def __init__(self, scenario: Scenario, folder: Path, port: int, whole: Came | None) -> None:
        super().__init__(scenario, folder, whole)
        self._url = f"http://127.0.0.1:{port}/v1"
        self._endpoint = EndpointProcess(folder, port, scenario.faults)

    def play(self) -> Played:
        """Run processes, and end the endpoint after them."""
        try:
            return super().play()
        finally:
            self._endpoint.stop()

    def live(self, life: Life, budget: int | None) -> Ending:
        if not self._endpoint.process:
            self._endpoint.start(self._endpoint_death(life))
        self.played.endpoint_died_last = False
        plan = self._plan(life, budget)
        heard, told = os.pipe()
        process = start_life(plan, told, fresh=self.scenario.fresh)
        os.close(told)
        ending = _Watch(process, heard, self._endpoint, life, self).watch()
        os.close(heard)
        if self._endpoint.process and life.endpoint_dies is not None:
            self._endpoint.stop()  # it was to die in that process
        return ending

    def _plan(self, life: Life, budget: int | None) -> LifePlan:
        words = self._words(budget)
        kill_at = 0 if life.death is None else self.commit_of(life.death.share)
        orders = (self.commit_of(life.ordered),) if life.orders else ()
        between = life.death is not None and (life.death.moment == "between" or bool(life.orders))
        whole = self.whole
        most = None if whole is None or life.disk is None else int(whole.largest * life.disk)
        return LifePlan(
            words=tuple(words),
            folder=str(self.folder),
            kill_at=0 if between else kill_at,
            moment="before" if life.death is None else life.death.moment,
            blow="SIGKILL" if life.death is None else life.death.blow,
            notify=orders or ((kill_at,) if between else ()),
            most_bytes=most,
            most_tokens=budget,
        )

    def _words(self, budget: int | None) -> list[str]:
        scenario = self.scenario
        if (self.run / "run.json").exists():
            words = ["resume", str(self.run)]
        else:
            words = list(scenario.configuration.words(self._url, self.run))
        if self.whole is not None:
            words += ["--concurrency", str(scenario.concurrency)]
        words += [word for key, value in self.limits(budget).items() for word in ("--set", f"{key}={value}")]
        return words

    def _endpoint_death(self, life: Life) -> EndpointDeath | None:
        if life.endpoint_dies is None or self.whole is None:
            return None
        request = 1 + int(life.endpoint_dies * self.whole.requests)
        return EndpointDeath(request=request, moment=life.endpoint_moment)

    def order(self, orders: Sequence[Order]) -> None:
        """Give an operator's orders; a run that has just ended takes none."""
        for order in orders:
            try:
                send_command(self.run, self._command(order))
            except (UsageError, OSError):
                return

    def _command(self, order: Order) -> ControlCommand:
        changes: Mapping[Order, dict[str, float | int | None]] = {
            "concurrency": {"runtime.concurrency": 1 + self.scenario.concurrency % 3},
            "calls": {"limits.calls": 1 + self.scenario.seed % 3},
        }
        match order:
            case "pause":
                return Pause()
            case "resume":
                return Resume()
            case "stop":
                return StopRun()
            case "requeue":
                self.played.requeued = True
                return RequeueEpisode(episode=self._first_task(), force=True)
            case "concurrency" | "calls":
                return ChangeSettings(settings=changes[order])

    def _first_task(self) -> str:
        assert self.whole is not None
        return f"{self.whole.rewards[0][0]}/0"


class _Watch:
    """Watches one process and its endpoint until the process ends."""

    def __init__(self, process: int, heard: int, endpoint: EndpointProcess, life: Life, player: Player) -> None:
        self._process = process
        self._heard = heard
        self._endpoint = endpoint
        self._life = life
        self._player = player
        self._end = time.monotonic() + SECONDS

    def watch(self) -> Ending:
        """Return when it has ended."""
        life = os.pidfd_open(self._process)
        served = os.pidfd_open(self._endpoint.process)
        waiting = [life, served, self._heard]
        try:
            while True:
                ready, _, _ = select.select(waiting, (), (), max(self._end - time.monotonic(), 0))
                if life in ready or not ready:
                    return self._ended(hung=not ready)
                if served in ready:
                    waiting.remove(served)
                    self._replace_endpoint()
                elif os.read(self._heard, 1):
                    self._reached()
                else:
                    waiting.remove(self._heard)
        finally:
            os.close(life)
            os.close(served)

    def _ended(self, *, hung: bool) -> Ending:
        if hung:
            os.killpg(self._process, signal.SIGKILL)
        _, status = os.waitpid(self._process, 0)
        return Ending(os.waitstatus_to_exitcode(status), hung)

    def _replace_endpoint(self) -> None:
        self._endpoint.note_death()
        self._player.played.deaths += 1
        self._player.played.endpoint_died_last = True
        if self._life.endpoint_returns:
            self._endpoint.start()

    def _reached(self) -> None:
        self._player.order(self._life.orders)
        if self._life.death is not None:
            strike(self._life.death.blow, self._process)
