#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An encrypted Parquet file, written by pandas and read by pandas and pyarrow.

Only the chunks of the columns that are asked for are read and opened. In front of S3 the URL is
`age::s3://bucket/table.parquet`, and the options of `s3` stand beside those of `age`.
"""

import tempfile

import fsspec
import pandas as pd
import pyarrow.parquet as pq
import saltmill


def main() -> None:
    identity = saltmill.Identity.generate()
    options = {"age": {"identities": identity, "recipients": identity.recipient}}
    table = pd.DataFrame({"n": range(100_000), "word": ["one", "two"] * 50_000})
    with tempfile.TemporaryDirectory() as folder:
        url = f"age::file://{folder}/table.parquet"
        table.to_parquet(url, storage_options=options)
        again = pd.read_parquet(url, storage_options=options)
        print("pandas reads what it wrote:", again.equals(table))
        fs, path = fsspec.core.url_to_fs(url, **options)
        column = pq.read_table(path, filesystem=fs, columns=["n"])
        print("pyarrow reads one column of", column.num_rows, "rows")


if __name__ == "__main__":
    main()
