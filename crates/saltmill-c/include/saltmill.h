// SPDX-License-Identifier: Apache-2.0
//
// libsaltmill: files of the age format, digests, ciphers and streaming crypto devices.
// Made by cbindgen from crates/saltmill-c: don't edit it. docs/c.md shows how it is used.
//
// What holds everywhere:
//
// - Functions that can fail give a saltmill_status; 0 is success. saltmill_last_error() says more.
// - Objects are opaque. ..._new and ..._open make one, whose pointer is null if they fail; ..._free
//   frees it once and clears its secrets. Freeing null does nothing.
// - Texts are UTF-8 and end with a zero byte. Bytes are a pointer and their number, in that order,
//   and the pointer may be null if there are none. Arguments are only used during the call.
// - What is written and what is read must not overlap. What is changed where it is, was written
//   before. A result has a pointer, the room behind it and a place for its length, which is given
//   also when there is too little room (SALTMILL_STATUS_ROOM).
// - An object may be used by several threads at once only where its type says so.
// - No function ends the process or throws anything.


#ifndef SALTMILL_H
#define SALTMILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of text in a chunk of a file; the last one may have fewer.
#define SALTMILL_CHUNK_BYTES 65536

// Bytes of a tag of an AEAD, and those that each chunk is longer than its text.
#define SALTMILL_TAG_BYTES 16

// How a call ended. `saltmill_last_error()` says more.
typedef enum {
  // It was done.
  SALTMILL_STATUS_OK = 0,
  // An argument can't be used: a null pointer, a length, a name.
  SALTMILL_STATUS_ARGUMENT = 1,
  // The result does not fit; its length was given, and nothing was written.
  SALTMILL_STATUS_ROOM = 2,
  // The operating system refused something: `os_error` is its number (errno), or 0.
  SALTMILL_STATUS_SYSTEM = 3,
  // It is no file of the age format that can be read. Kinds: `not_age`, `version`, `truncated`,
  // `too_long`, `malformed`, `header_changed`, `armor`.
  SALTMILL_STATUS_FORMAT = 4,
  // No identity opens it, or one can't be used. Kinds: `no_match`, `unwrap`, `excessive_work`,
  // `identity`.
  SALTMILL_STATUS_IDENTITY = 5,
  // It can't be sealed for these recipients.
  SALTMILL_STATUS_RECIPIENT = 6,
  // Something is not what was sealed: of a file chunk number `chunk`, from 0, at byte `offset`.
  // None of it was given out.
  SALTMILL_STATUS_REFUSED = 7,
  // The data is longer than what one nonce is good for: `longest` bytes.
  SALTMILL_STATUS_COUNTER = 8,
  // A run ended early. Kinds: `cancelled`, `worker_failed`, `worker_panicked`, `no_worker_left`.
  SALTMILL_STATUS_ENGINE = 9,
  // A device can't be used, or does not answer. Kinds: the driver's, such as `no_key_slot`.
  SALTMILL_STATUS_DEVICE = 10,
  // A device could not do a job. Kinds: the driver's, such as `bad_key_slot`.
  SALTMILL_STATUS_JOB = 11,
  // An earlier call with this object has failed, or it has ended.
  SALTMILL_STATUS_ENDED = 12,
  // A bug in the library, which has stopped at it. The objects of the call can only be freed.
  SALTMILL_STATUS_BUG = 13,
} saltmill_status;

// An AEAD with its key. Threads may share it.
typedef struct saltmill_aead saltmill_aead;

// A stream cipher with its key and nonce. Threads may share it.
typedef struct saltmill_cipher saltmill_cipher;

// Opens a file that comes piece by piece. One thread at a time.
typedef struct saltmill_decryptor saltmill_decryptor;

// A device and its thread, which keeps its ring full. Threads may share it.
typedef struct saltmill_device saltmill_device;

// Seals a text that comes piece by piece. One thread at a time.
typedef struct saltmill_encryptor saltmill_encryptor;

// CPU threads and devices that work together on one file. Threads may share it; runs wait for each
// other.
typedef struct saltmill_engine saltmill_engine;

// A digest of bytes that come piece by piece. One thread at a time.
typedef struct saltmill_hash saltmill_hash;

// Who can open files: a list, which is cleared when it is freed. Threads may share it while
// nothing is added.
typedef struct saltmill_identities saltmill_identities;

// A job that a device was given. Threads may share it and wait for it.
typedef struct saltmill_job saltmill_job;

// A file whose text is read anywhere. Threads may share it, and read at once.
typedef struct saltmill_reader saltmill_reader;

// Whom files are sealed for: a list. Threads may share it while nothing is added.
typedef struct saltmill_recipients saltmill_recipients;

