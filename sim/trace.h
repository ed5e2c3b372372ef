// SPDX-License-Identifier: Apache-2.0
// The waveform file. Models are built with it only on request, because it slows each cycle.
#ifndef SALTMILL_TRACE_H
#define SALTMILL_TRACE_H

#include <cstdint>
#include <stdexcept>
#include <string>

#ifdef SALTMILL_SIM_TRACE
#include "verilated_fst_c.h"

namespace saltmill {

class Trace {
 public:
  template <class Model>
  void add(Model &model) {
    model.trace(&file_, 99);
  }
  void open(const char *path) {
    file_.open(path);
    if (!file_.isOpen()) throw std::runtime_error("cannot write the trace " + std::string(path));
    open_ = true;
  }
  void dump(uint64_t time) {
    if (open_) file_.dump(time);
  }

 private:
  VerilatedFstC file_;
  bool open_ = false;
};

}  // namespace saltmill
#else

namespace saltmill {

class Trace {
 public:
  template <class Model>
  void add(Model &) {}
  [[noreturn]] void open(const char *) {
    throw std::runtime_error("this simulation was built without waveforms");
  }
  void dump(uint64_t) {}
};

}  // namespace saltmill
#endif
#endif
