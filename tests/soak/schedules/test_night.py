"""A night of schedules goes on where it was stopped, and sums up what it found."""

from pathlib import Path

import msgspec

from tests.soak.schedules.night import BATCH, Batch, left_of, read_ledger, summary


def batch(number: int, **found: object) -> Batch:
    values = {"seconds": 4.0, "cpu_seconds": 2.0, "deaths": 3, "calls": 50, "repeated": 0, "broken": {}, **found}
    return msgspec.convert({"number": number, **values}, Batch)


def test_a_line_that_a_kill_cut_short_is_played_again(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    whole, cut = (msgspec.json.encode(batch(number)) for number in (0, 1))
    ledger.write_bytes(b"\n" + whole + b"\n" + cut[:-9])
    assert left_of(read_ledger(ledger), 3 * BATCH) == [1, 2]
    with ledger.open("ab") as appended:
        appended.write(b"\n" + cut)
    assert left_of(read_ledger(ledger), 3 * BATCH - 1) == [2]


def test_without_a_ledger_everything_is_left(tmp_path: Path) -> None:
    assert left_of(read_ledger(tmp_path / "none"), 1) == [0]


def test_a_summary_shares_the_seconds_by_the_processes_and_names_the_seeds() -> None:
    found = summary([batch(0), batch(1, broken={107: ("calls: got 1", "ends: got 2")})], processes=2)
    assert (found.schedules, found.seconds, found.cpu_seconds, found.deaths) == (2 * BATCH, 4.0, 2.0, 6)
    assert found.broken == ("seed 107: calls: got 1",)
    assert "50.0 a second in 2 processes, 20 ms of CPU each; 1 broke a promise" in str(found)
