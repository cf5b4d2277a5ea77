"""The expert: opens the pages of the supporting facts, shows each fact, and gives the answer."""

from quintet.environments.hotpotqa.corpus.corpus import Corpus
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.wording import Wording


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
