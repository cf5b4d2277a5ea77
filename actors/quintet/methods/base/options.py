"""The base of the options of methods and of learners."""

from pydantic import BaseModel, ConfigDict


class MethodOptions(BaseModel):
    """Options that never change; unknown ones are refused, and the text below each describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
