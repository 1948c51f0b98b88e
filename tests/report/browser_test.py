"""Opens reports in headless Chromium, as a reader would.

browser_test.py SOURCE_DIR DIMGATE TEST_REPORT: makes the pages of three logs, two comparisons, a log against another and one hostile log, and looks at
each at 1280 and 400 px wide, light and dark: no console message, no request but the file, nothing wider than the
window, no violation that axe-core finds; a guard opens by keyboard; every chart has its table; printing works. It also
asks the page's evaluator what the reference evaluator answered. Exit 77, loudly, where Chromium or playwright is missing.
DIMGATE_SHOTS=DIR leaves pictures there.
"""
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
LOGS = ["mark_dynamic.torch_trace.log", "mark_dynamic.guards.torch_logs.txt", "global_state.verbose.torch_logs.txt"]
COMPARISONS = [
    ["bert_padded", "azure_llm_2023_conv.csv", "--policies", "static,pow2,auto_dynamic,symbolic"],
    ["unet_pad", "coco_val2017_sizes.csv", "--first", "500", "--cost", "C=2.5,R=4ms,E=20ms"],
]
BEFORE_AND_AFTER = ["resnet_sizes.torch_logs.txt", "resnet_sizes.guards.torch_logs.txt"]
EVIL = "</script><script>document.title='broken in'</script><img src=x onerror=\"document.title='broken in'\">"


def hostile_log():
    head = "V0101 10:00:00.000000 1 torch/_dynamo/guards.py:1] [0/%d] [__recompiles] "
    lines = []
    for i, text in enumerate(["L['x'] == '%s'" % EVIL, "L['y'] == '%s'" % ("q" * 1_000_000), "L['\u2028'] == 3"], 1):
        lines += [head % i + f"Recompiling function {EVIL if i == 1 else 'f'} in model.py:12",
                  head % i + "    triggered by the following guard failure(s):", head % i + f"    - 0/{i - 1}: {text}"]
    return "\n".join(lines) + "\n" + EVIL + "\n"


def skip(why):
    print(f"SKIPPED: {why}. No page was opened in a browser. `./dev setup ci` installs what is needed on Debian.")
    sys.exit(SKIPPED)


def make_pages(source, dimgate, folder):
    data = source / "tests/data"
    (folder / "hostile.log").write_text(hostile_log())
    jobs = [(f"log{i}", [data / "torch_logs" / log]) for i, log in enumerate(LOGS)]
    jobs += [(f"compare{i}", [c[0], data / "traces" / c[1], *c[2:]]) for i, c in enumerate(COMPARISONS)]
    before, after = (data / "torch_logs" / log for log in BEFORE_AND_AFTER)
    jobs.append(("against", [before, "--against", after]))
    jobs.append(("hostile", [folder / "hostile.log"]))
    def make(job):
        name, args = job
        subprocess.run([dimgate, "report", *args, "-o", folder / f"{name}.html"], check=True, stderr=subprocess.DEVNULL)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(make, jobs))
    return [folder / f"{name}.html" for name, _ in jobs]


class Page:
    """One page at one size and colour scheme; collects faults."""

    def __init__(self, browser, path, width, scheme, faults):
        self.name = f"{path.stem} {width}px {scheme}"
        self.faults = faults
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.on("console", lambda m: self.fault(f"console {m.type}: {m.text}"))
        self.page.on("pageerror", lambda e: self.fault(f"error: {e}"))
        self.page.on("request", lambda r: r.url.startswith(("file:", "data:")) or self.fault(f"asks for {r.url}"))
        self.page.goto(path.as_uri())

    def fault(self, text):
        self.faults.append(f"{self.name}: {text}")

    def check_layout(self):
        wide = self.page.evaluate("""[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, .formula, .formulas, pre')
            && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + ' ' + e.textContent.slice(0, 60))""")
        if wide:
            self.fault(f"wider than the window: {wide[:3]}")
        if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.fault("scrolls sideways")
        if self.page.evaluate("[...document.querySelectorAll('section.box')].some(s => s.querySelector('canvas') && !s.querySelector('table'))"):
            self.fault("a chart without its table")
        drawn = self.page.evaluate("""[...document.querySelectorAll('canvas')].filter(c => c.clientWidth > 0)
            .every(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v !== 0))""")
        if not drawn:
            self.fault("an empty chart")

    def check_axe(self, axe):
        result = self.page.evaluate(axe + "; axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.length + ' ' + v.nodes[0].html.slice(0, 160) + ' ' + v.nodes[0].failureSummary.slice(0, 300)))")
        for violation in result:
            self.fault(f"axe: {violation}")

    def open_guard_by_keyboard(self):
        guard = self.page.locator(".guards summary").first
        if guard.count() == 0:
            return
        guard.focus()
        self.page.keyboard.press("Enter")
        try:
            self.page.wait_for_selector(".guards details[open] .copy button", timeout=10_000)
        except Exception:  # playwright's TimeoutError
            self.fault("a guard does not open by keyboard")
        self.page.keyboard.press("Tab")
        if not self.page.evaluate("document.activeElement.textContent.startsWith('Copy')"):
            self.fault("the copy buttons of an open guard are not next by keyboard")