// How a device was built, as its registers tell. Texts belong to the device.
typedef struct {
  // Name for messages, such as `sim:0 (ring2)`.
  const char *name;
  // What its core computes: `chacha20`, `chacha20-poly1305`, `aes`, `sha256`, `md5`,
  // `xor-constant`.
  const char *algorithm;
  // How its rounds are laid out: `serial`, `ring`, `pipeline`.
  const char *structure;
  // Bytes in a block.
  uint32_t block_bytes;
  // Clock cycles for a block, sustained.
  uint32_t cycles_per_block;
  // Clock that it was built for; 0 if it does not say.
  uint32_t clock_hz;
  // Width of its memory port in bytes.
  uint32_t data_bytes;
  // Number of its key slots.
  uint32_t key_slots;
  // Bytes of its digests; 0 if it makes none.
  uint32_t digest_bytes;
} saltmill_description;

// Performance counters of a device since it was opened.
typedef struct {
  // Clock cycles with jobs in flight.
  uint64_t cycles;
  // Cycles with a job in the core.
  uint64_t busy;
  // Cycles in which the core waited for data from memory.
  uint64_t stalled_input;
  // Cycles in which the core waited for memory to take its output.
  uint64_t stalled_output;
  // Blocks of data that left the core.
  uint64_t blocks;
  // Bytes of data of the jobs that the core has begun.
  uint64_t bytes;
  // Jobs finished: pieces of the caller's jobs.
  uint64_t jobs;
  // All clock cycles of a simulated device; 0 of a real one. Its wall-clock time says nothing.
  uint64_t simulated_cycles;
} saltmill_counters;

// Why a call failed.
typedef struct {
  saltmill_status status;
  // Number of the operating system's error (errno); 0 if there is none.
  int32_t os_error;
  // A sentence in English, without a full stop. Not null. No secret is in it.
  const char *message;
  // Which of the errors of that status, or an empty text. Not null.
  const char *kind;
  // Of `SALTMILL_STATUS_REFUSED` with a file.
  uint64_t chunk;
  // Of `SALTMILL_STATUS_REFUSED` with a file.
  uint64_t offset;
  // Of `SALTMILL_STATUS_COUNTER`.
  uint64_t longest;
} saltmill_error;

// How a run is done and watched. All zero, or a null pointer in its place: in the usual way.
typedef struct {
  // Write the armor of the age format: text of 64 characters a line.
  bool armor;
  // Replace a file that is there already.
  bool replace;
  // Who does it; null: a CPU thread for each processor, if there is work for them.
  const saltmill_engine *engine;
  // Called on the caller's thread, now and then, with the number of bytes that are done; false
  // ends the run. It must not use the same engine. May be null.
  bool (*progress)(void *context, uint64_t bytes);
  // Given back to `progress`.
  void *context;
} saltmill_options;

// What a device is to do. What an operation does not use stays 0.
typedef struct {
  // `xor_stream` (ChaCha20, RFC 8439, 2.4, or AES in CTR mode, SP 800-38A, 6.5), `seal` and
  // `open` (ChaCha20-Poly1305, RFC 8439, 2.8, or AES-GCM, SP 800-38D), `digest` (SHA-256, FIPS
  // 180-4, or MD5, RFC 1321), `hmac` (RFC 2104), `ecb_encrypt`, `ecb_decrypt`, `cbc_encrypt`,
  // `cbc_decrypt` (AES, SP 800-38A).
  const char *operation;
  // Bytes of any number; for `open` with the tag of 16 bytes behind the text. A message with a
  // tag must fit into a quarter of the device's memory, and ECB and CBC take whole blocks of 16.
  const uint8_t *data;
  // Bytes of `data`.
  size_t size;
  // 12 or 24 bytes of ChaCha20, 12 of AES-GCM; 16 of AES in CTR mode (the first counter block, a
  // number with its highest byte first) and in CBC mode (the IV).
  const uint8_t *nonce;
  // Bytes of `nonce`.
  size_t nonce_size;
  // Additional data of `seal` and `open`.
  const uint8_t *additional;
  // Bytes of `additional`.
  size_t additional_size;
  // Counter of the first block of 64 bytes: of `xor_stream` with ChaCha20.
  uint32_t counter;
  // Slot of the key.
  uint8_t slot;
} saltmill_request;

// Where bytes come from.
typedef struct {
  // Puts up to `size` bytes into `buffer`, which has room for them, and gives their number: 0 at
  // the end, or a negative number, -errno, if reading fails. Must not be null.
  ptrdiff_t (*read)(void *context, uint8_t *buffer, size_t size);
  // Given back to `read`.
  void *context;
} saltmill_source;

// Where bytes go.
typedef struct {
  // Takes some of `size` bytes of `data`, and gives their number: at least 1, or a negative
  // number, -errno, if writing fails. Must not be null.
  ptrdiff_t (*write)(void *context, const uint8_t *data, size_t size);
  // Given back to `write`.
  void *context;
} saltmill_target;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// A stream cipher, which encrypts and decrypts; nothing is authenticated. `name`: `chacha20` (RFC
// 8439, 2.4; key of 32 bytes, nonce of 12, counter of the first block of 64 bytes), or `aes-ctr`
// (SP 800-38A, 6.5; key of 16, 24 or 32 bytes; the nonce is the first counter block, 16 bytes, a
// number with its highest byte first of which all bits count, as in OpenSSL; `counter` is 0). No
// key may meet the same nonce and counter again.
saltmill_status saltmill_cipher_new(const char *name,
                                    const uint8_t *key,
                                    size_t key_size,
                                    const uint8_t *nonce,
                                    size_t nonce_size,
                                    uint32_t counter,
                                    saltmill_cipher **cipher);

