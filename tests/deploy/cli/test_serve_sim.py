"""`quintet serve-sim` as a person starts and ends it."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from quintet.cli import main
from tests.command import command

ROOT = Path(__file__).parents[3]
_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_it_says_where_it_serves_answers_there_and_ends_with_0(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["Action: inventory"]', encoding="utf-8")
    options = ["--port", "0", "--model", "scripted", "--script", str(script), "--latency", "1ms"]
    command = [sys.executable, "-c", _MAIN, "serve-sim", *options]
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said, _, url = server.stdout.readline().strip().rpartition(" ")
        assert said == "serving scripted (simulated) at"
        body = b'{"model": "scripted", "messages": [{"role": "user", "content": "go"}]}'
        with urlopen(Request(f"{url}/chat/completions", body, {"Content-Type": "application/json"})) as answer:
            assert json.load(answer)["choices"][0]["message"]["content"] == "Action: inventory"
        server.send_signal(number)
        out, err = server.communicate()
    assert (server.returncode, out, err) == (0, "", "")


def test_a_port_in_use_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve-sim", "--port", str(port)]) == 2
    said = f"quintet: --port: expected one to listen on, got {port}: address already in use (127.0.0.1)\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "--port: expected 0 to 65535, got 70000"),
        (["--port", "0", "--latency", "2"], "--latency: expected 0 or a duration"),
        (["--port", "0", "--model", "gpt"], "--model: expected one of 'sim'"),
        (["--port", "0", "--host", "300.0.0.1"], "(300.0.0.1)"),
        ([], "--port"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_code_2(options: list[str], said: str) -> None:
    _, out, err = command("serve-sim", *options, code=2)
    assert (out, len(err.splitlines())) == ("", 1)
    assert said in err
