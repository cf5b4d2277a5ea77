"""Whether an optional dependency is installed."""

from collections.abc import Sequence
from importlib.util import find_spec

from quintet.errors import UsageError


class PackageMissing(UsageError):
    """An optional package is not installed."""


def require_extra(module: str, extra: str, where: str) -> None:
    """Raise `PackageMissing`, with the command that installs it, unless an extra's module is there to import."""
    require_modules([module], f"pip install 'quintet-agents[{extra}]'", where)


def require_modules(modules: Sequence[str], command: str, where: str) -> None:
    """Raise `PackageMissing`, with the command that installs them, unless all modules are there to import."""
    for module in modules:
        package, *_ = module.split(".")
        if find_spec(package) is None or find_spec(module) is None:
            raise PackageMissing(f"{where}: expected {package}, got none; install it with {command}")
