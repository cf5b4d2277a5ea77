from collections.abc import Mapping
from typing import Any

from referencing import Registry

class ValidationError(Exception):
    message: str
    json_path: str

class SchemaError(Exception):
    message: str

class Draft202012Validator:
    def __init__(self, schema: Mapping[str, Any], registry: Registry[Any] = ...) -> None: ...
    @classmethod
    def check_schema(cls, schema: Mapping[str, Any]) -> None: ...
    def validate(self, instance: object) -> None: ...
