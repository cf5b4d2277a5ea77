from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

def extend(
    validator: type[Draft202012Validator],
    validators: Mapping[str, Callable[[Any, Any, Any, Mapping[str, Any]], Iterable[ValidationError] | None]],
) -> type[Draft202012Validator]: ...
