# SPDX-License-Identifier: Apache-2.0
"""Addresses, fields and codes of the device, read from saltmill.rdl."""

from dataclasses import dataclass
from typing import Any

from systemrdl.compiler import RDLCompiler
from systemrdl.node import RegNode

from rtl.device.generate_registers import SOURCE, encodings, places, rows, tables


@dataclass(frozen=True)
class Register:
    address: int
    fields: dict[str, tuple[int, int]]  # lowest bit, width
    words: range  # addresses of all its words, if it is an array or a memory
    stride: int  # bytes from one of an array to the next

    def pack(self, **values: int) -> int:
        word = 0
        for name, value in values.items():
            low, width = self.fields[name]
            assert 0 <= value < 1 << width, f"{name} = {value} has more than {width} bits"
            word |= value << low
        return word

    def unpack(self, word: int) -> dict[str, int]:
        return {name: word >> low & (1 << width) - 1 for name, (low, width) in self.fields.items()}


def _compile(top: str) -> Any:
    compiler = RDLCompiler()
    compiler.compile_file(str(SOURCE))
    return compiler.elaborate(top).top


def _registers(top: Any) -> dict[str, Register]:
    return {
        name: Register(
            node.raw_absolute_address,
            {field.inst_name: (field.low, field.width) for field in node.fields()}
            if isinstance(node, RegNode)
            else {},
            range(node.raw_absolute_address, node.raw_absolute_address + node.total_size, 4),
            node.array_stride or node.size,
        )
        for name, node in places(top)
    }


def _codes(top: Any) -> dict[str, int]:
    return {member.name: member.value for encoding in encodings(top) for member in encoding}


_device, _descriptor = _compile("saltmill"), _compile("saltmill_descriptor")
REGISTERS = _registers(_device)
DESCRIPTOR = _registers(_descriptor)
DESCRIPTOR_BYTES: int = _descriptor.size
DESCRIPTOR_LOG2 = DESCRIPTOR_BYTES.bit_length() - 1  # it is a power of two
COUNTERS = tuple(name for table in tables(_device) for name in rows(table))
CODES = _codes(_device) | _codes(_descriptor)  # of operations, job statuses, structures
