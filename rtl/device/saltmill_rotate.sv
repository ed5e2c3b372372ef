// SPDX-License-Identifier: Apache-2.0
// Rotates the byte lanes of a beat down: lane i of the output is lane (i + amount) modulo DataBytes
// of the input. Combinational, log2(DataBytes) levels of multiplexers.
module saltmill_rotate #(
    parameter int unsigned DataBytes = 16  // power of two
) (
    input  logic [$clog2(DataBytes)-1:0] amount_i,
    input  logic [      8*DataBytes-1:0] data_i,
    output logic [      8*DataBytes-1:0] data_o
);

  localparam int unsigned Levels = $clog2(DataBytes);

  // Aligned transfers, the usual case, skip the levels: in hardware this changes nothing that
  // matters, in a compiled simulation it is a branch that saves the work.
  always_comb begin
    data_o = data_i;
    if (amount_i != 0) begin
      for (int unsigned level = 0; level < Levels; level++) begin
        if (amount_i[level]) begin
          data_o = (data_o >> (8 << level)) | (data_o << (8 * DataBytes - (8 << level)));
        end
      end
    end
  end

endmodule
