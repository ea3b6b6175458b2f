"""The Claude judge, with its ledger, against a bare pool of the SDK's streams: rate, CPU and memory in one run.

    python bench/judge.py [--drafts 10000] [--workers 32] [--delay 0.05] [--rounds 1] [--store]      --store: into bench/judge.json

The service is the tests' own, in a process of its own, answering after `--delay` seconds. Both sides send the same prompts and read
streams; each runs in a fresh process, in turn. The bare pool parses with the SDK and keeps the text, nothing else. The judge reserves,
keeps the bytes, reads, prices, settles and guards. Asked for: at least 0.7 × the rate, at most 1.5 × the CPU, at most 250 MB.
"""
import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def items_of(n):
    "Drafts of about forty words, all different."
    tail = ("and then the report goes to the whole team before noon, with the figures of last week, the open points "
            "and the names of those who will mend them")
    return [(f"draft number {i} was wrong {tail}", f"Draft number {i} is right {tail}.", f"draft {i} {tail}") for i in range(n)]


def bare(url, n, workers, folder):
    "A pool of threads and the SDK."
    import anthropic

    from amend_nb import JudgeSettings, message_body, plan_calls
    client = anthropic.Anthropic(api_key="sk-not-a-key", base_url=url, max_retries=0)
    settings = JudgeSettings("claude-opus-5-5", "max", 64000)
    calls, _ = plan_calls(items_of(n), settings)

    def ask(call):
        with client.messages.stream(**message_body(call.prompt, settings, cache=True)) as stream: message = stream.get_final_message()
        return json.loads(next(b.text for b in message.content if b.type == "text"))["fixed"]
    start, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(workers) as pool: fixed = list(pool.map(ask, calls))
    return start, cpu, fixed


def judge(url, n, workers, folder):
    "The judge, under a cap."
    import anthropic

    from amend_nb import ClaudeJudge, Ledger
    client = anthropic.Anthropic(api_key="sk-not-a-key", base_url=url)
    judge, items = ClaudeJudge(client=client, ledger=Ledger(folder, 10**6), workers=workers, fallbacks=(), say=lambda text: None), items_of(n)
    start, cpu = time.perf_counter(), time.process_time()
    return start, cpu, [v.fixed for v in judge.fix_many(items)]


def measure(side, url, n, workers):
    "One side's rate, CPU a draft in ms and peak memory in MB (this runs in the fresh process)."
    with tempfile.TemporaryDirectory() as folder:
        start, cpu, fixed = {"bare": bare, "judge": judge}[side](url, n, workers, Path(folder) / "ledger")
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    assert fixed == [i[1] for i in items_of(n)]
    print(json.dumps([n / seconds, 1000 * cpu / n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def main(args):
    runs = {"bare": [], "judge": []}
    for r in range(args.rounds):
        for side in (("bare", "judge"), ("judge", "bare"))[r % 2]:
            service = subprocess.Popen([sys.executable, str(ROOT / "tests/anthropic_server.py"), "--delay", str(args.delay)],
                                       stdout=subprocess.PIPE, text=True)
            url = service.stdout.readline().strip()
            try: out = subprocess.run([sys.executable, __file__, "--side", side, "--url", url, "--drafts", str(args.drafts),
                                       "--workers", str(args.workers)], stdout=subprocess.PIPE, text=True, check=True).stdout
            finally: service.kill(); service.wait()
            runs[side].append(json.loads(out))
            print(f"{side:6} {runs[side][-1][0]:7.1f} drafts/s  {runs[side][-1][1]:6.2f} ms CPU/draft  {runs[side][-1][2]:6.0f} MB", flush=True)
    rate, cpu = (statistics.median(j[k] / b[k] for b, j in zip(runs["bare"], runs["judge"], strict=True)) for k in (0, 1))
    memory = max(j[2] for j in runs["judge"])
    print(f"judge / bare: rate {rate:.2f} (0.7 asked), CPU {cpu:.2f} (1.5 at most), memory {memory:.0f} MB (250 at most)")
    if args.store:
        stored = dict(drafts=args.drafts, workers=args.workers, delay=args.delay, rounds=args.rounds, columns=["drafts/s", "ms CPU/draft", "peak MB"],
                      **{side: [[round(x, 2) for x in run] for run in rows] for side, rows in runs.items()},
                      ratio=dict(rate=round(rate, 2), cpu=round(cpu, 2)), asked=dict(rate=0.7, cpu=1.5, memory=250))
        (ROOT / "bench/judge.json").write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    return not (rate >= 0.7 and cpu <= 1.5 and memory <= 250)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind, default in (("drafts", int, 10_000), ("workers", int, 32), ("delay", float, 0.05), ("rounds", int, 1)):
        parser.add_argument(f"--{name}", type=kind, default=default)
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--side", choices=["bare", "judge"], help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.side: measure(args.side, args.url, args.drafts, args.workers)
    else: sys.exit(main(args))
