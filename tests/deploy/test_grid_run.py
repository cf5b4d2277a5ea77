"""A whole grid: killed and resumed, under one budget and one limiter, and what a dry run says of it."""

import json
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.quota import quota
from quintet.quota.limiter import AdaptiveLimiter, RateLimits
from quintet.reports.load import load_report
from quintet.runs.study_folder import StudyFolder
from quintet.serving import latency
from quintet.serving.models import served_models
from quintet.studies.cells import study_matrix
from tests.command import command, printed
from tests.deploy.test_endpoint_run import kill_after, quintet
from tests.faulty.committed import committed
from tests.faulty.endpoint import serve_models

GRID = """
name = "craft"
seeds = 2
[common]
environment.name = "textcraft"
run.tasks = ["beehive", "stick"]
runtime.concurrency = 4
[grid]
method = ["react", "adapt"]
model = ["sim-weak", "sim-strong"]
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    Path("grid.toml").write_text(GRID)


def _states() -> dict[str, int]:
    """How many cells are in each state."""
    report = load_report([Path("study")])
    states = [cell.state for cell in study_matrix(report.studies[0], report.runs).cells]
    return {state: states.count(state) for state in dict.fromkeys(states)}


def _charged() -> int:
    """The tokens that all arms of the study were charged."""
    tokens = 0
    for arm in StudyFolder.open_to_read(Path("study")).arms().values():
        with closing(sqlite3.connect(arm.journal)) as journal:
            (of_arm,) = journal.execute("SELECT sum(prompt_tokens + completion_tokens) FROM _charges").fetchone()
            tokens += of_arm or 0
    return tokens


@pytest.mark.slow
@pytest.mark.real_time
async def test_a_killed_grid_resumes_and_asks_again_only_for_what_was_not_committed() -> None:
    async with serve_models(served_models("sim"), latency=latency.parse_latency("10ms")) as served:
        words = ("study", "grid.toml", "--model-url", served.url, "--out", "study", "--no-picture")
        assert await kill_after(40, served, *words) == -signal.SIGKILL
        arms = StudyFolder.open_to_read(Path("study")).arms()
        assert 1 < len(arms) < 8
        before = {request for run in arms.values() for request in committed(run.path)}
        code, said = await quintet("resume", "study")
        assert code == 0, said
        arms = StudyFolder.open_to_read(Path("study")).arms()
        after = [request for run in arms.values() for request in committed(run.path)]
        asked = served.counters.asked
        repeated = {request for request, times in asked.items() if times > after.count(request)}
        assert not repeated & before, "a completion that was in a journal was asked for again"
        assert served.counters.requests - len(after) <= 4 * 2, "more was lost than what was in flight"
    assert _states() == {"done": 4}


def test_all_cells_spend_one_budget_and_a_larger_one_takes_the_grid_to_its_end() -> None:
    budget = 60_000
    said = command("study", "grid.toml", "--out", "study", "--no-picture", "--budget-tokens", str(budget), code=3)
    assert f"expected room in the budget of the study, {budget:,} tokens; spent so far: " in said.err
    assert _states()["not begun"] > 0
    begun = len(StudyFolder.open_to_read(Path("study")).arms())
    assert begun > 1, "several cells spent it together"
    assert budget - 9_000 < _charged() <= budget
    assert command("resume", "study", code=3).err.count("budget of the study") == 1
    assert _charged() <= budget, "a resume does not begin to count anew"
    *_, unfinished = StudyFolder.open_to_read(Path("study")).arms().values()
    command("resume", unfinished.path, code=3)
    assert _charged() <= budget, "nor does a resume of one cell"
    command("resume", "study", "--budget-tokens", "9000000", code=0)
    assert _states() == {"done": 4}


def test_a_budget_of_one_arm_is_refused_since_all_share_it() -> None:
    Path("grid.toml").write_text(GRID + "[grid.cost]\nlow.limits.budget_tokens = 5\nhigh.limits.repeats = 1\n")
    said = command("study", "grid.toml", "--dry-run", code=2).err
    assert "limits.budget_tokens: expected in [common] or by a flag, since all arms share it" in said


def test_cells_with_the_same_model_have_one_limiter_and_a_budget_that_is_kept_is_not_talked_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[AdaptiveLimiter] = []

    def counted(limits: RateLimits, start: int) -> AdaptiveLimiter:
        made.append(AdaptiveLimiter(limits, start))
        return made[-1]

    monkeypatch.setattr(quota, "AdaptiveLimiter", counted)
    limits = ("--set", "limits.requests_per_minute=9000", "--budget-tokens", "9000000")
    said = command("study", "grid.toml", "--out", "study", "--no-picture", *limits, code=0)
    assert "charged" not in said.err
    assert len(made) == 2, "one for each model, in eight runs"


def test_a_dry_run_has_a_row_for_each_cell_with_its_calls_and_creates_nothing() -> None:
    said = printed("study", "grid.toml", "--dry-run", "--set", "limits.episode_calls=30", "--budget-tokens", "700000")
    assert re.findall(r"^(\S+) \(seeds 0, 1\) +4 +120 ", said, re.MULTILINE) == [
        "react+sim-weak",
        "react+sim-strong",
        "adapt+sim-weak",
        "adapt+sim-strong",
    ]
    (together,) = [line.split() for line in said.splitlines() if line.startswith("together")]
    assert (together[1:3], together[4]) == (["16", "480"], "700,000")
    assert said.count('environment.name = "textcraft"') == 1, "what all cells share is printed once"
    assert said.count('model.name = "sim-strong"') == 2
    assert list(Path().iterdir()) == [Path("grid.toml")]


WORLDS = """
name = "worlds"
common.run.tasks = 1
[grid]
method = ["react", "adapt"]
environment = ["textcraft", "hotpotqa"]
"""


def test_a_dry_run_says_which_cells_would_not_be_compared_and_what_it_advises_makes_them_so() -> None:
    Path("grid.toml").write_text(WORLDS)
    (said,) = re.findall("^not compared: .*", printed("study", "grid.toml", "--dry-run"), re.MULTILINE)
    assert said == (
        "not compared: environment.max_steps is 7 in react+hotpotqa, None in adapt+hotpotqa; "
        "environment.max_steps set by the level hotpotqa of [grid.environment] gives all the same"
    )
    axis = 'textcraft.environment.name = "textcraft"', 'hotpotqa.environment = { name = "hotpotqa", max_steps = 7 }'
    Path("grid.toml").write_text(WORLDS.replace(WORLDS.splitlines()[-1], "\n".join(["[grid.environment]", *axis])))
    assert "not compared" not in printed("study", "grid.toml", "--dry-run")


WIDE = """
name = "wide"
seeds = 2
common.run.tasks = 1
[grid]
method = ["react", "standard"]
model = ["sim-weak", "gpt-4o"]
[grid.environment]
craft.environment.name = "textcraft"
web.environment.name = "webarena"
house.environment = { name = "alfworld", data = "none" }
"""


def test_a_dry_run_names_what_is_missing_once_for_all_cells_that_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("grid.toml").write_text(WIDE)
    monkeypatch.setenv("CHROMIUM", "/nowhere")
    monkeypatch.delenv("OPENAI_API_KEY")
    said = command("study", "grid.toml", "--dry-run", code=2)
    lines = [line.partition("cannot run: ")[2] for line in said.err.splitlines() if "cannot run: " in line]
    assert [line.partition(": ")[0] for line in lines] == [
        "react+sim-weak+house, react+gpt-4o+house, standard+sim-weak+house, standard+gpt-4o+house",
        "react+gpt-4o+craft, react+gpt-4o+web, standard+gpt-4o+craft, standard+gpt-4o+web",
        "react+sim-weak+web, standard+sim-weak+web",
    ]
    needs = ("games", "OPENAI_API_KEY", "chromium")
    assert all(what in line for what, line in zip(needs, lines, strict=True))
    assert "react+sim-weak+craft (seeds 0, 1)" in said.out
    plan = json.loads(command("study", "grid.toml", "--dry-run", "--json", code=2).out)
    assert plan["react+sim-weak+craft-seed-1"]["configuration"]["run"]["seed"] == 1
