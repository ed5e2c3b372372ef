// SPDX-License-Identifier: Apache-2.0
// What the library does for C where all is well, and where it is not.
//
//   api FOLDER sim|none

#include <errno.h>
#include <pthread.h>
#include <saltmill.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                 \
  do {                                                              \
    if (!(what)) {                                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);    \
      exit(1);                                                      \
    }                                                               \
  } while (0)
#define GOOD(call)                                                                           \
  do {                                                                                       \
    saltmill_status status_ = (call);                                                        \
    if (status_ != SALTMILL_STATUS_OK) {                                                     \
      fprintf(stderr, "%s:%d: %s: %d, %s\n", __FILE__, __LINE__, #call, status_,             \
              saltmill_last_error()->message);                                               \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)
#define BAD(call, expected) \
  CHECK((call) == (expected) && saltmill_last_error()->status == (expected))

static const char *folder;

static const char *path(const char *name) {
  static char paths[4][4096];
  static int next;
  char *found = paths[next++ % 4];
  snprintf(found, sizeof paths[0], "%s/%s", folder, name);
  return found;
}

static void fill(uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    bytes[i] = i % 251;
  }
}

static void keys(void) {
  saltmill_identities *identities;
  saltmill_recipients *recipients;
  char *secrets, *public;
  GOOD(saltmill_identities_new(&identities));
  GOOD(saltmill_identities_generate(identities, false));
  GOOD(saltmill_identities_generate(identities, true));
  GOOD(saltmill_identities_secrets(identities, &secrets));
  GOOD(saltmill_identities_recipients(identities, &public));
  CHECK(strncmp(secrets, "AGE-SECRET-KEY-1", 16) == 0);
  CHECK(strncmp(public, "age1", 4) == 0 && strstr(public, "\nage1pq1"));
  GOOD(saltmill_recipients_new(&recipients));
  GOOD(saltmill_recipients_add(recipients, public));
  GOOD(saltmill_identities_add(identities, secrets));

  BAD(saltmill_recipients_add(recipients, secrets), SALTMILL_STATUS_RECIPIENT);
  CHECK(!strstr(saltmill_last_error()->message, "AGE-SECRET"));
  BAD(saltmill_identities_add(identities, "AGE-SECRET-KEY-1X"), SALTMILL_STATUS_IDENTITY);
  BAD(saltmill_identities_add(identities, "\xff"), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_identities_add(identities, NULL), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_identities_add(NULL, secrets), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_identities_new(NULL), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_identities_add_file(identities, path("nothing")), SALTMILL_STATUS_SYSTEM);
  CHECK(saltmill_last_error()->os_error == ENOENT);
  BAD(saltmill_recipients_add_passphrase(recipients, "a", 23), SALTMILL_STATUS_ARGUMENT);

  // A passphrase is alone in a file.
  GOOD(saltmill_recipients_add_passphrase(recipients, "correct horse", 1));
  saltmill_encryptor *encryptor = (saltmill_encryptor *)&identities;
  BAD(saltmill_encryptor_new(recipients, &encryptor), SALTMILL_STATUS_RECIPIENT);
  CHECK(encryptor == NULL);
  saltmill_text_free(secrets);
  saltmill_text_free(public);
  saltmill_recipients_free(recipients);
  saltmill_identities_free(identities);
  saltmill_identities_free(NULL);
  saltmill_text_free(NULL);
}

// Into and out of memory, a callback's.
typedef struct {
  uint8_t *bytes;
  size_t size, place;
  int error;
} memory;

static intptr_t take(void *context, uint8_t *buffer, size_t size) {
  memory *from = context;
  size_t left = from->size - from->place;
  size_t now = size < left ? size : left;
  now = now > 5000 ? 5000 : now;
  memcpy(buffer, from->bytes + from->place, now);
  from->place += now;
  return now;
}

static intptr_t give(void *context, const uint8_t *data, size_t size) {
  memory *to = context;
  if (to->error) {
    return -to->error;
  }
  CHECK(to->place + size <= to->size);
  memcpy(to->bytes + to->place, data, size);
  to->place += size;
  return size;
}

static bool refuse(void *context, uint64_t bytes) {
  (void)bytes;
  *(int *)context += 1;
  return false;
}

enum { TEXT = 300000, ROOM = 500000 };
static uint8_t text[TEXT], sealed[ROOM], again[ROOM];

