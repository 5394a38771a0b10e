"""A page of the report in a real browser, as somebody sees it who looks, types and clicks."""

from __future__ import annotations

import base64
import json
import re
import shutil

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="needs Selenium")
ui = pytest.importorskip("selenium.webdriver.support.ui", reason="needs Selenium")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs Chromium and ChromeDriver on the path"
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--window-size=1300,900",
)  # fmt: skip
PATIENCE = 30  # seconds: the machine may be busy
READY = "return document.readyState === 'complete'"

# What is seen of each piece of text: its colour against what is behind it, as WCAG counts contrast.
CONTRASTS = """
const channels = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
        const colour = channels(getComputedStyle(each).backgroundColor);
        if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
};
return [...document.querySelectorAll(arguments[0])]
    .filter((element) => element.getClientRects().length && element.textContent.trim())
    .map((element) => {
        const colour = getComputedStyle(element)[element instanceof SVGElement ? "fill" : "color"];
        const [one, other] = [light(channels(colour)), light(behind(element))];
        return [element.textContent.trim().slice(0, 40), (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)];
    });
"""

SHEET = 717  # px between the usual margins of A4, on which a page that is wider would be printed smaller
PAPER = """return [...document.querySelectorAll("body *")]
    .filter((each) => each.getClientRects().length && !each.closest(".unseen, .skip")).map((each) => {
        const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const size = hasText ? parseFloat(getComputedStyle(each).fontSize) : Infinity;
        return [each.textContent.trim().slice(0, 40), each.getBoundingClientRect().right, size];
    }).filter(([, right, size]) => right > arguments[0] + 1 || size < arguments[1])"""


def start(folder):
    """A browser with an empty profile, which logs the console and every request."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))


def saved(path, text):
    path.write_text(text, encoding="utf-8")
    return path


class Tab:
    def __init__(self, driver):
        self.driver = driver

    def open(self, page, until=READY):
        for name in ("browser", "performance"):
            self.driver.get_log(name)  # what came before is none of our business
        self.driver.get(page.as_uri())
        self.wait(until)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        return ui.WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(
            lambda _: self.run(script, *arguments)
        )

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        urls = [
            each["request"]["url"] for each in sent if each["documentURL"].startswith("file:")
        ]  # not the browser's own
        return [url for url in urls if not url.startswith(("data:", "blob:"))]

    def prefer(self, scheme=None, media=""):
        """As the system's settings say, on the screen or in print."""
        features = [] if scheme is None else [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})

    def resize(self, width=None):
        if width is None:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
            return
        size = {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def n_sheets(self):
        """How many a printer would need."""
        pdf = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
        return len(re.findall(rb"/Type\s*/Page\b", pdf))

    def unfit_for_paper(self, least=10):
        """What juts out of a sheet, or is written smaller than so many px (10 are 7.5 pt)."""
        self.prefer(media="print")
        self.resize(SHEET)
        return self.run(PAPER, SHEET, least)

    def contrasts(self, selector):
        return self.run(CONTRASTS, selector)

    def saved(self, kind, folder):
        """What the bar's button of this kind saves."""
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.driver.find_element("css selector", f"[data-save={kind}]").click()
        file = folder / f"riskrank.{kind}"
        ui.WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(lambda _: file.exists())
        return file

    def press(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def hover(self, element):
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        webdriver.ActionChains(self.driver).move_to_element(element).perform()
