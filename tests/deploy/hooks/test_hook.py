"""Finding hooks: given as objects or places, or registered by a distribution."""

from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.hooks import hook
from quintet.hooks.hook import Hook, HookLike, installed_hooks, load_hooks
from quintet.plugins.entry_points import plug_ins
from tests import distributions
from tests.deploy.hooks.test_thread import Listed

FILE = """
from quintet.api import Hook

class Mine(Hook):
    pass

mine = Mine()
number = 3
"""


def test_objects_classes_and_places_are_hooks(tmp_path: Path) -> None:
    file = tmp_path / "my_hooks.py"
    file.write_text(FILE)
    listed = Listed()
    found = load_hooks([listed, Listed, f"{file}:Mine", f"{file}:mine", "tests.deploy.hooks.test_thread:Listed"])
    assert [type(hook).__name__ for hook in found] == ["Listed", "Listed", "Mine", "Mine", "Listed"]
    assert found[0] is listed
    assert found[1] is not listed


class NeedsMore(Hook):
    def __init__(self, project: str) -> None:
        self.project = project


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("mine", r"hooks: expected FILE\.py:OBJECT or package\.module:OBJECT, got 'mine'"),
        ("{file}:Mime", r"hooks: expected 'Mine' in .*my_hooks\.py, got 'Mime', which it does not have"),
        ("{file}:number", r"my_hooks\.py:number: expected a subclass of quintet\.hooks\.hook\.Hook .*, got 3"),
        ("no.such.module:Mine", r"hooks: expected a module that can be imported, got ModuleNotFoundError"),
        ("{broken}:Mine", r"broken_hooks\.py, line 2: .* KeyError: 'project'"),
        (NeedsMore, r"hooks: expected a hook that is made without arguments, got TypeError"),
        (7, r"hooks: expected a subclass of quintet\.hooks\.hook\.Hook or an instance, got 7"),
    ],
)
def test_what_is_no_hook_is_refused(given: HookLike, said: str, tmp_path: Path) -> None:
    file = tmp_path / "my_hooks.py"
    file.write_text(FILE)
    broken = tmp_path / "broken_hooks.py"
    broken.write_text("x = 1\nraise KeyError('project')\n")
    with pytest.raises(UsageError, match=said):
        load_hooks([given.format(file=file, broken=broken) if isinstance(given, str) else given])


def test_installed_hooks_are_used_and_a_broken_one_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {"good": "tests.deploy.hooks.test_thread:Listed", "bad": "tests.deploy.hooks.nowhere:Listed"}
    distributions.install(tmp_path, monkeypatch, {"hooks": points})
    monkeypatch.setattr(hook, "plug_ins", plug_ins.__wrapped__)
    said: list[str] = []
    assert [type(hook).__name__ for hook in installed_hooks(said.append)] == ["Listed"]
    assert said == [
        "hook 'bad' of acme 1.0 is left out: ModuleNotFoundError: No module named 'tests.deploy.hooks.nowhere'"
    ]