static void streams(void) {
  saltmill_identities *identities;
  saltmill_recipients *recipients;
  GOOD(saltmill_identities_new(&identities));
  GOOD(saltmill_identities_add_passphrase(identities, "correct horse", 0));
  GOOD(saltmill_recipients_new(&recipients));
  GOOD(saltmill_recipients_add_passphrase(recipients, "correct horse", 1));
  saltmill_engine *engine;
  GOOD(saltmill_engine_new("cpu", 2, &engine));
  saltmill_options options = {.armor = true, .engine = engine};
  memory from = {text, TEXT, 0, 0}, to = {sealed, ROOM, 0, 0};
  saltmill_source source = {take, &from};
  saltmill_target target = {give, &to};
  GOOD(saltmill_encrypt_stream(&source, &target, recipients, &options));
  CHECK(memcmp(sealed, "-----BEGIN AGE", 14) == 0);
  memory back = {sealed, to.place, 0, 0}, out = {again, ROOM, 0, 0};
  source.context = &back;
  target.context = &out;
  GOOD(saltmill_decrypt_stream(&source, &target, identities, NULL));
  CHECK(out.place == TEXT && memcmp(again, text, TEXT) == 0);

  // What cannot be written.
  back.place = out.place = 0;
  out.error = ENOSPC;
  BAD(saltmill_decrypt_stream(&source, &target, identities, &options), SALTMILL_STATUS_SYSTEM);
  CHECK(saltmill_last_error()->os_error == ENOSPC);
  // No armor for what is pushed.
  saltmill_decryptor *decryptor;
  size_t length;
  GOOD(saltmill_decryptor_new(identities, &decryptor));
  BAD(saltmill_decryptor_update(decryptor, sealed, 100, again, ROOM, &length),
      SALTMILL_STATUS_FORMAT);
  CHECK(strcmp(saltmill_last_error()->kind, "armor") == 0);
  BAD(saltmill_decryptor_finish(decryptor, again, ROOM, &length), SALTMILL_STATUS_ENDED);
  saltmill_decryptor_free(decryptor);

  saltmill_identities *others;
  GOOD(saltmill_identities_new(&others));
  GOOD(saltmill_identities_add_passphrase(others, "wrong", 0));
  back.place = out.error = 0;
  BAD(saltmill_decrypt_stream(&source, &target, others, NULL), SALTMILL_STATUS_IDENTITY);
  CHECK(strcmp(saltmill_last_error()->kind, "unwrap") == 0);
  source.read = NULL;
  BAD(saltmill_decrypt_stream(&source, &target, others, NULL), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_engine_new("nothing", 0, &engine), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_engine_new(NULL, 1025, &engine), SALTMILL_STATUS_ARGUMENT);
  CHECK(engine == NULL);
  saltmill_engine_free(options.engine ? (saltmill_engine *)options.engine : NULL);
  saltmill_identities_free(others);
  saltmill_identities_free(identities);
  saltmill_recipients_free(recipients);
}

