"""One live session of a question."""

from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.hotpotqa.commands import parse_reader_action
from quintet.environments.hotpotqa.corpus.corpus import Corpus
from quintet.environments.hotpotqa.expert import searching_plan
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.scoring import exact_match, f1_score
from quintet.environments.hotpotqa.wording import SETTING, Wording
from quintet.environments.snapshots import SnapshotCodec
from quintet.messages.environment import Task
from quintet.ports.world import AnswerToGrade, Opening, Outcome


class QuestionTask(Struct, frozen=True):
    """The part that all sessions of a task share."""

    task: Task
    version: str
    question: QuestionRecord
    opening: Opening
    corpus: Corpus
    wording: Wording
    max_steps: int | None
    judged: bool
    """The reward is the judge's verdict; otherwise that of the exact match."""


def question_opening(question: QuestionRecord) -> Opening:
    """How a question is put."""
    goal = f'answer the question "{question.text}"'
    return Opening(observation=f"{SETTING}\nQuestion: {question.text}", setting=SETTING, goal=goal)


class _Position(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a session stands."""

    page: str | None = None
    """The title of the page that is open."""
    keyword: str | None = None
    found: int = 0
    """How many sentences with the keyword were shown."""
    steps: int = 0
    last: str | None = None
    """The answer to the last action that was carried out; None: there is none yet."""
    answer: str | None = None
    """None: the episode goes on."""
    verdict: bool | None = None
    """The judge's."""


_SNAPSHOTS = SnapshotCodec("hotpotqa", _Position)


class HotpotQaState:
    """A reader with a page open. A fork shares everything: what moves is replaced, never changed."""

    __slots__ = ("_now", "_start")

    def __init__(self, start: QuestionTask, now: _Position) -> None:
        self._start = start
        self._now = now

    @property
    def opening(self) -> Opening:
        return self._start.opening

    @property
    def observation(self) -> str:
        return self.opening.observation if self._now.last is None else self._now.last

    def step(self, action: str) -> Outcome:
        now, start = self._now, self._start
        if now.answer is not None:
            return self._outcome(rejected=True)
        action = action.encode(errors="replace").decode()  # what UTF-8 cannot encode becomes a question mark
        command = parse_reader_action(action, last_action=start.wording.last_action)
        if start.max_steps is not None:
            now = self._now = replace(now, steps=now.steps + 1)
        if command is None:
            said = start.wording.invalid.format(action=action.strip())
        elif command.verb == "finish":
            return self._finish(command.argument)
        else:
            opened = self._search if command.verb == "search" else self._look_up
            now = self._now = opened(command.argument)
            said = self.observation
        if now.steps == start.max_steps:
            return self._finish("", f"{said}\n")
        return Outcome(observation=said, reward=0.0, done=False, rejected=command is None)

    def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        """The outcome of the last step with the judge's verdict, if there is one."""
        now, wording = self._now, self._start.wording
        (verdict,) = verdicts
        last = self.observation
        if self._start.judged and verdict:
            last = f"{last.removesuffix(wording.finished[False])}{wording.finished[True]}"
        self._now = replace(now, verdict=verdict, last=last)
        return self._outcome(rejected=False)

    def admissible(self) -> tuple[str, ...] | None:
        return None  # titles, keywords and answers are any text

    def expert(self) -> tuple[str, ...]:
        """Opens the pages of the supporting facts, shows their sentences, and gives the answer."""
        if self._now.answer is not None:
            return ()
        plan = searching_plan(self._start.question, self._start.corpus, self._start.wording)
        return plan if self._start.max_steps is None else plan[self._now.steps - self._start.max_steps :]

    def fork(self) -> "HotpotQaState":
        return HotpotQaState(self._start, self._now)

    def snapshot(self) -> bytes:
        return _SNAPSHOTS.encode(self._start.task, self._start.version, self._now)

    def _search(self, title: str) -> _Position:
        wording, corpus = self._start.wording, self._start.corpus
        page = corpus.page(title, exact=wording.exact_title)
        if page is None or page.lists_others:
            said = wording.not_found.format(title=title, similar=wording.list_titles(corpus.similar(title)))
            return replace(self._now, page=None if wording.forgets_page else self._now.page, last=said)
        said = " ".join(filter(None, page.sentences[: wording.shown]))
        return replace(self._now, page=page.title, keyword=None, found=0, last=said)

    def _look_up(self, keyword: str) -> _Position:
        now, wording = self._now, self._start.wording
        found = now.found if keyword == now.keyword else 0
        page = None if now.page is None else self._start.corpus.page(now.page, exact=True)
        matches = page.with_keyword(keyword) if page else []
        if found < len(matches):
            said = wording.result.format(number=found + 1, count=len(matches), sentence=matches[found])
            found += 1
        else:
            said = wording.no_more if matches else wording.no_result if page else wording.no_page
        return replace(now, keyword=keyword, found=found, last=said)

    def _finish(self, answer: str, said: str = "") -> Outcome:
        start = self._start
        correct = exact_match(answer, start.question.answer) and not start.judged
        self._now = replace(self._now, answer=answer, last=f"{said}{start.wording.finished[correct]}")
        question = AnswerToGrade(question=start.question.text, target=start.question.answer, answer=answer)
        return self._outcome(rejected=False, to_grade=(question,))

    def _outcome(self, *, rejected: bool, to_grade: tuple[AnswerToGrade, ...] = ()) -> Outcome:
        """The outcome of a step that ended the episode, or of one after it."""
        now, gold = self._now, self._start.question.answer
        assert now.answer is not None
        exact = exact_match(now.answer, gold)
        figures = {"exact": float(exact), "f1": f1_score(now.answer, gold)}
        if now.verdict is not None:
            figures["judge"] = float(now.verdict)
        earned = now.verdict is True if self._start.judged else exact
        return Outcome(
            observation=self.observation,
            reward=float(earned),
            done=True,
            rejected=rejected,
            figures=figures,
            to_grade=to_grade,
            tells_reward=True,
        )


def begin_question(start: QuestionTask) -> HotpotQaState:
    """The state in which the task begins."""
    return HotpotQaState(start, _Position())


def restore_question(start: QuestionTask, snapshot: bytes) -> HotpotQaState:
    """The state that wrote the snapshot.

    Raises:
        WorldFault: no state of this task in this version wrote it.
    """
    return HotpotQaState(start, _SNAPSHOTS.decode(start.task, start.version, snapshot))
