// SPDX-License-Identifier: Apache-2.0
// Every AXI4 rule that the memory port checks: legal traffic passes, one illegal change is reported. Runs
// these and the other cases of this folder, one line for each.
#include <cstdio>

#include "port.h"

namespace saltmill::tests {
namespace {

using Wide = Port<16>;

enum class Channel { kRead, kWrite };

const char *name_of(Channel channel) { return channel == Channel::kRead ? "AR" : "AW"; }

void show(Wide &port, Channel channel, const AddressSignals &address) {
  channel == Channel::kRead ? port.bus.show_read(address) : port.bus.show_write(address);
}

void withdraw(Wide &port, Channel channel) {
  (channel == Channel::kRead ? port.bus.m_axi_arvalid : port.bus.m_axi_awvalid) = 0;
}

// An address that waits, because the port has as many bursts as it takes.
struct Waiting {
  explicit Waiting(Channel channel) : channel(channel) {
    show(port, channel, {kBase});
    port.cycle();  // taken
    show(port, channel, address);
    port.cycles(3);
  }
  void change(const AddressSignals &changed) {
    show(port, channel, changed);
    port.cycle();
  }
  Channel channel;
  Wide port{{1, 1, 1, 1, 0}};
  AddressSignals address{kBase + 64, 0, 3};
};

struct Change {
  const char *what;
  void (*make)(AddressSignals &);
};

constexpr Change kChanges[] = {
    {"address", [](AddressSignals &a) { a.address += 64; }},
    {"id", [](AddressSignals &a) { a.id = 1; }},
    {"length", [](AddressSignals &a) { a.length = 2; }},
    {"size", [](AddressSignals &a) { a.size = 3; }},
    {"burst", [](AddressSignals &a) { a.burst = 2; }},
    {"lock", [](AddressSignals &a) { a.lock = 1; }},
    {"cache", [](AddressSignals &a) { a.cache = 2; }},
    {"prot", [](AddressSignals &a) { a.prot = 1; }},
    {"qos", [](AddressSignals &a) { a.qos = 1; }},
};

void add_held_address(Cases &cases, Channel channel) {
  const std::string name = name_of(channel);
  const std::string sentence = name + ": valid or payload changed before ready";
  cases.push_back({name + " waits unchanged, is taken, then changes", [=] {
    Waiting waiting(channel);
    waiting.port.cycles(20);
    auto &bus = waiting.port.bus;
    if (channel == Channel::kWrite) waiting.port.take_data(Wide::kAllBytes, true);
    bus.m_axi_rready = bus.m_axi_bready = 1;
    waiting.port.until(channel == Channel::kRead ? bus.m_axi_arready : bus.m_axi_awready, "ready");
    waiting.change({kBase + 128, 1, 1, 2});
  }});
  cases.push_back({name + " valid falls before ready", [=] {
    Waiting waiting(channel);
    withdraw(waiting.port, channel);
    expect_report(sentence, [&] { waiting.port.cycle(); });
  }});
  for (const Change &change : kChanges) {
    cases.push_back({name + " " + change.what + " changes before ready", [=] {
      Waiting waiting(channel);
      AddressSignals changed = waiting.address;
      change.make(changed);
      expect_report(sentence, [&] { waiting.change(changed); });
    }});
  }
}

struct Offer {
  const char *name;
  AddressSignals address;
  const char *report;  // null: legal
};

constexpr uint64_t kEnd = kBase + Memory::kPage;

const Offer kOffers[] = {
    {"four whole beats", {kBase, 0, 3}, nullptr},
    {"burst type FIXED", {kBase, 0, 3, 4, 0}, "the burst type is not INCR"},
    {"burst type WRAP", {kBase, 0, 3, 4, 2}, "the burst type is not INCR"},
    {"reserved burst type", {kBase, 0, 3, 4, 3}, "the burst type is not INCR"},
    {"exclusive access", {kBase, 0, 0, 4, 1, 1}, "exclusive access, which this memory does not have"},
    {"beats of one byte", {kBase + 7, 0, 3, 0}, nullptr},
    {"beats wider than the bus", {kBase, 0, 0, 5}, "the beat is wider than the bus"},
    {"beats of 128 bytes", {kBase, 0, 0, 7}, "the beat is wider than the bus"},
    {"a whole page", {kBase, 0, 255}, nullptr},
    {"a page, begun late", {kBase + 16, 0, 255}, "the burst crosses a 4 KiB boundary"},
    {"up to the page's end", {kEnd - 64, 0, 3}, nullptr},
    {"a beat past the page's end", {kEnd - 64, 0, 4}, "the burst crosses a 4 KiB boundary"},
    {"unaligned up to the page's end", {kEnd - 49, 0, 3}, nullptr},
    {"unaligned past the page's end", {kEnd - 48, 0, 3}, "the burst crosses a 4 KiB boundary"},
    {"the page's last byte", {kEnd - 1, 0, 0, 0}, nullptr},
    {"a byte past the page's end", {kEnd - 1, 0, 1, 0}, "the burst crosses a 4 KiB boundary"},
};

std::string full_report(Channel channel, const Offer &offer) {
  char at[100];
  const AddressSignals &a = offer.address;
  snprintf(at, sizeof at, " (address 0x%llx, length %u, size %u, burst %u)",
           static_cast<unsigned long long>(a.address), a.length, a.size, a.burst);
  return std::string(name_of(channel)) + ": " + offer.report + at;
}

void add_offers(Cases &cases, Channel channel) {
  for (const Offer &offer : kOffers) {
    cases.push_back({std::string(name_of(channel)) + " " + offer.name, [=] {
      Wide port;
      show(port, channel, offer.address);
      if (offer.report)
        expect_report(full_report(channel, offer), [&] { port.cycle(); });
      else
        port.cycle();
    }});
  }
}

}  // namespace

void add_address_rules(Cases &cases) {
  for (const Channel channel : {Channel::kRead, Channel::kWrite}) {
    add_held_address(cases, channel);
    add_offers(cases, channel);
  }
}

}  // namespace saltmill::tests

int main() {
  using namespace saltmill::tests;
  Cases cases;
  add_address_rules(cases);
  add_data_rules(cases);
  add_memory_answers(cases);
  add_memory_timing(cases);
  add_system(cases);
  add_windows(cases);
  unsigned failed = 0;
  for (const Case &one : cases) {
    try {
      one.body();
      printf("ok    %s\n", one.name.c_str());
    } catch (const std::exception &error) {
      ++failed;
      printf("FAIL  %s: %s\n", one.name.c_str(), error.what());
    }
  }
  printf("%zu cases, %u failed\n", cases.size(), failed);
  return failed != 0;
}
