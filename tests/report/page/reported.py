"""A report in a real browser: what it shows, read from the page, and what somebody does there."""

from __future__ import annotations

READY = "return document.readyState === 'complete' && window.riskrank?.parts?.length > 0"

ROWS = """return window.riskrank.parts[arguments[0]].table.rows
    .filter((row) => !arguments[1] || row.getClientRects().length).map((row) => {
    const text = (selector) => row.querySelector(selector)?.textContent.trim() ?? "";
    const extra = [...row.querySelectorAll("[data-extra]")].map((cell) => [cell.dataset.extra, cell.textContent]);
    return {
        name: text("th .name"), score: row.cells[1].textContent, gain: text(".interval b"),
        hurt: text(".outcome .is-loss"), helped: text(".outcome .is-gain"),
        risk: text("td:nth-of-type(4) .amount > span"),
        upTo: text("td:nth-of-type(5) .amount > span"), verdict: text("[data-cell=verdict] .verdict"),
        mark: ["gain", "open", "loss", "none"].find((each) => row.classList.contains(each)),
        ...Object.fromEntries(extra)};
})"""


class Report:
    """One measure of a report."""

    def __init__(self, tab, number=0):
        self.tab, self.number = tab, number

    @classmethod
    def open(cls, tab, page):
        tab.open(page, until=READY)
        return cls(tab)

    @property
    def root(self):
        return self.tab.driver.find_elements("css selector", "[data-part]")[self.number]

    def find(self, selector):
        return self.root.find_element("css selector", selector)

    def all(self, selector):
        return self.root.find_elements("css selector", selector)

    def text(self, selector):
        return self.tab.run("return arguments[0].querySelector(arguments[1]).textContent", self.root, selector)

    def texts(self, selector):
        return self.tab.run(
            "return [...arguments[0].querySelectorAll(arguments[1])].map((each) => each.textContent)",
            self.root, selector,
        )  # fmt: skip

    def slide(self, alpha):
        """To the stop of an alpha."""
        stop = self.tab.run(
            "return window.riskrank.parts[arguments[0]].data.alphas.indexOf(arguments[1])", self.number, alpha
        )
        assert stop >= 0, alpha
        self.tab.run(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            self.find("[data-alpha]"), str(stop),
        )  # fmt: skip

    def rows(self, *, shown=False):
        """The table, in its order: all rows, or those that are seen."""
        return self.tab.run(ROWS, self.number, shown)

    def names(self, *, shown=True):
        return [row["name"] for row in self.rows(shown=shown)]

    def sort(self, key):
        self.tab.run("arguments[0].click()", self.find(f"thead [data-key={key}] button"))

    def search(self, text):
        field = self.find("[data-find]")
        field.clear()
        field.send_keys(text)

    def filter(self, verdict):
        self.tab.run("arguments[0].click()", self.find(f"[data-filter={verdict}]"))

    def columns(self, *keys):
        for key in keys:
            self.tab.run("arguments[0].click()", self.find(f"[data-column={key}]"))

    def choose(self, name):
        """By its row."""
        self.tab.run(
            """[...arguments[0].querySelectorAll("[data-rows] > tr")].find((row) =>
            row.querySelector(".name").textContent === arguments[1]).querySelector("td").click()""",
            self.root, name,
        )  # fmt: skip

    def card(self):
        return self.tab.run(
            """return Object.fromEntries([...arguments[0].querySelectorAll("[data-card] [data-value]")].map((each) =>
            [each.dataset.value, each.textContent.trim()]))""",
            self.root,
        )

    def dots(self):
        """Verdicts of the dots that are drawn, by the system's number."""
        return self.tab.run(
            """return [...arguments[0].querySelectorAll("[data-plot=main] .dot")].map((dot) => [+dot.dataset.system,
            ["gain", "open", "loss", "none"].find((each) => dot.classList.contains(each))])""",
            self.root,
        )

    def topics(self):
        """The list: names and changes."""
        return [line[:2] for line in self.topic_lines()]

    def topic_lines(self):
        """The list: names, changes, T_J, p, and whether it stands out."""
        return self.tab.run(
            """return [...arguments[0].querySelectorAll("[data-topics] button")].map((button) => [
                ...[...button.children].map((each) => each.textContent), button.classList.contains("stands-out")])""",
            self.root,
        )

    def show(self, topic):
        self.tab.run(
            """[...arguments[0].querySelectorAll("[data-topics] button")].find((button) =>
            button.firstElementChild.textContent === arguments[1]).click()""",
            self.root, topic,
        )  # fmt: skip
        return self.detail()

    def detail(self):
        """The topic that is shown: its numbers, and for both rankings rank, grade, document and move."""
        return self.tab.run(
            """const detail = arguments[0].querySelector("[data-topic-detail]");
            const text = (name) => detail.querySelector(`[data-value=${name}]`)?.textContent;
            const isShown = (element) => element.getClientRects().length > 0;
            const lines = (which) => [...detail.querySelectorAll(`[data-documents=${which}] li`)].map((line) =>
                [...line.children].map((each) => each.textContent));
            const pair = detail.querySelector("[data-pair]"), note = detail.querySelector("[data-no-pair]");
            return {
                topic: text("topic"), old: text("old"), new: text("new"), change: text("change"), place: text("place"),
                left: text("left"), tests: detail.querySelector("[data-tests]")?.innerText,
                baseline: isShown(pair) ? lines("baseline") : null,
                system: isShown(pair) ? lines("system") : null, note: isShown(note) ? note.textContent : ""};""",
            self.root,
        )
