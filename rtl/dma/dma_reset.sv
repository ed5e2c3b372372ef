// SPDX-License-Identifier: Apache-2.0
// Reset and wipe of either half of the DMA. Wide beats spread it over the chip: then reset and wipe
// are one flag, a cycle later, from a register for each part.

module dma_reset #(
    bit Wide
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic wipe_i,
    output logic rst_o,        // of what is beside the data, in a wipe too
    output logic align_rst_o,
    output logic align_wipe_o
);

  if (Wide) begin : gen_copies
    flag_copies #(
        .Copies(2)
    ) u_copies (
        .clk_i,
        .flag_i  (rst_i || wipe_i),
        .copies_o({rst_o, align_wipe_o})
    );
    assign align_rst_o = 1'b0;
  end else begin : gen_now
    logic unused;
    assign unused = clk_i;
    assign rst_o = rst_i || wipe_i;
    assign align_rst_o = rst_i;
    assign align_wipe_o = wipe_i;
  end

endmodule
