// SPDX-License-Identifier: Apache-2.0
//! What a device says about how it was built.

use std::fmt;

use crate::{DescriptionError, Device, DeviceError, KeySize, Operation, registers};

/// The algorithm of a device's core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CoreAlgorithm {
    /// ChaCha20 as in RFC 8439, 2.4.
    ChaCha20,
    /// ChaCha20-Poly1305 as in RFC 8439, 2.8, and its parts alone.
    ChaCha20Poly1305,
    /// AES (FIPS 197), in modes of SP 800-38A and in GCM (SP 800-38D).
    Aes,
    /// SHA-256 (FIPS 180-4): digests of whole messages, and of parts of messages.
    Sha256,
    /// MD5 (RFC 1321), in the same way.
    Md5,
    /// No cipher: XOR with a constant, as an example of a core and to try the rest of a device.
    XorConstant,
}

impl CoreAlgorithm {
    /// Bytes in a block; `None` if the algorithm has no blocks of its own.
    fn block_bytes(self) -> Option<u16> {
        match self {
            Self::ChaCha20 | Self::ChaCha20Poly1305 | Self::Sha256 | Self::Md5 => Some(64),
            Self::Aes => Some(16),
            Self::XorConstant => None,
        }
    }
}

impl fmt::Display for CoreAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ChaCha20 => "chacha20",
            Self::ChaCha20Poly1305 => "chacha20-poly1305",
            Self::Aes => "aes",
            Self::Sha256 => "sha256",
            Self::Md5 => "md5",
            Self::XorConstant => "xor-constant",
        })
    }
}

/// How the rounds of a core are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Structure {
    /// One unit, reused: a quarter round of ChaCha20, a round of SHA-256, a step of MD5.
    Serial,
    /// A ring of pipeline stages; with all rounds of ChaCha20 laid out, a pipeline. Of SHA-256 and
    /// MD5, as many messages in turn as it has stages.
    Ring,
    /// AES with all rounds laid out.
    Pipeline,
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Serial => "serial",
            Self::Ring => "ring",
            Self::Pipeline => "pipeline",
        })
    }
}

/// Of the core socket.
const MAX_DIGEST_BYTES: u8 = 64;

/// How a device was built, as its registers tell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// Version of the register map: major, minor.
    pub version: (u16, u16),
    /// What its core computes.
    pub algorithm: CoreAlgorithm,
    /// How the core's rounds are laid out.
    pub structure: Structure,
    /// The core makes the final addition. If not, the device gives the state after the rounds, and
    /// [`host_add`](crate::host_add) does the rest.
    pub final_add: bool,
    /// Rounds in one pass of the ring.
    pub unroll: u8,
    /// Pipeline registers in the ring.
    pub stages: u8,
    /// Bytes in a block.
    pub block_bytes: u16,
    /// Clock cycles for a block, sustained; of AES with the shortest key that it takes.
    pub cycles_per_block: u16,
    /// Clock cycles from a packet's parameters to its first block.
    pub latency: u16,
    /// Clock that it was built for; `None` if it does not say.
    pub clock_hz: Option<u32>,
    /// Width of its memory port in bytes.
    pub data_bytes: u8,
    /// Bits of an address on its memory port: what a job reads and writes ends at most at `1 <<
    /// address_bits`.
    pub address_bits: u8,
    /// Sources and destinations may start at any byte; if not, at multiples of `data_bytes`.
    pub any_alignment: bool,
    /// Nonces of 24 bytes (XChaCha20) work, but for [`Operation::Mac`], which has none.
    pub extended_nonce: bool,
    /// Number of key slots: 1 to 32, also where no operation needs a key.
    pub key_slots: u8,
    /// The largest ring has `1 << max_log2_entries` entries.
    pub max_log2_entries: u8,
    /// Bytes that [`Operation::Digest`] writes; 0 if the device does not have it.
    pub digest_bytes: u8,
    operations: u32,
    keyless: u32,
    key_sizes: u32,
}

