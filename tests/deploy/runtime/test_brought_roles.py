"""Roles that a method brings: one of `model_role`, and one with a request of its own. All else follows from them."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, ConfigDict

from quintet.cluster.placement import HostGroup, PlacementConfig, lay_out
from quintet.config.resolve import as_tables
from quintet.config.sections import RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.events import CallMade, EpisodeEnded, Record
from quintet.launch.prepare import Prepared, prepare
from quintet.messages.completion import Completed
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.prompts import user
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.questions.question import RequestQuestion
from quintet.questions.shapes import Number
from quintet.quota.quota import QUOTA
from quintet.reports.transcript import transcript
from quintet.roles.asking import asking_role
from quintet.roles.model_role import model_role
from quintet.roles.registry import TAKEN
from quintet.roles.role import ActorParts, Role
from quintet.runtime.incarnation import LEARNER_ROLE
from quintet.runtime.remote_journal import JOURNAL_ROLE
from quintet.runtime.roles import EPISODES, STORE
from quintet.runtime.spec import EMBEDDER
from quintet.testing.content import content_of
from quintet.testing.replay import left_by_kill, run_episode


class Counted(Message, frozen=True, kw_only=True, tag="test_counted"):
    winner: str


class Count(Request[Counted], frozen=True, kw_only=True, tag="test_count"):
    votes: tuple[str, ...]


class Teller:
    """An actor without a model."""

    async def receive(self, request: Count) -> Counted:
        return Counted(winner=max(sorted(set(request.votes)), key=request.votes.count))


def _start(_parts: ActorParts) -> Teller:
    return Teller()


TELLER = Role(name="teller", requests={Count: ()}, start=_start)


class Reviewed(Message, frozen=True, kw_only=True, tag="test_reviewed"):
    mark: int


class Review(Request[Reviewed | Unanswered], frozen=True, kw_only=True, tag="test_review"):
    journaled = True

    vote: str

    def subject(self) -> str:
        return self.vote


class ReviewQuestion(RequestQuestion[Review, int, Reviewed]):
    asks = Review
    shape = Number(
        name="test_review",
        about="A mark of a vote, after its reason.",
        wanted="mark",
        key="mark",
        described="from 1 to 10",
        template="{why}\nMark: {value}",
        values={"mark": 5},
    )

    def says(self, about: Review) -> Iterator[str]:
        yield f"The vote: {about.vote}"

    def reply(self, request: Review, found: Sequence[int]) -> Reviewed:
        return Reviewed(mark=found[0])


class NoOptions(BaseModel):
    """No options."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Poll(Method[NoOptions]):
    name = "poll"
    version = "1"
    roles: ClassVar[tuple[Role, ...]] = (model_role("critic", completion_tokens=77), model_role("voter"), TELLER)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        async with episode.branches() as branches:
            roles = ("critic", "voter", "voter")
            asked = [branches.start(episode.complete, role, user(episode.goal)) for role in roles]
        answers: Sequence[Completed] = [branch.result() for branch in asked]
        counted = await episode.ask(Count(votes=tuple(answer.text for answer in answers)))
        if self.inner is not None:
            return await episode.attempt()
        return Unsolved(session=episode.session, reward=0.0, done=False, reason=counted.winner)


class Reviews(Poll):
    name = "reviews"
    roles = (asking_role("reviewer", ReviewQuestion(), completion_tokens=77),)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        replies = [await episode.ask(Review(vote=vote)) for vote in ("yes", "no")]
        said = [str(reply.mark) if isinstance(reply, Reviewed) else reply.reason for reply in replies]
        return Unsolved(session=episode.session, reward=0.0, done=False, reason="; ".join(said))


class Over(Poll):
    name = "over"
    nests = True


