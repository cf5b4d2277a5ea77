"""How a memory is recalled from: what prompt parts and the memory role's requests share."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

BatchNumber: TypeAlias = Annotated[int, Meta(ge=1)]
"""The number of a batch memory."""

Retrieval: TypeAlias = Literal["type", "lexical", "embedding"]
"""`type`: all tuples of a goal type and an observation type, as in LDM2. `lexical`: by BM25 within that type.
`embedding`: by nearness to goal and observation in the batch memory; no model is asked for types."""
