"""What goals and observations about questions are about."""

import pytest

from quintet.models.sim.hotpotqa.topics import reading_topic
from quintet.models.sim.sorting import Topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ('answer the question "Who wrote Tarn House?"', Topic("people", "person")),
        ('answer the question "Which is older, Orn or Tarn?"', Topic("comparisons", "which")),
        ("The Kite is a 1998 drama film directed by Ada Lorn. It was shot near Tessel.", Topic("pages", "film")),
        ("Could not find Orn. Similar: [].", Topic("refusals", "refusal")),
        ("(Result 1 / 2) She keeps bees.", Topic("sentences", "sentence")),
        ("You arrive at desk 1.", None),
    ],
)
def test_topics(text: str, topic: Topic | None) -> None:
    assert reading_topic(text) == topic