impl Description {
    /// Reads and checks what a device says about itself. Changes nothing in the device.
    ///
    /// # Errors
    /// It is no Saltmill device, or one that this driver can't serve; a register could not be read.
    pub fn read<D: Device + ?Sized>(device: &mut D) -> Result<Self, DeviceError> {
        let found = device.read(registers::MAGIC)?;
        if found != registers::MAGIC_VALUE {
            let device = device.name().to_owned();
            return Err(DeviceError::NotSaltmill {
                device,
                found,
                expected: registers::MAGIC_VALUE,
            });
        }
        let version = device.read(registers::VERSION)?;
        let major = registers::version::MAJOR.of(version) as u16;
        let minor = registers::version::MINOR.of(version) as u16;
        if major != registers::VERSION_MAJOR {
            let device = device.name().to_owned();
            return Err(DeviceError::Version {
                device,
                major,
                minor,
                known: registers::VERSION_MAJOR,
            });
        }
        let core = device.read(registers::CORE)?;
        let shape = device.read(registers::SHAPE)?;
        let rate = device.read(registers::RATE)?;
        let clock = device.read(registers::CLOCK)?;
        let capabilities = device.read(registers::CAPABILITIES)?;
        let unusable =
            |device: &D, reason| DeviceError::Unusable { device: device.name().to_owned(), reason };
        let description = Self {
            version: (major, minor),
            algorithm: match registers::Algorithm::try_from(registers::core::ALGORITHM.of(core)) {
                Ok(registers::Algorithm::Chacha20) => CoreAlgorithm::ChaCha20,
                Ok(registers::Algorithm::Chacha20Poly1305) => CoreAlgorithm::ChaCha20Poly1305,
                Ok(registers::Algorithm::Aes) => CoreAlgorithm::Aes,
                Ok(registers::Algorithm::Sha256) => CoreAlgorithm::Sha256,
                Ok(registers::Algorithm::Md5) => CoreAlgorithm::Md5,
                Ok(registers::Algorithm::XorConstant) => CoreAlgorithm::XorConstant,
                Err(other) => {
                    return Err(unusable(device, DescriptionError::Algorithm(other)));
                }
            },
            structure: match registers::Structure::try_from(registers::core::STRUCTURE.of(core)) {
                Ok(registers::Structure::Serial) => Structure::Serial,
                Ok(registers::Structure::Ring) => Structure::Ring,
                Ok(registers::Structure::Pipeline) => Structure::Pipeline,
                Err(other) => {
                    return Err(unusable(device, DescriptionError::Structure(other)));
                }
            },
            final_add: registers::core::FINAL_ADD.of(core) == 1,
            unroll: registers::shape::UNROLL.of(shape) as u8,
            stages: registers::shape::STAGES.of(shape) as u8,
            block_bytes: registers::shape::BLOCK_BYTES.of(shape) as u16,
            cycles_per_block: registers::rate::CYCLES_PER_BLOCK.of(rate) as u16,
            latency: registers::rate::LATENCY.of(rate) as u16,
            clock_hz: (clock != 0).then_some(clock),
            data_bytes: registers::capabilities::DATA_BYTES.of(capabilities) as u8,
            address_bits: registers::port::ADDRESS_BITS.of(device.read(registers::PORT)?) as u8,
            any_alignment: registers::capabilities::ANY_ALIGNMENT.of(capabilities) == 1,
            extended_nonce: registers::capabilities::EXTENDED_NONCE.of(capabilities) == 1,
            key_slots: registers::capabilities::KEY_SLOTS.of(capabilities) as u8,
            max_log2_entries: registers::capabilities::MAX_LOG2_ENTRIES.of(capabilities) as u8,
            operations: device.read(registers::OPERATIONS)?,
            keyless: device.read(registers::KEYLESS)?,
            digest_bytes: registers::digest::BYTES.of(device.read(registers::DIGEST)?) as u8,
            key_sizes: registers::capabilities::KEY_SIZES.of(capabilities),
        };
        match description.complaint() {
            Some(reason) => Err(unusable(device, reason)),
            None => Ok(description),
        }
    }

    /// The device can do this operation, with its own [`algorithm`](Self::algorithm).
    pub fn supports(&self, operation: Operation) -> bool {
        self.operations >> (operation as u32) & 1 == 1
    }

    /// This operation takes a key, from one of the key slots.
    pub fn needs_key(&self, operation: Operation) -> bool {
        self.keyless >> (operation as u32) & 1 == 0
    }

    /// Its cipher is ChaCha20.
    pub fn has_chacha20(&self) -> bool {
        matches!(self.algorithm, CoreAlgorithm::ChaCha20 | CoreAlgorithm::ChaCha20Poly1305)
    }