@pytest.fixture(autouse=True)
def methods(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {name: f"{__name__}:{name.capitalize()}" for name in ("poll", "over", "reviews")}
    monkeypatch.setattr(catalogue, "METHODS", {**catalogue.METHODS, **ours})


SCRIPTS = (
    "model.critic.name=scripted",
    'model.critic.completions=["<think>hm</think>no"]',
    "model.voter.name=scripted",
    'model.voter.completions=["yes"]',
)


def _prepared(*assignments: str, method: str = "poll") -> Prepared:
    given = (f"method.name={method}", "environment.name=textcraft", "run.tasks=stick", *assignments)
    return prepare([from_assignments(given)])


def _end(records: Sequence[Record]) -> EpisodeEnded:
    return next(record.event for record in records if isinstance(record.event, EpisodeEnded))


def _calls(records: Sequence[Record]) -> Iterator[CallMade]:
    return (record.event for record in records if isinstance(record.event, CallMade))


def test_a_run_has_the_roles_that_its_method_brings_with_models_of_their_own() -> None:
    prepared = _prepared(*SCRIPTS)
    spec = prepared.spec
    assert [role.name for role in spec.roles] == ["environment", "subtask", "critic", "voter", "teller"]
    assert prepared.record.models.keys() == {"critic", "voter"}
    assert spec.methods[0].sampling["critic"].max_tokens == 77
    records = run_episode(spec, "stick")
    assert _end(records).reason == "yes"  # without the reasoning, and two votes to one
    assert sorted(call.phase for call in _calls(records)) == ["critic", "voter", "voter"]


def test_an_episode_with_such_roles_replays() -> None:
    spec = _prepared(*SCRIPTS).spec
    whole = run_episode(spec, "stick")
    for place in range(1, len(whole)):
        assert content_of(run_episode(spec, "stick", left_by_kill(whole, place))) == content_of(whole)


def _reviewing(tmp_path: Path, *assignments: str) -> list[Record]:
    (tmp_path / "textcraft").mkdir()
    form = "Judge.\n{form test_review}\nMark: 7\n{end}"
    (tmp_path / "textcraft" / "test_review.txt").write_text(form)
    return run_episode(_prepared(f"method.prompts={tmp_path}", *assignments, method="reviews").spec, "stick")


def _scripted(*answers: str) -> Sequence[str]:
    return "model.reviewer.name=scripted", f"model.reviewer.completions={json.dumps(answers)}"


@pytest.mark.parametrize(
    ("second", "reason", "line"),
    [
        ("It is good.\nMark: 8", "8; 8", "test_review: yes -> test reviewed: mark 8"),
        ("Hm again.", "the model left out the mark; the model left out the mark", "test_review: no -> no answer: "),
    ],
)
def test_a_role_of_questions_asks_once_more_and_its_replies_are_readable(
    tmp_path: Path, second: str, reason: str, line: str
) -> None:
    records = _reviewing(tmp_path, *_scripted("Hm.", second))
    assert _end(records).reason == reason
    assert any(shown.text.startswith(line) for shown in transcript(records))


def test_a_role_of_questions_gets_json_where_its_model_is_asked_for_it(tmp_path: Path) -> None:
    said = json.dumps({"reason": "It is good.", "mark": 8})
    records = _reviewing(tmp_path, *_scripted(said, said), "model.reviewer.answers=schema")
    assert _end(records).reason == "8; 8"
    assert {call.sampling.form for call in _calls(records)} == {"test_review"}


def test_the_stand_in_answers_the_question_of_a_plug_in_by_its_example(tmp_path: Path) -> None:
    assert _end(_reviewing(tmp_path, "model.name=sim-strong")).reason == "5; 5"


def test_an_inner_methods_roles_are_actors_of_its_own() -> None:
    inner = ("method.inner.model.name=scripted", 'method.inner.model.completions=["inner"]')
    prepared = _prepared(*SCRIPTS, *inner, method="over(poll)")
    assert prepared.record.models.keys() == {"critic", "voter", "poll/critic", "poll/voter"}
    records = run_episode(prepared.spec, "stick")
    assert _end(records).state == "unsolved"
    assert {call.phase for call in _calls(records)} == {"critic", "voter", "poll/critic", "poll/voter"}
    assert {call.completion.text for call in _calls(records) if call.phase == "poll/critic"} == {"inner"}


def test_a_brought_role_is_placed_like_ours() -> None:
    config = _prepared("runtime.roles.critic.hosts=2").config
    assert config.runtime.roles["critic"].hosts == 2
    names = [role.name for role in _prepared().spec.roles]
    layout = lay_out(PlacementConfig(groups={"critic": HostGroup(2)}), names, cores=1, concurrency=1)
    assert [host.name for host in layout.hosts] == ["critic", "critic-2", "host"]


def test_a_role_without_a_table_has_the_runs_model() -> None:
    config = _prepared("model.name=sim-strong", "model.temperature=0.5", "model.critic.temperature=1").config
    assert (config.model.of("critic").name, config.model.of("critic").temperature) == ("sim-strong", 1.0)
    assert config.model.of("voter").temperature == 0.5


def test_the_configuration_reloads_to_the_same_from_json_and_from_tables() -> None:
    config = _prepared(*SCRIPTS, "runtime.roles.teller.hosts=1").config
    assert RunConfig.model_validate_json(config.model_dump_json()) == config
    assert as_tables(config)["model"]["critic"]["completions"] == ["<think>hm</think>no"]
    assert prepare([from_table(as_tables(config), "again")]).config == config


@pytest.mark.parametrize(
    ("assignment", "error"),
    [
        ("model.critc.name=sim-strong", "model.critc.name: expected 'model.critic.name', got an unknown key"),
        ("model.teller.name=sim-strong", "model.teller.name: expected '.*', got an unknown key"),
        ("model.critic.top_p=2", r"^model.critic.top_p: expected <= 1, got 2 \(--set model.critic.top_p=2\)"),
        ("runtime.roles.critc.hosts=1", "runtime.roles.critc: expected one of 'executor'.*'teller', 'host', got"),
    ],
)
def test_a_table_of_no_role_of_the_run_is_refused(assignment: str, error: str) -> None:
    with pytest.raises(UsageError, match=error):
        _prepared(assignment)


def test_instructions_are_the_prompt_of_the_roles_name_if_there_is_one(tmp_path: Path) -> None:
    folder = tmp_path / "textcraft"
    folder.mkdir()
    (folder / "critic.txt").write_text("You are a critic.")
    prepared = _prepared(*SCRIPTS, f"method.prompts={tmp_path}")
    assert prepared.record.prompts.keys() == {"critic"}
    texts = {call.phase: call.prompt for call in _calls(run_episode(prepared.spec, "stick"))}
    assert texts["critic"] != texts["voter"]
    (folder / "crtic.txt").write_text("You are a critic.")
    with pytest.raises(UsageError, match=r"expected one of 'critic.txt', .*, got 'crtic.txt'"):
        _prepared(f"method.prompts={tmp_path}")


class Untagged(Request[Counted], frozen=True, kw_only=True):
    pass


ANOTHER = "expected another name than"


@pytest.mark.parametrize(
    ("declared", "error"),
    [
        *(
            (lambda name=name: (model_role(name),), f"{ANOTHER} executor, .*, got '{name}'")
            for name in ("executor", "host", "store", "judge")
        ),
        (lambda: (model_role("align"),), rf"{ANOTHER} those of our prompts \(.*align.*\), got 'align'"),
        (lambda: (model_role("Critic"),), "expected a name of lower-case letters, digits and _, got 'Critic'"),
        (lambda: (model_role("a/b"),), "expected a name of lower-case letters, digits and _, got 'a/b'"),
        (lambda: (model_role("critic"), model_role("critic")), "expected each name once, got 'critic' twice"),
        (lambda: model_role("critic"), "roles: expected a tuple of roles, got Role"),
        (
            lambda: (Role(name="teller", requests={Untagged: ()}, start=_start),),
            "role teller: expected Untagged with a tag of its own, got none",
        ),
    ],
)
def test_a_method_that_declares_such_roles_is_refused(declared: Callable[[], object], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        type("Refused", (Poll,), {"roles": declared()})


class CountQuestion(ReviewQuestion):
    asks = Count  # type: ignore[assignment]


class Bare(Message, frozen=True, kw_only=True):
    pass


class Doubt(Request[Bare | Unanswered], frozen=True, kw_only=True, tag="test_doubt"):
    pass


class DoubtQuestion(ReviewQuestion):
    asks = Doubt  # type: ignore[assignment]


class AnyQuestion(RequestQuestion[Review, int, Reviewed]):
    shape = ReviewQuestion.shape

    def reply(self, request: Review, found: Sequence[int]) -> Reviewed:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (AnyQuestion(), "role critic: AnyQuestion: expected `asks`, the request that it answers, got None"),
        (CountQuestion(), r"expected Count to be a Request\[... \| Unanswered\], got .*Counted"),
        (DoubtQuestion(), "role critic: DoubtQuestion: expected Bare with a tag of its own, got none"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_where_its_role_is_defined(
    question: RequestQuestion[Any, Any, Any], error: str
) -> None:
    with pytest.raises(UsageError, match=error):
        asking_role("critic", question, completion_tokens=77)


def test_a_role_with_the_name_of_a_key_of_models_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Poll, "roles", (model_role("temperature"),))
    with pytest.raises(UsageError, match=r"role: expected another name than that of the key model\.temperature"):
        _prepared()


def test_the_names_of_the_drivers_own_actors_are_taken() -> None:
    assert {QUOTA, LEARNER_ROLE, JOURNAL_ROLE, EPISODES, STORE, EMBEDDER} <= set(TAKEN)


class Lost(Poll):
    """Asks a role that it does not bring."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        await episode.complete("judge", user(episode.goal))
        raise AssertionError


class Silent(Poll):
    """Asks without a conversation."""

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        await episode.complete("critic")
        raise AssertionError


@pytest.mark.parametrize(
    ("method", "error"),
    [(Lost, "role of Complete: expected critic or voter, got 'judge'"), (Silent, "length >= 1")],
)
def test_an_ask_that_cannot_be_answered_is_a_bug_that_says_what_was_expected(method: type[Poll], error: str) -> None:
    spec = _prepared(*SCRIPTS).spec
    asking = replace(spec, methods=(replace(spec.methods[0], method=method(NoOptions())),))
    fault = _end(run_episode(asking, "stick")).fault
    assert fault is not None
    assert re.search(error, fault.text)
