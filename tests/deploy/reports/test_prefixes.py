"""What caches saved, and what they could save."""

import json
from pathlib import Path

from quintet.reports.load import load_report
from quintet.reports.tables import report_tables
from tests.command import printed
from tests.deploy import samples
from tests.deploy.samples import Went

SAID = len("You craft.Goal: craft beehive.")
TURN = len("Think: 0.\nAction: get 1 logGot 1 log")
"""Characters of the sample's prompts."""


def test_a_report_says_what_share_of_prompts_was_cached(tmp_path: Path) -> None:
    for name, cached in (("with", 25), ("without", 0)):
        samples.write(tmp_path / name, samples.record("react", ["beehive"]), {"beehive": Went(cached_tokens=cached)})
    tables = report_tables(load_report([tmp_path / "with", tmp_path / "without"]))
    (effort,) = (table for table in tables if table.title == "Per episode, mean")
    place = effort.columns.index("cached, % of prompt")
    assert [row[place] for row in effort.rows] == ["25.0", "0.0"]
    tables = report_tables(load_report([tmp_path / "without"]))
    assert not any("cached, % of prompt" in table.columns for table in tables)
    (run,) = json.loads(printed("report", tmp_path / "with", "--json"))["runs"]
    assert run["cached_tokens"] == 25


def test_a_report_says_how_much_of_the_prompts_extends_earlier_ones_if_it_is_asked(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record("react", ["beehive"]), {"beehive": Went(calls=2)})
    line = next(line for line in printed("report", run, "--prefixes").splitlines() if " execute " in line)
    assert line.split() == ["react", "execute", str(2 * SAID + TURN), f"{100 * SAID / (2 * SAID + TURN):.1f}"]
    assert "begin like an earlier one" not in printed("report", run)
    shares = json.loads(printed("report", run, "--prefixes", "--json"))["studies"]["prefixes"]
    assert shares == {"react": {"execute": {"characters": 2 * SAID + TURN, "extending": SAID}}}
