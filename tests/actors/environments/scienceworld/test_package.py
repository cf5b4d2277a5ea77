import pytest

from quintet.environments.scienceworld.package import scienceworld_version, simulator_file
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.plugins import extras
from quintet.plugins.extras import PackageMissing
from tests.actors.environments.scienceworld.installed import needs_simulator


def nothing(_name: str) -> None:
    """What is found where nothing is installed."""


def test_without_java_the_error_has_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", str)
    monkeypatch.setattr("shutil.which", nothing)
    expected = "^scienceworld: expected java, got none; install it with apt-get install default-jre-headless$"
    with pytest.raises(PackageMissing, match=expected):
        scienceworld_version()


@needs_simulator
def test_the_world_says_which_version_of_the_package_it_is_made_of() -> None:
    assert ScienceWorld().version.endswith(f"+{scienceworld_version()}")
    assert simulator_file().endswith(".jar")
