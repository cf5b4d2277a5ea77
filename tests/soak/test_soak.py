"""The soak's own parts: which scenarios it has, its ledger, and its report, to which README and docs are held."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from cyclopts import CycloptsError

from tests.soak import ledger
from tests.soak.__main__ import app
from tests.soak.kinds import Place, places, split_kinds
from tests.soak.ledger import Ledger, Line, read_result, write_result
from tests.soak.report import ControlResult, Report, make_report, render, summary
from tests.soak.scenario import Kind, Verdict

ROOT = Path(__file__).parents[2]


def line(seed: int, *broken: str, repeated: int = 0, kind: str = "process") -> Line:
    drawn = {"method": "react", "fault": "SIGKILL after; full disk"}
    verdict = Verdict(kind=kind, seed=seed, drawn=drawn, deaths=2, calls=10, repeated=repeated, broken=broken)
    return Line(verdict=verdict, seconds=0.5)


def report(*lines: Line, controls: tuple[ControlResult, ...] = ()) -> Report:
    return make_report(
        lines, commit="abc", first_seed=0, workers=2, left_out={"browser": "there is no Chromium"}, controls=controls
    )


def test_a_small_soak_is_the_beginning_of_a_large_one_and_has_each_kind_by_its_weight() -> None:
    def check(seed: int) -> Verdict:
        return line(seed).verdict

    kinds = [Kind("often", check, 9), Kind("seldom", check, 1)]
    large = list(places(kinds, 1_000, 5))
    assert large[:100] == list(places(kinds, 100, 5))
    assert len(set(large)) == 1_000
    assert [place.seed for place in large if place.kind == "seldom"] == list(range(5, 105))
    assert {place.kind for place in large[:2]} == {"often", "seldom"}


def test_a_ledger_whose_soak_was_killed_in_a_line_goes_on_after_the_last_whole_one(tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    code = """
import msgspec, os, sys
from pathlib import Path
from tests.soak.ledger import Ledger, Line, read_result, write_result
first, second = msgspec.json.decode(sys.argv[2], type=list[Line])
Ledger(Path(sys.argv[1]), Line).add(first)
with open(sys.argv[1], "ab", 0) as half:
    half.write(msgspec.json.encode(second)[:40])
os.kill(os.getpid(), 9)
"""
    both = msgspec.json.encode([line(1), line(2)]).decode()
    killed = subprocess.run([sys.executable, "-c", code, str(file), both], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    with Ledger(file, Line) as noted:
        assert noted.lines == [line(1)]
        noted.add(line(2))
    with Ledger(file, Line) as noted:
        assert noted.lines == [line(1), line(2)]


def test_a_second_soak_on_one_ledger_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    with Ledger(file, Line), pytest.raises(BlockingIOError, match="expected no other soak"):
        Ledger(file, Line)


def test_what_another_commit_came_to_is_no_result_of_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "FOLDER", tmp_path)
    monkeypatch.setattr(ledger, "git_commit", lambda: "one")
    write_result("schedules", [1, 2])
    assert read_result("schedules", list[int]) == [1, 2]
    monkeypatch.setattr(ledger, "git_commit", lambda: "another")
    assert read_result("schedules", list[int]) is None


@pytest.mark.parametrize("text", ["fire:3", "process", "process:", "process:-1"])
def test_what_is_played_again_is_a_kind_and_a_seed(text: str) -> None:
    with pytest.raises(CycloptsError, match="expected KIND:SEED"):
        app(["--only", text], exit_on_error=False, print_error=False)


@pytest.mark.slow
@pytest.mark.real_time
def test_a_soak_that_was_killed_plays_only_what_is_left(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.soak", "--most", "3", "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = subprocess.Popen(command, cwd=tmp_path, env=environment)
    while not (found := [*tmp_path.glob(".soak/*.jsonl")]) or not found[0].stat().st_size:
        assert killed.poll() is None
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    [file] = found
    before = file.read_bytes()
    assert subprocess.run(command, cwd=tmp_path, env=environment, check=False).returncode == 0
    assert file.read_bytes().startswith(before)
    with Ledger(file, Line) as noted:
        played = [Place(each.verdict.kind, each.verdict.seed) for each in noted.lines]
        assert sorted(played) == sorted(places(split_kinds()[0], 3, 0))
    assert "3 scenarios" in (tmp_path / ".soak/soak.md").read_text()


def test_a_report_counts_what_broke_by_promise_and_names_who_can_play_it_again() -> None:
    found = report(line(1), line(2, "content: expected a, got b", "lock: expected c, got d"), line(3, repeated=4))
    [kind] = found.kinds
    assert (kind.scenarios, kind.deaths, kind.calls, kind.repeated) == (3, 6, 30, 4)
    assert (kind.divergences, kind.leaks, kind.broken) == (1, 1, 1)
    assert found.counts["fault"] == {"SIGKILL after": 3, "full disk": 3}
    text = render(found)
    assert "`process:2`: content: expected a, got b; lock: expected c, got d" in text
    assert "Left out: browser, since there is no Chromium." in text


def test_a_control_that_is_not_always_found_is_printed_as_a_hole() -> None:
    controls = (
        ControlResult(control="early answer", breaks="commits", found=100, soaks=100, median=3),
        ControlResult(control="stale memory", breaks="versions", found=99, soaks=100, median=80),
    )
    found = report(line(1), controls=controls)
    assert [each.control for each in found.holes] == ["stale memory"]
    assert "**Hole**: stale memory was found in 99 of 100." in render(found)


def test_the_committed_page_and_the_readme_say_what_the_committed_report_has() -> None:
    committed = msgspec.json.decode((ROOT / "docs/soak.json").read_bytes(), type=Report)
    assert (ROOT / "docs/soak.md").read_text() == render(committed)
    assert summary(committed) in (ROOT / "README.md").read_text()
