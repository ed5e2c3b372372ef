// SPDX-License-Identifier: Apache-2.0
// What the SoC shows: published vectors, a message of 64 KiB, the interrupt, and the cycles that
// the device and the processor alone take for the same work. Every result is checked. The host
// reads the lines:
//   ok NAME, failed NAME: REASON, cycles NAME BYTES CYCLES, end
#include "board.h"
#include "ciphers.h"
#include "expected.h"

#include <generated/mem.h>

enum { RING_LOG2 = 3, PATIENCE = 20 * 1000 * 1000, LARGE = 64 << 10, SMALL = 4 << 10, LINE = 64 };

static uint8_t ring[SALTMILL_DESCRIPTOR_BYTES << RING_LOG2] __attribute__((aligned(128)));
static uint8_t source[LARGE] __attribute__((aligned(LINE)));
static uint8_t made[LARGE] __attribute__((aligned(LINE)));
static uint8_t computed[LARGE] __attribute__((aligned(LINE)));
static uint8_t work[SALTMILL_SELF_TEST_BYTES] __attribute__((aligned(LINE)));
static const uint8_t key[32] = EXPECTED_KEY;
static const uint8_t nonce[16] = EXPECTED_NONCE;
static saltmill_device device;

static void report(const char *name, bool right, const char *reason) {
  say(right ? "ok " : "failed ");
  say(name);
  if (!right) {
    say(": ");
    say(reason);
  }
  say("\n");
}

static void report_cycles(const char *name, uint32_t bytes, uint32_t taken) {
  say("cycles ");
  say(name);
  say(" ");
  say_number(bytes);
  say(" ");
  say_number(taken);
  say("\n");
}

