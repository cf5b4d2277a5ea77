"""The concurrency that an endpoint sustained in a run is where the next one starts."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling
from quintet.quota.limiter import AdaptiveLimiter, RateLimits
from quintet.quota.quota import LocalLimiters
from quintet.quota.sustained import SustainedConcurrency
from tests.simulation import virtual


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "quintet" / "sustained"


class Here:
    """A model in this process, which nobody bills."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return Completion(text="")


class There(Here):
    def __init__(self, name: str, account: str = "KEY at http://model.example") -> None:
        super().__init__(name)
        self.account = account


async def answered(limiter: AdaptiveLimiter, calls: int, *, refused: bool = False) -> None:
    for number in range(calls):
        await limiter.enter(f"host/{number}", 1)
    for number in range(calls):
        limiter.leave(f"host/{number}", "overloaded" if refused else "answered")


def run(models: Sequence[Here], calls: int, *, refused: bool = False, shards: int = 1) -> list[str]:
    """What a run says that has so many calls of each model in flight."""
    sustained, limiters = SustainedConcurrency(models, shards), LocalLimiters()
    limiters.begin(RateLimits(), {}, starts=sustained.calls)

    async def work() -> None:
        for model in models:
            await answered(limiters.limiter(model.name), calls, refused=refused)

    virtual.run(work())
    sustained.keep(limiters)
    return [*sustained.lines()]


def test_a_run_starts_with_what_its_endpoint_sustained_in_the_one_before() -> None:
    assert run([There("m")], 40) == []
    assert SustainedConcurrency([There("m")]).calls == {"m": 40}
    assert run([There("m")], 20) == [
        "m: sustained 40 calls at once in an earlier run, so it starts with as many (limits.start)"
    ]
    assert SustainedConcurrency([There("m")]).calls == {"m": 40}, "a smaller run found out nothing"


def test_an_overload_tells_that_it_sustains_fewer() -> None:
    run([There("m")], 40)
    run([There("m")], 40, refused=True)
    assert SustainedConcurrency([There("m")]).calls == {"m": 20}


def test_what_is_kept_is_of_one_model_at_one_address_and_of_none_in_this_process(state: Path) -> None:
    run([There("m"), Here("here")], 40)
    others = [There("other"), There("m", "KEY at http://elsewhere.example"), Here("here"), Here("m")]
    assert [SustainedConcurrency([model]).calls for model in others] == [{}, {}, {}, {}]
    assert len([*state.iterdir()]) == 1


@pytest.mark.parametrize("said", ["", "many m\n", "0 m\n", "-4 m\n"])
def test_a_file_without_a_number_says_nothing(state: Path, said: str) -> None:
    run([There("m")], 40)
    [kept] = state.iterdir()
    kept.write_text(said)
    assert SustainedConcurrency([There("m")]).calls == {}


def test_where_nothing_can_be_kept_runs_start_as_the_first_did(state: Path) -> None:
    state.parent.write_text("no folder")
    assert run([There("m")], 40) == run([There("m")], 40) == []


def test_shards_divide_what_an_endpoint_sustained_and_keep_nothing() -> None:
    run([There("m")], 40)
    assert run([There("m")], 80, shards=4) == [
        "m: sustained 40 calls at once in an earlier run, so this shard starts with 10 (limits.start)"
    ]
    assert SustainedConcurrency([There("m")]).calls == {"m": 40}
    assert SustainedConcurrency([There("m")], 64).calls == {"m": 1}
