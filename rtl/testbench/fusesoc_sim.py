# SPDX-License-Identifier: Apache-2.0
"""What Edalize's sim flow lacks: it reports success when tests fail, and when none ran.

As the first cocotb test module of a run it makes the simulator end with status 1 unless there were
tests and all passed. As a program, before the build, it says what cocotb would miss.
"""

import atexit
import os
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results

RESULTS = Path(os.environ.get("COCOTB_RESULTS_FILE", "results.xml")).absolute()


def end_with_their_status() -> None:
    try:
        tests, failed = get_results(RESULTS)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        tests, failed = 0, 0
    if failed or not tests:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)  # from here the simulator would go on and return 0


if __name__ == "__main__":
    if not os.environ.get("GPI_USERS"):
        sys.exit("GPI_USERS is not set, so no test would run: see docs/fusesoc.md")
else:
    RESULTS.unlink(missing_ok=True)  # those of an earlier run
    atexit.register(end_with_their_status)
