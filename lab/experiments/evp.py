# SPDX-License-Identifier: Apache-2.0
"""AES-128-CTR and ChaCha20 by the OpenSSL library of this machine, in this process."""

import ctypes
import ctypes.util
import functools

KEY_BYTES = {"EVP_aes_128_ctr": 16, "EVP_chacha20": 32}
IV_BYTES = 16


class OpenSslError(ValueError):
    """The library refused a call, or is not there."""


@functools.cache
def library() -> ctypes.CDLL:
    name = ctypes.util.find_library("crypto")
    if name is None:
        raise OpenSslError("the library of OpenSSL (libcrypto) is not installed")
    found = ctypes.CDLL(name)
    for function in ("EVP_CIPHER_CTX_new", *KEY_BYTES):
        getattr(found, function).restype = ctypes.c_void_p
    found.OpenSSL_version.restype = ctypes.c_char_p
    return found


def version() -> str:
    text: bytes = library().OpenSSL_version(0)
    return text.decode()


def aes_128_ctr(key: bytes, iv: bytes, text: bytes) -> bytes:
    """Set-up of the key included, as in a call of PyCryptodome. The IV is the counter block."""
    return encrypted("EVP_aes_128_ctr", key, iv, text)


def chacha20(key: bytes, iv: bytes, text: bytes) -> bytes:
    """The IV is the counter, little-endian, and then the nonce."""
    return encrypted("EVP_chacha20", key, iv, text)


def encrypted(name: str, key: bytes, iv: bytes, text: bytes) -> bytes:
    if (len(key), len(iv)) != (KEY_BYTES[name], IV_BYTES):
        raise OpenSslError(f"{name} takes no key of {len(key)} with an IV of {len(iv)} bytes")
    evp = library()
    context = ctypes.c_void_p(evp.EVP_CIPHER_CTX_new())
    try:
        cipher = ctypes.c_void_p(getattr(evp, name)())
        result, length = ctypes.create_string_buffer(len(text)), ctypes.c_int()
        good = evp.EVP_EncryptInit_ex(context, cipher, None, key, iv) == 1
        size = ctypes.byref(length)
        good = good and evp.EVP_EncryptUpdate(context, result, size, text, len(text)) == 1
        if not good or length.value != len(text):
            raise OpenSslError("OpenSSL refused to encrypt")
        return result.raw
    finally:
        evp.EVP_CIPHER_CTX_free(context)
