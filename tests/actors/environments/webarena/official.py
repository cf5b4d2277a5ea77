"""Tasks in the official schema, made up for tests."""

from pathlib import Path
from typing import Any

import msgspec

from quintet.environments.webarena.tasks.schema import WebTask


def task_record(number: int = 17, **changes: Any) -> dict[str, Any]:
    """A task that asks for a text; `eval` is merged into its evaluation."""
    evaluation = {
        "eval_types": ["string_match"],
        "reference_answers": {"exact_match": "Blue mug"},
        "reference_url": "",
        "program_html": [],
        **changes.pop("eval", {}),
    }
    return {
        "sites": ["shopping"],
        "task_id": number,
        "require_login": True,
        "storage_state": "./.auth/shopping_state.json",
        "start_url": "__SHOPPING__",
        "geolocation": None,
        "intent_template": "Find {{what}}",
        "instantiation_dict": {"what": "mugs"},
        "intent": "Which mug is the cheapest?",
        "require_reset": False,
        "eval": evaluation,
        "intent_template_id": number,
        **changes,
    }


def web_task(number: int = 17, **changes: Any) -> WebTask:
    """The same as a Struct."""
    return msgspec.convert(task_record(number, **changes), WebTask)


def program_task(*checks: dict[str, Any], **changes: Any) -> WebTask:
    """A task that pages are checked for; what a check leaves out, it takes from the last page."""
    return web_task(eval=program_evaluation(*checks), **changes)


def program_evaluation(*checks: dict[str, Any]) -> dict[str, Any]:
    """The evaluation of such a task."""
    defaults = {"url": "last", "locator": "", "required_contents": {"must_include": ["mug"]}}
    found = [{**defaults, **check} for check in checks]
    return {"eval_types": ["program_html"], "reference_answers": None, "reference_url": None, "program_html": found}


def write_records(folder: Path, *records: object) -> Path:
    """A file of records."""
    file = folder / "tasks.json"
    file.write_bytes(msgspec.json.encode(records))
    return file