// Encrypts or decrypts data where it is. `offset`: of its first byte in the whole stream, a
// multiple of 64 (`chacha20`) or 16 (`aes-ctr`).
saltmill_status saltmill_cipher_apply(const saltmill_cipher *cipher,
                                      uint64_t offset,
                                      uint8_t *data,
                                      size_t size);

// Frees it, and clears its key; null is none.
void saltmill_cipher_free(saltmill_cipher *cipher);

// An AEAD with nonces of 12 bytes and tags of 16. `name`: `chacha20-poly1305` (RFC 8439, 2.8; key
// of 32 bytes) or `aes-gcm` (SP 800-38D; key of 16, 24 or 32).
saltmill_status saltmill_aead_new(const char *name,
                                  const uint8_t *key,
                                  size_t key_size,
                                  saltmill_aead **aead);

// Encrypts a message where it is, and gives its tag: 16 bytes, also of `additional` data (null, 0:
// none). `nonce`: 12 bytes; no two messages may have the same.
saltmill_status saltmill_aead_seal(const saltmill_aead *aead,
                                   const uint8_t *nonce,
                                   const uint8_t *additional,
                                   size_t additional_size,
                                   uint8_t *data,
                                   size_t size,
                                   uint8_t *tag);

// Decrypts a message where it is, if `tag` is that of it and of the additional data; otherwise
// clears it: `SALTMILL_STATUS_REFUSED`.
saltmill_status saltmill_aead_open(const saltmill_aead *aead,
                                   const uint8_t *nonce,
                                   const uint8_t *additional,
                                   size_t additional_size,
                                   uint8_t *data,
                                   size_t size,
                                   const uint8_t *tag);

// Frees it, and clears its key; null is none.
void saltmill_aead_free(saltmill_aead *aead);

// Names of the devices that there are, one a line: `vfio:0000:00:02.0` (PCI) and `uio:saltmill0`
// (kernel module) of this machine, as the command's `--engine` has them, and in a build with
// simulated devices `sim:ring2` and others. To be freed with `saltmill_text_free()`.
saltmill_status saltmill_devices(char **names);

// Opens a device by its name, probes and wipes it. `memory` (`ideal`, `latency100`, `de10-nano`,
// `zedboard`, `pynq-z2`; null: `ideal`) and `dma_bytes`, its memory (0: 4 MiB), are for simulated
// ones.
saltmill_status saltmill_device_open(const char *name,
                                     const char *memory,
                                     size_t dma_bytes,
                                     saltmill_device **device);

// How it was built.
saltmill_status saltmill_device_description(const saltmill_device *device,
                                            saltmill_description *description);

// Writes a key to a slot, from 0: of ChaCha20 32 bytes, of AES 16, 24 or 32, of HMAC up to 32. It
// can't be read back. Jobs before it are done first.
saltmill_status saltmill_device_set_key(const saltmill_device *device,
                                        uint8_t slot,
                                        const uint8_t *key,
                                        size_t size);

// Its performance counters, when the jobs before are done.
saltmill_status saltmill_device_counters(const saltmill_device *device,
                                         saltmill_counters *counters);

// Clears keys and buffers of the device, when the jobs before are done.
saltmill_status saltmill_device_wipe(const saltmill_device *device);

// Waits for all jobs, wipes the device and frees it; null is none. Its jobs may be freed later.
void saltmill_device_free(saltmill_device *device);

// An engine of those that `names` lists, separated by commas, as the command's `--engine` names
// them: `cpu`, `vfio:ADDRESS`, `uio:NAME`; and `sim:VARIANT` where the library was built with
// simulated devices. Null: `cpu`. `threads`: of `cpu`, up to 1024; 0: one for each processor.
saltmill_status saltmill_engine_new(const char *names, uint32_t threads, saltmill_engine **engine);

// Asks the run that is under way, or else the next one, to stop. Any thread may call it.
saltmill_status saltmill_engine_cancel(const saltmill_engine *engine);

// Frees an engine that nobody uses; its devices are wiped. Null is none.
void saltmill_engine_free(saltmill_engine *engine);

// Why the last call on this thread that failed did so; null if none has. It stays until the next
// call that fails on this thread.
const saltmill_error *saltmill_last_error(void);

// Seals a file in the age format, version 1 (C2SP, age.md). The target has its name when it is
// complete, and is not there if anything fails; one that is there already is
// `SALTMILL_STATUS_SYSTEM` with `EEXIST`, unless the options say `replace`.
saltmill_status saltmill_encrypt_file(const char *source,
                                      const char *target,
                                      const saltmill_recipients *recipients,
                                      const saltmill_options *options);

