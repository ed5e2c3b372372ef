# SPDX-License-Identifier: Apache-2.0
"""What reads the whole project: file lists, variants, synthesis."""
