# make paper   raw logs to results/paper.pdf and results/report.html
# make test    all checks, and the tests that take less than two seconds
# make dist    the packages, in dist/
#
# Both make the environment (.venv) first, when it is missing or out of date. See README.md.

PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: paper test quick-test thorough-test check fault-test mutation dist cluster-test remote-test lowest-test compare-test bench gallery sentences docs audit lock clean help

paper: $(VENV)/ready
	@snakemake --cores $(CORES)

# the type checker keeps one core busy for a minute: tests run beside it
test: $(VENV)/ready
	@$(MAKE) --no-print-directory -j2 check quick-test

quick-test: $(VENV)/ready
	@pytest -n auto --dist worksteal -m "not thorough"

# the others (tests/thorough.txt): whole runs, every control of the page, samples cut anywhere; ten minutes and more on two cores
thorough-test: $(VENV)/ready
	@pytest -n auto --dist worksteal -m thorough

# the wheel and the source archive (CONTRIBUTING.md)
dist: $(VENV)/ready
	@rm -rf dist && python -m hatchling build -d dist

# docs/gallery.md: an example of every kind of figure
gallery: $(VENV)/ready
	@snakemake --cores $(CORES) --snakefile docs/gallery.smk --force gallery

# build/docs/index.html: the pages of docs/ as a site
docs: .venv-docs/ready
	@rm -rf docs/api build/docs
	@.venv-docs/bin/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

# known vulnerabilities in the pinned versions; where no package index can be reached it says so and goes on
audit:
	@test .venv-audit/ready -nt .ci/audit.lock || { $(PYTHON) -m venv .venv-audit && \
	  .venv-audit/bin/python -m pip install --disable-pip-version-check -qq --require-hashes -r .ci/audit.lock && \
	  touch .venv-audit/ready; } || echo "not audited: pip-audit cannot be installed here"
	@test ! -e .venv-audit/ready || .venv-audit/bin/python .ci/audit.py

# kills 50 runs, fills disks (that needs root), sets clocks wrong; a quarter of an hour or more
fault-test: $(VENV)/ready
	@BENCHMILL_FAULTS=1 python -m pytest tests/faults tests/page/test_selection.py
	@python -m tests.faults

# plants small mistakes in the code, a hundred of each room, and looks whether a test notices (hours)
mutation: $(VENV)/ready
	@for room in ground costs profiles indicators inference readers tables figures configuration; do python -m tests.mutation $$room || exit 1; done

# a Slurm of its own on this machine: needs root, and apt-get install slurmctld slurmd slurm-client munge
cluster-test: .venv-cluster/ready
	@PATH="$(CURDIR)/.venv-cluster/bin:$$PATH" python -m pytest -m cluster tests/cluster

# web and object servers of its own on this machine
remote-test: .venv-remote/ready
	@PATH="$(CURDIR)/.venv-remote/bin:$$PATH" python -m pytest -m remote tests/remote

# the lowest versions of the libraries that pyproject.toml admits: every kind of figure, and a study beside one of the pinned versions
lowest-test: .venv-lowest/ready
	@PATH="$(CURDIR)/.venv-lowest/bin:$$PATH" BENCHMILL_PINNED="$(CURDIR)/$(BIN)/python" \
	  python -m pytest -p no:cacheprovider tests/lowest tests/exhibits/figures/test_axes_level.py tests/exhibits/tables

# other implementations of the same numbers
compare-test: .venv-compare/ready
	@PATH="$(CURDIR)/.venv-compare/bin:$$PATH" python -m pytest tests/compare tests/notebook/test_beside.py \
	  tests/notebook/test_first_lines.py tests/notebook/test_objects.py

# every benchmark, beside these implementations (half an hour); BENCHMILL_REAL_DATA: a folder of other logs than the shipped ones
bench: .venv-compare/ready
	@PATH="$(CURDIR)/.venv-compare/bin:$$PATH" python benchmarks/all.py

# Plugins are in environments of their own: Snakemake loads all that are installed each time it starts. Such an environment
# sees .venv, and holds only what is more than that or in another version.
SITE := import sysconfig; print(sysconfig.get_path("purelib"))
define own_environment
	@test -x $(@D)/bin/python || $(PYTHON) -m venv --without-pip $(@D)
	@echo "import site; site.addsitedir('$$($(BIN)/python -c '$(SITE)')')" > "$$($(@D)/bin/python -c '$(SITE)')/below.pth"
	$(@D)/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes -r $<
	@touch $@
endef
.venv-docs/ready: docs/requirements.lock $(VENV)/ready
	$(own_environment)
.venv-%/ready: tests/%/requirements.lock $(VENV)/ready
	$(own_environment)

check: $(VENV)/ready
	@ruff check .
	@ruff format --check .
	@snakefmt --check Snakefile docs workflow experiments studies
	@mypy
	@lint-imports
	@python .ci/house_page.py --check
	@snakemake --lint

# The stamp is written last, so an installation that was interrupted is done again.
$(VENV)/ready: requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "benchmill needs Python 3.11 or newer: apt-get install python3 python3-venv, or give PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "benchmill needs Python 3.11 or newer; give one with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "this Python cannot make environments: apt-get install python3-venv"; exit 1; }
	@echo "Making the environment in $(VENV) (one to three minutes, once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --no-compile --require-hashes -r requirements.lock
	@# what pip does on one core; a template of code, which cannot be compiled, is not a failure
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
	@$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Pins are made from pyproject.toml; the lock names no place that packages come from.
LOCK := --generate-hashes --universal --no-header --no-annotate
BUILD := --group pyproject.toml:build
lock: $(VENV)/ready
	@command -v uv >/dev/null || $(BIN)/python -m pip install --quiet uv
	uv pip compile pyproject.toml --extra test $(BUILD) $(LOCK) -o requirements.lock
	uv pip compile pyproject.toml --extra experiments $(LOCK) -c requirements.lock -o experiments/requirements.lock
	uv pip compile pyproject.toml --extra test --extra cluster $(BUILD) $(LOCK) -c requirements.lock -o tests/cluster/requirements.lock
	uv pip compile pyproject.toml --extra test --extra remote --extra kubernetes --extra servers $(BUILD) $(LOCK) -o tests/remote/requirements.lock
	uv pip compile pyproject.toml --extra test --extra compare $(BUILD) $(LOCK) -o tests/compare/requirements.lock
	uv pip compile pyproject.toml --extra docs $(BUILD) $(LOCK) -c requirements.lock -o docs/requirements.lock
	uv pip compile pyproject.toml --resolution lowest-direct --python-version 3.11 -c tests/lowest/constraints.txt $(LOCK) -o tests/lowest/requirements.lock
	uv pip compile --group pyproject.toml:audit --python-version 3.11 $(LOCK) -o .ci/audit.lock
	python .ci/environment.py
	python .ci/files_page.py
	python .ci/config_page.py
	python .ci/house_page.py
	python .ci/numbers_page.py

# every sentence that papers, pages and captions can have, with examples: build/sentences.md
sentences: $(VENV)/ready
	@$(BIN)/python .ci/sentences_page.py
	@echo build/sentences.md

clean:
	rm -rf results/*/ results/*.pdf results/*.html results/*.parquet results/*.tex .snakemake

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -5
