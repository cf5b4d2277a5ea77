"""Questions as HotpotQA's files have them, made up."""

import json
from pathlib import Path
from typing import Any

RIVER = {
    "_id": "5a7613c15542994ccc9186bf",
    "question": "Which river does the mill of Tolland &  Sons stand on?",
    "answer": "Sill",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["Tolland &amp; Sons", 0], ["Ubley Mill", 1]],
    "context": [
        ["Tolland &amp; Sons", ["Tolland & Sons own Ubley Mill.", " They bake."]],
        ["Ubley Mill", ["Ubley Mill is a mill.", " It stands on the Sill."]],
        ["Ubley", ["Ubley is a village."]],
    ],
}
"""As released."""
MILLS = {
    "id": "5ab2beba554299166977408f",
    "question": "Is Ubley Mill older than Harn Mill?",
    "answer": "yes",
    "type": "comparison",
    "level": "medium",
    "supporting_facts": {"title": ["Ubley Mill", "Harn Mill"], "sent_id": [0, 0]},
    "context": {
        "title": ["Ubley Mill", "Harn Mill"],
        "sentences": [["Another text of the mill."], ["Harn Mill is of 1950."]],
    },
}
"""As the Hugging Face copy writes them."""


def write_lines(file: Path, *records: dict[str, Any]) -> Path:
    """Records, one a line."""
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return file


def write_array(file: Path, *records: dict[str, Any]) -> Path:
    """Records in one array."""
    file.write_text(json.dumps(records), encoding="utf-8")
    return file
