import pytest

from quintet.environments.bfcl.package import package_version, tool_docs
from quintet.environments.bfcl.world import Bfcl
from quintet.plugins import catalogue, extras
from quintet.plugins.extras import PackageMissing
from tests.actors.environments.bfcl.installed import needs_package


def nothing(_module: str) -> None:
    """What is found where nothing is installed."""


def test_without_the_package_the_error_has_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", nothing)
    expected = r"^bfcl: expected bfcl_eval, got none; install it with pip install --no-deps bfcl-eval mpmath$"
    for make in (package_version, Bfcl, lambda: catalogue.world("bfcl")):
        with pytest.raises(PackageMissing, match=expected):
            make()


@needs_package
def test_the_world_says_which_version_of_the_package_it_is_made_of() -> None:
    assert Bfcl().version.endswith(f"+{package_version()}")


@needs_package
def test_a_tool_is_described_by_one_line_of_the_package() -> None:
    docs = tool_docs("GorillaFileSystem")
    assert docs["cd"].startswith('{"name": "cd", "description": ')
    assert not any("\n" in each for each in docs.values())
