# `make run` and `make test` each work alone on a fresh clone. Recipes run on macOS too: bash 3.2, GNU make 3.81, BSD tools.
SHELL := /bin/bash
PORT ?= 8000
# The site of `make run` and `make check`.
SITE ?= sites/tanstack
PYTHON ?= python3
BASE ?= HEAD
BIN := $(CURDIR)/.venv/bin
export PATH := $(BIN):$(PATH)
# Without compiled bytecode, a start of the site takes 1.5 times as long.
unexport PYTHONDONTWRITEBYTECODE
STAMPS := .stamps
# Checks, build and browser installation run in parallel.
MAKEFLAGS += --jobs=2
PIP_AUDIT := 2.9.0
CHROMIUM := chromium-headless-shell
ENGINES := --no-install-recommends firefox-esr webkit2gtk-driver gir1.2-webkit2-4.1 gir1.2-gtk-3.0 python3-gi xvfb
# Installs a package where this is root and apt exists. One at a time: apt fails while another apt runs.
APT_INSTALL = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && mkdir -p $(STAMPS) && flock $(STAMPS) sh -c \
  'apt-get install -y -qq $$0 >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq $$0 >/dev/null; }'
FRONTEND := $(shell find frontend/src frontend/public -type f ! -name routeTree.gen.ts 2>/dev/null) \
            $(wildcard frontend/*.ts frontend/*.mjs frontend/*.json sites/*/libraries/*/demo.tsx)

.DEFAULT_GOAL := help
.PHONY: help setup build wheel run test every-test test-frontend prepared test-fast test-python check format generate lock browser engines postgresql nginx varnish promtool faketime deploy-tools deploy-check bench bench-search bench-telemetry bench-statistics bench-live bench-size faults examples patterns pictures clean audit browsers

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMPS)/python $(STAMPS)/node ## Install the dependencies into the project's folder

$(STAMPS)/python: requirements-dev.lock pyproject.toml
	@mkdir -p $(STAMPS)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-compile -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

$(STAMPS)/node: frontend/package-lock.json frontend/package.json | $(STAMPS)/python
	@# Not `npm ci`: it refuses a lock file that lacks builds for other systems, which a registry may not have.
	cd frontend && $(BIN)/npm install --no-save --no-audit --no-fund --loglevel=error
	@# Checks and build both read the route tree: write it before they run in parallel.
	cd frontend && $(BIN)/npm run --silent routes
	@touch $@

build: $(STAMPS)/build ## Build the frontend

$(STAMPS)/build: $(STAMPS)/node $(FRONTEND)
	cd frontend && $(BIN)/npm run --silent build
	@touch $@

wheel: $(STAMPS)/node ## Build the package with the frontend, in dist/
	@# A copy beside no site, so that the package has no demos of one.
	rm -rf $(STAMPS)/wheel && mkdir -p $(STAMPS)/wheel/frontend
	cd frontend && tar -cf - --exclude=node_modules --exclude=dist . | tar -xf - -C ../$(STAMPS)/wheel/frontend
	ln -s $(CURDIR)/frontend/node_modules $(STAMPS)/wheel/frontend/node_modules
	cd $(STAMPS)/wheel/frontend && KINFOLK_DEMOS=off $(BIN)/npm run --silent build
	$(BIN)/python -m hatchling build --target wheel

run: $(STAMPS)/build ## Serve the TanStack site on http://127.0.0.1:8000 (PORT= overrides)
	$(BIN)/kinfolk serve --site $(SITE) --port $(PORT)

test: setup browser postgresql nginx varnish deploy-tools ## Run every check and every test, and fail if they take too much CPU time
	@# The checks and the tests of the frontend use one core each.
	@$(BIN)/python tests/suite/cpu_bound.py $(MAKE) --no-print-directory --jobs=2 every-test

every-test: test-frontend prepared check ## Run every check and every test without the bound on CPU time
	@# In the order of tests/conftest.py: long files first, and the many short ones balance the processes at the end.
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder --cov --cov-report=

test-frontend: $(STAMPS)/node ## Run the tests of the frontend
	cd frontend && $(BIN)/npm run --silent test

prepared: build ## Make the data that many tests read
	$(BIN)/python -m tests.suite.prepare

test-fast: setup build ## Run the unit and http tests of what differs from BASE (default: HEAD)
	$(BIN)/python -m tests.suite.fast $(BASE)

test-python: setup build ## Run the unit tests with the interpreter of .venv, and store the result (make setup PYTHON=python3.14)
	$(BIN)/python -m tests.suite.python_version

check: setup | $(STAMPS)/build ## Check formatting, lint, types, layers, generated files, data and links
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/kinfolk generate --check
	$(BIN)/python -m tests.suite.measurements --check
	$(BIN)/python -m tests.suite.shown_files --check
	KINFOLK_MIRROR=off $(BIN)/kinfolk check --site $(SITE)
	KINFOLK_MIRROR=off $(BIN)/kinfolk check --site docs-site
	cd frontend && $(BIN)/npm run --silent check

format: setup ## Format the Python
	$(BIN)/ruff format --quiet
	$(BIN)/ruff check --quiet --fix

generate: setup ## Write the frontend's client, docs/configuration.md and the measured figures of the documents
	$(BIN)/kinfolk generate
	$(BIN)/python -m tests.suite.measurements
	$(BIN)/python -m tests.suite.shown_files

audit: setup ## Report known vulnerabilities of the locked dependencies (needs the network)
	@# An environment of its own, so that the tool is no dependency of the project.
	test -x $(STAMPS)/audit/bin/pip-audit || { $(PYTHON) -m venv $(STAMPS)/audit && $(STAMPS)/audit/bin/pip install --quiet --disable-pip-version-check "pip-audit==$(PIP_AUDIT)"; }
	$(STAMPS)/audit/bin/pip-audit --require-hashes --disable-pip --requirement requirements-dev.lock
	cd frontend && $(BIN)/npm audit --audit=true --package-lock-only

lock: ## Update the pinned versions of all Python dependencies (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet --all-extras pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet --all-extras pyproject.toml --group dev -o requirements-dev.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet --group deploy -o requirements-deploy.lock

browser: ## Install Chromium for the browser tests with apt
	@# The headless shell installs in half the time of the whole browser.
	@test -n "$$KINFOLK_CHROMIUM" || command -v chromium-headless-shell >/dev/null || { $(APT_INSTALL) $(CHROMIUM); } || \
	  command -v chromium >/dev/null || echo "Chromium is not installed: browser tests are skipped"

engines: ## Install Firefox and WebKitGTK for the tests of other browser engines with apt (35 s)
	@command -v firefox-esr >/dev/null && command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null && \
	  ls /usr/lib/*/girepository-1.0/WebKit2-4.1.typelib >/dev/null 2>&1 || { $(APT_INSTALL) "$(ENGINES)"; } || \
	  echo "Firefox or WebKitGTK is not installed: its tests are skipped"

postgresql: ## Install PostgreSQL for the database tests with apt
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || { $(APT_INSTALL) postgresql; } || \
	  echo "PostgreSQL is not installed: its tests are skipped"

nginx: ## Install nginx for the tests of the documented proxy with apt
	@command -v nginx >/dev/null || { $(APT_INSTALL) nginx-light; } || echo "nginx is not installed: its tests are skipped"

faketime: ## Install libfaketime for attacks with clocks that jump with apt
	@ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || { $(APT_INSTALL) libfaketime; } || \
	  echo "libfaketime is not installed: F4 and F5b fail"

varnish: ## Install Varnish for the tests of shared caches with apt
	@command -v varnishd >/dev/null || { $(APT_INSTALL) varnish; } || echo "Varnish is not installed: its tests are skipped"

promtool: $(STAMPS)/promtool/usr/bin/promtool ## Unpack promtool, which checks rules for Prometheus, from its package of Debian

$(STAMPS)/promtool/usr/bin/promtool:
	@# Not installed: the package starts a server. Its lists are fetched once if they are missing.
	@rm -rf $(@D) && mkdir -p $(STAMPS)/promtool && cd $(STAMPS)/promtool && command -v apt-get >/dev/null && \
	  { apt-get download -qq prometheus >/dev/null 2>&1 || { apt-get update -qq && apt-get download -qq prometheus >/dev/null 2>&1; }; } && \
	  dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool && rm -f prometheus_*.deb || \
	  echo "promtool is not installed: its tests are skipped"

deploy-tools: promtool ## Install what checks the files of deploy/ into an environment of its own
	@mkdir -p $(STAMPS) && cmp -s requirements-deploy.lock $(STAMPS)/deploy-tools/lock || { rm -rf $(STAMPS)/deploy-tools && \
	  $(PYTHON) -m venv $(STAMPS)/deploy-tools && $(STAMPS)/deploy-tools/bin/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes --no-deps --no-compile -r requirements-deploy.lock && cp requirements-deploy.lock $(STAMPS)/deploy-tools/lock; } || \
	  echo "The tools of deploy/ are not installed: its tests are skipped"

deploy-check: setup deploy-tools ## Run the steps of deploy/Dockerfile in a new folder and its server as its user, as root (4 min)
	$(BIN)/python -m tests.deploy.image_check
	$(BIN)/pytest -q -n 2 tests/deploy

browsers: build browser engines ## Compare all kinds of pages in Chromium, Firefox and WebKit, and do the tasks of readers (8 min)
	$(BIN)/python -m tests.engines $(if $(ONLY),--only $(ONLY))

bench: build ## Measure cached pages against nginx, cold renders, a refresh, and memory
	$(BIN)/python tests/bench/bench.py

bench-statistics: build ## Measure /stats/npm with 11 packages and each day of ten years (needs Chromium)
	$(BIN)/python tests/bench/npm_statistics.py

bench-live: build postgresql ## Measure live events with 5,000 readers
	$(BIN)/python tests/bench/live.py

bench-size: build ## Measure sites of 5,000, 20,000 and 100,000 pages (PAGES="5000 20000"; two hours for all)
	$(BIN)/python tests/bench/size.py $(PAGES)

bench-telemetry: build ## Measure what traces cost, with a collector that works and one that hangs (5 min)
	$(BIN)/python tests/bench/telemetry.py

bench-search: setup ## Measure search relevance and speed against MiniSearch and Orama (KINFOLK_CORPUS, KINFOLK_QUERIES)
	$(BIN)/python tests/bench/search.py

faults: build faketime ## Run the attacks of docs/faults.md on the loopback (ONLY="D1 D2", SOURCE= another checkout)
	$(BIN)/python -m tests.faults $(if $(SOURCE),--source $(SOURCE)) $(ONLY)
	FUZZ_CASES=10000 $(BIN)/pytest -q -n 2 -m fuzz --timeout 0

examples: setup ## Install and build a bundled example for each framework of each library (ONLY="query/vue form")
	$(BIN)/python tests/examples/build.py $(ONLY)

patterns: setup ## Attack every regular expression again, and store the notes of those that are linear
	rm -rf tests/samples/linear_patterns.txt $(STAMPS)/prepared/linear-patterns-*
	$(BIN)/pytest -q -n 0 tests/project/test_linear_patterns.py
	$(BIN)/python -m tests.suite.regex_notes

pictures: build browser ## Accept how pages look now (ONLY=home), then look at the changed files of tests/pictures/expected
	$(BIN)/pytest -q -n 0 tests/pictures/test_pictures.py --accept $(if $(ONLY),-k "$(ONLY)")

clean: ## Remove everything that was built or installed
	rm -rf .venv .stamps frontend/node_modules frontend/dist
