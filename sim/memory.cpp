// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <sys/mman.h>

#include <new>

namespace saltmill {

Memory::Memory(unsigned regions, uint64_t bytes_per_region, uint64_t base)
    : base_(base),
      region_bytes_((bytes_per_region + kPage - 1) / kPage * kPage),
      stride_(region_bytes_ + 16 * kPage),  // a device that runs off its region finds a hole
      total_(regions * stride_) {
  void *const map = mmap(nullptr, total_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  bytes_ = static_cast<uint8_t *>(map);
}

Memory::~Memory() { munmap(bytes_, total_); }

}  // namespace saltmill
