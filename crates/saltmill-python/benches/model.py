# SPDX-License-Identifier: Apache-2.0
"""1 PiB on 1,000 workers, on paper: what `cluster.py` measured, and what is assumed of a store.

Change a line of `Inputs` for another store or other prices, and run `page.py`.
"""

import math
from dataclasses import dataclass
from typing import Any

MIB, GIB, PIB = 1 << 20, 1 << 30, 1 << 50


@dataclass(frozen=True)
class Inputs:
    """What is not measured here. Prices are those of S3 Standard and EC2 in us-east-1, 2025."""

    answer_seconds: float = 0.15
    """From a request to the first byte of its answer: AWS says 0.1 to 0.2."""
    connection_bytes: float = 85e6
    """A second, in one request: AWS says 85 to 90 MB/s."""
    puts_per_prefix: float = 3500.0
    gets_per_prefix: float = 5500.0
    """A second: AWS's least."""
    prefixes: int = 1
    """Into which the store has divided the names; more, after a while of such load."""
    worker_network: float = 0.26e9
    """Bytes a second, each way, all the time: 2.1 Gbit/s."""
    worker_usd_hour: float = 0.0624
    """A worker has one processor."""
    thousand_puts_usd: float = 0.005
    """Also each POST and LIST."""
    thousand_gets_usd: float = 0.0004
    """Also each HEAD."""
    month_usd: float = 0.021
    """To keep a GB for a month."""
    most_parts: int = 10_000
    parts_of_a_list: int = 1000
    client_threads: int = 16
    """Which make plans and complete them: `_THREADS` of `saltmill._jobs`."""


INPUTS = Inputs()
WORKERS = (1, 10, 100, 1000, 10_000)
PART_SIZES = (64 * MIB, 256 * MIB, 1 * GIB, 5 * GIB)


@dataclass(frozen=True)
class Run:
    """1 PiB of text from objects to objects."""

    results: dict[str, Any]
    part: int
    workers: int
    threads: int = 4
    inputs: Inputs = INPUTS

    @property
    def parts(self) -> int:
        return math.ceil(PIB / self.part)

    @property
    def objects(self) -> int:
        return math.ceil(self.parts / self.inputs.most_parts)

    def cost(self, step: str) -> float:
        """Processor seconds of a worker for a step of a part; it grows with the bytes."""
        per_byte: float = self.results["part_costs"][step]["client"] / self.results["part_bytes"]
        return per_byte * self.part

    @property
    def processor(self) -> float:
        return sum(map(self.cost, ("get", "seal", "put")))

    @property
    def alone(self) -> float:
        """Seconds of a part on a worker that does nothing else: one step after the other."""
        wire = self.part / min(self.inputs.connection_bytes, self.inputs.worker_network)
        moved = (self.inputs.answer_seconds + max(wire, self.cost(step)) for step in ("get", "put"))
        return sum(moved) + self.cost("seal")

    def rates(self) -> dict[str, float]:
        """Parts in a second, as far as each of these allows."""
        return {
            "connections of the workers": self.workers * self.threads / self.alone,
            "processors of the workers": self.workers / self.processor,
            "network of the workers": self.workers * self.inputs.worker_network / self.part,
            "the scheduler": 1 / self.results["task_seconds"],
            "the store's requests": self.inputs.prefixes
            * min(self.inputs.puts_per_prefix, self.inputs.gets_per_prefix),
        }

    @property
    def limit(self) -> str:
        rates = self.rates()
        return min(rates, key=lambda name: rates[name])

    @property
    def client_seconds(self) -> float:
        """For plans in front of the parts, and the end of the last objects."""
        begin = 3 * math.ceil(self.objects / self.inputs.client_threads)
        end = 3 + math.ceil(self.inputs.most_parts / self.inputs.parts_of_a_list)
        return (begin + end) * self.inputs.answer_seconds

    @property
    def seconds(self) -> float:
        return self.parts / self.rates()[self.limit] + self.client_seconds

    @property
    def puts(self) -> int:
        """One for each part; begin, list and complete for each object."""
        lists = math.ceil(self.parts / self.objects / self.inputs.parts_of_a_list)
        return self.parts + self.objects * (2 + lists)

    @property
    def gets(self) -> int:
        """One for each part; looks at source and target, at the begin and at the end."""
        return self.parts + 4 * self.objects

    @property
    def requests_usd(self) -> float:
        puts = self.puts * self.inputs.thousand_puts_usd
        return (puts + self.gets * self.inputs.thousand_gets_usd) / 1000

    @property
    def workers_usd(self) -> float:
        return self.workers * self.seconds / 3600 * self.inputs.worker_usd_hour

    def most_workers(self) -> int:
        """From how many on more of them gain nothing."""
        rates = self.rates()
        each = min(rates[name] for name in rates if "workers" in name) / self.workers
        return math.floor(min(rates["the scheduler"], rates["the store's requests"]) / each)
