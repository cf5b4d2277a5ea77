"""Stored episodes that are scored anew: by a scorer and a judge whose figures are known by hand, killed, refused."""

import gc
import json
import shutil
import signal
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from quintet.api import rescore, resume
from quintet.errors import ActorCrashed, UsageError
from quintet.events import StepTaken
from quintet.messages.prompts import Prompt
from quintet.models.completion import complete_with
from quintet.models.scripted import Scripted
from quintet.ports.model import Completion, Sampling
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from quintet.serving import latency
from tests.command import printed, refused
from tests.deploy import samples
from tests.deploy.journal.records import changed
from tests.deploy.samples import Went
from tests.deploy.test_endpoint_run import kill_after, quintet
from tests.deploy.trust.strangers import nothing_is_approved
from tests.faulty.committed import committed
from tests.faulty.endpoint import serve_models

WENT = {
    "beehive": Went(calls=2),
    "barrel": Went(state="unsolved", reward=0.0, calls=4),
    "ladder": Went(state="unsolved", reward=0.5),
    "torch": Went(),
    "bowl": Went(state="faulted", reward=0.0),
}
SCORES = {"beehive": 1.0, "barrel": 1.0, "ladder": 0.25, "torch": 0.0}
"""By the scorer below."""
SCORER = f"""
def by_table(episode):
    return {SCORES}[episode.task]
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return samples.write(tmp_path / "run", samples.record("react", WENT), WENT)


def scorer(folder: Path, code: str, name: str = "by_table") -> str:
    """The scorer of a file, as a person names it."""
    file = folder / "my_scorer.py"
    file.write_text(dedent(code))
    return f"{file}:{name}"


def rewards(folder: Path) -> dict[str, float]:
    """By task, its score."""
    return {task.task.name: task.rewards[0] for task in results(RunFolder.open_to_read(folder)).tasks if task.rewards}


def rescored(folder: Path) -> Any:
    """What the report says of both scores, for programs."""
    (found,) = json.loads(printed("report", folder, "--json"))["runs"]
    return found["rescored"]


def test_both_scores_of_a_scorer_stand_side_by_side_with_who_gave_them(run: Path, tmp_path: Path) -> None:
    before = (run / "journal.sqlite").read_bytes()
    named = scorer(tmp_path, SCORER)
    out = printed("rescore", run, "--scorer", named, "--out", tmp_path / "scores")
    assert rewards(tmp_path / "scores") == SCORES
    found = rescored(tmp_path / "scores")
    assert found["of"] == str(run)
    assert (found["before"]["by"], found["episodes"]) == ("world textcraft", 4)
    assert found["now"]["by"].startswith(f"scorer {named} (SHA-256 ")
    assert (found["before"]["score"]["value"], found["now"]["score"]["value"]) == (2.5 / 4, 2.25 / 4)
    assert (found["before"]["success"]["value"], found["now"]["success"]["value"]) == (0.5, 0.5)
    # Two of four verdicts agree, and by chance half of them would.
    assert found["agreement"] == {"share": 0.5, "kappa": 0.0, "only_before": 1, "only_now": 1}
    assert found["differ"] == [
        {"episode": "barrel/0/0", "before": 0.0, "now": 1.0},
        {"episode": "torch/0/0", "before": 1.0, "now": 0.0},
        {"episode": "ladder/0/0", "before": 0.5, "now": 0.25},
    ]
    assert f"scorer {named}" in out
    assert "4 stored episodes" in out
    compared = printed("compare", run, tmp_path / "scores")
    assert "Agreement on which episodes succeeded" in compared
    assert compared == printed("compare", tmp_path / "scores", run) == printed("report", tmp_path / "scores")
    assert (run / "journal.sqlite").read_bytes() == before


def test_a_scorer_is_given_what_was_played(run: Path, tmp_path: Path) -> None:
    code = f"""
    from pathlib import Path

    from quintet.rescoring.stored import StoredEpisode

    def by_table(episode: StoredEpisode) -> float:
        Path({str(tmp_path)!r}, episode.task).write_text(repr(
            (episode.path, episode.epoch, episode.goal, episode.opening, episode.reward, episode.answer,
             [turn.observation for turn in episode.turns], [turn.rejected for turn in episode.turns],
             list(episode.metadata))
        ))
        return episode.reward
    """
    ends = rescore(run, tmp_path / "scores", scorer=scorer(tmp_path, code), where="task = 'barrel'")
    assert [(end.path, end.reward) for end in ends] == [("barrel/0/0", 0.0)]
    saw = [samples.OBSERVATION] * 4
    goal, opening = "craft beehive", "Goal: craft beehive."
    told = ("barrel/0/0", 0, goal, opening, 0.0, "get 1 log", saw, [False, True, True, True], ["recipe depth"])
    assert (tmp_path / "barrel").read_text() == repr(told)


@pytest.mark.parametrize(
    ("code", "got"),
    [
        ("return 2", "got 2"),
        ("return 'good'", "got 'good'"),
        ("return float('nan')", "got nan"),
        ("exit('enough')", "got RuntimeError: SystemExit: enough"),
        ("raise KeyError('gold')", r"got KeyError: 'gold' \(.*my_scorer.py, line 2, in by_table\)"),
    ],
)
def test_an_error_of_a_scorer_says_on_which_episode(run: Path, tmp_path: Path, code: str, got: str) -> None:
    named = scorer(tmp_path, f"def by_table(episode):\n    {code}\n")
    with pytest.raises(
        ActorCrashed, match=rf"my_scorer.py:by_table on barrel/0/0: expected a number in \[0, 1\], {got}"
    ):
        rescore(run, tmp_path / "scores", scorer=named, where="task = 'barrel'")
    scorer(tmp_path, SCORER)
    with pytest.raises(UsageError, match=r"expected SHA-256 .* under which the run was begun, got .*my_scorer.py"):
        resume(tmp_path / "scores", faulted=True)


def test_a_scorer_that_never_returns_ends_with_the_time_of_its_episode(run: Path, tmp_path: Path) -> None:
    code = """
    import threading

    def by_table(episode):
        return threading.Event().wait()
    """
    settings, named = {"limits": {"episode_seconds": 1}}, scorer(tmp_path, code)
    (end,) = rescore(run, tmp_path / "scores", scorer=named, where="task = 'barrel'", settings=settings)
    assert (end.path, end.reason) == ("barrel/0/0", "time limit")


def test_the_threads_of_a_scorer_end_with_its_run(run: Path, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    rescore(run, tmp_path / "scores", scorer=scorer(tmp_path, SCORER))
    gc.collect()
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=60)
        assert not thread.is_alive()


def test_another_run_in_the_place_of_the_stored_one_is_refused(run: Path, tmp_path: Path) -> None:
    code = "def by_table(episode):\n    raise KeyError(episode.task)\n"
    with pytest.raises(ActorCrashed):
        rescore(run, tmp_path / "scores", scorer=scorer(tmp_path, code))
    shutil.rmtree(run)
    samples.write(run, samples.record("react", WENT).model_copy(update={"created": datetime.now(UTC)}), WENT)
    said = refused("resume", tmp_path / "scores", "--faulted")
    assert "run: expected the one that was made at" in said
    assert str(run) in said


def test_a_judge_of_all_episodes_takes_no_step_of_their_world(run: Path, tmp_path: Path) -> None:
    printed("rescore", run, "--judge", "sim-strong", "--out", tmp_path / "scores")
    # The stand-in knows what was earned; half the reward is no success.
    assert rewards(tmp_path / "scores") == {"beehive": 1.0, "barrel": 0.0, "ladder": 0.0, "torch": 1.0}
    found = rescored(tmp_path / "scores")
    assert found["now"]["by"] == "judge sim-strong (simulated)"
    assert found["agreement"] == {"share": 1.0, "kappa": 1.0, "only_before": 0, "only_now": 0}
    reader = RunFolder.open_to_read(tmp_path / "scores").read_journal()
    assert reader is not None
    steps = [each.event for each in reader.records() if isinstance(each.event, StepTaken)]
    assert sorted(step.action for step in steps) == ["0.0", "0.0", "1.0", "1.0"]
    reader.close()


def test_a_judge_sees_what_was_done_and_no_reward(run: Path, tmp_path: Path) -> None:
    shown: list[str] = []

    class Judge(Scripted):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            shown.extend(message.content for message in prompt.messages())
            return await super().complete(prompt, sampling)

    ends = rescore(run, tmp_path / "scores", judge=Judge(["It is there. YES"]), where="task = 'ladder'")
    assert [end.reward for end in ends] == [1.0]
    prompt = "\n".join(shown)
    assert "Goal: craft beehive." in prompt
    assert "get 1 log" in prompt
    assert "0.5" not in prompt


def test_an_episode_without_a_verdict_has_no_score(run: Path, tmp_path: Path) -> None:
    ends = rescore(run, tmp_path / "scores", judge=Scripted(["Who knows?"], cycle=True), where="task = 'barrel'")
    assert [end.state for end in ends] == ["faulted"]
    found = rescored(tmp_path / "scores")
    assert (found["episodes"], found["agreement"], found["now"]["score"]) == (0, None, None)
    assert ends[0].fault is not None
    assert "judge of barrel/0/0: expected a verdict, got none: the model" in ends[0].fault.text
    assert "1 faulted episode, not counted; quintet resume" in printed("report", tmp_path / "scores")


def test_a_stored_episode_that_is_damaged_faults_alone(run: Path, tmp_path: Path) -> None:
    changed(run / "journal.sqlite", "UPDATE _sessions SET session = 1.5, observation = -1 WHERE id >> 24 = 1")
    ends = rescore(run, tmp_path / "scores", scorer=scorer(tmp_path, SCORER))
    (faulted,) = (end for end in ends if end.state == "faulted")
    assert faulted.path == "beehive/0/0"
    assert "beehive/0/0: expected the whole stored episode, got journal: expected a row" in str(faulted.fault)
    assert len(ends) == 4


def test_the_newest_attempt_in_each_epoch_is_scored_under_a_name_of_its_own(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record("react", ["beehive", "barrel"], run={"epochs": 2}), {})
    folder = RunFolder.open_to_read(run)
    samples.journal(folder, {"beehive": Went(), "barrel": Went(state="unsolved", reward=0.0)})
    samples.journal(folder, {"beehive": Went(state="unsolved", reward=0.0)}, attempt=1)
    samples.journal(folder, {"beehive": Went(), "barrel": Went()}, epoch=1)
    code = "def by_table(episode):\n    return 1.0 if episode.path in ('beehive/0/1', 'beehive/1/0') else 0.0\n"
    ends = rescore(run, tmp_path / "scores", scorer=scorer(tmp_path, code))
    assert {end.path: end.reward for end in ends} == {
        "beehive/0/0": 1.0,
        "barrel/0/0": 0.0,
        "beehive@1/0/0": 1.0,
        "barrel@1/0/0": 0.0,
    }
    found = rescored(tmp_path / "scores")
    assert [pair["episode"] for pair in found["differ"]] == ["beehive/0/1", "barrel/1/0"]
    assert (found["before"]["score"]["value"], found["now"]["score"]["value"]) == (0.5, 0.5)
    assert "2         4" in printed("report", tmp_path / "scores"), "two tasks, four episodes"
    printed("rescore", run, "--judge", "sim-strong", "--out", tmp_path / "judged")
    assert rewards(tmp_path / "judged") == {"beehive": 0.0, "barrel": 0.0, "beehive@1": 1.0, "barrel@1": 1.0}


def test_two_judges_of_a_run_are_compared_with_each_other(run: Path, tmp_path: Path) -> None:
    for name in ("strong", "weak"):
        printed("rescore", run, "--judge", f"sim-{name}", "--out", tmp_path / name)
    assert "Success less that of strong" in printed("compare", tmp_path / "strong", tmp_path / "weak")


def test_settings_of_what_is_played_do_not_hold(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_RUN_EPOCHS", "3")
    monkeypatch.setenv("QUINTET_MODEL_NAME", "nobodys-model")
    words = ("rescore", run, "--judge", "sim-strong", "--budget-tokens", 10**6, "--out", tmp_path / "scores")
    printed(*words)
    config = RunFolder.open_to_read(tmp_path / "scores").record.configuration
    assert (config.run.epochs, config.limits.budget_tokens) == (1, 10**6)


def test_a_dry_run_makes_nothing(run: Path, tmp_path: Path) -> None:
    out = printed("rescore", run, "--judge", "sim-weak", "--where", "solved", "--out", tmp_path / "s", "--dry-run")
    assert "beehive" in out
    assert "barrel" not in out
    assert not (tmp_path / "s").exists()


def test_what_is_wrong_is_refused_and_leaves_no_folder(run: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "scores")
    one_of = "expected one of --judge MODEL and --scorer FILE.py:F, got"
    named = scorer(tmp_path, SCORER)
    assert f"{one_of} neither" in refused("rescore", run, *out)
    assert f"{one_of} both" in refused("rescore", run, "--judge", "sim-weak", "--scorer", named, *out)
    assert "--scorer: expected FILE.py:F, got 'by_table'" in refused("rescore", run, "--scorer", "by_table", *out)
    assert "expected 'by_table'" in refused("rescore", run, "--scorer", f"{named[:-1]}", *out)
    assert "an SQL condition over" in refused("rescore", run, "--judge", "sim-weak", "--where", "rewrd", *out)
    assert "expected a readable run.json" in refused("rescore", tmp_path / "none", "--judge", "sim-weak", *out)
    assert not (tmp_path / "scores").exists()
    printed("rescore", run, "--judge", "sim-weak", *out)
    again = refused("rescore", tmp_path / "scores", "--judge", "sim-weak", "--out", tmp_path / "again")
    assert f"expected a run that played its episodes, got scores of {run}" in again
    compare = ("compare", run, tmp_path / "scores", "--reference", "run")
    assert "--reference: expected runs that played to compare, got scores" in refused(*compare)


def test_a_scorer_of_somebody_else_is_named_and_not_imported(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = scorer(tmp_path, f"from pathlib import Path\nPath({str(tmp_path)!r}, 'imported').touch()\n{SCORER}")
    printed("rescore", run, "--scorer", named, "--out", tmp_path / "scores")
    (tmp_path / "imported").unlink()
    del sys.modules["my_scorer"]
    nothing_is_approved(tmp_path / "state", monkeypatch)
    assert named in refused("resume", tmp_path / "scores")
    printed("report", tmp_path / "scores")
    assert not (tmp_path / "imported").exists()


class ByLength:
    """A judge whose verdict depends on the prompt alone."""

    name = "judge"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        length = sum(len(message.content) for message in prompt.messages())
        return complete_with("YES" if length % 2 else "NO", prompt, sampling)


@pytest.mark.real_time
async def test_a_killed_rescoring_resumes_to_the_same_scores_and_repeats_no_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    played = ("eval", "react", "textcraft", "--tasks", "24", "--set", "method.max_steps=2")
    assert (await quintet(*played, "--out", str(tmp_path / "run")))[0] == 0
    async with serve_models({"judge": ByLength()}, latency=latency.parse_latency("20ms")) as served:
        words = ("rescore", str(tmp_path / "run"), "--judge", "judge", "--model-url", served.url, "--concurrency", "2")
        assert (await quintet(*words, "--out", str(tmp_path / "whole")))[0] == 0
        asked, done = dict(served.counters.asked), served.counters.completions
        assert await kill_after(done + 8, served, *words, "--out", str(tmp_path / "scores")) == -signal.SIGKILL
        before = committed(tmp_path / "scores")
        assert 0 < len(before) < len(committed(tmp_path / "whole"))
        code, said = await quintet("resume", str(tmp_path / "scores"))
        assert code == 0, said
        again = {request: times - asked.get(request, 0) for request, times in served.counters.asked.items()}
        after = committed(tmp_path / "scores")
        repeated = {request for request, times in again.items() if times > after.count(request)}
        assert not repeated & set(before), "a verdict that was in the journal was asked for again"
    assert rewards(tmp_path / "scores") == rewards(tmp_path / "whole")
    assert len(rewards(tmp_path / "scores")) == 24
