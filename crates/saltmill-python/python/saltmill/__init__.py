# SPDX-License-Identifier: Apache-2.0
"""Files of the age format, sealed and opened on CPU threads and on streaming crypto devices.

Whole bytes (`encrypt`, `decrypt`), whole files (`encrypt_file`, `decrypt_file`), any part of a file
(`open`), a file in parts on many machines (`plan`, `part`, `complete`; `saltmill.dask`), object
stores (`saltmill.fs`, an fsspec file system), digests, ciphers, devices. Work goes on without the
interpreter's lock, on all processors unless an `Engine` says otherwise.
"""

from ._saltmill import (
    CHUNK_BYTES,
    SEALED_CHUNK_BYTES,
    AesCtr,
    AesGcm,
    ChaCha20,
    ChaCha20Poly1305,
    CounterError,
    DeviceError,
    Engine,
    EngineError,
    Error,
    FormatError,
    Hash,
    Identity,
    IdentityError,
    JobError,
    Passphrase,
    Recipient,
    RecipientError,
    RefusedError,
    __version__,
    algorithms,
    decrypt,
    decrypt_file,
    devices,
    encrypt,
    encrypt_file,
    hash_files,
)

# Type checkers take it for true. `typing` itself would take milliseconds to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._devices import Device
    from ._files import SealedFile, SealingFile, open  # noqa: A004 -- as in `gzip.open`
    from ._parts import ChangedError, Part, Plan, abort, complete, part, plan

# What is written in Python, and where. It is imported when it is first used: what it imports takes
# longer than to start Python, and whole files and bytes need none of it.
_LATER = {
    "_devices": ("Device",),
    "_files": ("SealedFile", "SealingFile", "open"),
    "_parts": ("ChangedError", "Part", "Plan", "abort", "complete", "part", "plan"),
}

__all__ = [
    "CHUNK_BYTES",
    "SEALED_CHUNK_BYTES",
    "AesCtr",
    "AesGcm",
    "ChaCha20",
    "ChaCha20Poly1305",
    "ChangedError",
    "CounterError",
    "Device",
    "DeviceError",
    "Engine",
    "EngineError",
    "Error",
    "FormatError",
    "Hash",
    "Identity",
    "IdentityError",
    "JobError",
    "Part",
    "Passphrase",
    "Plan",
    "Recipient",
    "RecipientError",
    "RefusedError",
    "SealedFile",
    "SealingFile",
    "__version__",
    "abort",
    "algorithms",
    "complete",
    "decrypt",
    "decrypt_file",
    "devices",
    "encrypt",
    "encrypt_file",
    "hash_files",
    "open",
    "part",
    "plan",
]


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names:
            # The built-in import, since `importlib` is one of those that take time.
            found: object = getattr(__import__(f"{__name__}.{module}", fromlist=[name]), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
