// SPDX-License-Identifier: Apache-2.0
// The write half of a memory port (AW, W, B). Data is taken after its address; responses come in order.
#ifndef SALTMILL_AXI_WRITE_H
#define SALTMILL_AXI_WRITE_H

#include "axi_types.h"
#include "bandwidth.h"
#include "fault.h"

namespace saltmill {

template <class Model>
class AxiWrite {
 public:
  static constexpr unsigned kDataBytes =
      sizeof(std::remove_reference_t<decltype(std::declval<Model &>().m_axi_wdata)>);

  AxiWrite(Model &model, const Memory &memory, const PortProfile &profile)
      : model_(model),
        memory_(memory),
        profile_(profile),
        bandwidth_(profile.port_bytes_per_cycle, kDataBytes) {}

  uint64_t beats() const { return beats_; }
  // What waits for its response is in memory.
  bool writes(const uint8_t *bytes, uint64_t size) const {
    return bursts_.any([&](const Burst &burst) { return burst.in(bytes, size); });
  }

  // Before the clock's falling edge: what the memory offers in this cycle.
  void drive(uint64_t now, Bucket &shared, const Fault &fault) {
    bandwidth_.next_cycle();
    if (taken_) model_.m_axi_bvalid = 0;
    taken_ = false;
    const bool hangs = now >= fault.hang_from;
    const unsigned waiting = bursts_.size() + responses_.size();
    model_.m_axi_awready = !hangs && waiting < profile_.outstanding_writes;
    model_.m_axi_wready = !hangs && !bursts_.empty() && may_take_beat(shared);
    if (model_.m_axi_wready) {
      shared.take_beat();
      bandwidth_.take_beat();
    }
    if (!model_.m_axi_bvalid && !hangs && !responses_.empty() && responses_.front().due <= now) {
      model_.m_axi_bvalid = 1;
      model_.m_axi_bid = responses_.front().id;
      model_.m_axi_bresp = responses_.front().response;
    }
  }

  // After it: what the rising edge will do. The model's inputs stay as they are until then.
  void sample(uint64_t now, Bucket &shared, const Fault &fault) {
    if (model_.m_axi_bvalid && model_.m_axi_bready) {
      taken_ = true;
      responses_.pop();
    }
    if (model_.m_axi_wvalid || held_data_) check_data_held();
    if (model_.m_axi_wready) {
      if (model_.m_axi_wvalid) {
        take_beat(now, fault);
      } else {
        shared.give_back();
        bandwidth_.give_back();
      }
    }
    if (model_.m_axi_awvalid || held_address_) take_address(now);
  }

 private:
  struct Response {
    uint64_t due;
    uint8_t id, response;
  };

  // Where the ports share a limit, only a port that has data takes from it.
  bool may_take_beat(const Bucket &shared) const {
    return (!shared.limited() || model_.m_axi_wvalid) && shared.has_beat() && bandwidth_.has_beat();
  }

  void take_beat(uint64_t now, const Fault &fault) {
    Burst &burst = bursts_.front();
    const uint64_t strobes = model_.m_axi_wstrb;
    if (strobes & ~lanes(burst)) throw ProtocolError("W: a strobe outside the beat's bytes");
    if (model_.m_axi_wlast != (burst.beats == 1))
      throw ProtocolError("W: last is not at the end of the burst");
    if (burst.memory && strobes) {
      const uint64_t word = burst.address & ~uint64_t{kDataBytes - 1};
      if (fault.write_error.touches(word + __builtin_ctzll(strobes),
                                    word + 64 - __builtin_clzll(strobes)))
        burst.response = kSlvErr;
      else
        store(burst.memory, strobes);
    }
    ++beats_;
    burst.advance(kDataBytes);
    if (burst.beats == 0) {
      responses_.push({now + profile_.write_latency, burst.id, burst.response});
      bursts_.pop();
    }
  }

  // The byte lanes that a beat may use.
  static uint64_t lanes(const Burst &burst) {
    const unsigned bytes = 1u << burst.size;
    const unsigned from = burst.address & (kDataBytes - 1);
    const unsigned to = (from & ~(bytes - 1)) + bytes;  // exclusive
    return (~uint64_t{0} >> (64 - to)) & (~uint64_t{0} << from);
  }

  void store(uint8_t *to, uint64_t strobes) const {
    const auto *const from = reinterpret_cast<const uint8_t *>(&model_.m_axi_wdata);
    if (strobes == ~uint64_t{0} >> (64 - kDataBytes)) {
      memcpy(to, from, kDataBytes);
    } else {
      for (; strobes; strobes &= strobes - 1) {
        const unsigned lane = __builtin_ctzll(strobes);
        to[lane] = from[lane];
      }
    }
  }

  void check_data_held() {
    if (held_data_ && !(model_.m_axi_wvalid && held_strobes_ == model_.m_axi_wstrb &&
                        held_last_ == model_.m_axi_wlast &&
                        memcmp(held_bytes_, &model_.m_axi_wdata, kDataBytes) == 0))
      throw ProtocolError("W: valid or payload changed before ready");
    held_data_ = !model_.m_axi_wready;
    if (!held_data_) return;
    held_strobes_ = model_.m_axi_wstrb;
    held_last_ = model_.m_axi_wlast;
    memcpy(held_bytes_, &model_.m_axi_wdata, kDataBytes);
  }

  void take_address(uint64_t now) {
    const AddressPhase phase{model_.m_axi_awaddr,  model_.m_axi_awid,    model_.m_axi_awlen,
                             model_.m_axi_awsize,  model_.m_axi_awburst, model_.m_axi_awlock,
                             model_.m_axi_awcache, model_.m_axi_awprot,  model_.m_axi_awqos};
    if (held_address_ && !(model_.m_axi_awvalid && phase == held_phase_))
      throw ProtocolError("AW: valid or payload changed before ready");
    held_address_ = !model_.m_axi_awready;
    held_phase_ = phase;
    if (held_address_) return;
    phase.check("AW", kDataBytes);
    bursts_.push(Burst(phase, now, memory_, kDataBytes, true));
  }

  Model &model_;
  const Memory &memory_;
  const PortProfile profile_;
  Bucket bandwidth_;
  Queue<Burst, kMaxOutstanding> bursts_;  // their data is awaited
  Queue<Response, kMaxOutstanding> responses_;
  bool taken_ = false;         // the response on the bus goes with this cycle's edge
  bool held_address_ = false;  // an address was offered and not taken
  AddressPhase held_phase_{};
  bool held_data_ = false;  // data was offered and not taken
  bool held_last_ = false;
  uint64_t held_strobes_ = 0;
  uint8_t held_bytes_[kDataBytes] = {};
  uint64_t beats_ = 0;
};

}  // namespace saltmill
#endif
