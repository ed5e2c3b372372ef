// SPDX-License-Identifier: Apache-2.0
// Runs a wipe: after reset and on request, for at least Cycles cycles and until the bus
// transactions under way have ended. Everything secret is cleared in the first Cycles cycles,
// whatever the bus does.
//
// A reset of the device alone forgets the beats and answers that the bus still owes it. Such a beat
// or answer arrives while nothing is outstanding: it is dropped, and the wipe starts again. So the
// device starts only when no such beat has come for Cycles cycles.
module saltmill_wipe #(
    parameter int unsigned Cycles = 128,  // what the slowest part needs
    parameter int unsigned Parts  = 1     // of the device
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             request_i,   // pulse
    input  logic             stale_i,     // something came that nobody asked for
    input  logic             bus_idle_i,
    output logic             wipe_o,
    output logic [Parts-1:0] parts_o      // a cycle later
);

  localparam int unsigned CountWidth = $clog2(Cycles + 1);

  logic [CountWidth-1:0] left_q;
  logic some_q;  // left_q is not 0
  always_ff @(posedge clk_i) begin
    if (some_q) left_q <= left_q - 1'b1;
    some_q <= left_q > 1 && wipe_o;
    if (!some_q && bus_idle_i) wipe_o <= 1'b0;
    if (wipe_o && stale_i) begin
      left_q <= CountWidth'(Cycles);
      some_q <= 1'b1;
    end
    if (rst_i || request_i) begin
      left_q <= CountWidth'(Cycles);
      some_q <= 1'b1;
      wipe_o <= 1'b1;
    end
  end

  // A register for each part: one does not reach all of them in a cycle.
  flag_copies #(
      .Copies(Parts)
  ) u_parts (
      .clk_i,
      .flag_i  (wipe_o),
      .copies_o(parts_o)
  );

endmodule
