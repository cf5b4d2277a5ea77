"""What is taken of the package `scienceworld`: its simulator, and the Java that runs it."""

import shutil
from importlib import resources
from importlib.metadata import version
from typing import Final

from quintet.plugins.extras import PackageMissing, require_extra

_PACKAGE: Final = "scienceworld"


def scienceworld_version() -> str:
    """The version of the installed package.

    Raises:
        PackageMissing: it, or Java, is not installed; the text has the command that installs it.
    """
    for module in (_PACKAGE, "py4j"):
        require_extra(module, _PACKAGE, _PACKAGE)
    if shutil.which("java") is None:
        install = "apt-get install default-jre-headless"
        raise PackageMissing(f"{_PACKAGE}: expected java, got none; install it with {install}")
    return version(_PACKAGE)


def simulator_file() -> str:
    """The path of the simulator's jar."""
    return str(resources.files(_PACKAGE) / "scienceworld.jar")
