#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An encrypted Zarr store by xarray, and an encrypted Parquet file by polars.

Each file of the store is encrypted by itself: a part of an array takes the files that it is in, and
other machines can write others. In front of S3 the URL is `age::s3://bucket/weather.zarr`; the
options of `s3` stand beside those of `age`, in the place of those of `file`.
"""

import tempfile

import fsspec
import numpy as np
import polars as pl
import pyarrow.dataset as ds
import saltmill
import xarray as xr


def main() -> None:
    identity = saltmill.Identity.generate()
    options = {
        "age": {"identities": identity, "recipients": identity.recipient},
        "file": {"auto_mkdir": True},
    }
    with tempfile.TemporaryDirectory() as folder:
        url = f"age::file://{folder}/weather.zarr"
        values = np.arange(24 * 100 * 100.0).reshape(24, 100, 100)
        weather = xr.Dataset({"kelvin": (("hour", "y", "x"), values)})
        chunks = {"kelvin": {"chunks": (6, 100, 100)}}
        weather.to_zarr(url, storage_options=options, encoding=chunks, consolidated=False)
        with xr.open_zarr(url, storage_options=options, consolidated=False) as found:
            print("xarray reads a mean of", float(found.kelvin[7].mean()))

        url = f"age::file://{folder}/table.parquet"
        table = pl.DataFrame({"n": range(100_000), "word": ["one", "two"] * 50_000})
        with fsspec.open(url, "wb", **options) as file:
            table.write_parquet(file)
        with fsspec.open(url, "rb", **options) as file:
            print("polars reads it again:", pl.read_parquet(file).equals(table))
        # A query that takes the columns and row groups that it needs, and no others
        fs, path = fsspec.core.url_to_fs(url, **options)
        scan = pl.scan_pyarrow_dataset(ds.dataset(path, filesystem=fs, format="parquet"))
        print("polars finds", scan.filter(pl.col("n") < 5).select("word").collect().height, "rows")


if __name__ == "__main__":
    main()
