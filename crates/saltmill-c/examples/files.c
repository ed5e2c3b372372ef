// SPDX-License-Identifier: Apache-2.0
// Encrypts a file for an identity, decrypts it, reads a part of it, and prints its digest.
//
//   files KEY TEXT SEALED AGAIN
//
// KEY is a file of identities, TEXT what is encrypted; SEALED and AGAIN are made.

#include <saltmill.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program if a call has failed.
static void must(saltmill_status status) {
  if (status != SALTMILL_STATUS_OK) {
    const saltmill_error *error = saltmill_last_error();
    fprintf(stderr, "error %d (%s): %s\n", status, error->kind, error->message);
    exit(status);
  }
}

static bool show(void *context, uint64_t bytes) {
  *(uint64_t *)context = bytes;
  return true;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: files KEY TEXT SEALED AGAIN\n");
    return 2;
  }
  saltmill_identities *identities;
  must(saltmill_identities_new(&identities));
  must(saltmill_identities_add_file(identities, argv[1]));
  saltmill_recipients *recipients;
  must(saltmill_recipients_new(&recipients));
  must(saltmill_recipients_add_identities(recipients, identities));

  uint64_t done = 0;
  saltmill_options options = {.replace = true, .progress = show, .context = &done};
  must(saltmill_encrypt_file(argv[2], argv[3], recipients, &options));
  printf("%llu bytes encrypted\n", (unsigned long long)done);
  must(saltmill_decrypt_file(argv[3], argv[4], identities, &options));

  // The last ten bytes: two chunks of the file are read at most.
  saltmill_reader *reader;
  must(saltmill_reader_open(argv[3], identities, 0, &reader));
  uint64_t size = saltmill_reader_size(reader);
  uint8_t end[10];
  size_t length;
  must(saltmill_reader_read(reader, size < 10 ? 0 : size - 10, end, sizeof end, &length));
  printf("the last %zu bytes of %llu:", length, (unsigned long long)size);
  for (size_t i = 0; i < length; i++) {
    printf(" %02x", end[i]);
  }
  printf("\n");

  uint8_t digest[64];
  must(saltmill_hash_file(argv[4], "sha256", NULL, 0, digest, sizeof digest, &length));
  for (size_t i = 0; i < length; i++) {
    printf("%02x", digest[i]);
  }
  printf("  %s\n", argv[4]);

  saltmill_reader_free(reader);
  saltmill_recipients_free(recipients);
  saltmill_identities_free(identities);
  return 0;
}
