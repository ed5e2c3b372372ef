# SPDX-License-Identifier: Apache-2.0
"""Saltmill devices under PYNQ: numpy arrays in and out."""

from .ip import Saltmill
from .memory import Span
from .ring import DeviceError, Job, JobError, TagMismatchError

__all__ = ["DeviceError", "Job", "JobError", "Saltmill", "Span", "TagMismatchError"]
