// SPDX-License-Identifier: Apache-2.0
// Performance counters, 64 bits each; what they count is described in saltmill.rdl.
module saltmill_counters (
    input  logic        clk_i,
    input  logic        clear_i,
    input  logic        active_i,          // jobs in flight
    input  logic        busy_i,
    input  logic        stalled_input_i,
    input  logic        stalled_output_i,
    input  logic        block_i,
    input  logic        ended_i,           // a job's status is known
    input  logic [31:0] ended_length_i,
    input  logic        finished_i,
    output logic [63:0] cycles_o,
    output logic [63:0] busy_o,
    output logic [63:0] stalled_input_o,
    output logic [63:0] stalled_output_o,
    output logic [63:0] blocks_o,
    output logic [63:0] bytes_o,
    output logic [63:0] jobs_o
);

  always_ff @(posedge clk_i) begin
    if (active_i) cycles_o <= cycles_o + 64'd1;
    if (busy_i) busy_o <= busy_o + 64'd1;
    if (stalled_input_i) stalled_input_o <= stalled_input_o + 64'd1;
    if (stalled_output_i) stalled_output_o <= stalled_output_o + 64'd1;
    if (block_i) blocks_o <= blocks_o + 64'd1;
    if (ended_i) bytes_o <= bytes_o + 64'(ended_length_i);
    if (finished_i) jobs_o <= jobs_o + 64'd1;
    if (clear_i) begin
      cycles_o         <= '0;
      busy_o           <= '0;
      stalled_input_o  <= '0;
      stalled_output_o <= '0;
      blocks_o         <= '0;
      bytes_o          <= '0;
      jobs_o           <= '0;
    end
  end

endmodule
