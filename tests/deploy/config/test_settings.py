"""Settings from files, variables and flags."""

from pathlib import Path

import pytest

from quintet.config.sections import ModelSettings
from quintet.config.settings import (
    Setting,
    from_assignments,
    from_environment,
    from_file,
    nest,
    parse_value,
    with_split_names,
)
from quintet.errors import UsageError
from quintet.roles.executor import EXECUTOR_ROLE


def _file(folder: Path, text: str) -> Path:
    file = folder / "adapt.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_key_of_a_file_knows_its_line(tmp_path: Path) -> None:
    text = """\
# a comment = nothing
[method]
max_depth = 3  # of recursion

[model]
temperature = 0.7
planner = { name = "sim-strong" }
[model.executor]
"name" = "sim-weak"
run.tasks = ["a", "b"]
"""
    settings = from_file(_file(tmp_path, text))
    lines = {key: setting.where.rpartition(" ")[2] for key, setting in settings.items()}
    assert lines == {
        "method.max_depth": "3",
        "model.temperature": "6",
        "model.planner.name": "7",
        "model.executor.name": "9",
        "model.executor.run.tasks": "10",
    }
    assert settings["method.max_depth"].value == 3


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a readable TOML file, got No such file .*none\.toml"):
        from_file(tmp_path / "none.toml")


def test_a_file_that_is_not_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected TOML, got .*line 2.*adapt\.toml"):
        from_file(_file(tmp_path, "[method]\nmax_depth 3\n"))


def test_a_file_of_other_bytes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b"name = '\xe9'")
    with pytest.raises(UsageError, match="expected a readable TOML file, got bytes that are not UTF-8"):
        from_file(file)


def test_only_variables_with_the_prefix_are_settings() -> None:
    variables = {"QUINTET_MODEL__PLANNER__NAME": "sim-strong", "QUINTET_RUN__SEED": "3", "HOME": "/root"}
    assert from_environment(variables) == {
        "model.planner.name": Setting("sim-strong", "QUINTET_MODEL__PLANNER__NAME"),
        "run.seed": Setting(3, "QUINTET_RUN__SEED"),
    }


def test_an_assignment_without_a_value_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--set: expected key=value, got 'method\.max_depth'"):
        from_assignments(["method.max_depth"])


def test_a_value_may_contain_an_equals_sign() -> None:
    assert from_assignments(["model.note=a=b"])["model.note"].value == "a=b"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("true", True),
        ('"3"', "3"),
        ('["a", "b"]', ["a", "b"]),
        ("sim-weak", "sim-weak"),
        ("2024-01-01", "2024-01-01"),
        ("1\nother = 2", "1\nother = 2"),
        ("", ""),
    ],
)
def test_a_text_is_the_toml_value_it_looks_like_or_itself(text: str, value: object) -> None:
    assert parse_value(text, "--set a") == value


def test_a_key_that_is_a_value_and_a_table_is_refused() -> None:
    with pytest.raises(UsageError, match=r"model\.name\.x: expected no value for 'name' itself, got 'sim' \(--set b\)"):
        nest({"model.name": Setting("sim", "--set a"), "model.name.x": Setting(1, "--set b")})
    with pytest.raises(UsageError, match=r"model\.name: expected a table, got 'sim' \(--set a\)"):
        nest({"model.name.x": Setting(1, "--set b"), "model.name": Setting("sim", "--set a")})


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "windows.toml"
    file.write_text("run.seed = 3\n", encoding="utf-8-sig")
    assert from_file(file) == {"run.seed": Setting(3, f"{file}, line 1")}


def test_a_number_too_long_for_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--config: expected TOML, got .*4300.*adapt\.toml"):
        from_file(_file(tmp_path, f"seed = {'9' * 5000}\n"))


def test_names_with_a_colon_are_split_where_their_factory_names_an_option() -> None:
    given = {"model.name": "bridge:openai/o3", "model.planner.name": "gpt-4.1:x", "environment.name": "gym:ID"}
    found = with_split_names({key: Setting(value, "here") for key, value in given.items()})
    assert {key: setting.value for key, setting in found.items()} == {
        "model.name": "bridge",
        "model.id": "openai/o3",
        "model.planner.name": "gpt-4.1:x",
        "environment.name": "gym",
        "environment.id": "ID",
    }


def test_the_family_of_a_bridged_model_is_that_of_what_follows_the_colon() -> None:
    bridged = ModelSettings.model_validate({"name": "bridge", "id": "openai/o3"})
    assert bridged.longest(EXECUTOR_ROLE) == 8_192
    assert ModelSettings(name="gpt-4.1-mini").longest(EXECUTOR_ROLE) == EXECUTOR_ROLE.completion_tokens
