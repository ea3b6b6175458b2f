"""CPU of `import amend_nb` and of the first small calls, above bare Python: medians of 15 interleaved fresh processes.

    python bench/startup.py            print the table and write bench/startup.json
"""
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CALLS = {
    "bare Python": "pass",
    "import amend_nb": "import amend_nb",
    "amend_nb.char_edits": "import amend_nb; amend_nb.char_edits('a', 'b')",
    "amend_nb.align": "import amend_nb; amend_nb.align('a b', 'a c')",
    "jiwer.wer (peer)": "import jiwer; jiwer.wer('a b', 'a c')",
}


def cpu_ms(code: str) -> float:
    "User and system time, in milliseconds, of one fresh Python that runs `code`."
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(HERE.parent)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


if __name__ == "__main__":
    for code in CALLS.values(): cpu_ms(code)
    runs = {name: [] for name in CALLS}
    for _ in range(15):
        for name, code in CALLS.items(): runs[name].append(cpu_ms(code))
    medians = {name: statistics.median(times) for name, times in runs.items()}
    rows = {name: round(ms - medians["bare Python"], 1) for name, ms in medians.items() if name != "bare Python"}
    for name, ms in rows.items(): print(f"{name:24} {ms:7.1f} ms of CPU above bare Python")
    (HERE / "startup.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
