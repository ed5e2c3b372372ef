// SPDX-License-Identifier: Apache-2.0
// Saltmill devices simulated cycle by cycle, with the memory that they share: the C interface.
//
// A system is 1 to 4 devices of one variant, each on its own memory port, and one clock. Nothing moves
// unless a call moves it: register accesses take the clock cycles of their AXI4-Lite handshakes,
// saltmill_sim_run and saltmill_sim_step take as many as they are told to, saltmill_sim_reset and
// saltmill_sim_unmap as many as they need, and all other calls take none.
//
// Units: addresses and sizes are bytes, time is clock cycles since saltmill_sim_create.
// Byte order: memory is bytes; registers are 32-bit values in the host's order. Little-endian hosts only.
// Errors: calls return a saltmill_sim_result; saltmill_sim_error explains any but 0. Errors that say the
// device broke the AXI protocol are final: every later call returns the same.
// Threads: a system may be used by any thread, but by one at a time. Systems are independent.
#ifndef SALTMILL_SIM_H
#define SALTMILL_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct saltmill_sim saltmill_sim;

typedef enum {
  SALTMILL_SIM_OK = 0,
  SALTMILL_SIM_BAD_CALL = 1,   // an argument is out of range
  SALTMILL_SIM_REFUSED = 2,    // the device answered a register access with an error
  SALTMILL_SIM_SILENT = 3,     // the device did not answer a register access
  SALTMILL_SIM_PROTOCOL = 4,   // the device broke an AXI rule; final
  SALTMILL_SIM_CONFIGURATION = 5  // the system can't be made as asked
} saltmill_sim_result;

// The memory as the devices see it. The bus is as wide as the variant's data port.
typedef struct {
  uint64_t base;                  // bus address of the first region, a multiple of 4096
  uint64_t bytes_per_device;      // size of each device's region, rounded up to 4096; 0: only windows
  uint32_t read_latency;          // cycles from address to first data, at least 1
  uint32_t write_latency;         // cycles from last data to response, at least 1
  uint32_t outstanding_reads;     // bursts that a port takes before it makes the device wait, 1 to 64
  uint32_t outstanding_writes;    // the same for writes
  double port_bytes_per_cycle;    // limit of each port, each direction; 0: one bus beat per cycle
  double shared_bytes_per_cycle;  // limit of all ports, both directions together; 0: none
} saltmill_sim_memory_profile;

typedef enum {
  SALTMILL_SIM_FAULT_NONE = 0,
  SALTMILL_SIM_FAULT_HANG = 1,         // from cycle `first` the memory port gives no answer
  SALTMILL_SIM_FAULT_READ_ERROR = 2,   // reads touching addresses first..last get SLVERR
  SALTMILL_SIM_FAULT_WRITE_ERROR = 3   // writes touching addresses first..last get SLVERR
} saltmill_sim_fault;

// Names of the variants built in, sorted; NULL past the last.
const char *saltmill_sim_variant(size_t index);

// A system after reset. On failure NULL, with a sentence in `error` (cut to `error_size`, 0-terminated).
// `trace`: file for a waveform, or NULL; only models built for it can write one.
saltmill_sim *saltmill_sim_create(const char *variant, uint32_t devices,
                                  const saltmill_sim_memory_profile *memory, const char *trace,
                                  char *error, size_t error_size);
void saltmill_sim_destroy(saltmill_sim *sim);

// Bus address of a device's region. Nothing answers between the regions (DECERR).
uint64_t saltmill_sim_region(const saltmill_sim *sim, uint32_t device);
uint64_t saltmill_sim_region_bytes(const saltmill_sim *sim);

// Register access, 32 bits, offset a multiple of 4.
int saltmill_sim_read(saltmill_sim *sim, uint32_t device, uint32_t offset, uint32_t *value);
int saltmill_sim_write(saltmill_sim *sim, uint32_t device, uint32_t offset, uint32_t value);

// Copies between the caller and the memory that the devices see.
int saltmill_sim_memory_read(saltmill_sim *sim, uint64_t address, void *to, size_t size);
int saltmill_sim_memory_write(saltmill_sim *sim, uint64_t address, const void *from, size_t size);

// Runs until the device's interrupt is up or `cycles` have passed; *interrupt tells which.
int saltmill_sim_run(saltmill_sim *sim, uint32_t device, uint64_t cycles, int *interrupt);

// Runs all `cycles`, which may be 0. *up: the interrupt is up now. *rose: it came up since the last step,
// in a register access too.
int saltmill_sim_step(saltmill_sim *sim, uint32_t device, uint64_t cycles, int *up, int *rose);

// Puts all devices into reset and takes them out. Bursts under way are forgotten; faults stay.
int saltmill_sim_reset(saltmill_sim *sim);

// Windows: memory of another process that all devices see, as parts of files. A device that writes to one
// that is not writable gets DECERR. Addresses, sizes and offsets are multiples of 4096.
int saltmill_sim_map(saltmill_sim *sim, uint64_t address, uint64_t size, int file, uint64_t offset,
                     int writable);
// Takes away the windows in a range, when bursts under way are over (the clock runs for that).
int saltmill_sim_unmap(saltmill_sim *sim, uint64_t address, uint64_t size);
// While they are closed, nothing answers in the windows (DECERR); they stay.
int saltmill_sim_open_windows(saltmill_sim *sim, int open);

// Sets a fault of a device's memory port, in place of an earlier one.
int saltmill_sim_inject(saltmill_sim *sim, uint32_t device, saltmill_sim_fault fault,
                        uint64_t first, uint64_t last);

uint64_t saltmill_sim_cycles(const saltmill_sim *sim);
// Beats that crossed a device's memory port, for bus utilisation.
int saltmill_sim_beats(const saltmill_sim *sim, uint32_t device, uint64_t *read, uint64_t *written);
const char *saltmill_sim_error(const saltmill_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
