// SPDX-License-Identifier: Apache-2.0
// Width converter of a packet stream: InBytes to OutBytes, one of which is a multiple of the other.
// Byte 0 of a packet is in the lowest byte of its first beat. An output beat is empty only in an
// empty packet; its user is the OR of the users of the input beats in it. The narrow side moves one
// beat per cycle. Latency 1 cycle from the beat that completes an output beat; equal widths: wires.

module stream_width #(
    int unsigned InBytes,
    int unsigned OutBytes,
    int unsigned UserWidth = 1
) (
    input  logic                  clk_i,
    input  logic                  rst_i,    // synchronous, active high
    input  logic                  wipe_i,   // held: nothing in, nothing out, data cleared (1 cycle)
    input  logic                  valid_i,
    output logic                  ready_o,  // depends on ready_i
    input  logic [ 8*InBytes-1:0] data_i,
    input  logic [   InBytes-1:0] keep_i,   // contiguous from byte 0, full except with last_i
    input  logic                  last_i,
    input  logic [ UserWidth-1:0] user_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [8*OutBytes-1:0] data_o,
    output logic [  OutBytes-1:0] keep_o,
    output logic                  last_o,
    output logic [ UserWidth-1:0] user_o
);

  localparam int unsigned Wide = InBytes > OutBytes ? InBytes : OutBytes;
  localparam int unsigned Narrow = InBytes > OutBytes ? OutBytes : InBytes;
  if (Narrow == 0 || Wide % Narrow != 0) begin : gen_bad_ratio
    $fatal(1, "stream_width: one of InBytes and OutBytes must be a multiple of the other");
  end

  if (InBytes == OutBytes) begin : gen_equal
    logic unused;
    assign unused  = clk_i ^ rst_i;
    assign ready_o = ready_i && !wipe_i;
    assign valid_o = valid_i && !wipe_i;
    assign data_o  = data_i;
    assign keep_o  = keep_i;
    assign last_o  = last_i;
    assign user_o  = user_i;
  end else if (InBytes < OutBytes) begin : gen_up
    stream_width_up #(
        .InBytes  (InBytes),
        .OutBytes (OutBytes),
        .UserWidth(UserWidth)
    ) u_up (
        .*
    );
  end else begin : gen_down
    stream_width_down #(
        .InBytes  (InBytes),
        .OutBytes (OutBytes),
        .UserWidth(UserWidth)
    ) u_down (
        .*
    );
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && !last_i && !rst_i && !wipe_i) begin
      full_until_last : assert (keep_i == '1);
    end
  end

endmodule
