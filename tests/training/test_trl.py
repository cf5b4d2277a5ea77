"""Exported training data in the trainers that it is for: one step of TRL on a tiny model that knows nothing.

`make test-training` runs this in an environment of its own. Nothing is downloaded.
"""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.tools import ToolAnswer
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs
from tests.command import command
from tests.deploy import samples
from tests.deploy.journal.records import EPISODE, append, call, record
from tests.deploy.test_answers_by_tools import CALLED
from tests.simulation.virtual import run
from tests.training.tiny import model, run_by_tools, template, tokenizer

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]  # what these packages warn of is not ours

datasets: Any = pytest.importorskip("datasets", reason="make test-training has it")
trl: Any = pytest.importorskip("trl")


def settings(folder: Path) -> dict[str, Any]:
    return {
        "output_dir": str(folder),
        "max_steps": 1,
        "per_device_train_batch_size": 1,
        "use_cpu": True,
        "report_to": [],
        "save_strategy": "no",
        "max_length": 8192,
        "gradient_checkpointing": False,
        "bf16": False,
    }


def exported(kind: str, folder: Path, out: Path) -> Any:
    command("export", folder, "--training", kind, out, code=0)
    return datasets.load_dataset(str(out), split="train", cache_dir=str(out.parent / "cache"))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "run"
    command("eval", "lats", "textcraft", "--model", "sim-weak", "--tasks", "torch,beehive", "--out", folder, code=0)
    return folder


@pytest.fixture(scope="module")
def with_tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = samples.write(tmp_path_factory.mktemp("tokens") / "run", samples.record("adapt", ("beehive",)), {})
    prompt, drawn = list(range(2, 200)), [7, 8, 1]
    with closing(SqliteJournal(folder / "journal.sqlite")) as journal:
        journal.begin(EPISODE)
        for number in (1, 2):
            tokens = CallTokens(
                prompt=pack_ids(prompt), completion=pack_ids(drawn), logprobs=pack_logprobs([-0.5] * len(drawn))
            )
            run(append(journal, [call(number, tokens=tokens)]))
            prompt += [*drawn, *range(20)]
        run(append(journal, [record(EpisodeEnded(path=EPISODE, state="solved", reward=1.0))]))
    return folder


def test_one_step_of_supervised_training_on_messages(tree: Path, tmp_path: Path) -> None:
    rows = exported("sft", tree, tmp_path / "sft")
    trainer = trl.SFTTrainer(
        model(), args=trl.SFTConfig(**settings(tmp_path / "out")), train_dataset=rows, processing_class=tokenizer()
    )
    assert trainer.train().training_loss > 0


def test_one_step_of_preference_optimisation_on_pairs(tree: Path, tmp_path: Path) -> None:
    rows = exported("preference", tree, tmp_path / "pairs")
    assert len(rows)
    trainer = trl.DPOTrainer(
        model(),
        ref_model=model(),
        args=trl.DPOConfig(**settings(tmp_path / "out")),
        train_dataset=rows,
        processing_class=tokenizer(),
    )
    assert trainer.train().training_loss > 0


@pytest.fixture(scope="module")
def by_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_by_tools(tmp_path_factory.mktemp("tools") / "run")


@pytest.mark.parametrize("name", ["qwen2_5", "qwen3", "llama3_1", "glm4moe"])
def test_the_template_of_a_model_that_calls_tools_renders_the_tools_and_the_calls(
    by_tools: Path, tmp_path: Path, name: str
) -> None:
    rows = exported("sft", by_tools, tmp_path / "sft")
    assert [each["function"]["name"] for each in rows[0]["tools"]] == ["search", "submit"]
    reader, row = tokenizer(template(name)), rows[0]
    prompt = reader.apply_chat_template(row["prompt"], tools=row["tools"], tokenize=False, add_generation_prompt=True)
    whole = reader.apply_chat_template(row["prompt"] + row["completion"], tools=row["tools"], tokenize=False)
    assert whole.startswith(prompt)
    assert "Search the shelves." in prompt
    assert "search" in whole[len(prompt) :]
    assert "Action:  look" in whole[len(prompt) :], "the argument"


