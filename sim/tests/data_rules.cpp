// SPDX-License-Identifier: Apache-2.0
// The rules of the write data channel: strobes, last, hold.
#include "port.h"

namespace saltmill::tests {
namespace {

constexpr char kStrobe[] = "W: a strobe outside the beat's bytes";
constexpr char kLast[] = "W: last is not at the end of the burst";
constexpr char kHold[] = "W: valid or payload changed before ready";

// Strobes of a burst's beats; the last may be illegal.
struct Beats {
  const char *name;
  AddressSignals address;
  std::vector<uint64_t> strobes;
  bool legal;
};

template <unsigned Bytes>
void add_strobes(Cases &cases, const std::vector<Beats> &table) {
  for (const Beats &beats : table) {
    cases.push_back({"W " + std::to_string(8 * Bytes) + " bits: " + beats.name, [=] {
      Port<Bytes> port;
      port.take_write(beats.address);
      const size_t legal = beats.strobes.size() - !beats.legal;
      for (size_t i = 0; i < legal; ++i)
        port.take_data(beats.strobes[i], i == beats.address.length);
      if (!beats.legal)
        expect_report(kStrobe, [&] {
          port.take_data(beats.strobes[legal], legal == beats.address.length);
        });
    }});
  }
}

void add_all_strobes(Cases &cases) {
  add_strobes<16>(cases, {
      {"whole beats", {kBase, 0, 1}, {0xFFFF, 0xFFFF}, true},
      {"no strobe at all", {kBase, 0, 1}, {0, 0}, true},
      {"sparse strobes", {kBase, 0, 1}, {0x8421, 0x5A00}, true},
      {"narrow beats move over the lanes", {kBase + 4, 0, 3, 2}, {0xF0, 0xF00, 0xF000, 0xF}, true},
      {"a strobe above a narrow beat", {kBase + 4, 0, 0, 2}, {0x1F0}, false},
      {"a strobe below a narrow beat", {kBase + 4, 0, 0, 2}, {0xF8}, false},
      {"the first beat's lanes in the second", {kBase + 4, 0, 1, 2}, {0xF0, 0xF0}, false},
      {"only the first beat is unaligned", {kBase + 5, 0, 1}, {0xFFE0, 0xFFFF}, true},
      {"a strobe below an unaligned address", {kBase + 5, 0, 0}, {0xFFF0}, false},
      {"narrow and unaligned", {kBase + 6, 0, 1, 2}, {0xC0, 0xF00}, true},
      {"narrow and unaligned, a strobe below", {kBase + 6, 0, 0, 2}, {0xE0}, false},
      {"narrow and unaligned, a strobe above", {kBase + 6, 0, 0, 2}, {0x1C0}, false},
      {"single bytes", {kBase + 15, 0, 1, 0}, {0x8000, 1}, true},
      {"single bytes, one too many", {kBase + 15, 0, 1, 0}, {0x8000, 3}, false},
  });
  add_strobes<4>(cases, {
      {"whole beats", {kBase + 4, 0, 1, 2}, {0xF, 0xF}, true},
      {"a strobe outside half a beat", {kBase + 6, 0, 0, 1}, {0xE}, false},
  });
  add_strobes<64>(cases, {
      {"whole beats", {kBase, 0, 1, 6}, {~uint64_t{0}, ~uint64_t{0}}, true},
      {"the upper half", {kBase + 32, 0, 0, 5}, {~uint64_t{0} << 32}, true},
      {"a strobe below the upper half", {kBase + 32, 0, 0, 5}, {~uint64_t{0} << 31}, false},
      {"the last byte", {kBase + 63, 0, 1, 6}, {uint64_t{1} << 63, ~uint64_t{0}}, true},
      {"a strobe below the last byte", {kBase + 63, 0, 0, 6}, {uint64_t{3} << 62}, false},
  });
}

// Beats of a burst of four up to the one whose `last` is wrong.
void expect_wrong_last(unsigned length, unsigned beat, bool last) {
  Port<16> port;
  port.take_write({kBase, 0, static_cast<uint8_t>(length)});
  for (unsigned i = 0; i < beat; ++i) port.take_data(0xFFFF, false);
  expect_report(kLast, [&] { port.take_data(0xFFFF, last); });
}

void add_last(Cases &cases) {
  cases.push_back({"W last with the last of 1, 2 and 256 beats", [] {
    Port<16> port;
    for (const uint8_t length : {0, 1, 255}) expect("bresp", port.store({kBase, 0, length}, 1), 0);
  }});
  cases.push_back({"W last in the first beat of four", [] { expect_wrong_last(3, 0, true); }});
  cases.push_back({"W last one beat early", [] { expect_wrong_last(3, 2, true); }});
  cases.push_back({"W last missing in the fourth beat", [] { expect_wrong_last(3, 3, false); }});
  cases.push_back({"W last missing in a single beat", [] { expect_wrong_last(0, 0, false); }});
  cases.push_back({"W last of the second burst missing", [] {
    Port<16> port;
    port.take_write({kBase, 0, 1});
    port.take_write({kBase + 64, 0, 0});
    port.take_data(0xFFFF, false);
    port.take_data(0xFFFF, true);
    expect_report(kLast, [&] { port.take_data(0xFFFF, false); });
  }});
}

// Data that waits for its address, and a change that it makes then.
void add_hold(Cases &cases) {
  using Signals = Bus<16>;
  const std::vector<std::pair<std::string, void (*)(Signals &)>> changes = {
      {"valid falls", [](Signals &bus) { bus.m_axi_wvalid = 0; }},
      {"first byte changes", [](Signals &bus) { bus.m_axi_wdata.front() ^= 1; }},
      {"last byte changes", [](Signals &bus) { bus.m_axi_wdata.back() ^= 0x80; }},
      {"strobe changes", [](Signals &bus) { bus.m_axi_wstrb ^= 1; }},
      {"last changes", [](Signals &bus) { bus.m_axi_wlast ^= 1; }},
  };
  for (const auto &[name, change] : changes) {
    cases.push_back({"W " + name + " before ready", [change = change] {
      Port<16> port;
      port.bus.show_data(0xFFFF, true);
      port.cycles(3);
      expect("wready", port.bus.m_axi_wready, 0);
      change(port.bus);
      expect_report(kHold, [&] { port.cycle(); });
    }});
  }
  cases.push_back({"W waits unchanged for its address, then changes", [] {
    Port<16> port;
    port.bus.show_data(0xFFFF, false, 1);
    port.cycles(20);
    port.take_write({kBase, 0, 1});
    port.take_data(0xFFFF, false, 1);
    port.take_data(0xF, true, 2);
    expect("a byte of the first beat", port.byte_at(kBase + 15), 1);
    expect("a byte of the second", port.byte_at(kBase + 16), 2);
    expect("a byte without strobe", port.byte_at(kBase + 20), 0);
  }});
  cases.push_back({"W valid falls while the port hangs", [] {
    Port<16> port;
    port.take_write({kBase});
    port.fault.hang_from = port.now;
    port.bus.show_data(0xFFFF, true);
    port.cycles(3);
    port.bus.m_axi_wvalid = 0;
    expect_report(kHold, [&] { port.cycle(); });
  }});
}

}  // namespace

void add_data_rules(Cases &cases) {
  add_all_strobes(cases);
  add_last(cases);
  add_hold(cases);
}

}  // namespace saltmill::tests
