// SPDX-License-Identifier: Apache-2.0
// What the memory answers: data, responses, order. When it answers is in memory_timing.cpp.
#include "port.h"

namespace saltmill::tests {
namespace {

using Wide = Port<16>;

// One beat of a read burst is taken and compared.
void expect_beat(Wide &port, unsigned id, unsigned response, bool last) {
  port.take_beat();
  expect("rid", port.bus.m_axi_rid, id);
  expect("rresp", port.bus.m_axi_rresp, response);
  expect("rlast", port.bus.m_axi_rlast, last);
}

void add_data(Cases &cases) {
  cases.push_back({"a read gives the bus words of its addresses", [] {
    Wide port;
    for (unsigned i = 0; i < 256; ++i) port.byte_at(kBase + i) = i;
    port.take_read({kBase + 21, 1, 2});
    for (unsigned beat = 0; beat < 3; ++beat) {
      expect_beat(port, 1, kOkay, beat == 2);
      for (unsigned i = 0; i < 16; ++i)
        expect("a byte", port.bus.m_axi_rdata[i], 16 + 16 * beat + i);
    }
  }});
  cases.push_back({"a narrow read gives each word as often as it is asked for", [] {
    Wide port;
    port.byte_at(kBase + 12) = 12, port.byte_at(kBase + 16) = 16;
    port.take_read({kBase + 8, 0, 2, 2});
    for (const unsigned first : {0, 0, 16}) {
      port.take_beat();
      expect("byte 0", port.bus.m_axi_rdata[0], first);
      expect("byte 12", port.bus.m_axi_rdata[12], first ? 0 : 12);
    }
  }});
  cases.push_back({"a write stores the bytes with a strobe and no others", [] {
    Wide port;
    port.store({kBase, 0, 1}, 1);
    port.take_write({kBase, 0, 1});
    port.take_data(0x8001, false, 2);
    port.take_data(0x0FF0, true, 3);
    for (unsigned i = 0; i < 16; ++i) {
      expect("a byte of the first beat", port.byte_at(kBase + i), i == 0 || i == 15 ? 2 : 1);
      expect("a byte of the second", port.byte_at(kBase + 16 + i), i >= 4 && i < 12 ? 3 : 1);
    }
    expect("the byte behind", port.byte_at(kBase + 32), 0);
    expect("beats written", port.write.beats(), 4);
  }});
  cases.push_back({"each lane has a byte of its own", [] {
    for (const uint64_t strobes : {0xFFFF, 0xFFFE}) {
      Wide port;
      port.take_write({kBase});
      port.bus.show_data(strobes, true);
      for (unsigned i = 0; i < 16; ++i) port.bus.m_axi_wdata[i] = 0x80 + i;
      port.until(port.bus.m_axi_wready, "wready");
      for (unsigned i = 0; i < 16; ++i)
        expect("a byte", port.byte_at(kBase + i), strobes >> i & 1 ? 0x80 + i : 0);
    }
  }});
}

void expect_nothing_there(uint64_t address) {
  Wide port;
  port.take_read({address, 1, 2});
  for (unsigned beat = 0; beat < 3; ++beat) expect_beat(port, 1, kDecErr, beat == 2);
  expect("bresp", port.store({address, 0, 2}, 1), kDecErr);
  expect("bresp inside", port.store({kBase}, 1), kOkay);
}

void add_decode_errors(Cases &cases) {
  constexpr uint64_t kRegion = 2 * Memory::kPage;
  const uint64_t second = Wide().memory.region(1);
  const std::pair<const char *, uint64_t> holes[] = {
      {"address 0", 0},
      {"the page below the memory", kBase - Memory::kPage},
      {"the page behind the first region", kBase + kRegion},
      {"the page before the second", second - Memory::kPage},
      {"the page behind the second", second + kRegion},
      {"the last page of all", ~uint64_t{0} << 12},
  };
  for (const auto &[name, address] : holes)
    cases.push_back({"DECERR at " + std::string(name), [address = address] {
      expect_nothing_there(address);
    }});
  for (const auto &[name, address] : {std::pair<const char *, uint64_t>{"first", kBase},
                                      {"second", second}})
    cases.push_back({"OKAY at both ends of the " + std::string(name) + " region",
                     [address = address] {
      Wide port;
      expect("bresp", port.store({address}, 1), kOkay);
      expect("bresp", port.store({address + kRegion - 48, 0, 2}, 7), kOkay);
      expect("the last byte", port.byte_at(address + kRegion - 1), 7);
    }});
}

void add_high_addresses(Cases &cases) {
  cases.push_back({"a memory above 4 GiB answers there, and not where it would be without", [] {
    constexpr uint64_t kHigh = 0x12'4000'0000;
    Wide port(kIdeal, kHigh);
    expect("bresp", port.store({kHigh + 32}, 5), kOkay);
    expect("a byte", port.byte_at(kHigh + 32), 5);
    expect("bresp below", port.store({kBase + 32}, 6), kDecErr);
    port.take_read({kHigh + 32});
    expect_beat(port, 0, kOkay, true);
    expect("first byte", port.bus.m_axi_rdata[0], 5);
  }});
}

void add_slave_errors(Cases &cases) {
  cases.push_back({"SLVERR for the beats of a read in the window", [] {
    Wide port;
    port.fault.read_error = {kBase + 16, kBase + 47};
    port.take_read({kBase, 0, 3});
    for (const unsigned response : {kOkay, kSlvErr, kSlvErr, kOkay})
      expect_beat(port, 0, response, port.read.beats() == 3);
    expect("bresp", port.store({kBase + 16}, 1), kOkay);
  }});
  cases.push_back({"an unaligned first beat ends where the next begins", [] {
    Wide port;
    port.fault.read_error = {kBase + 16, kBase + 16};
    port.take_read({kBase + 5, 0, 1});
    expect_beat(port, 0, kOkay, false);
    expect_beat(port, 0, kSlvErr, true);
    port.fault.read_error = {kBase + 4, kBase + 4};
    port.take_read({kBase + 5});
    expect_beat(port, 0, kOkay, true);
  }});
  cases.push_back({"SLVERR for a write that touches the window; its other beats are stored", [] {
    Wide port;
    port.fault.write_error = {kBase + 20, kBase + 20};
    expect("bresp", port.store({kBase, 0, 2}, 1), kSlvErr);
    expect("a byte of the first beat", port.byte_at(kBase), 1);
    expect("a byte of the second", port.byte_at(kBase + 16), 0);
    expect("a byte of the third", port.byte_at(kBase + 32), 1);
    expect("bresp of the next burst", port.store({kBase + 32}, 1), kOkay);
    port.take_read({kBase + 16});
    expect_beat(port, 0, kOkay, true);
  }});
  cases.push_back({"a write touches what it has strobes for", [] {
    Wide port;
    port.fault.write_error = {kBase + 4, kBase + 5};
    const std::pair<uint64_t, unsigned> writes[] = {
        {0x000F, kOkay}, {0xFFC0, kOkay}, {0, kOkay}, {0x0010, kSlvErr}, {0x0020, kSlvErr}};
    for (const auto &[strobes, response] : writes) {
      port.take_write({kBase});
      port.take_data(strobes, true);
      port.take_answer();
      expect("bresp", port.bus.m_axi_bresp, response);
    }
  }});
}

void add_order(Cases &cases) {
  cases.push_back({"reads of one ID are answered in order, of two in turn, none interleaved", [] {
    Wide port;
    const unsigned ids[] = {0, 0, 0, 1, 1};
    for (unsigned i = 0; i < 5; ++i) {
      port.byte_at(kBase + 64 * i) = i;
      port.take_read({kBase + 64 * i, static_cast<uint8_t>(ids[i]), 1});
    }
    port.cycles(10);
    for (const unsigned burst : {0, 3, 1, 4, 2}) {
      expect_beat(port, ids[burst], kOkay, false);
      expect("first byte", port.bus.m_axi_rdata[0], burst);
      expect_beat(port, ids[burst], kOkay, true);
    }
  }});
  cases.push_back({"a burst of the other ID that is not due is not waited for", [] {
    Wide port({20, 1, 16, 16, 0});
    port.take_read({kBase, 0});
    port.take_read({kBase, 0});
    port.cycles(17);
    port.take_read({kBase, 1});
    for (const unsigned id : {0, 0, 1}) expect_beat(port, id, kOkay, true);
  }});
  cases.push_back({"writes take data and give responses in the order of their addresses", [] {
    Wide port;
    for (const uint8_t id : {1, 0, 1}) port.take_write({kBase + 16 * id, id});
    for (const uint8_t byte : {1, 2, 3}) port.take_data(Wide::kAllBytes, true, byte);
    expect("the byte of ID 0", port.byte_at(kBase), 2);
    expect("the last byte of ID 1", port.byte_at(kBase + 16), 3);
    for (const unsigned id : {1, 0, 1}) {
      port.take_answer();
      expect("bid", port.bus.m_axi_bid, id);
    }
  }});
}

// What the port demands it also does.
void add_own_hold(Cases &cases) {
  cases.push_back({"R and B hold until they are taken", [] {
    Wide port;
    port.byte_at(kBase + 64) = 9;
    port.take_write({kBase, 1});
    port.take_data(1, true, 1);
    port.take_read({kBase + 64, 1});
    port.take_read({kBase, 0});
    for (unsigned i = 0; i < 10; ++i) {
      port.cycle();
      expect("rvalid", port.bus.m_axi_rvalid, 1);
      expect("rid", port.bus.m_axi_rid, 1);
      expect("first byte", port.bus.m_axi_rdata[0], 9);
      expect("bvalid", port.bus.m_axi_bvalid, 1);
      expect("bid", port.bus.m_axi_bid, 1);
    }
    expect("beats read", port.read.beats(), 0);
    port.take_answer();
    port.take_beat();
    port.cycle();
    expect("bvalid after its handshake", port.bus.m_axi_bvalid, 0);
    expect("rid of the next beat", port.bus.m_axi_rid, 0);
  }});
}

}  // namespace

void add_memory_answers(Cases &cases) {
  add_data(cases);
  add_decode_errors(cases);
  add_high_addresses(cases);
  add_slave_errors(cases);
  add_order(cases);
  add_own_hold(cases);
}

}  // namespace saltmill::tests
