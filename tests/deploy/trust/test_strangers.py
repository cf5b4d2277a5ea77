"""A folder of somebody else runs, imports and contacts nothing, whatever its record names and whoever reads it."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from quintet.api import read_run, resume
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.memory.schema import MEMORY_FILE
from quintet.plugins.brought import FROM_PYTHON
from quintet.ports.effects import Effect
from quintet.prompt_optimizer.optimization import Choices, begin, plan
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.copy import copy_command
from quintet.runs.folder import SOCKET
from quintet.runs.run_folder import RunFolder
from quintet.studies.blame_stages import begin_blame, plan_blame
from quintet.trust.side_effects import effect_of
from tests.command import command, refused
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.given import a_notebook
from tests.deploy.trust.settings_of_ours import every_setting
from tests.deploy.trust.strangers import (
    SECRET,
    Stranger,
    Traps,
    nothing_is_approved,
    set_traps,
    strangers,
    write_stranger,
)

FOLDERS = ("browser", "tools", "server", "imports", "plug-ins", "files")


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traps]:
    with set_traps(tmp_path / "traps", monkeypatch) as found:
        yield found


@pytest.fixture(params=FOLDERS)
def folder(request: pytest.FixtureRequest, traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of somebody else; this user has approved nothing."""
    path = write_stranger(tmp_path / str(request.param), strangers(traps)[str(request.param)])
    nothing_is_approved(tmp_path / "state", monkeypatch)
    return path


def test_these_folders_name_a_trap_in_every_setting_that_does_anything(traps: Traps) -> None:
    trapped = {name for each in strangers(traps).values() for name in each.traps}
    assert trapped == {name for name, field in every_setting() if effect_of(field.metadata) is not Effect.NONE}


def test_a_resume_lists_all_of_it_and_does_none_of_it(folder: Path, traps: Traps) -> None:
    said = refused("resume", folder)
    for setting, words in strangers(traps)[folder.name].traps.items():
        assert words in said, setting
    assert f"if you want all of that: quintet resume {folder} --trust" in said
    with pytest.raises(UsageError, match="expected a run that you started here or have approved"):
        resume(folder)
    refused("resume", folder, "--model-url", "http://127.0.0.1:9", "--faulted", "--set", "limits.repeats=1")
    refused("resume", folder, "--detach")
    traps.expect_untouched()


def test_a_fork_of_it_lists_all_of_it_and_does_none_of_it(folder: Path, traps: Traps) -> None:
    said = refused("fork", folder, "beehive", "--at", "start")
    for setting, words in strangers(traps)[folder.name].traps.items():
        assert words in said, setting
    assert f"if you want all of that: quintet fork {folder} --trust" in said
    traps.expect_untouched()


