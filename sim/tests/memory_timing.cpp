// SPDX-License-Identifier: Apache-2.0
// When the memory answers: latency, bursts outstanding, the port's bandwidth, hanging.
#include "port.h"

namespace saltmill::tests {
namespace {

using Wide = Port<16>;

void add_latency(Cases &cases) {
  for (const uint32_t latency : {1u, 2u, 7u, 100u}) {
    cases.push_back({"read latency of " + std::to_string(latency), [=] {
      Wide port({latency, 1, 16, 16, 0});
      const uint64_t start = port.take_read({kBase, 0, 3});
      for (unsigned beat = 0; beat < 4; ++beat)
        expect("cycles to a beat", port.take_beat() - start, latency + beat);
    }});
    cases.push_back({"write latency of " + std::to_string(latency), [=] {
      Wide port({1, latency, 16, 16, 0});
      const uint64_t start = port.take_write({kBase, 0, 1});
      expect("cycles to the first data", port.take_data(0xFFFF, false) - start, 1);
      const uint64_t last = port.take_data(0xFFFF, true);
      expect("cycles to the second", last - start, 2);
      expect("cycles to the response", port.take_answer() - last, latency);
    }});
  }
  cases.push_back({"latencies of several bursts overlap", [] {
    Wide port({50, 1, 16, 16, 0});
    port.bus.m_axi_rready = 1;
    for (unsigned i = 0; i < 8; ++i) port.take_read({kBase});
    port.cycles(50);
    expect("beats read", port.read.beats(), 8);
  }});
}

// How many addresses the port takes while nothing else moves.
unsigned addresses_taken(Wide &port, const uint8_t &ready) {
  unsigned taken = 0;
  for (unsigned i = 0; i < 100; ++i) {
    port.cycle();
    taken += ready;
  }
  return taken;
}

void add_outstanding(Cases &cases) {
  for (const uint32_t limit : {1u, 2u, 17u, 64u}) {
    cases.push_back({std::to_string(limit) + " reads outstanding", [=] {
      Wide port({1, 1, limit, 1, 0});
      port.bus.show_read({kBase, 0, 1});
      expect("reads taken", addresses_taken(port, port.bus.m_axi_arready), limit);
      port.take_beat();
      expect("reads taken within a burst", addresses_taken(port, port.bus.m_axi_arready), 0);
      port.take_beat();
      expect("reads taken after a burst", addresses_taken(port, port.bus.m_axi_arready), 1);
    }});
    cases.push_back({std::to_string(limit) + " writes outstanding", [=] {
      Wide port({1, 1, 1, limit, 0});
      port.bus.show_write({kBase});
      expect("writes taken", addresses_taken(port, port.bus.m_axi_awready), limit);
      port.take_data(0xFFFF, true);
      expect("writes taken after data", addresses_taken(port, port.bus.m_axi_awready), 0);
      port.take_answer();
      expect("writes taken after a response", addresses_taken(port, port.bus.m_axi_awready), 1);
    }});
  }
}

// A port whose device reads and writes whenever it may.
struct Busy : Wide {
  explicit Busy(double bytes_per_cycle, uint8_t length = 0)
      : Wide({1, 1, 64, 64, bytes_per_cycle}) {
    const AddressSignals address{kBase, 0, length};
    bus.show_read(address);
    bus.show_write(address);
    bus.show_data(kAllBytes, true);
    bus.m_axi_rready = bus.m_axi_bready = 1;
  }
};

void add_bandwidth(Cases &cases) {
  for (const double rate : {0.001, 0.25, 3.0, 8.0, 11.5, 16.0, 40.0}) {
    cases.push_back({std::to_string(rate) + " bytes per cycle of a port, each direction", [=] {
      constexpr unsigned kCycles = 4096;
      Busy port(rate);
      port.cycles(kCycles);
      const double beats = std::min(rate, 16.0) / 16 * kCycles;
      for (const uint64_t moved : {port.read.beats(), port.write.beats()})
        require(moved + 3.0 >= beats && moved <= beats + 3 + 0.002 * kCycles / 16,
                std::to_string(moved) + " beats, not " + std::to_string(beats));
    }});
  }
  cases.push_back({"no limit: a beat in each cycle", [] {
    Busy port(0);
    port.cycles(1000);
    require(port.read.beats() >= 998, std::to_string(port.read.beats()) + " beats read");
    require(port.write.beats() >= 998, std::to_string(port.write.beats()) + " beats written");
  }});
  cases.push_back({"an idle port saves no more than a beat", [] {
    Wide port({1, 1, 64, 64, 4});
    port.cycles(1000);
    port.bus.m_axi_rready = 1;
    port.take_read({kBase, 0, 255});
    port.cycles(40);
    require(port.read.beats() <= 12, std::to_string(port.read.beats()) + " beats, not 10 and one");
  }});
  cases.push_back({"a port ready for writes that do not come spends nothing", [] {
    Wide port({1, 1, 64, 64, 4});
    port.take_write({kBase, 0, 1});
    port.cycles(100);
    expect("wready", port.bus.m_axi_wready, 1);
    const uint64_t first = port.take_data(0xFFFF, false);
    expect("cycles to the data", port.now - first, 1);
    require(port.take_data(0xFFFF, true) - first <= 4, "the second beat is late");
  }});
}

void add_hang(Cases &cases) {
  cases.push_back({"a port that hangs answers up to the cycle before", [] {
    Busy port(0);
    port.fault.hang_from = 50;
    port.cycles(50);
    const uint64_t read = port.read.beats(), written = port.write.beats();
    require(read >= 48 && written >= 48, "it hangs early");
    for (unsigned i = 0; i < 100; ++i) {
      port.cycle();
      const auto &bus = port.bus;
      require(!bus.m_axi_arready && !bus.m_axi_awready && !bus.m_axi_wready, "ready is high");
      require(!bus.m_axi_rvalid && !bus.m_axi_bvalid, "valid is high");
    }
    expect("beats read", port.read.beats(), read);
    expect("beats written", port.write.beats(), written);
  }});
  cases.push_back({"a port that hangs does not withdraw what it has offered", [] {
    Wide port;
    port.take_write({kBase});
    port.take_data(1, true);
    port.take_read({kBase, 0, 1});
    port.cycles(3);
    port.fault.hang_from = port.now;
    port.cycles(10);
    expect("rvalid", port.bus.m_axi_rvalid, 1);
    expect("bvalid", port.bus.m_axi_bvalid, 1);
    port.take_beat();
    port.take_answer();
    port.cycles(10);
    expect("rvalid", port.bus.m_axi_rvalid, 0);
    expect("bvalid", port.bus.m_axi_bvalid, 0);
  }});
  cases.push_back({"a port goes on when the fault is taken away", [] {
    Wide port;
    port.take_read({kBase});
    port.fault.hang_from = 0;
    port.cycles(100);
    expect("rvalid", port.bus.m_axi_rvalid, 0);
    port.fault = {};
    port.take_beat();
  }});
}

}  // namespace

void add_memory_timing(Cases &cases) {
  add_latency(cases);
  add_outstanding(cases);
  add_bandwidth(cases);
  add_hang(cases);
}

}  // namespace saltmill::tests
