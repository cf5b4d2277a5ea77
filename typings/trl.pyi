from typing import Any

from datasets import Dataset
from peft import LoraConfig

class SFTConfig:
    def __init__(self, **options: Any) -> None: ...

class SFTTrainer:
    model: Any
    def __init__(
        self,
        model: Any,
        *,
        args: SFTConfig,
        train_dataset: Dataset,
        processing_class: Any,
        peft_config: LoraConfig,
    ) -> None: ...
    def train(self) -> object: ...
