// SPDX-License-Identifier: Apache-2.0
// The memory: a region per device, with holes between them, at a bus address that is not 0.
#ifndef SALTMILL_MEMORY_H
#define SALTMILL_MEMORY_H

#include <cstdint>

namespace saltmill {

class Memory {
 public:
  static constexpr uint64_t kPage = 4096;  // no AXI burst crosses a multiple of it
  static constexpr uint64_t kBase = 0x4000'0000;  // unless another one is asked for

  // Pages get real memory when they are first touched. Throws std::bad_alloc.
  Memory(unsigned regions, uint64_t bytes_per_region, uint64_t base = kBase);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  uint64_t region(unsigned index) const { return base_ + index * stride_; }
  uint64_t region_bytes() const { return region_bytes_; }

  // Whether a port with addresses of so many bits reaches all of it.
  bool fits(unsigned address_bits) const {
    const uint64_t last = base_ + total_ - (stride_ - region_bytes_) - 1;
    return last >= base_ && (address_bits >= 64 || last >> address_bits == 0);
  }

  // The bytes at a bus address, or null where not all `size` of them exist. Called once per burst.
  uint8_t *at(uint64_t address, uint64_t size) const {
    const uint64_t offset = address - base_;
    if (offset >= total_ || size > region_bytes_) return nullptr;
    return offset % stride_ <= region_bytes_ - size ? bytes_ + offset : nullptr;
  }

 private:
  uint64_t base_;
  uint64_t region_bytes_;
  uint64_t stride_;
  uint64_t total_;
  uint8_t *bytes_;
};

}  // namespace saltmill
#endif
