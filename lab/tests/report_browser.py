# SPDX-License-Identifier: Apache-2.0
"""A page in an installed Chromium, as a user sees and uses it."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()


@dataclass
class Seen:
    """A page, and all that it asked for or complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def ids(self, selector: str) -> list[str]:
        visible = f"[...document.querySelectorAll('{selector}')].filter(e => e.checkVisibility())"
        return list(self.page.evaluate(f"{visible}.map(e => e.dataset.id)"))

    def choose(self, group: str, values: set[str]) -> None:
        """Through the chips, as a user does."""
        for chip in self.page.locator(f"#filters .chip:has(input[name={group}])").all():
            box = chip.locator("input")
            if box.is_checked() != (box.get_attribute("value") in values):
                chip.click()

    def choose_all(self) -> None:
        self.page.get_by_role("button", name="Show all").click()

    def traces(self, chart: str) -> list[dict[str, list[float]]]:
        points = "({name: t.name, meta: t.meta, ids: t.customdata ?? [], x: t.x, y: t.y})"
        code = f"(document.getElementById('{chart}').data ?? []).map(t => {points})"
        return list(self.page.evaluate(code))


def started() -> Iterator[Browser]:
    """Without Chromium the tests are skipped, but not in CI."""
    if CHROMIUM is None:
        sentence = "no Chromium is installed, so nobody has looked at the report (apt: chromium)"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def opened(
    browser: Browser, file: Path, *, width: int = 1280, dark: bool = False, script: bool = True
) -> Iterator[Seen]:
    """At the end, nothing but the file itself was asked for, and nobody complained."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        offline=True,
        java_script_enabled=script,
    )
    seen = Seen(context.new_page())
    seen.page.on("request", lambda request: seen.requests.append(request.url))
    seen.page.on("console", lambda message: seen.complaints.append(message.text))
    seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    seen.page.goto(file.as_uri())
    yield seen
    context.close()
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith(("data:", "blob:"))] == [
        file.as_uri()
    ]
