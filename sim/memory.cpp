// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

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

Memory::~Memory() {
  munmap(bytes_, total_);
  for (const auto &window : windows_) munmap(window.second.bytes, window.second.size);
}

void Memory::map(uint64_t address, uint64_t size, int file, uint64_t offset, bool writable) {
  const auto require = [](bool condition, const char *what) {
    if (!condition) throw std::runtime_error(what);
  };
  require((address | size | offset) % kPage == 0, "a window is not of whole pages of 4096 bytes");
  require(address + size > address, "a window has no bytes, or too many");
  const auto next = windows_.lower_bound(address);
  require(next == windows_.end() || next->first - address >= size, "a window is at that address");
  if (next != windows_.begin()) {
    const auto before = std::prev(next);
    require(address - before->first >= before->second.size, "a window is at that address");
  }
  require(region_bytes_ == 0 || address + (size - 1) < base_ || address > base_ + (total_ - 1),
          "the devices' own memory is at that address");
  // Access behind the end of a file ends the process.
  struct stat status;
  require(fstat(file, &status) == 0, "a window's file can't be looked at");
  require(status.st_size >= 0 && offset <= uint64_t(status.st_size) &&
              size <= uint64_t(status.st_size) - offset,
          "a window's file is too short");
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void *const bytes = mmap(nullptr, size, protection, MAP_SHARED, file, offset);
  if (bytes == MAP_FAILED) throw std::runtime_error(std::string("mmap: ") + strerror(errno));
  windows_[address] = {size, static_cast<uint8_t *>(bytes), writable};
}

Memory::Gone Memory::take(uint64_t address, uint64_t size) {
  auto window = windows_.upper_bound(address);
  if (window != windows_.begin()) {
    const auto before = std::prev(window);
    if (address - before->first < before->second.size) window = before;
  }
  const auto first = window;
  Gone gone;
  for (; window != windows_.end() && (window->first <= address || window->first - address < size);
       ++window) {
    const uint64_t bytes = window->second.size, offset = window->first - address;
    if (window->first < address || bytes > size - offset)
      throw std::runtime_error("part of a window can't be taken away");
    gone.emplace_back(window->second.bytes, bytes);
  }
  windows_.erase(first, window);
  return gone;
}

void Memory::release(const Gone &gone) {
  for (const auto &[bytes, size] : gone) munmap(bytes, size);
}

}  // namespace saltmill
