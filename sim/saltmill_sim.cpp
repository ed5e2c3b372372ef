// SPDX-License-Identifier: Apache-2.0
// The C interface: checks arguments, turns exceptions into results and sentences.
#include "saltmill_sim.h"

#include <cstring>
#include <new>

#include "system.h"

using saltmill::kVariants;

struct saltmill_sim {
  std::unique_ptr<saltmill::System> system;
  std::string error;
  bool broken = false;  // a protocol error is final
};

namespace {

// A port has at most 64 bursts of each direction, of at most 256 beats: enough for any memory that answers.
constexpr uint64_t kDrainCycles = 1'000'000;

const saltmill::Variant *find_variant(const char *name) {
  for (const auto *variant = kVariants; variant->name; ++variant)
    if (strcmp(variant->name, name) == 0) return variant;
  throw std::runtime_error("no variant " + std::string(name) + " in this build");
}

bool in_range(uint32_t value, uint32_t low, uint32_t high) { return low <= value && value <= high; }

void check(uint32_t devices, const saltmill_sim_memory_profile &memory) {
  const auto require = [](bool condition, const char *what) {
    if (!condition) throw std::runtime_error(what);
  };
  require(in_range(devices, 1, 4), "a system has 1 to 4 devices");
  require(memory.base % saltmill::Memory::kPage == 0, "the memory is not at a multiple of 4096");
  require(memory.bytes_per_device <= uint64_t{1} << 40, "more than 1 TiB of memory for a device");
  require(memory.read_latency != 0 && memory.write_latency != 0, "a latency is below 1 cycle");
  require(in_range(memory.outstanding_reads, 1, saltmill::kMaxOutstanding) &&
              in_range(memory.outstanding_writes, 1, saltmill::kMaxOutstanding),
          "a port takes 1 to 64 bursts of each direction");
  require(memory.port_bytes_per_cycle >= 0 && memory.shared_bytes_per_cycle >= 0,
          "a bandwidth limit is negative");
}

int fail(saltmill_sim *sim, saltmill_sim_result result, const char *what) {
  sim->error = what;
  return result;
}

// Runs `body`, which gives a result, on a system that still works.
template <class Body>
int guarded(saltmill_sim *sim, uint32_t device, Body body) {
  if (sim->broken) return SALTMILL_SIM_PROTOCOL;
  if (device >= sim->system->devices())
    return fail(sim, SALTMILL_SIM_BAD_CALL, "no device of that number");
  try {
    return body(*sim->system);
  } catch (const saltmill::ProtocolError &error) {
    sim->broken = true;
    const std::string text =
        "cycle " + std::to_string(sim->system->cycles()) + ": " + error.what();
    return fail(sim, SALTMILL_SIM_PROTOCOL, text.c_str());
  } catch (const saltmill::Silence &error) {
    return fail(sim, SALTMILL_SIM_SILENT, error.what());
  } catch (const std::exception &error) {
    return fail(sim, SALTMILL_SIM_BAD_CALL, error.what());
  }
}

int answer(saltmill_sim *sim, bool okay) {
  return okay ? SALTMILL_SIM_OK
              : fail(sim, SALTMILL_SIM_REFUSED, "the device refused the register access");
}

}  // namespace

