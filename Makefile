# `make help` lists what there is. Variables: PORT, WORKERS, PYTHON (which Python .venv is made with), PYTEST (its arguments), MATRIX.
PYTHON ?= python3
export PYTHON PORT WORKERS
# What make itself was told stays ours: no parallel steps, no noise.
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := help

BIN := .venv/bin
RUN := $(BIN)/python -m console.local

.PHONY: help up down reset test check fix crash mutants bench lock schema
help: ## Say what there is
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-7s %s\n' "$$name" "$$text"; done

up: ## Start everything and stay until Ctrl-C (PORT=8000, WORKERS=1)
	@.ci/install run
	@exec $(RUN) up

down: ## Stop what `make up` started, from another terminal
	@[ ! -x $(BIN)/python ] || exec $(RUN) down

reset: ## Stop, and remove the data of `make up` and of the tests
	@[ ! -x $(BIN)/python ] || exec $(RUN) reset

test: ## Run the tests (PYTEST="tests/runs -k lease" for some)
	@.ci/install dev
	@.ci/chromium
	@exec $(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST)

check: ## Format, lint, types, import directions, migrations, templates, dependencies
	@.ci/install dev
	@.ci/check

fix: ## Format and mend what can be mended by a tool
	@.ci/install dev
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format --quiet .

crash: ## Run the tests that kill real processes, and the whole matrix (MATRIX=FILE keeps its table)
	@.ci/install dev
	@$(BIN)/python -m pytest -m crash $(PYTEST)
	@exec $(BIN)/python -m tests.crash $(if $(MATRIX),--table "$(MATRIX)")

mutants: ## Make each listed mistake in a copy and show that the tests notice (MUTANTS="fence digest" for some)
	@.ci/install dev
	@exec $(BIN)/python -m tests.mutants $(MUTANTS)

bench: ## Measure, beside DBOS and a bare floor; writes tests/bench/results.json
	@.ci/install bench
	@exec $(RUN) run --place bench -- $(BIN)/python -m tests.bench

schema: ## Keep the schema of a released version, with rows, for later versions to migrate from (VERSION=0.1.0)
	@.ci/install dev
	@$(BIN)/python -m tests.migrations.release "$(VERSION)"

lock: ## Resolve dependencies anew (UPGRADE=1 takes newer versions)
	@.ci/install run
	@$(BIN)/python .ci/lock.py $(if $(UPGRADE),--upgrade)
