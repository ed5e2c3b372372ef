// SPDX-License-Identifier: Apache-2.0
//! MLKEM768-X25519, also called X-Wing, as a KEM of HPKE (draft-ietf-hpke-pq-03;
//! draft-connolly-cfrg-xwing-kem-09): both secrets, hashed with what X25519 alone would leave open.

use hpke::{
    Deserializable, HpkeError, Serializable,
    generic_array::typenum::{Sum, U32, U96, U192, U1024},
    kem::SharedSecret,
    rand_core::{CryptoRng, RngCore},
};
use ml_kem::{
    Ciphertext, EncodedSizeUser, KemCore, MlKem768,
    kem::{Decapsulate, Encapsulate},
};
use sha3::{
    Digest, Sha3_256, Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};
use x25519_dalek::{StaticSecret, x25519};
use zeroize::Zeroizing;

type EncapsulationKey = <MlKem768 as KemCore>::EncapsulationKey;
type DecapsulationKey = <MlKem768 as KemCore>::DecapsulationKey;

pub(super) const SEED_BYTES: usize = 32;
const POINT_BYTES: usize = 32;
const LABEL: &[u8] = br"\.//^\";

/// The seed, and what is made of it.
#[derive(Clone)]
pub(super) struct PrivateKey {
    seed: Zeroizing<[u8; SEED_BYTES]>,
    decapsulation: DecapsulationKey,
    scalar: StaticSecret,
}

impl PrivateKey {
    pub(super) fn new(seed: &[u8; SEED_BYTES]) -> Self {
        let (mut d, mut z, mut scalar) =
            (Zeroizing::new([0; 32]), Zeroizing::new([0; 32]), Zeroizing::new([0; POINT_BYTES]));
        let mut expanded = Shake256::default().chain(seed).finalize_xof();
        for part in [&mut d, &mut z, &mut scalar] {
            expanded.read(&mut **part);
        }
        let (decapsulation, _) = MlKem768::generate_deterministic(&(*d).into(), &(*z).into());
        Self { seed: Zeroizing::new(*seed), decapsulation, scalar: StaticSecret::from(*scalar) }
    }

    pub(super) fn seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    fn point(&self) -> [u8; POINT_BYTES] {
        x25519_dalek::PublicKey::from(&self.scalar).to_bytes()
    }
}

impl PartialEq for PrivateKey {
    fn eq(&self, other: &Self) -> bool {
        self.seed == other.seed
    }
}

impl Eq for PrivateKey {}

impl Deserializable for PrivateKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        let seed = bytes.try_into();
        Ok(Self::new(seed.map_err(|_| HpkeError::IncorrectInputLength(SEED_BYTES, bytes.len()))?))
    }
}

impl Serializable for PrivateKey {
    type OutputSize = U32;

    fn write_exact(&self, buffer: &mut [u8]) {
        buffer.copy_from_slice(&*self.seed);
    }
}

/// Two public keys: 1,184 bytes of ML-KEM, 32 of X25519.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PublicKey {
    encapsulation: EncapsulationKey,
    point: [u8; POINT_BYTES],
}

impl Eq for PublicKey {}

impl Deserializable for PublicKey {
    /// Refuses what FIPS 203 (7.2) refuses, and points with which X25519 makes no secret: so
    /// sealing to a key never fails.
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        let wrong = HpkeError::IncorrectInputLength(Self::size(), bytes.len());
        let (encapsulation, point) = bytes.split_last_chunk().ok_or(wrong)?;
        let wrong = HpkeError::IncorrectInputLength(Self::size(), bytes.len());
        let encoded = encapsulation.try_into().map_err(|_| wrong)?;
        let key = EncapsulationKey::from_bytes(encoded);
        if key.as_bytes() != *encoded || contributed(&[1; 32], point).is_none() {
            return Err(HpkeError::ValidationError);
        }
        Ok(Self { encapsulation: key, point: *point })
    }
}

