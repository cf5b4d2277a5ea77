"""What models cost: a table of list prices, overlaid by the user's own."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, cast

from quintet.config.settings import LARGEST_FILE, load_toml, quote
from quintet.errors import UsageError
from quintet.plugins.files import read_limited
from quintet.ports.model import Usage

Nanodollars: TypeAlias = int
"""Billionths of a USD: fine enough for the price of one token, and sums stay whole numbers."""

NANODOLLARS: Final = 1_000_000_000
"""In one USD."""

_NANO_DOLLARS_PER_TOKEN = 1000
"""In one USD per million tokens."""
_SNAPSHOT = re.compile(r"(.+)-\d{4}-\d{2}-\d{2}")
_HIGHEST = 1_000_000
"""USD per million tokens."""
_OTHER_CHARGES = ("requests_kcount", "output_reasoning_mtok", "output_citation_mtok")
"""Of text, as the table names them."""


@dataclass(frozen=True)
class Price:
    """The price of a model, in USD per million tokens."""

    input: Decimal
    cached_input: Decimal
    output: Decimal

    @cached_property
    def rates(self) -> "Rates":
        """The price in whole numbers."""
        exact = [Fraction(price) * _NANO_DOLLARS_PER_TOKEN for price in (self.input, self.cached_input, self.output)]
        unit = math.lcm(*(rate.denominator for rate in exact))
        input, cached_input, output = (int(rate * unit) for rate in exact)
        return Rates(input, cached_input, output, unit)

    def cost(self, usage: Usage) -> Nanodollars:
        """What a call cost, rounded up. Completion tokens include reasoning."""
        input, cached_input, output, unit = self.rates
        cached = min(usage.cached_tokens, usage.prompt_tokens)
        fresh = usage.prompt_tokens - cached
        return -(-(fresh * input + cached * cached_input + usage.completion_tokens * output) // unit)


class Rates(NamedTuple):
    """What a token costs: so many times a nanodollar divided by `unit`."""

    input: int
    cached_input: int
    output: int
    unit: int


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The price under a model's name, or under that name without the date of a snapshot; None if there is neither."""
    snapshot = _SNAPSHOT.fullmatch(model)
    return prices.get(model) or (prices.get(snapshot[1]) if snapshot else None)


def list_price(
    model: str, url: str = "", *, provider: str = "", embeds: bool = False, writes: bool = False, batch: bool = False
) -> Price | None:
    """The list price of a model at a provider, from the table in the package `genai-prices`; fetches nothing.

    Args:
        model: as the provider calls it.
        url: base address of its endpoint, which tells the provider, unless `provider` does.
        provider: as the table calls it.
        embeds: it makes embeddings, which have no completion tokens and so no price of them.
        writes: what is not read from the provider's cache is written to it, and costs what that costs: the most that it
            can, since a prompt that is too short to be cached is charged as plain input.
        batch: of calls that are answered in batches; the full price where the table has no other.

    Returns:
        None if the table has no price, or one that varies with the hour, the length of the prompt or anything else
        that `Price` does not hold: a wrong price would break a budget.
    """
    from genai_prices import Usage as Used  # 0.3 s, so only for a run that calls an endpoint
    from genai_prices import calc_price
    from genai_prices.types import ModelPrice, TimeOfDateConstraint

    context = {"processing": "batch"} if batch else None
    try:
        if provider:
            found = calc_price(Used(), model, provider_id=provider, price_context=context)
        else:
            found = calc_price(Used(), model, provider_api_url=url, price_context=context)
    except LookupError:
        return None
    listed, periods = found.model_price, found.model.prices
    by_hour = not isinstance(periods, ModelPrice) and any(
        isinstance(period.constraint, TimeOfDateConstraint) for period in periods
    )
    if by_hour or any(getattr(listed, charge) is not None for charge in _OTHER_CHARGES):
        return None
    input, output, cached = listed.input_mtok, listed.output_mtok, listed.cache_read_mtok
    input = listed.cache_write_mtok or input if writes else input
    cached = input if cached is None else cached
    output = Decimal(0) if embeds and output is None else output
    if not (isinstance(input, Decimal) and isinstance(output, Decimal) and isinstance(cached, Decimal)):
        return None  # none of that kind, or one that rises with the length of the prompt
    return Price(input=input, cached_input=cached, output=output) if cached <= input else None


def read_prices(file: Path) -> dict[str, Price]:
    """The user's own prices, by model name.

    Args:
        file: TOML: `["gpt-4.1-mini"]`, quoted because of the dots, then `input`, `output` and, where it differs from
            `input`, `cached_input`.

    Raises:
        UsageError: the file cannot be read, or holds something else.
    """
    if file.exists() and not file.is_file():
        raise UsageError(f"prices: expected a file, got something else ({file})")
    try:
        tables = load_toml(read_limited(file, LARGEST_FILE).decode("utf-8-sig"), parse_float=Decimal)
    except OSError as error:
        raise UsageError(f"prices: expected a readable TOML file, got {error.strerror or error} ({file})") from error
    except ValueError as error:  # no UTF-8, no TOML, or a number too long for Python
        raise UsageError(f"prices: expected TOML, got {error} ({file})") from error
    return {model: _price(model, table, file) for model, table in tables.items()}


def _price(model: str, table: Any, file: Path) -> Price:
    if not isinstance(table, dict):
        raise UsageError(f"{model}: expected a table with input and output, got {quote(model, table)} ({file})")
    fields = cast("dict[str, Any]", table)
    if unknown := fields.keys() - Price.__dataclass_fields__:
        raise UsageError(f"{model}: expected input, cached_input and output, got {min(unknown)!r} ({file})")
    values = {"cached_input": fields.get("input"), **fields}
    price = Price(**{key: _dollars(f"{model}.{key}", values.get(key), file) for key in Price.__dataclass_fields__})
    if price.cached_input > price.input:  # what is reserved for a call counts nothing as cached
        raise UsageError(
            f"{model}.cached_input: expected at most {price.input}, as input, got {price.cached_input} ({file})"
        )
    return price


def _dollars(key: str, value: object, file: Path) -> Decimal:
    number = Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None
    if number is None or not number.is_finite() or not 0 <= number <= _HIGHEST:
        got = "none" if value is None else repr(value) if number is None else str(number)
        raise UsageError(f"{key}: expected USD per million tokens, from 0 to {_HIGHEST:,}, got {got} ({file})")
    return number
