# SPDX-License-Identifier: Apache-2.0
"""AES-128-CTR and ChaCha20 on a GPU, to compare with: `python -m lab.gpu.measure`."""
