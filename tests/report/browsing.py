"""A page of the report in a real browser, as somebody sees it who looks, types and clicks."""

from __future__ import annotations

import json
import shutil

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="needs Selenium")
ui = pytest.importorskip("selenium.webdriver.support.ui", reason="needs Selenium")
pytest.importorskip("altair", reason="needs Altair")
pytest.importorskip("vl_convert", reason="needs vl-convert")

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
DRAWN = """return document.readyState === "complete" && (window.riskrank?.sections ?? []).every(
    (section) => Object.keys(section.views).length === Object.keys(section.data.charts).length)"""

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

    def open(self, page, until=DRAWN):
        for name in ("browser", "performance"):
            self.driver.get_log(name)  # what came before is none of our business
        self.driver.get(page.as_uri())
        self.wait(until)
        return Section(self, 0)

    def stay(self, page):
        """Open a page unless it is open: for what does not look at it."""
        if self.driver.current_url != page.as_uri():
            self.open(page)

    def section(self, number):
        return Section(self, number)

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

    def contrasts(self, selector):
        return self.run(CONTRASTS, selector)

    def press(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def hover(self, element):
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        webdriver.ActionChains(self.driver).move_to_element(element).perform()


class Section:
    """One measure of a page."""

    def __init__(self, tab, number):
        self.tab = tab
        self.number = number

    @property
    def root(self):
        return self.tab.driver.find_elements("css selector", "[data-section]")[self.number]

    def find(self, selector):
        return self.root.find_element("css selector", selector)

    def all(self, selector):
        return self.root.find_elements("css selector", selector)

    def texts(self, selector):
        return self.tab.run("return [...arguments[0].querySelectorAll(arguments[1])].map((e) => e.textContent)",
                            self.root, selector)  # fmt: skip

    def slide(self, alpha):
        """To the stop of an alpha."""
        stop = self.tab.run("return window.riskrank.sections[arguments[0]].data.grid", self.number).index(alpha)
        self.tab.run(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            self.find("[data-alpha-range]"), str(stop),
        )  # fmt: skip

    def type_alpha(self, text):
        field = self.find("[data-alpha]")
        self.tab.run("arguments[0].select()", field)
        field.send_keys(text or "\ue003")  # backspace

    def systems(self):
        """The table: for each system, text by column."""
        return self.tab.run(
            """return [...arguments[0].querySelectorAll("table.systems tbody tr")].map((row) =>
            Object.fromEntries([...row.cells].map((cell) => [cell.dataset.cell, cell.textContent])))""",
            self.root,
        )

    def topics(self):
        """The list: the cells of each line."""
        return self.tab.run(
            """return [...arguments[0].querySelectorAll("[data-topics] tr")].map((row) =>
            [...row.cells].map((cell) => cell.textContent))""",
            self.root,
        )

    def listed(self):
        return [row[0] for row in self.topics()]

    def count(self):
        """What is said about how many topics are listed."""
        return self.find("[data-found]").text

    def pick(self, system):
        self.tab.run(
            """const picker = arguments[0].querySelector("[data-system]");
            picker.value = [...picker.options].find((option) => option.text === arguments[1]).value;
            picker.dispatchEvent(new Event("change", {bubbles: true}))""",
            self.root, system,
        )  # fmt: skip

    def search(self, text):
        field = self.find("[data-search]")
        field.clear()
        field.send_keys(text)

    def dialog(self):
        """What the dialog shows: title, words, and for each ranking its name and lines; None while it is closed."""
        return self.tab.run(
            """const dialog = arguments[0].querySelector("dialog");
            return dialog.open ? {
                title: dialog.querySelector("[data-detail-title]").textContent,
                text: dialog.querySelector("[data-detail-text]").textContent,
                note: dialog.querySelector("[data-detail-lists] > p")?.textContent,
                lists: [...dialog.querySelectorAll("[data-detail-lists] > div")].map((box) => [
                    box.querySelector("h4").textContent,
                    [...box.querySelectorAll("tr")].slice(1).map((row) => [...row.cells].map((c) => c.textContent))]),
                lefts: [...dialog.querySelectorAll("[data-detail-lists] > div")].map((box) => box.offsetLeft),
            } : null""",
            self.root,
        )

    def show(self, topic):
        button = self.tab.run(
            """return [...arguments[0].querySelectorAll("[data-topics] button")].find((each) =>
            each.textContent === arguments[1])""",
            self.root, topic,
        )  # fmt: skip
        button.click()
        return self.dialog()

    def close(self):
        self.find("[data-close]").click()

    def charts(self):
        """How many marks each chart has."""
        return dict(
            self.tab.run(
                """return [...arguments[0].querySelectorAll("[data-chart]")].map((place) => [place.dataset.chart,
                place.querySelectorAll("svg .role-mark path, svg .role-mark text").length])""",
                self.root,
            )
        )

    def rows(self, chart, data):
        """The rows that a chart draws."""
        return self.tab.run(
            "return window.riskrank.sections[arguments[0]].views[arguments[1]].data(arguments[2])",
            self.number, chart, data,
        )  # fmt: skip
