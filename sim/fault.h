// SPDX-License-Identifier: Apache-2.0
// What a memory port can be told to do wrong.
#ifndef SALTMILL_FAULT_H
#define SALTMILL_FAULT_H

#include <cstdint>

namespace saltmill {

// An inclusive range of bus addresses; empty when made by default.
struct Window {
  uint64_t first = 1;
  uint64_t last = 0;
  // Whether bytes from `begin` up to, but not with, `end` are in it.
  bool touches(uint64_t begin, uint64_t end) const {
    return first <= last && begin <= last && end > first;
  }
};

struct Fault {
  uint64_t hang_from = UINT64_MAX;  // cycle from which the port gives no answer
  Window read_error;
  Window write_error;
};

}  // namespace saltmill
#endif
