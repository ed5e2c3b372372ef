// SPDX-License-Identifier: Apache-2.0
// Refuses a device that cannot be built, or that would not do what was asked for. What is chosen of
// a core alone, its own module checks. It has no ports and no logic.
module saltmill_legal
  import saltmill_device_pkg::*;
#(
    parameter config_t Config
);

  localparam int unsigned DataBytes = Config.data_bytes;
  localparam int unsigned BurstBytes = Config.burst_bytes;
  localparam int unsigned BufferBytes = Config.read_buffer_bytes;

  if (!(DataBytes inside {8, 16, 32, 64})) begin : gen_bad_data_bytes
    $fatal(1, "saltmill_device: DataBytes must be 8, 16, 32 or 64");
  end
  if (Config.core inside {ChaCha20Poly1305, AesGcm} && DataBytes != 16) begin : gen_bad_width
    $fatal(1, "saltmill_device: DataBytes must be 16 with ChaCha20Poly1305 and AesGcm");
  end
  if (Config.core == ChaCha20Poly1305 &&
      Config.chacha20_poly1305.cipher.final_add != chacha20_pkg::HardwareAdd)
  begin : gen_bad_final_add
    $fatal(1, "saltmill_device: ChaCha20FinalAdd must be HardwareAdd with ChaCha20Poly1305");
  end

  if (!(Config.address_bits inside {[32 : 64]})) begin : gen_bad_address_bits
    $fatal(1, "saltmill_device: AddressBits must be 32 to 64");
  end
  if (Config.alignment > dma_pkg::AnyByte) begin : gen_bad_alignment
    $fatal(1, "saltmill_device: Alignment must be AlignedOnly or AnyByte");
  end
  if ((BurstBytes & (BurstBytes - 1)) != 0 || BurstBytes < 4 * DataBytes ||
      BurstBytes > 256 * DataBytes || BurstBytes > 4096) begin : gen_bad_burst
    $fatal(1, "saltmill_device: BurstBytes must be a power of two, 4 to 256 beats, at most 4096");
  end
  if ((BufferBytes & (BufferBytes - 1)) != 0 || BufferBytes < 2 * BurstBytes ||
      BufferBytes > 1024 * DataBytes) begin : gen_bad_buffer
    $fatal(1, "saltmill_device: ReadBufferBytes must be a power of two, two bursts to 1024 beats");
  end

  if (!(Config.key_slots inside {[1 : 32]})) begin : gen_bad_key_slots
    $fatal(1, "saltmill_device: KeySlots must be 1 to 32");
  end
  if (Config.max_log2_entries > 15) begin : gen_bad_entries
    $fatal(1, "saltmill_device: MaxLog2Entries must be at most 15");
  end
  if (!(Config.job_depth inside {16, 32, 64, 128})) begin : gen_bad_job_depth
    $fatal(1, "saltmill_device: JobDepth must be 16, 32, 64 or 128");
  end

endmodule
