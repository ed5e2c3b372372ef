// SPDX-License-Identifier: Apache-2.0
//! Programs in C against the installed library, shared and static, through pkg-config.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    env, fs,
    io::{Read, Write},
    iter,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use age::secrecy::ExposeSecret;
use tempfile::TempDir;

/// The library as install.sh puts it into a prefix.
struct Installed {
    folder: TempDir,
    prefix: PathBuf,
}

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// Beside the test: cargo builds all kinds of the library for it.
fn built() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}

impl Installed {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let prefix = folder.path().join("prefix");
        let mut install = Command::new("sh");
        good(install.arg(format!("{CRATE}/install.sh")).arg(built()).arg(&prefix));
        Self { folder, prefix }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn pkg_config(&self, arguments: &[&str]) -> Vec<String> {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"));
        let said = good(command.args(arguments).arg("saltmill")).stdout;
        String::from_utf8(said).unwrap().split_whitespace().map(str::to_owned).collect()
    }

    /// A program that is linked with the shared library, or has the static one in it.
    fn build(&self, source: &str, shared: bool) -> PathBuf {
        let name = Path::new(source).file_stem().unwrap().to_str().unwrap();
        let program = self.path(&format!("{name}-{shared}"));
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-pthread", "-o"]);
        cc.arg(&program).arg(Path::new(CRATE).join(source));
        cc.args(self.pkg_config(&["--cflags"]));
        if shared {
            cc.args(self.pkg_config(&["--libs"]));
            cc.arg(format!("-Wl,-rpath,{}", self.prefix.join("lib").display()));
        } else {
            for part in self.pkg_config(&["--libs", "--static"]) {
                cc.arg(if part == "-lsaltmill" { "-l:libsaltmill.a" } else { &part });
            }
        }
        good(&mut cc);
        program
    }
}

