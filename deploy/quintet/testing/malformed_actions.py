"""Odd texts, which every plug-in has to bear."""

ODD = (
    "",
    " ",
    "\n",
    "\x00",
    "\x1b[31m\x07\x7f",
    "\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680",
    "%s {0} \\1 $(x)",
    "x" * 10_000,
    "9" * 10_000,
    "(" * 10_000,
    " " * 10_000 + "x",
    ", " * 5_000,
    "Action:",
    "Step 1:",
    "a\nb\r\nc\u2028d",
)

LONE_SURROGATE = "\ud800"
"""What no UTF-8 can say: Python's texts may hold it, and a model's completion may bring it."""
