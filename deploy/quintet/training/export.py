"""Writes training data of a run, or of all runs of a study, as Parquet: a folder `train` that dataset loaders read."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from quintet.blame.step_rewards import step_rewards
from quintet.config.resolve import as_tables
from quintet.config.settings import flatten
from quintet.errors import UsageError
from quintet.export.folder import export_folder
from quintet.export.parquet import TableFiles
from quintet.export.read import ExportedRun, exported_runs, snapshots_of
from quintet.journal.reader import JournalReader
from quintet.ports.tokens import ID_BYTES, CallTokens
from quintet.runs.record import RUN_RECORD
from quintet.runs.study_folder import StudyFolder, open_any
from quintet.training.calls import TrainingRow, call_rows
from quintet.training.columns import TrainingKind, text_leaves, training_schema
from quintet.training.groups import group_name, groups_of
from quintet.training.pairs import pair_rows
from quintet.training.steps import tree_steps

_BATCH: Final = 64
"""Rows that are added at a time."""


class TrainingExport(NamedTuple):
    """The result of an export."""

    rows: int
    damage: list[str]
    """What could not be read, and is missing."""


def export_training(kind: TrainingKind, path: Path, out: Path) -> TrainingExport:
    """Write the training data of a run, of all runs of a study, or of a search by `quintet blame`, also while it runs.

    One attempt is held in memory at a time, and one row group.

    Args:
        out: a new or empty folder; parents are created. It gets a folder `train` of Parquet files.

    Raises:
        UsageError: there is no run, `out` cannot be used, pyarrow is missing, the run was resumed meanwhile, or its
            rows would have answers in another form than the model's.
    """
    found = exported_runs(path)
    stored = [_stored(run) for run in found]
    with_tokens = kind in ("sft", "grpo") and any(each.tokens for each in stored)
    with_tools = kind != "steps" and any(each.tools for each in stored)
    if kind != "steps" and not with_tokens:
        for run, each in zip(found, stored, strict=True):
            _refuse_tools(run, are_stored=each.tools)
    schema = training_schema(kind, _metadata(kind, found), with_tools=with_tools, with_tokens=with_tokens)
    with export_folder(out, "--training") as folder:
        with TableFiles(folder / "train", schema, dictionary=text_leaves(kind)) as files:
            rows = _rows(kind, path, found, with_tokens=with_tokens)
            while batch := list(islice(rows, _BATCH)):
                files.add([[row.get(name) for row in batch] for name in schema.names])
        return TrainingExport(files.rows, [each for run in found for each in run.damage])


def _refuse_tools(run: ExportedRun, *, are_stored: bool) -> None:
    """Refuse calls of tools that no journal has as they were written, and prompts in which they were sent as calls."""
    settings = list(flatten(as_tables(run.folder.record.configuration)))
    calling = [f"{key}=tools" for key, value in settings if value == "tools" and _is_of_model(key, "answers")]
    sending = [f"{key}=responses" for key, value in settings if value == "responses" and _is_of_model(key, "dialect")]
    if calling and (sending or not are_stored):
        expected = "answers of text or JSON, tools in the chat dialect, or sft and grpo with model.token_ids=true"
        got = f"{calling[0]} and {sending[0]}" if sending else f"{calling[0]} and a journal without the tools"
        raise UsageError(f"export --training: expected {expected}, got {got} ({run.folder.path / RUN_RECORD})")


def _is_of_model(key: str, setting: str) -> bool:
    *tables, name = key.split(".")
    return name == setting and "model" in tables


class _Stored(NamedTuple):
    """Whether a journal of a run has these, of any call."""

    tokens: bool
    tools: bool


def _stored(run: ExportedRun) -> _Stored:
    with closing(snapshots_of(run)) as journals:
        found = [(reader.has_tokens(), reader.has_tool_answers()) for _, reader in journals]
    return _Stored(*(any(each) for each in zip(*found, strict=True))) if found else _Stored(False, False)


def _rows(kind: TrainingKind, path: Path, runs: Iterable[ExportedRun], *, with_tokens: bool) -> Iterator[TrainingRow]:
    folder = open_any(path)
    if kind == "steps" and isinstance(folder, StudyFolder) and folder.record.blame is not None:
        yield from step_rewards(folder)
        return
    for run in runs:
        with closing(snapshots_of(run)) as journals:
            for _, reader in journals:
                yield from _rows_of(kind, run, reader, with_tokens=with_tokens)


def _rows_of(kind: TrainingKind, of: ExportedRun, reader: JournalReader, *, with_tokens: bool) -> Iterator[TrainingRow]:
    match kind:
        case "sft":
            for row in call_rows(of.name, reader, with_tokens=with_tokens):
                yield {**row, **_masked(row["tokens"])}
        case "grpo":
            size = of.folder.record.configuration.run.group
            groups = groups_of(reader, size)
            for row in call_rows(of.name, reader, with_tokens=with_tokens):
                group = groups[name := group_name(row["task"], row["epoch"], size)]
                advantage = group.advantage(row["reward"] or 0.0)
                in_group = {"group": f"{of.name}/{name}", "attempts": group.attempts, "advantage": advantage}
                yield {**row, **in_group, **_apart(row["tokens"])}
        case "preference":
            yield from pair_rows(of.name, reader)
        case "steps":
            yield from tree_steps(of.name, reader)


def _masked(tokens: CallTokens | None) -> dict[str, Any]:
    """The tokens as one sequence, with the mask of those that the model drew."""
    if tokens is None:
        return {}
    prompt, completion = len(tokens.prompt) // ID_BYTES, len(tokens.completion) // ID_BYTES
    return {"input_ids": tokens.prompt + tokens.completion, "completion_mask": [0] * prompt + [1] * completion}


def _apart(tokens: CallTokens | None) -> dict[str, Any]:
    if tokens is None:
        return {}
    return {"prompt_ids": tokens.prompt, "completion_ids": tokens.completion, "logprobs": tokens.logprobs}


def _metadata(kind: TrainingKind, runs: Iterable[ExportedRun]) -> dict[str, str]:
    return {
        "quintet.version": version("quintet-agents"),
        "quintet.training": kind,
        "quintet.simulated": json.dumps(any(run.simulated for run in runs)),
    }
