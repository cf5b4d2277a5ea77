"""A key that is given in the wrong place reaches neither a message nor a file."""

from pathlib import Path

import pytest

from quintet.cli import main
from tests.command import command, refused

SECRET = "sk-hunter2-hunter2"
IN_CAPITALS = "SKHUNTER2HUNTER2"
URL = "http://127.0.0.1:9/v1"
ENDPOINT = ["--model", "m", "--model-url", URL]
WRONG = {
    "a key in place of its variable": [*ENDPOINT, "--set", f"model.key={SECRET}"],
    "a key in capitals": [*ENDPOINT, "--set", f"model.key={IN_CAPITALS}"],
    "a key in capitals of a model that no role calls": [
        *("--set", "model.planner.name=m", "--set", f"model.planner.url={URL}"),
        *("--set", f"model.planner.key={IN_CAPITALS}"),
    ],
    "a key of an embedder in place of its variable": [
        *("--set", "memory.source=memory.sqlite", "--set", "memory.embedder.name=m"),
        *("--set", f"memory.embedder.url={URL}", "--set", f"memory.embedder.key={SECRET}"),
    ],
    "a key in a list": [*ENDPOINT, "--set", f'model.key=["{SECRET}"]'],
    "a key in a table": [*ENDPOINT, "--set", f"model.key.value={SECRET}"],
    "a key of a model that takes none": ["--set", f"model.key={SECRET}"],
    "an unknown key": [*ENDPOINT, "--set", f"model.api_key={SECRET}"],
    "a secret in a field": [*ENDPOINT, "--set", f'model.extra={{api_key="{SECRET}"}}'],
    "a nested secret": [*ENDPOINT, "--set", f'model.extra={{metadata={{headers=[{{Authorization="{SECRET}"}}]}}}}'],
    "the key itself under another name": [*ENDPOINT, "--set", f"model.extra.note={SECRET}", "--set", "model.key=OURS"],
    "a secret in place of a table": [*ENDPOINT, "--set", f"model.extra=api_key:{SECRET}"],
    "a secret in a section's place": ["--set", f"model=api_key:{SECRET}"],
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_a_misplaced_secret_is_refused_without_repeating_it(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OURS", SECRET)
    out = tmp_path / "run"
    said = command("eval", "react", "textcraft", "--tasks", "1", *arguments, "--out", out, code=2)
    assert "hunter2" not in (said.out + said.err).lower()
    assert "expected" in said.err
    assert not out.exists()


def test_a_misplaced_secret_in_a_file_is_refused_without_repeating_it(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(f'[model]\nname = "m"\nurl = "{URL}"\nextra = {{ a = {{ password = "{SECRET}" }} }}\n')
    said = refused("eval", "react", "textcraft", "--config", file, "--out", tmp_path / "run")
    assert "model.extra: expected no secret, since it is written down, got 'password' (not shown" in said
    assert "hunter2" not in said


def test_a_misplaced_secret_on_resume_is_refused_and_not_written_down(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main(["eval", "react", "textcraft", "--tasks", "1", "--model", "sim-strong", "--out", str(run)]) == 0
    given = ["--set", "model.planner.name=m", "--set", f"model.planner.url={URL}"]
    assert "HUNTER2" not in refused("resume", run, *given, "--set", f"model.planner.key={IN_CAPITALS}")
    assert not [file for file in run.rglob("*") if file.is_file() and b"HUNTER2" in file.read_bytes()]
