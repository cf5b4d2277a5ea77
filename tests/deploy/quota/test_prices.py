"""Prices of models."""

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from genai_prices import Usage as Used
from genai_prices import calc_price
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.ports.model import Usage
from quintet.quota.prices import NANODOLLARS, Price, list_price, price_of, read_prices

tokens = st.integers(0, 10**9)
dollars = st.decimals(0, 1000, places=4)


def _price(one: Decimal, other: Decimal, output: Decimal) -> Price:
    return Price(input=max(one, other), cached_input=min(one, other), output=output)


prices = st.builds(_price, dollars, dollars, dollars)
usages = st.builds(Usage, prompt_tokens=tokens, completion_tokens=tokens, cached_tokens=tokens, reasoning_tokens=tokens)

OPENAI = "https://api.openai.com/v1"
MINI = Price(input=Decimal("0.4"), cached_input=Decimal("0.1"), output=Decimal("1.6"))


def _file(folder: Path, text: str) -> Path:
    file = folder / "prices.toml"
    file.write_text(text)
    return file


def test_a_million_tokens_cost_the_list_price() -> None:
    assert MINI.cost(Usage(prompt_tokens=1_000_000)) == 400_000_000
    assert MINI.cost(Usage(prompt_tokens=1_000_000, cached_tokens=1_000_000)) == 100_000_000
    assert MINI.cost(Usage(completion_tokens=1_000_000)) == 1_600_000_000


def test_reasoning_is_part_of_the_completion() -> None:
    assert MINI.cost(Usage(completion_tokens=10, reasoning_tokens=10)) == MINI.cost(Usage(completion_tokens=10))


def test_part_of_a_nano_dollar_is_a_whole_one() -> None:
    price = Price(input=Decimal("0.0001"), cached_input=Decimal(0), output=Decimal(0))
    assert [price.cost(Usage(prompt_tokens=count)) for count in (0, 1, 10, 11)] == [0, 1, 1, 2]


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


@given(prices, usages, usages)
def test_two_calls_cost_no_less_than_one_of_both(price: Price, one: Usage, other: Usage) -> None:
    both = Usage(
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        cached_tokens=min(one.cached_tokens, one.prompt_tokens) + min(other.cached_tokens, other.prompt_tokens),
        completion_tokens=one.completion_tokens + other.completion_tokens,
    )
    assert price.cost(one) + price.cost(other) >= price.cost(both)


@pytest.mark.parametrize("model", ["gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"])
def test_a_list_price_is_the_one_of_the_provider_at_the_address(model: str) -> None:
    assert list_price(model, OPENAI) == MINI


def test_a_list_price_is_found_by_the_providers_name_too() -> None:
    assert list_price("gpt-4.1-mini", provider="openai") == list_price("gpt-4.1-mini", OPENAI) == MINI
    assert list_price("gpt-4.1-mini", provider="nobody") is None


def test_what_embeds_has_a_list_price_though_its_completions_have_none() -> None:
    price = Price(Decimal("0.02"), Decimal("0.02"), Decimal(0))
    assert list_price("text-embedding-3-small", OPENAI, embeds=True) == price
    assert list_price("text-embedding-3-small", OPENAI) is None
    assert list_price("gpt-4.1-mini", OPENAI, embeds=True) == list_price("gpt-4.1-mini", OPENAI)


def test_cached_tokens_cost_as_much_as_others_if_the_list_has_no_price_for_them() -> None:
    assert list_price("gpt-3.5-turbo", OPENAI) == Price(Decimal("0.5"), Decimal("0.5"), Decimal("1.5"))


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("gpt-4.1-mini", "http://127.0.0.1:8000/v1"),
        ("gpt-4.1-mini", "https://gateway.example/v1"),
        ("sim-weak", OPENAI),
        ("gpt-4.1-mini-2025-04-14-custom", OPENAI),
        ("", OPENAI),
    ],
)
def test_an_unknown_address_or_model_has_no_list_price(model: str, url: str) -> None:
    assert list_price(model, url) is None


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
    own = read_prices(_file(tmp_path, '["gpt-4o"]\ninput = 3\noutput = 9.5\n["mine"]\ninput = 0\noutput = 0\n'))
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
    ],
)
def test_a_bad_price_is_a_usage_error_that_names_the_file(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as raised:
        read_prices(_file(tmp_path, text))
    assert "prices.toml" in str(raised.value)


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a readable TOML file, got No such file .*none\.toml"):
        read_prices(tmp_path / "none.toml")


def test_a_file_of_other_bytes_is_a_usage_error(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b"a = '\xe9'")
    with pytest.raises(UsageError, match=r"expected TOML, got .*utf-8"):
        read_prices(file)
