"""Carries out an operator's commands: finds the episode, checks the command and passes it to the driver."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from quintet.config.sections import RunConfig
from quintet.config.settings import Setting, Settings
from quintet.control.messages import (
    CancelEpisode,
    ChangeSettings,
    CommandDone,
    CommandRefused,
    ControlCommand,
    ControlReply,
    GetStatus,
    Pause,
    RequeueEpisode,
    Resume,
    RunningEpisode,
    RunStatus,
    SetPace,
    StatusCharge,
    StopRun,
)
from quintet.errors import Fault, Suspension, UsageError
from quintet.journal.reader import JournalReader
from quintet.messages.paths import RESERVED, Path, attempt_of, episode_path
from quintet.quota.quota import LocalLimiters, Quota, allowance, rates_of
from quintet.runs.chosen_episodes import match_episode
from quintet.runs.ends import is_result
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.runtime.driver import Driver
from quintet.runtime.episode_requests import EpisodeRequests

LIVE = (
    "runtime.concurrency",
    "runtime.hosts",
    "limits.budget_usd",
    "limits.budget_tokens",
    "limits.calls",
    "limits.requests_per_minute",
    "limits.tokens_per_minute",
    "limits.pace",
)
"""The keys that may change."""

_WHERE = "quintet ctl"


@dataclass(frozen=True)
class LiveSettings:
    """Changes the settings of a run."""

    folder: RunFolder
    write: Callable[[Settings], RunConfig]
    """Changes the settings of the run in its folder; returns its configuration from then on."""
    driver: Driver
    quota: Quota
    limiters: LocalLimiters | None
    """Of its models; None: other runs share them."""

    def change(self, settings: Mapping[str, object]) -> None:
        """Change them now and for resumes; a `UsageError`, and no change, if a key or a value cannot be changed so."""
        for key in settings:
            if key not in LIVE:
                raise UsageError(f"{key}: expected one of {', '.join(LIVE)}, which change while a run goes on")
        budget = any(key.startswith("limits.budget") for key in settings)
        rates = any(key.startswith("limits.") and "budget" not in key for key in settings)
        if budget:
            self._refuse_unpriced(settings)
        if rates and self.limiters is None:
            shared = f"quota {self.folder.config.runtime.quota}, which other runs share"
            raise UsageError(f"limits: expected rate limits of this run alone, got those of {shared}")
        if "runtime.hosts" in settings and self.driver.resize is None:
            raise UsageError("runtime.hosts: expected a run on Ray, got one in its driver's process")
        config = self.write({key: Setting(value, _WHERE) for key, value in settings.items()})
        if "runtime.concurrency" in settings:
            self.driver.concurrency = config.runtime.concurrency
        if self.driver.resize is not None and "runtime.hosts" in settings and config.runtime.hosts is not None:
            self.driver.resize(config.runtime.hosts)
        if budget:
            self.quota.set_budget(allowance(config.limits.budget_usd, config.limits.budget_tokens))
        if rates and self.limiters is not None:
            self.limiters.change(*rates_of(config.limits, self.folder.record.shard, config.runtime.shards))

    def set_pace(self, pace: Mapping[str, object]) -> None:
        """Set one model's rate limits, as in `limits.pace`; a `UsageError` if the model or a value is wrong."""
        known = set(self.folder.record.models.values()) | set(self.folder.prices)
        if pace["model"] not in known:
            raise UsageError(f"pace: expected one of {', '.join(sorted(known))}, got {pace['model']!r}")
        before = [each.model_dump(exclude_none=True) for each in self.folder.config.limits.pace]
        tables: dict[str, dict[str, object]] = {each["model"]: each for each in before}
        tables[str(pace["model"])] = {**tables.get(str(pace["model"]), {}), **pace}
        self.change({"limits.pace": [*tables.values()]})

    def _refuse_unpriced(self, settings: Mapping[str, object]) -> None:
        if self.quota.spent is None:
            raise UsageError(
                "budget: expected a run that counts what it spends, got one that began without a budget and without "
                "prices; stop it, and resume it with --budget-tokens N"
            )
        if settings.get("limits.budget_usd") is not None:
            for model in self.folder.record.models.values():
                if model not in self.folder.prices:
                    raise UsageError(f"limits.budget_usd: expected models with a price, got {model}")