// Opens a file of the age format, with an armor or without. If anything in it was changed, there
// is no target.
saltmill_status saltmill_decrypt_file(const char *source,
                                      const char *target,
                                      const saltmill_identities *identities,
                                      const saltmill_options *options);

// Name of a hash algorithm: number 0, 1 and so on, null behind the last one. They are the
// command's: `md5` (RFC 1321), `sha1`, `sha224`, `sha256`, `sha384`, `sha512` (FIPS 180-4),
// `blake3`, `hmac-sha256` (RFC 2104).
const char *saltmill_algorithm(size_t number);

// Begins a digest. `key` and its length: 32 bytes of `hmac-sha256`; the others have none: null, 0.
saltmill_status saltmill_hash_new(const char *name,
                                  const uint8_t *key,
                                  size_t key_size,
                                  saltmill_hash **hash);

// Takes the bytes that follow.
saltmill_status saltmill_hash_update(saltmill_hash *hash, const uint8_t *data, size_t size);

// The digest, of 16 to 64 bytes. After it the object can only be freed.
saltmill_status saltmill_hash_finish(saltmill_hash *hash,
                                     uint8_t *digest,
                                     size_t room,
                                     size_t *length);

// Frees it; null is none.
void saltmill_hash_free(saltmill_hash *hash);

// The digest of a file. Arguments are those of `saltmill_hash_new()` and `saltmill_hash_finish()`.
saltmill_status saltmill_hash_file(const char *path,
                                   const char *name,
                                   const uint8_t *key,
                                   size_t key_size,
                                   uint8_t *digest,
                                   size_t room,
                                   size_t *length);

// Hands a job to a device and does not wait for it. Data is copied.
saltmill_status saltmill_device_submit(const saltmill_device *device,
                                       const saltmill_request *request,
                                       saltmill_job **job);

// Does a job and waits for it. The result is as long as the data, and with `seal` 16 bytes more,
// with `open` 16 less; a digest has its own length.
saltmill_status saltmill_device_run(const saltmill_device *device,
                                    const saltmill_request *request,
                                    uint8_t *result,
                                    size_t room,
                                    size_t *length);

// Waits until a job has ended, or for so many milliseconds; negative: for ever. Gives whether it
// has ended, well or not.
saltmill_status saltmill_job_wait(const saltmill_job *job, int64_t milliseconds, bool *ended);

// The result of a job that has ended, as `saltmill_device_run()` gives it, or why it failed. It
// can be asked for again.
saltmill_status saltmill_job_result(const saltmill_job *job,
                                    uint8_t *result,
                                    size_t room,
                                    size_t *length);

// Frees a job, ended or not, and clears its result; null is none. The device does it nevertheless.
void saltmill_job_free(saltmill_job *job);

// Version of the library, such as "0.1.0".
const char *saltmill_version(void);

// An empty list.
saltmill_status saltmill_recipients_new(saltmill_recipients **recipients);

// Adds recipients, one a line: `age1...` (X25519), `age1pq1...` (ML-KEM-768 with X25519) or SSH
// public keys. Lines that begin with `#` are none.
saltmill_status saltmill_recipients_add(saltmill_recipients *recipients, const char *text);

// The same from a file.
saltmill_status saltmill_recipients_add_file(saltmill_recipients *recipients, const char *path);

// Adds the recipients of all identities of a list.
saltmill_status saltmill_recipients_add_identities(saltmill_recipients *recipients,
                                                   const saltmill_identities *identities);

// Adds a passphrase, which is the only recipient of a file. `work_factor`: binary logarithm of
// scrypt's N (RFC 7914), 1 to 22; 0: about a second.
saltmill_status saltmill_recipients_add_passphrase(saltmill_recipients *recipients,
                                                   const char *passphrase,
                                                   uint32_t work_factor);

// Frees a list; null is none.
void saltmill_recipients_free(saltmill_recipients *recipients);

// An empty list.
saltmill_status saltmill_identities_new(saltmill_identities **identities);

// Adds identities, one a line: `AGE-SECRET-KEY-1...` or `AGE-SECRET-KEY-PQ-1...`; or an SSH
// private key without a passphrase.
saltmill_status saltmill_identities_add(saltmill_identities *identities, const char *text);

// The same from a file. Files of identities with a passphrase are not read.
saltmill_status saltmill_identities_add_file(saltmill_identities *identities, const char *path);

// Adds a new identity, from the system's random numbers; `post_quantum`: of ML-KEM-768 with
// X25519.
saltmill_status saltmill_identities_generate(saltmill_identities *identities, bool post_quantum);

// Adds a passphrase. `most_work`: the largest work factor that is tried, 1 to 63; 0: 22, which
// takes 4 GiB of memory.
saltmill_status saltmill_identities_add_passphrase(saltmill_identities *identities,
                                                   const char *passphrase,
                                                   uint32_t most_work);

