"""`quintet view` as a person starts and ends it."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]
_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    samples.write(tmp_path / "runs" / "one", samples.record("react", ["beehive", "cake"]), {"beehive": Went()})
    return tmp_path / "runs"


def test_one_file_is_written_and_what_it_has_is_said(runs: Path, tmp_path: Path) -> None:
    said = command("view", runs, "--static", tmp_path / "page.html")
    assert (said.code, said.out) == (0, f"{tmp_path / 'page.html'}: 1 run, 1 conversation\n")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["nowhere"], "view: expected a run folder, or a folder of runs, found none (nowhere)"),
        (["RUNS", "--port", "70000"], "--port: expected 0 to 65535, got 70000"),
        (
            ["RUNS", "--static", "RUNS/missing/page.html"],
            "--static: expected a folder that can be written, got No such",
        ),
    ],
)
def test_what_cannot_be_shown_or_written_is_refused(options: list[str], expected: str, runs: Path) -> None:
    said = command("view", *(each.replace("RUNS", str(runs)) for each in options), code=2)
    assert expected in said.err


def test_a_port_in_use_is_refused(runs: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = command("view", runs, "--port", port)
    assert said.code == 2
    assert f"--port: expected one to listen on, got {port}: address already in use" in said.err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_serves_answers_there_and_ends_with_0(number: signal.Signals, runs: Path) -> None:
    command_line = [sys.executable, "-c", _MAIN, "view", str(runs)]
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command_line, env=variables, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        found = re.fullmatch(rf"viewing {re.escape(str(runs))} at (http://127\.0\.0\.1:\d+/)\?token=\S+\n", said)
        assert found is not None, said
        browser = build_opener(HTTPCookieProcessor())
        with browser.open(said.split(" at ")[1].strip()) as page:
            assert b'<div id="app">' in page.read()
        with browser.open(f"{found[1]}api/runs") as answer:
            assert b'"run":"one"' in answer.read()
        with pytest.raises(HTTPError, match="403"):
            urlopen(f"{found[1]}api/runs")
        server.send_signal(number)
        out, _ = server.communicate()
    assert (server.returncode, out) == (0, "")
