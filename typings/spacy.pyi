# The part of spaCy that WebShop's tagger calls, an extra that the checks do not install.
from collections.abc import Iterator

class Token:
    text: str
    pos_: str

class Doc:
    def __iter__(self) -> Iterator[Token]: ...

class Language:
    def __call__(self, text: str) -> Doc: ...

def load(name: str) -> Language: ...
