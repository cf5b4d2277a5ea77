"""Forks in a real Chromium: the command that makes one, and how they stand beside what they go on from."""

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest

from quintet.api import evaluate, fork
from quintet.cli import main
from quintet.view.folder import ViewedFolder
from quintet.view.one_file import write_page
from quintet.view.resources import answer
from tests.web.browser import Watched
from tests.web.recorded import FORKS, HOSTILE_TASK, STAIRS, STEPS, elsewhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.web

EPISODE = quote(STAIRS, safe="")
SHELLS = ("sh", "bash")


@pytest.fixture
def copying(tab: Watched) -> Watched:
    """A tab whose page may write to the clipboard."""
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return tab


def _open(tab: Watched, address: str) -> None:
    tab.go(address)
    tab.page.locator(".block.call").first.wait_for()


def _arguments(command: str, shell: str) -> list[str]:
    """What `quintet` is given by a shell."""
    script = f'quintet() {{ for each in "$@"; do printf "%s\\0" "$each"; done; }}\n{command}'
    said = subprocess.run([shell, "-c", script], capture_output=True, check=True, text=True)
    assert said.stderr == ""
    return said.stdout.split("\0")[:-1]


def _shown_command(tab: Watched) -> str:
    dialog = tab.page.locator("dialog.command[open]")
    dialog.wait_for()
    command = dialog.locator("pre").inner_text()
    dialog.locator("button").click()
    dialog.wait_for(state="detached")
    return command


def test_the_button_at_a_step_copies_a_command_and_what_it_asks_for_goes_on_there(
    copying: Watched, runs: Path, tmp_path: Path
) -> None:
    ended: list[int] = []
    page = copying.page
    _open(copying, f"/episode/react/{EPISODE}")
    page.locator("button[aria-label='fork at step:4']").first.click(force=True)
    command = _shown_command(copying)
    assert page.evaluate("() => navigator.clipboard.readText()") == command
    arguments = _arguments(command, "sh")
    assert arguments == ["fork", str(runs / "react"), STAIRS, "--at", "step:4"]
    out = ["--out", str(tmp_path / "fork")]
    elsewhere(lambda: ended.append(main([*arguments, *out])))
    assert ended == [0]
    blocks = json.loads(answer(ViewedFolder(tmp_path), "blocks", {"run": "fork", "episode": STAIRS}))["blocks"]
    steps = [(block["at"], block.get("origin", "")) for block in blocks if block["kind"] == "step_taken"]
    assert steps[:5] == [(f"step:{number}", "copied") for number in (1, 2, 3)] + [("step:4", "begins"), ("step:5", "")]


def test_f_forks_at_the_turn_where_a_person_is_and_keys_wait_while_the_command_is_shown(copying: Watched) -> None:
    page = copying.page
    _open(copying, f"/episode/react/{EPISODE}")
    for key in ("j", "j", "j", "j", "f"):
        page.keyboard.press(key)
    page.locator("dialog.command[open]").wait_for()
    page.keyboard.press("j")
    place = page.locator(".block.goal").get_attribute("data-block")
    label = page.locator(".block.goal > .fork-here").get_attribute("aria-label")
    command = _shown_command(copying)
    assert (place, label) == ("3", "fork at call:1")
    assert command.endswith(" --at call:1")


def test_requests_and_nodes_of_a_tree_have_a_command_too(copying: Watched, runs: Path) -> None:
    page = copying.page
    _open(copying, f"/episode/adapt/{EPISODE}")
    for label in ("fork at start", "fork at 3"):
        page.locator(f".block.request > button[aria-label='{label}']").click(force=True)
        assert _arguments(_shown_command(copying), "sh")[-1] == label.removeprefix("fork at ")
    copying.go("/episode/tree/beehive%2F0%2F0/tree")
    page.locator(".node[role=listitem]").first.wait_for()
    page.locator(".detail .fork-here").click()
    assert _arguments(_shown_command(copying), "sh")[-1] == "node:4"
    assert (runs / "tree").is_dir()


def test_forks_stand_beside_the_recorded_episode_with_the_first_difference_marked_at_its_step(tab: Watched) -> None:
    page = tab.page
    _open(tab, f"/episode/react/{EPISODE}")
    page.locator("[role=tab]:has-text('Forks')").click()
    rows = page.locator("table.forks tbody tr")
    rows.nth(2).wait_for()
    assert [row.split("\t")[1] for row in rows.all_inner_texts()] == ["step:3", "step:5", "step:5"]
    page.locator("a.button:has-text('side by side with 3 forks')").click()
    heads = page.locator(".heads .side")
    heads.nth(1).filter(has_text="The first difference: step 3").wait_for()
    assert "at step:5" in heads.nth(2).inner_text()
    differs = page.locator(".side .block.differs")
    shown = differs.evaluate_all(
        "all => all.map(each => [each.closest('.turn').dataset.step, each.querySelector('.text').textContent])"
    )
    assert ["3", "Nothing here."] in shown
    assert {step for step, _ in shown} == {"3"} | {step for step, _ in shown[2:]}
    columns = page.evaluate(
        """() => [...document.querySelectorAll('.turn[data-step="3"] > .side')].map(side =>
            [...side.querySelectorAll('.block')].map(({ classList: names }) =>
                [names.contains('copied'), names.contains('begins')]))"""
    )
    assert columns[0] == [[False, False]] * len(columns[0])
    assert columns[1][-1] == [False, True], "the step of the fork is live"
    assert all(copied for copied, _ in columns[1][:-1]), "and what was before it is copied"
    assert all(copied for copied, _ in columns[2]), "the other one goes on later"
    heads.nth(1).locator("a:text-is('alone')").click()
    page.locator(".origin a:has-text('to its live part')").click()
    page.locator(".block.goal.begins").wait_for()
    page.locator(f".origin a:has-text('react: {STAIRS}')").click()
    page.locator("[role=tab]:has-text('Forks')").wait_for()


