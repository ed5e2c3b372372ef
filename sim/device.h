// SPDX-License-Identifier: Apache-2.0
// One Verilated device with its memory port, and the register side's AXI4-Lite signals.
#ifndef SALTMILL_DEVICE_H
#define SALTMILL_DEVICE_H

#include "axi_read.h"
#include "axi_write.h"

namespace saltmill {

template <class Model>
class Device {
 public:
  static constexpr unsigned kDataBytes = AxiRead<Model>::kDataBytes;

  Device(VerilatedContext &context, const char *name, const Memory &memory,
         const PortProfile &profile)
      : model(&context, name), read_(model, memory, profile), write_(model, memory, profile) {}

  // The first half of a cycle: inputs, falling edge, handshakes. `reads_first` alternates, so that the
  // two directions get the same share of a limited memory.
  void settle(uint64_t now, Bucket &shared, bool reads_first) {
    if (reads_first) read_.drive(now, shared, fault);
    write_.drive(now, shared, fault);
    if (!reads_first) read_.drive(now, shared, fault);
    model.aclk = 0;
    model.eval();
    read_.sample(now);
    write_.sample(now, shared, fault);
  }

  // The second half: the rising edge.
  void clock() {
    model.aclk = 1;
    model.eval();
  }

  bool idle_on_bus() const {
    return !(model.m_axi_arvalid || model.m_axi_awvalid || model.m_axi_wvalid ||
             model.s_axil_bvalid || model.s_axil_rvalid);
  }

  uint64_t beats_read() const { return read_.beats(); }
  uint64_t beats_written() const { return write_.beats(); }

  Model model;
  Fault fault;

 private:
  AxiRead<Model> read_;
  AxiWrite<Model> write_;
};

}  // namespace saltmill
#endif
