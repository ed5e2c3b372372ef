// SPDX-License-Identifier: Apache-2.0
// Whole systems of devices that only ask: reset, and how ports share the memory's bandwidth.
#include "port.h"

struct VerilatedContext {
  void traceEverOn(bool) {}
};

#include "system_of.h"

namespace saltmill::tests {
namespace {

constexpr unsigned kWays = 8;  // the two directions of up to four devices

// What the devices made next do.
struct Plan {
  std::array<bool, kWays> asks{};       // reads of device 0, writes of device 0, reads of device 1 ...
  unsigned resets_ignored = 0;          // cycles
  uint8_t Bus<16>::*stuck = nullptr;    // a signal that is high in reset, too
  bool bvalid_stuck = false, rvalid_stuck = false;  // of the register side
  bool withholds_data = false;                      // writes have an address only
};
Plan plan;

// In the place of a Verilated model: reads and writes a beat per cycle, when it is asked to.
struct Asker : Bus<16> {
  Asker(VerilatedContext *, const char *name) : index(name[6] - '0') {
    show_read({kBase});
    show_write({kBase});
    show_data(0xFFFF, true);
    m_axi_rready = m_axi_bready = 1;
    m_axi_arvalid = m_axi_awvalid = m_axi_wvalid = 0;
  }
  void eval() {
    if (!aclk) return;
    const bool on = aresetn || edges < plan.resets_ignored;
    edges += 1;
    m_axi_arvalid = on && plan.asks[2 * index];
    m_axi_awvalid = on && plan.asks[2 * index + 1];
    m_axi_wvalid = m_axi_awvalid && !plan.withholds_data;
    if (plan.stuck) this->*plan.stuck = 1;
    s_axil_bvalid = plan.bvalid_stuck;
    s_axil_rvalid = plan.rvalid_stuck;
  }
  void final() {}

