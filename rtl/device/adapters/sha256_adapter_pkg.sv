// SPDX-License-Identifier: Apache-2.0
// SHA-256 in the device: the facts that the device needs.
package sha256_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(int unsigned data_bytes);
    facts_t result = '0;
    result.algorithm = AlgorithmSha256;
    result.structure = StructureSerial;
    result.final_add = 1'b1;
    result.unroll = 8'd1;
    result.stages = 8'd1;
    result.block_bytes = 16'(hash_pkg::BlockBytes);
    result.cycles_per_block = 16'(sha256_pkg::cycles_per_block(hash_pkg::Serial, 1));
    result.latency = 16'(sha256_pkg::latency(hash_pkg::Serial, 1, data_bytes));
    result.wipe_cycles = 16'(sha256_pkg::wipe_cycles(hash_pkg::Serial, 1, 1));
    result.operations = only(OperationDigest) | only(OperationDigestPart);
    result.keyless = result.operations;
    result.digests = result.operations;
    result.ivs = result.operations;
    result.counters = only(OperationDigest);
    result.whole_blocks = only(OperationDigestPart);
    result.some_blocks = only(OperationDigestPart);
    result.digest_bytes = 7'(sha256_pkg::DigestBytes);
    result.iv_bytes = result.digest_bytes;
    return result;
  endfunction

  function automatic hash_pkg::param_t param(job_t job);
    return
    '{
        restored: job.iv_bytes != '0,
        part: job.operation == OperationDigestPart,
        blocks: {job.nonce[118:96], job.counter}
    }
    ;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
