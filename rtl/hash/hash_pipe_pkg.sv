// SPDX-License-Identifier: Apache-2.0
// The figures of a hash pipeline.
package hash_pipe_pkg;

  typedef logic [7:0] slot_t;

  // A step takes two cycles; before the first one come the sum, the first chaining value and the
  // first addition of a word, a cycle each.
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned PipePlaces = 2 * 64 + 3;
  localparam int unsigned PipeJobs = 256;  // digests that wait or are under way
  // From a message's only beat to its digest; up to PipePlaces more, until its place comes by
  localparam int unsigned PipeLatency = PipePlaces + 15;
  /* verilator lint_on UNUSEDPARAM */

  // After a wipe, two laps more pass until a message can begin
  function automatic int unsigned pipe_wipe_cycles(int unsigned depth);
    return 256 * depth + 48;
  endfunction

endpackage
