"""A distribution that brings every object of this folder which keeps a contract or breaks it."""

from pathlib import Path

import pytest

from quintet.methods.base.method import Method
from quintet.models.embedding.hashed_words import HashedWords
from quintet.ports.async_world import AsyncWorld
from quintet.ports.world import World
from tests.actors import shop
from tests.actors.environments.adapters import stairs
from tests.deploy.testing import broken_embedders, broken_environments, broken_methods, broken_models
from tests.distributions import install, use_site

BROUGHT = (
    ("environments", (broken_environments, stairs), World | AsyncWorld),
    ("methods", (broken_methods,), Method),
    ("models", (broken_models,), broken_models.Echo),
    ("embedders", (broken_embedders,), HashedWords),
)
"""By group, the modules with the objects, and what they are. They are registered under their names in the module."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    registered = {
        group: {
            name: f"{module.__name__}:{name}"
            for module in modules
            for name, each in vars(module).items()
            if isinstance(each, type) and issubclass(each, kind)
        }
        for group, modules, kind in BROUGHT
    }
    named = {"stairs": f"{broken_environments.__name__}:Stairs", "shop": f"{shop.__name__}:Shop"}
    with pytest.MonkeyPatch.context() as patch:
        install(folder, patch, {**registered, "environments": {**registered["environments"], **named}})
    return folder


@pytest.fixture
def registered(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder for all tests, so that they share the processes that contracts start."""
    use_site(site, monkeypatch)
