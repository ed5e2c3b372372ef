# SPDX-License-Identifier: Apache-2.0
"""What a store refuses, told with the name of the object and with what can be done."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_HINTS: tuple[tuple[int, str, tuple[str, ...]], ...] = (
    (
        errno.EACCES,
        "the credentials have expired: use new ones, best an instance role, which renews itself",
        ("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired"),
    ),
    (
        errno.EACCES,
        "the store does not know these credentials, or no longer: check key, secret and token",
        (
            "InvalidAccessKeyId",
            "InvalidClientTokenId",
            "InvalidToken",
            "SignatureDoesNotMatch",
            "NoCredentialsError",
            "PartialCredentialsError",
            "CredentialRetrievalError",
            "TokenRetrievalError",
        ),
    ),
    (
        errno.EACCES,
        "these credentials are not allowed to do that: check the policies of user and bucket",
        ("AccessDenied", "AllAccessDisabled", "403"),
    ),
    (
        errno.EACCES,
        "this machine's clock is wrong: set it",
        ("RequestTimeTooSkewed",),
    ),
    (
        errno.ENOSPC,
        "the store is full: make room there, or use another one",
        ("QuotaExceeded", "InsufficientStorage", "XMinioStorageFull", "507"),
    ),
    (
        errno.ENOENT,
        "the upload is gone: somebody aborted it, or the bucket's rules did; make a new plan",
        ("NoSuchUpload",),
    ),
    (errno.ENOENT, "there is no such bucket", ("NoSuchBucket",)),
    (
        errno.EBUSY,
        "the store has too much to do: use fewer workers, or try again later",
        ("SlowDown", "ServiceUnavailable", "503"),
    ),
    (
        errno.EHOSTUNREACH,
        "the store can't be reached: check its address, the network, and whether it runs",
        ("EndpointConnectionError", "ConnectTimeoutError", "ReadTimeoutError"),
    ),
)
_KNOWN = {code: (number, hint) for number, hint, codes in _HINTS for code in codes}
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_CLASSES = (
    (PermissionError, errno.EACCES),
    (FileNotFoundError, errno.ENOENT),
    (FileExistsError, errno.EEXIST),
    (TimeoutError, errno.ETIMEDOUT),
)


@contextmanager
def named(name: str) -> Iterator[None]:
    """What fails in it is an `OSError` with the name of the object and a hint."""
    try:
        yield
    except Exception as error:
        if (told := _told(error, name)) is None:
            raise
        raise told from error.__cause__ or error


def is_full(error: BaseException | None) -> bool:
    """Whether there is no room."""
    return isinstance(error, OSError) and error.errno in _FULL


def _told(error: Exception, name: str) -> OSError | None:
    answer = getattr(error.__cause__ or error, "response", None)
    if isinstance(answer, dict) and "Error" in answer:
        return _answered(error, answer, name)
    kind = type(error)
    if kind.__module__.partition(".")[0] in ("botocore", "aiobotocore", "aiohttp", "urllib3"):
        number, hint = _KNOWN.get(kind.__name__, (errno.EIO, ""))
        return OSError(number, _sentence(str(error), kind.__name__, hint), name)
    if isinstance(error, OSError) and error.filename is None:
        hint = _KNOWN["507"][1] if is_full(error) else ""
        return OSError(_number(error), _sentence(error.strerror or str(error), "", hint), name)
    return None


def _answered(error: Exception, answer: dict[str, Any], name: str) -> OSError:
    """What the store said; some have codes of their own, but those of HTTP."""
    code = str(answer["Error"].get("Code", ""))
    status = str(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", ""))
    number, hint = _KNOWN.get(code) or _KNOWN.get(status) or (_number(error), "")
    message = str(answer["Error"].get("Message") or "the store refused")
    return OSError(number, _sentence(message, code, hint), name)


def _number(error: Exception) -> int:
    by_class = next((number for kind, number in _CLASSES if isinstance(error, kind)), errno.EIO)
    return getattr(error, "errno", None) or by_class


def _sentence(message: str, code: str, hint: str) -> str:
    said = message.rstrip(". ") + (f" ({code})" if code else "")
    return f"{said}: {hint}" if hint else said
