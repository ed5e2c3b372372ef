# SPDX-License-Identifier: Apache-2.0
"""Encrypted tables and arrays, by the libraries that people read them with.

They are all among the package's requirements: none is skipped.
"""

from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import saltmill
import xarray as xr
from conftest import CHUNK

ROWS = 200_000


@pytest.fixture(scope="module")
def options(identity: saltmill.Identity) -> dict[str, Any]:
    return {"age": {"identities": identity, "recipients": identity.recipient}}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    numbers = np.arange(ROWS)
    noise = numbers.astype("uint64") * np.uint64(0x9E3779B97F4A7C15)
    return pd.DataFrame({"n": numbers, "noise": noise, "even": 1 - numbers % 2})


@pytest.fixture(scope="module")
def url(
    tmp_path_factory: pytest.TempPathFactory, table: pd.DataFrame, options: dict[str, Any]
) -> str:
    """A Parquet file in row groups, each of several chunks, that pandas wrote."""
    path = tmp_path_factory.mktemp("tables") / "table.parquet"
    table.to_parquet(f"age::file://{path}", storage_options=options, row_group_size=50_000)
    assert path.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert path.stat().st_size > 20 * CHUNK
    return f"age::file://{path}"


def test_pandas(url: str, table: pd.DataFrame, options: dict[str, Any]) -> None:
    pd.testing.assert_frame_equal(pd.read_parquet(url, storage_options=options), table)


def test_pyarrow(url: str, options: dict[str, Any]) -> None:
    fs, path = fsspec.core.url_to_fs(url, **options)
    column = pq.read_table(path, filesystem=fs, columns=["n"])
    assert column.column("n").to_pylist() == list(range(ROWS))
    found = ds.dataset(path, filesystem=fs, format="parquet")
    assert found.count_rows(filter=ds.field("n") < 5) == 5


def test_polars(tmp_path: Path, url: str, table: pd.DataFrame, options: dict[str, Any]) -> None:
    """A whole table; a query that is pushed down to the file; and what polars writes."""
    expected = pl.from_pandas(table)
    with fsspec.open(url, "rb", **options) as file:
        polars.testing.assert_frame_equal(pl.read_parquet(file), expected)
    query = (pl.col("n") >= 3) & (pl.col("n") < 7)
    wanted = expected.filter(query).select("noise")
    with fsspec.open(url, "rb", **options) as file:
        lazily = pl.scan_parquet(file).filter(query).select("noise").collect()
    polars.testing.assert_frame_equal(lazily, wanted)
    fs, path = fsspec.core.url_to_fs(url, **options)
    scan = pl.scan_pyarrow_dataset(ds.dataset(path, filesystem=fs, format="parquet"))
    polars.testing.assert_frame_equal(scan.filter(query).select("noise").collect(), wanted)
    with fsspec.open(f"age::file://{tmp_path}/again.parquet", "wb", **options) as file:
        expected.write_parquet(file)
    again = pd.read_parquet(f"age::file://{tmp_path}/again.parquet", storage_options=options)
    pd.testing.assert_frame_equal(again, table)


def test_a_column_is_not_the_whole_file(url: str, options: dict[str, Any]) -> None:
    """A scan reads the row groups and columns that it needs, and no more of the sealed file."""
    fs, path = fsspec.core.url_to_fs(url, **options)
    got: list[int] = []
    below = fs.fs.cat_ranges

    def counted(paths: list[str], starts: list[int], ends: list[int], **kwargs: Any) -> Any:
        got.extend(end - start for start, end in zip(starts, ends, strict=True))
        return below(paths, starts, ends, **kwargs)

    fs.fs.cat_ranges = counted
    try:
        scan = pl.scan_pyarrow_dataset(ds.dataset(path, filesystem=fs, format="parquet"))
        assert scan.filter(pl.col("n") == 60_000).select("noise").collect().height == 1
    finally:
        del fs.fs.cat_ranges
    assert 0 < sum(got) < fs.fs.info(path)["size"] / 2


def test_xarray_and_zarr(tmp_path: Path, options: dict[str, Any]) -> None:
    """Each file of the store is sealed; a part of an array takes the files that it is in."""
    values = np.random.default_rng(1).random((40, 300, 200))
    days = np.arange("2026-01-01", "2026-02-10", dtype="datetime64[D]").astype("datetime64[ns]")
    array = xr.Dataset(
        {"temperature": (("day", "y", "x"), values)}, coords={"day": days}, attrs={"unit": "K"}
    )
    folder = tmp_path / "weather.zarr"
    url = f"age::file://{folder}"
    all_options = {**options, "file": {"auto_mkdir": True}}
    chunks = {"temperature": {"chunks": (10, 300, 200)}}
    array.to_zarr(url, storage_options=all_options, encoding=chunks, consolidated=False)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 5
    for path in files:
        assert path.read_bytes().startswith(b"age-encryption.org/v1\n"), path
    with xr.open_zarr(url, storage_options=all_options, consolidated=False, chunks=None) as found:
        xr.testing.assert_identical(found.load(), array)
    # Only the files that are read must be whole.
    broken = folder / "temperature/c/3/0/0"
    broken.write_bytes(broken.read_bytes()[:-1])
    with xr.open_zarr(url, storage_options=all_options, consolidated=False, chunks=None) as found:
        part = found.temperature.sel(day=slice("2026-01-05", "2026-01-12"))[:, 7, :]
        np.testing.assert_array_equal(part.values, values[4:12, 7, :])
        with pytest.raises(saltmill.RefusedError):
            found.temperature[35].load()
    other = {**all_options, "age": {"identities": saltmill.Identity.generate()}}
    with pytest.raises(saltmill.IdentityError):
        xr.open_zarr(url, storage_options=other, chunks=None)
