// SPDX-License-Identifier: Apache-2.0
// SHA-256 and MD5 in the device: what can be chosen, and the facts that the device needs.
package hash_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  typedef struct packed {
    hash_pkg::structure_e structure;
    int unsigned unroll;  // of a ring of SHA-256, as the core has it
    int unsigned depth;
  } config_t;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(config_t config_i, bit is_md5, int unsigned data_bytes);
    facts_t result = '0;
    bit is_ring = config_i.structure == hash_pkg::Ring;
    int unsigned unroll = is_md5 ? md5_pkg::RingUnroll : config_i.unroll;
    result.structure = is_ring ? StructureRing : StructureSerial;
    result.final_add = 1'b1;
    result.unroll = 8'(is_ring ? unroll : 1);
    result.stages = 8'(is_ring ? hash_pkg::ring_places(unroll) : 1);
    result.block_bytes = 16'(hash_pkg::BlockBytes);
    if (is_md5) begin
      result.algorithm = AlgorithmMd5;
      result.cycles_per_block = 16'(md5_pkg::cycles_per_block(config_i.structure));
      result.latency = 16'(md5_pkg::latency(config_i.structure, data_bytes));
      result.wipe_cycles = 16'(md5_pkg::wipe_cycles(config_i.structure, config_i.depth));
      result.digest_bytes = 7'(md5_pkg::DigestBytes);
    end else begin
      result.algorithm = AlgorithmSha256;
      result.cycles_per_block =
          16'(sha256_pkg::cycles_per_block(config_i.structure, config_i.unroll));
      result.latency = 16'(sha256_pkg::latency(config_i.structure, config_i.unroll, data_bytes));
      result.wipe_cycles =
          16'(sha256_pkg::wipe_cycles(config_i.structure, config_i.unroll, config_i.depth));
      result.digest_bytes = 7'(sha256_pkg::DigestBytes);
    end
    result.operations = only(OperationDigest) | only(OperationDigestPart);
    result.keyless = result.operations;
    result.digests = result.operations;
    result.ivs = result.operations;
    result.counters = only(OperationDigest);
    result.whole_blocks = only(OperationDigestPart);
    result.some_blocks = only(OperationDigestPart);
    result.iv_bytes = result.digest_bytes;
    return result;
  endfunction

  // A chaining value has the bytes of a digest, a power of two: one bit of their number says that
  // there is one, so nothing is in front of what starts a message.
  function automatic hash_pkg::param_t param(job_t job, bit is_md5);
    return
    '{
        restored: is_md5 ? job.iv_bytes[4] : job.iv_bytes[5],
        part: job.operation == OperationDigestPart,
        blocks: {job.nonce[118:96], job.counter}
    }
    ;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