static bool same(const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

static bool is_aes(void) { return device.description.algorithm == SALTMILL_ALGORITHM_AES; }
static unsigned key_bytes(void) { return is_aes() ? 16 : 32; }

static void start(bool interrupt) {
  const saltmill_platform platform = board_platform(interrupt);
  const saltmill_result result = saltmill_probe(&device, SALTMILL_REGISTERS_BASE, &platform, ring,
                                                RING_LOG2, PATIENCE);
  report("probe", result == SALTMILL_DONE, saltmill_result_name(result));
}

static void self_test(void) {
  unsigned vectors;
  const char *failed;
  const saltmill_result result = saltmill_self_test(&device, work, PATIENCE, &vectors, &failed);
  report("self-test", result == SALTMILL_DONE, failed ? failed : saltmill_result_name(result));
  say("vectors ");
  say_number(vectors);
  say("\n");
}

// ---- a message of 64 KiB ------------------------------------------------------------------------

static saltmill_request message(unsigned operation, uint8_t *from, uint8_t *to, uint32_t bytes) {
  saltmill_request request = {.operation = (uint8_t)operation,
                              .nonce_bytes = 12,
                              .source = from,
                              .destination = to,
                              .length = bytes};
  if (operation == SALTMILL_OPERATION_XOR_STREAM && is_aes()) request.nonce_bytes = 16;
  if (operation == SALTMILL_OPERATION_DIGEST) request.nonce_bytes = 0;
  for (unsigned i = 0; i < request.nonce_bytes; i++) request.nonce[i] = nonce[i];
  return request;
}

static bool is_tag(const uint8_t tag[16]) {
  static const uint8_t chacha20_poly1305[16] = EXPECTED_CHACHA20_POLY1305_TAG;
  static const uint8_t aes128_gcm[16] = EXPECTED_AES128_GCM_TAG;
  return same(tag, is_aes() ? aes128_gcm : chacha20_poly1305, 16);
}

// The text that a sealed message has, computed by the processor.
static void encrypt(uint8_t *to) {
  if (is_aes()) {
    uint8_t block[16] = {0};
    for (unsigned i = 0; i < 12; i++) block[i] = nonce[i];
    block[15] = 2;  // SP 800-38D: the first after the block of the tag
    aes128_ctr_xor(key, block, source, to, LARGE);
  } else {
    chacha20_xor(key, nonce, 1, source, to, LARGE);
  }
}

static void sealed_message(void) {
  saltmill_completion completion;
  saltmill_request request = message(SALTMILL_OPERATION_SEAL, source, made, LARGE);
  saltmill_set_key(&device, 0, key, key_bytes());
  // The processor has the destination's old bytes in its cache.
  for (uint32_t i = 0; i < LARGE; i++) made[i] = 0;
  (void)same(made, source, LARGE);
  const uint32_t before = cycles(NULL);
  saltmill_result result = saltmill_run(&device, &request, &completion, PATIENCE);
  const uint32_t taken = cycles(NULL) - before;
  report("seal 64 KiB", result == SALTMILL_DONE, saltmill_result_name(result));
  report("tag", is_tag(completion.tag), "not that of the host");
  encrypt(computed);
  report("ciphertext", same(made, computed, LARGE), "not that of the processor");
  report_cycles("seal device", LARGE, taken);

  request = message(SALTMILL_OPERATION_OPEN, made, made, LARGE);
  for (unsigned i = 0; i < 16; i++) request.tag[i] = completion.tag[i];
  result = saltmill_run(&device, &request, &completion, PATIENCE);
  report("open", result == SALTMILL_DONE, saltmill_result_name(result));
  report("opened text", same(made, source, LARGE), "not the text that was sealed");

  request.tag[0] ^= 1;
  request.source = computed;
  result = saltmill_run(&device, &request, &completion, PATIENCE);
  const bool refused = result == SALTMILL_JOB_FAILED &&
                       completion.status == SALTMILL_JOB_STATUS_TAG_MISMATCH;
  bool cleared = true;
  for (uint32_t i = 0; i < LARGE; i++) cleared = cleared && made[i] == 0;
  report("forgery", refused && cleared, "released");
}

// ---- cycles -------------------------------------------------------------------------------------

static const char *stream_name(void) { return is_aes() ? "aes128-ctr" : "chacha20"; }

// What the core waited for in the work just done, in cycles.
static void report_waiting(const char *busy, const char *input, const char *output,
                           uint32_t bytes) {
  report_cycles(busy, bytes, (uint32_t)saltmill_counter_value(&device, SALTMILL_COUNTER_BUSY));
  report_cycles(input, bytes,
                (uint32_t)saltmill_counter_value(&device, SALTMILL_COUNTER_STALLED_INPUT));
  report_cycles(output, bytes,
                (uint32_t)saltmill_counter_value(&device, SALTMILL_COUNTER_STALLED_OUTPUT));
}

static void stream(uint32_t bytes) {
  saltmill_completion completion;
  const saltmill_request request = message(SALTMILL_OPERATION_XOR_STREAM, source, made, bytes);
  saltmill_set_key(&device, 0, key, key_bytes());
  saltmill_clear_counters(&device);
  uint32_t before = cycles(NULL);
  const saltmill_result result = saltmill_run(&device, &request, &completion, PATIENCE);
  const uint32_t on_device = cycles(NULL) - before;
  report_waiting("stream busy", "stream waits for input", "stream waits for output", bytes);
  if (is_aes()) {
    aes128_ctr_xor(key, nonce, source, computed, LINE);  // makes its tables
    before = cycles(NULL);
    aes128_ctr_xor(key, nonce, source, computed, bytes);
  } else {
    before = cycles(NULL);
    chacha20_xor(key, nonce, 0, source, computed, bytes);
  }
  const uint32_t in_software = cycles(NULL) - before;
  const bool right = result == SALTMILL_DONE && same(made, computed, bytes);
  report(stream_name(), right, "processor and device differ");
  say("stream ");
  say(stream_name());
  say("\n");
  report_cycles("stream device", bytes, on_device);
  report_cycles("stream software", bytes, in_software);
}

// As many messages at once as the ring has entries: a hash of one message can't fill the core.
static void digests(uint32_t bytes) {
  enum { MESSAGES = 1 << RING_LOG2 };
  saltmill_completion completion;
  bool right = true;
  saltmill_clear_counters(&device);
  uint32_t before = cycles(NULL);
  for (unsigned i = 0; i < MESSAGES; i++) {
    const saltmill_request request =
        message(SALTMILL_OPERATION_DIGEST, source + i, made + LINE * i, bytes);
    right = saltmill_stage(&device, &request, NULL) == SALTMILL_DONE && right;
  }
  for (unsigned i = 0; i < MESSAGES; i++) {
    right = saltmill_complete(&device, &completion, PATIENCE) == SALTMILL_DONE &&
            completion.status == SALTMILL_JOB_STATUS_OK && right;
  }
  const uint32_t on_device = cycles(NULL) - before;
  report_waiting("digests busy", "digests wait for input", "digests wait for output",
                 MESSAGES * bytes);
  before = cycles(NULL);
  for (unsigned i = 0; i < MESSAGES; i++) sha256(source + i, bytes, computed + LINE * i);
  const uint32_t in_software = cycles(NULL) - before;
  for (unsigned i = 0; i < MESSAGES; i++) {
    right = right && same(made + LINE * i, computed + LINE * i, 32);
  }
  report("sha256", right, "processor and device differ");
  report_cycles("digests device", MESSAGES * bytes, on_device);
  report_cycles("digests software", MESSAGES * bytes, in_software);
}

// ---- interrupt ----------------------------------------------------------------------------------

static void interrupt(void) {
  start(true);
  board_enable_interrupt(&device);
  const uint32_t before = board_interrupts();
  saltmill_completion completion;
  const bool hash = saltmill_supports(&device, SALTMILL_OPERATION_DIGEST);
  const saltmill_request request = message(
      hash ? SALTMILL_OPERATION_DIGEST : SALTMILL_OPERATION_XOR_STREAM, source, made, SMALL);
  saltmill_set_key(&device, 0, key, key_bytes());
  const saltmill_result result = saltmill_run(&device, &request, &completion, PATIENCE);
  report("interrupt", result == SALTMILL_DONE && board_interrupts() - before == 1,
         "not one for a job");
}

int main(void) {
  say("begin\n");
  for (uint32_t i = 0, value = 0; i < LARGE; i++) {  // a period of 251 bytes
    source[i] = (uint8_t)value;
    value = value == 250 ? 0 : value + 1;
  }
  start(false);
  say("algorithm ");
  say(saltmill_algorithm_name(device.description.algorithm));
  say("\n");
  self_test();
  if (saltmill_supports(&device, SALTMILL_OPERATION_SEAL)) sealed_message();
  if (saltmill_supports(&device, SALTMILL_OPERATION_XOR_STREAM)) {
    stream(SMALL);
    stream(LARGE);
  }
  if (saltmill_supports(&device, SALTMILL_OPERATION_DIGEST)) {
    // Not longer than the device keeps of one message while it works on others (HashDepth).
    digests(SMALL / 2);
    digests(SMALL);
  }
  interrupt();
  say("end\n");
  for (;;) {
  }
}