static void put_file(const char *name, const uint8_t *bytes, size_t size) {
  FILE *file = fopen(path(name), "wb");
  CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void files(void) {
  saltmill_identities *identities;
  saltmill_recipients *recipients;
  saltmill_reader *reader;
  size_t length;
  GOOD(saltmill_identities_new(&identities));
  GOOD(saltmill_identities_generate(identities, false));
  GOOD(saltmill_recipients_new(&recipients));
  GOOD(saltmill_recipients_add_identities(recipients, identities));
  put_file("api-text", text, TEXT);
  remove(path("api-sealed"));
  GOOD(saltmill_encrypt_file(path("api-text"), path("api-sealed"), recipients, NULL));
  BAD(saltmill_encrypt_file(path("api-text"), path("api-sealed"), recipients, NULL),
      SALTMILL_STATUS_SYSTEM);
  CHECK(saltmill_last_error()->os_error == EEXIST);

  GOOD(saltmill_reader_open(path("api-sealed"), identities, 0, &reader));
  CHECK(saltmill_reader_size(reader) == TEXT);
  GOOD(saltmill_reader_read(reader, 65530, again, 10, &length));
  CHECK(length == 10 && memcmp(again, text + 65530, 10) == 0);
  GOOD(saltmill_reader_read(reader, TEXT - 1, again, 10, &length));
  CHECK(length == 1);
  saltmill_reader_free(reader);

  // The third chunk is changed: no target, and where it is.
  FILE *file = fopen(path("api-sealed"), "rb");
  CHECK(file);
  size_t size = fread(sealed, 1, ROOM, file);
  CHECK(fclose(file) == 0);
  size_t front = size - TEXT - 5 * SALTMILL_TAG_BYTES, place = front + 2 * (65536 + 16);
  sealed[place] ^= 1;
  put_file("api-changed", sealed, size);
  remove(path("api-again"));
  BAD(saltmill_decrypt_file(path("api-changed"), path("api-again"), identities, NULL),
      SALTMILL_STATUS_REFUSED);
  CHECK(saltmill_last_error()->chunk == 2 && saltmill_last_error()->offset == place);
  CHECK(fopen(path("api-again"), "rb") == NULL);
  GOOD(saltmill_reader_open(path("api-changed"), identities, 0, &reader));
  memset(again, 7, 20);
  BAD(saltmill_reader_read(reader, 2 * 65536 - 10, again, 20, &length), SALTMILL_STATUS_REFUSED);
  for (int i = 0; i < 20; i++) {
    CHECK(again[i] == 0);
  }
  saltmill_reader_free(reader);
  BAD(saltmill_reader_open(path("api-text"), identities, 0, &reader), SALTMILL_STATUS_FORMAT);
  CHECK(reader == NULL && strcmp(saltmill_last_error()->kind, "not_age") == 0);

  // The caller ends a run, and the engine is good for another.
  saltmill_engine *engine;
  GOOD(saltmill_engine_new(NULL, 1, &engine));
  GOOD(saltmill_engine_cancel(engine));
  saltmill_options options = {.replace = true, .engine = engine};
  BAD(saltmill_encrypt_file(path("api-text"), path("api-again"), recipients, &options),
      SALTMILL_STATUS_ENGINE);
  CHECK(strcmp(saltmill_last_error()->kind, "cancelled") == 0);
  GOOD(saltmill_encrypt_file(path("api-text"), path("api-again"), recipients, &options));
  int told = 0;
  options.progress = refuse;
  options.context = &told;
  (void)saltmill_encrypt_file(path("api-text"), path("api-again"), recipients, &options);
  CHECK(told > 0);
  saltmill_engine_free(engine);
  saltmill_recipients_free(recipients);
  saltmill_identities_free(identities);
}

static void pushed(void) {
  saltmill_identities *identities;
  saltmill_recipients *recipients;
  saltmill_encryptor *encryptor;
  size_t length, size = 0;
  GOOD(saltmill_identities_new(&identities));
  GOOD(saltmill_identities_generate(identities, false));
  GOOD(saltmill_recipients_new(&recipients));
  BAD(saltmill_encryptor_new(recipients, &encryptor), SALTMILL_STATUS_RECIPIENT);
  GOOD(saltmill_recipients_add_identities(recipients, identities));
  GOOD(saltmill_encryptor_new(recipients, &encryptor));
  // Too little room: nothing is taken.
  BAD(saltmill_encryptor_update(encryptor, text, 100000, sealed, 100, &length),
      SALTMILL_STATUS_ROOM);
  CHECK(length == saltmill_encryptor_room(encryptor, 100000));
  for (size_t done = 0; done < TEXT; done += 100000) {
    CHECK(saltmill_encryptor_room(encryptor, 100000) <= ROOM - size);
    GOOD(saltmill_encryptor_update(encryptor, text + done, 100000, sealed + size, ROOM - size,
                                   &length));
    size += length;
  }
  GOOD(saltmill_encryptor_finish(encryptor, sealed + size, ROOM - size, &length));
  size += length;
  BAD(saltmill_encryptor_finish(encryptor, sealed, ROOM, &length), SALTMILL_STATUS_ENDED);
  BAD(saltmill_encryptor_update(encryptor, text, 1, sealed, ROOM, &length), SALTMILL_STATUS_ENDED);
  saltmill_encryptor_free(encryptor);

  saltmill_decryptor *decryptor;
  GOOD(saltmill_decryptor_new(identities, &decryptor));
  size_t out = 0;
  for (size_t done = 0; done < size;) {
    size_t now = size - done < 777 ? size - done : 777;
    CHECK(saltmill_decryptor_room(decryptor, now) <= 65552 + 1000);
    GOOD(saltmill_decryptor_update(decryptor, sealed + done, now, again + out, ROOM - out,
                                   &length));
    done += now;
    out += length;
  }
  GOOD(saltmill_decryptor_finish(decryptor, again + out, ROOM - out, &length));
  CHECK(out + length == TEXT && memcmp(again, text, TEXT) == 0);
  saltmill_decryptor_free(decryptor);
  saltmill_recipients_free(recipients);
  saltmill_identities_free(identities);
}

// RFC 8439, 2.8.2, and NIST's AES-128-CTR (SP 800-38A, F.5.1).
static void ciphers(void) {
  uint8_t key[32], data[114];
  const uint8_t nonce[12] = {7, 0, 0, 0, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47};
  const uint8_t aad[12] = {0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7};
  const uint8_t expected[16] = {0x1a, 0xe1, 0x0b, 0x59, 0x4f, 0x09, 0xe2, 0x6a,
                                0x7e, 0x90, 0x2e, 0xcb, 0xd0, 0x60, 0x06, 0x91};
  const char *message =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
      "sunscreen would be it.";
  for (int i = 0; i < 32; i++) {
    key[i] = 0x80 + i;
  }
  memcpy(data, message, sizeof data);
  saltmill_aead *aead;
  uint8_t tag[16];
  GOOD(saltmill_aead_new("chacha20-poly1305", key, 32, &aead));
  GOOD(saltmill_aead_seal(aead, nonce, aad, 12, data, sizeof data, tag));
  CHECK(data[0] == 0xd3 && data[113] == 0x16 && memcmp(tag, expected, 16) == 0);
  GOOD(saltmill_aead_open(aead, nonce, aad, 12, data, sizeof data, tag));
  CHECK(memcmp(data, message, sizeof data) == 0);
  BAD(saltmill_aead_open(aead, nonce, NULL, 0, data, sizeof data, tag), SALTMILL_STATUS_REFUSED);
  for (size_t i = 0; i < sizeof data; i++) {
    CHECK(data[i] == 0);
  }
  BAD(saltmill_aead_open(aead, nonce, NULL, 0, NULL, 5, tag), SALTMILL_STATUS_ARGUMENT);
  saltmill_aead_free(aead);
  BAD(saltmill_aead_new("aes-gcm", key, 31, &aead), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_aead_new("aes-ccm", key, 16, &aead), SALTMILL_STATUS_ARGUMENT);

  const uint8_t aes_key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                               0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  const uint8_t block[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                             0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
  uint8_t first[16] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                       0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
  const uint8_t second[16] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                              0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};
  saltmill_cipher *cipher;
  GOOD(saltmill_cipher_new("aes-ctr", aes_key, 16, block, 16, 0, &cipher));
  GOOD(saltmill_cipher_apply(cipher, 0, first, 16));
  CHECK(memcmp(first, second, 16) == 0);
  BAD(saltmill_cipher_apply(cipher, 5, first, 16), SALTMILL_STATUS_ARGUMENT);
  saltmill_cipher_free(cipher);
  GOOD(saltmill_cipher_new("chacha20", key, 32, nonce, 12, 0xffffffff, &cipher));
  BAD(saltmill_cipher_apply(cipher, 0, data, 65), SALTMILL_STATUS_COUNTER);
  CHECK(saltmill_last_error()->longest == 64);
  saltmill_cipher_free(cipher);
}

// FIPS 180-4's example, and RFC 4231's first case with its key filled up.
static void hashes(void) {
  saltmill_hash *hash;
  uint8_t digest[64], key[32];
  size_t length;
  const uint8_t abc[4] = {0xba, 0x78, 0x16, 0xbf};
  int known = 0;
  while (saltmill_algorithm(known)) {
    known++;
  }
  CHECK(known == 8 && strcmp(saltmill_algorithm(3), "sha256") == 0);
  GOOD(saltmill_hash_new("sha256", NULL, 0, &hash));
  GOOD(saltmill_hash_update(hash, (const uint8_t *)"a", 1));
  GOOD(saltmill_hash_update(hash, NULL, 0));
  GOOD(saltmill_hash_update(hash, (const uint8_t *)"bc", 2));
  GOOD(saltmill_hash_finish(hash, digest, sizeof digest, &length));
  CHECK(length == 32 && memcmp(digest, abc, 4) == 0);
  BAD(saltmill_hash_update(hash, (const uint8_t *)"a", 1), SALTMILL_STATUS_ENDED);
  saltmill_hash_free(hash);
  memset(key, 0x0b, 20);
  memset(key + 20, 0, 12);
  GOOD(saltmill_hash_new("hmac-sha256", key, 32, &hash));
  GOOD(saltmill_hash_update(hash, (const uint8_t *)"Hi There", 8));
  BAD(saltmill_hash_finish(hash, digest, 31, &length), SALTMILL_STATUS_ROOM);
  CHECK(length == 32);
  BAD(saltmill_hash_finish(hash, digest, 32, NULL), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_hash_finish(hash, NULL, 32, &length), SALTMILL_STATUS_ARGUMENT);
  GOOD(saltmill_hash_finish(hash, digest, 32, &length));
  CHECK(digest[0] == 0xb0 && digest[1] == 0x34 && digest[31] == 0xf7);
  saltmill_hash_free(hash);
  BAD(saltmill_hash_new("hmac-sha256", NULL, 0, &hash), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_hash_new("sha3", NULL, 0, &hash), SALTMILL_STATUS_ARGUMENT);
}

static void *fails(void *unused) {
  BAD(saltmill_hash_new("sha3", NULL, 0, NULL), SALTMILL_STATUS_ARGUMENT);
  return unused;
}

// An error belongs to the thread that it was on.
static void threads(void) {
  pthread_t thread;
  BAD(saltmill_identities_add_file(NULL, path("nothing")), SALTMILL_STATUS_SYSTEM);
  CHECK(pthread_create(&thread, NULL, fails, NULL) == 0 && pthread_join(thread, NULL) == 0);
  CHECK(saltmill_last_error()->status == SALTMILL_STATUS_SYSTEM);
}

static void no_device(void) {
  saltmill_device *device;
  char *names;
  GOOD(saltmill_devices(&names));
  saltmill_text_free(names);
  BAD(saltmill_device_open("nothing", NULL, 0, &device), SALTMILL_STATUS_ARGUMENT);
  BAD(saltmill_device_open("vfio:0000:ff:1f.7", NULL, 0, &device), SALTMILL_STATUS_DEVICE);
  CHECK(device == NULL && strcmp(saltmill_last_error()->kind, "no_device") == 0);
}

static void devices(void) {
  saltmill_device *device;
  saltmill_job *job;
  uint8_t key[32] = {1};
  size_t length;
  bool ended = false;
  GOOD(saltmill_device_open("sim:sha256-ring", "latency100", 64 << 10, &device));
  saltmill_request request = {.operation = "digest", .data = text, .size = 40000};
  GOOD(saltmill_device_submit(device, &request, &job));
  saltmill_status status = saltmill_job_result(job, again, 32, &length);
  CHECK(status == SALTMILL_STATUS_OK || status == SALTMILL_STATUS_ARGUMENT);
  // The device does its jobs first.
  saltmill_device_free(device);
  GOOD(saltmill_job_wait(job, 0, &ended));
  CHECK(ended);
  BAD(saltmill_job_result(job, again, 31, &length), SALTMILL_STATUS_ROOM);
  GOOD(saltmill_job_result(job, again, 32, &length));
  saltmill_job_free(job);
  saltmill_hash *hash;
  GOOD(saltmill_hash_new("sha256", NULL, 0, &hash));
  GOOD(saltmill_hash_update(hash, text, 40000));
  GOOD(saltmill_hash_finish(hash, sealed, ROOM, &length));
  saltmill_hash_free(hash);
  CHECK(length == 32 && memcmp(sealed, again, 32) == 0);

  GOOD(saltmill_device_open("sim:ring2", NULL, 64 << 10, &device));
  const uint8_t nonce[12] = {9};
  request = (saltmill_request){
      .operation = "xor_stream", .data = text, .size = 10, .nonce = nonce, .nonce_size = 12};
  BAD(saltmill_device_run(device, &request, again, ROOM, &length), SALTMILL_STATUS_JOB);
  CHECK(strcmp(saltmill_last_error()->kind, "bad_key_slot") == 0);
  BAD(saltmill_device_set_key(device, 200, key, 32), SALTMILL_STATUS_DEVICE);
  CHECK(strcmp(saltmill_last_error()->kind, "no_key_slot") == 0);
  GOOD(saltmill_device_set_key(device, 0, key, 32));
  BAD(saltmill_device_run(device, &request, again, 9, &length), SALTMILL_STATUS_ROOM);
  CHECK(length == 10);
  GOOD(saltmill_device_run(device, &request, again, ROOM, &length));
  CHECK(length == 10);
  request.counter = 0xffffffff;
  request.size = 65;
  BAD(saltmill_device_run(device, &request, again, ROOM, &length), SALTMILL_STATUS_COUNTER);
  request.operation = "fly";
  BAD(saltmill_device_run(device, &request, again, ROOM, &length), SALTMILL_STATUS_ARGUMENT);
  GOOD(saltmill_device_wipe(device));
  saltmill_counters counters;
  GOOD(saltmill_device_counters(device, &counters));
  CHECK(counters.simulated_cycles > 0);
  saltmill_device_free(device);
  BAD(saltmill_device_open("sim:nothing", NULL, 0, &device), SALTMILL_STATUS_DEVICE);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  CHECK(saltmill_last_error() == NULL);
  folder = argv[1];
  fill(text, TEXT);
  keys();
  streams();
  files();
  pushed();
  ciphers();
  hashes();
  threads();
  no_device();
  if (strcmp(argv[2], "sim") == 0) {
    devices();
  }
  return 0;
}
