"""Output for people: no control character of a text reaches a terminal, and no output error ends a run."""

import io
import json
import logging
import subprocess
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from quintet.cli.console import console, flush_at_end
from quintet.cli.progress import Progress
from quintet.cli.terminal import escape, escaped_streams
from quintet.launch.writable_run import WritableRun
from quintet.reports.text_tables import TextTable, print_tables
from quintet.runtime.counters import RunCounters
from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[2]
HOSTILE = "\x1b]0;owned\x07\x1b]52;c;b3du\x07\x9b2J\x7f\r\b\u202eevil\u2066\u200f\ud800"
"""A window's title, the clipboard, a cleared screen in one byte, DEL, CR, BS, the order of letters, half a pair."""


class Screen(io.StringIO):
    """A stream that reports to be a terminal."""

    def isatty(self) -> bool:
        return True


class Gone(io.StringIO):
    """A reader that is gone, or a disk that is full."""

    def __init__(self, error: OSError, *, terminal: bool = False) -> None:
        super().__init__()
        self._error = error
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def write(self, _: str, /) -> int:
        raise self._error


def moves(text: str) -> set[str]:
    """The control characters of a text, except newline and tab."""
    directs = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cs") or char in directs} - {"\n", "\t"}


@given(st.text(st.characters(), max_size=200))
def test_escaped_text_moves_nothing_and_keeps_every_other_letter(text: str) -> None:
    shown = escape(text)
    assert not moves(shown)
    assert escape(shown) == shown
    if not moves(text) and not {"\u2028", "\u2029"} & set(text):
        assert shown == text


@given(st.dictionaries(st.text(), st.text(max_size=50), max_size=3))
def test_escaped_json_is_the_same_json(content: Mapping[str, str]) -> None:
    assert json.loads(escape(json.dumps(content, ensure_ascii=False))) == content


def test_what_is_printed_is_escaped_and_styles_are_not() -> None:
    screen = Screen()
    out = console(screen)
    out.print(Text(f"a{HOSTILE}b\tc\nd", style="bold"))
    out.print(f"[bold]x[/bold] {HOSTILE} [link=http://example.com]y[/link]", soft_wrap=True)
    out.print(Text("here", style="link http://example.com"))
    said = screen.getvalue()
    assert moves(said) == {"\x1b"}
    assert "\x1b[1m" in said
    assert "\x1b]" not in said
    assert "[bold]x[/bold]" in said


def test_columns_stay_aligned() -> None:
    out = io.StringIO()
    table = TextTable(HOSTILE, ("task", f"n{HOSTILE}"), ((f"a{HOSTILE}", "1"), ("b", "22")))
    print_tables([table], console(out))
    assert not moves(out.getvalue())
    *_, first, second, _ = out.getvalue().splitlines()
    assert first.rstrip().endswith("1")
    assert len(first.rstrip()) == len(second.rstrip())


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_lines_are_escaped(terminal: bool) -> None:
    screen = Screen() if terminal else io.StringIO()
    with Progress(RunCounters(total=1), f"adapt{HOSTILE}", console(screen)) as progress:
        progress.draw()
    assert moves(screen.getvalue()) <= {"\x1b", "\r"}  # of the picture that is drawn in place
    assert "\x1b]" not in screen.getvalue()


def test_prints_during_a_picture_leave_it_whole_and_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with escaped_streams(), Progress(RunCounters(total=1), "adapt", console(stderr=True)) as progress:
        print(f"a plug-in {HOSTILE}", file=sys.stderr)
        progress.draw()
    assert "\x1b[2K" in screen.getvalue()
    assert "\\u001b[2K" not in screen.getvalue()
    assert "\x1b]" not in screen.getvalue()
    assert "\u202e" not in screen.getvalue()


def test_a_plug_in_that_has_a_console_of_its_own_styles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    with escaped_streams():
        Console(force_terminal=True).print(f"a plug-in {HOSTILE}", style="bold")
        Console().print("plain", style="bold")
    assert not moves(screen.getvalue())
    assert screen.getvalue().endswith("\nplain\n")


def test_log_lines_that_nobody_handles_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    assert logging.lastResort is not None
    with escaped_streams():
        record = logging.LogRecord("x", logging.WARNING, "", 0, HOSTILE[:-1], None, None)
        logging.lastResort.handle(record)
    said = capsys.readouterr().err
    assert "owned" in said
    assert not moves(said)


def test_the_traceback_of_a_bug_is_escaped() -> None:
    code = (
        "from quintet.cli.terminal import escaped_streams\n"
        "with escaped_streams(): raise KeyError('a') from ValueError({!r})"
    )
    done = subprocess.run([sys.executable, "-c", code.format(HOSTILE)], cwd=ROOT, capture_output=True, check=False)
    assert "owned" in done.stderr.decode()
    assert not moves(done.stderr.decode())


def test_no_stream_stays_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with escaped_streams():
        assert sys.stdout is None
        with flush_at_end(sys.stdout):
            console().print("no one reads it")


def test_a_reader_that_is_gone_does_not_end_the_process() -> None:
    with pytest.raises(BrokenPipeError):
        console(Gone(BrokenPipeError())).print("anything")


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(28, "No space left")])
def test_progress_goes_on_without_a_reader(error: OSError, terminal: bool) -> None:
    with Progress(RunCounters(total=1), "adapt", console(Gone(error, terminal=terminal))) as progress:
        progress.draw()
    assert progress.line().startswith("adapt: 0/1 episodes")


def test_output_that_cannot_be_flushed_is_dropped() -> None:
    code = (
        "import sys; from quintet.cli.console import flush_at_end\n"
        "try:\n"
        "    with flush_at_end(sys.stdout): print('a table')\n"
        "except OSError: sys.exit(3)"
    )
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (3, b"")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run in which model and world write control characters."""
    record = samples.record("react", ("beehive", "cake"))
    metadata = {"recipe depth": f"1{HOSTILE[:-1]}"}
    record = record.model_copy(
        update={"tasks": tuple(t.model_copy(update={"metadata": metadata}) for t in record.tasks)}
    )
    with WritableRun.create(tmp_path / "run", record) as folder:
        monkeypatch.setattr(samples, "TEXT", f"Think: {HOSTILE[:-1]}\n\tAction: get 1 log")
        monkeypatch.setattr(samples, "OBSERVATION", f"Got 1 log{HOSTILE[:-1]}")
        samples.journal(folder, {"beehive": Went(), "cake": Went("faulted")})
    return tmp_path / "run"


COMMANDS = {
    "a run": ["show", "RUN"],
    "an episode": ["show", "RUN", "beehive"],
    "a call": ["show", "RUN", "beehive", "--call", "1"],
    "a report": ["report", "RUN"],
    "a report as JSON": ["report", "RUN", "--json"],
    "a report as CSV": ["report", "RUN", "--csv"],
    "an error": ["show", "RUN", HOSTILE],
    "an error of a flag": ["eval", HOSTILE, "textcraft"],
    "an unknown command": [HOSTILE],
    "a command to a run": ["ctl", "RUN", HOSTILE],
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_no_command_moves_a_terminal(arguments: list[str], hostile: Path) -> None:
    said = command(*[str(hostile) if word == "RUN" else word for word in arguments])
    assert not moves(said.out + said.err)
    assert "owned" in said.out + said.err
