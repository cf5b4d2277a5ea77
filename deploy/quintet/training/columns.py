"""The columns of training data by kind, as TRL reads them. `docs/training.md` says what each means."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

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
    "completion": "messages",
}
COLUMNS: Final[Mapping[TrainingKind, Mapping[str, str]]] = {
    "sft": _CALL,
    "grpo": {**_CALL, "group": "text", "attempts": "integer", "advantage": "real"},
    "preference": {
        "run": "text",
        "task": "text",
        "source": "text",
        "prompt": "messages",
        "chosen": "messages",
        "rejected": "messages",
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


def training_schema(kind: TrainingKind, metadata: Mapping[str, str], *, with_tokens: bool) -> Any:
    """The pyarrow schema of a kind."""
    arrow = pyarrow()
    message = arrow.struct([("role", arrow.string()), ("content", arrow.string())])
    types = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "real": arrow.float64(),
        "flag": arrow.bool_(),
        "messages": arrow.list_(message),
        "ids": arrow.list_(arrow.int32()),
        "mask": arrow.list_(arrow.int8()),
        "logprobs": arrow.list_(arrow.float32()),
    }
    columns = {**COLUMNS[kind], **(TOKEN_COLUMNS[kind] if with_tokens else {})}
    return arrow.schema([(name, types[word]) for name, word in columns.items()], metadata)


def text_leaves(kind: TrainingKind) -> list[str]:
    """The texts of a kind, as Parquet names its leaves. A row group stores each text of such a leaf once."""
    leaves = {"text": [""], "messages": [".list.element.role", ".list.element.content"]}
    return [f"{name}{leaf}" for name, word in COLUMNS[kind].items() for leaf in leaves.get(word, ())]
