"""Whether an optional dependency is installed."""

from importlib.util import find_spec

from quintet.errors import UsageError


def require_extra(module: str, extra: str, where: str) -> None:
    """Raise a `UsageError`, with the command that installs it, unless an extra's module is there to import."""
    package, *_ = module.split(".")
    if find_spec(package) is None or find_spec(module) is None:
        raise UsageError(
            f"{where}: expected {package}, got none; install it with pip install 'quintet-agents[{extra}]'"
        )
