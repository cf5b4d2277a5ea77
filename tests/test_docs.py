"""The README and the pages show what the commands print, what they show runs, and the site can be built."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import command, printed, refused
from tests.distributions import build, install, use_site

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "stories").glob("*.md"))]
SHOWN = "\n".join(page.read_text() for page in PAGES)


def without_times(text: str) -> str:
    """The tables without the one column that measures time, and without the widths that depend on it."""
    return re.sub(r"[ \t]+", " ", re.sub(r"(?<= )\d+\.\d\d(?= )", "T", text))


@pytest.mark.figures
@pytest.mark.slow
def test_the_demos_table_is_what_the_installed_command_prints(tmp_path: Path) -> None:
    study = [str(Path(sys.executable).with_name("quintet")), "study", "demo", "--out", str(tmp_path / "demo")]
    table = subprocess.run(study, capture_output=True, text=True, check=True).stdout
    assert "simulated" in table
    assert without_times(table).strip() in without_times(SHOWN)


@pytest.mark.figures
@pytest.mark.slow
@pytest.mark.parametrize(("name", "tables"), [("depths", slice(1, 3)), ("grid", slice(4))])
def test_an_example_of_a_study_prints_what_is_shown(name: str, tables: slice, tmp_path: Path) -> None:
    said = printed("study", str(ROOT / "examples" / f"{name}.toml"), "--no-picture", "--out", str(tmp_path / "study"))
    assert "\n\n".join(said.split("\n\n")[tables]).strip() in SHOWN


@pytest.mark.figures
def test_a_papers_table_is_reproduced_as_printed(tmp_path: Path) -> None:
    table = ["adapt-table7", "--model", "sim-fallible", "--limit", "5", "--yes", "--no-picture"]
    said = command("reproduce", *table, "--out", str(tmp_path / "table"))
    assert without_times(said.out).strip() in without_times(SHOWN)
    assert said.err[: said.err.index("arm 1 of 2")].strip() in SHOWN


@pytest.mark.figures
@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        line
        for line in SHOWN.splitlines()
        if re.search(r"quintet compare (?!.*( WORLD | --memory )).*sim-fallible", line)
    ],
)
def test_comparisons_print_what_is_shown(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)[1:]
    words = words[: words.index("--out")] if "--out" in words else words
    found = printed(*words, "--no-picture", "--out", str(tmp_path / "study"))
    assert "\n\n".join(found.split("\n\n")[:3]).strip() in SHOWN


@pytest.mark.figures
def test_a_stream_beside_one_that_learns_nothing_prints_what_is_shown(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "streams.md").read_text()
    for name in ("learns", "none"):
        (line,) = re.findall(rf"quintet (stream .*) --out runs/{name}$", page, re.MULTILINE)
        printed(*shlex.split(line), "--out", str(tmp_path / name))
    said = printed("compare", str(tmp_path / "none"), str(tmp_path / "learns"))
    for table in re.search(r"```\n(.*?)```", page, re.DOTALL)[1].split("...\n"):  # type: ignore[index]
        assert table in f"{said}\n"


@pytest.mark.figures
@pytest.mark.slow
def test_memories_side_by_side_print_what_is_shown(tmp_path: Path) -> None:
    _, text = SHOWN.split("\n## Memories side by side\n")
    lines = [line for line in text.splitlines() if line.startswith("    .venv/bin/quintet ")][:4]
    *learned, said = (
        printed(*shlex.split(line.replace("runs/", f"{tmp_path}/"))[1:], *_further(line, tmp_path)) for line in lines
    )
    assert len(learned) == 3
    tests, floor, _, costs, shown = said.split("\n\n")[2:7]
    assert f"{costs}\n\n{shown}" in SHOWN
    assert floor in SHOWN
    assert "\n".join(tests.splitlines()[1:4]) in SHOWN


@pytest.mark.figures
def test_scores_given_anew_print_what_is_shown(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "evaluate.md").read_text()
    lines = re.findall(r"^    \.venv/bin/quintet (.* --out runs/(?:played|judged))$", page, re.MULTILINE)
    _, said = (printed(*shlex.split(line.replace("runs/", f"{tmp_path}/"))) for line in lines)
    assert "\n\n".join(said.split("\n\n")[1:3]) in page


@pytest.mark.figures
@pytest.mark.slow
def test_mechanisms_print_what_is_shown(tmp_path: Path) -> None:
    (line,) = re.findall(r"^    \.venv/bin/quintet (compare react devils_advocate adapt .*)", SHOWN, re.MULTILINE)
    said = printed(*shlex.split(line), "--no-picture", "--out", tmp_path / "study")
    (table,) = (part for part in said.split("\n\n") if part.startswith("Mechanisms"))
    assert table.partition("\n")[2] in SHOWN


@pytest.mark.figures
@pytest.mark.slow
def test_six_learners_beside_no_memory_and_controls_print_what_is_shown(tmp_path: Path) -> None:
    said = printed("study", "memories", "--no-picture", "--out", tmp_path / "study")
    assert "\n\n".join(said.split("\n\n")[1:5]) in (ROOT / "docs" / "memory.md").read_text()


@pytest.mark.figures
@pytest.mark.slow
@pytest.mark.parametrize("study", ["transfer", "transfer-worlds"])
def test_the_shown_matrix_is_what_the_study_of_transfer_prints(study: str, tmp_path: Path) -> None:
    said = printed("study", study, "--no-picture", "--out", tmp_path / "study")
    matrix = said.split("\n\n")[1].split("\n", 1)[1]
    assert matrix.strip() in SHOWN


def _further(line: str, tmp_path: Path) -> tuple[object, ...]:
    return ("--no-picture", "--out", tmp_path / "study") if " compare " in line else ()


@pytest.mark.figures
@pytest.mark.slow
def test_an_optimisation_of_prompts_prints_what_is_shown(tmp_path: Path) -> None:
    (line,) = (line for line in SHOWN.splitlines() if "quintet prompts optimize" in line and line.startswith("    "))
    words = shlex.split(line)[1:]
    assert printed(*words[: words.index("--out")], "--out", str(tmp_path / "run")).strip() in SHOWN


def all_methods() -> Iterator[tuple[str, str, str, str]]:
    """The cells of the table of all methods: method, environment, draw, and what is printed."""
    _, text = (ROOT / "docs" / "compare.md").read_text().split("\n## All methods\n")
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:1] == "|")
    for method, *cells in rows:
        for column, cell in zip(head[1:], cells, strict=True):
            world, _, draw = column.rpartition(", ")
            yield method.strip("`"), world.partition(",")[0].lower(), draw.strip("`"), cell


CHEAP = [("try_again", "textcraft"), *((method, "webshop") for method in ("react", "adapt", "try_again"))]


@pytest.mark.figures
@pytest.mark.parametrize(
    ("method", "world", "draw", "cell"),
    [pytest.param(*each, marks=[] if each[:2] in CHEAP else [pytest.mark.slow]) for each in all_methods()],
)
def test_every_method_succeeds_as_often_and_asks_as_often_as_the_table_of_all_methods_says(
    method: str, world: str, draw: str, cell: str, tmp_path: Path
) -> None:
    drawn = ["--model", "sim-fallible", "--set", f"model.draw={draw}", "--tasks", "20"]
    (run,) = json.loads(printed("eval", method, world, *drawn, "--out", str(tmp_path / "run"), "--json"))["runs"]
    calls = sum(episode["calls"] for episode in run["episodes"]) / run["ended"]
    assert f"{100 * run['succeeded'] / run['ended']:.3g} ({calls:.1f})" == cell.replace(".0 (", " (")


@pytest.mark.figures
def test_success_by_trial_is_what_is_shown(tmp_path: Path) -> None:
    drawn = ["--model", "sim-fallible", "--tasks", "20"]
    said = printed("eval", "reflexion", "textcraft", *drawn, "--out", str(tmp_path / "run"))
    for table in ("Success by trial", "Trials of an episode"):
        assert said[said.index(table) :].split("\n\n")[0] in SHOWN


def test_the_cost_of_a_papers_table_is_printed_as_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (line,) = (
        line for line in SHOWN.splitlines() if line.strip().startswith(".venv/bin/quintet reproduce adapt-table4")
    )
    said = refused(*line.split()[1:])  # nobody is asked without a terminal
    assert said[: said.index("quintet: reproduce: expected --yes")].strip() in SHOWN


def test_generated_games_are_counted_as_shown(tmp_path: Path) -> None:
    said = printed("data", "generate", "alfworld", "--games", "60", "--seed", "3", "--out", str(tmp_path / "games"))
    assert said.replace(str(tmp_path / "games"), "games").strip() in SHOWN


def test_a_made_up_shop_is_checked_as_shown(tmp_path: Path) -> None:
    shop = str(tmp_path / "lamps")
    printed("data", "generate", "webshop", "--products", "60", "--goals", "40", "--seed", "3", "--out", shop)
    assert printed("data", "check", "webshop", shop).strip() in SHOWN


def test_the_shown_episode_is_what_show_prints(tmp_path: Path) -> None:
    printed("eval", "adapt", "textcraft", "--tasks", "end crystal", "--out", str(tmp_path / "run"))
    shown = printed("show", str(tmp_path / "run"), "end crystal")
    end = "\n".join(line.rstrip() for line in shown[shown.index("  decompose: ") :].splitlines())
    assert end.strip() in SHOWN


def test_the_shown_tree_is_what_show_prints(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    said = printed("eval", "lats", "textcraft", "--model", "sim-fallible", "--tasks", "campfire", "--out", run)
    assert said[said.index("By phase") :].split("\n\n")[0] in SHOWN
    assert printed("show", run, "campfire", "--tree").strip() in SHOWN


def test_the_shown_memory_is_what_is_imported_and_found(tmp_path: Path) -> None:
    file = str(tmp_path / "kitchens.sqlite")
    printed("memory", "import", str(ROOT / "examples" / "kitchens.jsonl"), "--out", file)
    assert printed("memory", "show", file).strip() in SHOWN
    assert printed("memory", "search", file, "egg", "microwave", "--most", "1").strip() in SHOWN


@pytest.mark.figures
@pytest.mark.slow
def test_the_shown_search_for_steps_is_what_blame_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "blame.md").read_text()
    played, searched = (line for line in page.splitlines() if line.endswith(("--out runs/weak", "--out runs/why")))
    printed(*shlex.split(played)[1:])
    assert printed(*shlex.split(searched)[1:]).strip() in page


def test_the_examples_are_the_ones_in_the_folder() -> None:
    for file in (ROOT / "examples").glob("*.py"):
        assert file.read_text().split('"""\n', 1)[1].strip() in SHOWN