    /// Its cipher is AES, and it takes keys of this size.
    pub fn has_aes(&self, size: KeySize) -> bool {
        self.algorithm == CoreAlgorithm::Aes && self.key_sizes >> (size as u32) & 1 == 1
    }

    /// Sizes of the AES keys that it takes; none if its cipher is another one.
    pub fn key_sizes(&self) -> impl Iterator<Item = KeySize> {
        KeySize::ALL.into_iter().filter(|size| self.has_aes(*size))
    }

    /// What this driver can't work with, if anything.
    fn complaint(&self) -> Option<DescriptionError> {
        let (algorithm, found) = (self.algorithm, self.block_bytes);
        if let Some(expected) = algorithm.block_bytes().filter(|expected| *expected != found) {
            return Some(DescriptionError::BlockBytes { algorithm, found, expected });
        }
        let aes = algorithm == CoreAlgorithm::Aes;
        let digest = self.supports(Operation::Digest);
        let digest_bytes = self.digest_bytes;
        let text = [Operation::Keystream, Operation::XorStream];
        let text = text.into_iter().any(|operation| self.supports(operation));
        let complaints = [
            (aes && self.key_sizes().next().is_none(), DescriptionError::NoKeySize),
            (aes && !self.final_add, DescriptionError::FinalAdd),
            (
                !matches!(self.data_bytes, 8 | 16 | 32 | 64),
                DescriptionError::DataBytes(self.data_bytes),
            ),
            (
                !(32..=64).contains(&self.address_bits),
                DescriptionError::AddressBits(self.address_bits),
            ),
            (
                !(1..=registers::KEY_SLOTS_COUNT).contains(&self.key_slots.into()),
                DescriptionError::KeySlots(self.key_slots),
            ),
            (
                digest != (digest_bytes != 0) || digest_bytes > MAX_DIGEST_BYTES,
                DescriptionError::DigestBytes(digest_bytes),
            ),
            (digest && self.needs_key(Operation::Digest), DescriptionError::KeyedDigest),
            (!text && !digest, DescriptionError::Operations(self.operations)),
        ];
        complaints.into_iter().find_map(|(holds, complaint)| holds.then_some(complaint))
    }
}

#[cfg(test)]
mod tests {
    use std::{ops::Range, time::Instant};

    use super::*;
    use crate::DmaRegion;

    /// What the registers from MAGIC on say; nothing else works.
    struct Registers([u32; 11]);

    impl Device for Registers {
        fn name(&self) -> &'static str {
            "registers"
        }

        fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
            Ok(self.0[offset as usize / 4])
        }

        fn write(&mut self, _offset: u32, _value: u32) -> Result<(), DeviceError> {
            unreachable!("a description is only read")
        }

        fn dma(&self) -> DmaRegion {
            DmaRegion { bus_address: 0, len: 0 }
        }

        fn memory(&mut self, _range: Range<usize>) -> Result<&mut [u8], DeviceError> {
            unreachable!("a description is in registers")
        }

        fn sync_for_device(&mut self, _range: Range<usize>) -> Result<(), DeviceError> {
            unreachable!("a description is in registers")
        }

        fn sync_for_cpu(&mut self, _range: Range<usize>) -> Result<(), DeviceError> {
            unreachable!("a description is in registers")
        }

        fn wait(&mut self, _deadline: Instant) -> Result<bool, DeviceError> {
            unreachable!("a description needs no wait")
        }
    }

    /// A pipeline of AES with these fields; the final addition is bit 12 of the core's register.
    fn described(core: u32, block_bytes: u32, key_sizes: u32) -> Result<Description, String> {
        let shape = 0xA | 4 << 8 | block_bytes << 16;
        let capabilities = 0x10 | 1 << 8 | key_sizes << 10 | 8 << 16 | 0xA << 24;
        read([core, shape, 1, 0, capabilities, 0x36, 40, 0, 0])
    }

    /// What the registers from CORE on say.
    fn read(from_core: [u32; 9]) -> Result<Description, String> {
        let version = u32::from(registers::VERSION_MAJOR) << 16 | 7;
        let mut registers = Registers([0; 11]);
        registers.0[..2].copy_from_slice(&[registers::MAGIC_VALUE, version]);
        registers.0[2..].copy_from_slice(&from_core);
        Description::read(&mut registers).map_err(|error| error.to_string())
    }

    #[test]
    fn aes_is_described() {
        let found = described(0x1203, 16, 0b101).unwrap();
        assert_eq!((found.algorithm, found.structure), (CoreAlgorithm::Aes, Structure::Pipeline));
        assert!(found.key_sizes().eq([KeySize::Bits128, KeySize::Bits256]));
        assert!(!found.has_chacha20() && !found.has_aes(KeySize::Bits192));
        assert!(found.supports(Operation::Seal) && !found.supports(Operation::Mac));
        assert!(found.needs_key(Operation::Seal));
        assert_eq!((found.version, found.address_bits), ((1, 7), 40));
    }

    /// XOR with a constant: blocks as wide as the port.
    #[test]
    fn a_device_without_keys_is_described() {
        let described = |core, keyless| {
            read([core, 16 << 16, 1, 0, 0x10 | 1 << 16 | 4 << 24, 2, 32, keyless, 0])
        };
        let found = described(0x12FF, 2).unwrap();
        assert_eq!((found.algorithm, found.block_bytes), (CoreAlgorithm::XorConstant, 16));
        assert!(!found.needs_key(Operation::XorStream) && found.key_slots == 1);
        assert!(!found.has_chacha20() && found.key_sizes().count() == 0);
        assert!(described(0x12FF, 0).unwrap().needs_key(Operation::XorStream));
    }

    /// A core of digests alone; they have 1 to 64 bytes.
    #[test]
    fn digests_are_described() {
        let described = |keyless, bytes| {
            let mask = 1 << (Operation::Digest as u32);
            read([
                0x12FF,
                16 << 16,
                1,
                0,
                0x10 | 1 << 16 | 4 << 24,
                mask,
                32,
                mask * keyless,
                bytes,
            ])
        };
        let found = described(1, 32).unwrap();
        assert!(found.supports(Operation::Digest) && !found.needs_key(Operation::Digest));
        assert_eq!(found.digest_bytes, 32);
        for (keyless, bytes, complaint) in [
            (1, 0, "digests have 0 bytes"),
            (1, 65, "have 65 bytes"),
            (0, 32, "digests need a key"),
        ] {
            let error = described(keyless, bytes).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn a_device_has_1_to_32_key_slots() {
        let described =
            |slots: u32| read([0x12FF, 16 << 16, 1, 0, 0x10 | slots << 16, 2, 32, 2, 0]);
        assert!(described(1).is_ok() && described(32).is_ok());
        for slots in [0, 33] {
            assert!(described(slots).unwrap_err().contains(&format!("it has {slots} key slots")));
        }
    }

    #[test]
    fn addresses_of_another_width_are_refused() {
        let described =
            |bits| read([0x1203, 16 << 16, 1, 0, 1 << 10 | 8 << 16 | 0x10, 2, bits, 0, 0]);
        assert!(described(32).is_ok() && described(64).is_ok());
        for bits in [0, 31, 65, 255] {
            assert!(described(bits).unwrap_err().contains(&format!("addresses of {bits} bits")));
        }
    }

    /// What is compatible may be added; another major version may mean something else by any
    /// register.
    #[test]
    fn another_major_version_is_refused() {
        let mut registers = Registers([0; 11]);
        for major in [0, 2] {
            registers.0[..2].copy_from_slice(&[registers::MAGIC_VALUE, major << 16 | 4]);
            let error = Description::read(&mut registers).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("registers has register map {major}.4; this driver knows 1.x")
            );
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (core, block_bytes, key_sizes, complaint) in [
            (0x1203, 64, 1, "its block of aes has 64 bytes, not 16"),
            (0x1101, 16, 0, "its block of chacha20 has 16 bytes, not 64"),
            (0x1203, 16, 0, "it takes AES keys of no size that is known"),
            (0x0203, 16, 1, "it leaves an addition to the host"),
            (0x1209, 16, 1, "its algorithm 9 is unknown"),
            (0x1903, 16, 1, "its structure 9 is unknown"),
        ] {
            let error = described(core, block_bytes, key_sizes).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }

    /// The field is for AES alone.
    #[test]
    fn no_other_cipher_has_sizes_of_keys() {
        assert_eq!(described(0x1101, 64, 0b111).unwrap().key_sizes().count(), 0);
    }
}
