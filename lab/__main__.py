# SPDX-License-Identifier: Apache-2.0
"""`python -m lab`: measures the variants of variants.toml."""

import sys

try:
    from lab.cli import main
except ModuleNotFoundError as error:
    sys.exit(f"error: the Python package {error.name} is missing\nhint: `make setup` installs it")

if __name__ == "__main__":
    sys.exit(main())
