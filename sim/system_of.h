// SPDX-License-Identifier: Apache-2.0
// A system of devices of one Verilated model. The clock cycle is here; it has no virtual call, no
// allocation and no look-up, because it decides the speed of the simulation.
#ifndef SALTMILL_SYSTEM_OF_H
#define SALTMILL_SYSTEM_OF_H

#include <algorithm>
#include <string>
#include <vector>

#include "device.h"
#include "system.h"
#include "trace.h"

namespace saltmill {

template <class Model>
class SystemOf final : public System {
 public:
  SystemOf(unsigned devices, const saltmill_sim_memory_profile &profile, const char *trace)
      : System(devices, profile),
        shared_(profile.shared_bytes_per_cycle, Device<Model>::kDataBytes) {
    const PortProfile port{profile.read_latency, profile.write_latency, profile.outstanding_reads,
                           profile.outstanding_writes, profile.port_bytes_per_cycle};
    if (!memory.fits(kAddressBits))
      throw std::runtime_error("the memory ends past the last address of a port of " +
                               std::to_string(kAddressBits) + " bits");
    context_.traceEverOn(trace != nullptr);
    for (unsigned d = 0; d < devices; ++d) {
      const std::string name = "device" + std::to_string(d);
      devices_.push_back(
          std::make_unique<Device<Model>>(context_, name.c_str(), memory, port));
      if (trace) trace_.add(devices_.back()->model);
    }
    if (trace) trace_.open(trace);
    SystemOf::reset();
  }

  ~SystemOf() override {
    for (auto &device : devices_) device->model.final();
  }

  unsigned devices() const override { return devices_.size(); }
  Fault &fault(unsigned device) override { return devices_[device]->fault; }
  uint64_t beats_read(unsigned device) const override { return devices_[device]->beats_read(); }
  uint64_t beats_written(unsigned device) const override {
    return devices_[device]->beats_written();
  }

  bool read(unsigned device, uint32_t offset, uint32_t &value) override {
    Model &m = devices_[device]->model;
    m.s_axil_araddr = offset;
    m.s_axil_arvalid = 1;
    m.s_axil_rready = 1;
    uint32_t response = 0;
    bool address_open = true, answered = false;
    await(device, "read", offset, [&] {
      const bool address = m.s_axil_arvalid && m.s_axil_arready;
      const bool data = m.s_axil_rvalid;
      if (data) response = m.s_axil_rresp, value = m.s_axil_rdata;
      rise();
      if (address) m.s_axil_arvalid = address_open = false;
      answered |= data;
      return answered && !address_open;
    });
    m.s_axil_rready = 0;
    return response == kOkay;
  }

  bool write(unsigned device, uint32_t offset, uint32_t value) override {
    Model &m = devices_[device]->model;
    m.s_axil_awaddr = offset;
    m.s_axil_wdata = value;
    m.s_axil_wstrb = 0xF;
    m.s_axil_awvalid = m.s_axil_wvalid = m.s_axil_bready = 1;
    uint32_t response = 0;
    bool answered = false;
    await(device, "write", offset, [&] {
      const bool address = m.s_axil_awready, data = m.s_axil_wready, done = m.s_axil_bvalid;
      if (done) response = m.s_axil_bresp;
      rise();
      if (address) m.s_axil_awvalid = 0;
      if (data) m.s_axil_wvalid = 0;
      answered |= done;
      return answered && !m.s_axil_awvalid && !m.s_axil_wvalid;
    });
    m.s_axil_bready = 0;
    return response == kOkay;
  }

  bool run(unsigned device, uint64_t cycles) override {
    const Model &m = devices_[device]->model;
    for (; !m.irq_o && cycles != 0; --cycles) {
      settle();
      rise();
    }
    return m.irq_o;
  }

  Interrupt step(unsigned device, uint64_t cycles) override {
    Device<Model> &d = *devices_[device];
    for (; cycles != 0; --cycles) {
      settle();
      rise();
      d.look_at_interrupt();
    }
    return {d.model.irq_o != 0, d.take_rise()};
  }

  bool drain(const Memory::Gone &gone, uint64_t cycles) override {
    const auto used = [this](const auto &bytes) {
      return std::any_of(devices_.begin(), devices_.end(), [&](const auto &device) {
        return device->uses(bytes.first, bytes.second);
      });
    };
    while (std::any_of(gone.begin(), gone.end(), used)) {
      if (cycles-- == 0) return false;
      settle();
      rise();
      for (auto &device : devices_) device->look_at_interrupt();
    }
    return true;
  }

  void reset() override {
    for (auto &device : devices_) device->reset();
    for (unsigned i = 0; i < kResetCycles; ++i) {
      for (auto &device : devices_) device->settle_in_reset();
      trace_.dump(2 * now_);
      rise();
    }
    for (auto &device : devices_) {
      if (!device->idle_on_bus()) throw ProtocolError("a valid output is high in reset");
      device->model.aresetn = 1;
      device->look_at_interrupt();
    }
  }

 private:
  // Of a port with more than 32 the model does not tell how many.
  static constexpr unsigned kAddressBits = 8 * sizeof(std::declval<Model &>().m_axi_araddr);
  static constexpr unsigned kResetCycles = 16;
  static constexpr unsigned kRegisterCycles = 1000;  // a register access takes a handful

  // Runs cycles until `edge`, which makes the rising edge, says that the access is done.
  template <class Edge>
  void await(unsigned device, const char *what, uint32_t offset, Edge edge) {
    for (unsigned i = 0; i < kRegisterCycles; ++i) {
      settle();
      const bool done = edge();
      devices_[device]->look_at_interrupt();
      if (done) return;
    }
    throw Silence("no answer to a register " + std::string(what) + " at offset " +
                  std::to_string(offset));
  }

  void settle() {
    shared_.next_cycle();
    if (shared_.limited()) {
      drive_in_turn();
    } else {
      for (auto &device : devices_) {
        device->drive_read(now_, shared_);
        device->drive_write(now_, shared_);
      }
    }
    for (auto &device : devices_) device->settle(now_, shared_);
    trace_.dump(2 * now_);
  }

  // All reads, then all writes, in a ring that begins behind the last one that got a beat. A ring that
  // turned with the clock could meet the same port whenever there is a beat to give.
  void drive_in_turn() {
    const unsigned count = devices_.size();
    unsigned next = turn_;
    for (unsigned i = 0, turn = turn_; i < 2 * count; ++i) {
      const auto before = shared_.tokens();
      if (turn < count)
        devices_[turn]->drive_read(now_, shared_);
      else
        devices_[turn - count]->drive_write(now_, shared_);
      if (++turn == 2 * count) turn = 0;
      if (shared_.tokens() != before) next = turn;
    }
    turn_ = next;
  }

  void rise() {
    for (auto &device : devices_) device->clock();
    trace_.dump(2 * now_ + 1);
    ++now_;
  }

  VerilatedContext context_;
  std::vector<std::unique_ptr<Device<Model>>> devices_;
  Bucket shared_;
  unsigned turn_ = 0;  // in the ring of drive_in_turn
  Trace trace_;
};

}  // namespace saltmill
#endif
