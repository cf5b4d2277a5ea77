import json

from quintet.environments.described_tool import described_tool, reply_tool
from tests.actors.environments.by_calls import schema_of


def test_types_have_the_names_of_json_schema_at_any_depth_and_arguments_keep_theirs() -> None:
    speeds = {"type": "array", "items": {"type": "dict", "properties": {"dict": {"type": "float"}}}}
    takes = {"type": "dict", "properties": {"type": {"type": "string", "default": "float"}, "speeds": speeds}}
    tool = described_tool(json.dumps({"name": "drive", "description": "Drive.", "parameters": takes}))
    assert (tool.name, tool.description) == ("drive", "Drive.")
    assert schema_of(tool).schema == {
        "type": "object",
        "properties": {
            "type": {"type": "string", "default": "float"},
            "speeds": {"type": "array", "items": {"type": "object", "properties": {"dict": {"type": "number"}}}},
        },
    }


def test_a_reply_says_a_message() -> None:
    tool = reply_tool("Answer the user.")
    assert (tool.name, tool.description) == ("reply", "Answer the user.")
    assert schema_of(tool).schema["required"] == ["message"]