def test_a_fork_that_is_not_chosen_is_not_beside_the_episode(tab: Watched) -> None:
    tab.go(f"/episode/react/{EPISODE}/forks")
    tab.page.locator("table.forks input").first.click()
    tab.page.locator("a.button:has-text('side by side with 2 forks')").click()
    tab.page.locator(".heads .side").nth(2).wait_for()
    assert tab.page.locator(".heads .side").count() == 3
    assert "observed" not in tab.page.locator(".heads").inner_text()


@pytest.mark.parametrize(
    ("address", "beside"),
    [
        ("/compare/react/drawn", [[STAIRS, STAIRS], [STAIRS, "polished granite stairs/1/0"]]),
        ("/compare/drawn/react", [[STAIRS, STAIRS], ["polished granite stairs/1/0", STAIRS]]),
        ("/compare/observed/drawn", [[STAIRS, STAIRS]]),
    ],
)
def test_continuations_are_paired_with_the_recorded_episode(
    address: str, beside: list[list[str]], tab: Watched
) -> None:
    tab.go(address)
    tab.page.locator("a.row.pairs").first.wait_for()
    links = tab.page.locator("a.row.pairs").evaluate_all("all => all.map(each => each.hash)")
    paths = [[unquote(part) for part in link.split("/")[-2:]] for link in links]
    assert [each for each in paths if "stairs" in each[0]] == beside


def test_four_episodes_of_two_hundred_steps_are_soon_side_by_side(tab: Watched) -> None:
    sides = "/".join(f"walk-{number}/beehive%2F0%2F0" for number in range(1, FORKS))
    tab.page.evaluate("() => performance.mark('asked')")
    tab.go(f"/compare/walk/walk-0/beehive%2F0%2F0/beehive%2F0%2F0/{sides}")
    tab.page.locator(".heads .side").nth(FORKS).filter(has_text="The first difference").wait_for()
    tab.page.locator(".block.differs").first.wait_for()
    took = tab.page.evaluate("() => performance.measure('drawn', 'asked').duration")
    print(f"four episodes of {STEPS} steps side by side: {took:.0f} ms")
    assert took < 3000  # a busy machine shows it late


@pytest.mark.parametrize("shell", SHELLS)
def test_a_hostile_name_is_one_argument_of_a_shell_and_text_in_the_page(
    shell: str, copying: Watched, runs: Path
) -> None:
    episode = f"{HOSTILE_TASK}/0/0"
    _open(copying, f"/episode/named/{quote(episode, safe='')}")
    copying.page.locator("button[aria-label='fork at step:1']").first.click(force=True)
    assert _arguments(_shown_command(copying), shell) == ["fork", "--at", "step:1", "--", str(runs / "named"), episode]
    copying.page.locator("[role=tab]:has-text('Forks')").click()
    assert HOSTILE_TASK in copying.page.locator("table.forks").inner_text()
    _is_harmless(copying)
    copying.page.locator("a.button:has-text('side by side')").click()
    copying.page.locator(".heads .side").nth(1).filter(has_text="with </script>").wait_for()
    _is_harmless(copying)
    copying.page.locator(".heads .side").nth(1).locator("a:text-is('alone')").click()
    copying.page.locator(".origin").wait_for()
    _is_harmless(copying)


def _is_harmless(tab: Watched) -> None:
    assert tab.page.evaluate("() => window.hacked") is None
    assert tab.page.locator("#app :is(img, script, style, iframe, b b)").count() == 0


def _write_file(folder: Path) -> Path:
    evaluate("react", "textcraft", model="sim-fallible", tasks=1, journal=folder / "react")
    fork(folder / "react", at="step:3", episode=STAIRS, observe="Nothing here.", journal=folder / "observed")
    file = folder / "runs.html"
    file.write_text(write_page(ViewedFolder(folder)).text, encoding="utf-8")
    return file


def test_a_page_that_is_one_file_has_forks_side_by_side(browser: "Browser", tmp_path: Path) -> None:
    elsewhere(lambda: _write_file(tmp_path))
    watched = Watched(browser)
    watched.page.goto((tmp_path / "runs.html").as_uri())
    watched.page.locator("table.runs").wait_for()
    watched.go(f"/episode/react/{EPISODE}/forks")
    watched.page.locator("a.button:has-text('side by side with 1 fork')").click()
    watched.page.locator(".heads").filter(has_text="The first difference: step 3").wait_for()
    watched.page.locator(".turn[data-step='3'] .block.begins.differs").hover()
    watched.page.locator(".turn[data-step='3'] .block.begins.differs > .fork-here").click()
    assert _arguments(_shown_command(watched), "sh") == ["fork", str(tmp_path / "observed"), STAIRS, "--at", "step:3"]
    assert watched.errors == []
    assert [each for each in watched.requests if not each.startswith(("file:", "data:"))] == []
    watched.page.close()