def check_regions(page):
    """Another policy, other dims, zoom: drawn again without an error; what serves a shape changes with it."""
    box = page.page.locator("section.box:has(canvas):has(.answer)").first
    if box.count() == 0:
        return
    before = box.locator(".answer").inner_text()
    box.locator("input").last.fill("7")
    box.locator("input").last.press("Enter")
    if box.locator(".answer").inner_text() == before or "7" not in box.locator(".answer").inner_text():
        page.fault("another shape, the same answer")
    for button in box.locator("button").all():
        button.click()
    for select in box.locator("select").all():
        for value in [o.get_attribute("value") for o in select.locator("option").all()]:
            select.select_option(value)


def check_evaluator(page, cases):
    # As one text: thousands of nested arguments take playwright longer than the evaluation.
    wrong = page.page.evaluate("""(cases) => JSON.parse(cases).filter((c) => {
        const at = new Map(Object.entries(c.at).map(([k, v]) => [k, typeof v === 'number' ? BigInt(v) : typeof v === 'string' ? '@' + v : v]));
        return dimgateEvaluate(c.f, at) !== c.expected;
    }).map((c) => c.text + ' at ' + JSON.stringify(c.at) + ' is ' + c.expected)""", json.dumps(cases))
    for text in wrong[:5]:
        page.fault(f"the evaluator disagrees: {text}")


def check_hostile(page):
    if "broken in" in page.page.title() or page.page.locator("main img").count() != 0:
        page.fault("text of a log became markup")
    if "onerror" not in page.page.locator("main").inner_text():
        page.fault("the hostile text is not shown")


def check_demo(browser, path, axe, faults):
    """Every scene at every step, wide and narrow; keys step; printing shows all scenes."""
    views = 0
    for width, scheme in [(1280, "light"), (400, "dark")]:
        page = Page(browser, path, width, scheme, faults)
        for scene in range(5):
            page.page.evaluate(f"dimgateDemo.open({scene})")
            while True:
                page.check_layout()
                before = page.page.inner_text("#main")
                at, steps = page.page.evaluate(f"[dimgateDemo.scenes[{scene}].at, dimgateDemo.scenes[{scene}].steps]")
                if at == steps:
                    break
                page.page.keyboard.press("ArrowRight")
                if page.page.inner_text("#main") == before:
                    page.fault(f"scene {scene + 1}: the arrow key changes nothing at step {at}")
                    break
            page.check_axe(axe)
            views += 1
            if shots := os.environ.get("DIMGATE_SHOTS"):
                page.page.screenshot(path=f"{shots}/demo{scene + 1}_{width}px.png", full_page=True)
        page.page.evaluate("dimgateDemo.open(2)")
        page.page.get_by_text("Next step").click()
        page.page.emulate_media(media="print")
        page.page.pdf()
        page.context.close()
    return views


def check_report(browser, path, axe, cases, faults):
    views = 0
    for width, scheme in [(1280, "light"), (400, "dark"), (1280, "dark"), (400, "light")]:
        if path.stem == "hostile" and (width, scheme) != (1280, "light"):
            continue
        page = Page(browser, path, width, scheme, faults)
        page.check_layout()
        if (width, scheme) in [(1280, "light"), (400, "dark")]:
            page.open_guard_by_keyboard()
            page.check_axe(axe)
        if shots := os.environ.get("DIMGATE_SHOTS"):
            page.page.screenshot(path=f"{shots}/{page.name.replace(' ', '_')}.png", full_page=True)
        if path.stem == "hostile":
            check_hostile(page)
        elif (width, scheme) == (1280, "light"):
            check_regions(page)
            page.page.emulate_media(media="print")
            page.page.pdf()
        if cases and views == 0:
            check_evaluator(page, cases)
        views += 1
        page.context.close()
    return views


def look(chromium, todo):
    """A browser of its own that takes from the queue until it is empty; the number of views."""
    from playwright.sync_api import sync_playwright
    views = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            while True:
                views += todo.get_nowait()(browser)
        except queue.Empty:
            return views
        finally:
            browser.close()


def main():
    source, dimgate, test_report = [pathlib.Path(a).resolve() for a in sys.argv[1:4]]
    try:
        import axe_playwright_python
        import playwright.sync_api  # noqa: F401 (look() needs it)
    except ImportError as e:
        skip(f"the Python package is missing ({e})")
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        skip("no Chromium here")
    axe = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
    faults, views = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        pages = make_pages(source, dimgate, folder)
        subprocess.run([test_report, "-tc=evaluator cases,demo: the page"], check=True, stdout=subprocess.DEVNULL,
                       env=os.environ | {"DIMGATE_REPORT_CASES": str(folder / "cases.json"),
                                         "DIMGATE_REPORT_DEMO": str(folder / "demo.html")})
        cases = json.loads((folder / "cases.json").read_text())
        # Two browsers, each page looked at by one of them.
        todo = queue.SimpleQueue()
        todo.put(lambda browser: check_demo(browser, folder / "demo.html", axe, faults))
        for path in pages:
            todo.put(lambda browser, path=path: check_report(browser, path, axe, cases if path == pages[0] else None, faults))
        with ThreadPoolExecutor(2) as pool:
            views = sum(pool.map(lambda _: look(chromium, todo), range(2)))
    print("\n".join(faults + [f"{views} views, {len(cases)} formulas evaluated, {len(faults)} faults"]))
    return 1 if faults or views == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
