"""Parts that do not fit together are refused before the run begins."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from tests.actors.fakes import Kitchen
from tests.deploy import samples


@pytest.mark.parametrize(("method", "named"), [("expert", "an expert"), ("naive", "a naive policy")])
def test_a_method_that_follows_a_policy_is_refused_in_a_world_without_one(method: str, named: str) -> None:
    said = f"^method {method}: expected a world with {named}, which it follows, got kitchen, which has none$"
    with pytest.raises(UsageError, match=said):
        prepare([from_table({"method": {"name": method}, "environment": {"name": Kitchen}}, "a test")])


def _limits(method: str, limits: Mapping[str, object], **options: object) -> dict[str, object]:
    return samples.record(method, limits=limits, method=options).configuration.limits.model_dump()


def test_a_budget_in_tokens_holds_the_longest_completion_and_a_prompt() -> None:
    for key in ("budget_tokens", "episode_tokens"):
        assert _limits("adapt", {key: 1_025})[key] == 1_025
        said = rf"limits\.{key}: expected at least 1,025 tokens, since every call .*, got 1,024 \("
        with pytest.raises(UsageError, match=said):
            _limits("adapt", {key: 1_024})
    assert _limits("adapt", {"episode_tokens": 500}, inner={"model": {"max_tokens": 100}})["episode_tokens"] == 500
    assert _limits("random", {"episode_tokens": 1})["episode_tokens"] == 1


def test_a_budget_in_usd_holds_the_cheapest_call(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 2.0\n', encoding="utf-8")
    for key in ("budget_usd", "episode_usd"):
        assert _limits("react", {key: 0.0021, "prices": str(prices)})[key] == 0.0021
        with pytest.raises(UsageError, match=rf"limits\.{key}: expected at least 0\.002049 USD, since .*, got 0\.002"):
            _limits("react", {key: 0.002, "prices": str(prices)})
