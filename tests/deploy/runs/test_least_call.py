"""A budget that no call fits into is refused before the run begins."""

from pathlib import Path

import pytest

from quintet.errors import UsageError
from tests.deploy import samples


def test_a_budget_in_tokens_holds_the_longest_completion_and_a_prompt() -> None:
    for key in ("budget_tokens", "episode_tokens"):
        assert samples.record("adapt", limits={key: 1_025}).configuration.limits.model_dump()[key] == 1_025
        said = rf"limits\.{key}: expected at least 1,025 tokens, since every call .*, got 1,024 \("
        with pytest.raises(UsageError, match=said):
            samples.record("adapt", limits={key: 1_024})
    shorter = {"limits": {"episode_tokens": 500}, "method": {"inner": {"model": {"max_tokens": 100}}}}
    assert samples.record("adapt", **shorter)
    assert samples.record("random", limits={"episode_tokens": 1})


def test_a_budget_in_usd_holds_the_cheapest_call(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 2.0\n', encoding="utf-8")
    for key in ("budget_usd", "episode_usd"):
        assert samples.record("react", limits={key: 0.0021, "prices": str(prices)})
        with pytest.raises(UsageError, match=rf"limits\.{key}: expected at least 0\.002049 USD, since .*, got 0\.002"):
            samples.record("react", limits={key: 0.002, "prices": str(prices)})
