# SPDX-License-Identifier: Apache-2.0
"""Objects of S3: what is read of them, and targets that are put together from parts."""

from __future__ import annotations

from hashlib import md5
from typing import Any

from ._refusals import named
from ._saltmill import Error
from ._stores import Pinned, changed, check_missing, fs_of


class S3Object:
    """An object, and the calls on it; what fails names it."""

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        self.url = url
        self.fs, path = fs_of(url, options)
        bucket, key, version = self.fs.split_path(path)
        self.place = {"Bucket": bucket, "Key": key}
        self.version = {"VersionId": version} if version else {}

    def call(self, method: str, **more: Any) -> Any:
        with named(self.url):
            return self.fs.call_s3(method, **self.place, **more)

    def head(self) -> dict[str, Any] | None:
        """What is known of it now; nothing if it is not there."""
        try:
            known: dict[str, Any] = self.call("head_object", **self.version)
        except FileNotFoundError:
            return None
        except OSError:
            # An answer to HEAD has no body, and so no reason; one to GET has.
            self._get({"Range": "bytes=0-0", **self.version})
            raise
        return known

    def pin(self) -> Pinned:
        known = self.head()
        if known is None:
            raise FileNotFoundError(2, "there is no such object", self.url)
        found = {"size": known["ContentLength"], "ETag": known.get("ETag")}
        if not found["ETag"]:
            raise Error(f"{self.url}: its storage has no ETag that tells whether it changes")
        if (version := known.get("VersionId")) is not None:
            found["VersionId"] = version
        return tuple((name, str(value)) for name, value in found.items())

    def read(self, pinned: Pinned, start: int, stop: int) -> bytes:
        """Bytes of the object that was pinned: the store refuses those of another one."""
        known = dict(pinned)
        call = {"Range": f"bytes={start}-{stop - 1}", "IfMatch": known["ETag"], **self.version}
        try:
            data, answer = self._get(call)
        except OSError as error:
            code = getattr(error.__cause__, "response", {}).get("Error", {}).get("Code")
            if code in ("PreconditionFailed", "412", "InvalidRange", "416"):
                raise changed(self.url) from error
            raise
        # The answer tells what it is of: a store that does not know If-Match is found out.
        size = str(answer.get("ContentRange", "")).rpartition("/")[2]
        found = {"size": size, "ETag": answer.get("ETag"), "VersionId": answer.get("VersionId")}
        if any(found[name] != value for name, value in known.items()):
            raise changed(self.url)
        if len(data) != stop - start:
            raise OSError(5, f"the store gave {len(data)} of {stop - start} bytes", self.url)
        return data

    def _get(self, call: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
        from fsspec.asyn import sync  # noqa: PLC0415 -- local files do without it

        async def get() -> tuple[bytes, dict[str, Any]]:
            left = max(1, self.fs.retries)
            while True:
                left -= 1
                answer = await self.fs._call_s3(
                    "get_object", **self.place, **call, **self.fs.req_kw
                )
                try:
                    return await answer["Body"].read(), answer
                except Exception:  # the connection ended in the middle
                    if not left:
                        raise
                finally:
                    answer["Body"].close()

        with named(self.url):
            done: tuple[bytes, dict[str, Any]] = sync(self.fs.loop, get)
        return done


class S3Store:
    """A multipart upload."""

    most_parts = 10_000
    least_bytes = 5 << 20
    most_bytes = 5 << 30

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        self.object = S3Object(url, options)

    def check(self, parts: int, sizes: list[int]) -> None:
        if parts > self.most_parts:
            raise ValueError(f"S3 takes {self.most_parts} parts, and these are {parts}")
        if max(sizes) > self.most_bytes or (parts > 1 and min(sizes[:-1]) < self.least_bytes):
            raise ValueError("S3 takes parts of 5 MiB to 5 GiB; 80 chunks are 5 MiB")

    def begin(self, size: int, *, overwrite: bool) -> str:
        self._refuse(overwrite=overwrite)
        if size == 0:
            return ""  # an upload has a part with a byte at least
        return str(self.object.call("create_multipart_upload")["UploadId"])

    def put(self, upload: str, number: int, offset: int, data: bytes) -> str:  # noqa: ARG002
        if not upload:
            return ""
        call = {"UploadId": upload, "PartNumber": number + 1, "Body": data}
        return str(self.object.call("upload_part", **call)["ETag"])

    def complete(self, upload: str, sizes: dict[int, int], *, overwrite: bool) -> None:
        self._refuse(overwrite=overwrite)
        if not upload:
            self.object.call("put_object", Body=b"")
        else:
            there = self._parts(upload)
            wrong = [n for n, size in sizes.items() if there.get(n + 1, ("", -1))[1] != size]
            check_missing(self.object.url, wrong)
            parts = [{"PartNumber": n + 1, "ETag": there[n + 1][0]} for n in sizes]
            call = {"UploadId": upload, "MultipartUpload": {"Parts": parts}}
            try:
                self.object.call("complete_multipart_upload", **call)
            except FileNotFoundError:
                # The answer may have been lost, and the upload gone when it was asked for again.
                if not self._is_made_of([there[n + 1][0] for n in sizes]):
                    raise
        # What other users of the same file system know is older.
        fs = self.object.fs
        fs.invalidate_cache(fs._parent("/".join(self.object.place.values())))

    def abort(self, upload: str) -> None:
        if upload:
            try:
                self.object.call("abort_multipart_upload", UploadId=upload)
            except FileNotFoundError:
                return  # it is gone

    def _refuse(self, *, overwrite: bool) -> None:
        if not overwrite and self.object.head() is not None:
            raise FileExistsError(17, "it exists", self.object.url)

    def _is_made_of(self, tags: list[str]) -> bool:
        """Whether the object is made of these parts, as far as its ETag tells."""
        try:
            digests = b"".join(bytes.fromhex(tag.strip('"')) for tag in tags)
        except ValueError:
            return False  # some stores have others
        whole = md5(digests, usedforsecurity=False).hexdigest()
        found = (self.object.head() or {}).get("ETag", "")
        return bool(found.strip('"') == f"{whole}-{len(tags)}")

    def _parts(self, upload: str) -> dict[int, tuple[str, int]]:
        """ETag and size of what is there, by number."""
        found: dict[int, tuple[str, int]] = {}
        marker = 0
        while True:
            page = self.object.call("list_parts", UploadId=upload, PartNumberMarker=marker)
            for part in page.get("Parts", []):
                found[part["PartNumber"]] = (part["ETag"], part["Size"])
            if not page.get("IsTruncated"):
                return found
            marker = page["NextPartNumberMarker"]