fn good(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    output
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn fed(command: &mut Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // What is not read any more need not be written.
    let feeder = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

fn digest(path: &Path) -> String {
    let said = good(Command::new("openssl").args(["dgst", "-sha256", "-r"]).arg(path)).stdout;
    String::from_utf8(said).unwrap()[..64].to_owned()
}

#[test]
fn programs_in_c_do_what_they_say() {
    let installed = Installed::new();
    let identity = age::x25519::Identity::generate();
    fs::write(installed.path("key"), identity.to_string().expose_secret()).unwrap();
    for shared in [true, false] {
        files(&installed, shared, &identity);
        pipe(&installed, shared, &identity);
        let api = installed.build("tests/api.c", shared);
        let devices = if cfg!(feature = "sim") { "sim" } else { "none" };
        good(Command::new(&api).arg(installed.folder.path()).arg(devices));
        if cfg!(feature = "sim") {
            device(&installed, shared);
        }
        if shared && env::var_os("SALTMILL_LONG").is_some() {
            without_leaks(&api, &installed);
        }
    }
    page(&installed, &identity);
    how_to_install("docs/c.md");
    how_to_install("crates/saltmill-c/README.md");
    headers_of_other_languages(&installed);
}

/// What the page shows works as it is shown.
fn page(installed: &Installed, identity: &age::x25519::Identity) {
    let page = fs::read_to_string(format!("{CRATE}/../../docs/c.md")).unwrap();
    let (_, shown) = page.split_once("```c\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let source = installed.path("page.c");
    let includes = "#include <saltmill.h>\n#include <stdio.h>\n";
    fs::write(&source, format!("{includes}int main(void) {{\n{shown}return 0;\n}}\n")).unwrap();
    let program = installed.build(source.to_str().unwrap(), true);
    fs::copy(installed.path("key"), installed.path("key.txt")).unwrap();
    fs::write(installed.path("table.csv"), text(1000)).unwrap();
    let ran = good(Command::new(program).current_dir(installed.folder.path()));
    assert!(ran.stderr.is_empty(), "{ran:?}");
    assert_eq!(opened(&fs::read(installed.path("table.csv.age")).unwrap(), identity), text(1000));
}

/// A page's lines install the library and build a program. The first line makes the library, which
/// takes minutes: here it is the tests' own. The page's place is root's: here it is another.
fn how_to_install(page: &str) {
    let page = fs::read_to_string(format!("{CRATE}/../../{page}")).unwrap();
    let (_, shown) = page.split_once("```sh\ncargo rustc --release ").unwrap();
    let (_, shown) = shown.split_once('\n').unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let folder = TempDir::new().unwrap();
    symlink(fs::canonicalize(format!("{CRATE}/..")).unwrap(), folder.path().join("crates"))
        .unwrap();
    fs::copy(format!("{CRATE}/examples/files.c"), folder.path().join("files.c")).unwrap();
    let here = shown
        .replace("target/release", built().to_str().unwrap())
        .replace("/usr/local", folder.path().join("prefix").to_str().unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &here]).current_dir(&folder);
    good(shell.env("PKG_CONFIG_PATH", folder.path().join("prefix/lib/pkgconfig")));
    assert!(folder.path().join("files").exists());
}

/// The file that C made opens with the `age` crate, and the digest is openssl's.
fn files(installed: &Installed, shared: bool, identity: &age::x25519::Identity) {
    let program = installed.build("examples/files.c", shared);
    let [key, text_file, sealed, again] =
        ["key", "text", "sealed", "again"].map(|name| installed.path(name));
    fs::write(&text_file, text(300_001)).unwrap();
    let output = good(Command::new(program).args([&key, &text_file, &sealed, &again]));
    let said = String::from_utf8(output.stdout).unwrap();
    let end: Vec<_> = text(300_001)[299_991..].iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = format!(
        "300001 bytes encrypted\nthe last 10 bytes of 300001: {}\n{}  {}\n",
        end.join(" "),
        digest(&text_file),
        again.display()
    );
    assert_eq!(said, expected);
    assert_eq!(opened(&fs::read(sealed).unwrap(), identity), text(300_001));
    assert_eq!(fs::read(again).unwrap(), text(300_001));
}

fn opened(file: &[u8], identity: &age::x25519::Identity) -> Vec<u8> {
    let opened = age::Decryptor::new(file).unwrap();
    let mut opened = opened.decrypt(iter::once(identity as _)).unwrap();
    let mut text = Vec::new();
    opened.read_to_end(&mut text).unwrap();
    text
}

/// Of any length; and what was cut off is told by the exit status.
fn pipe(installed: &Installed, shared: bool, identity: &age::x25519::Identity) {
    let program = installed.build("examples/pipe.c", shared);
    let (recipient, key) = (identity.to_public().to_string(), installed.path("key"));
    let mut sealed = Vec::new();
    for len in [0, 1, 65_536, 65_537, 1_000_000] {
        let encrypted = fed(Command::new(&program).arg("encrypt").arg(&recipient), &text(len));
        assert!(encrypted.status.success(), "{encrypted:?}");
        assert_eq!(opened(&encrypted.stdout, identity), text(len));
        sealed = encrypted.stdout;
        let decrypted = fed(Command::new(&program).arg("decrypt").arg(&key), &sealed);
        assert!(decrypted.status.success() && decrypted.stdout == text(len), "{len}");
    }
    let cut = &sealed[..sealed.len() - 1];
    let decrypted = fed(Command::new(&program).arg("decrypt").arg(&key), cut);
    let said = String::from_utf8(decrypted.stderr).unwrap();
    assert_eq!(decrypted.status.code(), Some(7), "{said}");
    assert!(said.starts_with("error 7 (): chunk 15, at byte 983"), "{said}");
    assert!(text(1_000_000).starts_with(&decrypted.stdout));
}

fn device(installed: &Installed, shared: bool) {
    let program = installed.build("examples/device.c", shared);
    let names = String::from_utf8(good(&mut Command::new(&program)).stdout).unwrap();
    assert!(names.lines().any(|name| name == "sim:ring2"), "{names}");
    let said = good(Command::new(&program).arg("sim:ring2")).stdout;
    let said = String::from_utf8(said).unwrap();
    assert!(said.starts_with("sim:0 (ring2): chacha20 ring, 10 cycles for 64 bytes\n"), "{said}");
    assert!(said.ends_with(": as on the CPU\n"), "{said}");
}

fn without_leaks(api: &Path, installed: &Installed) {
    let mut valgrind = Command::new("valgrind");
    // The sentences of the `age` crate are kept until the program ends, which is "possibly" a leak.
    let leaks = ["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"];
    valgrind.args(["--quiet", "--leak-check=full", "--error-exitcode=1"]).args(leaks);
    good(valgrind.arg(api).arg(installed.folder.path()).arg("none"));
}

/// C++ reads the header, and so does C as of 1999.
fn headers_of_other_languages(installed: &Installed) {
    let include = installed.prefix.join("include/saltmill.h");
    for language in [["c++", "c++", "-std=c++17"], ["cc", "c", "-std=c99"]] {
        let mut compiler = Command::new(language[0]);
        compiler.args(["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", language[2]]);
        good(compiler.args(["-x", language[1]]).arg(&include));
    }
}

#[test]
fn the_shared_library_has_its_name_and_only_our_symbols() {
    let installed = Installed::new();
    let library = installed.prefix.join("lib/libsaltmill.so");
    let dynamic = good(Command::new("readelf").arg("-d").arg(&library)).stdout;
    let dynamic = String::from_utf8(dynamic).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let minor = version.rsplit_once('.').unwrap().0;
    assert!(dynamic.contains(&format!("soname: [libsaltmill.so.{minor}]")), "{dynamic}");
    let symbols = good(Command::new("nm").args(["-D", "--defined-only"]).arg(&library)).stdout;
    let symbols = String::from_utf8(symbols).unwrap();
    let names: Vec<_> = symbols.lines().filter_map(|line| line.rsplit(' ').next()).collect();
    let others: Vec<_> = names.iter().filter(|name| !name.starts_with("saltmill_")).collect();
    assert!(others.is_empty(), "{others:?}");
    let header = fs::read_to_string(format!("{CRATE}/include/saltmill.h")).unwrap();
    for name in names.iter().filter(|name| !name.starts_with("saltmill_sim_")) {
        assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
    }
}
