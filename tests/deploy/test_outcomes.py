"""Whole runs against an endpoint that is away for a while, refuses, or gives no usable answer."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import EndpointUnavailable
from quintet.events import CallMade, Ending
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.reports.episodes import RunResults, results
from quintet.runs.run_folder import RunFolder
from quintet.runtime import retries
from quintet.runtime.counters import RunCounters
from quintet.runtime.first_answers import FIRST_ANSWERS
from quintet.serving.models import served_models
from tests.faulty import faults
from tests.faulty.endpoint import ServedEndpoint, serve_models

GOALS = "beehive,lantern,lectern,stick,cake,campfire,chest,ladder,bowl,barrel,torch,bread"
EVALUATION = ("method.name=react", "method.max_steps=20", "environment.name=textcraft", f"run.tasks={GOALS}")
LEARNING = (
    *("method.name=autoplan", "environment.name=textcraft", "run.learn=true", "run.tasks=4"),
    *("learning.tasks=8", "learning.batch=4", "learning.eval_every=0"),
)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests count requests, not time."""
    monkeypatch.setattr(retries, "_SHORTEST", 0.0001)
    monkeypatch.setattr(retries, "_LONGEST", 0.001)


@dataclass
class Scene:
    """A run folder, and the messages about it."""

    path: Path
    settings: Sequence[str]
    messages: list[str] = field(default_factory=list[str])
    served: ServedEndpoint | None = None

    def play(self, ordered: str = "", *, retry_faulted: bool = False) -> None:
        """Begin the run, or resume it, against an endpoint with given faults."""

        async def scene() -> None:
            async with (
                serve_models(served_models("sim"), faults=faults.parse_faults(ordered)) as self.served,
                self._folder() as folder,
            ):
                await run_left(folder, RunCounters(), self.messages.append, retry_faulted=retry_faulted)

        asyncio.run(scene())

    @asynccontextmanager
    async def _folder(self) -> AsyncGenerator[WritableRun, None]:
        assert self.served is not None
        here = [f"model.url={self.served.url}"]
        if self.path.exists():
            with WritableRun.open(self.path, from_assignments(here)) as folder:
                yield folder
        else:
            prepared = prepare([from_assignments([*self.settings, *here])])
            with WritableRun.create(self.path, prepared) as folder:
                yield folder

    @property
    def results(self) -> RunResults:
        return results(RunFolder.open_to_read(self.path))

    @property
    def completions(self) -> list[str]:
        with closing(JournalReader.open(RunFolder.open_to_read(self.path).journal)) as reader:
            return [record.event.completion.text for record in reader.records() if isinstance(record.event, CallMade)]

    @property
    def plans(self) -> dict[int, str]:
        with closing(JournalReader.open(RunFolder.open_to_read(self.path).journal)) as reader:
            return reader.published()


@pytest.fixture(scope="module")
def without_faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    folder = tmp_path_factory.mktemp("undisturbed")
    scenes = {"eval": Scene(folder / "eval", EVALUATION), "optimize": Scene(folder / "optimize", LEARNING)}
    for scene in scenes.values():
        scene.play()
    return scenes


@pytest.mark.parametrize(
    "kind", ["504", *(pytest.param(each, marks=pytest.mark.slow) for each in ("502", "drop", "garbage"))]
)
def test_an_outage_of_an_evaluation_faults_no_episode(
    tmp_path: Path, without_faults: dict[str, Scene], kind: str
) -> None:
    scene = Scene(tmp_path / "run", EVALUATION)
    scene.play(f"{kind}@40-120")
    assert scene.served is not None
    assert scene.served.counters.faults == {kind: 81}
    assert scene.results.ended == "done"
    assert scene.completions == without_faults["eval"].completions


