# Every target sets up .venv from requirements.lock first; python3 (3.11 to 3.13) with its venv module is all it assumes.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
CODE := $(wildcard protocols actors deploy tests benchmarks examples)

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow check format bench lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(READY) ## the study that the README shows, on a local Ray; needs no key and no network
	$(BIN)/quintet study demo --placement per-role

test: $(READY) ## all tests but the slow ones
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow"

test-slow: $(READY) ## 2,000 further seeds of the simulation, and the Slurm recipe
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m slow

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

# One lock for every supported Python. Pins already in it are kept; `make lock UPGRADE=--upgrade` moves them.
lock: $(READY) ## pin again what pyproject.toml asks for
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock" \
		--quiet $(UPGRADE) --output-file requirements.lock

clean: ## remove caches and builds; .venv stays
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find $(CODE) -type d -name __pycache__ -prune -exec rm -rf {} +

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; (3, 11) <= sys.version_info < (3, 14) or sys.exit("Python: expected 3.11 to 3.13, got " + sys.version.split()[0] + "; name another with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-input --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-input --no-deps --no-build-isolation -e .
	touch $@
