// SPDX-License-Identifier: Apache-2.0
// The kernels, and a C interface that measures them: data on the card, and through the host's bus.
// Built as a library by measure.py, which compares every result with OpenSSL.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "blocks.h"

using saltmill::AesKey;
using saltmill::AesTable;
using saltmill::ChaChaState;

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kLanes = 32;  // of a warp; a shared memory has as many banks
constexpr unsigned kStreams = 4;
constexpr size_t kPiece = size_t{16} << 20;  // bytes that cross the bus while others are encrypted

// Each lane has a copy of the table in its own bank: 32 KiB, and no conflicts.
__global__ void __launch_bounds__(kThreads)
    aes_128_ctr(AesKey key, const AesTable *table, const uint4 *in, uint4 *out, uint64_t blocks,
                uint64_t first) {
  __shared__ uint32_t words[saltmill::kTable * kLanes];
  for (unsigned i = threadIdx.x; i < saltmill::kTable * kLanes; i += blockDim.x) {
    words[i] = table->words[i / kLanes];
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % kLanes;
  const auto look = [&](uint32_t byte) { return words[byte * kLanes + lane]; };
  const uint64_t stride = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < blocks; i += stride) {
    uint32_t pad[4];
    saltmill::aes_ctr_block(key, first + i, look, pad);
    const uint4 text = in[i];
    out[i] = make_uint4(text.x ^ pad[0], text.y ^ pad[1], text.z ^ pad[2], text.w ^ pad[3]);
  }
}

__global__ void __launch_bounds__(kThreads)
    chacha20(ChaChaState state, const uint4 *in, uint4 *out, uint64_t blocks, uint64_t first) {
  const uint64_t stride = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < blocks; i += stride) {
    uint32_t pad[16];
    saltmill::chacha20_block(state, static_cast<uint32_t>(first + i), pad);
#pragma unroll
    for (unsigned part = 0; part < 4; ++part) {
      const uint4 text = in[4 * i + part];
      out[4 * i + part] = make_uint4(text.x ^ pad[4 * part], text.y ^ pad[4 * part + 1],
                                     text.z ^ pad[4 * part + 2], text.w ^ pad[4 * part + 3]);
    }
  }
}

enum Cipher { kAes128Ctr = 0, kChaCha20 = 1 };

struct Work {
  Cipher cipher;
  AesKey aes;
  ChaChaState chacha;
  const AesTable *table;  // on the card
  unsigned grid;

  size_t block_bytes() const { return cipher == kAes128Ctr ? 16 : 64; }

  void launch(const void *in, void *out, size_t bytes, uint64_t first, cudaStream_t stream) const {
    const uint64_t blocks = bytes / block_bytes();
    const auto *from = static_cast<const uint4 *>(in);
    auto *to = static_cast<uint4 *>(out);
    if (cipher == kAes128Ctr) {
      aes_128_ctr<<<grid, kThreads, 0, stream>>>(aes, table, from, to, blocks, first);
    } else {
      chacha20<<<grid, kThreads, 0, stream>>>(chacha, from, to, blocks, first);
    }
  }
};