def test_a_fork_of_somebody_else_would_copy_a_run_that_it_names(
    traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded, fork = tmp_path / "mine", tmp_path / "theirs"
    command("eval", "react", "textcraft", "--tasks", "beehive", "--out", recorded, code=0)
    command("fork", recorded, "--at", "step:2", "--out", fork, code=0)
    assert "nothing to resume" in command("resume", fork, code=0).err
    nothing_is_approved(tmp_path / "state", monkeypatch)
    assert f'copy, and send to its models, what was recorded in "{recorded}" (fork.run)' in refused("resume", fork)
    command("resume", fork, "--trust", code=0)


def test_every_command_that_reads_it_touches_nothing(folder: Path, traps: Traps, tmp_path: Path) -> None:
    assert copy_command([str(folder), str(tmp_path / "copy")]) == 0
    other = write_stranger(tmp_path / "other", strangers(traps)[folder.name])
    for words in (
        ("ls", tmp_path),
        ("report", folder),
        ("report", folder, "--json"),
        ("show", folder),
        ("show", folder, "beehive"),
        ("show", folder, "beehive", "--call", 1),
        ("compare", folder, other),
        ("view", folder, "--static", tmp_path / "page.html"),
        ("export", folder, "--parquet", tmp_path / "tables"),
        ("rescore", folder, "--judge", "sim-strong", "--out", tmp_path / "scores"),
    ):
        assert command(*words).code == 0, words
    assert "one that was interrupted" in refused("ctl", folder, "status")
    assert "expected a run that has one" in refused("memory", "show", folder)
    making = refused("memory", "trajectories", folder, "--jsonl", tmp_path / "lines")
    assert "resume: expected a run that you started here or have approved" in making
    assert read_run(folder).pandas("episodes").shape[0] == 1
    traps.expect_untouched()


def test_a_study_of_somebody_else_touches_nothing_either(
    traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tmp_path / "study"
    command("study", "demo", "--tasks", "beehive", "--no-picture", "--out", study, code=0)
    theirs = json.loads(write_stranger(tmp_path / "run", strangers(traps)["browser"]).joinpath("run.json").read_text())
    for file in (study / "study.json", *study.glob("arms/*/run.json")):
        record = json.loads(file.read_text())
        for config in record["arms"].values() if "arms" in record else (record["configuration"],):
            config |= {table: theirs["configuration"][table] for table in ("environment", "model", "runtime")}
        file.write_text(json.dumps(record))
    nothing_is_approved(tmp_path / "state", monkeypatch)
    assert f'run "{traps.program} now" (environment.reset)' in refused("resume", study)
    page = ("view", study, "--static", tmp_path / "page.html")
    for words in (("ls", tmp_path), ("report", study), ("report", study, "--json"), ("show", study), page):
        assert command(*words).code == 0, words
    traps.expect_untouched()


def test_an_optimisation_of_somebody_else_plays_nothing_before_it_is_approved(
    traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its arms follow from what it was begun with, so that it may have none yet."""
    study = tmp_path / "study"
    layer = from_table({"method.name": "react", "environment.name": "textcraft", "run.tasks": 1}, "a test")
    begin(plan([layer], Choices(["execute"], "dev", 5, 2)), study).close()
    stranger = strangers(traps)["browser"].settings
    record = json.loads((study / "study.json").read_text())
    for part in ("played", "reflecting"):
        record["optimization"][part]["model"] = stranger["model"]
    (study / "study.json").write_text(json.dumps(record))
    nothing_is_approved(tmp_path / "state", monkeypatch)
    said = refused("resume", study)
    assert f'send requests to "{traps.url}", with the secret in {SECRET}' in said
    assert f"if you want all of that: quintet resume {study} --trust" in said
    traps.expect_untouched()


@pytest.mark.parametrize("theirs", ["the search", "the recorded run"])
def test_a_search_of_somebody_else_plays_nothing_before_it_is_approved(
    theirs: str, traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its stages follow from what it was begun with, and from a run elsewhere."""
    run = samples.write(tmp_path / "run", samples.record("react", ("beehive",)), {"beehive": Went("unsolved", 0.0)})
    settings = from_table({"model": {"temperature": 0.7}}, "a test")
    found = RunFolder.open_to_read(run)
    planned = plan_blame(found, choose_episodes(found), times=8, every_step=False, settings=settings)
    begin_blame(planned, tmp_path / "study").close()
    stranger = strangers(traps)["browser"].settings["model"]
    file = tmp_path / "study" / "study.json" if theirs == "the search" else run / "run.json"
    record = json.loads(file.read_text())
    changed = record["blame"]["continued"] if theirs == "the search" else record["configuration"]
    changed["model"] = stranger
    file.write_text(json.dumps(record))
    if theirs == "the search":
        nothing_is_approved(tmp_path / "state", monkeypatch)
    assert f'send requests to "{traps.url}", with the secret in {SECRET}' in refused("resume", tmp_path / "study")
    traps.expect_untouched()


def test_a_record_that_calls_an_installed_world_an_object_gets_none_of_it_made(
    traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_is_approved(tmp_path / "state", monkeypatch)
    code = ("environment", "their-environments", FROM_PYTHON)
    run = write_stranger(tmp_path / "run", Stranger({"environment": {"name": "their-environments"}}, {}, code))
    for words in (("memory", "trajectories", run, "--jsonl", tmp_path / "lines"), ("resume", run)):
        assert 'import "their-environments of acme" (environment.name)' in refused(*words)
    assert "expected the object that was given from Python" in refused("resume", run, "--trust")
    traps.expect_untouched()


@pytest.mark.parametrize("theirs", ["browser", "plug-ins"])
def test_a_comparison_recalls_by_no_embedder_of_somebody_else_before_it_is_approved(
    theirs: str, traps: Traps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = strangers(traps)[theirs]
    run = write_stranger(tmp_path / "run", Stranger({"memory": stranger.settings["memory"]}, {}))
    a_notebook(run / MEMORY_FILE)
    nothing_is_approved(tmp_path / "state", monkeypatch)
    words = ("compare", "react", "textcraft", "--memory", f"none,a:{run}", "--dry-run")
    said = refused(*words)
    assert stranger.traps["memory.embedder.url" if theirs == "browser" else "memory.embedder.name"] in said
    assert f"quintet resume {run} --trust" in said
    own = [*words, "--set", "memory.embedder.name=hashed-words"]
    assert command(*own).code == 0
    traps.expect_untouched()


def test_its_code_is_hashed_before_it_is_imported(traps: Traps, tmp_path: Path) -> None:
    path = write_stranger(tmp_path / "run", strangers(traps)["imports"])
    said = refused("resume", path, "--trust")
    assert f"code of method mine, trap_module.py ({traps.module}:Mine): expected SHA-256 {'0' * 64}" in said
    traps.expect_untouched()


def test_the_page_shows_what_a_refusal_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_is_approved(tmp_path / "state", monkeypatch)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    web = {"name": "webarena", "sites": "/home/ada/sites.toml", "reset": "/home/ada/bin/reset-shop --all"}
    model = {"name": "m", "url": "http://10.0.0.7:8000/v1"}
    settings = {"environment": web, "model": model, "method": {"name": "reset_first"}}
    code = ("method", "reset_first", "/home/ada/reset_first.py:ResetFirst")
    write_stranger(Path("runs/theirs"), Stranger(settings, {}, code))
    shown = Path(__file__).parents[3] / "docs" / "runs-of-others.md"
    assert f"$ quintet resume runs/theirs\n{refused('resume', 'runs/theirs')}```" in shown.read_text()


@pytest.mark.parametrize("link", ["logs", "logs/driver.log", "journal.sqlite", "changes.jsonl"])
def test_a_folder_with_a_link_is_refused_since_a_resume_would_write_through_it(link: str, tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record("react", ("beehive", "stick")), {"beehive": Went()})
    precious = tmp_path / "precious"
    (precious.mkdir if link == "logs" else precious.touch)()
    if link != "logs":
        (run / "logs").mkdir()
    (run / link).unlink(missing_ok=True)
    (run / link).symlink_to(precious)
    for words in ((), ("--detach",), ("--trust",)):
        said = refused("resume", run, *words)
        assert f"run folder: expected files of its own, got a link ({run / link})" in said
    assert precious.is_dir() or not precious.read_bytes()


def test_a_socket_that_is_a_link_to_another_program_s_is_not_asked(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record(), {})
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "agent"))
        server.listen()
        server.setblocking(False)
        (run / SOCKET).symlink_to(tmp_path / "agent")
        assert "ctl: expected a socket of a run, got a link" in refused("ctl", run, "status")
        with pytest.raises(BlockingIOError):
            server.accept()
