// SPDX-License-Identifier: Apache-2.0
//! One suite that every [`Device`] passes: mock, simulated, or on a board.
//!
//! ```
//! use saltmill_device::{conformance, mock::MockDevice};
//!
//! conformance::run(|| MockDevice::new("mock", Default::default()));
//! ```

mod addresses;
mod aes;
mod bench;
mod digests;
mod faults;
mod keys;
mod messages;
mod oracle;
mod work;

use bench::Bench;

use crate::Device;

/// Memory that the suite needs in a device.
pub const MEMORY: usize = 512 << 10;

/// Runs every check, each on a device of its own; the name of each is printed before it starts. In
/// the last page that the device can address there must be no memory.
///
/// # Panics
/// At the first difference from what a device must do.
pub fn run<D: Device>(mut device: impl FnMut() -> D) {
    for (name, check) in checks::<D>() {
        println!("conformance: {name}");
        check(&mut Bench::new(device()));
    }
}

/// A named check.
type Check<D> = (&'static str, fn(&mut Bench<D>));

fn checks<D: Device>() -> [Check<D>; 36] {
    [
        ("vectors of the standard", work::vectors),
        ("lengths and alignments", work::lengths_and_alignments),
        ("long jobs", work::long_jobs),
        ("in place", work::in_place),
        ("keystream", work::keystream),
        ("ring wraps", work::ring_wraps),
        ("counters", work::counters),
        ("interrupt is coalesced", work::coalescing),
        ("interrupt stays down", work::idle),
        ("bad descriptors", faults::bad_descriptors),
        ("bus errors", faults::bus_errors),
        ("block counter", faults::block_counter),
        ("fields that nobody looks at", faults::ignored_fields),
        ("addresses: the last one, and one more", addresses::ends),
        ("addresses of nothing", addresses::of_nothing),
        ("keys: one in each slot", keys::slots),
        ("keys: one use", keys::one_use),
        ("keys: one size", keys::one_size),
        ("keys: none", keys::none),
        ("wipe", faults::wipe),
        ("messages: vectors, good and forged", messages::vectors),
        ("messages: lengths and alignments", messages::lengths_and_alignments),
        ("messages: in place, keys and operations mixed", messages::mixed_in_place),
        ("messages: long", messages::long),
        ("ciphers with long nonces", messages::long_nonces),
        ("messages: forged, between good ones", messages::forged),
        ("messages: bad descriptors and bus errors", messages::bad_descriptors),
        ("messages: wipe", messages::wipe),
        ("messages: tags tell no key", messages::tags_tell_no_key),
        ("AES: whole blocks", aes::whole_blocks),
        ("AES: counters wrap", aes::counters_wrap),
        ("AES: initialisation vectors in memory", aes::ivs_in_memory),
        ("AES: parts of tags", aes::parts_of_tags),
        ("AES: bad descriptors", aes::bad_descriptors),
        ("digests: lengths and alignments", digests::lengths_and_alignments),
        ("digests: what is refused", digests::refused),
    ]
}
