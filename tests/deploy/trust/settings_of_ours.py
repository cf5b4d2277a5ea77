"""Every setting of our own: of the sections, and the options of every built-in method, world, model and embedder."""

from collections.abc import Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from quintet.config import plugins
from quintet.config.sections import setting_tables, table_within
from quintet.plugins import catalogue


def every_setting() -> Iterator[tuple[str, FieldInfo]]:
    """By `table.setting`, or `environment NAME.option`; tables within tables are none."""
    for name, table in tables():
        yield from (
            (f"{name}.{key}", field) for key, field in table.model_fields.items() if table_within(field) is None
        )


def tables() -> Iterator[tuple[str, type[BaseModel]]]:
    yield from setting_tables().items()
    yield from ((f"environment {name}", plugins.world_options(name)) for name in catalogue.WORLDS)
    yield from ((f"model {name}", plugins.model_options(name)) for name in catalogue.MODELS)
    yield from ((f"embedder {name}", plugins.embedder_options(name)) for name in catalogue.EMBEDDERS)
    yield "endpoint", plugins.model_options("mine", "http://127.0.0.1")
    yield "endpoint that embeds", plugins.embedder_options("mine", "http://127.0.0.1")
    for name in catalogue.METHODS:
        method = catalogue.method(name)
        yield f"method {name}", method.options
        if method.learner is not None:
            yield f"learning of {name}", method.learner.options
