# SPDX-License-Identifier: Apache-2.0
"""The repository's files as pages to read: links of the documents to sources lead to them."""

import subprocess
from collections import defaultdict
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import relpath

LONGEST = 300_000  # bytes that are shown
STYLE = "source.css"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{up}{style}">
</head>
<body>
<nav>{trail}</nav>
<main>
{body}
</main>
</body>
</html>
"""


def tracked(root: Path) -> list[PurePosixPath]:
    """All files of the repository, also those that are not committed yet."""
    call = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    said = subprocess.run(call, cwd=root, check=True, capture_output=True, text=True).stdout
    return sorted(
        PurePosixPath(name) for name in set(said.split("\0")) if name and (root / name).is_file()
    )


def folders(files: list[PurePosixPath]) -> dict[PurePosixPath, list[PurePosixPath]]:
    """What is in each folder: folders first."""
    inside: dict[PurePosixPath, set[PurePosixPath]] = defaultdict(set)
    for path in files:
        for child in (path, *path.parents):
            if child.name:
                inside[child.parent].add(child)
    return {
        folder: sorted(children, key=lambda child: (child not in inside, child.name))
        for folder, children in inside.items()
    }


def places(files: list[PurePosixPath]) -> dict[PurePosixPath, PurePosixPath]:
    """The page of each file and folder."""
    found = {path: path.with_name(f"{path.name}.html") for path in files}
    return found | {folder: folder / "index.html" for folder in folders(files)}


def page(
    path: PurePosixPath, place: PurePosixPath, body: str, known: dict[PurePosixPath, PurePosixPath]
) -> str:
    above = [parent for parent in path.parents if parent.name][::-1]
    link = '<a href="{}">{}</a>'.format
    steps = [link(relpath("index.html", place.parent), "Saltmill")]
    steps += [link(escape(relpath(known[one], place.parent)), escape(one.name)) for one in above]
    trail = " / ".join([*steps, escape(path.name)])
    up = "../" * (len(place.parts) - 1)
    return PAGE.format(title=escape(str(path)), style=STYLE, up=up, trail=trail, body=body)


def text_of(path: Path) -> str | None:
    """What is shown of a file, if it is a text and no long one."""
    if path.stat().st_size > LONGEST:
        return None
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return None


def shown(path: Path) -> str:
    text = text_of(path)
    if text is None:
        return f"<p>{path.stat().st_size:,} bytes: not shown here.</p>"
    return f"<pre>{escape(text)}</pre>"


def write(
    root: Path, files: list[PurePosixPath], target: Path, taken: dict[PurePosixPath, PurePosixPath]
) -> None:
    """A page for each file and folder that has none yet. `taken`: those that have."""
    known, all_files = places(files) | taken, set(files)
    for path in files:
        if path not in taken:
            put(target, known[path], page(path, known[path], shown(root / path), known))
    for folder, children in folders(files).items():
        if folder in taken:
            continue
        place = known[folder]
        lines = [
            f'<li><a href="{escape(relpath(known[child], place.parent))}">{escape(child.name)}'
            f"{'' if child in all_files else '/'}</a></li>"
            for child in children
        ]
        put(target, place, page(folder, place, f"<ul>{''.join(lines)}</ul>", known))


def put(target: Path, place: PurePosixPath, text: str) -> None:
    path = target / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