def test_one_step_of_supervised_training_on_calls_of_tools_counts_the_calls_alone(
    by_tools: Path, tmp_path: Path
) -> None:
    rows = exported("sft", by_tools, tmp_path / "sft")
    reader = tokenizer(template("qwen2_5"))
    args = trl.SFTConfig(**{**settings(tmp_path / "out"), "per_device_train_batch_size": len(rows)})
    trainer = trl.SFTTrainer(model(), args=args, train_dataset=rows, processing_class=reader)
    batch = next(iter(trainer.get_train_dataloader()))
    counted = {reader.decode(labels[labels >= 0]) for labels in batch["labels"]}
    whole = [each for each in CALLED if each[2].endswith("}")]
    assert len(whole) == len(rows) - 1, "one was no JSON"
    for said, name, arguments in whole:
        written = json.dumps({"name": name, "arguments": json.loads(arguments)})
        assert f"{said}\n<tool_call>\n{written}\n</tool_call><|im_end|>\n".removeprefix("\n") in counted
    assert trainer.train().training_loss > 0


def test_one_step_of_preference_optimisation_on_pairs_of_calls(tmp_path: Path) -> None:
    folder = samples.write(tmp_path / "run", samples.record("adapt", ("beehive",)), {})
    tools = json.dumps([{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}])
    with closing(SqliteJournal(folder / "journal.sqlite")) as journal:
        for epoch, arguments in enumerate(['{"at": {"page": 1}}', '{"in": ["bag"]}']):
            episode = episode_path("beehive", epoch, 0)
            written = {"type": "function", "function": {"name": "look", "arguments": arguments}}
            answer = ToolAnswer(tools=tools, message=json.dumps({"content": "", "tool_calls": [written]}))
            journal.begin(episode)
            run(append(journal, [call(1, text=f"Action: look {arguments}", episode=episode, tool_answer=answer)]))
            run(append(journal, [record(EpisodeEnded(path=episode, state="solved", reward=float(epoch)))]))
    rows = exported("preference", folder, tmp_path / "pairs")
    (chosen, rejected) = (rows[0][side][0]["tool_calls"][0]["function"]["arguments"] for side in ("chosen", "rejected"))
    assert (chosen, rejected) == ({"in": ["bag"]}, {"at": {"page": 1}}), "without nulls for what the other has"
    trainer = trl.DPOTrainer(
        model(),
        ref_model=model(),
        args=trl.DPOConfig(**settings(tmp_path / "out")),
        train_dataset=rows,
        processing_class=tokenizer(template("qwen2_5")),
    )
    assert trainer.train().training_loss > 0


def test_one_step_on_the_tokens_that_the_endpoint_returned_and_only_on_those_that_it_drew(
    with_tokens: Path, tmp_path: Path
) -> None:
    rows = exported("sft", with_tokens, tmp_path / "sft")
    trainer = trl.SFTTrainer(
        model(), args=trl.SFTConfig(**settings(tmp_path / "out")), train_dataset=rows, processing_class=tokenizer()
    )
    assert [each["input_ids"] for each in trainer.train_dataset] == rows["input_ids"], "it renders nothing again"
    batch = next(iter(trainer.get_train_dataloader()))
    assert batch["labels"][batch["labels"] >= 0].tolist() == [7, 8, 1]
    assert trainer.train().training_loss > 0


def test_groups_have_the_tokens_and_log_probabilities_that_were_drawn(with_tokens: Path, tmp_path: Path) -> None:
    rows = exported("grpo", with_tokens, tmp_path / "grpo")
    assert rows["completion_ids"] == [[7, 8, 1]] * 2
    assert rows["logprobs"] == [[-0.5] * 3] * 2
    assert [len(each) for each in rows["prompt_ids"]] == [198, 221]
    assert rows["advantage"] == [0.0, 0.0], "the only attempt"
