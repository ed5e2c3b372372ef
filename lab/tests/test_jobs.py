# SPDX-License-Identifier: Apache-2.0
"""Jobs: their turn, deadline, memory, and what is left of them."""

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from lab import cores, jobs

# Runs `sleep` as a grandchild of a job, in a group of its own, and tells its number.
PARENT = "set -m; sleep 60 & echo $! > {pid}; wait"
# A job in a process of its own, whose lock is in a folder.
OTHER = """
import sys
from pathlib import Path
from lab import jobs
jobs.LOCK = Path(sys.argv[1]) / "lock"
jobs.run(["sh", "-c", sys.argv[2]], log=Path(sys.argv[1]) / "other.log", title="the other")
"""


def is_alive(process: int) -> bool:
    with contextlib.suppress(OSError):
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    return False


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def number(file: Path) -> int:
    wait_until(lambda: file.exists() and bool(file.read_text().strip()))
    return int(file.read_text())


def sh(script: str, log: Path, *, deadline_s: float = 20, memory_gib: float = 8) -> float:
    return jobs.run(
        ["sh", "-c", script], log=log, deadline_s=deadline_s, memory_gib=memory_gib, title="it"
    )


def other(folder: Path, script: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", OTHER, str(folder), script]
    return subprocess.Popen(command, cwd=cores.ROOT, stderr=subprocess.PIPE, text=True)


def test_a_job_tells_its_seconds_and_keeps_its_output(own: Path) -> None:
    seconds = sh("echo out; echo err >&2; sleep 0.3", own / "log")
    assert 0.3 <= seconds < 10
    assert (own / "log").read_text() == "out\nerr\n"


def test_a_deadline_ends_the_job_and_all_that_it_started(own: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(jobs.JobError, match=r"^it timed out after 1\.5 s$") as caught:
        sh(PARENT.format(pid=own / "pid"), own / "log", deadline_s=1.5)
    assert 1.5 <= time.monotonic() - begun < 7
    assert caught.value.status == "timed out after 1.5 s"
    assert not is_alive(number(own / "pid"))


def test_deadlines_are_told_in_minutes() -> None:
    assert jobs.minutes(5400) == "90 min"


def test_too_much_memory_ends_the_job(own: Path) -> None:
    script = f"{sys.executable} -c 'import time; x = b\"1\" * 2**27; time.sleep(60)' & wait"
    with pytest.raises(jobs.JobError, match=r"^it failed: used more than 0\.1 GiB of memory$"):
        sh(script, own / "log", memory_gib=0.1)


def test_memory_below_the_limit_is_no_failure(own: Path) -> None:
    sh(f"{sys.executable} -c 'import time; time.sleep(0.5)'", own / "log", memory_gib=0.1)


def test_a_failure_has_the_first_error_of_the_tool(own: Path) -> None:
    with pytest.raises(jobs.JobError, match=r"^it failed: no such thing \(log: .*log\)$") as caught:
        sh("echo 'a.sv:1:2: error: no such thing.'; echo 'ERROR: last'; exit 3", own / "log")
    assert caught.value.status == "failed: no such thing"


def test_a_tools_own_log_is_asked(own: Path) -> None:
    script = f"echo 'ERROR: elsewhere' > {own}/tool.log; exit 1"
    with pytest.raises(jobs.JobError, match="elsewhere"):
        jobs.run(["sh", "-c", script], log=own / "log", own_log=own / "tool.log", title="it")


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("exit 3", "failed: sh ended with code 3"),
        ("kill -SEGV $$", "failed: sh was killed by signal 11"),
    ],
)
def test_a_failure_without_words(own: Path, script: str, status: str) -> None:
    with pytest.raises(jobs.JobError) as caught:
        sh(script, own / "log")
    assert caught.value.status == status


def test_a_failure_on_a_full_disk_is_not_the_tools(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4096))
    with pytest.raises(OSError, match="No space left") as caught:
        sh("echo 'ERROR: cannot write'; exit 1", own / "log")
    assert caught.value.errno == errno.ENOSPC


def test_a_missing_tool_is_a_sentence(own: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^yosys is not installed: `make setup` does it$"):
        jobs.run([own / "yosys"], log=own / "log", title="it")


def test_an_interruption_kills_the_job(own: Path) -> None:
    process = other(own, PARENT.format(pid=own / "pid"))
    sleeper = number(own / "pid")
    process.send_signal(signal.SIGINT)
    assert process.wait(20) != 0
    assert not is_alive(sleeper)
    assert "KeyboardInterrupt" in process.communicate()[1]


def test_jobs_take_turns_and_say_what_they_wait_for(own: Path) -> None:
    first = other(own, f"touch {own}/begun; sleep 1.5; touch {own}/first")
    wait_until((own / "begun").exists)
    second = other(own, f"test -e {own}/first")
    assert (first.wait(20), second.wait(20)) == (0, 0)
    said = second.communicate()[1]
    assert said.count("waiting for another job: the other (until ") == 1
    assert first.communicate()[1] == ""


def test_a_job_within_a_job_does_not_wait(own: Path) -> None:
    with jobs.turn("outer"):
        process = other(own, "true")
        assert process.wait(20) == 0
        process.communicate()
        sh("true", own / "log")
    assert jobs.IN_TURN not in os.environ


def test_a_job_that_lost_its_parent_still_has_its_turn(own: Path) -> None:
    """Else two long jobs would run at once after `kill -9`."""
    first = other(own, f"echo $$ > {own}/pid; sleep 1.5; touch {own}/first")
    number(own / "pid")
    first.kill()
    first.communicate()
    second = other(own, f"test -e {own}/first")
    assert second.wait(20) == 0
    second.communicate()


def test_work_is_done_once(own: Path) -> None:
    file = own / "made"
    times: list[int] = []

    def work() -> None:
        times.append(1)
        file.touch()

    jobs.once(file, work, title="it")
    jobs.once(file, work, title="it")
    assert len(times) == 1
    jobs.once(file, work, title="it", force=True)
    assert len(times) == 2
    file.unlink()
    jobs.once(file, work, title="it")
    assert len(times) == 3


def test_the_line_of_progress_is_the_tools_last(own: Path) -> None:
    log = own / "log"
    log.write_text("")
    assert jobs.last_line(log) == ""
    log.write_text("x\n" * 3000 + "  Info: placing\n\n")
    assert jobs.last_line(log) == "Info: placing"
