# Two commands matter: `make run` and `make test`. Each works alone on a fresh clone.
SHELL := /bin/bash
PORT ?= 8000
PYTHON ?= python3
BIN := $(CURDIR)/.venv/bin
export PATH := $(BIN):$(PATH)
# Where Python may not keep what it compiled, every start of the site takes half as long again.
unexport PYTHONDONTWRITEBYTECODE
STAMPS := .stamps
# Checks, the build and the browser do not wait for one another.
MAKEFLAGS += --jobs=2
CHROMIUM := chromium-headless-shell
FRONTEND := $(shell find frontend/src frontend/public -type f ! -name routeTree.gen.ts 2>/dev/null) \
            $(wildcard frontend/*.ts frontend/*.mjs frontend/*.json)

.DEFAULT_GOAL := help
.PHONY: help setup build run test check format generate lock browser bench bench-search faults examples clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(STAMPS)/python $(STAMPS)/node ## Install what the project needs, into the project

$(STAMPS)/python: requirements-dev.lock pyproject.toml
	@mkdir -p $(STAMPS)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-compile -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

$(STAMPS)/node: frontend/package-lock.json frontend/package.json | $(STAMPS)/python
	@# Not `npm ci`: it refuses a lock from which a registry's missing builds for other systems had to be left out.
	cd frontend && $(BIN)/npm install --no-save --no-audit --no-fund --loglevel=error
	@# Checks and the build both want the routes' tree, and neither should write it while the other reads.
	cd frontend && $(BIN)/npm run --silent routes
	@touch $@

build: $(STAMPS)/build ## Build the frontend

$(STAMPS)/build: $(STAMPS)/node $(FRONTEND)
	cd frontend && $(BIN)/npm run --silent build
	@touch $@

run: $(STAMPS)/build ## Serve the bundled family on http://127.0.0.1:8000 (PORT= overrides)
	$(BIN)/kinfolk serve --port $(PORT)

test: check build browser ## Run every check and every test
	cd frontend && $(BIN)/npm run --silent test
	@# In the order of their folders: the long files come first, and the many short ones fill what is left at the end.
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

check: setup ## Formatting, lint, types, layers, the generated client, facts and links
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/kinfolk generate --check
	$(BIN)/kinfolk check
	cd frontend && $(BIN)/npm run --silent check

format: setup ## Format the Python
	$(BIN)/ruff format --quiet
	$(BIN)/ruff check --quiet --fix

generate: setup ## Write the frontend's client from the functions in Python
	$(BIN)/kinfolk generate

lock: ## Pin the newest versions of everything again (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet pyproject.toml --group dev -o requirements-dev.lock

browser: ## Install Chromium for the browser tests where apt can
	@# Without the parts that draw windows and decode films, it takes half the time of the whole one.
	@command -v chromium-headless-shell >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  { apt-get install -y -qq $(CHROMIUM) >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq $(CHROMIUM) >/dev/null; }; }; } || \
	  command -v chromium >/dev/null || echo "No Chromium here: the browser tests will be skipped"

bench: build ## Measure: cached pages against nginx, cold renders, a whole refresh, memory
	$(BIN)/python tests/bench/bench.py

bench-search: setup ## Measure the search beside MiniSearch and Orama (KINFOLK_CORPUS, KINFOLK_QUERIES)
	$(BIN)/python tests/bench/search.py

faults: build ## Repeat every attack of docs/faults.md on the loopback (ONLY="D1 D2", SOURCE= another checkout)
	$(BIN)/python -m tests.faults $(if $(SOURCE),--source $(SOURCE)) $(ONLY)
	FUZZ_CASES=10000 $(BIN)/pytest -q -n 2 -m fuzz

examples: setup ## Install and build a bundled example for each framework of each library (ONLY="query/vue form")
	$(BIN)/python tests/examples/build.py $(ONLY)

clean: ## Remove everything that was built or installed
	rm -rf .venv .stamps frontend/node_modules frontend/dist
