"""The columns of training data by kind, as TRL reads them. `docs/training.md` says what each means."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from quintet.errors import UsageError
from quintet.export.parquet import pyarrow

TrainingKind: TypeAlias = Literal["sft", "preference", "grpo", "steps"]
"""What is trained on."""

_CALL: Final = {
    "run": "text",
    "episode": "text",
    "call": "text",
    "task": "text",
    "phase": "text",
    "model": "text",
    "weights_version": "integer",
    "finish": "text",
    "reward": "real",
    "success": "flag",
    "prompt": "messages",
    "completion": "answer",
}
COLUMNS: Final[Mapping[TrainingKind, Mapping[str, str]]] = {
    "sft": _CALL,
    "grpo": {**_CALL, "group": "text", "attempts": "integer", "advantage": "real"},
    "preference": {
        "run": "text",
        "task": "text",
        "source": "text",
        "prompt": "messages",
        "chosen": "answer",
        "rejected": "answer",
        "score_chosen": "real",
        "score_rejected": "real",
        "call_chosen": "text",
        "call_rejected": "text",
    },
    "steps": {
        "run": "text",
        "episode": "text",
        "source": "text",
        "step": "integer",
        "parent": "integer",
        "path": "text",
        "action": "text",
        **{f"{side}{figure}": "real" for side in ("before", "after") for figure in ("", "_low", "_high")},
        "before_n": "integer",
        "after_n": "integer",
        "reward": "real",
    },
}
"""By kind, the columns in order with the words for their types."""
TOKEN_COLUMNS: Final[Mapping[TrainingKind, Mapping[str, str]]] = {
    "sft": {"input_ids": "ids", "completion_mask": "mask"},
    "grpo": {"prompt_ids": "ids", "completion_ids": "ids", "logprobs": "logprobs"},
    "preference": {},
    "steps": {},
}
"""Those that follow where the tokens of calls were journaled, under the names that TRL gives them."""
TOOL_COLUMNS: Final[Mapping[TrainingKind, Mapping[str, str]]] = {
    "sft": {"tools": "json"},
    "grpo": {"tools": "json"},
    "preference": {"tools": "json"},
    "steps": {},
}
"""Those that follow where calls were offered tools. An answer then has calls."""


def training_schema(kind: TrainingKind, metadata: Mapping[str, str], *, with_tools: bool, with_tokens: bool) -> Any:
    """The pyarrow schema of a kind.

    Raises:
        UsageError: there are tools, and pyarrow is older than its type of JSON.
    """
    arrow = pyarrow()
    message = [("role", arrow.string()), ("content", arrow.string())]
    types = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "real": arrow.float64(),
        "flag": arrow.bool_(),
        "messages": arrow.list_(arrow.struct(message)),
        "answer": arrow.list_(arrow.struct(message)),
        "ids": arrow.list_(arrow.int32()),
        "mask": arrow.list_(arrow.int8()),
        "logprobs": arrow.list_(arrow.float32()),
    }
    if with_tools:
        if not hasattr(arrow, "json_"):
            raise UsageError(f"export --training: expected pyarrow >= 19 for calls of tools, got {arrow.__version__}")
        json = arrow.json_()  # it alone is read as what it says: rows have other arguments and schemas than one another
        function = arrow.struct([("name", arrow.string()), ("arguments", json)])
        call = arrow.struct([("type", arrow.string()), ("function", function)])
        types |= {"json": json, "answer": arrow.list_(arrow.struct([*message, ("tool_calls", arrow.list_(call))]))}
    further = {**(TOOL_COLUMNS[kind] if with_tools else {}), **(TOKEN_COLUMNS[kind] if with_tokens else {})}
    return arrow.schema([(name, types[word]) for name, word in {**COLUMNS[kind], **further}.items()], metadata)


def text_leaves(kind: TrainingKind) -> list[str]:
    """The texts of a kind, as Parquet names its leaves. A row group stores each text of such a leaf once."""
    message = [".list.element.role", ".list.element.content"]
    leaves = {"text": [""], "json": [""], "messages": message, "answer": message}
    columns = {**COLUMNS[kind], **TOOL_COLUMNS[kind]}
    return [f"{name}{leaf}" for name, word in columns.items() for leaf in leaves.get(word, ())]
