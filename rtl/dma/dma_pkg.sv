// SPDX-License-Identifier: Apache-2.0
// The parameters of the DMA.
package dma_pkg;

  typedef enum int unsigned {
    AlignedOnly = 0,  // addresses are multiples of DataBytes
    AnyByte     = 1
  } alignment_e;

  typedef enum int unsigned {
    JobsWait = 0,  // until there is room
    JobsFit  = 1   // never more are sent than there is room for: their readies are 1
  } job_room_e;

  // Of each client of a channel, not yet answered
  localparam int unsigned BurstsUnderWay = 64;

  // Twice the longest burst; at least so many that a burst is filled while the funnel runs dry.
  function automatic int unsigned write_buffer_beats(int unsigned burst_beats);
    return burst_beats < 32 ? 64 : 2 * burst_beats;
  endfunction

  // Of so many bits in a buffer
  function automatic bit wide_beat(int unsigned bits);
    return bits > 320;
  endfunction

  // Registers in a funnel: one behind each level. Flip-flops are what wide beats run out of: there
  // two levels share one.
  function automatic int unsigned funnel_depth(int unsigned data_bytes);
    return wide_beat(9 * data_bytes) ? $clog2(data_bytes) / 2 : $clog2(data_bytes);
  endfunction

  // x - 1. A bit is borrowed from unless a lower one is set: tables of few inputs, not a carry
  // chain.
  function automatic logic [8:0] minus_one(logic [8:0] x);
    for (int unsigned i = 0; i < 9; i++) minus_one[i] = x[i] == |(x & 9'((1 << i) - 1));
  endfunction

  // In so many parts: one register does not reach all bits of a wide beat in a cycle.
  localparam int unsigned PartBits = 144;  // four block RAMs of 36
  function automatic int unsigned beat_parts(int unsigned bits);
    return wide_beat(bits) ? (bits + PartBits - 1) / PartBits : 1;
  endfunction

endpackage
