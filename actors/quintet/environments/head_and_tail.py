"""Keeps the beginning and the end of a text, such as a command's output, however long it is."""

from codecs import getincrementaldecoder


class HeadAndTail:
    """Text of at most so many characters, and a line that says how many are missing from its middle.

    What is no UTF-8 becomes a replacement character, as do control characters but tabs and line ends.
    """

    def __init__(self, most: int) -> None:
        self._head_size = most // 2
        self._tail_size = most - self._head_size
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._head = self._tail = ""
        self._left_out = 0

    def add(self, data: bytes, *, final: bool = False) -> None:
        """Take the next part."""
        text = self._decoder.decode(data, final)
        missing = self._head_size - len(self._head)
        self._head += text[:missing]
        self._tail += text[missing:] if missing > 0 else text
        if (over := len(self._tail) - self._tail_size) > 0:
            self._tail = self._tail[over:]
            self._left_out += over

    def text(self) -> str:
        """What is kept, once the last part was added."""
        middle = f"\n... {self._left_out:,} characters left out ...\n" if self._left_out else ""
        return f"{self._head}{middle}{self._tail}".translate(_VISIBLE)


_VISIBLE = {number: "\N{REPLACEMENT CHARACTER}" for number in (*range(32), 127) if chr(number) not in "\n\t"}
