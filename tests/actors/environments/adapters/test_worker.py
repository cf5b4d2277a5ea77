"""What a process answers can always be read."""

import pickle

from quintet.environments.adapters.members import Returned
from quintet.environments.adapters.worker import encode_returned


class Needy(Exception):
    """Pickled, but not read again: its arguments are lost."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def test_what_can_be_pickled_comes_as_it_is_and_what_cannot_is_an_error() -> None:
    assert isinstance(pickle.loads(encode_returned(Returned(error=KeyError("x")))).error, KeyError)
    assert "pickle" in str(pickle.loads(encode_returned(Returned(value=lambda: None))).error)


def test_an_exception_that_cannot_be_read_again_is_described_with_its_traceback() -> None:
    error = Needy(1, 2)
    error.add_note("Traceback: here")
    read = pickle.loads(encode_returned(Returned(error=error)))
    assert (str(read.error), read.error.__notes__) == ("Needy: 1 and 2", ["Traceback: here"])
