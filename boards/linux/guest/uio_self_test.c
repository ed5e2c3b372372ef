// SPDX-License-Identifier: Apache-2.0
// The C driver on Linux, over the kernel module's UIO device: the self-test, then a long message there
// and back. `uio_self_test /dev/uio0 BUS_ADDRESS BYTES`: of its memory, as sysfs says them.
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "saltmill_driver.h"

#define ENTRIES_LOG2 4
#define PATIENCE_MS 60000
#define LENGTH 65536

static int file;
static unsigned long interrupts;

static bool wait_for_interrupt(void *context) {
  (void)context;
  const int32_t on = 1;
  uint32_t count;
  struct pollfd ready = {.fd = file, .events = POLLIN};
  if (write(file, &on, sizeof on) != sizeof on || poll(&ready, 1, 100) != 1) return false;
  if (read(file, &count, sizeof count) != sizeof count) return false;
  ++interrupts;
  return true;
}

static uint32_t milliseconds(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

static void need(saltmill_result result, const char *what) {
  if (result == SALTMILL_DONE) return;
  printf("result %s %s\n", what, saltmill_result_name(result));
  exit(1);
}

static void *map(int number, size_t bytes) {
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                     (off_t)number * sysconf(_SC_PAGESIZE));
  if (start == MAP_FAILED) perror("mmap"), exit(1);
  return start;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  const uint64_t bus = strtoull(arguments[2], NULL, 0);
  const size_t bytes = strtoul(arguments[3], NULL, 0);
  file = open(arguments[1], O_RDWR);
  if (file < 0) return perror(arguments[1]), 1;
  void *const registers = map(0, 4096);
  uint8_t *const memory = map(1, bytes);

  static saltmill_device device;
  const saltmill_platform platform = {
      .bus_offset = bus - (uintptr_t)memory, .wait = wait_for_interrupt, .ticks = milliseconds};
  need(saltmill_probe(&device, (uintptr_t)registers, &platform, memory, ENTRIES_LOG2, PATIENCE_MS),
       "probe");
  printf("result algorithm %s\n", saltmill_algorithm_name(device.description.algorithm));
  saltmill_enable_interrupt(&device, true);
  uint8_t *const data = memory + (SALTMILL_DESCRIPTOR_BYTES << ENTRIES_LOG2);
  unsigned vectors = 0;
  need(saltmill_self_test(&device, data, PATIENCE_MS, &vectors, NULL), "self_test");
  printf("result vectors %u\n", vectors);

  const uint8_t key[32] = {7};
  need(saltmill_set_key(&device, 0, key, sizeof key), "key");
  for (size_t i = 0; i < LENGTH; ++i) data[i] = (uint8_t)(i * 7);
  for (int round = 0; round < 2; ++round) {
    const saltmill_request request = {.operation = SALTMILL_OPERATION_XOR_STREAM, .nonce_bytes = 12,
                                      .source = data, .destination = data, .length = LENGTH};
    saltmill_completion done;
    need(saltmill_run(&device, &request, &done, PATIENCE_MS), "job");
    size_t same = 0;
    for (size_t i = 0; i < LENGTH; ++i) same += data[i] == (uint8_t)(i * 7);
    printf("result same_after_%d %zu\n", round + 1, same);
  }
  need(saltmill_wipe(&device, PATIENCE_MS), "wipe");
  printf("result interrupts_waited_for %lu\nresult c_driver 0\n", interrupts);
  return 0;
}
