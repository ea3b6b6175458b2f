"""One command from a bare clone, with nothing but Python 3.11 or later.

    python3 tools/run.py demo    install the library into .venv and run `amend-nb demo`
    python3 tools/run.py test    install all that the checks need into .venv-test and run every check and test

Inside an active virtual environment that one is used; otherwise the folder is made inside this clone.
What follows `demo` or `test` is handed on to `amend-nb demo` or to pytest.
"""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


def environment(folder: str) -> Path:
    "The Python of the virtual environment to work in: the active one, or `folder`, made if it is not there."
    if sys.version_info < (3, 11):  # noqa: UP036 (an older Python may well be what types this)
        sys.exit(f"Python 3.11 or later is needed; this is {sys.version.split()[0]}")
    if sys.prefix != sys.base_prefix: return Path(sys.executable)
    bin_dir = ROOT / folder / ("Scripts" if os.name == "nt" else "bin")
    python = bin_dir / ("python.exe" if os.name == "nt" else "python")
    if not python.exists():
        print(f"making a virtual environment in {folder}", flush=True)
        made = subprocess.run([sys.executable, "-m", "venv", str(ROOT / folder)])
        if made.returncode:
            shutil.rmtree(ROOT / folder, ignore_errors=True)
            sys.exit("Python's venv module did not work: on Debian and Ubuntu `apt-get install python3-venv` brings it")
    return python


def install(python: Path, what: str) -> None:
    "Install this tree, with `what` extras, in such a way that the clone itself is what runs."
    print(f"installing amend_nb{what} (a few minutes the first time)", flush=True)
    call = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-e", f".{what}"]
    if subprocess.run(call, cwd=ROOT).returncode: sys.exit("pip could not install: its message stands above")


def browser(python: Path) -> None:
    "Bring a Chromium for the browser tests where this may be done; where not, those tests are skipped and say so."
    if any(map(os.path.exists, BROWSERS)): return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for call in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(call, env=env, stdout=subprocess.DEVNULL)
    if not any(map(os.path.exists, BROWSERS)):
        try: subprocess.run([str(python), "-m", "playwright", "install", "chromium"], timeout=600)
        except subprocess.TimeoutExpired: print("the browser's download took too long: browser tests are skipped")


CHECKS = (
    ("ruff: real errors", ["-m", "ruff", "check", "."]),
    ("notebooks clean, library in sync, both ways", ["tools/sync.py", "--check"]),
    ("README.md is what nbs/index.ipynb gives", ["tools/readme.py", "--check"]),
    ("nbdev 3 exports the same modules", ["tools/nbdev3.py"]),
    ("the site builds, its links hold, it asks no host", ["tools/docs.py", "--check"]),
    ("tests (layout, units, notebooks re-run, HTTP, browser)", ["-m", "pytest"]),
)


def test(python: Path, args: list[str]) -> int:
    "Every check in turn; the first that fails ends the run."
    browser(python)
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    for title, call in CHECKS:
        print(f"\n== {title}", flush=True)
        start, last = time.monotonic(), call[-1] == "pytest"
        run = subprocess.run([str(python), *call, *(args if last else [])], cwd=ROOT, env=env)
        if last: return run.returncode
        if run.returncode:
            print(f"FAILED: {title}", flush=True)
            return run.returncode
        print(f"   {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    what, *args = sys.argv[1:] or [""]
    if what == "demo":
        python = environment(".venv")
        install(python, "")
        sys.exit(subprocess.run([str(python), "-m", "amend_nb.cli", "demo", *args], cwd=os.getcwd()).returncode)
    if what == "test":
        python = environment(".venv-test")
        install(python, "[dev]")
        sys.exit(test(python, args))
    sys.exit(__doc__)