def test_failed_attempts_are_charged_as_the_endpoint_charges_them(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 10.0\n')
    scene = Scene(tmp_path / "run", (*EVALUATION, f"limits.prices={prices}", "limits.budget_usd=5"))
    scene.play("502@40-120")
    charged, answered = scene.results.charged, scene.results.cost.nanodollars
    assert charged is not None
    assert charged.nanodollars is not None
    assert answered is not None
    greetings = charged.nanodollars - answered
    at_most = len(scene.results.rows) * 100_000
    assert 0 <= greetings < at_most, "more was charged than a greeting for each episode, to see who is back"


@pytest.mark.parametrize(
    ("ordered", "said"),
    [
        pytest.param("502@40-1000000", "waited for", marks=pytest.mark.slow),
        ("drop@40-1000000", "waited for"),
        ("400:1", r"400: .* \(so is any other prompt\)"),
        pytest.param("422:1", r"422: .* \(so is any other prompt\)", marks=pytest.mark.slow),
    ],
)
def test_an_endpoint_that_stays_away_or_refuses_every_prompt_suspends_an_evaluation_which_resumes_to_the_same(
    tmp_path: Path, without_faults: dict[str, Scene], ordered: str, said: str
) -> None:
    scene = Scene(tmp_path / "run", (*EVALUATION, "limits.patience_seconds=0.05"))
    with pytest.raises(EndpointUnavailable, match=said):
        scene.play(ordered)
    assert scene.results.count("faulted") == 0
    scene.play()
    assert scene.results.ended == "done"
    assert scene.completions == without_faults["eval"].completions


@pytest.mark.slow
def test_an_outage_while_it_learns_changes_no_plan(tmp_path: Path, without_faults: dict[str, Scene]) -> None:
    scene = Scene(tmp_path / "run", LEARNING)
    scene.play("502@20-100")
    assert scene.results.ended == "done"
    assert scene.plans == without_faults["optimize"].plans
    assert scene.plans[max(scene.plans)]


@pytest.mark.parametrize(
    "since", [20, pytest.param(1, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.slow)]
)
def test_an_endpoint_that_stays_away_suspends_a_learner_which_learns_the_same_later(
    tmp_path: Path, without_faults: dict[str, Scene], since: int
) -> None:
    scene = Scene(tmp_path / "run", (*LEARNING, "limits.patience_seconds=0.05"))
    for _ in range(2):
        with pytest.raises(EndpointUnavailable, match="502"):
            scene.play(f"502@{since}-1000000")
    assert scene.results.count("faulted") == 0
    scene.play()
    assert scene.results.ended == "done"
    assert scene.plans == without_faults["optimize"].plans


SILENT: dict[str, tuple[Ending, str]] = {
    "refusal:1": ("refusal", "begin a new run with another model"),
    "filter:1": ("content_filter", "relax the endpoint's filter"),
    "tools:1": ("tool_calls", "switch off the server's own tools"),
    "null:1": ("empty", "larger model.max_tokens if the model reasons"),
    "image:1": ("not_text", "a model that answers in text"),
    "prose:1": ("unread", "serve it with its own chat template and resume"),
    "context=10": ("context_full", "serve the model with a longer context"),
}


@pytest.mark.parametrize(
    "ordered",
    [each if each == "null:1" else pytest.param(each, marks=pytest.mark.slow) for each in SILENT],
)
def test_a_run_whose_first_completions_hold_no_answer_suspends_and_says_what_to_do(
    tmp_path: Path, ordered: str
) -> None:
    finish, advice = SILENT[ordered]
    scene = Scene(tmp_path / "run", (*EVALUATION, "runtime.concurrency=2"))
    # An episode whose context is full ends with its first completion, so a second start has too few of them left.
    for start in (1,) if finish == "context_full" else (1, 2):
        with pytest.raises(EndpointUnavailable, match=rf"none in its first {FIRST_ANSWERS} completions .*{advice}"):
            scene.play(ordered)
        in_flight = 1  # of the two calls at a time, when the other is the last that counts
        assert FIRST_ANSWERS * start <= scene.results.unanswered[finish] <= (FIRST_ANSWERS + in_flight) * start
    scene.play()
    assert scene.results.ended == "done", "an endpoint that was mended takes it to its end"


def test_a_run_whose_first_completions_are_cut_off_suspends_and_says_what_to_set(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "run", (*EVALUATION, "model.max_tokens=2"))
    with pytest.raises(EndpointUnavailable, match=r"cut off\); begin a new run with a larger model\.max_tokens"):
        scene.play()
    (said,) = scene.messages
    assert said.endswith("without an answer (cut off at max_tokens 2); further ones are counted in the report")


def test_single_completions_without_an_answer_are_warned_of_once_and_counted(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "run", EVALUATION)
    scene.play("refusal:0.1,null:0.05")
    assert scene.served is not None
    assert scene.results.ended == "done"
    ordered = scene.served.counters.faults
    assert dict(scene.results.unanswered) == {"refusal": ordered["refusal"], "empty": ordered["null"]}
    assert len(scene.messages) == 2


def test_answers_that_cannot_be_read_are_counted_where_a_model_writes_some_that_can(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "run", (*EVALUATION, "method.max_steps=6"))
    scene.play("prose@3-1000")
    assert scene.results.ended == "done"
    assert scene.served is not None
    assert dict(scene.results.unanswered) == {"unread": scene.served.counters.faults["prose"]}
    assert scene.results.unread_share > 0.9
    assert [text.partition(": ")[2] for text in scene.messages] == [
        "sim-weak: a completion without an answer (not read); further ones are counted in the report"
    ]


def test_a_method_that_only_asks_for_texts_between_its_turns_is_stopped_as_well(tmp_path: Path) -> None:
    method = ("method.name=reflexion", "method.inner.max_steps=3", "runtime.concurrency=1")
    scene = Scene(tmp_path / "run", (*EVALUATION[2:], *method))
    with pytest.raises(EndpointUnavailable, match=f"{FIRST_ANSWERS} not read"):
        scene.play("prose:1")
    assert scene.results.free


def test_a_prompt_that_is_too_long_leaves_no_episode_out_and_costs_nothing(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 10.0\n')
    scene = Scene(tmp_path / "run", (*EVALUATION, f"limits.prices={prices}", "limits.budget_usd=5"))
    scene.play("context=1600")
    found = scene.results
    full = [row for row in found.rows if row.unanswered.get("context_full")]
    assert 0 < len(full) < len(found.rows)
    assert all(row.ended and not row.success for row in full)
    assert found.ended == "done"
    assert found.charged is not None
    assert found.charged.nanodollars == found.cost.nanodollars
