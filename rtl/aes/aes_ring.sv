// trial: AES-128 encryption, key in step
module aes_ring
  import aes_pkg::*;
#(
    parameter sbox_e SBox = SBoxTower,
    parameter int unsigned SBoxStages = 3
) (
    input logic clk_i,
    input logic enter_i,  // the slot at the entry takes block_i, with the key of the cycle before
    input block_t block_i,
    input logic key_enter_i,
    input block_t key_i,
    input byte_t rcon_i,  // for the key in the slot at key entry
    input block_t side_i,
    output block_t block_o  // of the slot
);
  block_t state_q, sub, shifted, mixed, new_q, key_q, out_q;
  block_t prefix;
  logic   enter_q;

  for (genvar i = 0; i < 16; i++) begin : gen_byte
    aes_sbox #(
        .SBox  (SBox),
        .Stages(SBoxStages)
    ) u_sbox (
        .clk_i,
        .byte_i(state_q[8*i+:8]),
        .byte_o(sub[8*i+:8])
    );
  end
  assign shifted = shift_rows(sub);
  for (genvar i = 0; i < 4; i++) begin : gen_column
    assign mixed[32*i+:32] = mix_column(shifted[32*i+:32]);
  end
  always_ff @(posedge clk_i) begin
    enter_q <= enter_i;
    new_q   <= enter_i ? block_i : '0;
    state_q <= (enter_q ? '0 : mixed) ^ new_q ^ key_q;
    out_q   <= shifted ^ key_q ^ side_i;
  end
  assign block_o = out_q;

  // key
  column_t t;
  block_t  p_q[SBoxStages+1];
  block_t  p0;
  always_comb begin
    p0[31:0] = key_q[31:0] ^ {24'b0, rcon_i};
    for (int unsigned i = 1; i < 4; i++) p0[32*i+:32] = key_q[32*i+:32] ^ p0[32*(i-1)+:32];
  end
  for (genvar i = 0; i < 4; i++) begin : gen_key
    aes_sbox #(
        .SBox  (SBox),
        .Stages(SBoxStages)
    ) u_sbox (
        .clk_i,
        .byte_i(key_q[96+8*((i+1)%4)+:8]),
        .byte_o(t[8*i+:8])
    );
  end
  always_ff @(posedge clk_i) begin
    p_q[0] <= p0;
    for (int unsigned i = 1; i < SBoxStages; i++) p_q[i] <= p_q[i-1];
    key_q <= key_enter_i ? key_i : p_q[SBoxStages-1] ^ {4{t}};
  end
endmodule
