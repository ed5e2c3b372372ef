// SPDX-License-Identifier: Apache-2.0
//! `saltmill_vectors.c` is what the project's vectors give: those that an embedded self-test has
//! room for. `SALTMILL_GENERATE=1 cargo test -p saltmill-bare-metal --test vectors` writes it anew.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

use serde_json::Value;

/// The longest text.
const LONGEST: usize = 512;

/// What C calls the fields of a vector.
#[derive(Default)]
struct Row<'a> {
    algorithm: &'a str,
    operation: &'a str,
    inverse: Option<&'a str>,
    /// Names of the fields in the file.
    nonce: &'a str,
    input: &'a str,
    output: &'a str,
}

fn file(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text = fs::read_to_string(path).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["vectors"].as_array().unwrap().clone()
}

/// A byte string as C, cut into lines.
fn bytes(hex: &str) -> String {
    if hex.is_empty() {
        return "{0, 0}".into();
    }
    let escaped: Vec<_> = hex
        .as_bytes()
        .chunks(2)
        .map(|pair| format!("\\x{}{}", pair[0] as char, pair[1] as char))
        .collect();
    let lines: Vec<_> = escaped.chunks(20).map(|line| format!("\"{}\"", line.concat())).collect();
    format!("BYTES({})", lines.join("\n      "))
}

impl Row<'_> {
    fn put(&self, text: &mut String, vector: &Value) {
        let hex = |field: &str| vector[field].as_str().unwrap_or_default();
        let valid = vector["valid"].as_bool().unwrap_or(true);
        let code = |kind: &str, name: &str| format!("SALTMILL_{kind}_{name}");
        let mut field = |name: &str, value: String| {
            writeln!(text, "   .{name} = {value},").unwrap();
        };
        let source = vector["source"].as_str().unwrap();
        field("source", format!("\"{source}\""));
        field("algorithm", code("ALGORITHM", self.algorithm));
        field("operation", code("OPERATION", self.operation));
        if let Some(inverse) = self.inverse {
            field("inverse", code("OPERATION", inverse));
        }
        field("valid", valid.to_string());
        if let Some(counter) = vector["counter"].as_u64() {
            field("counter", format!("{counter}U"));
        }
        let parts = [
            ("key", "key"),
            ("nonce", self.nonce),
            ("aad", "aad"),
            ("input", self.input),
            ("output", self.output),
        ];
        for (name, from) in parts {
            if !hex(from).is_empty() {
                field(name, bytes(hex(from)));
            }
        }
        if self.operation == "SEAL" {
            field("tag", bytes(hex("tag")));
        }
    }
}

/// Those that fit; of the many of Wycheproof the first few of each kind.
fn chosen(name: &str) -> Vec<Value> {
    let few = BTreeMap::from([("Ktv", 1), ("EdgeCasePolyKey", 2), ("ModifiedTag", 4)]);
    let mut seen = BTreeMap::new();
    let fits = |vector: &Value| {
        ["message", "plaintext", "aad"]
            .iter()
            .all(|field| vector[*field].as_str().unwrap_or_default().len() <= 2 * LONGEST)
    };
    let mut choose = |vector: &Value| {
        let Some(note) = vector["note"].as_str() else {
            let source = vector["source"].as_str().unwrap();
            // Keys of HMAC that a slot has room for.
            let hmac = name == "hmac_sha256.json";
            let short = vector["key"].as_str().unwrap_or_default().len() <= 64;
            return !hmac || source.starts_with("RFC 4231") && short;
        };
        let count = seen.entry((note.to_owned(), vector["extended"].as_bool())).or_insert(0);
        *count += 1;
        *count <= few.get(note).copied().unwrap_or(0)
    };
    file(name).into_iter().filter(|vector| fits(vector) && choose(vector)).collect()
}

fn table() -> String {
    let mut text = "// SPDX-License-Identifier: Apache-2.0\n\
         // Generated from vectors/ by tests/vectors.rs, which says how to renew it.\n\
         #include \"saltmill_vectors.h\"\n\n#include \"saltmill_codes.h\"\n\n\
         #define BYTES(text) {(const uint8_t *)(text), sizeof(text) - 1}\n\n\
         const saltmill_vector saltmill_vectors[] = {\n"
        .to_owned();
    let mut count = 0;
    let mut put = |row: &Row, vector: &Value| {
        text.push_str("  {\n");
        row.put(&mut text, vector);
        text.push_str("  },\n");
        count += 1;
    };
    let text_row = Row { input: "plaintext", output: "ciphertext", ..Row::default() };
    let hash_row = Row { input: "message", output: "digest", ..Row::default() };

    let row = Row {
        algorithm: "CHACHA20",
        operation: "XOR_STREAM",
        inverse: Some("XOR_STREAM"),
        nonce: "nonce",
        ..text_row
    };
    for vector in chosen("chacha20.json") {
        put(&row, &vector);
    }
    let row = Row { algorithm: "CHACHA20_POLY1305", operation: "MAC", output: "tag", ..hash_row };
    for vector in chosen("poly1305.json") {
        put(&row, &vector);
    }
    let message =
        Row { algorithm: "CHACHA20_POLY1305", operation: "SEAL", nonce: "nonce", ..text_row };
    let message = Row { inverse: Some("OPEN"), ..message };
    for vector in chosen("chacha20_poly1305.json") {
        put(&message, &vector);
    }
    for vector in chosen("aes.json") {
        let row = Row { algorithm: "AES", ..text_row };
        let row = match vector["mode"].as_str().unwrap() {
            "ecb" => Row { operation: "ECB_ENCRYPT", inverse: Some("ECB_DECRYPT"), ..row },
            "cbc" => {
                Row { operation: "CBC_ENCRYPT", inverse: Some("CBC_DECRYPT"), nonce: "iv", ..row }
            }
            _ => Row { operation: "XOR_STREAM", inverse: Some("XOR_STREAM"), nonce: "iv", ..row },
        };
        put(&row, &vector);
    }
    let row = Row { algorithm: "AES", nonce: "iv", ..message };
    for vector in chosen("aes_gcm.json") {
        put(&row, &vector);
    }
    for (name, algorithm) in [("sha256.json", "SHA256"), ("md5.json", "MD5")] {
        let row = Row { algorithm, operation: "DIGEST", ..hash_row };
        for vector in chosen(name) {
            put(&row, &vector);
        }
    }
    let row = Row { algorithm: "SHA256", operation: "HMAC", output: "tag", ..hash_row };
    for vector in chosen("hmac_sha256.json") {
        put(&row, &vector);
    }

    text.push_str("};\n\nconst unsigned saltmill_vector_count =\n");
    text.push_str("    sizeof saltmill_vectors / sizeof saltmill_vectors[0];\n");
    assert!(count > 90, "{count} vectors");
    text
}

#[test]
fn the_table_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("saltmill_vectors.c");
    if std::env::var_os("SALTMILL_GENERATE").is_some() {
        fs::write(&path, table()).unwrap();
    }
    let same = fs::read_to_string(&path).unwrap_or_default() == table();
    assert!(same, "saltmill_vectors.c is not what vectors/ gives: see tests/vectors.rs");
}
