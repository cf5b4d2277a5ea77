"""Exported training data in verl's own readers, by the code that its page gives.

`make test-training` runs this in an environment of its own. Nothing is downloaded.
"""

import asyncio
import re
import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tests.command import command
from tests.deploy.test_answers_by_tools import CALLED
from tests.training.tiny import model, run_by_tools, template, tokenizer

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]  # what these packages warn of is not ours

datasets: Any = pytest.importorskip("datasets", reason="make test-training has it")
if sys.version_info >= (3, 13):
    pytest.skip("verl 0.9.1 is for Python before 3.13", allow_module_level=True)
with warnings.catch_warnings(action="ignore"):
    omegaconf, tensordict, torch, vision = (
        cast("Any", import_module(name))
        for name in ("omegaconf", "tensordict", "torch", "transformers.models.qwen2_vl.modeling_qwen2_vl")
    )
    # verl wants transformers before 5.11. Of a later one its readers miss this name alone, of a model of pictures.
    vision.Qwen2VLCausalLMOutputWithPast = object
    verl, of_messages, of_pairs, of_prompts, batches, losses, rewards, tensors = (
        cast("Any", import_module(f"verl{name}"))
        for name in (
            "",
            ".utils.dataset.multiturn_sft_dataset",
            ".utils.dataset.rm_dataset",
            ".utils.dataset.rl_dataset",
            ".utils.dataset.dataset_utils",
            ".workers.utils.losses",
            ".experimental.reward_loop.reward_manager.naive",
            ".utils.tensordict_utils",
        )
    )

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
READERS, TEXTS = re.findall(
    r"```python\n(.*?)```", PAGE.read_text().split("### verl\n")[1].split("\n## ")[0], re.DOTALL
)
CONFIGURATION = Path(verl.__file__).parent / "trainer" / "config"
REINFORCED = omegaconf.OmegaConf.load(CONFIGURATION / "data" / "legacy_data.yaml")
SUPERVISED = omegaconf.OmegaConf.load(CONFIGURATION / "sft_trainer_engine.yaml").data
"""What verl has as `data` by default."""


def settings(defaults: Any = REINFORCED, **changed: object) -> Any:
    """With room for these texts, whose tokens are bytes."""
    return omegaconf.OmegaConf.merge(defaults, {"max_length": 8192, "max_prompt_length": 8192}, changed)


def of_the_page(name: str, folder: Path) -> Any:
    """A class of the page, as verl finds it by `data.custom_cls`."""
    (file := folder / "rows.py").write_text(READERS)
    return of_prompts.get_dataset_class(settings(custom_cls={"path": str(file), "name": name}))


def exported(kind: str, folder: Path, out: Path) -> tuple[str, list[dict[str, Any]]]:
    """The file, and its rows."""
    command("export", folder, "--training", kind, out, code=0)
    (file,) = (out / "train").iterdir()
    return str(file), datasets.load_dataset(str(out), split="train", cache_dir=str(out.parent / "cache")).to_list()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "run"
    command("eval", "lats", "textcraft", "--model", "sim-weak", "--tasks", "torch,beehive", "--out", folder, code=0)
    return folder


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where verl's readers, which are told of none, have `datasets` keep what it read."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "verl")


def counted(held: dict[str, Any]) -> str:
    """The text that a loss counts."""
    return str(tokenizer().decode(held["input_ids"][held["loss_mask"].bool()]))


def test_supervised_training_reads_every_row_and_its_loss_counts_the_completion_alone(
    tree: Path, tmp_path: Path
) -> None:
    file, rows = exported("sft", tree, tmp_path / "sft")
    read = of_the_page("Completions", tmp_path)(file, tokenizer(), settings(SUPERVISED, messages_key="prompt"))
    assert len(read) == len(rows) > 50
    for row, held in zip(rows, (read[number] for number in range(len(rows))), strict=True):
        said = [*row["prompt"], *row["completion"]]
        assert tokenizer().decode(held["input_ids"]) == tokenizer().apply_chat_template(said, tokenize=False)
        assert counted(held) == row["completion"][0]["content"] + "\n"


def test_supervised_training_reads_the_tools_and_its_loss_counts_the_calls(tmp_path: Path) -> None:
    file, rows = exported("sft", run_by_tools(tmp_path / "run"), tmp_path / "sft")
    reader = tokenizer(template("qwen2_5"))
    read = of_the_page("Completions", tmp_path)(file, reader, settings(SUPERVISED, messages_key="prompt"))
    assert len(read) == len(rows) == len(CALLED)
    for row, held in zip(rows, (read[number] for number in range(len(rows))), strict=True):
        said = [*row["prompt"], *row["completion"]]
        whole = reader.apply_chat_template(said, tools=row["tools"], tokenize=False)
        assert reader.decode(held["input_ids"]) == whole
        assert whole.endswith(counted(held))
        assert counted(held).startswith(f"{row['completion'][0]['content']}\n<tool_call>".removeprefix("\n"))


def test_verls_own_reader_of_one_list_of_messages_would_count_the_answers_in_the_prompt_too(
    tree: Path, tmp_path: Path
) -> None:
    _, rows = exported("sft", tree, tmp_path / "sft")
    talks = [{"messages": [*row["prompt"], *row["completion"]]} for row in rows]
    datasets.Dataset.from_list(talks).to_parquet(file := str(tmp_path / "talks.parquet"))
    read = of_messages.MultiTurnSFTDataset(file, tokenizer(), settings(SUPERVISED))
    texts = [counted(read[number]) for number in range(len(rows))]
    answers = [[each["content"] for each in talk["messages"] if each["role"] == "assistant"] for talk in talks]
    assert texts == ["".join(f"{answer}\n" for answer in each) for each in answers]
    assert max(map(len, answers)) > 1


