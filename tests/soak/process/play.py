"""Plays a scenario: one process after the other, until the run has ended."""

import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from quintet.control.client import send_command
from quintet.control.messages import ChangeSettings, ControlCommand, Pause, RequeueEpisode, Resume, StopRun
from quintet.errors import UsageError
from tests.soak.process.draw import Life, Order, Scenario
from tests.soak.process.dying import strike
from tests.soak.process.endpoint import Death as EndpointDeath
from tests.soak.process.endpoint import EndpointProcess
from tests.soak.process.found import NOTHING, Came, Found, find
from tests.soak.process.life import LifePlan, start_life

_SECONDS = 60.0
"""A process that takes longer hangs."""
_FURTHER = 6
"""How many undisturbed processes may be needed for the rest: one, and some for budgets and an endpoint that refused."""
USD = 1e-6
"""Of a token."""
_ENOUGH = 50
"""The last budget, in runs."""
_CALL = 2_500
"""Tokens that the smallest budget has room for beside its share."""

ENDED, SPENT, USAGE, INTERRUPTED = (0, 1), 3, 2, 130


class Ending(NamedTuple):
    """How a process ended."""

    code: int
    """Negative: the signal that killed it; None is never."""
    hung: bool


@dataclass
class Played:
    """What happened in a scenario."""

    endings: list[int] = field(default_factory=list[int])
    """Exit codes, in order."""
    left: list[Found] = field(default_factory=list[Found])
    """After every process."""
    budgets: list[int | None] = field(default_factory=list[int | None])
    """Of every process, in tokens."""
    deaths: int = 0
    endpoint_died_last: bool = False
    """In the last process: completions that it made and did not send are in no journal."""
    requeued: bool = False
    broken: list[str] = field(default_factory=list[str])


class Player:
    """Plays one scenario in a folder."""

    def __init__(self, scenario: Scenario, folder: Path, port: int, whole: Came | None) -> None:
        self._scenario = scenario
        self._folder = folder
        self.run = folder / "run"
        self._whole = whole
        self._url = f"http://127.0.0.1:{port}/v1"
        self._endpoint = EndpointProcess(folder, port, scenario.faults)
        self._budgets = self._all_budgets()
        self.played = Played()

    def play(self) -> Played:
        """Run processes until the run has ended."""
        try:
            for life in (*self._scenario.lives, *[Life()] * _FURTHER):
                if self._live(life) in ENDED:
                    return self.played
        finally:
            self._endpoint.stop()
        codes = self.played.endings
        self.played.broken.append(f"end: expected the run to end in {_FURTHER} undisturbed processes, got {codes}")
        return self.played

    def _all_budgets(self) -> list[int]:
        if self._whole is None or not self._scenario.budget:
            return []
        shares = [_CALL + int(share * self._whole.tokens) for share in self._scenario.budget]
        return [*shares, (self._whole.tokens + _CALL) * _ENOUGH]

    def _live(self, life: Life) -> int:
        if not self._endpoint.process:
            self._endpoint.start(self._endpoint_death(life))
        self.played.endpoint_died_last = False
        budget = self._budgets[0] if self._budgets else None
        plan = self._plan(life, budget)
        heard, told = os.pipe()
        process = start_life(plan, told, fresh=self._scenario.fresh)
        os.close(told)
        ending = _Watch(process, heard, self._endpoint, life, self).watch()
        os.close(heard)
        if self._endpoint.process and life.endpoint_dies is not None:
            self._endpoint.stop()  # it was to die in that process
        self._note(ending, budget)
        if ending.code == SPENT and len(self._budgets) > 1:
            del self._budgets[0]
        return ending.code

    def _note(self, ending: Ending, budget: int | None) -> None:
        played = self.played
        played.endings.append(ending.code)
        played.budgets.append(budget)
        played.deaths += ending.code < 0 and not ending.hung
        if ending.hung:
            played.broken.append(f"process {len(played.endings)}: expected it to end within {_SECONDS:g} s, got none")
        played.left.append(find(self.run, self._folder))

    def _plan(self, life: Life, budget: int | None) -> LifePlan:
        words = self._words(budget)
        kill_at = 0 if life.death is None else self._commit(life.death.share)
        orders = (self._commit(life.ordered),) if life.orders else ()
        between = life.death is not None and (life.death.moment == "between" or bool(life.orders))
        whole = self._whole
        most = None if whole is None or life.disk is None else int(whole.largest * life.disk)
        return LifePlan(
            words=tuple(words),
            folder=str(self._folder),
            kill_at=0 if between else kill_at,
            moment="before" if life.death is None else life.death.moment,
            blow="SIGKILL" if life.death is None else life.death.blow,
            notify=orders or ((kill_at,) if between else ()),
            most_bytes=most,
            most_tokens=budget,
        )

    def _words(self, budget: int | None) -> list[str]:
        scenario = self._scenario
        if (self.run / "run.json").exists():
            words = ["resume", str(self.run)]
        else:
            words = list(scenario.configuration.words(self._url, self.run))
        if self._whole is not None:
            words += ["--concurrency", str(scenario.concurrency)]
        if budget is not None:
            limit = ("--budget-usd", f"{budget * USD:.6f}") if scenario.budget_usd else ("--budget-tokens", str(budget))
            words += [*limit, "--set", f"limits.prices={self._folder / PRICES}"]
        return words

    def _commit(self, share: float) -> int:
        """A commit of those that are left, about."""
        assert self._whole is not None
        now = self.played.left[-1] if self.played.left else NOTHING
        left = 1 - len(now.content) / max(len(self._whole.found.content), 1)
        return 1 + int(share * max(left, 0.0) * self._whole.commits)

    def _endpoint_death(self, life: Life) -> EndpointDeath | None:
        if life.endpoint_dies is None or self._whole is None:
            return None
        request = 1 + int(life.endpoint_dies * self._whole.requests)
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
            "concurrency": {"runtime.concurrency": 1 + self._scenario.concurrency % 3},
            "calls": {"limits.calls": 1 + self._scenario.seed % 3},
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
        assert self._whole is not None
        return f"{self._whole.rewards[0][0]}/0"


PRICES = "prices.toml"


class _Watch:
    """Watches one process and its endpoint until the process ends."""

    def __init__(self, process: int, heard: int, endpoint: EndpointProcess, life: Life, player: Player) -> None:
        self._process = process
        self._heard = heard
        self._endpoint = endpoint
        self._life = life
        self._player = player
        self._end = time.monotonic() + _SECONDS

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
