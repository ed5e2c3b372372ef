// SPDX-License-Identifier: Apache-2.0
// What the C interface knows of a system, whatever its variant; and the table of variants, which the build makes.
#ifndef SALTMILL_SYSTEM_H
#define SALTMILL_SYSTEM_H

#include <memory>

#include "axi_types.h"
#include "fault.h"
#include "saltmill_sim.h"

namespace saltmill {

// The interrupt now, and whether it came up since the last look.
struct Interrupt {
  bool up, rose;
};

class System {
 public:
  System(unsigned devices, const saltmill_sim_memory_profile &profile)
      : memory(devices, profile.bytes_per_device, profile.base) {}
  virtual ~System() = default;

  virtual unsigned devices() const = 0;
  // Register accesses; false if the device answers with an error. Throw Silence or ProtocolError.
  virtual bool read(unsigned device, uint32_t offset, uint32_t &value) = 0;
  virtual bool write(unsigned device, uint32_t offset, uint32_t value) = 0;
  // True if the interrupt came up within `cycles`.
  virtual bool run(unsigned device, uint64_t cycles) = 0;
  // Runs all `cycles`, whatever the interrupt does.
  virtual Interrupt step(unsigned device, uint64_t cycles) = 0;
  // Runs until no burst uses what has gone from memory; false if that takes more than `cycles`.
  virtual bool drain(const Memory::Gone &gone, uint64_t cycles) = 0;
  // Puts all devices and ports into reset and takes them out.
  virtual void reset() = 0;
  virtual Fault &fault(unsigned device) = 0;
  virtual uint64_t beats_read(unsigned device) const = 0;
  virtual uint64_t beats_written(unsigned device) const = 0;
  uint64_t cycles() const { return now_; }

  Memory memory;

 protected:
  uint64_t now_ = 0;
};

struct Silence : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Variant {
  const char *name;
  std::unique_ptr<System> (*make)(unsigned devices, const saltmill_sim_memory_profile &memory,
                                  const char *trace);
};

// Ends with a null name. Generated from lab/variants.toml.
extern const Variant kVariants[];

}  // namespace saltmill
#endif
