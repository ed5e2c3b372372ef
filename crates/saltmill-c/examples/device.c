// SPDX-License-Identifier: Apache-2.0
// Encrypts bytes with ChaCha20 on a device and on the CPU, and compares.
//
//   device            lists the devices that there are
//   device NAME       for example vfio:0000:02:00.0, or sim:ring2 where simulated devices are
//
// Two jobs are with the device at once, and one is waited for.

#include <saltmill.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 10000 };

static void must(saltmill_status status) {
  if (status != SALTMILL_STATUS_OK) {
    const saltmill_error *error = saltmill_last_error();
    fprintf(stderr, "error %d (%s): %s\n", status, error->kind, error->message);
    exit(status);
  }
}

// The same on the CPU.
static bool is_right(const uint8_t *result, const uint8_t *text, const uint8_t *key,
                     const saltmill_request *request) {
  uint8_t expected[SIZE];
  memcpy(expected, text, SIZE);
  saltmill_cipher *cipher;
  must(saltmill_cipher_new("chacha20", key, 32, request->nonce, 12, request->counter, &cipher));
  must(saltmill_cipher_apply(cipher, 0, expected, SIZE));
  saltmill_cipher_free(cipher);
  return memcmp(expected, result, SIZE) == 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    char *names;
    must(saltmill_devices(&names));
    fputs(names, stdout);
    saltmill_text_free(names);
    return 0;
  }
  saltmill_device *device;
  must(saltmill_device_open(argv[1], NULL, 0, &device));
  saltmill_description description;
  must(saltmill_device_description(device, &description));
  printf("%s: %s %s, %u cycles for %u bytes\n", description.name, description.algorithm,
         description.structure, description.cycles_per_block, description.block_bytes);

  uint8_t key[32], text[SIZE], result[3][SIZE];
  for (size_t i = 0; i < SIZE; i++) {
    text[i] = i % 251;
    key[i % 32] = i % 32;
  }
  must(saltmill_device_set_key(device, 3, key, sizeof key));

  const uint8_t nonces[3][12] = {{1}, {2}, {3}};
  saltmill_request requests[3];
  saltmill_job *jobs[2];
  size_t length;
  for (int i = 0; i < 3; i++) {
    requests[i] = (saltmill_request){.operation = "xor_stream",
                                     .data = text,
                                     .size = SIZE,
                                     .nonce = nonces[i],
                                     .nonce_size = sizeof nonces[i],
                                     .counter = 7,
                                     .slot = 3};
  }
  must(saltmill_device_submit(device, &requests[0], &jobs[0]));
  must(saltmill_device_submit(device, &requests[1], &jobs[1]));
  must(saltmill_device_run(device, &requests[2], result[2], SIZE, &length));
  for (int i = 0; i < 2; i++) {
    bool ended;
    must(saltmill_job_wait(jobs[i], -1, &ended));
    must(saltmill_job_result(jobs[i], result[i], SIZE, &length));
    saltmill_job_free(jobs[i]);
  }

  saltmill_counters counters;
  must(saltmill_device_counters(device, &counters));
  bool right = true;
  for (int i = 0; i < 3; i++) {
    right = right && is_right(result[i], text, key, &requests[i]);
  }
  printf("%llu bytes in %llu cycles: %s\n", (unsigned long long)counters.bytes,
         (unsigned long long)counters.cycles, right ? "as on the CPU" : "WRONG");
  saltmill_device_free(device);
  return right ? 0 : 1;
}
