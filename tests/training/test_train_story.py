"""The script of the story of training on its real model: one step, and what llama.cpp reads of the file it writes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from examples.train import LAYERS, conversations, fine_tune, write
from quintet.messages.prompts import Prompt, user
from quintet.models.local.model import Local
from quintet.ports.model import Sampling
from tests.command import command
from tests.model.smollm import model_file

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]  # what these packages warn of is not ours

datasets: Any = pytest.importorskip("datasets", reason="make test-training has it")
gguf: Any = pytest.importorskip("gguf")


async def _says(file: Path) -> str:
    model = Local(file, context=512)
    try:
        return (await model.complete(Prompt(user("Say hello.")), Sampling(max_tokens=8))).text
    finally:
        await model.aclose()


def test_one_step_changes_the_trained_layers_alone_and_llama_cpp_reads_them_as_they_were_trained(
    tmp_path: Path,
) -> None:
    run, rows, out = (tmp_path / name for name in ("run", "rows", "out.gguf"))
    settings = ("--config", EXAMPLES / "train.toml", "--set", f"method.prompts={EXAMPLES / 'prompts'}")
    command("eval", *settings, "--model", "sim-strong", "--tasks", "torch,bread", "--out", run, code=0)
    command("export", run, "--training", "sft", rows, code=0)
    trained = fine_tune(model_file(), conversations(datasets.load_dataset(str(rows), split="train")), 1)
    write(trained, model_file(), out)
    before, after = (
        {each.name: gguf.dequantize(each.data, each.tensor_type) for each in gguf.GGUFReader(file).tensors}
        for file in (model_file(), out)
    )
    assert before.keys() == after.keys()
    moved = {name: abs(after[name] - weight).max() for name, weight in before.items()}
    names = {"attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}
    assert {name.split(".")[2] for name, most in moved.items() if most > 0} == names
    assert len(names) == len(LAYERS)
    assert max(moved.values()) < 0.1, "a step is small, so every weight is where it was"
    assert asyncio.run(_says(out)).strip()
