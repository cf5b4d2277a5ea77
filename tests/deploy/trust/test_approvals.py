"""What a user starts or approves is asked for once; what changes after that is refused again."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate, resume
from quintet.config.sections import EnvironmentSection
from quintet.errors import UsageError
from quintet.launch import writable_run
from quintet.runs.folder import CHANGES, begin_in
from quintet.trust.approvals import why_not_kept
from quintet.trust.side_effects import environment_effects
from tests.command import command, refused
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.trust.strangers import nothing_is_approved

MINE = "from quintet.methods.react.react import React\n\n\nclass Mine(React):\n    name = 'mine'\n"
ADDRESS = "http://127.0.0.1:9/v1"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return nothing_is_approved(tmp_path / "state", monkeypatch)


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """A method in a file."""
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}:Mine"


def written(path: Path, **model: Any) -> Path:
    """A run of this user, which has ended, so that a resume has nothing left to do."""
    return samples.write(path, samples.record(model=model), {"beehive": Went()})


def edited(run: Path, settings: Mapping[str, object]) -> Path:
    """The same folder with other settings of its model."""
    record = json.loads((run / "run.json").read_text())
    record["configuration"]["model"] = {**record["configuration"]["model"], **settings}
    (run / "run.json").write_text(json.dumps(record))
    return run


def test_a_run_that_this_user_started_asks_nothing_nor_does_its_copy_elsewhere(
    tmp_path: Path, state: Path, mine: str
) -> None:
    evaluate(mine, "textcraft", tasks=1, journal=tmp_path / "run")
    assert len([*state.iterdir()]) == 1
    assert resume(tmp_path / "run") == []
    shutil.copytree(tmp_path / "run", tmp_path / "elsewhere")
    assert "nothing to resume" in command("resume", tmp_path / "elsewhere", code=0).err


def test_a_run_that_was_killed_as_soon_as_its_record_was_written_is_this_users_own(
    tmp_path: Path, state: Path, mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*arguments: Any, **options: Any) -> None:
        begin_in(*arguments, **options).release()
        raise ConnectionAbortedError

    with monkeypatch.context() as patched:
        patched.setattr(writable_run, "begin_in", killed)
        with pytest.raises(ConnectionAbortedError):
            evaluate(mine, "textcraft", tasks=1, journal=tmp_path / "run")
    assert len(resume(tmp_path / "run")) == 1


def test_a_run_of_our_own_code_needs_no_approval(tmp_path: Path, state: Path) -> None:
    evaluate("react", "textcraft", tasks=1, journal=tmp_path / "run")
    assert not state.exists()
    assert resume(tmp_path / "run") == []


def test_a_run_of_another_user_is_approved_once_in_words_and_by_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mine: str
) -> None:
    nothing_is_approved(tmp_path / "theirs", monkeypatch)
    evaluate(mine, "textcraft", tasks=1, journal=tmp_path / "run")
    for user, trusted in (
        ("first", lambda: command("resume", tmp_path / "run", "--trust", code=0)),
        ("second", lambda: resume(tmp_path / "run", trust=True)),
    ):
        nothing_is_approved(tmp_path / user, monkeypatch)
        assert f'import "{mine}" (method mine)' in refused("resume", tmp_path / "run")
        trusted()
        command("resume", tmp_path / "run", code=0)


def test_an_address_a_secret_or_a_key_that_changes_after_the_approval_is_refused_again(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_A", "a")
    monkeypatch.setenv("KEY_B", "b")
    run = written(tmp_path / "run", name="m", url=ADDRESS, key="KEY_A")
    command("resume", run, code=0)
    for change, said in (
        ({"key": "KEY_B"}, f'send requests to "{ADDRESS}", with the secret in KEY_B (model.url)'),
        ({"url": "http://127.0.0.1:7"}, 'send requests to "http://127.0.0.1:7", with the secret in KEY_A (model.url)'),
        ({"url": None}, "send requests to OpenAI, or OPENAI_BASE_URL, with the secret in KEY_A (model.url)"),
    ):
        other = shutil.copytree(run, tmp_path / "other", dirs_exist_ok=True)
        assert said in refused("resume", edited(other, change))
    assert len([*state.iterdir()]) == 1


def test_a_variable_that_is_not_set_is_not_repeated_since_it_may_be_the_secret(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_A", "a")
    run = edited(written(tmp_path / "run", name="m", url=ADDRESS, key="KEY_A"), {"key": "SK_1234567890"})
    said = refused("resume", run)
    assert "SK_1234567890" not in said
    assert "with the secret in a variable that is not set (not shown)" in said
    assert state.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"model.url": "http://127.0.0.1:7"},
            'send requests to "http://127.0.0.1:7" (changes.jsonl, line 1: model.url)',
        ),
        ({"model.key": "KEY_A"}, "send the secret in KEY_A (changes.jsonl, line 1: model.key)"),
        ({"runtime.env.env_vars.kind": "x"}, 'prepare every Ray host with "x" (changes.jsonl, line 1: runtime.env'),
        ({"model.name": "their\nmodel"}, 'import "their\\nmodel" (changes.jsonl, line 1: model.name)'),
        ({"other.program": "/x"}, 'hand over "/x" (changes.jsonl, line 1: other.program)'),
    ],
    ids=("address", "secret", "variable", "name", "of another program"),
)
def test_what_another_s_resume_changed_is_listed_too(
    change: dict[str, object], said: str, tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_A", "a")
    run = written(tmp_path / "run")
    (run / CHANGES).write_text(json.dumps({"at": "2026-01-01T00:00:00Z", "settings": change}) + "\n")
    assert said in refused("resume", run)
    assert not state.exists()


def test_numbers_words_and_limits_of_another_s_resume_are_no_reason_to_ask(tmp_path: Path, state: Path) -> None:
    run = written(tmp_path / "run")
    change = {"runtime.concurrency": 3, "runtime.kind": "local", "limits.pace": [{"model": "m", "calls": 1}]}
    (run / CHANGES).write_text(json.dumps({"at": "2026-01-01T00:00:00Z", "settings": change}) + "\n")
    command("resume", run, code=0)
    assert not state.exists()


def test_an_address_that_this_user_gives_a_resume_is_approved_for_later_ones(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_A", "a")
    path = tmp_path / "run"
    samples.write(
        path, samples.record("react", ("beehive", "stick"), model={"name": "m", "url": ADDRESS, "key": "KEY_A"}), {}
    )
    elsewhere = {"model": {"url": "http://127.0.0.1:7"}, "limits": {"patience_seconds": 0, "repeats": 0}}
    for _ in range(2):
        with pytest.raises(Exception, match=r"127\.0\.0\.1:7"):
            resume(path, settings=elsewhere)
        assert "model.url" in (path / CHANGES).read_text()
        elsewhere = {}
    assert len([*state.iterdir()]) == 2
    nothing_is_approved(tmp_path / "another", monkeypatch)
    with pytest.raises(UsageError, match=r'send requests to "http://127\.0\.0\.1:7" \(changes\.jsonl, line 1'):
        resume(path)


@pytest.mark.parametrize("words", ["{script}", "sh {script} now"])
def test_a_program_that_is_another_after_the_approval_is_refused_again(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Path
) -> None:
    script = tmp_path / "reset.sh"
    script.write_text("#!/bin/sh\n")
    run = written(tmp_path / "run")
    record = json.loads((run / "run.json").read_text())
    record["configuration"]["environment"] = {"name": "webarena", "reset": words.format(script=script)}
    (run / "run.json").write_text(json.dumps(record))
    assert "(environment.reset)" in refused("resume", run)
    command("resume", run, "--trust", code=0)
    command("resume", run, code=0)
    script.write_text("#!/bin/sh\nrm -rf /\n")
    assert "(environment.reset)" in refused("resume", run)


def test_a_server_or_a_check_that_is_another_after_the_approval_is_refused_again(tmp_path: Path) -> None:
    server, check = tmp_path / "server.py", tmp_path / "check.py"
    server.write_text("")
    check.write_text("")
    options = {"server": f"python {server}", "goal": "g", "check": f"{check}:f"}
    section = EnvironmentSection.model_validate({"name": "mcp", **options})
    approved = environment_effects(section)
    for file in (server, check):
        assert [each.identity for each in environment_effects(section)] == [each.identity for each in approved]
        file.write_text("import os")
        assert [each.identity for each in environment_effects(section)] != [each.identity for each in approved]
        file.write_text("")


def test_where_approvals_cannot_be_kept_trust_works_and_a_refusal_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mine: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    nothing_is_approved(tmp_path / "file", monkeypatch)
    evaluate(mine, "textcraft", tasks=1, journal=tmp_path / "run")
    assert f"approvals cannot be kept here: {tmp_path / 'file'} is no folder that can be written" in refused(
        "resume", tmp_path / "run"
    )
    command("resume", tmp_path / "run", "--trust", code=0)
    assert why_not_kept()
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", _no_home)
    assert "approvals cannot be kept here: there is no home folder" in refused("resume", tmp_path / "run")


def _no_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_a_study_is_approved_with_its_arms_and_asks_another_user(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch, mine: str
) -> None:
    study = tmp_path / "study"
    command("compare", mine, "react", "textcraft", "--tasks", 1, "--no-picture", "--out", study, code=0)
    command("resume", study / "arms" / "mine", code=0)
    nothing_is_approved(tmp_path / "another", monkeypatch)
    assert f'import "{mine}" (method mine)' in refused("resume", study)
    command("resume", study, "--trust", code=0)
    command("resume", study / "arms" / "mine", code=0)
    assert state.exists()


def test_an_arm_that_was_put_in_place_of_a_study_s_own_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_A", "a")
    study = tmp_path / "study"
    command("study", "demo", "--tasks", "beehive", "--no-picture", "--out", study, code=0)
    theirs = written(tmp_path / "theirs", name="m", url=ADDRESS, key="KEY_A")
    shutil.copyfile(theirs / "run.json", study / "arms" / "adapt" / "run.json")
    nothing_is_approved(tmp_path / "another", monkeypatch)
    assert f'send requests to "{ADDRESS}", with the secret in KEY_A (model.url)' in refused("resume", study)
