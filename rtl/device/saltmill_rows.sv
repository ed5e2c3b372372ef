// SPDX-License-Identifier: Apache-2.0
// Block RAM of descriptors in rows of row_bytes(), written as they come from the bus. A row is
// there two cycles after it was asked for. It is not wiped: descriptors hold no secrets.
module saltmill_rows
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned RowBits = 8 * row_bytes(Config.data_bytes),
    localparam int unsigned Columns = RowBits / (8 * Config.data_bytes),
    localparam int unsigned AddressBits = row_address_bits(Config)
) (
    input  logic                           clk_i,
    input  logic [            Columns-1:0] write_i,
    input  logic [        AddressBits-1:0] write_row_i,
    input  logic [8*Config.data_bytes-1:0] write_data_i,
    input  logic [        AddressBits-1:0] read_row_i,
    output logic [            RowBits-1:0] data_o
);

  // A narrow bus writes half a row at a time.
  localparam int unsigned Width = 8 * Config.data_bytes;
  for (genvar column = 0; column < Columns; column++) begin : gen_column
    // A row is never read in the cycle that writes it.
    (* no_rw_check, ram_style = "block" *)
    logic [Width-1:0] memory[2**AddressBits];
    logic [Width-1:0] read_q, data_q;
    always_ff @(posedge clk_i) begin
      if (write_i[column]) memory[write_row_i] <= write_data_i;
      read_q <= memory[read_row_i];
      data_q <= read_q;
    end
    assign data_o[Width*column+:Width] = data_q;
  end

endmodule
