"""The most that a run can cost, against a computation by hand."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from quintet.cli import main
from quintet.config.runtime_sections import LimitsSection
from quintet.config.settings import from_assignments
from quintet.launch.prepare import Prepared, prepare
from quintet.quota.prices import NANODOLLARS, Price
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.studies.cost_bound import CostBound, bound_notes, bound_table, cost_bound

PRICE = Price(input=Decimal(2), cached_input=Decimal(1), output=Decimal(8))
"""USD per million tokens: 2,000 and 8,000 nanodollars a token."""


def _run(method: str, *settings: str, world: str = "textcraft", priced: bool = True) -> Prepared:
    given = [f"method.name={method}", f"environment.name={world}", "model.max_tokens=100", *settings]
    run = prepare([from_assignments(given)])
    prices = {model.name: PRICE for model in run.spec.models.values()}
    return replace(run, prices=prices if priced else {})


def test_a_bound_is_episodes_times_calls_times_the_longest_call() -> None:
    run = _run("react", "run.tasks=5", "run.epochs=2", "method.max_steps=7", "model.context=1000")
    calls = 5 * 2 * 7
    assert cost_bound(run) == CostBound(10, calls, calls * 100, calls * 1_000, calls * (900 * 2_000 + 100 * 8_000))
    dear_prompts = Price(input=Decimal(9), cached_input=Decimal(9), output=Decimal(1))
    assert cost_bound(replace(run, prices=dict.fromkeys(run.prices, dear_prompts))).nanodollars == calls * 1_000 * 9_000
    bound = CostBound(1, 2, 3, 4, 1_234 * NANODOLLARS + NANODOLLARS // 2)
    assert bound_table({"one": bound}, LimitsSection()).rows[0][-1] == "1,234.50"


@pytest.mark.parametrize(
    ("method", "settings", "calls"),
    [
        ("standard", ["method.max_steps=30"], 30),
        ("expert", [], 0),
        ("autoplan", ["method.max_steps=35"], 3 * 35),
        ("lats", [], None),
        ("lats", ["limits.episode_calls=40"], 40),
        ("react", ["method.max_steps=80", "limits.episode_calls=40"], 40),
    ],
)
def test_the_calls_of_an_episode_are_the_methods_or_the_limit(
    method: str, settings: list[str], calls: int | None
) -> None:
    assert cost_bound(_run(method, "run.tasks=1", *settings)).calls == calls


def test_a_learners_calls_come_on_top_of_its_episodes() -> None:
    learns = ["run.learn=true", "run.task_type=heat", "run.tasks=2", "learning.tasks=8", "learning.batch=4"]
    run = _run("autoplan", *learns, "learning.eval_every=0", "method.max_steps=35", world="alfworld")
    episodes = 8 + 2
    assert run.record.episodes == episodes
    assert cost_bound(run).calls == episodes * 3 * 35 + 8 * 3 + 2, "three parts of a reflection on each, two updates"
    remembers = _run("ldm2", *learns, "learning.goals=2", "learning.batch=2", world="alfworld")
    assert cost_bound(remembers).calls is None


def test_a_budget_bounds_what_nothing_else_does() -> None:
    run = _run("lats", "run.tasks=3", "limits.budget_tokens=5000", "limits.episode_tokens=2000")
    assert cost_bound(run) == CostBound(3, None, 5_000, 5_000, None)
    run = _run("react", "run.tasks=3", "method.max_steps=10", "limits.episode_tokens=1000")
    assert cost_bound(run) == CostBound(3, 30, 3_000, 3_000, None)


def test_all_arms_share_a_budget() -> None:
    bounds = {arm: CostBound(2, None, 5_000, 5_000, 3 * NANODOLLARS) for arm in ("one", "two")}
    table = bound_table(bounds, LimitsSection(budget_tokens=7_000, budget_usd=4))
    assert [row[3:] for row in table.rows] == [("5,000", "5,000", "3.00")] * 2 + [("7,000", "7,000", "4.00")]


def test_what_is_not_known_is_said_and_not_left_out_of_the_sum() -> None:
    runs = {"react": _run("react", "run.tasks=2", "method.max_steps=3"), "lats": _run("lats", priced=False)}
    bounds = {arm: cost_bound(run) for arm, run in runs.items()}
    table = bound_table(bounds, LimitsSection())
    assert table.columns == ("", "episodes", "calls", "completion tokens", "tokens", "USD")
    assert table.rows == (
        ("react", "2", "6", "600", "no bound", "no bound"),
        ("lats", "200", "no bound", "no bound", "no bound", "no bound"),
        ("together", "202", "no bound", "no bound", "no bound", "no bound"),
    )
    assert bound_notes(runs, bounds) == [
        "lats: no bound on the calls is known; a budget sets one (--budget-usd)",
        "the longest prompt is not known, since model.context is not set",
        "a model has no known price; limits.prices names a file of prices",
        "a call without an answer may be charged, and is repeated up to 3 times",
    ]


@pytest.mark.parametrize(
    ("method", "options", "calls"),
    [
        ("react", ["max_steps=3"], 3),
        ("standard", ["max_steps=3"], 3),
        ("adapt", ["max_depth=1", "inner.max_steps=3"], 3),
        ("try_again", ["trials=2", "inner.max_steps=2"], 4),
        ("reflexion", ["trials=3", "inner.max_steps=1"], 3 + 2),
        ("reflexion", ["trials=2", "inner.max_steps=2", "reflections=none"], 4),
        ("autoplan", ["max_steps=2"], 6),
    ],
)
def test_an_episode_that_fails_makes_as_many_calls_as_the_bound_and_no_more(
    method: str, options: list[str], calls: int, tmp_path: Path
) -> None:
    settings = ['run.tasks=["beehive"]', *(f"method.{option}" for option in options)]
    assert cost_bound(_run(method, *settings)).calls == calls
    words = [word for setting in settings for word in ("--set", setting)]
    assert main(["eval", method, "textcraft", *words, "--out", str(tmp_path / "run")]) == 0
    (row,) = results(RunFolder.open_to_read(tmp_path / "run")).rows
    assert row.cost.calls == calls
