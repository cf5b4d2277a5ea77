"""Functions as tools."""

import gc
from weakref import ref

from quintet.environments.tool_world.tool import FunctionTool


def test_a_functions_schema_is_made_once_and_goes_with_it() -> None:
    def add(x: int, y: int = 0) -> int:
        return x + y

    schema = FunctionTool(add).parameters()
    assert schema["required"] == ["x"]
    assert FunctionTool(add).parameters() is schema
    gone = ref(add)
    del add
    gc.collect()
    assert gone() is None


def test_a_methods_schema_leaves_out_its_object() -> None:
    assert set(FunctionTool("".index).parameters()) == {"type"}
    assert set(FunctionTool(_Shop().search).parameters()["properties"]) == {"query"}


class _Shop:
    def search(self, query: str) -> str:
        return query