@dataclass(frozen=True)
class Operator:
    """Carries out commands to a run."""

    record: RunRecord
    solve_request: EpisodeRequests
    journal: JournalReader
    driver: Driver
    quota: Quota
    live: LiveSettings
    counters: RunCounters
    """Of the progress display."""

    async def answer(self, command: ControlCommand) -> ControlReply:
        """Carry out a command, or say why not."""
        try:
            return await self._carry_out(command)
        except (UsageError, Fault) as error:
            return CommandRefused(reason=str(error))

    async def _carry_out(self, command: ControlCommand) -> ControlReply:
        match command:
            case GetStatus():
                return self._status()
            case Pause():
                self.driver.pause()
                self.counters.paused = True
                running = len(self.driver.under_way)
                return CommandDone(
                    text=f"paused: no episode starts, and the {running} that are running make no further model call; "
                    "if the run is interrupted and resumed, it is no longer paused"
                )
            case Resume():
                self.driver.resume()
                self.counters.paused = False
                still = "; no call begins until those in flight have ended or weights have changed"
                return CommandDone(text=f"resumed{still if self.driver.paused else ''}")
            case StopRun():
                running = len(self.driver.under_way)
                self.driver.suspend(Suspension("stopped by an operator (quintet ctl stop)"))
                return CommandDone(text=f"the run stops; a resume goes on with the {running} episodes that are running")
            case CancelEpisode():
                return await self._cancel(command.episode)
            case RequeueEpisode():
                return await self._requeue(command.episode, force=command.force)
            case ChangeSettings():
                self.live.change(command.settings)
                return _changed({key.rpartition(".")[2]: value for key, value in command.settings.items()})
            case SetPace():
                self.live.set_pace({"model": command.model, **command.limits})
                return _changed(command.limits, f"{command.model}: ", none="as for all models")
            case _:
                assert_never(command)

    def _status(self) -> RunStatus:
        now = time.monotonic()
        running = [
            RunningEpisode(episode=each.path, host=each.on, seconds=round(each.worked + now - each.since, 3))
            for each in self.driver.under_way
        ]
        spent = self.quota.spent
        return RunStatus(
            episodes=self.record.episodes,
            done=self.counters.done,
            paused=self.driver.paused,
            concurrency=self.driver.concurrency,
            running=tuple(sorted(running, key=lambda each: each.seconds, reverse=True)),
            queued=tuple(self.driver.queued),
            hosts=tuple(name for name, lives in self.driver.hosts.items() if lives),
            lost=tuple(name for name, lives in self.driver.hosts.items() if not lives),
            hosts_text=self.driver.hosts_text,
            calls=len(self.quota.permits),
            charged=None if spent is None else StatusCharge(usd=spent.usd or 0.0, tokens=spent.tokens),
        )

    async def _cancel(self, wanted: str) -> CommandDone:
        path = self._find(wanted)
        end = self.journal.end(path)
        if end is not None:
            raise UsageError(f"{path}: expected an episode that is running or queued, got one that ended: {end.state}")
        ended = await self.driver.cancel(path)
        return CommandDone(text=f"{path} ended: {ended.state}, {ended.reason}, reward {ended.reward:g}")

    async def _requeue(self, wanted: str, *, force: bool) -> CommandDone:
        path = self._find(wanted)
        end = self.journal.end(path)
        known = end is not None or path in self.driver.queued  # the driver refuses a queued one
        if not known and all(each.path != path for each in self.driver.under_way):
            raise UsageError(f"{path}: expected an episode that is running or has ended, got one that does not run")
        if not force and path not in self.driver.queued and (end is None or is_result(end)):
            state = "running" if end is None else end.state
            remedy = "cancel it and repeat it" if end is None else "repeat it and discard its result"
            expected = "an episode that faulted or was cancelled"
            raise UsageError(f"{path}: expected {expected}, got one that is {state}; to {remedy}: --force")
        task, epoch, attempt = attempt_of(path)
        again = episode_path(task, epoch, attempt + 1)
        acts = end is None or self.journal.has_opened(path)
        await self.driver.requeue(path, self.solve_request.planned(task, epoch, attempt + 1, after_reset=acts))
        return CommandDone(
            text=f"{again} is queued; {path} " + ("is cancelled" if end is None else f"ended: {end.state}")
        )

    def _find(self, wanted: str) -> Path:
        """The newest attempt that a command means; see `match_episode`."""
        named, *_ = wanted.strip("/").split("/")
        newest = {epoch: 0 for epoch, task in self.record.repeated() if task.name == named}
        if named not in RESERVED:
            newest |= {epoch: numbers[-1] for epoch, numbers in self.journal.attempts_at(named).items()}
        begun = (each.path for each in self.driver.under_way if each.planned.has_slot)  # the journal may not know yet
        for task, epoch, number in map(attempt_of, (*self.driver.queued, *begun)):
            if task == named:
                newest[epoch] = max(number, newest.get(epoch, 0))
        if not newest:  # refuse it with the names that there are
            record = self.record
            tasks = (task.name for task in (*record.tasks, *record.training, *record.held_out))
            return match_episode((episode_path(task, 0, 0) for task in tasks), wanted)
        return match_episode((episode_path(named, epoch, number) for epoch, number in newest.items()), wanted)


def _changed(values: Mapping[str, object], of: str = "", *, none: str = "unlimited") -> CommandDone:
    said = ", ".join(f"{key} {none if value is None else value}" for key, value in values.items())
    return CommandDone(text=f"{of}{said}; also when the run is resumed")
