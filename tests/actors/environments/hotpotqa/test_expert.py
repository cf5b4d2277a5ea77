from quintet.environments.hotpotqa.corpus.file import corpus_of
from quintet.environments.hotpotqa.corpus.page import CorpusPage
from quintet.environments.hotpotqa.expert import searching_plan
from quintet.environments.hotpotqa.questions import QuestionRecord, SupportingFact
from quintet.environments.hotpotqa.wording import WORDINGS

CORPUS = corpus_of(
    [
        CorpusPage("Mill", ("A mill.", "B.", "C.", "D.", "E.", "The miller lives in Harn.", "His cat, too, in Harn.")),
        CorpusPage("Harn", ("A town.",)),
    ],
    date="2020-01-01",
    source="test",
)


def plan(*facts: SupportingFact, wording: str = "react") -> tuple[str, ...]:
    question = QuestionRecord(name="q", text="Where?", answer="Harn", type="bridge", facts=facts)
    return searching_plan(question, CORPUS, WORDINGS[wording])


def test_a_page_is_opened_once_for_its_facts() -> None:
    facts = (SupportingFact("Mill", 0), SupportingFact("Mill", 1), SupportingFact("Harn", 0))
    assert plan(*facts) == ("search[Mill]", "search[Harn]", "finish[Harn]")


def test_a_sentence_that_a_search_does_not_show_is_looked_up() -> None:
    assert plan(SupportingFact("Mill", 5)) == ("search[Mill]", "lookup[Harn]", "finish[Harn]")
    assert plan(SupportingFact("Mill", 6)) == ("search[Mill]", "lookup[Harn]", "lookup[Harn]", "finish[Harn]")
    assert plan(SupportingFact("Mill", 5), wording="reflexion") == ("search[Mill]", "finish[Harn]")


def test_a_page_or_sentence_that_is_missing_is_searched_all_the_same() -> None:
    assert plan(SupportingFact("Inn", 7), SupportingFact("Harn", 9)) == ("search[Inn]", "search[Harn]", "finish[Harn]")
