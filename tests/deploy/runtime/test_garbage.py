import gc
from collections.abc import Generator

import pytest

from quintet.cli import main


@pytest.fixture(autouse=True)
def restored() -> Generator[None, None, None]:
    before = gc.get_threshold()
    gc.set_threshold(700)
    yield
    gc.set_threshold(*before)


def test_a_command_looks_for_cycles_rarely_and_never_stops(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "methods"]) == 0
    assert capsys.readouterr().out
    assert gc.get_threshold()[0] == 50_000
    assert gc.isenabled()
