// SPDX-License-Identifier: Apache-2.0
// What the tests of the memory port stand on: a device's signals moved by hand, the port behind them, and
// cases that are run one by one.
#ifndef SALTMILL_TESTS_PORT_H
#define SALTMILL_TESTS_PORT_H

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "axi_read.h"
#include "axi_write.h"

namespace saltmill::tests {

struct Case {
  std::string name;
  std::function<void()> body;  // throws a sentence
};
using Cases = std::vector<Case>;

void add_address_rules(Cases &cases);
void add_data_rules(Cases &cases);
void add_memory_answers(Cases &cases);
void add_memory_timing(Cases &cases);
void add_system(Cases &cases);
void add_windows(Cases &cases);

inline void require(bool condition, const std::string &sentence) {
  if (!condition) throw std::runtime_error(sentence);
}

inline void expect(const std::string &what, uint64_t is, uint64_t should) {
  require(is == should, what + " is " + std::to_string(is) + ", not " + std::to_string(should));
}

// The device breaks a rule in `body`; the port says so in these words.
template <class Body>
void expect_report(const std::string &sentence, Body body) {
  try {
    body();
  } catch (const ProtocolError &error) {
    require(error.what() == sentence,
            "reported as '" + std::string(error.what()) + "', not as '" + sentence + "'");
    return;
  }
  throw std::runtime_error("not reported: " + sentence);
}

// An address channel, AR or AW.
struct AddressSignals {
  uint64_t address = 0;
  uint8_t id = 0, length = 0, size = 4, burst = 1, lock = 0, cache = 3, prot = 0, qos = 0;
};

// Signals under the names that a Verilated model gives them.
template <unsigned Bytes>
struct Bus {
  std::array<uint8_t, Bytes> m_axi_rdata{}, m_axi_wdata{};
  uint64_t m_axi_araddr = 0, m_axi_awaddr = 0, m_axi_wstrb = 0;
  uint8_t m_axi_arid = 0, m_axi_arlen = 0, m_axi_arsize = 0, m_axi_arburst = 0, m_axi_arlock = 0;
  uint8_t m_axi_arcache = 0, m_axi_arprot = 0, m_axi_arqos = 0;
  uint8_t m_axi_awid = 0, m_axi_awlen = 0, m_axi_awsize = 0, m_axi_awburst = 0, m_axi_awlock = 0;
  uint8_t m_axi_awcache = 0, m_axi_awprot = 0, m_axi_awqos = 0;
  uint8_t m_axi_arvalid = 0, m_axi_arready = 0, m_axi_awvalid = 0, m_axi_awready = 0;
  uint8_t m_axi_wvalid = 0, m_axi_wready = 0, m_axi_wlast = 0;
  uint8_t m_axi_rvalid = 0, m_axi_rready = 0, m_axi_rid = 0, m_axi_rresp = 0, m_axi_rlast = 0;
  uint8_t m_axi_bvalid = 0, m_axi_bready = 0, m_axi_bid = 0, m_axi_bresp = 0;

  void show_read(const AddressSignals &a) {
    m_axi_araddr = a.address, m_axi_arid = a.id, m_axi_arlen = a.length, m_axi_arsize = a.size;
    m_axi_arburst = a.burst, m_axi_arlock = a.lock, m_axi_arcache = a.cache;
    m_axi_arprot = a.prot, m_axi_arqos = a.qos, m_axi_arvalid = 1;
  }
  void show_write(const AddressSignals &a) {
    m_axi_awaddr = a.address, m_axi_awid = a.id, m_axi_awlen = a.length, m_axi_awsize = a.size;
    m_axi_awburst = a.burst, m_axi_awlock = a.lock, m_axi_awcache = a.cache;
    m_axi_awprot = a.prot, m_axi_awqos = a.qos, m_axi_awvalid = 1;
  }
  void show_data(uint64_t strobes, bool last, uint8_t byte = 0) {
    m_axi_wdata.fill(byte), m_axi_wstrb = strobes, m_axi_wlast = last, m_axi_wvalid = 1;
  }
};

// Answers in the next cycle, without limits.
constexpr PortProfile kIdeal{1, 1, 64, 64, 0};

// A port of `Bytes` bytes, its signals, and two regions of two pages.
template <unsigned Bytes>
struct Port {
  static constexpr uint64_t kAllBytes = ~uint64_t{0} >> (64 - Bytes);

  explicit Port(const PortProfile &profile = kIdeal, uint64_t base = Memory::kBase)
      : memory(2, 2 * Memory::kPage, base),
        read(bus, memory, profile),
        write(bus, memory, profile) {}

  // After it the bus shows the handshakes of the cycle that is over.
  void cycle() {
    read.drive(now, shared, fault);
    write.drive(now, shared, fault);
    read.sample(now);
    write.sample(now, shared, fault);
    ++now;
  }
  void cycles(unsigned count) {
    while (count--) cycle();
  }

  // Runs until `signal` is high in a cycle, and returns that cycle.
  uint64_t until(const uint8_t &signal, const char *name) {
    for (unsigned i = 0; i < 1000; ++i) {
      cycle();
      if (signal) return now - 1;
    }
    throw std::runtime_error(std::string(name) + " does not come");
  }

  // Each returns the cycle of its handshake.
  uint64_t take_read(const AddressSignals &address) {
    bus.show_read(address);
    const uint64_t at = until(bus.m_axi_arready, "arready");
    bus.m_axi_arvalid = 0;
    return at;
  }
  uint64_t take_write(const AddressSignals &address) {
    bus.show_write(address);
    const uint64_t at = until(bus.m_axi_awready, "awready");
    bus.m_axi_awvalid = 0;
    return at;
  }
  uint64_t take_data(uint64_t strobes, bool last, uint8_t byte = 0) {
    bus.show_data(strobes, last, byte);
    const uint64_t at = until(bus.m_axi_wready, "wready");
    bus.m_axi_wvalid = 0;
    return at;
  }
  uint64_t take_answer() {
    bus.m_axi_bready = 1;
    const uint64_t at = until(bus.m_axi_bvalid, "bvalid");
    bus.m_axi_bready = 0;
    return at;
  }
  uint64_t take_beat() {
    bus.m_axi_rready = 1;
    const uint64_t at = until(bus.m_axi_rvalid, "rvalid");
    bus.m_axi_rready = 0;
    return at;
  }
  // A whole write of full beats; returns its response.
  unsigned store(const AddressSignals &address, uint8_t byte) {
    take_write(address);
    for (unsigned left = address.length + 1u; left != 0; --left)
      take_data(kAllBytes, left == 1, byte);
    take_answer();
    return bus.m_axi_bresp;
  }
  uint8_t &byte_at(uint64_t address) { return *memory.at(address, 1, true); }

  Bus<Bytes> bus;
  Memory memory;
  Fault fault;
  Bucket shared{0, Bytes};
  AxiRead<Bus<Bytes>> read;
  AxiWrite<Bus<Bytes>> write;
  uint64_t now = 0;
};

constexpr uint64_t kBase = Memory::kBase;

}  // namespace saltmill::tests
#endif
