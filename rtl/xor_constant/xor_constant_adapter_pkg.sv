// SPDX-License-Identifier: Apache-2.0
// XOR with a constant in the device: what the device has to know. No key, no tag, no choices.
package xor_constant_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  localparam logic [7:0] Constant = 8'hA5;
  localparam int unsigned DigestBytes = 32;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(int unsigned data_bytes);
    facts_t result = '0;
    result.algorithm = AlgorithmXorConstant;
    result.structure = StructurePipeline;
    result.final_add = 1'b1;
    result.unroll = 8'd1;
    result.stages = 8'd1;
    result.block_bytes = 16'(data_bytes);
    result.cycles_per_block = 16'd1;
    result.latency = 16'd1;
    result.wipe_cycles = 16'd2;
    result.operations = only(OperationXorStream) | only(OperationDigest);
    result.keyless = result.operations;
    result.digests = only(OperationDigest);
    result.digest_bytes = 7'(DigestBytes);
    return result;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
