# SPDX-License-Identifier: Apache-2.0
"""The published experiments of four systems, run again: `python -m lab experiment NAME`."""
