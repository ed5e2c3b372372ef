// SPDX-License-Identifier: Apache-2.0
// AES and AES-GCM in the device: its parameters, and the facts that the device needs.
package aes_gcm_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  typedef struct packed {
    aes_pkg::structure_e  structure;
    aes_pkg::sbox_e       sbox;
    int unsigned          round_stages;
    aes_pkg::key_sizes_e  key_sizes;
    aes_pkg::directions_e directions;
    aes_pkg::modes_e      modes;
    int unsigned          digit_bits;
    int unsigned          piece_bits;
  } config_t;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(config_t config_i);
    facts_t result = '0;
    operations_t streams = only(OperationXorStream) | only(OperationKeystream);
    operations_t aead = only(OperationSeal) | only(OperationOpen);
    result.algorithm = AlgorithmAes;
    result.structure = config_i.structure == aes_pkg::Ring ? StructureRing : StructurePipeline;
    result.final_add = 1'b1;
    result.unroll = config_i.structure == aes_pkg::Ring ? 8'd1 :
        8'(aes_pkg::rounds(aes_pkg::chosen(config_i.key_sizes, aes_pkg::Key128)));
    result.stages = 8'(32'(result.unroll) * config_i.round_stages);
    result.block_bytes = 16'(aes_pkg::BlockBytes);
    result.cycles_per_block = 16'(
        gcm_pkg::cycles_per_block(aes_pkg::cycles_per_block(config_i.structure, config_i.key_sizes),
                                  config_i.digit_bits));
    result.latency = 16'(gcm_pkg::latency(config_i.structure, config_i.key_sizes,
                                          config_i.round_stages, config_i.directions));
    result.wipe_cycles = 16'(aes_pkg::wipe_cycles(config_i.structure, config_i.round_stages));
    result.key_sizes = config_i.key_sizes == aes_pkg::AnySize ? 3'b111 : 3'd1 << config_i.key_sizes;
    if (config_i.modes == aes_pkg::AllModes) begin
      result.whole_blocks = only(OperationEcbEncrypt) | only(OperationCbcEncrypt);
      result.counters = only(OperationCbcEncrypt);
      if (config_i.directions == aes_pkg::BothDirections) begin
        result.whole_blocks |= only(OperationEcbDecrypt) | only(OperationCbcDecrypt);
        result.counters |= only(OperationCbcDecrypt);
      end
    end
    result.operations = streams | aead | result.whole_blocks;
    result.sourceless = only(OperationKeystream);
    result.tags = aead;
    result.verifies = only(OperationOpen);
    result.aad = aead;
    result.ivs = aead;
    result.counters |= streams;
    result.short_counters = streams;
    result.tag_lengths = only(OperationOpen);
    return result;
  endfunction

  function automatic gcm_pkg::param_t param(job_t job);
    gcm_pkg::param_t result;
    result.operation = gcm_pkg::Encrypt;
    result.mode = job.short_counter ? aes_pkg::Ctr32 : aes_pkg::Ctr;
    result.iv = {job.nonce[191:96], job.counter};
    unique case (job.operation)
      OperationEcbEncrypt, OperationEcbDecrypt: result.mode = aes_pkg::Ecb;
      OperationCbcEncrypt, OperationCbcDecrypt: result.mode = aes_pkg::Cbc;
      OperationSeal: result.operation = gcm_pkg::Seal;
      OperationOpen: result.operation = gcm_pkg::Open;
      default: ;
    endcase
    if (job.operation inside {OperationEcbDecrypt, OperationCbcDecrypt}) begin
      result.operation = gcm_pkg::Decrypt;
    end
    if (job.operation inside {OperationSeal, OperationOpen}) begin
      result.iv = {32'b0, job.nonce[191:96]};
    end
    result.size       = aes_pkg::key_size_e'(job.key_size);
    result.tag_bytes  = job.tag_bytes;
    result.tag        = job.tag;
    result.iv_bytes   = job.iv_bytes == '0 ? 32'd12 : job.iv_bytes;
    result.aad_bytes  = job.aad_bytes;
    result.data_bytes = job.data_bytes;
    result.key        = job.key;
    return result;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
