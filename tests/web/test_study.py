"""The page of a study in a real Chromium: a matrix, the runs of a cell, and the report beside them, while it runs."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from quintet.studies.arms import prepare_arms
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.studies.compared import went
from tests.deploy.studies.grids import grid, write_grid
from tests.web.browser import Watched
from tests.web.recorded import Served, elsewhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.web


def _opened(browser: "Browser", url: str) -> Watched:
    watched = Watched(browser)
    watched.page.goto(url)
    watched.page.locator(".matrix").first.wait_for()
    return watched


def _closed(watched: Watched) -> None:
    assert watched.errors == []
    watched.page.close()


def test_a_cell_opens_its_runs_beside_the_report_and_the_picture(browser: "Browser", tmp_path: Path) -> None:
    runs = {f"react+sim-weak-seed-{seed}": went(1, -1, 1, 1) for seed in (0, 1)}
    elsewhere(lambda: write_grid(tmp_path / "study", grid(), {**runs, "standard+sim-weak-seed-1": went(1, 0, 1, 1)}))
    with Served(tmp_path) as url:
        watched = _opened(browser, url)
        page = watched.page
        cell = page.locator(".matrix a[aria-label='react+sim-weak']")
        assert "75.0 %" in cell.inner_text()
        assert "unfinished" in page.locator(".matrix a[aria-label='standard+sim-weak']").inner_text()
        assert "not begun" in page.locator(".matrix a[aria-label='react+sim-strong']").inner_text()
        assert page.locator(".multiples .multiple").count() == 2
        assert page.locator(".multiples [role=img]").first.get_attribute("aria-label") == "75.0 %, 30.1 % to 95.4 %"
        assert "pooled over seeds" in page.locator(".study figcaption").all_inner_texts()[-3]
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.locator(".cell").wait_for()
        assert page.locator(".cell-runs a").all_inner_texts() == [f"study/arms/{run}" for run in runs]
        page.reload()  # the address names the cell
        page.locator(".cell-runs a").last.click()
        page.locator(".tabs").wait_for()
        assert page.evaluate("() => location.hash").endswith(f"{list(runs)[1].replace('+', '%2B')}")
        _closed(watched)


def test_a_matrix_follows_its_study_while_it_runs(browser: "Browser", tmp_path: Path) -> None:
    study = grid(grid={"method": ["react", "standard"]}, seeds=1)
    with create(study, prepare_arms(study, []), tmp_path / "study") as folder, Served(tmp_path) as url:
        watched = _opened(browser, url)
        cell = watched.page.locator(".matrix a[aria-label='react']")
        assert "not begun" in cell.inner_text()
        with folder.create_arm("react-seed-0") as run:
            elsewhere(lambda: samples.journal(run, {"beehive": samples.Went()}))
            cell.filter(has_text="unfinished").filter(has_text="100 %").wait_for()
            assert watched.page.locator(".badge.live").inner_text() == "running"
        assert watched.page.locator(".multiples .multiple").count() == 1
        with folder.create_arm("standard-seed-0") as run:
            elsewhere(lambda: samples.journal(run, {"beehive": samples.Went("unsolved", 0.0, calls=0)}))
            watched.page.locator(".matrix a[aria-label='standard']").filter(has_text="no step").wait_for()
            assert watched.page.locator(".multiple small").all_inner_texts() == ["100 %", "no step"]
        _closed(watched)


def test_further_axes_are_panels(browser: "Browser", tmp_path: Path) -> None:
    axes = {
        "method": ["react"],
        "model": ["sim-weak", "sim-strong"],
        "temperature": {name: {"model.temperature": value} for name, value in (("low", 0.0), ("high", 1.0))},
        "nucleus": {name: {"model.top_p": value} for name, value in (("most", 0.9), ("all", 1.0))},
    }
    elsewhere(lambda: write_grid(tmp_path / "study", grid(grid=axes, seeds=0), {}))
    with Served(tmp_path) as url:
        watched = _opened(browser, url)
        page = watched.page
        assert page.locator(".matrix figcaption").all_inner_texts() == ["nucleus: most", "nucleus: all"]
        assert page.locator(".matrix").first.locator("thead th").all_inner_texts() == [
            "model",
            "temperature: low",
            "temperature: high",
        ]
        assert page.locator(".matrix a").count() == 8
        _closed(watched)
