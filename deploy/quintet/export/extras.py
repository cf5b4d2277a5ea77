"""Whether an optional dependency is installed."""

from importlib.util import find_spec

from quintet.errors import UsageError


def require_extra(module: str, extra: str, where: str) -> None:
    """Make sure that a module of an extra is installed; nothing is imported.

    Raises:
        UsageError: it is not; with the command that installs it.
    """
    package, *_ = module.split(".")
    if find_spec(package) is None or find_spec(module) is None:
        raise UsageError(
            f"{where}: expected {package}, got none; install it with pip install 'quintet-agents[{extra}]'"
        )