impl Serializable for PublicKey {
    type OutputSize = Sum<U1024, U192>;

    fn write_exact(&self, buffer: &mut [u8]) {
        let (encapsulation, point) = buffer.split_at_mut(Self::size() - POINT_BYTES);
        encapsulation.copy_from_slice(&self.encapsulation.as_bytes());
        point.copy_from_slice(&self.point);
    }
}

/// What goes with a sealed text: 1,088 bytes of ML-KEM, 32 of X25519.
#[derive(Clone)]
pub(super) struct EncappedKey {
    ciphertext: Ciphertext<MlKem768>,
    point: [u8; POINT_BYTES],
}

impl Deserializable for EncappedKey {
    fn from_bytes(bytes: &[u8]) -> Result<Self, HpkeError> {
        let parts = bytes.split_last_chunk().and_then(|(ciphertext, point)| {
            Some(Self { ciphertext: ciphertext.try_into().ok()?, point: *point })
        });
        parts.ok_or(HpkeError::IncorrectInputLength(Self::size(), bytes.len()))
    }
}

impl Serializable for EncappedKey {
    type OutputSize = Sum<U1024, U96>;

    fn write_exact(&self, buffer: &mut [u8]) {
        let (ciphertext, point) = buffer.split_at_mut(Self::size() - POINT_BYTES);
        ciphertext.copy_from_slice(&self.ciphertext);
        point.copy_from_slice(&self.point);
    }
}

pub(super) struct MlKem768X25519;

impl hpke::Kem for MlKem768X25519 {
    type PublicKey = PublicKey;
    type PrivateKey = PrivateKey;
    type EncappedKey = EncappedKey;
    type NSecret = U32;
    const KEM_ID: u16 = 0x647a;

    fn sk_to_pk(key: &PrivateKey) -> PublicKey {
        let encapsulation = key.decapsulation.encapsulation_key().clone();
        PublicKey { encapsulation, point: key.point() }
    }

    /// `SHAKE256.LabeledDerive` of draft-ietf-hpke-pq.
    fn derive_keypair(material: &[u8]) -> (PrivateKey, PublicKey) {
        let mut seed = Zeroizing::new([0; SEED_BYTES]);
        Shake256::default()
            .chain(material)
            .chain(b"HPKE-v1KEM")
            .chain(Self::KEM_ID.to_be_bytes())
            .chain(13_u16.to_be_bytes())
            .chain(b"DeriveKeyPair")
            .chain(32_u16.to_be_bytes())
            .finalize_xof()
            .read(&mut *seed);
        let key = PrivateKey::new(&seed);
        let public = Self::sk_to_pk(&key);
        (key, public)
    }

    /// No sender is authenticated: HPKE's base mode.
    fn decap(
        key: &PrivateKey,
        sender: Option<&PublicKey>,
        share: &EncappedKey,
    ) -> Result<SharedSecret<Self>, HpkeError> {
        if sender.is_some() {
            return Err(HpkeError::DecapError);
        }
        let of_kem =
            key.decapsulation.decapsulate(&share.ciphertext).map_err(|()| HpkeError::DecapError)?;
        let of_curve =
            contributed(key.scalar.as_bytes(), &share.point).ok_or(HpkeError::DecapError)?;
        Ok(combined(&of_kem, &*of_curve, &share.point, &key.point()))
    }

    fn encap<R: CryptoRng + RngCore>(
        key: &PublicKey,
        sender: Option<(&PrivateKey, &PublicKey)>,
        random: &mut R,
    ) -> Result<(SharedSecret<Self>, EncappedKey), HpkeError> {
        if sender.is_some() {
            return Err(HpkeError::EncapError);
        }
        let (ciphertext, of_kem) =
            key.encapsulation.encapsulate(random).map_err(|()| HpkeError::EncapError)?;
        let ephemeral = StaticSecret::random_from_rng(random);
        let point = x25519_dalek::PublicKey::from(&ephemeral).to_bytes();
        let of_curve =
            contributed(ephemeral.as_bytes(), &key.point).ok_or(HpkeError::EncapError)?;
        let secret = combined(&of_kem, &*of_curve, &point, &key.point);
        Ok((secret, EncappedKey { ciphertext, point }))
    }
}

