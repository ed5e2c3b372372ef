// SPDX-License-Identifier: Apache-2.0
// One reader's copy of a queue of jobs, in block RAM: the writer owns the write pointer, and each
// reader its own read pointer. An entry comes out 3 cycles after it was written, one per 3 cycles.

module dma_job_reader #(
    int unsigned Width,
    int unsigned Entries,         // power of two
    bit          Counters = 1'b1  // the pointers count; 0: they are dma_pointers, of Entries - 1
) (
    input  logic                       clk_i,
    input  logic                       rst_i,
    input  logic                       write_i,
    input  logic [$clog2(Entries)-1:0] write_pointer_i,  // steps after each write
    input  logic [          Width-1:0] data_i,
    output logic                       valid_o,
    input  logic                       ready_i,
    output logic [          Width-1:0] data_o,
    output logic [$clog2(Entries)-1:0] read_pointer_o
);

  logic [$clog2(Entries)-1:0] read_pointer, written_q;
  logic valid_q, taken_q, take;

  assign valid_o = valid_q;
  assign take = valid_q && ready_i;
  assign read_pointer_o = read_pointer;

  if (Counters) begin : gen_counter
    always_ff @(posedge clk_i) begin
      if (take) read_pointer <= read_pointer + 1'b1;
      if (rst_i) read_pointer <= '0;
    end
  end else begin : gen_pointer
    dma_pointer #(
        .Bits($clog2(Entries))
    ) u_pointer (
        .clk_i,
        .rst_i,
        .step_i   (take),
        .pointer_o(read_pointer)
    );
  end

  // Low until the RAM and its output register have followed a new pointer.
  always_ff @(posedge clk_i) begin
    written_q <= write_pointer_i;
    taken_q   <= take;
    valid_q   <= read_pointer != written_q && !take && !taken_q;
    if (rst_i) begin
      written_q <= '0;
      taken_q   <= 1'b0;
      valid_q   <= 1'b0;
    end
  end

  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  logic [Width-1:0] memory[Entries];
  logic [Width-1:0] read_data_q;

  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_pointer_i] <= data_i;
    read_data_q <= memory[read_pointer];
    data_o <= read_data_q;
  end

  stream_hold #(
      .Width(Width)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o)
  );

endmodule
