// SPDX-License-Identifier: Apache-2.0
// The memory: a region per device, with holes between them, at a bus address that is not 0; and windows
// onto files, which are somebody else's memory.
#ifndef SALTMILL_MEMORY_H
#define SALTMILL_MEMORY_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

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
    if (region_bytes_ == 0) return true;
    const uint64_t last = base_ + total_ - (stride_ - region_bytes_) - 1;
    return last >= base_ && (address_bits >= 64 || last >> address_bits == 0);
  }

  // The bytes at a bus address, or null where not all `size` of them exist, or where they are not for
  // writing. Called once per burst.
  uint8_t *at(uint64_t address, uint64_t size, bool write) const {
    const uint64_t offset = address - base_;
    if (offset >= total_ || size > region_bytes_) return in_window(address, size, write);
    return offset % stride_ <= region_bytes_ - size ? bytes_ + offset : nullptr;
  }

  // Puts `size` bytes of a file at a bus address. All are multiples of kPage. Throws when the file does not
  // have them, the address is taken, or the system refuses.
  void map(uint64_t address, uint64_t size, int file, uint64_t offset, bool writable);
  // Windows that are on the bus no more: their bytes stay until they are given to `release`.
  using Gone = std::vector<std::pair<uint8_t *, uint64_t>>;
  // Takes the windows in that range off the bus. Throws when part of one is outside.
  Gone take(uint64_t address, uint64_t size);
  static void release(const Gone &gone);
  // While they are closed, nothing is in the windows.
  void open_windows(bool open) { open_ = open; }

 private:
  struct Window {
    uint64_t size;
    uint8_t *bytes;
    bool writable;
  };

  uint8_t *in_window(uint64_t address, uint64_t size, bool write) const {
    auto window = windows_.upper_bound(address);
    if (!open_ || window == windows_.begin()) return nullptr;
    --window;
    const uint64_t offset = address - window->first;
    if (offset >= window->second.size || size > window->second.size - offset) return nullptr;
    return write && !window->second.writable ? nullptr : window->second.bytes + offset;
  }

  std::map<uint64_t, Window> windows_;  // by address
  bool open_ = true;
  uint64_t base_;
  uint64_t region_bytes_;
  uint64_t stride_;
  uint64_t total_;
  uint8_t *bytes_;
};

}  // namespace saltmill
#endif
