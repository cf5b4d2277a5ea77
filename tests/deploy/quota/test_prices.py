"""Prices of models, and costs that are added up."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from genai_prices import Usage as Used
from genai_prices import calc_price
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.ports.model import Usage
from quintet.quota.cost import NOTHING, Cost, total
from quintet.quota.prices import NANODOLLARS, Price, list_price, price_of, read_prices

tokens = st.integers(0, 10**9)
dollars = st.decimals(0, 1000, places=4)


def _price(one: Decimal, other: Decimal, output: Decimal) -> Price:
    return Price(input=max(one, other), cached_input=min(one, other), output=output)


prices = st.builds(_price, dollars, dollars, dollars)
usages = st.builds(Usage, prompt_tokens=tokens, completion_tokens=tokens, cached_tokens=tokens, reasoning_tokens=tokens)

OPENAI = "https://api.openai.com/v1"
MINI = Price(input=Decimal("0.4"), cached_input=Decimal("0.1"), output=Decimal("1.6"))


@given(prices, usages)
def test_a_cost_is_exact_but_for_the_rounding_up(price: Price, usage: Usage) -> None:
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    exact = 1000 * (
        (usage.prompt_tokens - cached) * Fraction(price.input)
        + cached * Fraction(price.cached_input)
        + usage.completion_tokens * Fraction(price.output)
    )
    assert exact <= price.cost(usage) < exact + 1


@given(prices, usages, tokens, tokens)
def test_nothing_within_a_reservation_costs_more_than_it(
    price: Price, usage: Usage, prompt_more: int, completion_more: int
) -> None:
    most = Usage(
        prompt_tokens=usage.prompt_tokens + prompt_more, completion_tokens=usage.completion_tokens + completion_more
    )
    assert price.cost(usage) <= price.cost(most)


EMBEDS = Price(Decimal("0.02"), Decimal("0.02"), Decimal(0))


@pytest.mark.parametrize(
    ("model", "where", "price"),
    [
        ("gpt-4.1-mini", {"url": OPENAI}, MINI),
        ("gpt-4.1-mini-2025-04-14", {"url": OPENAI}, MINI),
        ("gpt-4.1-mini", {"provider": "openai"}, MINI),
        ("gpt-4.1-mini", {"provider": "nobody"}, None),
        ("gpt-4.1-mini", {"url": OPENAI, "embeds": True}, MINI),
        pytest.param("text-embedding-3-small", {"url": OPENAI, "embeds": True}, EMBEDS, id="what embeds"),
        pytest.param("text-embedding-3-small", {"url": OPENAI}, None, id="its completions"),
        pytest.param(
            "gpt-3.5-turbo",
            {"url": OPENAI},
            Price(Decimal("0.5"), Decimal("0.5"), Decimal("1.5")),
            id="cached tokens cost as much as others where the list has no price for them",
        ),
        ("gpt-4.1-mini", {"url": "http://127.0.0.1:8000/v1"}, None),
        ("gpt-4.1-mini", {"url": "https://gateway.example/v1"}, None),
        ("sim-weak", {"url": OPENAI}, None),
        ("gpt-4.1-mini-2025-04-14-custom", {"url": OPENAI}, None),
        ("", {"url": OPENAI}, None),
    ],
)
def test_a_list_price_is_the_one_of_the_provider(model: str, where: dict[str, Any], price: Price | None) -> None:
    assert list_price(model, **where) == price


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("gpt-5.4", OPENAI),  # by the length of the prompt
        ("deepseek-chat", "https://api.deepseek.com/v1"),  # by the hour
        ("sonar-pro", "https://api.perplexity.ai"),  # by the request
    ],
)
def test_a_list_price_that_varies_is_not_used(model: str, url: str) -> None:
    calc_price(Used(), model, provider_api_url=url)  # the list has it
    assert list_price(model, url) is None


@given(st.sampled_from(["gpt-4o", "gpt-4.1-mini", "o4-mini", "gpt-5-nano"]), usages)
def test_a_list_price_makes_the_cost_that_its_package_makes(model: str, usage: Usage) -> None:
    cached = min(usage.cached_tokens, usage.prompt_tokens)
    used = Used(input_tokens=usage.prompt_tokens, cache_read_tokens=cached, output_tokens=usage.completion_tokens)
    price = list_price(model, OPENAI)
    assert price is not None
    theirs = Fraction(calc_price(used, model, provider_api_url=OPENAI).total_price) * NANODOLLARS
    assert theirs <= price.cost(usage) < theirs + 1


def test_what_is_written_to_a_cache_costs_what_the_list_says_and_plain_input_where_it_says_nothing() -> None:
    price = list_price("claude-haiku-4-5", provider="anthropic", writes=True)
    assert price == Price(input=Decimal("1.25"), cached_input=Decimal("0.1"), output=Decimal(5))
    assert list_price("gpt-4.1-mini", OPENAI, writes=True) == list_price("gpt-4.1-mini", OPENAI)


def test_no_price_is_fetched_and_the_table_is_loaded_only_when_it_is_read() -> None:
    code = (
        "import socket, sys\n"
        "socket.socket.connect = lambda *_: sys.exit('connected')\n"
        "import quintet.launch.prepare\nfrom quintet.quota.prices import list_price\n"
        "assert 'genai_prices' not in sys.modules\n"
        f"assert list_price('gpt-4o', {OPENAI!r})\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("model", "known_as"),
    [
        ("gpt-4o", "gpt-4o"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        ("gpt-4o-2024-05-13-custom", None),
        ("gpt-4o-2024", None),
        ("gpt-4o-audio", None),
        ("", None),
    ],
)
def test_a_dated_snapshot_costs_what_its_model_does(model: str, known_as: str | None) -> None:
    own = {"gpt-4o": MINI, "gpt-4o-2024-05-13": Price(Decimal(5), Decimal(5), Decimal(15))}
    assert price_of(model, own) == (own[known_as] if known_as else None)


def test_the_users_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('["gpt-4o"]\ninput = 3\noutput = 9.5\n["mine"]\ninput = 0\noutput = 0\n')
    own = read_prices(tmp_path / "own.toml")
    assert own["gpt-4o"] == Price(input=Decimal(3), cached_input=Decimal(3), output=Decimal("9.5"))
    assert own["mine"].cost(Usage(prompt_tokens=5)) == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a]\nb c", r"prices: expected TOML, got .*line 2"),
        ('["a"]\ninput = 1', r"a\.output: expected USD per million tokens.* got none"),
        ('["a"]\ninput = -1\noutput = 1', r"a\.input: expected .* got -1"),
        ('["a"]\ninput = nan\noutput = 1', r"a\.input: expected .* got NaN"),
        ('["a"]\ninput = 1\noutput = inf', r"a\.output: expected .* got Infinity"),
        ('["a"]\ninput = true\noutput = 1', r"a\.input: expected .* got True"),
        ('["a"]\ninput = "0.4"\noutput = 1', r"a\.input: expected .* got '0\.4'"),
        ('["a"]\ninput = 1\noutput = 1\ncached = 0.1', r"a: expected input, cached_input and output, got 'cached'"),
        ("[gpt-4.1-mini]\ninput = 1\noutput = 1", r"gpt-4: expected input, cached_input and output, got '1-mini'"),
        ("a = 1", r"a: expected a table with input and output, got 1"),
        ("a = '\xe9'", r"expected TOML, got .*utf-8"),
        (None, r"expected a readable TOML file, got No such file"),
    ],
)
def test_a_bad_price_is_a_usage_error_that_names_the_file(tmp_path: Path, text: str | None, complaint: str) -> None:
    file = tmp_path / "prices.toml"
    if text is not None:
        file.write_text(text, encoding="latin-1")
    with pytest.raises(UsageError, match=complaint) as raised:
        read_prices(file)
    assert "prices.toml" in str(raised.value)


PRICE = Price(Decimal(4), Decimal(1), Decimal(20))


def test_the_sum_of_costs_has_a_price_only_if_every_one_has() -> None:
    priced, free = Cost.of(Usage(prompt_tokens=100, completion_tokens=10), PRICE), Cost.of(Usage(prompt_tokens=5), None)
    assert priced == Cost(1, 100, 10, 100 * 4_000 + 10 * 20_000)
    assert total([priced, priced]) == Cost(2, 200, 20, 1_200_000)
    assert total([priced, free]) == Cost(2, 105, 10, None)
    assert total([]) == NOTHING


def test_a_difference_is_what_was_added() -> None:
    one, other = Cost(1, 100, 10, 500, 2, 30), Cost(2, 7, 3, 1, 4, 5)
    assert one + other - other == one


def test_tokens_and_usd_are_for_display() -> None:
    assert (Cost(1, 100, 10, 2_500_000).tokens, Cost(1, 100, 10, 2_500_000).usd) == (110, 0.0025)
    assert Cost(1, 1, 1, None).usd is None
