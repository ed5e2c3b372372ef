// SPDX-License-Identifier: Apache-2.0
// ChaCha20-Poly1305 in the device: its parameters, and the facts that the device needs.
package chacha20_poly1305_adapter_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  typedef struct packed {
    chacha20_adapter_pkg::config_t cipher;
    poly1305_pkg::structure_e structure;
    int unsigned interval;
  } config_t;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(config_t config_i, int unsigned data_bytes);
    chacha20_adapter_pkg::config_t cipher = config_i.cipher;
    facts_t result = chacha20_adapter_pkg::facts(cipher, data_bytes);
    operations_t aead = only(OperationSeal) | only(OperationOpen);
    result.algorithm = AlgorithmChacha20Poly1305;
    result.wipe_cycles =
        16'(chacha20_poly1305_pkg::wipe_cycles(cipher.structure, cipher.unroll, cipher.stages,
                                               config_i.structure, data_bytes));
    result.extended_nonces = result.operations | aead;
    result.operations |= aead | only(OperationMac);
    result.one_time = only(OperationMac);
    result.sinkless = only(OperationMac);
    result.tags = aead | only(OperationMac);
    result.verifies = only(OperationOpen);
    result.aad = aead;
    return result;
  endfunction

  function automatic chacha20_poly1305_pkg::param_t param(job_t job);
    chacha20_poly1305_pkg::param_t result;
    unique case (job.operation)
      OperationMac:  result.operation = chacha20_poly1305_pkg::Mac;
      OperationSeal: result.operation = chacha20_poly1305_pkg::Seal;
      OperationOpen: result.operation = chacha20_poly1305_pkg::Open;
      default:       result.operation = chacha20_poly1305_pkg::Cipher;
    endcase
    result.extended   = job.extended_nonce;
    result.tag        = job.tag;
    result.aad_bytes  = job.aad_bytes;
    result.data_bytes = job.data_bytes;
    result.counter    = job.counter;
    result.nonce      = job.nonce;
    result.key        = job.key;
    return result;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
