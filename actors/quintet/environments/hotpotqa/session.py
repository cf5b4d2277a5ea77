"""One live session of a question, the actions that it reads, and its expert."""

import re
from typing import Literal, TypeAlias, cast

from msgspec import Struct, structs

from quintet.environments.hotpotqa.corpus.corpus import Corpus
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.scoring import exact_match, f1_score
from quintet.environments.hotpotqa.wording import SETTING, Wording
from quintet.ports.world import AnswerToGrade, Opening, Outcome, WorldState


def searching_plan(question: QuestionRecord, corpus: Corpus, wording: Wording) -> tuple[str, ...]:
    """Actions that show every supporting fact and then answer, from any state that is not done."""
    plan: list[str] = []
    opened = None
    for fact in question.facts:
        if fact.title != opened:
            plan.append(f"search[{fact.title}]")
            opened = fact.title
        page = corpus.page(fact.title, exact=True)
        if page and wording.shown is not None and wording.shown <= fact.sentence < len(page.sentences):
            sentence = page.sentences[fact.sentence]
            keyword = question.answer if question.answer in sentence else sentence
            plan += [f"lookup[{keyword}]"] * (page.with_keyword(keyword).index(sentence) + 1)
    return (*plan, f"finish[{question.answer}]")


Verb: TypeAlias = Literal["search", "lookup", "finish"]

_VERB = "([sS]earch|[lL]ookup|[fF]inish)"
_WHOLE = re.compile(rf"{_VERB}\[(.*)\]", re.DOTALL)
_LAST = re.compile(rf".*\b{_VERB}\[", re.DOTALL)


class ReaderAction(Struct, frozen=True):
    """One action."""

    verb: Verb
    argument: str


def parse_reader_action(action: str, *, last_action: bool = False) -> ReaderAction | None:
    """Read an action; None: it is none.

    Args:
        last_action: whether other words may stand around it, and the last action of the text counts.
    """
    action = action.strip()
    if last_action and (found := _LAST.match(action)):
        end = action.rfind("]")
        action = action[found.start(1) : end + 1] if end >= found.end() else ""
    whole = _WHOLE.fullmatch(action)
    return ReaderAction(cast(Verb, whole[1].lower()), whole[2]) if whole else None


class QuestionTask(Struct, frozen=True):
    """The part that all sessions of a task share."""

    question: QuestionRecord
    corpus: Corpus
    wording: Wording
    max_steps: int | None
    judged: bool
    """The reward is the judge's verdict; otherwise that of the exact match."""


class HotpotQaState(WorldState):
    """A reader with a page open."""

    page: str | None
    """The title of the page that is open."""
    keyword: str | None
    found: int
    """How many sentences with the keyword were shown."""
    steps: int
    """Actions so far; counted only if they are limited."""
    answer: str
    verdict: bool | None
    """The judge's."""

    def __init__(self, start: QuestionTask) -> None:
        asked = start.question.text
        goal = f'answer the question "{asked}"'
        super().__init__(Opening(observation=f"{SETTING}\nQuestion: {asked}", setting=SETTING, goal=goal))
        self._start = start
        self.page = self.keyword = self.verdict = None
        self.found = self.steps = 0
        self.answer = ""

    def step(self, action: str) -> Outcome:
        start = self._start
        if self.done:
            return self._ended(rejected=True)
        action = action.encode(errors="replace").decode()  # what UTF-8 cannot encode becomes a question mark
        command = parse_reader_action(action, last_action=start.wording.last_action)
        self.steps += start.max_steps is not None
        if command is None:
            said = start.wording.invalid.format(action=action.strip())
        elif command.verb == "finish":
            return structs.replace(self._finish(command.argument), final_answer=True)
        else:
            said = (self._search if command.verb == "search" else self._look_up)(command.argument)
            self.observation = said
        if self.steps == start.max_steps:
            return self._finish("", f"{said}\n")
        return self.reject(said) if command is None else self.accept(said)

    def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        """The outcome of the last step with the judge's verdict, if there is one."""
        (self.verdict,) = verdicts
        if self._start.judged and self.verdict:
            finished = self._start.wording.finished
            self.observation = f"{self.observation.removesuffix(finished[False])}{finished[True]}"
        return self._ended(rejected=False)

    def expert(self) -> tuple[str, ...]:
        """Opens the pages of the supporting facts, shows their sentences, and gives the answer."""
        if self.done:
            return ()
        plan = searching_plan(self._start.question, self._start.corpus, self._start.wording)
        return plan if self._start.max_steps is None else plan[self.steps - self._start.max_steps :]

    def _search(self, title: str) -> str:
        wording, corpus = self._start.wording, self._start.corpus
        page = corpus.page(title, exact=wording.exact_title)
        if page is None or page.lists_others:
            self.page = None if wording.forgets_page else self.page
            return wording.not_found.format(title=title, similar=wording.list_titles(corpus.similar(title)))
        self.page, self.keyword, self.found = page.title, None, 0
        return " ".join(filter(None, page.sentences[: wording.shown]))

    def _look_up(self, keyword: str) -> str:
        wording = self._start.wording
        self.found = self.found if keyword == self.keyword else 0
        self.keyword = keyword
        page = None if self.page is None else self._start.corpus.page(self.page, exact=True)
        matches = page.with_keyword(keyword) if page else []
        if self.found < len(matches):
            sentence = matches[self.found]
            self.found += 1
            return wording.result.format(number=self.found, count=len(matches), sentence=sentence)
        return wording.no_more if matches else wording.no_result if page else wording.no_page

    def _finish(self, answer: str, said: str = "") -> Outcome:
        start = self._start
        correct = exact_match(answer, start.question.answer) and not start.judged
        self.answer, self.done = answer, True
        self.observation = f"{said}{start.wording.finished[correct]}"
        question = AnswerToGrade(question=start.question.text, target=start.question.answer, answer=answer)
        return self._ended(rejected=False, to_grade=(question,))

    def _ended(self, *, rejected: bool, to_grade: tuple[AnswerToGrade, ...] = ()) -> Outcome:
        """The outcome of a step that ended the episode, or of one after it."""
        gold = self._start.question.answer
        exact = exact_match(self.answer, gold)
        figures = {"exact": float(exact), "f1": f1_score(self.answer, gold)}
        if self.verdict is not None:
            figures["judge"] = float(self.verdict)
        self.reward = float(self.verdict is True if self._start.judged else exact)
        return Outcome(
            observation=self.observation,
            reward=self.reward,
            done=True,
            rejected=rejected,
            figures=figures,
            to_grade=to_grade,
            tells_reward=True,
        )
