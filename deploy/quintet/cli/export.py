"""`export`: write a run for other tools, even while it is running."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quintet.cli.flags import Switch
from quintet.errors import UsageError
from quintet.journal.connection import raise_damage
from quintet.plugins.extras import require_extra
from quintet.training.columns import TrainingKind


def export_command(
    run: Path,
    *,
    parquet: Path | None = None,
    inspect: Path | None = None,
    atif: Path | None = None,
    table: Path | None = None,
    training: Annotated[tuple[TrainingKind, Path] | None, Parameter(negative="")] = None,
    otel: str | None = None,
    otel_content: Switch = False,
) -> None:
    """Write a run, or all runs of a study, for other tools.

    Args:
        run: A run folder, or a study folder.
        parquet: The folder to write, new or empty; one folder in it for each table.
        inspect: The folder to write, new or empty; one .eval log in it for each run, for `inspect view`.
        atif: The folder to write, new or empty; one trajectory in it for each attempt, for `quintet import` and others.
        table: Of a study, the file to write a row into for each cell: .csv, .parquet, or .tex for LaTeX with booktabs.
        training: What to train on (sft, preference, grpo or steps) and the folder to write, new or empty.
        otel: Send spans to the OTLP collector at this address, such as http://127.0.0.1:4318.
        otel_content: Send the texts of prompts, completions, actions and observations with the spans.
    """
    if all(each is None for each in (parquet, inspect, atif, table, training, otel)):
        raise UsageError("export: expected --parquet, --inspect, --atif, --table, --training or --otel, got none")
    if otel_content and otel is None:
        raise UsageError("--otel-content: expected --otel URL beside it, got none")
    damage: list[str] = []
    if parquet is not None:
        from quintet.export.parquet import export_parquet

        written = export_parquet(run, parquet)
        for name, rows in written.rows.items():
            print(f"{rows:>9,} {name}")
        damage += written.damage
    if inspect is not None:
        require_extra("inspect_ai.log", "inspect", "--inspect")
        from quintet.export.inspect.log import write_inspect_logs

        logs, unread = write_inspect_logs(run, inspect)
        for name, samples in logs.items():
            print(f"{samples:>9,} samples in {name}")
        damage += unread
    if atif is not None:
        require_extra("atif", "atif", "--atif")
        from quintet.atif.write import write_trajectories

        trajectories = write_trajectories(run, atif)
        for name, files in trajectories.files.items():
            print(f"{files:>9,} trajectories of {name}")
        if trajectories.pictures:
            print(f"{trajectories.pictures:>9,} pictures beside them")
        damage += trajectories.damage
    if table is not None:
        from quintet.studies.table_file import write_study_table

        cells, unread = write_study_table(run, table)
        print(f"{cells:>9,} cells in {table}")
        damage += unread
    if training is not None:
        from quintet.training.export import export_training

        rows, unread = export_training(training[0], run, training[1])
        print(f"{rows:>9,} rows in {training[1]}")
        damage += unread
    if otel is not None:
        require_extra("opentelemetry.exporter.otlp.proto.http", "otel", "--otel")
        from quintet.export.otel.send import send_spans

        sent, unread = send_spans(run, otel, content=otel_content)
        print(f"{sent:>9,} spans to {otel}")
        damage += unread
    raise_damage(list(dict.fromkeys(damage)))