// The name of the first error, or null.
const char *failed(cudaError_t error) {
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

#define TRY(call)                                       \
  do {                                                  \
    if (const char *why = failed(call)) return why;     \
  } while (false)

const char *on_card(const Work &work, const void *in, void *out, size_t bytes, unsigned runs,
                    float *milliseconds) {
  cudaEvent_t before, after;
  TRY(cudaEventCreate(&before));
  TRY(cudaEventCreate(&after));
  for (unsigned run = 0; run < runs; ++run) {
    TRY(cudaEventRecord(before));
    work.launch(in, out, bytes, 0, nullptr);
    TRY(cudaEventRecord(after));
    TRY(cudaEventSynchronize(after));
    TRY(cudaEventElapsedTime(milliseconds + run, before, after));
  }
  TRY(cudaEventDestroy(before));
  TRY(cudaEventDestroy(after));
  return failed(cudaGetLastError());
}

// In pieces: one is on its way in while another one is encrypted and a third is on its way out.
const char *through_bus(const Work &work, const uint8_t *host_in, uint8_t *host_out, uint8_t *in,
                        uint8_t *out, size_t bytes, unsigned runs, float *milliseconds) {
  cudaStream_t streams[kStreams];
  for (auto &stream : streams) TRY(cudaStreamCreate(&stream));
  for (unsigned run = 0; run < runs; ++run) {
    const auto begun = std::chrono::steady_clock::now();
    unsigned turn = 0;
    for (size_t at = 0; at < bytes; at += kPiece) {
      const size_t piece = bytes - at < kPiece ? bytes - at : kPiece;
      cudaStream_t stream = streams[turn++ % kStreams];
      TRY(cudaMemcpyAsync(in + at, host_in + at, piece, cudaMemcpyHostToDevice, stream));
      work.launch(in + at, out + at, piece, at / work.block_bytes(), stream);
      TRY(cudaMemcpyAsync(host_out + at, out + at, piece, cudaMemcpyDeviceToHost, stream));
    }
    TRY(cudaDeviceSynchronize());
    const std::chrono::duration<float, std::milli> taken = std::chrono::steady_clock::now() - begun;
    milliseconds[run] = taken.count();
  }
  for (auto &stream : streams) TRY(cudaStreamDestroy(stream));
  return failed(cudaGetLastError());
}

}  // namespace

// Encrypts `text` and gives the result, the times of so many kernels and of so many ways there and
// back. `iv`: 16 bytes, for ChaCha20 the counter (little-endian) and the nonce. Null if all went
// well, or why not.
extern "C" const char *saltmill_gpu(int cipher, const uint8_t *key, const uint8_t *iv,
                                    const uint8_t *text, uint8_t *result, size_t bytes,
                                    unsigned card_runs, float *card_ms, unsigned bus_runs,
                                    float *bus_ms) {
  const AesTable table = saltmill::make_table();
  Work work{};
  work.cipher = static_cast<Cipher>(cipher);
  if (work.cipher == kAes128Ctr) {
    work.aes = saltmill::expand(key, iv, table);
  } else {
    work.chacha = saltmill::initial(key, iv + 4, saltmill::swap_bytes(saltmill::load_big(iv)));
  }
  cudaDeviceProp card;
  TRY(cudaGetDeviceProperties(&card, 0));
  work.grid = 6 * static_cast<unsigned>(card.multiProcessorCount);

  AesTable *card_table;
  uint8_t *in, *out, *host_in, *host_out;
  TRY(cudaMalloc(&card_table, sizeof table));
  TRY(cudaMalloc(&in, bytes));
  TRY(cudaMalloc(&out, bytes));
  TRY(cudaMallocHost(&host_in, bytes));
  TRY(cudaMallocHost(&host_out, bytes));
  TRY(cudaMemcpy(card_table, &table, sizeof table, cudaMemcpyHostToDevice));
  work.table = card_table;
  std::copy(text, text + bytes, host_in);

  if (const char *why = through_bus(work, host_in, host_out, in, out, bytes, bus_runs, bus_ms)) {
    return why;
  }
  std::copy(host_out, host_out + bytes, result);
  if (const char *why = on_card(work, in, out, bytes, card_runs, card_ms)) return why;
  // What the last kernel gave must be what came over the bus.
  TRY(cudaMemcpy(host_out, out, bytes, cudaMemcpyDeviceToHost));
  if (!std::equal(result, result + bytes, host_out)) return "the two results differ";
  TRY(cudaFree(card_table));
  TRY(cudaFree(in));
  TRY(cudaFree(out));
  TRY(cudaFreeHost(host_in));
  TRY(cudaFreeHost(host_out));
  return nullptr;
}

extern "C" int saltmill_gpu_name(char *name, size_t size) {
  cudaDeviceProp card;
  if (cudaGetDeviceProperties(&card, 0) != cudaSuccess) return 0;
  std::snprintf(name, size, "%s", card.name);
  return 1;
}
