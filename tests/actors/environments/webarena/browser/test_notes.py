from quintet.environments.webarena.browser.tab_row import WindowNotes, quoted


def test_notes_are_told_once_in_their_order() -> None:
    notes = WindowNotes()
    for sentence in ("One.", "Two.", "One."):
        notes.add(sentence)
    assert notes.take() == ("One.", "Two.")
    assert notes.take() == ()


def test_of_many_notes_the_first_are_told_and_the_others_counted() -> None:
    notes = WindowNotes()
    for number in range(20):
        notes.add(f"Number {number}.")
    assert notes.take()[-2:] == ("Number 7.", "12 more things happened.")


def test_a_pages_words_are_quoted_in_one_plain_line_that_is_cut() -> None:
    assert quoted("Two\n lines\x1b[31m\u202e") == '"Two lines[31m"'
    assert len(quoted("word " * 100_000)) == 202
    assert quoted("x" * 300).endswith('..."')
