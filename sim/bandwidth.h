// SPDX-License-Identifier: Apache-2.0
// Bandwidth limits as token buckets. Tokens are 1/256 byte, so that a limit may be a fraction of a
// byte per cycle; a bucket holds at most one beat more than a cycle brings, so nothing is saved up for bursts.
#ifndef SALTMILL_BANDWIDTH_H
#define SALTMILL_BANDWIDTH_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace saltmill {

class Bucket {
 public:
  Bucket(double bytes_per_cycle, unsigned beat_bytes)
      : rate_(bytes_per_cycle > 0 ? std::llround(std::clamp(bytes_per_cycle * 256, 1.0, 1e12)) : 0),
        beat_(int64_t{beat_bytes} * 256) {}

  bool limited() const { return rate_ != 0; }
  void next_cycle() { tokens_ = std::min(tokens_ + rate_, rate_ + beat_); }
  bool has_beat() const { return rate_ == 0 || tokens_ >= beat_; }
  void take_beat() { tokens_ -= beat_; }
  void give_back() { tokens_ += beat_; }
  int64_t tokens() const { return tokens_; }

 private:
  int64_t rate_;  // 0: no limit
  int64_t beat_;
  int64_t tokens_ = 0;
};

}  // namespace saltmill
#endif
