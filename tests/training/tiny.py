"""A tokenizer of bytes and a model that knows nothing, which trainers are tried with."""

from typing import Any

import pytest

transformers: Any = pytest.importorskip("transformers", reason="make test-training has it")
torch: Any = pytest.importorskip("torch")

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def tokenizer() -> Any:
    """Bytes as tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({each: number for number, each in enumerate(["<pad>", "<end>", *alphabet])}, []))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<end>", chat_template=TEMPLATE
    )


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
