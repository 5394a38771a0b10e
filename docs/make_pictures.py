"""The pictures of the documents: the pages that their commands write, as a browser shows them.

python docs/make_pictures.py              # all of them
python docs/make_pictures.py for-ltr.md   # those of one document

It runs the commands of each document in a folder of their own, so that a picture shows what the reader gets. It needs
Chromium, ChromeDriver and the extra `dev`.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

DOCS = Path(__file__).parent
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1")
MARGIN = 16
PATIENCE = 30  # seconds

# The least rectangle that holds all elements of a selector.
AROUND = """
const boxes = [...document.querySelectorAll(arguments[0])].map((each) => each.getBoundingClientRect());
const x = Math.min(...boxes.map((box) => box.left)), y = Math.min(...boxes.map((box) => box.top));
return {x: x + scrollX, y: y + scrollY, width: Math.max(...boxes.map((box) => box.right)) - x,
        height: Math.max(...boxes.map((box) => box.bottom)) - y};
"""
DRAWN = "return document.readyState === 'complete'"


class Picture(NamedTuple):
    """A part of a page: the elements of a selector, at most so high, after a script has run."""

    file: str
    document: str
    page: str
    shown: str
    height: int = 900
    script: str = ""
    width: int = 1280


PICTURES = (
    Picture("report.png", "for-researchers.md", "report.html", "body", height=800),
    Picture(
        "pictures/researchers.png", "for-researchers.md", "report.html", ".hero", script="riskrank.shared.weigh(5)"
    ),
    Picture("pictures/search-engineers.png", "for-search-engineers.md", "report.html", "[data-explorer]"),
    Picture("pictures/ltr.png", "for-ltr.md", "sweep/report.html", ".hero"),
    Picture("pictures/personalisation.png", "for-personalisation.md", "models/report.html", ".hero"),
)


def write_pages(document: str, folder: Path) -> None:
    """Run a document's commands; a gate that fails exits 1."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    text = (DOCS / document).read_text(encoding="utf-8")
    for code in re.findall(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        done = subprocess.run(
            ["sh", "-c", code], cwd=folder, env={**os.environ, "PATH": path}, stdout=subprocess.DEVNULL
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"{document}: exit status {done.returncode} of:\n{code}")


def browser(folder: Path) -> webdriver.Chrome:
    """With an empty profile."""
    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    for flag in (*FLAGS, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def take(driver: webdriver.Chrome, picture: Picture, folder: Path) -> None:
    """Open the page, crop what is shown, and save it."""
    driver.set_window_size(picture.width, 900)
    driver.get((folder / picture.page).as_uri())
    WebDriverWait(driver, PATIENCE).until(lambda _: driver.execute_script(DRAWN))
    driver.execute_script(picture.script)
    box = driver.execute_script(AROUND, picture.shown)
    left, top = max(0, box["x"] - MARGIN), max(0, box["y"] - MARGIN)
    clip = {
        "x": left,
        "y": top,
        "width": min(picture.width, box["x"] + box["width"] + MARGIN) - left,
        "height": min(picture.height, box["y"] + box["height"] + MARGIN - top),
        "scale": 1,
    }
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    place = DOCS / picture.file
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(base64.b64decode(taken["data"]))
    print(f"{place.relative_to(DOCS.parent)}: {place.stat().st_size / 1000:.0f} KB")


def main(documents: list[str]) -> None:
    """Make the pictures of some documents, or of all."""
    with tempfile.TemporaryDirectory() as name:
        driver = browser(Path(name) / "profile")
        try:
            for document in dict.fromkeys(picture.document for picture in PICTURES):
                if documents and document not in documents:
                    continue
                folder = Path(name) / document
                folder.mkdir()
                write_pages(document, folder)
                for picture in PICTURES:
                    if picture.document == document:
                        take(driver, picture, folder)
        finally:
            driver.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