extern "C" {

const char *saltmill_sim_variant(size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (!kVariants[i].name) return nullptr;
  return kVariants[index].name;
}

saltmill_sim *saltmill_sim_create(const char *variant, uint32_t devices,
                                  const saltmill_sim_memory_profile *memory, const char *trace,
                                  char *error, size_t error_size) {
  try {
    check(devices, *memory);
    auto sim = std::make_unique<saltmill_sim>();
    sim->system = find_variant(variant)->make(devices, *memory, trace);
    return sim.release();
  } catch (const std::bad_alloc &) {
    snprintf(error, error_size, "not enough address space for the devices' memory");
  } catch (const std::exception &exception) {
    snprintf(error, error_size, "%s", exception.what());
  }
  return nullptr;
}

void saltmill_sim_destroy(saltmill_sim *sim) { delete sim; }

uint64_t saltmill_sim_region(const saltmill_sim *sim, uint32_t device) {
  return sim->system->memory.region(device);
}

uint64_t saltmill_sim_region_bytes(const saltmill_sim *sim) {
  return sim->system->memory.region_bytes();
}

int saltmill_sim_read(saltmill_sim *sim, uint32_t device, uint32_t offset, uint32_t *value) {
  return guarded(sim, device, [&](saltmill::System &system) {
    return answer(sim, system.read(device, offset, *value));
  });
}

int saltmill_sim_write(saltmill_sim *sim, uint32_t device, uint32_t offset, uint32_t value) {
  return guarded(sim, device, [&](saltmill::System &system) {
    return answer(sim, system.write(device, offset, value));
  });
}

int saltmill_sim_memory_read(saltmill_sim *sim, uint64_t address, void *to, size_t size) {
  const uint8_t *const from = sim->system->memory.at(address, size, false);
  if (!from) return fail(sim, SALTMILL_SIM_BAD_CALL, "no memory at that address");
  memcpy(to, from, size);
  return SALTMILL_SIM_OK;
}

int saltmill_sim_memory_write(saltmill_sim *sim, uint64_t address, const void *from, size_t size) {
  uint8_t *const to = sim->system->memory.at(address, size, true);
  if (!to) return fail(sim, SALTMILL_SIM_BAD_CALL, "no memory at that address");
  memcpy(to, from, size);
  return SALTMILL_SIM_OK;
}

int saltmill_sim_run(saltmill_sim *sim, uint32_t device, uint64_t cycles, int *interrupt) {
  return guarded(sim, device, [&](saltmill::System &system) -> int {
    *interrupt = system.run(device, cycles);
    return SALTMILL_SIM_OK;
  });
}

int saltmill_sim_step(saltmill_sim *sim, uint32_t device, uint64_t cycles, int *up, int *rose) {
  return guarded(sim, device, [&](saltmill::System &system) -> int {
    const saltmill::Interrupt interrupt = system.step(device, cycles);
    *up = interrupt.up;
    *rose = interrupt.rose;
    return SALTMILL_SIM_OK;
  });
}

int saltmill_sim_reset(saltmill_sim *sim) {
  return guarded(sim, 0, [&](saltmill::System &system) -> int {
    system.reset();
    return SALTMILL_SIM_OK;
  });
}

int saltmill_sim_map(saltmill_sim *sim, uint64_t address, uint64_t size, int file, uint64_t offset,
                     int writable) {
  return guarded(sim, 0, [&](saltmill::System &system) -> int {
    system.memory.map(address, size, file, offset, writable);
    return SALTMILL_SIM_OK;
  });
}

int saltmill_sim_unmap(saltmill_sim *sim, uint64_t address, uint64_t size) {
  return guarded(sim, 0, [&](saltmill::System &system) -> int {
    const auto gone = system.memory.take(address, size);
    if (!system.drain(gone, kDrainCycles))  // what they use stays mapped
      return fail(sim, SALTMILL_SIM_BAD_CALL, "the devices' bursts don't end");
    saltmill::Memory::release(gone);
    return SALTMILL_SIM_OK;
  });
}

int saltmill_sim_open_windows(saltmill_sim *sim, int open) {
  return guarded(sim, 0, [&](saltmill::System &system) -> int {
    system.memory.open_windows(open);
    return SALTMILL_SIM_OK;
  });
}

int saltmill_sim_inject(saltmill_sim *sim, uint32_t device, saltmill_sim_fault fault,
                        uint64_t first, uint64_t last) {
  return guarded(sim, device, [&](saltmill::System &system) -> int {
    saltmill::Fault set;
    switch (fault) {
      case SALTMILL_SIM_FAULT_NONE: break;
      case SALTMILL_SIM_FAULT_HANG: set.hang_from = first; break;
      case SALTMILL_SIM_FAULT_READ_ERROR: set.read_error = {first, last}; break;
      case SALTMILL_SIM_FAULT_WRITE_ERROR: set.write_error = {first, last}; break;
      default: return fail(sim, SALTMILL_SIM_BAD_CALL, "no fault of that number");
    }
    system.fault(device) = set;
    return SALTMILL_SIM_OK;
  });
}

uint64_t saltmill_sim_cycles(const saltmill_sim *sim) { return sim->system->cycles(); }

int saltmill_sim_beats(const saltmill_sim *sim, uint32_t device, uint64_t *read,
                       uint64_t *written) {
  if (device >= sim->system->devices()) return SALTMILL_SIM_BAD_CALL;
  *read = sim->system->beats_read(device);
  *written = sim->system->beats_written(device);
  return SALTMILL_SIM_OK;
}

const char *saltmill_sim_error(const saltmill_sim *sim) { return sim->error.c_str(); }

}  // extern "C"
