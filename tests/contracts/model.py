"""What every model that needs no network holds to. A subclass says how to make one, and pytest does the rest."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from protocols.errors import ModelFault
from protocols.models import Completion, Model, Sampling
from protocols.prompts import ChatMessage, Prompt, assistant, system, user
from tests.contracts.draw import Draw, draw, make_model

_ROOT = Path(__file__).parents[2]

ODD = (
    "",
    " ",
    "\n",
    "\x00",
    "\x1b[31m\x07\x7f",
    "\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680",
    "%s {0} \\1 $(x)",
    "x" * 10_000,
    "9" * 10_000,
    "(" * 10_000,
    " " * 10_000 + "x",
    ", " * 5_000,
    "Action:",
    "Step 1:",
    "a\nb\r\nc\u2028d",
)


class ModelContract:
    """The suite. `pytest` collects it through subclasses whose name begins with `Test`."""

    factory: ClassVar[str]
    """What makes the model: `package.module:callable`."""
    options: ClassVar[Mapping[str, Any]] = {}
    """What it is called with."""
    prompt: ClassVar[tuple[ChatMessage, ...]]
    """A conversation that it answers with at least ten characters."""
    odd: ClassVar[tuple[str, ...]] = ()
    """Odd texts of the model's own kind, beside what is odd everywhere."""

    @pytest.fixture
    def model(self) -> Model:
        return make_model(self.factory, self.options)

    @pytest.fixture
    def whole(self, model: Model) -> Completion:
        """The answer to `prompt`, uncut."""
        return _complete(model, Prompt(*self.prompt), Sampling(max_tokens=10_000))

    def test_it_has_a_name(self, model: Model) -> None:
        assert model.name.strip()

    def test_the_same_prompt_is_answered_the_same(self, model: Model, whole: Completion) -> None:
        sampling = Sampling(max_tokens=10_000)
        another = make_model(self.factory, self.options)
        built_up = Prompt()
        for message in self.prompt:
            built_up = built_up.extend(message)
        assert _complete(model, Prompt(*self.prompt), sampling) == whole
        assert _complete(model, built_up, sampling) == whole
        assert _complete(another, Prompt(*self.prompt), sampling) == whole

    def test_another_process_answers_the_same(self) -> None:
        asked = Draw(
            factory=self.factory,
            options=dict(self.options),
            messages=self.prompt,
            samplings=tuple(Sampling(temperature=temperature, seed=5) for temperature in (0.0, 0.7, 1.5)),
        )
        done = subprocess.run(
            [sys.executable, "-m", "tests.contracts.draw"],
            input=msgspec.json.encode(asked),
            capture_output=True,
            cwd=_ROOT,
            env={**os.environ, "PYTHONHASHSEED": "12345"},
            check=True,
        )
        assert msgspec.json.decode(done.stdout, type=tuple[Completion, ...]) == draw(asked)

    def test_at_temperature_0_the_seed_is_ignored(self, model: Model, whole: Completion) -> None:
        for seed in (None, 0, 1, 2**63):
            assert _complete(model, Prompt(*self.prompt), Sampling(max_tokens=10_000, seed=seed)) == whole

    def test_usage_counts_what_was_read_and_said(self, model: Model, whole: Completion) -> None:
        longer = _complete(model, Prompt(system("Be brief. " * 40), *self.prompt), Sampling(max_tokens=10_000))
        assert whole.usage.prompt_tokens > 0
        assert longer.usage.prompt_tokens > whole.usage.prompt_tokens + 40
        assert 0 < whole.usage.completion_tokens <= len(whole.text)

    @pytest.mark.parametrize("most", [1, 2])
    def test_max_tokens_cuts_the_text_and_says_so(self, model: Model, whole: Completion, most: int) -> None:
        assert whole.usage.completion_tokens > most
        cut = _complete(model, Prompt(*self.prompt), Sampling(max_tokens=most))
        assert cut.finish == "length"
        assert cut.usage.completion_tokens <= most
        assert whole.text.startswith(cut.text)

    def test_a_stop_sequence_ends_the_text_before_it(self, model: Model, whole: Completion) -> None:
        assert whole.finish == "stop"
        stop = whole.text[5:9]
        cut = _complete(model, Prompt(*self.prompt), Sampling(max_tokens=10_000, stop=("\x00never", stop)))
        assert cut.finish == "stop"
        assert stop not in cut.text
        assert whole.text.startswith(cut.text + stop)

    def test_concurrent_calls_do_not_disturb_each_other(self, model: Model) -> None:
        prompts = [Prompt(*self.prompt), Prompt(user("Hello.")), Prompt(*self.prompt, assistant("Hm."), user("Well?"))]
        one_by_one = [_answered(model, prompt) for prompt in prompts]

        async def at_once() -> list[Completion | BaseException]:
            calls = (model.complete(prompt, Sampling()) for prompt in prompts * 5)
            return await asyncio.gather(*calls, return_exceptions=True)

        answers = asyncio.run(at_once())
        assert [answer if isinstance(answer, Completion) else str(answer) for answer in answers] == one_by_one * 5

    def test_odd_prompts_are_answered_or_end_in_a_fault(self, model: Model) -> None:
        for text in (*ODD, *self.odd):
            told = [message for message in self.prompt if message.role == "system"]
            for prompt in (
                Prompt(user(text)),
                Prompt(system(text)),
                Prompt(assistant(text), assistant(text)),
                Prompt(*told, user(text)),
                Prompt(*self.prompt, assistant(text), user(text)),
                Prompt(*self.prompt, user(text), user(text), system(text)),
            ):
                _answered(model, prompt)
        _answered(model, Prompt())


def _complete(model: Model, prompt: Prompt, sampling: Sampling) -> Completion:
    return asyncio.run(_call(model, prompt, sampling))


async def _call(model: Model, prompt: Prompt, sampling: Sampling) -> Completion:
    return await model.complete(prompt, sampling)


def _answered(model: Model, prompt: Prompt) -> Completion | str:
    try:
        return _complete(model, prompt, Sampling())
    except ModelFault as fault:
        return str(fault)
