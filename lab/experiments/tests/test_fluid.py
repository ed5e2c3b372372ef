# SPDX-License-Identifier: Apache-2.0
"""The model's arithmetic, on systems whose rates are known."""

import pytest

from lab.experiments.fluid import Machine, On, Outcome, Server, Step, Tasks, simulate

TASK = 1000
PLENTY = 1e12


def cpu(seconds: float, transfers: float = 0.0) -> Server:
    return Server((Step(On.CPU, seconds, transfers),))


def device(seconds: float, transfers: float = 1.0) -> Server:
    return Server((Step(On.DEVICE, seconds, transfers),))


NOTHING = Server(())


def rate(
    workers: list[list[Server]],
    sink: Server = NOTHING,
    *,
    processors: int = 2,
    memory: float = PLENTY,
    uneven: float = 0.0,
) -> tuple[float, Outcome]:
    """Bytes per second, and all else that is known."""
    tasks = Tasks(400, TASK, circulating=8, uneven=uneven)
    outcome = simulate(Machine(processors, memory), workers, sink, tasks)
    return tasks.count * TASK / outcome.seconds, outcome


def test_one_thread_has_its_own_rate() -> None:
    found, outcome = rate([[cpu(0.01)]])
    assert found == pytest.approx(100)
    assert outcome.busy["processors"] == pytest.approx(0.5)


def test_threads_share_the_processors() -> None:
    assert rate([[cpu(0.01)]] * 2)[0] == pytest.approx(200, rel=0.01)
    assert rate([[cpu(0.01)]] * 4)[0] == pytest.approx(200, rel=0.02)
    assert rate([[cpu(0.01)]] * 4, processors=4)[0] == pytest.approx(400, rel=0.02)


def test_all_that_moves_shares_the_memory() -> None:
    found, outcome = rate([[cpu(0.01, 2)]] * 2, memory=300)
    assert found == pytest.approx(150, rel=0.01)
    assert outcome.limit() in ("memory", "processors")
    assert outcome.busy["memory"] == pytest.approx(1, rel=0.02)


def test_steps_of_a_server_follow_each_other_and_servers_overlap() -> None:
    one_thread = Server((Step(On.CPU, 0.01), Step(On.DEVICE, 0.03)))
    assert rate([[one_thread]])[0] == pytest.approx(25)
    assert rate([[cpu(0.01), device(0.03)]])[0] == pytest.approx(1 / 0.03, rel=0.01)


def test_the_sink_is_one_thread_and_takes_tasks_in_order() -> None:
    assert rate([[device(0.001)]] * 4, cpu(0.02))[0] == pytest.approx(50, rel=0.01)
    # One worker is ten times slower: with 8 tasks about, the fast one waits for its order.
    found, _ = rate([[device(0.1)], [device(0.01)]])
    assert found < 1 / 0.1 + 1 / 0.01
    assert found > 1 / 0.1


def test_workers_that_are_alike_go_in_step_unless_steps_are_uneven() -> None:
    worker = [Server((Step(On.CPU, 0.0109), Step(On.DEVICE, 0.0164))), cpu(0.0118)]
    in_step, uneven = rate([worker] * 2)[0], rate([worker] * 2, uneven=0.05)[0]
    assert uneven > 1.25 * in_step


def test_the_same_seed_gives_the_same_time() -> None:
    worker = [cpu(0.01), device(0.02)]
    assert rate([worker] * 2, uneven=0.3)[0] == rate([worker] * 2, uneven=0.3)[0]
