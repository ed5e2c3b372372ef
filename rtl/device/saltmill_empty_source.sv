// SPDX-License-Identifier: Apache-2.0
// Before a core with digests: a job without data gets a source too, one beat with last and no
// bytes, behind its initialisation vector, if it has one. For that a job passes alone: before its
// source, and after that of the job before it. A cycle passes between two packets of the source,
// because its last comes late in a cycle.
module saltmill_empty_source #(
    parameter int unsigned DataBytes
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    // Jobs
    input  logic                 job_valid_i,
    output logic                 job_ready_o,
    input  logic                 empty_i,         // the job has no data
    input  logic                 iv_i,            // it has an initialisation vector
    output logic                 job_valid_o,
    input  logic                 job_ready_i,
    // Source
    input  logic                 source_valid_i,
    output logic                 source_ready_o,
    input  logic [DataBytes-1:0] source_keep_i,
    input  logic                 source_last_i,
    input  logic                 source_error_i,
    output logic                 source_valid_o,
    input  logic                 source_ready_i,
    output logic [DataBytes-1:0] source_keep_o,
    output logic                 source_last_o,
    output logic                 source_error_o
);

  logic open_q, ends_q;  // a job's source is on its way; its last beat has gone
  logic empty_q, iv_q, made_q;  // there is none; the initialisation vector is next; so is our beat
  assign job_valid_o = job_valid_i && !open_q;
  assign job_ready_o = job_ready_i && !open_q;
  assign source_valid_o = open_q && !ends_q && (made_q || source_valid_i);
  assign source_ready_o = open_q && !ends_q && !made_q && source_ready_i;
  assign source_keep_o = made_q ? '0 : source_keep_i;
  assign source_last_o = made_q || source_last_i;
  assign source_error_o = !made_q && source_error_i;
  always_ff @(posedge clk_i) begin
    ends_q <= source_valid_o && source_ready_i && source_last_o;
    if (!open_q) begin
      open_q <= job_valid_i && job_ready_i;
      {empty_q, iv_q, made_q} <= {empty_i, iv_i, empty_i && !iv_i};
    end else if (ends_q) begin
      open_q <= iv_q;
      {iv_q, made_q} <= {1'b0, empty_q};
    end
    if (rst_i) {open_q, ends_q} <= '0;
  end

endmodule
