"""A tokenizer of bytes and a model that knows nothing, which trainers are tried with."""

from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from tests.deploy.test_answers_by_tools import CALLED, SHELVES, tool_server

transformers: Any = pytest.importorskip("transformers", reason="make test-training has it")
torch: Any = pytest.importorskip("torch")

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def tokenizer(template: str = TEMPLATE) -> Any:
    """Bytes as tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({each: number for number, each in enumerate(["<pad>", "<end>", *alphabet])}, []))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<end>", chat_template=template
    )


def template(name: str) -> str:
    """A template of a model that calls tools, as TRL brings it."""
    trl: Any = pytest.importorskip("trl")
    return Path(trl.__file__).with_name("chat_templates").joinpath(f"{name}.jinja").read_text(encoding="utf-8")


def run_by_tools(folder: Path) -> Path:
    """A run that answers by calls of the tools of a world, of which one comes later: `CALLED`."""
    with tool_server() as server:
        server.calls = CALLED
        model = {"url": server.url, "answers": "tools"}
        evaluate("react", SHELVES, model="gpt-5-mini", journal=folder, settings={"model": model})
    return folder


def model() -> Any:
    torch.manual_seed(0)
    return transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=300,
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=8192,
        )
    )
