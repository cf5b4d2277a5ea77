"""`[memory.embedder]`: which embedder a run has, with its options, and what is wrong with one."""

import pytest

from quintet.config.resolve import as_tables, resolve
from quintet.config.sections import EmbedderSettings, RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError

MEMORY = "memory.source=memory.sqlite"


def resolved(*assignments: str) -> RunConfig:
    given = ("method.name=react", "environment.name=textcraft", MEMORY, *assignments)
    return resolve([from_assignments(given)]).config


def embeds(*assignments: str) -> EmbedderSettings | None:
    memory = resolved(*assignments).memory
    assert memory is not None
    return memory.embeds


def test_a_run_embeds_only_if_it_is_told_to_or_recalls_by_embedding() -> None:
    assert embeds() is None
    assert embeds("memory.retrieval=lexical") is None
    assert embeds("memory.retrieval=embedding") == EmbedderSettings(name="wordllama")
    assert embeds("memory.embedder.name=hashed-words") is not None


def test_an_embedder_has_options_of_its_own() -> None:
    found = embeds("memory.embedder.name=hashed-words", "memory.embedder.dimensions=16")
    assert found is not None
    assert found.options == {"dimensions": 16}
    with pytest.raises(UsageError, match=r"memory\.embedder\.dimensions: expected"):
        embeds("memory.embedder.name=hashed-words", "memory.embedder.dimensions=many")
    with pytest.raises(UsageError, match=r"memory\.embedder\.colour: expected .*, got an unknown key"):
        embeds("memory.embedder.name=hashed-words", "memory.embedder.colour=red")


def test_a_name_without_its_table_says_which_key_was_meant() -> None:
    with pytest.raises(UsageError, match=r"expected a table, .* did you mean memory\.embedder\.name\?"):
        embeds("memory.embedder=wordllama")


def test_an_endpoints_embedder_has_its_address_and_its_key() -> None:
    address = "http://127.0.0.1:9/v1"
    found = embeds("memory.embedder.name=m", f"memory.embedder.url={address}", "memory.embedder.key=MY_KEY")
    assert found is not None
    assert (found.name, found.url, found.options["key"]) == ("m", address, "MY_KEY")


@pytest.mark.parametrize("assignments", [(), ("memory.embedder.name=hashed-words", "memory.embedder.dimensions=16")])
def test_a_configuration_reads_back_from_its_tables(assignments: tuple[str, ...]) -> None:
    config = resolved(*assignments)
    assert resolve([from_table(as_tables(config), "run")]).config == config
