"""Every command line that a recipe shows or runs is one that the commands know."""

import re
from pathlib import Path

import pytest

from quintet.cli import USAGE, main
from quintet.cli.commands import app
from quintet.runs.ends import EXIT_CODES
from tests.deploy.recipes.recipe import FILES, FOLDER, README, lines, quintet_commands

TEXTS = [file for file in FILES if file.suffix != ".lock"]
PLACEHOLDERS = {"METHOD", "NAME", "ENVIRONMENT", "[FLAGS]", "...", "$@"}


def shown(file: Path) -> list[list[str]]:
    found = [_with_a_shard(command) for line in lines(file) for command in quintet_commands(line)]
    return [command for command in found if not PLACEHOLDERS & set(command)]


def _with_a_shard(command: list[str]) -> list[str]:
    """A command with a number of a shard where a scheduler gives one."""
    return [re.sub(r"^\$[A-Z_]+(?=/\d+$)", "0", word) for word in command]


ALL = [pytest.param(command, id=f"{file.name}: {' '.join(command)}"[:90]) for file in TEXTS for command in shown(file)]
EVALS = [command for file in TEXTS for command in shown(file) if command[0] == "eval"]


def test_the_recipes_show_the_commands_they_are_about() -> None:
    by_file = {file.name: {command[0] for command in shown(file)} for file in TEXTS}
    assert by_file["README.md"] == {"ctl", "eval", "resume"}
    for manifest in ("kuberay.yaml", "indexed-job.yaml", "skypilot.yaml"):
        assert by_file[manifest] == {"eval"}, manifest
    assert by_file["run-or-resume.sh"] == {"resume"}
    assert by_file["kuberay-look.yaml"] == {"report"}
    assert len([command for command in shown(README) if command[0] == "eval"]) >= 4


@pytest.mark.parametrize("command", ALL)
def test_every_command_line_is_parsed_by_the_real_command(command: list[str]) -> None:
    app.parse_args(command, exit_on_error=False, print_error=False)


def test_a_flag_that_does_not_exist_would_be_noticed() -> None:
    [command] = quintet_commands("ray job submit -- quintet eval react textcraft --ray-addres auto; echo")
    assert command == ["eval", "react", "textcraft", "--ray-addres", "auto"]
    with pytest.raises(Exception, match="ray-addres"):
        app.parse_args(command, exit_on_error=False, print_error=False)


@pytest.mark.parametrize("command", EVALS, ids=" ".join)
def test_every_evaluation_resolves_and_names_its_folder_in_full(
    command: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "--ray-address" not in command or command[command.index("--ray-address") + 1] == "auto"
    folder = command[command.index("--out") + 1]
    assert folder.startswith(("/", "$")) or folder == "KEEP"
    monkeypatch.chdir(tmp_path)
    words = [str(FOLDER / "per-role.toml") if word.endswith("per-role.toml") else word for word in command]
    assert main([*words, "--dry-run"]) == 0


def test_the_table_of_exit_codes_has_every_code() -> None:
    table = re.findall(r"^\| (\d+)", README.read_text(), re.MULTILINE)
    assert {int(code) for code in table} == {*EXIT_CODES.values(), USAGE, 137}
