"""What the tests share: where ../shared is, and a count of what ran and what was skipped per layer."""
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("unit", "notebook", "http", "browser")
CHROMIUM = next((p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                 if Path(p).exists()), None)

# The same examples every time, so that a run judges the commit and not its luck; AMEND_EXPLORE=1 looks for new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("explore" if os.environ.get("AMEND_EXPLORE") else "steady")


def shared_folder() -> Path | None:
    "The folder of real transcripts and peers' tables that stands beside a checkout, or None."
    path = Path(os.environ.get("AMEND_SHARED") or ROOT.parent / "shared")
    return path if (path / "data").is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    "../shared, or the test is skipped and says so."
    path = shared_folder()
    if path is None: pytest.skip("../shared (real transcripts and peers' tables) is not here")
    return path


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    "No key, address or proxy of whoever runs the tests reaches a client that they make."
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy"): monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(scope="session", autouse=True)
def interrupts_are_heard():
    "A shell starts what it puts in the background deaf to interrupts, and children inherit that; the tests of an interrupt must hear it."
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN: signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser():
    "A headless Chromium that reaches no host, or the test is skipped and says so."
    if CHROMIUM is None: pytest.skip("no Chromium on this machine: apt-get install chromium, or the like")
    from playwright.sync_api import sync_playwright
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-default-apps"]
    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield chromium
        chromium.close()


def layer_of(item) -> str:
    "The layer of one test: its marker, or unit."
    if "browser" in getattr(item, "fixturenames", ()): return "browser"
    return next((layer for layer in LAYERS if item.get_closest_marker(layer)), "unit")


def pytest_collection_modifyitems(session, config, items):
    config.stash[_LAYER] = {item.nodeid: layer_of(item) for item in items}


_LAYER = pytest.StashKey[dict[str, str]]()


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    layers, stats = config.stash.get(_LAYER, {}), terminalreporter.stats
    for layer in LAYERS:
        ran = sum(layers.get(r.nodeid) == layer for key in ("passed", "failed") for r in stats.get(key, []))
        skipped = [r for r in stats.get("skipped", []) if layers.get(r.nodeid) == layer]
        terminalreporter.write_line(f"layer {layer}: {ran} run, {len(skipped)} skipped")


def pytest_sessionfinish(session, exitstatus):
    "With ../shared and a browser here nothing has a reason to be skipped, so a skip is a failure."
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and shared_folder() and CHROMIUM and exitstatus == 0:
        for r in skipped: reporter.write_line(f"\nskipped although all is here: {r.nodeid}: {r.longrepr}")
        session.exitstatus = 1
