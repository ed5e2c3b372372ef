// SPDX-License-Identifier: Apache-2.0
// Encrypts or decrypts from standard input to standard output, piece by piece.
//
//   pipe encrypt RECIPIENT < TEXT > SEALED
//   pipe decrypt KEY < SEALED > TEXT
//
// RECIPIENT is one, such as age1..., and KEY a file of identities. Text that comes out was
// authenticated, but the rest of it may be missing: only the exit status says that it was all.

#include <saltmill.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(saltmill_status status) {
  if (status != SALTMILL_STATUS_OK) {
    const saltmill_error *error = saltmill_last_error();
    fprintf(stderr, "error %d (%s): %s\n", status, error->kind, error->message);
    exit(status);
  }
}

static void put(const uint8_t *bytes, size_t size) {
  if (fwrite(bytes, 1, size, stdout) != size) {
    perror("standard output");
    exit(1);
  }
}

// Room for what comes out next; a buffer is made larger when it has to be.
static uint8_t *room(uint8_t *buffer, size_t *has, size_t needed) {
  if (needed > *has) {
    *has = needed;
    buffer = realloc(buffer, needed);
    if (!buffer) {
      perror("memory");
      exit(1);
    }
  }
  return buffer;
}

static uint8_t input[100000];

static void encrypt(const char *recipient) {
  saltmill_recipients *recipients;
  must(saltmill_recipients_new(&recipients));
  must(saltmill_recipients_add(recipients, recipient));
  saltmill_encryptor *encryptor;
  must(saltmill_encryptor_new(recipients, &encryptor));
  saltmill_recipients_free(recipients);
  uint8_t *output = NULL;
  size_t has = 0, got, length;
  while ((got = fread(input, 1, sizeof input, stdin)) > 0) {
    output = room(output, &has, saltmill_encryptor_room(encryptor, got));
    must(saltmill_encryptor_update(encryptor, input, got, output, has, &length));
    put(output, length);
  }
  output = room(output, &has, saltmill_encryptor_room(encryptor, 0));
  must(saltmill_encryptor_finish(encryptor, output, has, &length));
  put(output, length);
  saltmill_encryptor_free(encryptor);
  free(output);
}

static void decrypt(const char *key) {
  saltmill_identities *identities;
  must(saltmill_identities_new(&identities));
  must(saltmill_identities_add_file(identities, key));
  saltmill_decryptor *decryptor;
  must(saltmill_decryptor_new(identities, &decryptor));
  saltmill_identities_free(identities);
  uint8_t *output = NULL;
  size_t has = 0, got, length;
  while ((got = fread(input, 1, sizeof input, stdin)) > 0) {
    output = room(output, &has, saltmill_decryptor_room(decryptor, got));
    must(saltmill_decryptor_update(decryptor, input, got, output, has, &length));
    put(output, length);
  }
  output = room(output, &has, saltmill_decryptor_room(decryptor, 0));
  must(saltmill_decryptor_finish(decryptor, output, has, &length));
  put(output, length);
  saltmill_decryptor_free(decryptor);
  free(output);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "encrypt") == 0) {
    encrypt(argv[2]);
  } else if (argc == 3 && strcmp(argv[1], "decrypt") == 0) {
    decrypt(argv[2]);
  } else {
    fprintf(stderr, "usage: pipe encrypt RECIPIENT | pipe decrypt KEY\n");
    return 2;
  }
  if (ferror(stdin) || fflush(stdout) != 0) {
    perror("standard input or output");
    return 1;
  }
  return 0;
}
