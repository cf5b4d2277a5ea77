"""What the benchmark of repeated prompts counts."""

from benchmarks.repeats import count_sent


def test_a_shared_beginning_is_no_repetition_and_a_line_after_it_that_was_sent_before_is() -> None:
    sent = count_sent([["Rules\nPage\nGo\n", "Rules\nNotes\nPage\nGo\n"], ["Rules\nPage\nGo\n"]])
    assert (sent.prompts, sent.prefix, sent.again, sent.new) == (3, len("Rules\n"), len("Page\nGo\n"), 14 + 6 + 14)
    assert sent.total == 14 + 20 + 14


def test_a_prompt_that_was_sent_before_is_all_beginning() -> None:
    sent = count_sent([["Rules\nGo\n", "Rules\nGo\n", "Rules\nGo\nOn\n"]])
    assert (sent.prefix, sent.again, sent.new) == (18, 0, 9 + 3)