def test_verls_loss_on_a_batch_is_that_of_the_completions_and_a_step_lessens_it(tree: Path, tmp_path: Path) -> None:
    file, _ = exported("sft", tree, tmp_path / "sft")
    read = of_the_page("Completions", tmp_path)(file, tokenizer(), settings(SUPERVISED, messages_key="prompt"))
    rows = [read[0], read[1]]
    batch = batches.SFTTensorCollator("no_padding")(rows)
    policy = model()

    def loss() -> Any:
        drawn = [
            torch.log_softmax(policy(input_ids=ids[None]).logits[0], -1).gather(1, ids.roll(-1)[:, None])[:, 0]
            for ids in batch["input_ids"].unbind()
        ]
        says = {"log_probs": torch.nested.as_nested_tensor(drawn, layout=torch.jagged)}
        told = {"dp_size": 1, "batch_num_tokens": batch["loss_mask"].values().sum()}
        return losses.sft_loss(None, says, tensors.get_tensordict(batch, told))[0]

    labels = [row["input_ids"].masked_fill(row["loss_mask"] == 0, -100) for row in rows]
    theirs = [
        policy(input_ids=row["input_ids"][None], labels=each[None]).loss * row["loss_mask"].sum()
        for row, each in zip(rows, labels, strict=True)
    ]
    before = loss()
    assert before.item() == pytest.approx((sum(theirs) / batch["loss_mask"].values().sum()).item(), rel=1e-4)
    before.backward()
    torch.optim.SGD(policy.parameters(), lr=0.1).step()
    assert loss().item() < before.item()


def test_reinforcement_reads_the_prompts_as_they_are_and_by_their_length_in_tokens(tree: Path, tmp_path: Path) -> None:
    file, rows = exported("grpo", tree, tmp_path / "grpo")
    read = of_prompts.RLHFDataset(file, tokenizer(), settings())
    assert [read[number]["raw_prompt"] for number in range(len(read))] == [row["prompt"] for row in rows]
    batch = tensors.get_tensordict(of_prompts.collate_fn([read[0], read[1]]))
    assert set(rows[0]) <= set(batch.keys()), "the trainer's batch takes every column"
    assert batch["call"] == [rows[0]["call"], rows[1]["call"]]
    lengths = [
        len(tokenizer().apply_chat_template(row["prompt"], tokenize=False, add_generation_prompt=True)) for row in rows
    ]
    most = sorted(lengths)[10]
    kept = of_prompts.RLHFDataset(file, tokenizer(), settings(filter_overlong_prompts=True, max_prompt_length=most))
    assert len(kept) == sum(each <= most for each in lengths) < len(rows)


def test_reinforcement_reads_the_prompts_of_a_run_with_tools(tmp_path: Path) -> None:
    file, rows = exported("grpo", run_by_tools(tmp_path / "run"), tmp_path / "grpo")
    read = of_prompts.RLHFDataset(file, tokenizer(), settings())
    batch = tensors.get_tensordict(of_prompts.collate_fn([read[0], read[1]]))
    assert batch["raw_prompt"] == [row["prompt"] for row in rows[:2]]
    assert set(rows[0]) <= set(batch.keys())


def test_a_reward_function_is_told_the_run_and_the_task_by_the_class_of_the_page(tree: Path, tmp_path: Path) -> None:
    file, rows = exported("grpo", tree, tmp_path / "grpo")
    answer = torch.tensor([tokenizer()("get 1 coal")["input_ids"]])
    asked: list[dict[str, Any]] = []

    def compute_score(**told: Any) -> float:
        asked.append(told)
        return 0.5

    async def reward(row: dict[str, Any]) -> Any:
        drawn = tensordict.TensorDict({"responses": answer, "attention_mask": torch.ones_like(answer)}, batch_size=1)
        others = {name: np.array([value]) for name, value in row.items()}
        manager = rewards.NaiveRewardManager(settings(), tokenizer(), compute_score)
        return (await manager.run_single(verl.DataProto(batch=drawn, non_tensor_batch=others)))["reward_score"]

    assert asyncio.run(reward(of_the_page("Prompts", tmp_path)(file, tokenizer(), settings())[0])) == 0.5
    assert [(each["data_source"], each["ground_truth"]) for each in asked] == [(rows[0]["run"], rows[0]["task"])]
    assert asked[0]["solution_str"] == "get 1 coal"
    with pytest.raises(KeyError, match="data_source"):
        asyncio.run(reward(of_prompts.RLHFDataset(file, tokenizer(), settings())[0]))


def test_pairs_are_read_as_the_texts_that_the_page_makes_of_them(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, rows = exported("preference", tree, tmp_path / "pairs")
    with pytest.raises(ValueError):
        of_pairs.RMDataset(file, tokenizer(), max_length=8192, cache_dir=str(tmp_path))[0]
    monkeypatch.chdir(tmp_path)
    exec(TEXTS, {"rows": datasets.Dataset.from_list(rows), "tokenizer": tokenizer()})
    read = of_pairs.RMDataset("pairs.parquet", tokenizer(), max_length=8192, cache_dir=str(tmp_path))
    assert len(read) == len(rows) > 0
    for row, held in zip(rows, (read[number] for number in range(len(rows))), strict=True):
        prompt = tokenizer().apply_chat_template(row["prompt"], tokenize=False, add_generation_prompt=True)
        for side, ids, real in zip(("chosen", "rejected"), held["input_ids"], held["attention_mask"], strict=True):
            assert tokenizer().decode(ids[real.bool()]) == f"{prompt}{row[side][0]['content']}<end>"
