"""Calls over time."""

from decimal import Decimal
from pathlib import Path as FilePath

import pytest
from msgspec.structs import replace

from quintet.journal.reader import JournalReader
from quintet.journal.timeline import Spans, Timeline
from quintet.ports.model import Usage
from quintet.quota.prices import Price
from tests.deploy.journal.records import call, written

USED = Usage(prompt_tokens=10, completion_tokens=5)


def _timeline(file: FilePath, spans: int, *models: str) -> Timeline | None:
    one = Price(input=Decimal(1), cached_input=Decimal(1), output=Decimal(1))
    reader = JournalReader.open(file)
    extent = reader.extent()
    found = None if extent is None else reader.timeline(Spans(extent, spans), dict.fromkeys(models, one))
    assert reader.damage == []
    reader.close()
    return found


def test_calls_are_in_flight_between_their_starts_and_ends_and_spent_where_they_end(tmp_path: FilePath) -> None:
    times = {1: (0, 100), 2: (10, 20), 3: (35, 45), 4: (40, 90)}
    records = [
        replace(call(number, usage=USED), at=1e6 + end, seconds=end - start) for number, (start, end) in times.items()
    ]
    found = _timeline(written(tmp_path / "journal.sqlite", *records), 4, "m")
    assert found is not None
    assert (found.start, found.seconds) == (1e6, 25)
    assert found.in_flight == pytest.approx([1 + 10 / 25, 1 + (10 + 10) / 25, 2.0, 1 + 15 / 25])
    assert [cost.calls for cost in found.spent] == [1, 1, 0, 2]
    assert [cost.nanodollars for cost in found.spent] == [15_000, 15_000, 0, 30_000]
    assert sum(cost.tokens for cost in found.spent) == 60


def test_a_run_has_no_cost_where_a_model_has_no_price_and_no_timeline_without_calls(tmp_path: FilePath) -> None:
    records = [call(1, usage=USED), call(2, usage=USED, model="other")]
    found = _timeline(written(tmp_path / "some.sqlite", *records), 1, "m")
    assert found is not None
    assert [(cost.calls, cost.tokens, cost.nanodollars) for cost in found.spent] == [(2, 30, None)]
    assert _timeline(written(tmp_path / "none.sqlite"), 1, "m") is None


def test_two_journals_are_one_timeline_over_the_time_of_both(tmp_path: FilePath) -> None:
    records = [replace(call(number, usage=USED), at=1e6 + 100 * number, seconds=100) for number in (1, 2)]
    readers = [JournalReader.open(written(tmp_path / f"{record.at}.sqlite", record)) for record in records]
    first, second = (extent for reader in readers if (extent := reader.extent()) is not None)
    spans = Spans(first | second, 4)
    ours, theirs = (reader.timeline(spans, {}) for reader in readers)
    assert (ours | theirs).in_flight == pytest.approx([1.0, 1.0, 1.0, 1.0])
    assert [cost.calls for cost in (ours | theirs).spent] == [0, 0, 1, 1]
    for reader in readers:
        reader.close()
