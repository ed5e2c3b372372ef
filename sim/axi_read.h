// SPDX-License-Identifier: Apache-2.0
// The read half of a memory port (AR, R). Bursts of one ID are answered in order, bursts of different IDs
// as they are due; a burst is not interleaved with another.
#ifndef SALTMILL_AXI_READ_H
#define SALTMILL_AXI_READ_H

#include "axi_types.h"
#include "bandwidth.h"
#include "fault.h"

namespace saltmill {

template <class Model>
class AxiRead {
 public:
  static constexpr unsigned kDataBytes =
      sizeof(std::remove_reference_t<decltype(std::declval<Model &>().m_axi_rdata)>);

  AxiRead(Model &model, const Memory &memory, const PortProfile &profile)
      : model_(model),
        memory_(memory),
        profile_(profile),
        bandwidth_(profile.port_bytes_per_cycle, kDataBytes) {}

  uint64_t beats() const { return beats_; }
  bool reads(const uint8_t *bytes, uint64_t size) const {
    const auto in = [&](const Burst &burst) { return burst.in(bytes, size); };
    return queues_[0].any(in) || queues_[1].any(in);
  }

  // Before the clock's falling edge: what the memory offers in this cycle.
  void drive(uint64_t now, Bucket &shared, const Fault &fault) {
    bandwidth_.next_cycle();
    if (taken_) model_.m_axi_rvalid = 0;
    taken_ = false;
    const bool hangs = now >= fault.hang_from;
    model_.m_axi_arready = !hangs && waiting_ < profile_.outstanding_reads;
    if (!model_.m_axi_rvalid && !hangs && waiting_ != 0) offer_beat(now, shared, fault);
  }

  // After it: what the rising edge will do. The model's inputs stay as they are until then.
  void sample(uint64_t now) {
    if (model_.m_axi_rvalid && model_.m_axi_rready) finish_beat();
    if (model_.m_axi_arvalid || held_) take_address(now);
  }

 private:
  static constexpr unsigned kIds = 2;

  void offer_beat(uint64_t now, Bucket &shared, const Fault &fault) {
    if (!shared.has_beat() || !bandwidth_.has_beat()) return;
    if (!in_burst_) {
      unsigned id = last_id_ ^ 1;  // the other ID first, so that neither starves
      if (queues_[id].empty() || queues_[id].front().due > now) id = last_id_;
      if (queues_[id].empty() || queues_[id].front().due > now) return;
      last_id_ = id;
      in_burst_ = true;
    }
    shared.take_beat();
    bandwidth_.take_beat();
    const Burst &burst = queues_[last_id_].front();
    uint8_t response = burst.response;
    if (burst.memory) {
      memcpy(&model_.m_axi_rdata, burst.memory, kDataBytes);
      if (fault.read_error.touches(burst.address, burst.next())) response = kSlvErr;
    }
    model_.m_axi_rvalid = 1;
    model_.m_axi_rid = burst.id;
    model_.m_axi_rresp = response;
    model_.m_axi_rlast = burst.beats == 1;
  }

  void finish_beat() {
    taken_ = true;
    ++beats_;
    Burst &burst = queues_[last_id_].front();
    burst.advance(kDataBytes);
    if (burst.beats == 0) {
      queues_[last_id_].pop();
      in_burst_ = false;
      --waiting_;
    }
  }

  void take_address(uint64_t now) {
    const AddressPhase phase{model_.m_axi_araddr,  model_.m_axi_arid,    model_.m_axi_arlen,
                             model_.m_axi_arsize,  model_.m_axi_arburst, model_.m_axi_arlock,
                             model_.m_axi_arcache, model_.m_axi_arprot,  model_.m_axi_arqos};
    if (held_ && !(model_.m_axi_arvalid && phase == held_phase_))
      throw ProtocolError("AR: valid or payload changed before ready");
    held_ = !model_.m_axi_arready;
    held_phase_ = phase;
    if (held_) return;
    phase.check("AR", kDataBytes);
    queues_[phase.id % kIds].push(
        Burst(phase, now + profile_.read_latency, memory_, kDataBytes, false));
    ++waiting_;
  }

  Model &model_;
  const Memory &memory_;
  const PortProfile profile_;
  Bucket bandwidth_;
  Queue<Burst, kMaxOutstanding> queues_[kIds];
  unsigned waiting_ = 0;   // bursts in the queues
  unsigned last_id_ = 0;   // the queue that is, or was last, served
  bool in_burst_ = false;  // it has given some of its burst
  bool taken_ = false;     // the beat on the bus goes with this cycle's edge
  bool held_ = false;      // an address was offered and not taken
  AddressPhase held_phase_{};
  uint64_t beats_ = 0;
};

}  // namespace saltmill
#endif
