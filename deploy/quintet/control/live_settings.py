"""Settings that an operator changes while a run goes on: they hold at once, and for its resumes."""

from collections.abc import Callable, Mapping

from quintet.config.sections import RunConfig
from quintet.config.settings import Setting, Settings
from quintet.errors import UsageError
from quintet.quota.quota import LocalLimiters, Quota, allowance, rates_of
from quintet.runs.run_folder import RunFolder
from quintet.runtime.driver import Driver

LIVE = (
    "runtime.concurrency",
    "limits.budget_usd",
    "limits.budget_tokens",
    "limits.calls",
    "limits.requests_per_minute",
    "limits.tokens_per_minute",
    "limits.pace",
)
"""The keys that may change."""

_WHERE = "quintet ctl"


class LiveSettings:
    """Changes the settings of a run.

    Args:
        folder: of the run.
        change: changes the settings of the run in its folder; returns its configuration from then on.
        driver: of the run.
        quota: of the run.
        limiters: of its models; None: other runs share them.
    """

    def __init__(
        self,
        folder: RunFolder,
        change: Callable[[Settings], RunConfig],
        driver: Driver,
        quota: Quota,
        limiters: LocalLimiters | None,
    ) -> None:
        self._folder = folder
        self._change = change
        self._driver = driver
        self._quota = quota
        self._limiters = limiters

    def change(self, settings: Mapping[str, object]) -> None:
        """Change them now, and write them down for resumes.

        Raises:
            UsageError: a key or a value cannot be changed so; nothing is changed.
        """
        for key in settings:
            if key not in LIVE:
                raise UsageError(f"{key}: expected one of {', '.join(LIVE)}, which change while a run goes on")
        budget = any(key.startswith("limits.budget") for key in settings)
        rates = any(key.startswith("limits.") and "budget" not in key for key in settings)
        if budget:
            self._refuse_unpriced(settings)
        if rates and self._limiters is None:
            shared = f"quota {self._folder.config.runtime.quota}, which other runs share"
            raise UsageError(f"limits: expected rate limits of this run alone, got those of {shared}")
        config = self._change({key: Setting(value, _WHERE) for key, value in settings.items()})
        if "runtime.concurrency" in settings:
            self._driver.concurrency = config.runtime.concurrency
        if budget:
            self._quota.set_budget(allowance(config.limits.budget_usd, config.limits.budget_tokens))
        if rates and self._limiters is not None:
            self._limiters.change(*rates_of(config.limits))

    def set_pace(self, pace: Mapping[str, object]) -> None:
        """Set the rate limits of one model; what is left out stays.

        Args:
            pace: as a table of `limits.pace`.

        Raises:
            UsageError: the run has no such model, or a value is wrong.
        """
        known = set(self._folder.record.models.values()) | set(self._folder.prices)
        if pace["model"] not in known:
            raise UsageError(f"pace: expected one of {', '.join(sorted(known))}, got {pace['model']!r}")
        before = [each.model_dump(exclude_none=True) for each in self._folder.config.limits.pace]
        tables: dict[str, dict[str, object]] = {each["model"]: each for each in before}
        tables[str(pace["model"])] = {**tables.get(str(pace["model"]), {}), **pace}
        self.change({"limits.pace": [*tables.values()]})

    def _refuse_unpriced(self, settings: Mapping[str, object]) -> None:
        if self._quota.spent is None:
            raise UsageError(
                "budget: expected a run that counts what it spends, got one that began without a budget and without "
                "prices; stop it, and resume it with --budget-tokens N"
            )
        if settings.get("limits.budget_usd") is not None:
            for model in self._folder.record.models.values():
                if model not in self._folder.prices:
                    raise UsageError(f"limits.budget_usd: expected models with a price, got {model}")
