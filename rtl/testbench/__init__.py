# SPDX-License-Identifier: Apache-2.0
"""What the tests of all blocks share."""
