"""Fine-tune a model in a GGUF file by LoRA on rows of `quintet export --training sft` (docs/stories/train.md)."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LAYERS = ("v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""What is trained. The other two, q_proj and k_proj, have their rows in another order in llama.cpp's files."""


def conversations(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The solved episodes, one row each: an episode's last call was shown all that was said before.

    Returns:
        `prompt`, what the first call was shown, and `completion`, the answers and what the world said to them.
    """
    episodes: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["success"] and row["phase"] == "execute":
            episodes.setdefault(row["episode"], []).append(row)
    return [
        {"prompt": shown, "completion": [*calls[-1]["prompt"], *calls[-1]["completion"]][len(shown) :]}
        for calls in episodes.values()
        for shown in [calls[0]["prompt"]]
    ]


def fine_tune(file: Path, episodes: list[dict[str, Any]], steps: int) -> Any:
    """The model in the file, with what it learnt merged into its weights."""
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
    from trl import SFTConfig, SFTTrainer

    with TemporaryDirectory() as folder:
        trainer = SFTTrainer(
            AutoModelForCausalLM.from_pretrained(
                file.parent,
                gguf_file=file.name,
                quantization_config=GgufConfig(dequantize=True),
                dtype="float32",
            ),
            args=SFTConfig(
                output_dir=folder,
                max_steps=steps,
                max_length=None,
                per_device_train_batch_size=1,
                learning_rate=1e-3,
                lr_scheduler_type="cosine",
                logging_steps=5,
                report_to=[],
                save_strategy="no",
                gradient_checkpointing=False,
                bf16=False,
                use_cpu=True,
            ),
            train_dataset=Dataset.from_list(episodes),
            processing_class=AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name),
            peft_config=LoraConfig(r=16, lora_alpha=32, target_modules=list(LAYERS)),
        )
        trainer.train()
    return trainer.model.merge_and_unload()


def write(model: Any, file: Path, out: Path) -> None:
    """Copy the file, with the trained layers at 16 bits a weight."""
    from gguf import MODEL_ARCH, GGMLQuantizationType, GGUFReader, GGUFWriter, get_tensor_name_map
    from gguf.scripts.gguf_new_metadata import copy_with_new_metadata

    names = get_tensor_name_map(MODEL_ARCH.LLAMA, model.config.num_hidden_layers)
    trained = {
        f"{names.get_name(name.removesuffix('.weight'))}.weight": weight.detach().half().numpy()
        for name, weight in model.named_parameters()
        if name.split(".")[-2] in LAYERS
    }
    read = GGUFReader(file)
    read.tensors = [
        each._replace(data=trained[each.name], tensor_type=GGMLQuantizationType.F16) if each.name in trained else each
        for each in read.tensors
    ]
    copy_with_new_metadata(read, GGUFWriter(out, "llama"), {}, [])


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="the GGUF file to begin with, of llama's architecture")
    parser.add_argument("rows", help="the folder that the export wrote")
    parser.add_argument("out", type=Path, help="the GGUF file to write")
    parser.add_argument("--steps", type=int, default=200, help="of one episode each, shuffled")
    options = parser.parse_args()

    from datasets import load_dataset

    episodes = conversations(load_dataset(options.rows, split="train"))
    print(len(episodes), "solved episodes")
    write(fine_tune(options.model, episodes, options.steps), options.model, options.out)