/// X25519's secret. `None`: the point is of low order, and the secret would be zeros (RFC 7748,
/// 6.1).
fn contributed(scalar: &[u8; 32], point: &[u8; POINT_BYTES]) -> Option<Zeroizing<[u8; 32]>> {
    let secret = Zeroizing::new(x25519(*scalar, *point));
    let any = secret.iter().fold(0, |any, byte| any | byte);
    (any != 0).then_some(secret)
}

fn combined(
    of_kem: &[u8],
    of_curve: &[u8],
    share: &[u8; POINT_BYTES],
    point: &[u8; POINT_BYTES],
) -> SharedSecret<MlKem768X25519> {
    let mut hash = Sha3_256::new();
    for part in [of_kem, of_curve, share, point, LABEL] {
        Update::update(&mut hash, part);
    }
    SharedSecret(hash.finalize())
}

#[cfg(test)]
mod tests {
    use hpke::{
        Kem, OpModeR, aead::ChaCha20Poly1305, kdf::HkdfSha256, rand_core, single_shot_open,
    };

    use super::*;

    /// The random numbers of a published vector: first of ML-KEM, then of X25519.
    struct Published(Vec<u8>);

    impl CryptoRng for Published {}

    impl RngCore for Published {
        fn next_u32(&mut self) -> u32 {
            rand_core::impls::next_u32_via_fill(self)
        }

        fn next_u64(&mut self) -> u64 {
            rand_core::impls::next_u64_via_fill(self)
        }

        fn fill_bytes(&mut self, bytes: &mut [u8]) {
            let random: Vec<u8> = self.0.drain(..bytes.len()).collect();
            bytes.copy_from_slice(&random);
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_core::Error> {
            self.fill_bytes(bytes);
            Ok(())
        }
    }

    #[test]
    fn published_vector() {
        let text = include_str!("../../vectors/hpke_mlkem768x25519.json");
        let file: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let field = |name: &str| {
            let text = file["vectors"][0][name].as_str().expect(name).as_bytes();
            let digit = |byte: u8| char::from(byte).to_digit(16).expect("hexadecimal") as u8;
            text.chunks(2).map(|pair| 16 * digit(pair[0]) + digit(pair[1])).collect::<Vec<u8>>()
        };
        let (key, public) = MlKem768X25519::derive_keypair(&field("material"));
        assert_eq!(key.to_bytes().as_slice(), field("seed"));
        assert_eq!(public.to_bytes().as_slice(), field("public_key"));
        assert_eq!(PublicKey::from_bytes(&field("public_key")), Ok(public.clone()));
        let again = PrivateKey::from_bytes(&field("seed")).expect("a seed");
        assert_eq!(MlKem768X25519::sk_to_pk(&again), public);

        let mut random = Published(field("random"));
        let (secret, share) =
            MlKem768X25519::encap(&public, None, &mut random).expect("encapsulated");
        assert!(random.0.is_empty());
        assert_eq!(share.to_bytes().as_slice(), field("share"));
        assert_eq!(secret.0.as_slice(), field("shared_secret"));
        let share = EncappedKey::from_bytes(&field("share")).expect("a share");
        let secret = MlKem768X25519::decap(&key, None, &share).expect("decapsulated");
        assert_eq!(secret.0.as_slice(), field("shared_secret"));

        let opened = single_shot_open::<ChaCha20Poly1305, HkdfSha256, MlKem768X25519>(
            &OpModeR::Base,
            &key,
            &share,
            &field("info"),
            &field("sealed"),
            &field("aad"),
        );
        assert_eq!(opened.expect("opened"), field("text"));
    }
}
