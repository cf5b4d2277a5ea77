"""Tasks in Harbor's layout."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.environments.shell.task_folder import TaskFolder, read_task_folders
from quintet.errors import UsageError

TASK = {
    "instruction.md": "Do it.\n",
    "task.toml": '[metadata]\ncategory = "text"\n[agent]\ntimeout_sec = 3.0\n[verifier]\ntimeout_sec = 7.0\n',
    "environment/Dockerfile": "FROM debian\nWORKDIR /app\nCOPY in .\nCOPY run.sh bin/\n",
    "environment/in/a.txt": "a\n",
    "environment/in/sub/b.txt": "b\n",
    "environment/run.sh": "#!/bin/sh\n",
    "tests/test.sh": "echo 1 > /logs/verifier/reward.txt\n",
    "solution/solve.sh": "#!/bin/bash\nset -e\n\n# first\ncp a.txt c.txt\nfor x in 1 2; do echo $x; done\n",
}


def write_task(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files of a task; none for an empty text."""
    for name, text in files.items():
        if text:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_task_is_its_instruction_its_files_its_limits_and_its_walk(tmp_path: Path) -> None:
    (write_task(tmp_path / "one", TASK) / "environment/run.sh").chmod(0o755)
    task = TaskFolder(tmp_path / "one")
    assert (task.name, task.instruction, task.home, task.refusal) == ("one", "Do it.", "/app", "")
    assert (task.agent_seconds, task.check_seconds) == (3.0, 7.0)
    assert dict(task.metadata) == {"category": "text", "difficulty": ""}
    assert list(task.files()) == [
        ("a.txt", b"a\n", False),
        ("bin", None, False),
        ("bin/run.sh", b"#!/bin/sh\n", True),
        ("sub", None, False),
        ("sub/b.txt", b"b\n", False),
    ]
    assert task.walk == ("cp a.txt c.txt", "for x in 1 2; do echo $x; done")


def test_a_task_without_a_dockerfile_has_all_that_lies_in_its_environment(tmp_path: Path) -> None:
    task = TaskFolder(write_task(tmp_path / "one", {**TASK, "environment/Dockerfile": ""}))
    assert task.home == "/work"
    assert [file.path for file in task.files()] == ["in", "in/a.txt", "in/sub", "in/sub/b.txt", "run.sh"]


@pytest.mark.parametrize("script", ["", "if true\nthen echo 1\nfi\n", "cat > x <<E\na\nE\n", "#!/bin/bash\n"])
def test_a_solution_that_is_more_than_single_commands_is_no_walk(tmp_path: Path, script: str) -> None:
    assert TaskFolder(write_task(tmp_path / "one", {**TASK, "solution/solve.sh": script})).walk is None


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"environment/Dockerfile": "FROM a\nRUN x\n"}, "environment/Dockerfile, line 2: expected FROM, WORKDIR or"),
        ({"environment/docker-compose.yaml": "a: 1\n"}, "expected a folder, got services"),
        ({"task.toml": '[environment]\ndocker_image = "x"\n'}, "task.toml: expected no environment.docker_image"),
        ({"task.toml": '[environment]\nos = "windows"\n'}, "task.toml: expected linux, got windows"),
        ({"task.toml": "[[steps]]\n"}, "task.toml: expected a task of one step, got several"),
        ({"tests/test.sh": ""}, "expected a check, got no tests/test.sh"),
        ({"tests/test.sh": "set -e\napt-get update\n"}, "tests/test.sh, line 2: expected no network, got apt-get"),
    ],
)
def test_a_task_that_needs_more_than_a_folder_is_refused_in_words(
    tmp_path: Path, changed: dict[str, str], refusal: str
) -> None:
    assert TaskFolder(write_task(tmp_path / "one", {**TASK, **changed})).refusal.startswith(refusal)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"instruction.md": " \n"}, "instruction: expected text, got an empty file"),
        ({"task.toml": "= 1"}, "task.toml: expected the settings of a task, got "),
        ({"task.toml": '[agent]\ntimeout_sec = "x"\n'}, "task.toml: expected the settings of a task, got "),
    ],
)
def test_a_task_that_cannot_be_read_is_an_error_with_its_file(
    tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    with pytest.raises(UsageError) as error:
        TaskFolder(write_task(tmp_path / "one", {**TASK, **changed}))
    assert said in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_a_copy_of_what_is_not_there_or_lies_elsewhere_is_an_error(tmp_path: Path) -> None:
    for number, source in enumerate(("missing", "../instruction.md")):
        text = f"FROM x\nWORKDIR /app\nCOPY {source} .\n"
        task = TaskFolder(write_task(tmp_path / str(number), {**TASK, "environment/Dockerfile": text}))
        with pytest.raises(UsageError, match="COPY: expected a file in the folder"):
            list(task.files())


def test_the_digest_follows_whatever_makes_the_task(tmp_path: Path) -> None:
    digests = {
        TaskFolder(write_task(tmp_path / str(number), {**TASK, name: TASK[name] + "\n# more\n"})).digest
        for number, name in enumerate(("instruction.md", "environment/in/a.txt", "tests/test.sh", "task.toml"))
    }
    assert len(digests) == 4  # a comment in the settings changes nothing
    assert TaskFolder(write_task(tmp_path / "same", TASK)).digest in digests


def test_a_folder_without_tasks_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"each with an instruction.md, found none"):
        read_task_folders(tmp_path)
