from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

class GGMLQuantizationType(IntEnum):
    F16 = ...

class MODEL_ARCH(IntEnum):  # noqa: N801  the package names it so
    LLAMA = ...

class ReaderTensor(NamedTuple):
    name: str
    tensor_type: GGMLQuantizationType
    data: Any

class GGUFReader:
    tensors: list[ReaderTensor]
    def __init__(self, path: Path) -> None: ...

class GGUFWriter:
    def __init__(self, path: Path, arch: str) -> None: ...

class TensorNameMap:
    def get_name(self, key: str) -> str | None: ...

def get_tensor_name_map(arch: MODEL_ARCH, n_blocks: int) -> TensorNameMap: ...
