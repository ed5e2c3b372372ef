// SPDX-License-Identifier: Apache-2.0
//! Memories that a simulated device can be put in front of.

/// How the simulated memory answers. All numbers are modelled: from data sheets where there is one,
/// estimated otherwise, measured on no board.
///
/// A port moves at most one beat of the device's data width per cycle and direction, whatever the
/// limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryProfile {
    /// Name, for example `zedboard`.
    pub name: &'static str,
    /// The device clock that the numbers are for, in Hz; 0: any.
    pub clock_hz: u32,
    /// Cycles from a read's address to its first data; at least 1.
    pub read_latency: u32,
    /// Cycles from a write's last data to its response; at least 1.
    pub write_latency: u32,
    /// Read bursts that a port takes before the device must wait; 1 to 64.
    pub outstanding_reads: u32,
    /// Write bursts that a port takes before the device must wait; 1 to 64.
    pub outstanding_writes: u32,
    /// Bytes per cycle of a port in each direction; 0: no other limit than the device's width.
    pub port_bytes_per_cycle: f64,
    /// Bytes per cycle of all ports and both directions together; 0: no limit.
    pub shared_bytes_per_cycle: f64,
}

/// What a DDR3 controller delivers of its pins' rate with a mix of reads and writes: an estimate.
const DDR_EFFICIENCY: f64 = 0.7;

impl MemoryProfile {
    /// Answers in the next cycle, without limits.
    pub const IDEAL: Self = Self {
        name: "ideal",
        clock_hz: 0,
        read_latency: 1,
        write_latency: 1,
        outstanding_reads: 64,
        outstanding_writes: 64,
        port_bytes_per_cycle: 0.0,
        shared_bytes_per_cycle: 0.0,
    };

    /// 100 cycles of latency both ways and no limit but the port: what the efficiency figures are
    /// taken with. 16 bursts of each direction, as interconnects of that size commonly allow.
    pub const LATENCY100: Self = Self {
        name: "latency100",
        read_latency: 100,
        write_latency: 100,
        outstanding_reads: 16,
        outstanding_writes: 16,
        ..Self::IDEAL
    };

    /// DE10-Nano: Cyclone V at 50 MHz, as in the work that this project compares with. The
    /// FPGA-to-SDRAM port is up to 256 bits wide at the fabric's clock; the memory is 32 bits of
    /// DDR3-800, 3200 MB/s, that is 64 bytes per cycle before efficiency. Latency: 400 ns,
    /// estimated.
    pub const DE10_NANO: Self = Self {
        name: "de10-nano",
        clock_hz: 50_000_000,
        read_latency: 20,
        write_latency: 20,
        outstanding_reads: 8,
        outstanding_writes: 8,
        port_bytes_per_cycle: 32.0,
        shared_bytes_per_cycle: 64.0 * DDR_EFFICIENCY,
    };

    /// Zedboard: Zynq-7020 at 100 MHz. A device has one of the four 64-bit HP ports; the memory is
    /// 32 bits of DDR3-1066, 4264 MB/s, 42.6 bytes per cycle before efficiency. Latency: 400 ns,
    /// estimated.
    pub const ZEDBOARD: Self = Self {
        name: "zedboard",
        clock_hz: 100_000_000,
        read_latency: 40,
        write_latency: 40,
        outstanding_reads: 8,
        outstanding_writes: 8,
        port_bytes_per_cycle: 8.0,
        shared_bytes_per_cycle: 42.64 * DDR_EFFICIENCY,
    };

    /// PYNQ-Z2: Zynq-7020 at 100 MHz, as the Zedboard, but 16 bits of memory at 1050 MT/s: 2100
    /// MB/s, 21 bytes per cycle before efficiency. (1050 Mbit/s, which is sometimes given as the
    /// board's memory bandwidth, is the rate of one data pin.)
    pub const PYNQ_Z2: Self =
        Self { name: "pynq-z2", shared_bytes_per_cycle: 21.0 * DDR_EFFICIENCY, ..Self::ZEDBOARD };

    /// All profiles.
    pub const ALL: [Self; 5] =
        [Self::IDEAL, Self::LATENCY100, Self::DE10_NANO, Self::ZEDBOARD, Self::PYNQ_Z2];

    /// The same memory as devices with this clock see it: latencies and the limit of all ports
    /// together stay what they are in nanoseconds. A port moves as many bytes in a cycle as before:
    /// it has the devices' clock. A profile for any clock stays as it is.
    #[must_use]
    pub fn at_clock(self, clock_hz: u32) -> Self {
        if self.clock_hz == 0 || self.clock_hz == clock_hz {
            return self;
        }
        let (old, new) = (u64::from(self.clock_hz), u64::from(clock_hz));
        let cycles = |latency: u32| {
            let rounded = (u64::from(latency) * new + old / 2) / old;
            u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
        };
        Self {
            clock_hz,
            read_latency: cycles(self.read_latency),
            write_latency: cycles(self.write_latency),
            shared_bytes_per_cycle: self.shared_bytes_per_cycle * f64::from(self.clock_hz)
                / f64::from(clock_hz),
            ..self
        }
    }

    /// The profile of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faster_clock_makes_the_same_memory_slower_in_cycles() {
        let slow = MemoryProfile::PYNQ_Z2;
        let fast = slow.at_clock(200_000_000);
        assert_eq!((fast.read_latency, fast.write_latency), (80, 80));
        assert!((fast.shared_bytes_per_cycle - slow.shared_bytes_per_cycle / 2.0).abs() < 1e-9);
        assert_eq!(fast.port_bytes_per_cycle.to_bits(), slow.port_bytes_per_cycle.to_bits());
        assert_eq!(slow.at_clock(100_000_000), slow);
        assert_eq!(MemoryProfile::IDEAL.at_clock(1_000_000), MemoryProfile::IDEAL);
        assert_eq!(slow.at_clock(1).read_latency, 1);
    }
}
