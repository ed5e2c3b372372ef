# SPDX-License-Identifier: Apache-2.0
"""Workers that are killed, and clusters that have none."""

import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pyrage
import pytest
import saltmill
from conftest import LONG, PART, exists, text_of, uploads

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytest.importorskip("s3fs")
import saltmill.dask  # noqa: E402

DEADLINE = 400.0
# A local cluster removes a worker for good that was lost 15 s ago and is not there at that moment,
# although its nanny is just starting it again after another kill. Then nobody is left.
KEEPS_LOST = {"distributed.deploy.lost-worker-timeout": "1h"}


class Killer:
    """Kills workers, at random, while they have a part."""

    def __init__(self, client: Any, kills: int) -> None:
        self.client, self.kills = client, kills
        self.killed: list[int] = []
        self.ended = threading.Event()
        self.draw = random.Random(7)
        self.thread = threading.Thread(target=self.run)

    def __enter__(self) -> "Killer":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def run(self) -> None:
        while len(self.killed) < self.kills and not self.ended.wait(self.draw.uniform(0, 0.1)):
            # One that is just starting is its nanny's: killed then, it would not come back.
            busy = {worker for worker, tasks in self.client.processing().items() if tasks}
            there = [
                n for n in list(self.client.cluster.workers.values()) if n.worker_address in busy
            ]
            there = [n for n in there if n.pid and n.pid not in self.killed]
            if there:
                pid = self.draw.choice(there).pid
                os.kill(pid, signal.SIGKILL)
                self.killed.append(pid)


def in_time(call: Any, client: Any) -> Any:
    """What the call gives; a run that does not end fails, and says what its cluster does."""
    result: list[Any] = []
    thread = threading.Thread(target=lambda: result.append(call()), daemon=True)
    thread.start()
    thread.join(DEADLINE)
    if thread.is_alive():
        state = {"workers": client.nthreads(), "processing": client.processing()}
        pytest.fail(f"after {DEADLINE:.0f} s it had not ended: {state}")
    assert result, "it raised"
    return result[0]


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[saltmill.Plan]:
    """Those that `saltmill.dask` makes."""
    made: list[saltmill.Plan] = []
    plan = saltmill.dask.plan

    def keep(*args: Any, **options: Any) -> saltmill.Plan:
        made.append(plan(*args, **options))
        return made[-1]

    monkeypatch.setattr(saltmill.dask, "plan", keep)
    return made


many = pytest.param((40, 20), marks=pytest.mark.skipif(not LONG, reason="long: SALTMILL_LONG=1"))


@pytest.mark.parametrize("parts_kills", [(10, 1), many])
def test_workers_that_are_killed(
    parts_kills: tuple[int, int],
    tmp_path: Path,
    client: Any,
    store: Any,
    identity: saltmill.Identity,
    rage: pyrage.x25519.Identity,
    plans: list[saltmill.Plan],
) -> None:
    """The file is, byte for byte, that of the same plan without a kill."""
    (parts, kills), s3 = parts_kills, store.storage_options
    text = text_of(parts * PART - 5)
    store.pipe_file("bucket/in/big", text)
    with dask.config.set(KEEPS_LOST), Killer(client, kills) as killer:
        report = in_time(
            lambda: saltmill.dask.encrypt(
                "s3://bucket/in/big",
                "s3://bucket/out/big",
                identity,
                client=client,
                part_bytes=PART,
                # Dask gives a part up when four of its workers were lost.
                retries=kills,
                source_options=s3,
                target_options=s3,
            ),
            client,
        )
    report.check()
    assert len(killer.killed) == kills
    assert uploads(store) == []
    sealed = store.cat_file("bucket/out/big")
    assert pyrage.decrypt(sealed, [rage]) == text
    calm = saltmill._parts.retarget(plans[0], str(tmp_path / "calm"))
    for number in range(calm.parts):
        saltmill.part(calm, number)
    saltmill.complete(calm)
    assert (tmp_path / "calm").read_bytes() == sealed


def test_a_cluster_without_workers(
    s3: dict[str, Any], store: Any, identity: saltmill.Identity, tmp_path: Path
) -> None:
    (tmp_path / "text").write_bytes(b"a text")
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, dashboard_address="127.0.0.1:0"
        ) as local,
        distributed.Client(local) as client,
    ):
        started = time.monotonic()
        call = {"client": client, "lonely_seconds": 1.0}
        report = saltmill.dask.encrypt(
            str(tmp_path / "text"), "s3://bucket/out/a", identity, target_options=s3, **call
        )
        sums = saltmill.dask.sum(str(tmp_path / "text"), **call)
        assert time.monotonic() - started < 30
    for found in (report, sums):
        with pytest.raises(ExceptionGroup) as raised:
            found.check()
        assert "the cluster has had no worker for 1 s" in str(raised.value.exceptions[0])
    assert not exists(store, "bucket/out/a")
    assert uploads(store) == []
