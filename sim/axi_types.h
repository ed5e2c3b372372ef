// SPDX-License-Identifier: Apache-2.0
// What the read and the write half of a memory port share: profile, bursts, their rules, short queues.
#ifndef SALTMILL_AXI_TYPES_H
#define SALTMILL_AXI_TYPES_H

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "memory.h"

namespace saltmill {

enum AxiResponse : uint8_t { kOkay = 0, kSlvErr = 2, kDecErr = 3 };

struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PortProfile {
  uint32_t read_latency;
  uint32_t write_latency;
  uint32_t outstanding_reads;
  uint32_t outstanding_writes;
  double port_bytes_per_cycle;
};

// A first-in first-out queue in place; the caller keeps it from overflowing.
template <class T, unsigned Capacity>
class Queue {
 public:
  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }
  T &front() { return entries_[first_]; }
  template <class Predicate>
  bool any(Predicate holds) const {
    for (unsigned i = 0; i < count_; ++i)
      if (holds(entries_[(first_ + i) % Capacity])) return true;
    return false;
  }
  void push(const T &entry) { entries_[(first_ + count_++) % Capacity] = entry; }
  void pop() {
    first_ = (first_ + 1) % Capacity;
    --count_;
  }

 private:
  std::array<T, Capacity> entries_{};
  unsigned first_ = 0;
  unsigned count_ = 0;
};

constexpr unsigned kMaxOutstanding = 64;  // bursts of each direction

// One address phase as it is on the bus.
struct AddressPhase {
  uint64_t address;
  uint8_t id, length, size, burst, lock, cache, prot, qos;
  bool operator==(const AddressPhase &o) const {
    return address == o.address && id == o.id && length == o.length && size == o.size &&
           burst == o.burst && lock == o.lock && cache == o.cache && prot == o.prot &&
           qos == o.qos;
  }
  unsigned beats() const { return length + 1u; }
  uint64_t aligned() const { return address >> size << size; }

  // Throws when the rules of AXI4 (IHI 0022, A3.4) do not allow it, or this memory does not.
  void check(const char *channel, unsigned data_bytes) const {
    const auto fail = [&](const char *what) {
      char text[160];
      snprintf(text, sizeof text, "%s: %s (address 0x%llx, length %u, size %u, burst %u)", channel,
               what, static_cast<unsigned long long>(address), length, size, burst);
      throw ProtocolError(text);
    };
    if (burst != 1) fail("the burst type is not INCR");
    if (lock != 0) fail("exclusive access, which this memory does not have");
    if ((1u << size) > data_bytes) fail("the beat is wider than the bus");
    if ((aligned() & (Memory::kPage - 1)) + (uint64_t{beats()} << size) > Memory::kPage)
      fail("the burst crosses a 4 KiB boundary");
  }
};

// A burst that was accepted and is served beat by beat.
struct Burst {
  uint64_t address;  // of the beat that is next
  uint64_t due;      // cycle of the first beat, for reads
  uint8_t *memory;   // the bus word of the next beat; null: nothing there
  unsigned beats;    // still to come
  uint8_t id, size;
  uint8_t response;  // the worst so far

  Burst() = default;
  Burst(const AddressPhase &phase, uint64_t when, const Memory &all, unsigned data_bytes,
        bool write)
      : address(phase.address), due(when), beats(phase.beats()), id(phase.id), size(phase.size) {
    const uint64_t word = address & ~uint64_t{data_bytes - 1};
    const uint64_t end = phase.aligned() + (uint64_t{beats} << size);
    memory = all.at(word, (end - word + data_bytes - 1) / data_bytes * data_bytes, write);
    response = memory ? kOkay : kDecErr;
  }

  bool in(const uint8_t *bytes, uint64_t size) const {
    return memory >= bytes && memory < bytes + size;
  }
  // Address of the beat after that: only the first may be unaligned.
  uint64_t next() const { return ((address >> size) + 1) << size; }
  void advance(unsigned data_bytes) {
    const uint64_t word = ~uint64_t{data_bytes - 1};
    if (memory) memory += (next() & word) - (address & word);
    address = next();
    --beats;
  }
};

}  // namespace saltmill
#endif
