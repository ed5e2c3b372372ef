// SPDX-License-Identifier: Apache-2.0
// One Verilated device with its memory port, and the register side's AXI4-Lite signals.
#ifndef SALTMILL_DEVICE_H
#define SALTMILL_DEVICE_H

#include <optional>
#include <utility>

#include "axi_read.h"
#include "axi_write.h"

namespace saltmill {

// The two halves of a clock cycle. Verilator wants an evaluation for each edge, and most of the work of
// the one for the falling edge is for nothing; where the build knows the model's insides well enough
// it specialises this (build_script/edges.rs).
template <class Model>
struct Edges {
  static void start(Model &) {}
  // The combinational outputs follow the inputs.
  static void settle(Model &model) {
    model.aclk = 0;
    model.eval();
  }
  static void rise(Model &model) {
    model.aclk = 1;
    model.eval();
  }
};

template <class Model>
class Device {
 public:
  static constexpr unsigned kDataBytes = AxiRead<Model>::kDataBytes;

  Device(VerilatedContext &context, const char *name, const Memory &memory,
         const PortProfile &profile)
      : model(&context, name), memory_(memory), profile_(profile) {
    reset();
    model.aresetn = 0;
    for (int clock = 1; clock >= 0; --clock) {
      model.aclk = clock;
      model.eval();
    }
    Edges<Model>::start(model);
  }

  // The first half of a cycle: the inputs of both directions, the first with the first claim on a limited
  // memory ...
  void drive_read(uint64_t now, Bucket &shared) { read_->drive(now, shared, fault); }
  void drive_write(uint64_t now, Bucket &shared) { write_->drive(now, shared, fault); }

  // ... then the falling edge and the handshakes.
  void settle(uint64_t now, Bucket &shared) {
    Edges<Model>::settle(model);
    read_->sample(now);
    write_->sample(now, shared, fault);
  }

  // Begins a reset: the port forgets its bursts.
  void reset() {
    read_.emplace(model, memory_, profile_);
    write_.emplace(model, memory_, profile_);
    model.m_axi_rvalid = model.m_axi_bvalid = 0;
  }

  // The first half in reset: what the device shows means nothing yet.
  void settle_in_reset() {
    model.aresetn = 0;
    Edges<Model>::settle(model);
  }

  // The second half: the rising edge.
  void clock() { Edges<Model>::rise(model); }

  bool idle_on_bus() const {
    return !(model.m_axi_arvalid || model.m_axi_awvalid || model.m_axi_wvalid ||
             model.s_axil_bvalid || model.s_axil_rvalid);
  }

  // A burst has some of these bytes still to read or write.
  bool uses(const uint8_t *bytes, uint64_t size) const {
    return read_->reads(bytes, size) || write_->writes(bytes, size);
  }

  // The interrupt came up since the last call. Once per cycle, from look_at_interrupt.
  bool take_rise() { return std::exchange(rose_, false); }
  void look_at_interrupt() {
    rose_ |= model.irq_o && !was_up_;
    was_up_ = model.irq_o;
  }

  uint64_t beats_read() const { return read_->beats(); }
  uint64_t beats_written() const { return write_->beats(); }

  Model model;
  Fault fault;

 private:
  const Memory &memory_;
  const PortProfile profile_;
  std::optional<AxiRead<Model>> read_;  // made anew by a reset
  std::optional<AxiWrite<Model>> write_;
  bool was_up_ = false;
  bool rose_ = false;
};

}  // namespace saltmill
#endif
