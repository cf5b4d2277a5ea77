"""What is taken of the package `bfcl-eval`: its data, its tools and its checks.

It has no annotations. What is imported of it needs `mpmath` and nothing else, so it is installed without what it asks
for, which excludes ours (docs/decisions/worlds.md).
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from importlib import import_module, resources
from importlib.metadata import version
from typing import Any, Final

import msgspec

from quintet.plugins.extras import require_modules

_PACKAGE: Final = "bfcl_eval"
_INSTALL: Final = "pip install --no-deps bfcl-eval mpmath"


def package_version() -> str:
    """The version of the installed package.

    Raises:
        PackageMissing: it or `mpmath` is not installed; the text has the command that installs both.
    """
    require_modules((_PACKAGE, "mpmath"), _INSTALL, "bfcl")
    return version("bfcl-eval")


def data_lines(file: str) -> list[str]:
    """The lines of a file of the package's data, each an object as JSON."""
    return (resources.files(_PACKAGE) / "data" / file).read_text(encoding="utf-8").strip().split("\n")


@cache
def tool_docs(api: str) -> dict[str, str]:
    """The tools of an API by name, each as the package describes it: JSON on one line."""
    lines = data_lines(f"multi_turn_func_doc/{_backends().MULTI_TURN_FUNC_DOC_FILE_MAPPING[api]}")
    return {msgspec.json.decode(line)["name"]: line for line in lines}


def new_api(api: str, config: Mapping[str, Any], *, long_context: bool) -> Any:
    """An object whose public methods are the tools of an API. It shares nothing that can change.

    Args:
        api: the name of its class.
        config: what it begins with.
        long_context: whether it is filled up with much that is not needed.
    """
    made = getattr(import_module(_backends().CLASS_FILE_PATH_MAPPING[api]), api)()
    if api not in _backends().STATELESS_CLASSES:
        made._load_scenario(deepcopy(config), long_context=long_context)
    return deepcopy(made) if long_context else made  # the filling is the module's own


def more_tools_message() -> str:
    """What the user says where there are further tools."""
    message: str = import_module(f"{_PACKAGE}.constants.default_prompts").DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC
    return message


def checker() -> Any:
    """The module with the checks: `state_checker` and `response_checker`."""
    return import_module(f"{_PACKAGE}.eval_checker.multi_turn_eval.multi_turn_checker")


def _backends() -> Any:
    return import_module(f"{_PACKAGE}.constants.executable_backend_config")
