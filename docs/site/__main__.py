# SPDX-License-Identifier: Apache-2.0
"""python -m docs.site [site|check|pictures]: builds and checks build/docs; draws docs/pictures."""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from docs.site import (
    BUILT,
    ROOT,
    STAGED,
    check,
    command,
    contents,
    pictures,
    python_api,
    report,
    rust,
    stage,
)

BOOK = "cargo run --release --locked --quiet --manifest-path docs/site/book/Cargo.toml"
BOOK_BUILT = "build/docs-book"  # not target: it is no part of the workspace
SETTINGS = ("book.toml", "site.css")


def built_command() -> Path:
    """Without the simulated device: the help is the same, and no Verilator is needed."""
    call = "cargo build --profile quick --locked --quiet --package saltmill-cli"
    subprocess.run(call.split(), cwd=ROOT, check=True)
    return ROOT / "target" / "quick" / "saltmill"


def build(package: Path, results: Path) -> None:
    made = {
        "reference/command.md": command.page(built_command()),
        "reference/python.md": python_api.page(package),
        "reference/rust.md": rust.page(ROOT),
        "lab/report.md": report.PAGE,
    }
    documented = rust.document(ROOT)
    stage.stage(ROOT, STAGED / "src", made)
    for name in SETTINGS:
        shutil.copyfile(Path(__file__).with_name(name), STAGED / name)
    shutil.rmtree(BUILT, ignore_errors=True)
    call = [*BOOK.split(), "--target-dir", BOOK_BUILT, "--", str(STAGED)]
    subprocess.run(call, cwd=ROOT, check=True)
    (BUILT / report.PLACE).write_text(report.with_a_way_back(results))
    rust.copy(documented, BUILT / rust.FOLDER)


def checked() -> int:
    complaints = list(check.Checker(BUILT).complaints())
    for complaint in complaints:
        print(f"error: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["site", "check", "pictures"], default="site")
    parser.add_argument("--package", type=Path, help="folder with the unpacked Python package")
    parser.add_argument("--report", type=Path, default=ROOT / "build" / "lab" / "report.html")
    options = parser.parse_args()
    if options.what == "pictures":
        for path, text in pictures.drawn().items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return 0
    if options.what == "site":
        if options.package is None:
            parser.error("the site needs --package")
        try:
            build(options.package, options.report)
        except (command.HelpError, contents.ContentsError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    return checked()


if __name__ == "__main__":
    sys.exit(main())