@pytest.mark.slow
def test_the_code_of_the_page_about_python_runs_and_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    monkeypatch.chdir(tmp_path)
    _, _, refs, stream, frames = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(refs, {})
    assert capsys.readouterr().out in page
    exec(stream, {})
    assert capsys.readouterr().out in page
    exec(frames, {})
    assert "hopper minecart" in capsys.readouterr().out


def test_every_command_line_is_one_the_command_knows() -> None:
    commands = set(re.findall(r"bin/quintet ([\w-]+)", SHOWN))
    known = printed("--help")
    assert commands == {
        *("eval", "report", "show", "resume", "list", "study", "compare", "reproduce", "optimize", "stream"),
        *(
            "ctl",
            "serve-sim",
            "serve-world",
            "check",
            "export",
            "import",
            "data",
            "read",
            "memory",
            "prompts",
            "view",
            "ls",
            "new",
            "record",
            "doctor",
            "blame",
            "fork",
            "rescore",
        ),
    }
    assert all(command in known for command in commands)


@pytest.mark.slow
def test_the_site_is_built_with_every_link_and_asks_no_other_server_for_anything(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    pages = list((tmp_path / "site").rglob("*.html"))
    loaded = re.compile(r"""<(?:script|img|link)[^>]*(?:src|href)=["']?(?:https?:)?//""")
    assert [page for page in pages if loaded.search(page.read_text())] == []
    assert "open_run" in (tmp_path / "site" / "reference" / "api.html").read_text()
    assert "limits.step_seconds = 60.0" in (tmp_path / "site" / "settings.html").read_text()
    index = json.loads((tmp_path / "site" / "search" / "search_index.json").read_text())["docs"]
    for words in ("timeout", "rate limit", "mcp"):
        ((_, place), *_) = sorted(
            (-page.get("boost", 1) * (1000 * (words in page["title"].lower()) + (words in page["text"].lower())), place)
            for page in index
            if not (place := page["location"]).startswith("CHANGELOG")
        )
        assert not place.startswith(("decisions/", "reference/")), f"{words} leads to {place}"


@pytest.mark.parametrize("shown", ["eval", pytest.param("check", marks=pytest.mark.slow)])
def test_the_method_in_twenty_five_lines_is_found_runs_and_keeps_its_contract(
    shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapter = (ROOT / "docs" / "plugins.md").read_text().split("## A method in twenty-five lines")[1].split("\n## ")[0]
    blocks = dict(re.findall(r"```(python|toml)\n(.*?)```", chapter, re.DOTALL))
    assert len([line for line in blocks["python"].splitlines() if line.strip()]) <= 25
    source, site = tmp_path / "source", tmp_path / "site"
    (source / "my_package").mkdir(parents=True)
    (source / "my_package" / "__init__.py").touch()
    (source / "my_package" / "second_try.py").write_text(blocks["python"])
    (source / "pyproject.toml").write_text(blocks["toml"])
    build(site, source)
    use_site(site, monkeypatch, "my_package")
    lines = [line.strip().split(" #")[0].split() for line in chapter.splitlines() if line.startswith("    quintet ")]
    assert [line[1] for line in lines] == ["eval", "check"]
    (words,) = (line[1:] for line in lines if line[1] == shown)
    few = ["--tasks", "2", "--out", str(tmp_path / "run")] if shown == "eval" else []
    printed(*words, *few)


@pytest.mark.slow
def test_the_search_of_ones_own_on_its_page_runs_and_keeps_its_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "search.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    solve = code[code.index("    async def solve") :]
    assert len([line for line in code.splitlines() if line.startswith("        ")]) <= 20
    assert "oracle=False" in solve
    (tmp_path / "own_search.py").write_text(code)
    install(tmp_path, monkeypatch, {"methods": {"explore": "own_search:Explore"}})
    run = str(tmp_path / "run")
    said = printed("eval", "explore", "textcraft", "--model", "sim-strong", "--tasks", "torch", "--out", run)
    for table in ("Success in percent", "By phase"):
        assert said[said.index(table) :].split("\n\n")[0] in page
    assert printed("show", run, "torch", "--tree").strip() in page
    few = ["--model", "sim-strong", "--tasks", "3", "--out", str(tmp_path / "few")]
    assert "explore 3 100 (44, 100)" in without_times(printed("eval", "explore", "textcraft", *few))
    assert "explore: Expands the open state" in printed("list", "methods")
    printed("check", "method", "explore")


@pytest.mark.slow
def test_the_method_that_nests_on_the_page_of_plug_ins_runs_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "plugins.md").read_text().split("## A method, step by step")[1]
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "second_try.py").write_text(code)
    install(tmp_path, monkeypatch, {"methods": {"second-try": "second_try:SecondTry"}})
    lines = [shlex.split(line, comments=True) for line in page.splitlines() if "second-try" in line and "eval" in line]
    for number, (_, *words) in enumerate(lines):
        said = printed(*words, "--tasks", "2", "--out", str(tmp_path / str(number)))
        assert re.search(rf"^{re.escape(words[1].partition(':')[0])} +2 ", said, re.MULTILINE)
    assert len(lines) == 3
    assert printed("check", "method", "adapt(second-try)").splitlines()[-1].endswith("0 broken, 0 skipped")
