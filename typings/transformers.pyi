from pathlib import Path
from typing import Any

class GgufConfig:
    def __init__(self, *, dequantize: bool) -> None: ...

class AutoModelForCausalLM:
    @staticmethod
    def from_pretrained(folder: Path, *, gguf_file: str, quantization_config: GgufConfig, dtype: str) -> Any: ...

class AutoTokenizer:
    @staticmethod
    def from_pretrained(folder: Path, *, gguf_file: str) -> Any: ...
