from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from referencing import Registry

class ValidationError(Exception):
    message: str
    json_path: str

class SchemaError(Exception):
    message: str

class Draft202012Validator:
    VALIDATORS: ClassVar[Mapping[str, Callable[[Any, Any, Any, Mapping[str, Any]], Iterable[ValidationError] | None]]]
    def __init__(self, schema: Mapping[str, Any], registry: Registry[Any] = ...) -> None: ...
    @classmethod
    def check_schema(cls, schema: Mapping[str, Any], format_checker: None = None) -> None: ...
    def validate(self, instance: object) -> None: ...
