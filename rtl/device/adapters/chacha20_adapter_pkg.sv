// SPDX-License-Identifier: Apache-2.0
// ChaCha20 in the device: its parameters, and the facts that the device needs.
package chacha20_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  typedef struct packed {
    chacha20_pkg::structure_e structure;
    int unsigned unroll;
    int unsigned stages;
    chacha20_pkg::final_add_e final_add;
  } config_t;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(config_t config_i, int unsigned data_bytes);
    facts_t result = '0;
    result.algorithm = AlgorithmChacha20;
    result.structure = config_i.structure == chacha20_pkg::Serial ? StructureSerial : StructureRing;
    result.final_add = config_i.final_add == chacha20_pkg::HardwareAdd;
    result.unroll = 8'(config_i.unroll);
    result.stages = 8'(config_i.stages);
    result.block_bytes = 16'(chacha20_pkg::BlockBytes);
    // Of those that is_late() names, the ones whose beats the read DMA keeps in slices
    result.late_source = data_bytes == 64 &&
        chacha20_pkg::is_late(data_bytes, handshake(config_i, data_bytes));
    result.cycles_per_block =
        16'(chacha20_pkg::cycles_per_block(config_i.structure, config_i.unroll, config_i.stages,
                                           data_bytes, config_i.final_add));
    result.latency = 16'(chacha20_pkg::latency(config_i.structure, config_i.unroll, config_i.stages,
                                               data_bytes, config_i.final_add));
    result.wipe_cycles = 16'(chacha20_pkg::wipe_cycles(config_i.structure, config_i.unroll,
                                                       config_i.stages, data_bytes));
    // Without the final addition there is no keystream to XOR with.
    result.operations = only(OperationKeystream);
    if (result.final_add) result.operations |= only(OperationXorStream);
    result.sourceless = only(OperationKeystream);
    result.counters = result.operations;
    result.block_counters = result.operations;
    return result;
  endfunction

  // A core that makes at most a beat in two cycles needs no ready from the sink through its output.
  function automatic chacha20_pkg::handshake_e handshake(config_t config_i,
                                                         int unsigned data_bytes);
    int unsigned beats = chacha20_pkg::BlockBytes / data_bytes;
    int unsigned cycles = chacha20_pkg::cycles_per_block(
        config_i.structure, config_i.unroll, config_i.stages, data_bytes, config_i.final_add
    );
    return cycles >= 2 * beats ? chacha20_pkg::HalfRate : chacha20_pkg::Direct;
  endfunction

  function automatic chacha20_pkg::param_t param(job_t job);
    return
    '{
        hchacha: 1'b0,
        blocks: 27'(job.blocks),
        counter: job.counter,
        nonce: job.nonce[191:96],
        key: job.key
    }
    ;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
