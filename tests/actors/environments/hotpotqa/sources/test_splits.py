from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.sources.splits import react_order, with_paper_splits


def questions(count: int, level: str = "hard") -> tuple[QuestionRecord, ...]:
    return tuple(
        QuestionRecord(name=str(number), text="Who?", answer="me", type="bridge", level=level, facts=())
        for number in range(count)
    )


def test_reacts_order_of_the_official_questions_is_that_of_its_code() -> None:
    assert [question.name for question in react_order(questions(7405))[:4]] == ["3687", "6238", "5388", "3522"]


def test_papers_orders_are_further_splits_as_long_as_there_are_questions() -> None:
    found = with_paper_splits({"dev": questions(7405), "train": questions(60, "easy") + questions(70)})
    assert {split: len(found[split]) for split in found} == (
        {"dev": 7405, "train": 130, "react": 500, "autoplan": 200, "autoplan-train": 50}
    )
    assert {question.level for question in found["autoplan-train"]} == {"hard"}
    assert list(with_paper_splits({"train": questions(3, "easy")})) == ["train"]
