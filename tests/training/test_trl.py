"""Exported training data in the trainers that it is for: one step of TRL on a tiny model that knows nothing.

`make test-training` runs this in an environment of its own. Nothing is downloaded.
"""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs
from tests.command import command
from tests.deploy import samples
from tests.deploy.journal.records import EPISODE, append, call, record
from tests.simulation.virtual import run
from tests.training.tiny import model, tokenizer

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