// The secrets of a list as text, one a line, to be kept; SSH keys and passphrases have none, which
// is `SALTMILL_STATUS_IDENTITY`. To be freed with `saltmill_text_free()`, which clears it.
saltmill_status saltmill_identities_secrets(const saltmill_identities *identities, char **text);

// The recipients of a list of identities as text, one a line; to be freed with
// `saltmill_text_free()`.
saltmill_status saltmill_identities_recipients(const saltmill_identities *identities, char **text);

// Frees a list, and clears what is in it; null is none.
void saltmill_identities_free(saltmill_identities *identities);

// Clears and frees a text that the library gave; null is none.
void saltmill_text_free(char *text);

// Begins a file for these recipients, without an armor. With a passphrase it takes a second.
saltmill_status saltmill_encryptor_new(const saltmill_recipients *recipients,
                                       saltmill_encryptor **encryptor);

// Room that `saltmill_encryptor_update()` needs for a result if it is given `size` bytes, and with
// 0 that of `saltmill_encryptor_finish()`; 0 for null.
size_t saltmill_encryptor_room(const saltmill_encryptor *encryptor, size_t size);

// Takes the text that follows; gives the part of the file that is complete by it, and its length,
// which may be 0. `room`: bytes that fit into `result`; with fewer than
// `saltmill_encryptor_room()` says, nothing is taken.
saltmill_status saltmill_encryptor_update(saltmill_encryptor *encryptor,
                                          const uint8_t *text,
                                          size_t size,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// The end of the file. After it the object can only be freed.
saltmill_status saltmill_encryptor_finish(saltmill_encryptor *encryptor,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// Frees it, and clears what is in it; null is none.
void saltmill_encryptor_free(saltmill_encryptor *encryptor);

// Begins to open a file for these identities, which are copied. One with an armor is
// `SALTMILL_STATUS_FORMAT`, kind `armor`: `saltmill_decrypt_stream()` reads it.
saltmill_status saltmill_decryptor_new(const saltmill_identities *identities,
                                       saltmill_decryptor **decryptor);

// Room that `saltmill_decryptor_update()` needs for a result if it is given `size` bytes, and with
// 0 that of `saltmill_decryptor_finish()`; 0 for null.
size_t saltmill_decryptor_room(const saltmill_decryptor *decryptor, size_t size);

// Takes the bytes of the file that follow; gives text, of which each byte is authenticated, and
// its length, which may be 0. The text is all there only when `saltmill_decryptor_finish()` has
// succeeded. `room`: bytes that fit into `result`; with fewer than `saltmill_decryptor_room()`
// says, nothing is taken.
saltmill_status saltmill_decryptor_update(saltmill_decryptor *decryptor,
                                          const uint8_t *file,
                                          size_t size,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// The file has ended: the rest of its text. If it was cut off, this is where it is noticed. After
// it the object can only be freed.
saltmill_status saltmill_decryptor_finish(saltmill_decryptor *decryptor,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// Frees it, and clears what is in it; null is none.
void saltmill_decryptor_free(saltmill_decryptor *decryptor);

// Opens a file of the age format without an armor. Its last chunk is opened at once, so that a
// file that was cut off is noticed. `cached`: chunks of 64 KiB that are kept in memory; 0: 64.
saltmill_status saltmill_reader_open(const char *path,
                                     const saltmill_identities *identities,
                                     size_t cached,
                                     saltmill_reader **reader);

// Bytes of its text; 0 for null.
uint64_t saltmill_reader_size(const saltmill_reader *reader);

// Reads `size` bytes of the text from `offset` on, fewer only at its end; gives their number. Each
// was authenticated. If this fails, `buffer` holds no text.
saltmill_status saltmill_reader_read(const saltmill_reader *reader,
                                     uint64_t offset,
                                     uint8_t *buffer,
                                     size_t size,
                                     size_t *length);

// Frees it, and clears what is in it; null is none.
void saltmill_reader_free(saltmill_reader *reader);

// Seals what is read, and writes it: in order, with bounded memory (some MiB). The functions are
// called on other threads, `read` and `write` at the same time, each by one thread at a time, and
// not any more when this returns.
saltmill_status saltmill_encrypt_stream(const saltmill_source *source,
                                        const saltmill_target *target,
                                        const saltmill_recipients *recipients,
                                        const saltmill_options *options);

// Opens what is read, with an armor or without, and writes the text, of which each byte was
// authenticated. If this fails, the end is missing in what was written. Functions are called as by
// `saltmill_encrypt_stream()`.
saltmill_status saltmill_decrypt_stream(const saltmill_source *source,
                                        const saltmill_target *target,
                                        const saltmill_identities *identities,
                                        const saltmill_options *options);

// Why the last call on this thread that failed did so; null if none has. It stays until the next
// call that fails on this thread.
const saltmill_error *saltmill_last_error(void);

// Version of the library, such as "0.1.0".
const char *saltmill_version(void);

// An empty list.
saltmill_status saltmill_recipients_new(saltmill_recipients **recipients);

// Adds recipients, one a line: `age1...` (X25519), `age1pq1...` (ML-KEM-768 with X25519) or SSH
// public keys. Lines that begin with `#` are none.
saltmill_status saltmill_recipients_add(saltmill_recipients *recipients, const char *text);

// The same from a file.
saltmill_status saltmill_recipients_add_file(saltmill_recipients *recipients, const char *path);

// Adds the recipients of all identities of a list.
saltmill_status saltmill_recipients_add_identities(saltmill_recipients *recipients,
                                                   const saltmill_identities *identities);

// Adds a passphrase, which is the only recipient of a file. `work_factor`: binary logarithm of
// scrypt's N (RFC 7914), 1 to 22; 0: about a second.
saltmill_status saltmill_recipients_add_passphrase(saltmill_recipients *recipients,
                                                   const char *passphrase,
                                                   uint32_t work_factor);

// Frees a list; null is none.
void saltmill_recipients_free(saltmill_recipients *recipients);

// An empty list.
saltmill_status saltmill_identities_new(saltmill_identities **identities);

// Adds identities, one a line: `AGE-SECRET-KEY-1...` or `AGE-SECRET-KEY-PQ-1...`; or an SSH
// private key without a passphrase.
saltmill_status saltmill_identities_add(saltmill_identities *identities, const char *text);

// The same from a file. Files of identities with a passphrase are not read.
saltmill_status saltmill_identities_add_file(saltmill_identities *identities, const char *path);

// Adds a new identity, from the system's random numbers; `post_quantum`: of ML-KEM-768 with
// X25519.
saltmill_status saltmill_identities_generate(saltmill_identities *identities, bool post_quantum);

// Adds a passphrase. `most_work`: the largest work factor that is tried, 1 to 63; 0: 22, which
// takes 4 GiB of memory.
saltmill_status saltmill_identities_add_passphrase(saltmill_identities *identities,
                                                   const char *passphrase,
                                                   uint32_t most_work);

// The secrets of a list as text, one a line, to be kept; SSH keys and passphrases have none, which
// is `SALTMILL_STATUS_IDENTITY`. To be freed with `saltmill_text_free()`, which clears it.
saltmill_status saltmill_identities_secrets(const saltmill_identities *identities, char **text);

// The recipients of a list of identities as text, one a line; to be freed with
// `saltmill_text_free()`.
saltmill_status saltmill_identities_recipients(const saltmill_identities *identities, char **text);

// Frees a list, and clears what is in it; null is none.
void saltmill_identities_free(saltmill_identities *identities);

// Clears and frees a text that the library gave; null is none.
void saltmill_text_free(char *text);

// An engine of those that `names` lists, separated by commas, as the command's `--engine` names
// them: `cpu`, `vfio:ADDRESS`, `uio:NAME`; and `sim:VARIANT` where the library was built with
// simulated devices. Null: `cpu`. `threads`: of `cpu`, up to 1024; 0: one for each processor.
saltmill_status saltmill_engine_new(const char *names, uint32_t threads, saltmill_engine **engine);

// Asks the run that is under way, or else the next one, to stop. Any thread may call it.
saltmill_status saltmill_engine_cancel(const saltmill_engine *engine);

// Frees an engine that nobody uses; its devices are wiped. Null is none.
void saltmill_engine_free(saltmill_engine *engine);

// Seals a file in the age format, version 1 (C2SP, age.md). The target has its name when it is
// complete, and is not there if anything fails; one that is there already is
// `SALTMILL_STATUS_SYSTEM` with `EEXIST`, unless the options say `replace`.
saltmill_status saltmill_encrypt_file(const char *source,
                                      const char *target,
                                      const saltmill_recipients *recipients,
                                      const saltmill_options *options);

// Opens a file of the age format, with an armor or without. If anything in it was changed, there
// is no target.
saltmill_status saltmill_decrypt_file(const char *source,
                                      const char *target,
                                      const saltmill_identities *identities,
                                      const saltmill_options *options);

// Seals what is read, and writes it: in order, with bounded memory (some MiB). The functions are
// called on other threads, `read` and `write` at the same time, each by one thread at a time, and
// not any more when this returns.
saltmill_status saltmill_encrypt_stream(const saltmill_source *source,
                                        const saltmill_target *target,
                                        const saltmill_recipients *recipients,
                                        const saltmill_options *options);

// Opens what is read, with an armor or without, and writes the text, of which each byte was
// authenticated. If this fails, the end is missing in what was written. Functions are called as by
// `saltmill_encrypt_stream()`.
saltmill_status saltmill_decrypt_stream(const saltmill_source *source,
                                        const saltmill_target *target,
                                        const saltmill_identities *identities,
                                        const saltmill_options *options);

// Begins a file for these recipients, without an armor. With a passphrase it takes a second.
saltmill_status saltmill_encryptor_new(const saltmill_recipients *recipients,
                                       saltmill_encryptor **encryptor);

// Room that `saltmill_encryptor_update()` needs for a result if it is given `size` bytes, and with
// 0 that of `saltmill_encryptor_finish()`; 0 for null.
size_t saltmill_encryptor_room(const saltmill_encryptor *encryptor, size_t size);

// Takes the text that follows; gives the part of the file that is complete by it, and its length,
// which may be 0. `room`: bytes that fit into `result`; with fewer than
// `saltmill_encryptor_room()` says, nothing is taken.
saltmill_status saltmill_encryptor_update(saltmill_encryptor *encryptor,
                                          const uint8_t *text,
                                          size_t size,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// The end of the file. After it the object can only be freed.
saltmill_status saltmill_encryptor_finish(saltmill_encryptor *encryptor,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// Frees it, and clears what is in it; null is none.
void saltmill_encryptor_free(saltmill_encryptor *encryptor);

// Begins to open a file for these identities, which are copied. One with an armor is
// `SALTMILL_STATUS_FORMAT`, kind `armor`: `saltmill_decrypt_stream()` reads it.
saltmill_status saltmill_decryptor_new(const saltmill_identities *identities,
                                       saltmill_decryptor **decryptor);

// Room that `saltmill_decryptor_update()` needs for a result if it is given `size` bytes, and with
// 0 that of `saltmill_decryptor_finish()`; 0 for null.
size_t saltmill_decryptor_room(const saltmill_decryptor *decryptor, size_t size);

// Takes the bytes of the file that follow; gives text, of which each byte is authenticated, and
// its length, which may be 0. The text is all there only when `saltmill_decryptor_finish()` has
// succeeded. `room`: bytes that fit into `result`; with fewer than `saltmill_decryptor_room()`
// says, nothing is taken.
saltmill_status saltmill_decryptor_update(saltmill_decryptor *decryptor,
                                          const uint8_t *file,
                                          size_t size,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// The file has ended: the rest of its text. If it was cut off, this is where it is noticed. After
// it the object can only be freed.
saltmill_status saltmill_decryptor_finish(saltmill_decryptor *decryptor,
                                          uint8_t *result,
                                          size_t room,
                                          size_t *length);

// Frees it, and clears what is in it; null is none.
void saltmill_decryptor_free(saltmill_decryptor *decryptor);

// Opens a file of the age format without an armor. Its last chunk is opened at once, so that a
// file that was cut off is noticed. `cached`: chunks of 64 KiB that are kept in memory; 0: 64.
saltmill_status saltmill_reader_open(const char *path,
                                     const saltmill_identities *identities,
                                     size_t cached,
                                     saltmill_reader **reader);

// Bytes of its text; 0 for null.
uint64_t saltmill_reader_size(const saltmill_reader *reader);

// Reads `size` bytes of the text from `offset` on, fewer only at its end; gives their number. Each
// was authenticated. If this fails, `buffer` holds no text.
saltmill_status saltmill_reader_read(const saltmill_reader *reader,
                                     uint64_t offset,
                                     uint8_t *buffer,
                                     size_t size,
                                     size_t *length);

// Frees it, and clears what is in it; null is none.
void saltmill_reader_free(saltmill_reader *reader);

// Name of a hash algorithm: number 0, 1 and so on, null behind the last one. They are the
// command's: `md5` (RFC 1321), `sha1`, `sha224`, `sha256`, `sha384`, `sha512` (FIPS 180-4),
// `blake3`, `hmac-sha256` (RFC 2104).
const char *saltmill_algorithm(size_t number);

// Begins a digest. `key` and its length: 32 bytes of `hmac-sha256`; the others have none: null, 0.
saltmill_status saltmill_hash_new(const char *name,
                                  const uint8_t *key,
                                  size_t key_size,
                                  saltmill_hash **hash);

// Takes the bytes that follow.
saltmill_status saltmill_hash_update(saltmill_hash *hash, const uint8_t *data, size_t size);

// The digest, of 16 to 64 bytes. After it the object can only be freed.
saltmill_status saltmill_hash_finish(saltmill_hash *hash,
                                     uint8_t *digest,
                                     size_t room,
                                     size_t *length);

// Frees it; null is none.
void saltmill_hash_free(saltmill_hash *hash);

// The digest of a file. Arguments are those of `saltmill_hash_new()` and `saltmill_hash_finish()`.
saltmill_status saltmill_hash_file(const char *path,
                                   const char *name,
                                   const uint8_t *key,
                                   size_t key_size,
                                   uint8_t *digest,
                                   size_t room,
                                   size_t *length);

// A stream cipher, which encrypts and decrypts; nothing is authenticated. `name`: `chacha20` (RFC
// 8439, 2.4; key of 32 bytes, nonce of 12, counter of the first block of 64 bytes), or `aes-ctr`
// (SP 800-38A, 6.5; key of 16, 24 or 32 bytes; the nonce is the first counter block, 16 bytes, a
// number with its highest byte first of which all bits count, as in OpenSSL; `counter` is 0). No
// key may meet the same nonce and counter again.
saltmill_status saltmill_cipher_new(const char *name,
                                    const uint8_t *key,
                                    size_t key_size,
                                    const uint8_t *nonce,
                                    size_t nonce_size,
                                    uint32_t counter,
                                    saltmill_cipher **cipher);

// Encrypts or decrypts data where it is. `offset`: of its first byte in the whole stream, a
// multiple of 64 (`chacha20`) or 16 (`aes-ctr`).
saltmill_status saltmill_cipher_apply(const saltmill_cipher *cipher,
                                      uint64_t offset,
                                      uint8_t *data,
                                      size_t size);

// Frees it, and clears its key; null is none.
void saltmill_cipher_free(saltmill_cipher *cipher);

// An AEAD with nonces of 12 bytes and tags of 16. `name`: `chacha20-poly1305` (RFC 8439, 2.8; key
// of 32 bytes) or `aes-gcm` (SP 800-38D; key of 16, 24 or 32).
saltmill_status saltmill_aead_new(const char *name,
                                  const uint8_t *key,
                                  size_t key_size,
                                  saltmill_aead **aead);

// Encrypts a message where it is, and gives its tag: 16 bytes, also of `additional` data (null, 0:
// none). `nonce`: 12 bytes; no two messages may have the same.
saltmill_status saltmill_aead_seal(const saltmill_aead *aead,
                                   const uint8_t *nonce,
                                   const uint8_t *additional,
                                   size_t additional_size,
                                   uint8_t *data,
                                   size_t size,
                                   uint8_t *tag);

// Decrypts a message where it is, if `tag` is that of it and of the additional data; otherwise
// clears it: `SALTMILL_STATUS_REFUSED`.
saltmill_status saltmill_aead_open(const saltmill_aead *aead,
                                   const uint8_t *nonce,
                                   const uint8_t *additional,
                                   size_t additional_size,
                                   uint8_t *data,
                                   size_t size,
                                   const uint8_t *tag);

// Frees it, and clears its key; null is none.
void saltmill_aead_free(saltmill_aead *aead);

// Names of the devices that there are, one a line: `vfio:0000:00:02.0` (PCI) and `uio:saltmill0`
// (kernel module) of this machine, as the command's `--engine` has them, and in a build with
// simulated devices `sim:ring2` and others. To be freed with `saltmill_text_free()`.
saltmill_status saltmill_devices(char **names);

// Opens a device by its name, probes and wipes it. `memory` (`ideal`, `latency100`, `de10-nano`,
// `zedboard`, `pynq-z2`; null: `ideal`) and `dma_bytes`, its memory (0: 4 MiB), are for simulated
// ones.
saltmill_status saltmill_device_open(const char *name,
                                     const char *memory,
                                     size_t dma_bytes,
                                     saltmill_device **device);

// How it was built.
saltmill_status saltmill_device_description(const saltmill_device *device,
                                            saltmill_description *description);

// Writes a key to a slot, from 0: of ChaCha20 32 bytes, of AES 16, 24 or 32, of HMAC up to 32. It
// can't be read back. Jobs before it are done first.
saltmill_status saltmill_device_set_key(const saltmill_device *device,
                                        uint8_t slot,
                                        const uint8_t *key,
                                        size_t size);

// Its performance counters, when the jobs before are done.
saltmill_status saltmill_device_counters(const saltmill_device *device,
                                         saltmill_counters *counters);

// Clears keys and buffers of the device, when the jobs before are done.
saltmill_status saltmill_device_wipe(const saltmill_device *device);

// Waits for all jobs, wipes the device and frees it; null is none. Its jobs may be freed later.
void saltmill_device_free(saltmill_device *device);

// Hands a job to a device and does not wait for it. Data is copied.
saltmill_status saltmill_device_submit(const saltmill_device *device,
                                       const saltmill_request *request,
                                       saltmill_job **job);

// Does a job and waits for it. The result is as long as the data, and with `seal` 16 bytes more,
// with `open` 16 less; a digest has its own length.
saltmill_status saltmill_device_run(const saltmill_device *device,
                                    const saltmill_request *request,
                                    uint8_t *result,
                                    size_t room,
                                    size_t *length);

// Waits until a job has ended, or for so many milliseconds; negative: for ever. Gives whether it
// has ended, well or not.
saltmill_status saltmill_job_wait(const saltmill_job *job, int64_t milliseconds, bool *ended);

// The result of a job that has ended, as `saltmill_device_run()` gives it, or why it failed. It
// can be asked for again.
saltmill_status saltmill_job_result(const saltmill_job *job,
                                    uint8_t *result,
                                    size_t room,
                                    size_t *length);

// Frees a job, ended or not, and clears its result; null is none. The device does it nevertheless.
void saltmill_job_free(saltmill_job *job);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SALTMILL_H */
