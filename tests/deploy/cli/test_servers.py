"""`quintet view`, `quintet serve-sim` and `quintet serve-world` as a person starts and ends them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from tests.command import printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]
_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"


@contextmanager
def serving(number: signal.Signals, *words: object) -> Generator[str, None, None]:
    """A server, with the line that it prints; a signal ends it with 0, and nothing more is said."""
    with subprocess.Popen(
        [sys.executable, "-c", _MAIN, *map(str, words)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline()
        server.send_signal(number)
        out, err = server.communicate()
    assert (server.returncode, out, err) == (0, "", "")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    samples.write(tmp_path / "runs" / "one", samples.record("react", ["beehive", "cake"]), {"beehive": Went()})
    return tmp_path / "runs"


def test_one_file_is_written_and_what_it_has_is_said(runs: Path, tmp_path: Path) -> None:
    said = printed("view", runs, "--static", tmp_path / "page.html")
    assert said == f"{tmp_path / 'page.html'}: 1 run, 1 conversation\n"
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("view nowhere", "view: expected a run folder, or a folder of runs, found none (nowhere)"),
        ("view RUNS --port 70000", "--port: expected 0 to 65535, got 70000"),
        ("view RUNS --port USED", "--port: expected one to listen on, got USED: address already in use"),
        ("view RUNS --static RUNS/no/page.html", "--static: expected a folder that can be written, got No such"),
        ("serve-sim --port 70000", "--port: expected 0 to 65535, got 70000"),
        ("serve-sim --port USED", "--port: expected one to listen on, got USED: address already in use (127.0.0.1)"),
        ("serve-sim --port 0 --latency 2", "--latency: expected 0 or a duration"),
        ("serve-sim --port 0 --model gpt", "--model: expected one of 'sim'"),
        ("serve-sim --port 0 --host 300.0.0.1", "(300.0.0.1)"),
        ("serve-sim", "--port"),
        ("serve-world", "worlds: expected at least one, each with a name of its own, got none"),
        ("serve-world textcraft textcraft", "worlds: expected each once, got textcraft twice"),
        ("serve-world textcaft", "expected 'textcraft', got 'textcaft'"),
        ("serve-world textcraft --port USED", "--port: expected one to listen on, got USED: address already in use"),
        ("serve-world textcraft --host 0.0.0.0", "host: expected a key beside one that other machines reach"),
        ("serve-world textcraft --key sesame", "key: expected the name of an environment variable, in capitals, got"),
        (
            "serve-world textcraft --set alfworld.data=x",
            "alfworld: expected options of textcraft, got those",
        ),
        ("serve-world alfworld --set alfworld.dialect=old", "environment.dialect"),
        ("serve-world textcraft --sessions 0", "sessions: expected above 0, got 0"),
        ("serve-world tau2", "tau2"),
        ("serve-roles nowhere", "nowhere"),
        ("serve-roles adapt textcraft --port USED", "--port: expected one to listen on, got USED: address already in"),
        ("serve-roles adapt textcraft --port 0 --host 0.0.0.0", "host: expected a key beside one that other machines"),
        ("serve-roles adapt textcraft --key KEY", "--port: expected one beside --host and --key, got none"),
        ("serve-roles adapt textcraft --detach", "serve-roles: expected none of --detach, --json and --dry-run"),
        ("serve-roles react textcraft", "needs no session, such as a plan, got react, which asks execute"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(words: str, said: str, runs: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        err = refused(*words.replace("RUNS", str(runs)).replace("USED", port).split())
    assert said.replace("USED", port) in err
    assert len(err.splitlines()) == 1


def test_a_browser_that_is_opened_has_no_token_in_its_arguments_which_every_user_can_read(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[Path, int, str]] = []

    def browser(url: str) -> None:
        page = Path(unquote(urlsplit(url).path))
        opened.append((page, page.parent.stat().st_mode & 0o777, page.read_text(encoding="utf-8")))
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(webbrowser, "open", browser)
    address = printed("view", runs, "--open").strip().rpartition(" ")[2]
    [(page, mode, text)] = opened
    assert address.partition("token=")[2] not in str(page)
    assert (mode, page.parent.exists()) == (0o700, False)
    assert f'content="0; url={address}"' in text


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_viewer_says_where_it_serves_and_answers_who_has_its_token(number: signal.Signals, runs: Path) -> None:
    with serving(number, "view", runs) as said:
        found = re.fullmatch(rf"viewing {re.escape(str(runs))} at (http://127\.0\.0\.1:\d+/)\?token=\S+\n", said)
        assert found is not None, said
        browser = build_opener(HTTPCookieProcessor())
        with browser.open(said.split(" at ")[1].strip()) as page:
            assert b'<div id="app">' in page.read()
        with browser.open(f"{found[1]}api/runs") as answer:
            assert b'"run":"one"' in answer.read()
        with pytest.raises(HTTPError, match="403"):
            urlopen(f"{found[1]}api/runs")


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_simulated_model_says_where_it_serves_and_answers_there(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["Action: inventory"]', encoding="utf-8")
    options = ("--port", "0", "--model", "scripted", "--script", script, "--latency", "1ms")
    with serving(number, "serve-sim", *options) as line:
        said, _, url = line.strip().rpartition(" ")
        assert said == "serving scripted (simulated) at"
        body = b'{"model": "scripted", "messages": [{"role": "user", "content": "go"}]}'
        with urlopen(Request(f"{url}/chat/completions", body, {"Content-Type": "application/json"})) as answer:
            assert json.load(answer)["choices"][0]["message"]["content"] == "Action: inventory"


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_world_says_where_it_serves_and_answers_those_with_its_token(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOOR_KEY", "sesame")
    with serving(number, "serve-world", "textcraft", "--port", "0", "--key", "DOOR_KEY") as line:
        said, _, url = line.strip().rpartition(" ")
        assert said == "serving textcraft at"
        with urlopen(Request(f"{url}/metadata", headers={"Authorization": "Bearer sesame"})) as answer:
            assert json.load(answer)["name"] == "textcraft"
        with pytest.raises(HTTPError, match="401"):
            urlopen(f"{url}/metadata")
