"""The user's code in the record, and what a resume does when it has changed."""

import subprocess
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.launch.prepare import prepare, prepare_again, refuse_changes
from quintet.launch.versions import commit_of, find_recorded, record_code
from quintet.plugins.objects import find_object
from quintet.runs.record import CodeRecord
from tests.actors.fakes import Kitchen

RUN = Path("run")
MINE = "from tests.actors.fakes import Kitchen\nfrom pantry import NAME\n\nclass Mine(Kitchen):\n    name = NAME\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "pantry.py").write_text("NAME = 'mine'\n")
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


def recorded(given: object) -> tuple[CodeRecord, ...]:
    found = find_object("environment", given)
    assert found is not None
    assert found.brought is not None
    return record_code([found.brought])


def test_it_has_each_file_and_the_repositorys_commit(mine: Path) -> None:
    (code,) = recorded(f"{mine}:Mine")
    assert code.texts.keys() == {"mine.py", "pantry.py"}
    assert (code.origin, code.git_commit) == (f"{mine}:Mine", None)
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(mine.parent))
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        subprocess.run([*git, *words], check=True)
    commit = commit_of(mine.parent)
    assert commit is not None
    assert len(commit) == 40
    (mine.parent / "pantry.py").write_text("NAME = 'ours'\n")
    assert commit_of(mine.parent) == f"{commit}+changes"


def test_the_same_code_is_found_again_and_changed_code_is_refused_with_its_file(mine: Path) -> None:
    code = recorded(f"{mine}:Mine")
    assert [each.name for each in find_recorded(code, (), RUN)] == ["mine"]
    (mine.parent / "pantry.py").write_text("NAME = 'mine'  # still\n")
    begun = code[0].texts["pantry.py"]
    with pytest.raises(
        UsageError, match=rf"code of environment mine, pantry\.py .*: expected SHA-256 {begun}, .*, got"
    ):
        find_recorded(code, (), RUN)
    mine.unlink()
    with pytest.raises(UsageError, match=r"mine\.py: expected a Python file, got No such file"):
        find_recorded(code, (), RUN)


def test_an_object_from_python_must_be_given_again() -> None:
    code = recorded(Kitchen())
    with pytest.raises(
        UsageError, match=r"environment kitchen: .* got none; resume it from Python: .*objects=\[\.\.\.\]"
    ):
        find_recorded(code, (), RUN)
    again = Kitchen()
    (found,) = find_recorded(code, ["not a world", object(), again], RUN)
    assert found.value is again


def test_a_run_is_prepared_again_under_the_same_code_only(mine: Path) -> None:
    given = [f"environment.name={mine}:Mine", "method.name=random"]
    record = prepare([from_assignments(given)]).record
    changes = from_assignments(["runtime.concurrency=2"])
    assert prepare_again(record, changes, RUN).objects[0].name == "mine"
    refuse_changes(record, changes, RUN)
    with pytest.raises(UsageError, match=r"run\.seed: expected 0"):
        refuse_changes(record, from_assignments(["run.seed=2"]), RUN)
    mine.write_text(MINE + "\n")
    for prepare_or_refuse in (prepare_again, refuse_changes):
        with pytest.raises(UsageError, match=r"code of environment mine, mine\.py"):
            prepare_or_refuse(record, changes, RUN)
