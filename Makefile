# Everything a contributor types. Needs Python 3.11 or later with venv, and make; uv is used where present.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
UV := $(shell command -v uv 2>/dev/null)

.PHONY: help setup demo test check format bench eval lock clean

help:
	@echo "make demo    a stuck agent, unguarded and guarded, side by side"
	@echo "make test    install what is needed, run the tests"
	@echo "make check   format, lint, types, import contracts"
	@echo "make format  apply the formatter"
	@echo "make bench   print the performance bars, measured here and now"
	@echo "make eval    measure the policies on recorded runs, cases and probes"
	@echo "make lock    renew dev.lock (needs uv)"

setup: $(READY)

$(READY): pyproject.toml dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "toolbrake needs Python 3.11 or later; set PYTHON=/path/to/python3"; exit 1; }
ifneq ($(UV),)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python --requirement dev.lock --editable .
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement dev.lock --editable .
endif
	@touch $(READY)

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	$(BIN)/python -m benchmarks

demo: $(READY)
	@$(BIN)/toolbrake demo

eval: $(READY)
	$(BIN)/toolbrake eval

lock:
	uv pip compile --quiet --universal --python-version 3.11 --no-header --no-emit-index-url --no-annotate --all-extras --group dev --output-file dev.lock pyproject.toml

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist
