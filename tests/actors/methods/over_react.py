"""Methods that attempt their goals by ReAct, made from options."""

from collections.abc import Mapping
from typing import Any, Final

from quintet.methods.base.method import Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React

ADAPTS: Final = ("textcraft", "alfworld")
"""The worlds of ADaPT's paper, in which its baselines have its budgets."""


def over_react(method: type[Method[Any]], inner: Mapping[str, Any] | None = None, **options: Any) -> Method[Any]:
    """The method with these options; ReAct with `inner`, and with 20 steps where it does not say."""
    react = React(ReactConfig.model_validate({"max_steps": 20, **(inner or {})}))
    return method(method.options.model_validate(options), react)


def as_in(method: type[Method[Any]], world: str) -> Method[Any]:
    """The method with its defaults for a world."""
    options = dict(method.worlds[world])
    inner = {**React.worlds[world], **options.pop("inner")}
    return over_react(method, inner, **options)
