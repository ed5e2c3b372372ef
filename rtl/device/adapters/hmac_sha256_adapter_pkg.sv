// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 in the device: what it can do besides SHA-256 (hash_adapter_pkg).
package hmac_sha256_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  localparam operations_t Keyed = only(OperationHmac) | only(OperationHmacPart);

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(hash_adapter_pkg::config_t config_i, int unsigned data_bytes);
    facts_t result = hash_adapter_pkg::facts(config_i, 1'b0, data_bytes);
    result.wipe_cycles =
        16'(hmac_sha256_pkg::wipe_cycles(config_i.structure, config_i.unroll, config_i.depth));
    result.operations |= Keyed;
    result.digests |= Keyed;
    result.ivs |= only(OperationHmac);
    result.counters |= only(OperationHmac);
    result.whole_blocks |= only(OperationHmacPart);
    result.some_blocks |= only(OperationHmacPart);
    return result;
  endfunction

  function automatic hmac_sha256_pkg::keyed_param_t param(job_t job);
    hash_pkg::param_t message = hash_adapter_pkg::param(job, 1'b0);
    if (job.operation == OperationHmacPart) message.part = 1'b1;
    return '{keyed: one_of(8'(job.operation), Keyed), key: job.key, message: message};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
