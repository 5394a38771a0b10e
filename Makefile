# `make demo` and `make test` set up everything they need in .venv, with the versions of constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip --quiet --disable-pip-version-check install

.PHONY: demo test test-fast check hostile lint bench clean

demo: $(VENV)/.core
	$(BIN)/riskrank demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --doctest-modules $(ARGUMENTS)

# What matters while editing, in less than a minute.
test-fast: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist loadfile -q -m "not slow" --hypothesis-profile fast tests $(ARGUMENTS)

# Everything that must not hurt, counted; make hostile KILLS=20 MUTATIONS=100 for hours of it.
hostile: $(VENV)/.dev
	RISKRANK_KILLS=$(or $(KILLS),2) RISKRANK_MUTATIONS=$(or $(MUTATIONS),1) RISKRANK_THOROUGH=$(MUTATIONS) \
	  $(BIN)/python -m pytest -n auto --dist loadfile -q -p tests.fronts tests/files tests/hostile $(ARGUMENTS)

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

check: lint test

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/evaluate.py
	$(BIN)/python benchmarks/letor.py
	$(BIN)/python benchmarks/tables.py
	$(BIN)/python benchmarks/tables.py --large
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/train.py
	$(BIN)/python benchmarks/end_to_end.py
	$(BIN)/python benchmarks/quality.py
	$(BIN)/python benchmarks/sweep.py
	$(BIN)/python benchmarks/clicks.py
	$(BIN)/python benchmarks/nets.py
	$(BIN)/python benchmarks/multi_baseline.py
	$(BIN)/python benchmarks/validity.py
	$(BIN)/python benchmarks/guarantee.py
	$(BIN)/python benchmarks/verdicts.py

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "riskrank needs Python 3.11 or newer; name one with make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.core: $(VENV)/.python pyproject.toml constraints.txt
	$(PIP) -e '.[lightgbm,report]'
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(PIP) -e '.[dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.core
	$(PIP) -e '.[bench]'
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