  unsigned index, edges = 0;
  uint8_t aclk = 0, aresetn = 0, irq_o = 0;
  uint32_t s_axil_araddr = 0, s_axil_awaddr = 0, s_axil_wdata = 0, s_axil_rdata = 0;
  uint8_t s_axil_wstrb = 0, s_axil_rresp = 0, s_axil_bresp = 0;
  uint8_t s_axil_arvalid = 0, s_axil_arready = 0, s_axil_rvalid = 0, s_axil_rready = 0;
  uint8_t s_axil_awvalid = 0, s_axil_awready = 0, s_axil_wvalid = 0, s_axil_wready = 0;
  uint8_t s_axil_bvalid = 0, s_axil_bready = 0;
};

// The same with addresses of 32 bits.
struct NarrowAsker : Asker {
  using Asker::Asker;
  uint32_t m_axi_araddr = kBase, m_axi_awaddr = kBase;
};

constexpr unsigned kCycles = 6000;

// Beats of each direction of each device.
std::vector<uint64_t> moved(unsigned devices, double shared_rate, double port_rate = 0) {
  SystemOf<Asker> system(devices, {kBase, 4096, 1, 1, 16, 16, port_rate, shared_rate}, nullptr);
  system.run(0, kCycles);
  std::vector<uint64_t> beats;
  for (unsigned d = 0; d < devices; ++d) {
    beats.push_back(system.beats_read(d));
    beats.push_back(system.beats_written(d));
  }
  return beats;
}

void expect_about(const std::string &what, double is, double should) {
  require(is >= should - 12 && is <= should + 12,
          what + " moves " + std::to_string(is) + " beats, not " + std::to_string(should));
}

void add_reset(Cases &cases) {
  constexpr char kReport[] = "a valid output is high in reset";
  const std::pair<const char *, uint8_t Bus<16>::*> valids[] = {
      {"arvalid", &Bus<16>::m_axi_arvalid},
      {"awvalid", &Bus<16>::m_axi_awvalid},
      {"wvalid", &Bus<16>::m_axi_wvalid},
  };
  for (const auto &[name, signal] : valids)
    cases.push_back({"reset with " + std::string(name) + " high", [=, signal = signal] {
      plan = {};
      plan.stuck = signal;
      expect_report(kReport, [] { moved(1, 0); });
    }});
  for (const auto &[name, signal] : {std::pair{"bvalid", &Plan::bvalid_stuck},
                                     std::pair{"rvalid", &Plan::rvalid_stuck}})
    cases.push_back({"reset with the registers' " + std::string(name) + " high",
                     [=, signal = signal] {
      plan = {};
      plan.*signal = true;
      expect_report(kReport, [] { moved(1, 0); });
    }});
  cases.push_back({"reset with all outputs low", [] {
    plan = {};
    for (const uint64_t beats : moved(2, 0)) expect("beats", beats, 0);
  }});
  cases.push_back({"what a device offers before reset has reached it is not taken", [] {
    plan = {};
    plan.asks = {true, true};
    plan.resets_ignored = 4;
    SystemOf<Asker> system(1, {kBase, 4096, 1, 1, 16, 16, 0, 0}, nullptr);
    plan.asks = {};
    system.run(0, 100);
    expect("beats read", system.beats_read(0), 0);
    expect("beats written", system.beats_written(0), 0);
  }});
}

// Two devices with a page each, the last at the end of `last_page`.
template <class Model>
void reaches(uint64_t last_page) {
  plan = {};
  const uint64_t base = last_page - 17 * Memory::kPage;
  SystemOf<Model> system(2, {base, 4096, 1, 1, 16, 16, 0, 0}, nullptr);
  expect("the second region", system.memory.region(1), last_page);
}

template <class Model>
void expect_past_the_end(uint64_t last_page, const char *bits) {
  try {
    reaches<Model>(last_page);
  } catch (const std::runtime_error &error) {
    const std::string should = "the memory ends past the last address of a port of ";
    require(error.what() == should + bits, error.what());
    return;
  }
  throw std::runtime_error("a memory past the last address is taken");
}

void add_addresses(Cases &cases) {
  constexpr uint64_t kEnd32 = uint64_t{1} << 32;
  cases.push_back({"memory up to the last address of 32 bits", [] {
    reaches<NarrowAsker>(kEnd32 - Memory::kPage);
  }});
  cases.push_back({"a port of 32 bits has no memory above", [] {
    expect_past_the_end<NarrowAsker>(kEnd32, "32 bits");
    expect_past_the_end<NarrowAsker>(kEnd32 << 8, "32 bits");
  }});
  cases.push_back({"a port of more bits has", [] {
    reaches<Asker>(kEnd32);
    reaches<Asker>(0 - Memory::kPage);
    expect_past_the_end<Asker>(0, "64 bits");
  }});
  cases.push_back({"beats move at addresses of both widths", [] {
    plan = {};
    plan.asks = {true, true};
    SystemOf<NarrowAsker> narrow(1, {kBase, 4096, 1, 1, 16, 16, 0, 0}, nullptr);
    narrow.run(0, 100);
    require(narrow.beats_read(0) > 90 && narrow.beats_written(0) > 90, "a narrow port stands still");
  }});
}

void add_fair_shares(Cases &cases) {
  for (unsigned devices = 1; devices <= 4; ++devices) {
    cases.push_back({std::to_string(devices) + " devices share every rate evenly", [=] {
      plan = {};
      plan.asks.fill(true);
      // Some give a beat in each 8th, 4th, 2nd cycle: it must not be the same port's turn each time.
      for (const double rate : {2.0, 4.0, 5.3, 8.0, 12.0, 16.0, 20.0, 24.0, 32.0, 44.8}) {
        const double share = std::min(rate / (32 * devices), 1.0);
        for (const uint64_t beats : moved(devices, rate))
          expect_about("a direction at " + std::to_string(rate), beats, share * kCycles);
      }
    }});
  }
  cases.push_back({"a device that reads and one that writes get half each", [] {
    plan = {};
    plan.asks = {true, false, false, true};
    for (const double rate : {4.0, 8.0, 16.0, 24.0}) {
      const auto beats = moved(2, rate);
      expect_about("the reader", beats[0], rate / 32 * kCycles);
      expect_about("the writer", beats[3], rate / 32 * kCycles);
    }
  }});
  cases.push_back({"of three devices two read, one of them writes: a third for each direction", [] {
    plan = {};
    plan.asks = {true, true, true, false};
    for (const double rate : {4.0, 12.0, 16.0, 24.0}) {
      const auto beats = moved(3, rate);
      for (unsigned i = 0; i < 3; ++i)
        expect_about("direction " + std::to_string(i), beats[i], rate / 48 * kCycles);
    }
  }});
  cases.push_back({"what one does not ask for, the others get", [] {
    plan = {};
    plan.asks = {false, false, false, true};
    expect_about("the only writer", moved(2, 8)[3], kCycles / 2.0);
  }});
  cases.push_back({"a write without data takes nothing from the reader", [] {
    plan = {};
    plan.asks = {true, false, false, true};
    plan.withholds_data = true;
    expect_about("the reader", moved(2, 12)[0], kCycles * 0.75);
  }});
  cases.push_back({"a port has its own limit below the shared one", [] {
    plan = {};
    plan.asks = {true, true, true, true};
    for (const uint64_t beats : moved(2, 44.8, 8)) expect_about("a port", beats, kCycles / 2.0);
    for (const uint64_t beats : moved(2, 24, 8)) expect_about("a port", beats, 24 / 64.0 * kCycles);
  }});
}

}  // namespace

void add_system(Cases &cases) {
  add_reset(cases);
  add_addresses(cases);
  add_fair_shares(cases);
}

}  // namespace saltmill::tests
