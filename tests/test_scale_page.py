"""The page about scale: its constants are those of the benchmarks, and its example follows from its formulas."""

import math
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "scale.md").read_text()
BENCHMARKS = (ROOT / "benchmarks" / "README.md").read_text()
CONSTANTS = re.findall(
    r"^\| [^|]+ \| ([\d.,]+) (\S+) \| ([^|]+) \|$", PAGE.split("## The constants")[1].split("\n## ")[0], re.MULTILINE
)


@pytest.mark.parametrize(("value", "unit", "row"), CONSTANTS)
def test_a_constant_is_what_the_benchmarks_print_in_its_row(value: str, unit: str, row: str) -> None:
    [line] = [line for line in BENCHMARKS.splitlines() if line.startswith(f"{row}  ")]
    assert re.search(rf"(?<![\d.,]){re.escape(value)} {re.escape(unit)}", line), line


def test_every_constant_is_compared() -> None:
    assert len(CONSTANTS) == 9


def test_the_example_follows_from_the_formulas() -> None:
    episodes, calls, seconds, in_flight, text = 64_000, 10, 10, 4_096, 2_000
    cpu = (0.22 + 0.12) / 1000
    cores = in_flight / seconds * cpu
    figures = [
        f"= {episodes * calls * seconds / in_flight:,.0f} s",
        f"| {in_flight / seconds:.0f} |",
        f"= {cores:.2f} cores",
        f"| {math.ceil(cores / 0.7)} |",
        f"= {(86 + in_flight * 0.05) / 1000:.1f} GB",
        f"| {in_flight + 100:,} |",
        f"= {episodes * calls * max(500, 2 * text) / 1e9:.1f} GB",
        f"= {episodes * 1.622 / 200_000:.1f} s",
        f"= {episodes * 10.5 / 200_000:.1f} s",
    ]
    table = PAGE.split("example, on paper |")[1].split("\n\n")[0]
    assert [figure for figure in figures if figure not in table] == []
    assert f"takes {in_flight / seconds * 0.87 / 1000:.1f} cores, and one shard still" in PAGE
