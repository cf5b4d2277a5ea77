"""docs/export.md describes the tables, and its examples run."""

import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from quintet.export.export import export_parquet
from quintet.export.parquet import GROUP_BYTES, GROUP_ROWS, PART_GROUPS, arrow_schema
from quintet.export.tables import TABLES, TABLES_VERSION, columns
from tests.deploy import samples
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_documented(table: str) -> None:
    _, _, section = DOCUMENT.partition(f"## {table}\n")
    found = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    fields = arrow_schema(table, {})
    assert found == [
        f"| `{column.name}` | {_type(str(fields.field(column.name).type))} | {'yes' if column.nullable else ''} "
        f"| {column.meaning} |"
        for column in columns(table)
    ]


def _type(name: str) -> str:
    """The name of a type in every version of pyarrow, without the names of its parts."""
    return re.sub(r"list<\w+: ", "list<", name).replace(" ('metadata')", "")


def test_the_bounds_and_the_version_are_those_of_the_code() -> None:
    assert f"at most {GROUP_ROWS:,} rows and ends at {GROUP_BYTES // 2**20} MiB" in DOCUMENT
    assert f"at most {PART_GROUPS} row groups" in DOCUMENT
    assert f"The version of the tables, {TABLES_VERSION}:" in DOCUMENT


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    went = {"beehive": Went(calls=3), "cake": Went("faulted")}
    export_parquet(samples.write(tmp_path / "one", samples.record("adapt", tuple(went)), went), tmp_path / "DIR")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("example", [example for example in EXAMPLES if "ray" not in example])
def test_an_example_runs(example: str, exported: Path) -> None:
    exec(compile(example, "docs/export.md", "exec"), {})


def test_the_documented_query_rebuilds_whole_prompts(exported: Path) -> None:
    by_duckdb, by_hand = [example for example in EXAMPLES if "messages" in example]
    names: dict[str, object] = {}
    exec(compile(f"{by_duckdb}\n{by_hand}", "docs/export.md", "exec"), names)
    query = """
        SELECT c.run, c.prompt, w.messages FROM 'conversations.parquet' AS w
        JOIN 'DIR/completions/*.parquet' AS c USING (run, path)
    """
    with duckdb.connect() as connection:
        found = connection.execute(query).fetchall()
    messages = names["messages"]
    assert callable(messages)
    assert [whole for *_, whole in found] == [messages(run, address) for run, address, _ in found]
    assert sorted(len(whole) for *_, whole in found) == [2, 2, 4, 6]


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
def test_ray_data_reads_every_table(exported: Path) -> None:
    (example,) = [example for example in EXAMPLES if "ray" in example]
    code = "\n".join(
        (
            "import ray",
            "ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)",
            example,
            *(f"print(len(ray.data.read_parquet('DIR/{table}').take_all()))" for table in TABLES),
            "ray.shutdown()",
        )
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.isdecimal()] == ["2", "2", "4", "4", "0", "3", "0"]
