// SPDX-License-Identifier: Apache-2.0
// Windows: memory of others, as parts of files, on the bus.
#include <sys/mman.h>
#include <unistd.h>

#include "port.h"

namespace saltmill::tests {
namespace {

using Wide = Port<16>;
constexpr uint64_t kPage = Memory::kPage, kWindow = 0x10'0000;

// A file of some pages, with a byte at the begin of each.
struct File {
  explicit File(unsigned pages) : descriptor(memfd_create("window", MFD_CLOEXEC)) {
    require(descriptor >= 0 && ftruncate(descriptor, pages * kPage) == 0, "no file");
    for (unsigned page = 0; page < pages; ++page) put(page * kPage, uint8_t(page + 1));
  }
  ~File() { close(descriptor); }
  void put(uint64_t offset, uint8_t byte) {
    require(pwrite(descriptor, &byte, 1, off_t(offset)) == 1, "the file can't be written");
  }
  uint8_t get(uint64_t offset) const {
    uint8_t byte = 0;
    require(pread(descriptor, &byte, 1, off_t(offset)) == 1, "the file can't be read");
    return byte;
  }
  int descriptor;
};

template <class Body>
void expect_refusal(const std::string &sentence, Body body) {
  try {
    body();
  } catch (const std::runtime_error &error) {
    require(error.what() == sentence, "refused as '" + std::string(error.what()) + "'");
    return;
  }
  throw std::runtime_error("not refused: " + sentence);
}

unsigned read_response(Wide &port, uint64_t address) {
  port.take_read({address});
  port.take_beat();
  return port.bus.m_axi_rresp;
}

void add_refusals(Cases &cases) {
  const auto refused = [&](const char *name, const char *sentence, uint64_t address, uint64_t size,
                           uint64_t offset) {
    cases.push_back({std::string("a window ") + name, [=] {
      Wide port;
      const File file(2);
      port.memory.map(kWindow, kPage, file.descriptor, 0, true);
      expect_refusal(sentence,
                     [&] { port.memory.map(address, size, file.descriptor, offset, true); });
      expect("the other", read_response(port, kWindow), kOkay);
    }});
  };
  const char *const pages = "a window is not of whole pages of 4096 bytes";
  const char *const bytes = "a window has no bytes, or too many";
  const char *const taken = "a window is at that address";
  const char *const shorter = "a window's file is too short";
  refused("at half a page", pages, 0x800, kPage, 0);
  refused("of half a page", pages, 0, 0x800, 0);
  refused("from half a page of its file", pages, 0, kPage, 0x800);
  refused("of nothing", bytes, 0, 0, 0);
  refused("that goes around the end of all addresses", bytes, ~uint64_t{0} - kPage + 1, 2 * kPage,
          0);
  refused("of the last page of all addresses", bytes, ~uint64_t{0} - kPage + 1, kPage, 0);
  refused("where one is", taken, kWindow, kPage, 0);
  refused("that reaches into one", taken, kWindow - kPage, 2 * kPage, 0);
  refused("that is longer than its file", shorter, 0, 3 * kPage, 0);
  refused("behind its file's end", shorter, 0, kPage, 2 * kPage);
  const char *const own = "the devices' own memory is at that address";
  refused("in the devices' own memory", own, kBase, kPage, 0);
}

void add_accesses(Cases &cases) {
  cases.push_back({"a window has its file's bytes, and nothing is beside it", [] {
    Wide port;
    const File file(3);
    port.memory.map(kWindow, 2 * kPage, file.descriptor, kPage, true);
    for (unsigned page = 0; page < 2; ++page) {
      expect("rresp", read_response(port, kWindow + page * kPage), kOkay);
      expect("a byte", port.bus.m_axi_rdata[0], page + 2);
    }
    expect("before it", read_response(port, kWindow - kPage), kDecErr);
    expect("behind it", read_response(port, kWindow + 2 * kPage), kDecErr);
    expect("bresp", port.store({kWindow + kPage}, 7), kOkay);
    expect("the file's byte", file.get(2 * kPage), 7);
  }});
  cases.push_back({"a window for reading is not written", [] {
    Wide port;
    const File file(1);
    port.memory.map(kWindow, kPage, file.descriptor, 0, false);
    expect("rresp", read_response(port, kWindow), kOkay);
    expect("bresp", port.store({kWindow}, 7), kDecErr);
    expect("the file's byte", file.get(0), 1);
  }});
  cases.push_back({"closed windows are not there, and open again they are", [] {
    Wide port;
    const File file(1);
    port.memory.map(kWindow, kPage, file.descriptor, 0, true);
    port.memory.open_windows(false);
    expect("rresp", read_response(port, kWindow), kDecErr);
    expect("bresp", port.store({kWindow}, 7), kDecErr);
    expect("the file's byte", file.get(0), 1);
    port.memory.open_windows(true);
    expect("rresp", read_response(port, kWindow), kOkay);
  }});
}

void add_taking_away(Cases &cases) {
  cases.push_back({"a range takes the windows in it, and no part of one", [] {
    Wide port;
    const File file(4);
    for (unsigned page = 0; page < 2; ++page)
      port.memory.map(kWindow + 2 * page * kPage, 2 * kPage, file.descriptor, 0, true);
    const char *const part = "part of a window can't be taken away";
    expect_refusal(part, [&] { port.memory.take(kWindow + kPage, 3 * kPage); });
    expect_refusal(part, [&] { port.memory.take(kWindow, 3 * kPage); });
    expect("both are there", read_response(port, kWindow + 3 * kPage), kOkay);
    expect("none in a hole", port.memory.take(0, kWindow).size(), 0);
    const auto gone = port.memory.take(0, ~uint64_t{0});
    expect("windows", gone.size(), 2);
    expect("rresp", read_response(port, kWindow), kDecErr);
    Memory::release(gone);
  }});
  cases.push_back({"a burst keeps the bytes of a window that is taken away", [] {
    Wide port;
    const File file(1);
    port.memory.map(kWindow, kPage, file.descriptor, 0, true);
    port.take_read({kWindow, 0, 1});
    port.take_write({kWindow + 64, 0, 1});
    const auto gone = port.memory.take(kWindow, kPage);
    const auto [bytes, size] = gone.at(0);
    require(port.read.reads(bytes, size) && port.write.writes(bytes, size), "not used");
    port.take_beat();
    expect("a byte", port.bus.m_axi_rdata[0], 1);
    port.take_beat();
    require(!port.read.reads(bytes, size), "still read");
    port.take_data(Wide::kAllBytes, false, 7);
    port.take_data(Wide::kAllBytes, true, 8);
    port.cycle();
    require(!port.write.writes(bytes, size), "still written");
    Memory::release(gone);
    expect("the file's byte", file.get(64 + 16), 8);
  }});
}

}  // namespace

void add_windows(Cases &cases) {
  add_refusals(cases);
  add_accesses(cases);
  add_taking_away(cases);
}

}  // namespace saltmill::tests
