"""`quintet record`: what sessions show is kept by the command that a world declares."""

from pathlib import Path

import pytest

from quintet.cli.record import record_app
from quintet.environments.data_commands import DataSummary
from tests.command import refused
from tests.distributions import install


def _keep(task: str, *, out: Path, steps: int = 3) -> DataSummary:
    """Keep the pages of a session.

    Args:
        task: Which task.
        out: Where the pages go.
        steps: How many steps.
    """
    counts = {task: {"pages": steps, "pictures": 0}}
    return DataSummary(title="pages kept", rows_are="task", counts=counts, notes=(f"served from {out}",))


class Pages:
    """A world whose pages can be kept."""

    record_command = staticmethod(_keep)


class Blank:
    """One whose pages cannot."""


@pytest.fixture(autouse=True)
def _worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"pages": f"{__name__}:Pages", "blank": f"{__name__}:Blank", "gone": "nowhere:WORLD"}
    install(tmp_path, monkeypatch, {"environments": places})


def test_a_world_s_own_command_is_run_and_its_summary_printed(capsys: pytest.CaptureFixture[str]) -> None:
    app = record_app()
    assert app(["pages", "shop-3", "--out", "kept", "--steps", "5"], result_action="return_value") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert lines == [
        ["pages", "kept"],
        ["task", "pages", "pictures", "all"],
        ["shop-3", "5", "-", "5"],
        ["served", "from", "kept"],
    ]


def test_only_worlds_that_declare_one_can_be_recorded() -> None:
    assert "pages" in [*record_app()]
    assert not {"blank", "gone", "textcraft"} & {*record_app()}


def test_another_world_is_refused() -> None:
    assert "textcraft" in refused("record", "textcraft")
