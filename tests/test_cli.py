"""The command line as a shell sees it: exit codes, what stands on which stream, what is written and what is left alone."""
import csv
import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from anthropic_server import Server

from amend_nb import Study, align, cer, evaluate, wer
from amend_nb.cli import main

ROOT = Path(__file__).resolve().parents[1]
ROWS = [("the wait was long", "The wait was long.", "the weight was long", "The wait was long."),
        ("call doctor reyes at nine", "Call Dr. Reyes at nine.", "call doctor rays at nine", "Call Dr. Reyes at 9."),
        ("send the report", "Send the report.", "send the rapport", "Send the report now.")]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(monkeypatch, tmp_path): monkeypatch.chdir(tmp_path)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "drafts.csv"
    with open(path, "w", encoding="utf-8", newline="") as f: csv.writer(f).writerows([("spoken_text", "intended_text", "plain", "bold"), *ROWS])
    return path


def run(*words) -> int:
    "The exit code of a command, run in this process."
    with pytest.raises(SystemExit) as e: main([str(w) for w in words])
    return e.value.code


def rows_of(path): return list(csv.DictReader(io.StringIO(Path(path).read_text(encoding="utf-8"))))


# ---- the embedded judge


def test_scores_a_file_offline(table, capsys):
    assert run("score", table, "-p", "plain", "bold", "--judge", "rules", "-o", "out.csv", "--report", "out.html") == 0
    out, err = capsys.readouterr()
    head, first, second = (line.split() for line in out.splitlines())
    assert head == ["pred_col", "rows", "failed", "char_edits", "chars", "AMEND", "AMEND@0"] and err == ""
    assert (first[0], second[0]) == ("bold", "plain") and first[1:3] == ["3", "0"]
    assert len(first[5].split(".")[1]) == len(first[6].split(".")[1]) == 4
    made = rows_of("out.csv")
    assert [r["plain"] for r in made] == [r[2] for r in ROWS] and made[0]["plain_edits"] == "3" and made[0]["plain_chars"] == "17"
    assert Path("out.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_json_is_all_that_stands_on_standard_output(table, capsys):
    assert run("score", table, "-p", "plain", "--judge", "rules", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found[0]["pred_col"] == "plain" and found[0]["rows"] == 3 and found[0]["AMEND"] == found[0]["char_edits"] / found[0]["chars"]


def test_limit_clip_and_language_columns(tmp_path, capsys):
    Path("t.tsv").write_text("Id\tlang\tspoken_text\tintended_text\tp\nc7\tpt\tnove\tNove.\tnovo\n007\ten\tnine\tNine.\tnine\n", encoding="utf-8")
    words = ("score", "t.tsv", "-p", "p", "--judge", "rules", "--clip-col", "Id", "--language-col", "lang")
    assert run(*words, "--limit", "1", "-o", "o.jsonl", "--report", "r.html") == 0
    assert [json.loads(line)["Id"] for line in Path("o.jsonl").read_text(encoding="utf-8").splitlines()] == ["c7"]
    assert "c7" in Path("r.html").read_text(encoding="utf-8") and "007" not in Path("r.html").read_text(encoding="utf-8")
    assert run("score", "t.tsv", "-p", "p", "--judge", "rules", "--clip-col", "nope") == 2
    assert "'nope' is missing" in capsys.readouterr().err


def test_how_the_file_was_saved_can_be_told(capsys):
    Path("t.csv").write_bytes("spoken_text;intended_text;p\ncafé;Café.;cafe\n".encode("cp1252"))
    assert run("score", "t.csv", "-p", "p", "--judge", "rules") == 2
    assert "--encoding cp1252" in capsys.readouterr().err
    assert run("score", "t.csv", "-p", "p", "--judge", "rules", "--encoding", "cp1252", "--sep", ";", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["char_edits"] == 1
    Path("q.tsv").write_text('spoken_text\tintended_text\tp\nsay "hi\tSay "hi\tsay "hi\n', encoding="utf-8")
    assert run("score", "q.tsv", "-p", "p", "--judge", "rules", "--sep", "tab", "--quote", "none", "-o", "o.tsv") == 0


# ---- what is refused: exit code 2, nothing written


@pytest.mark.parametrize("words, told", [
    (("-p", "plain"), "--judge rules"),
    (("-p", "plain", "--judge", "rules", "--cap-usd", "5"), "--cap-usd"),
    (("-p", "plain", "--judge", "rules", "--ledger", "x", "--workers", "3"), "--workers, --ledger"),
    (("-p", "nope", "--judge", "rules"), "'nope'"),
    (("-p", "plain", "plain", "--judge", "rules"), "twice"),
    (("-p", "plain", "-i", "ref", "--judge", "rules"), "-i"),
    (("-p", "plain", "--judge", "rules", "--limit", "0"), "--limit 0"),
    (("-p", "plain", "--judge", "rules", "--version", "v9"), "v1"),
    (("-p", "plain", "--judge", "replay"), "no ledger to replay"),
    (("-p", "plain", "--judge", "replay", "--resume", "b1"), "--resume"),
    (("-p", "plain", "--judge", "rules", "--report", "out.csv"), "same name"),
    (("-p", "plain", "--judge", "guess"), "guess"),
    (("-p", "plain", "--nonsense"), "nonsense"),
    (("--judge", "rules"), "pred-cols"),
])
def test_bad_words_write_nothing(table, words, told, capsys):
    before = sorted(p.name for p in Path().iterdir())
    assert run("score", table, *words, "-o", "out.csv") == 2
    out, err = capsys.readouterr()
    assert told in err and "Traceback" not in err and out == ""
    assert sorted(p.name for p in Path().iterdir()) == before


def test_nothing_of_the_users_is_overwritten(table, capsys):
    Path("out.csv").write_text("mine", encoding="utf-8")
    assert run("score", table, "-p", "plain", "--judge", "rules", "-o", "out.csv") == 2 and "--force" in capsys.readouterr().err
    assert Path("out.csv").read_text(encoding="utf-8") == "mine"
    kept = table.read_bytes()
    assert run("score", table, "-p", "plain", "--judge", "rules", "-o", table, "--force") == 2 and table.read_bytes() == kept
    assert run("score", table, "-p", "plain", "--judge", "rules", "-o", "out.csv", "--force") == 0
    assert "plain_fixed" in Path("out.csv").read_text(encoding="utf-8")


def test_cells_that_a_spreadsheet_would_run_are_guarded_on_request(capsys):
    Path("t.csv").write_text('spoken_text,intended_text,p\nx,x,"=1+1"\n', encoding="utf-8")
    assert run("score", "t.csv", "-p", "p", "--judge", "rules", "-o", "a.csv") == 0 and rows_of("a.csv")[0]["p"] == "=1+1"
    assert run("score", "t.csv", "-p", "p", "--judge", "rules", "-o", "b.csv", "--spreadsheet") == 0
    raw = Path("b.csv").read_text(encoding="utf-8")
    assert ",=1+1" not in raw and raw.count("=1+1") >= 1


# ---- the paid judge, against a real local server


@pytest.fixture
def server(monkeypatch):
    with Server() as s:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", s.url)
        yield s


PAID = ("--judge", "claude", "--ledger", "paid", "--max-tokens", "1000")


@pytest.mark.http
def test_a_batch_at_the_service_is_counted_as_such_and_resumed_unasked(server, table, capsys):
    server.plan = lambda e: "500" if e["method"] == "GET" else None     # submitted, and not to be collected yet
    words = ("score", table, "-p", "plain", *PAID, "--poll-seconds", "0.01")
    assert run(*words, "--mode", "batch", "--yes") != 0 and "msgbatch_000000" in capsys.readouterr().err
    server.plan = lambda e: None
    n = len(server.batches["msgbatch_000000"]["requests"])
    assert run(*words, "--estimate", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["at_service"], found["to_send"], found["most"]["sync"]) == (n, 0, "0")
    elsewhere = ("score", table, "-p", "plain", "--judge", "claude", "--ledger", "other", "--max-tokens", "1000", "--poll-seconds", "0.01")
    for w in (words, elsewhere):
        assert run(*w, "--resume", "msgbatch_000000") == 0
        assert "send them?" not in capsys.readouterr().err and len(server.batches) == 1 and not server.sends()


@pytest.mark.http
def test_a_run_is_estimated_agreed_to_paid_once_and_replayed(server, table, capsys):
    words = ("score", table, "-p", "plain", "bold", *PAID)
    assert run(*words, "--estimate") == 0 and "at most" in capsys.readouterr().out and not server.journal
    assert run(*words, "--estimate", "--json") == 0
    assert json.loads(capsys.readouterr().out)["to_send"] == 5
    assert run(*words) == 2 and "--yes" in capsys.readouterr().err and not server.sends()
    assert run(*words, "--yes", "-o", "out.csv") == 0
    out, err = capsys.readouterr()
    assert "bold" in out and "plain, bold, intended_text, spoken_text" in err and "not the vendor's host" in err and len(server.sends()) == 5
    assert run(*words, "-o", "again.csv") == 0 and len(server.sends()) == 5, "a second run sends nothing and asks nothing"
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()
    assert run("score", table, "-p", "plain", "bold", "--judge", "replay", "--ledger", "paid", "--max-tokens", "1000", "-o", "replayed.csv") == 0
    assert Path("replayed.csv").read_bytes() == Path("out.csv").read_bytes() and len(server.sends()) == 5
    assert "sk-ant" not in err + out + "".join(p.read_text(encoding="utf-8") for p in Path("paid").rglob("*") if p.is_file())


@pytest.mark.http
def test_a_model_is_asked_where_there_is_a_key_and_no_judge_is_named(server, table):
    assert run("score", table, "-p", "plain", "--yes", "--max-tokens", "1000") == 0 and len(server.sends()) == 3
    assert Path("amend_ledger/ledger.jsonl").is_file()


@pytest.mark.http
def test_batches_and_resume(server, table, capsys):
    words = ("score", table, "-p", "plain", "--judge", "claude", "--max-tokens", "1000", "--poll-seconds", "0.1", "--yes")
    assert run(*words, "--ledger", "a", "-m", "batch", "-o", "a.csv") == 0
    err = capsys.readouterr().err
    name = err.split("--resume ")[1].split(")")[0]
    assert len(server.sends("/v1/messages/batches")) == 1 and not server.sends()
    assert run(*words, "--ledger", "b", "--resume", name, "-o", "b.csv") == 0
    assert len(server.sends("/v1/messages/batches")) == 1 and not server.sends() and Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


@pytest.mark.http
def test_repeats_tell_the_judges_noise_and_are_paid_once(server, table, capsys):
    words = ("score", table, "-p", "plain", *PAID, "--repeats", "3", "--yes")
    assert run(*words) == 0 and len(server.sends()) == 9
    assert "judge noise over 3 repeats: 100.0% of 3 drafts" in capsys.readouterr().err
    assert run(*words) == 0 and len(server.sends()) == 9


@pytest.mark.http
def test_some_failed_rows_are_exit_code_3_and_told(server, table, capsys):
    server.plan = lambda entry: "refusal" if entry["n"] == 1 else None
    assert run("score", table, "-p", "plain", *PAID, "--retries", "0", "--workers", "1", "--yes", "-o", "out.csv") == 3
    out, err = capsys.readouterr()
    assert "1 drafts refused" in err
    made = rows_of("out.csv")
    assert sum(r["plain_fixed"] == "" for r in made) == 1 and sum(r["plain_amend"] == "" for r in made) == 1


@pytest.mark.http
@pytest.mark.parametrize("fault", ["401", "529", "spend cap"])
def test_a_judge_that_serves_nobody_is_exit_code_4_and_writes_nothing(server, table, fault, capsys):
    server.plan = lambda entry: {"401": "401", "529": "529", "spend cap": "spend_cap"}[fault]
    assert run("score", table, "-p", "plain", *PAID, "--retries", "0", "--yes", "-o", "out.csv") == 4
    out, err = capsys.readouterr()
    assert out == "" and "answered about none of 3 drafts" in err and not Path("out.csv").exists()


def test_no_server_at_all_is_exit_code_4(table, monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert run("score", table, "-p", "plain", *PAID, "--retries", "0", "--yes", "-o", "out.csv") == 4
    assert not Path("out.csv").exists()


@pytest.mark.http
def test_a_model_without_a_price_is_bad_input(server, table, capsys):
    assert run("score", table, "-p", "plain", *PAID, "--model", "claude-unheard-of", "--yes") == 2 and not server.sends()
    assert "claude-unheard-of" in capsys.readouterr().err


@pytest.mark.http
def test_a_cap_is_a_cap(server, table, capsys):
    assert run("score", table, "-p", "plain", *PAID, "--cap-usd", "0", "--yes") == 3 and not server.sends()
    assert "over the cap" in capsys.readouterr().err


# ---- the process as a shell sees it


def shell(*words, **options):
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.run([sys.executable, "-m", "amend_nb.cli", *map(str, words)], capture_output=True, text=True, env=env, timeout=120, **options)


def test_the_demo_makes_a_new_folder_each_time(tmp_path):
    first, second = shell("demo", cwd=tmp_path), shell("demo", "--json", cwd=tmp_path)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert {p.name for p in tmp_path.iterdir()} == {"amend-demo", "amend-demo-2"}
    assert {p.name for p in (tmp_path / "amend-demo").iterdir()} == {"demo.html", "scored.csv"}
    assert [r["pred_col"] for r in json.loads(second.stdout)][0] == "tidy" and "tidy" in first.stdout
    assert shell("demo", "--out", "amend-demo", cwd=tmp_path).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="a closed pipe is another error there")
def test_a_reader_that_stops_reading_is_no_error(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    read, write = os.pipe()
    os.close(read)     # like `amend-nb demo | head -0`
    words = [sys.executable, "-m", "amend_nb.cli", "demo"]
    try: made = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, cwd=tmp_path, env=env, timeout=120)
    finally: os.close(write)
    assert (made.returncode, made.stderr) == (141, b"")
    assert {p.name for p in (tmp_path / "amend-demo").iterdir()} == {"demo.html", "scored.csv"}


def test_the_commands_of_the_readme_print_what_it_says(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "amend_nb/data").mkdir(parents=True)
    (tmp_path / "amend_nb/data/demo.csv").write_bytes((ROOT / "amend_nb/data/demo.csv").read_bytes())
    told = re.findall(r"```sh\n([^`]*?)```\n\n((?:    .*\n)+)", text)
    assert len(told) == 3
    for commands, printed in told:
        for line in commands.splitlines():
            words = shlex.split(line)
            if words[0] == "echo":
                assert words[2] == ">"
                (tmp_path / words[3]).write_text(words[1] + "\n", encoding="utf-8")
            else: made = shell(*words[1:], cwd=tmp_path)
        shown = made.stdout.splitlines()
        wanted = [line.removeprefix("    ") for line in printed.splitlines()]
        assert made.returncode == 0 and [s.rstrip() for s in shown[:len(wanted)]] == wanted, (commands, shown)


def test_the_readme_says_which_norm_is_used_where_none_is_named(tmp_path, capsys):
    demo = str(ROOT / "amend_nb/data/demo.csv")
    assert run("measure", demo, "-p", "plain") == 0
    assert "0.6290" in capsys.readouterr().out
    assert {inspect.signature(f).parameters["norm"].default for f in (align, wer, cer)} == {None}
    assert inspect.signature(evaluate).parameters["norm"].default == "agentic"
    assert inspect.signature(Study.from_wide).parameters["norm"].default == "amend"


def test_help_names_the_exit_codes_and_a_narrow_console_can_show_it(tmp_path):
    assert "2 usage or bad input" in shell("--help", cwd=tmp_path).stdout
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    (tmp_path / "t.csv").write_text("spoken_text,intended_text,é\ncafé,Café.,cafe\n", encoding="utf-8")
    words = [sys.executable, "-m", "amend_nb.cli", "score", "t.csv", "-p", "é", "--judge", "rules"]
    made = subprocess.run(words, capture_output=True, cwd=tmp_path, env=env, timeout=120)
    assert made.returncode == 0, made.stderr


# ---- amend-nb measure


def test_measures_a_table_by_slices(capsys):
    Path("t.csv").write_text("clip,lang,reference,a,b\n1,en,one two three,one two tree,one two three\n"
                             "2,pt,um dois,um,um dois tres\n3,pt,,,x\n", encoding="utf-8")
    assert run("measure", "t.csv", "-p", "a", "b", "-m", "wer", "cer", "wip", "--json", "-o", "scores.csv") == 0
    found = {(r["arm"], r["measure"]): r for r in json.loads(capsys.readouterr().out)}
    assert (found["a", "wer"]["num"], found["a", "wer"]["den"], found["a", "wer"]["rate"]) == (2, 5, 0.4)
    assert found["b", "wer"]["num"] == 2 and found["b", "wer"]["empty"] == 1 and found["b", "wip"]["rate"] == 5 / 5 * (5 / 7)
    assert {r["measure"] for r in rows_of("scores.csv")} == {"wer", "cer", "hits", "precision"} and len(rows_of("scores.csv")) == 24
    assert run("measure", "t.csv", "-p", "a", "b", "--by", "lang") == 0
    out, err = capsys.readouterr()
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [["en", "b"], ["en", "a"], ["pt", "a"], ["pt", "b"]]
    assert "none@1" in err and "ties jiwer" in err and "1 clip with an empty reference" in err


def test_measures_a_long_table_and_all_norms_are_known(capsys):
    Path("l.csv").write_text("id,engine,hypothesis,reference\nx,a,Hello,hello\nx,b,hello,hello\n", encoding="utf-8")
    assert run("measure", "l.csv", "--arm-col", "engine", "--norm", "agentic", "--json") == 0
    assert [r["num"] for r in json.loads(capsys.readouterr().out)] == [0, 0]
    assert run("measure", "l.csv", "--arm-col", "engine", "--norm", "nope") == 2 and "agentic" in capsys.readouterr().err
    assert run("measure", "l.csv", "--arm-col", "engine", "-m", "nope") == 2 and "wer" in capsys.readouterr().err
    assert run("measure", "l.csv", "--arm-col", "engine", "--by", "nope") == 2 and "columns" in capsys.readouterr().err
    assert run("measure", "l.csv") == 2 and "--arm-col" in capsys.readouterr().err


TRANSCRIPTS = {
    "lines.txt": ("one two three\n\n", "one too three\nx\n"), "trn": ("one two three (c1)\n (c2)\n", "one too three (c1)\nx (c2)\n"),
    "stm": ("r 1 s 0.0 2.0 one two three\nr 1 s 2.0 3.0\n", "r 1 s 0.0 2.0 one too three\nr 1 s 2.0 3.0 x\n"),
    "srt": ("1\n00:00:00,000 --> 00:00:02,000\none two three\n", "1\n00:00:00,000 --> 00:00:02,000\none too three x\n"),
}


@pytest.mark.parametrize("kind", TRANSCRIPTS)
def test_measures_transcripts_as_other_tools_leave_them(kind, capsys):
    for name, text in zip(("ref", "hyp"), TRANSCRIPTS[kind], strict=True): Path(f"{name}.{kind.split('.')[-1]}").write_text(text, encoding="utf-8")
    suffix = kind.split(".")[-1]
    assert run("measure", f"ref.{suffix}", f"hyp.{suffix}", "-m", "substitutions", "insertions", "--json") == 0, capsys.readouterr()
    assert [(r["arm"], r["num"], r["den"]) for r in json.loads(capsys.readouterr().out)] == [("hyp", 1, 3), ("hyp", 1, 3)]


def test_folders_hold_an_arm_each_and_a_lost_clip_is_told(capsys):
    for folder, texts in {"ref": ("a b", "c"), "arms/x": ("a b", "d"), "arms/y": ("a",)}.items():
        Path(folder).mkdir(parents=True)
        for n, text in enumerate(texts): Path(folder, f"{n}.txt").write_text(text, encoding="utf-8")
    assert run("measure", "ref", "arms") == 2 and "--missing" in capsys.readouterr().err
    assert run("measure", "ref", "arms", "--missing", "empty", "--json") == 0
    assert {r["arm"]: r["num"] for r in json.loads(capsys.readouterr().out)} == {"x": 1, "y": 2}
    assert run("measure", "ref", "arms", "-p", "x") == 2 and "for a table" in capsys.readouterr().err


def test_terms_are_counted_from_a_file(capsys):
    Path("terms.txt").write_text("arquitetura\nfaculdade de arquitetura\tfac. de arquitetura\n\n", encoding="utf-8")
    Path("t.csv").write_text("reference,a\na faculdade de arquitetura fica na arquitetura,"
                             "a faculdade arquitetura fica na arquitectura\n", encoding="utf-8")
    assert run("measure", "t.csv", "-p", "a", "-m", "term_recall", "--terms", "terms.txt", "--json") == 0
    found = {r["item"]: (r["num"], r["den"]) for r in json.loads(capsys.readouterr().out)}
    assert found == {"": (1, 3), "arquitetura": (1, 2), "faculdade de arquitetura": (0, 1)}
    assert run("measure", "t.csv", "-p", "a", "-m", "term_recall") == 2 and "terms" in capsys.readouterr().err
    Path("terms.txt").write_text("a\na\n", encoding="utf-8")
    assert run("measure", "t.csv", "-p", "a", "-m", "wer", "--terms", "terms.txt") == 2 and "line 2" in capsys.readouterr().err


# ---- amend-nb evaluate


def log_of(path, *records): Path(path).write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")


def test_evaluates_a_correctors_log(capsys):
    shown = ["turn lift now please", "turn left now please"]
    log_of("l.jsonl", dict(reference="turn left now please", corrected="turn left now police", nbest=shown))
    assert run("evaluate", "l.jsonl") == 0 and "RIR" in capsys.readouterr().out
    assert run("evaluate", "l.jsonl", "--json", "--her-granularity", "token", "-o", "items.csv") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["wer_1best"], found["wer_oracle"], found["wer_corrected"], found["rir"], found["her"]) == (0.25, 0.0, 0.25, 0.0, 0.5)
    assert found["edits"]["helpful"] == found["edits"]["harmful"] == 1 and len(rows_of("items.csv")) == 1
    assert run("evaluate", "l.jsonl", "--json") == 0
    edits = json.loads(capsys.readouterr().out)["edits"]
    assert edits == {"granularity": "utterance", "helpful": 0, "harmful": 0, "neutral": 1, "no_edit": 0, "her": None}


def test_evaluates_other_keys_and_refuses_what_would_be_wrong(capsys):
    log_of("k.jsonl", dict(said="a b", fixed="a b", seen="a c"))
    assert run("evaluate", "k.jsonl", "--reference", "said", "--corrected", "fixed", "--onebest", "seen", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wer_1best"] == 0.5 and found["wer_corrected"] == 0.0 and found["wer_oracle"] is None and found["rir"] is None
    log_of("e.jsonl", dict(reference="a", corrected="a", nbest=[]))
    assert run("evaluate", "e.jsonl") == 2 and "line 1" in capsys.readouterr().err
    assert run("evaluate", "k.jsonl") == 2 and run("evaluate", "missing.jsonl") == 2 and run("evaluate", "k.jsonl", "--her-granularity", "word") == 2


# ---- what a terminal must say although it shows no table


def shifted(path):
    refs = ["water the plants tonight", "call the landlord about the lease", "the invoice is late again", "buy bread and olives",
            "move the meeting to noon", "ship the blue boxes first", "ask Maria for the keys", "the pump needs oil",
            "print two copies each", "close every window upstairs", "send him the final draft", "book a table by the door"]
    rows = [("spoken_text", "intended_text", "alfa", "beta")] + [(r, r, refs[k - 1], r + " x") for k, r in enumerate(refs)]
    with open(path, "w", encoding="utf-8", newline="") as f: csv.writer(f).writerows(rows)


def test_a_shifted_column_is_told_beside_the_figures(capsys):
    shifted("t.csv")
    assert run("score", "t.csv", "-p", "alfa", "beta", "--judge", "rules", "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) and "look at the table first: " in err and "alfa" in err
    assert run("measure", "t.csv", "-p", "alfa", "beta", "-i", "intended_text") == 0 and "look at the table first: " in capsys.readouterr().err


def test_a_clip_that_comes_twice_is_named_with_its_column_and_line(capsys):
    Path("d.csv").write_text("id,spoken_text,intended_text,p\n1,a,A,a\n2,b,B,b\n1,c,C,c\n", encoding="utf-8")
    assert run("score", "d.csv", "-p", "p", "--judge", "rules", "--clip-col", "id") == 2
    err = capsys.readouterr().err
    assert "line 4" in err and "'id'" in err and "line 2" in err
    log_of("l.jsonl", *[dict(clip="1", reference="a", corrected="a", onebest="b")] * 2)
    assert run("evaluate", "l.jsonl") == 2 and "'1'" in capsys.readouterr().err


@pytest.mark.parametrize("measures", [("wer", "case_errors"), ("wer", "error_kinds", "repeats"), ("case_errors",), ("cer", "wer_marked")])
def test_measures_of_all_rooms_stand_in_one_table(measures, capsys):
    Path("t.csv").write_text("clip,spk,reference,x\n1,A,a b,a b\n2,B,,\n3,A,,\n", encoding="utf-8")
    assert run("measure", "t.csv", "-p", "x", "-m", *measures) == 0
    err = capsys.readouterr().err
    assert "against reference" in err and "2 clips with an empty reference" in err
    assert run("measure", "t.csv", "-p", "x", "-m", *measures, "--by", "spk") == 0 and "2 clips with an empty reference" in capsys.readouterr().err


def test_arms_of_different_clips_and_measures_without_figures_are_told(capsys):
    for name in ("r.txt", "x.txt"): Path(name).write_text("u1 a\nu2 b\n", encoding="utf-8")
    Path("y.txt").write_text("u1 a\n", encoding="utf-8")
    words = ("measure", "r.txt", "x.txt", "y.txt", "--format", "kaldi", "--missing", "leave out")
    assert run(*words) == 0 and "different clips (x: 2, y: 1)" in capsys.readouterr().err
    for name in ("r.txt", "x.txt"): Path(name).write_text("u1 a\nu2 b\n", encoding="utf-8")
    assert run(*words, "-m", "punctuation_recall") == 0
    assert "punctuation_recall: no figure" in capsys.readouterr().err


def test_the_way_out_that_is_told_can_be_typed(capsys):
    Path("q.csv").write_text('spoken_text,intended_text,p\na,"A,a\n', encoding="utf-8")
    assert run("score", "q.csv", "-p", "p", "--judge", "rules") == 2 and "--quote none" in capsys.readouterr().err
    assert run("score", "q.csv", "-p", "p", "--judge", "rules", "--quote", "none") == 0


# ---- what a newcomer types


def refused(capsys, *words):
    "What a command that is refused says: nothing on standard output, exit code 2."
    code, (out, err) = run(*words), capsys.readouterr()
    assert code == 2 and out == "" and "Traceback" not in err
    return err


LOG = dict(id="c1", reference="a b", corrected="a b", nbest=["a c", "a b"], words="two", meta={"k": [1]})


def test_none_leaves_the_corrector_out_whatever_the_log_holds(capsys):
    log_of("with.jsonl", LOG)
    log_of("without.jsonl", {k: v for k, v in LOG.items() if k != "corrected"})
    chat = {k: v for k, v in LOG.items() if k != "corrected"} | {"messages": [{"role": "assistant", "content": "a b"}]}
    log_of("chat.jsonl", chat)
    told = refused(capsys, "evaluate", "without.jsonl")
    assert "--corrected none" in told and "None" not in told.split("pass")[1]
    made = []
    for name in ("with.jsonl", "without.jsonl", "chat.jsonl"):
        assert run("evaluate", name, "--corrected", "none", "--json", "-o", f"{name}.csv") == 0
        made.append(json.loads(capsys.readouterr().out))
        assert "corrected" not in rows_of(f"{name}.csv")[0]
    assert made[0] == made[1] == made[2]
    assert made[0]["wer_corrected"] is made[0]["rir"] is made[0]["her"] is None and made[0]["wer_1best"] == 0.5
    assert run("evaluate", "with.jsonl", "--json") == 0 and json.loads(capsys.readouterr().out)["rir"] == 1.0


def test_a_text_under_another_key_is_never_taken_from_the_usual_one(capsys):
    log_of("l.jsonl", {"reference": "a b", "corrected": "x y", "fixed": "a b", "nbest": ["x"], "lists": ["a c"]})
    assert run("evaluate", "l.jsonl", "--corrected", "fixed", "--nbest", "lists", "--json", "-o", "o.csv") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["wer_1best"], found["wer_corrected"]) == (0.5, 0.0) and rows_of("o.csv")[0]["corrected"] == "a b"


@pytest.mark.parametrize("granularity", ["utterance", "token"])
def test_written_rows_can_be_joined_back(granularity, capsys):
    log_of("l.jsonl", LOG, {**LOG, "id": "007", "reference": "A, b", "log_words": "x"}, {**LOG, "id": "c3", "words": None})
    assert run("evaluate", "l.jsonl", "--her", granularity, "-o", "o.csv") == 0
    made = rows_of("o.csv")
    assert [r["id"] for r in made] == ["c1", "007", "c3"] and list(made[0])[0] == "id"
    assert [r["words"] for r in made] == ["2"] * 3 and {"two"} == {r[k] for k in made[0] if k.endswith("log_words") for r in made[:2]} - {"", "x"}
    assert json.loads(made[0]["meta"]) == {"k": [1]} and made[1]["reference"] == "a b"
    assert run("evaluate", "l.jsonl", "-o", "o.jsonl") == 0 and json.loads(Path("o.jsonl").read_text(encoding="utf-8").split("\n")[2])["id"] == "c3"


@pytest.mark.parametrize("option", ["reference", "corrected", "nbest", "onebest"])
def test_a_key_that_no_record_has_is_told_with_those_there_are(option, capsys):
    log_of("l.jsonl", LOG)
    told = refused(capsys, "evaluate", "l.jsonl", f"--{option}", "referenz")
    assert "no key 'referenz'" in told and "there are 'id', 'reference'" in told and "did you mean 'reference'?" in told
    log_of("k.jsonl", {"truth": "a", "onebest": "a"})
    told = refused(capsys, "evaluate", "k.jsonl")
    assert "no key 'reference'" in told and "'truth'" in told and "--reference" in told


def test_evaluate_reads_no_spreadsheet_and_says_so(capsys):
    Path("m.csv").write_text("reference,corrected,onebest\na,a,a\n", encoding="utf-8")
    Path("m.xlsx").write_bytes(b"PK\x03\x04rest")
    for name in ("m.csv", "m.xlsx"):
        told = refused(capsys, "evaluate", name)
        assert "JSON Lines" in told and "Parquet" in told and "not CSV" in told


@pytest.mark.parametrize("words, told", [
    (("-p", "alfa"), ("'alfa' is missing", "did you mean 'alpha'?", "-r or -i")),
    (("-p", "alpha", "-r", "said"), ("'said' is missing", "-r or -i")),
    (("-p", "alpha", "-s", "said"), ("'said' is missing", "-s")),
    (("-p", "alpha", "--clip-col", "said"), ("'said' is missing", "--clip-col")),
    (("--arm-col", "said", "--clip-col", "clip"), ("'said' is missing", "--arm-col")),
    (("--arm-col", "alpha", "--clip-col", "clip"), ("'hypothesis' is missing", "--text-col")),
])
def test_a_column_that_the_table_lacks_is_told_with_its_option(words, told, capsys):
    Path("t.csv").write_text("clip,reference,alpha\n1,a,a\n", encoding="utf-8")
    err = refused(capsys, "measure", "t.csv", *words)
    assert all(t in err for t in (*told, "the table has 'clip', 'reference', 'alpha'")) and "df" not in err


@pytest.mark.parametrize("measure, told", [
    ("term_recall", "--terms FILE"), ("term_f1", "--terms FILE"), ("amend", "amend-nb score"), ("amend@0", "amend-nb score"),
    ("amend_capped", "amend-nb score"), ("fixes", "amend-nb score"), ("rir", "n-best lists: `amend-nb evaluate`"),
    ("her", "amend-nb evaluate"), ("wer_oracle", "amend-nb evaluate"), ("whr", "n-best lists"), ("field_exact", "Study.from_tidy"),
    ("werr", "did you mean 'wer'?"), ("WER", "did you mean 'wer'?"), ("punctuation_recal", "did you mean 'punctuation_recall'?"),
])
def test_a_measure_that_cannot_be_given_is_refused_with_the_way_to_it(measure, told, capsys):
    Path("t.csv").write_text("reference,a\nx y,x\n", encoding="utf-8")
    for names in ((measure,), ("wer", measure)):
        err = refused(capsys, "measure", "t.csv", "-p", "a", "-o", "o.csv", "-m", *names)
        assert told in err and f"--measures {measure}: " in err and "[…]" not in err and not Path("o.csv").exists()
        if "did you mean" in told: assert "cer" in err and not {"rir,", "amend,", "fixes,", "field_exact,"} & {*err.split()}


def test_every_measure_that_is_offered_can_be_given(capsys):
    Path("t.csv").write_text("reference,a\nCall Ana at 9.,call Anna at 9\n", encoding="utf-8")
    Path("terms.txt").write_text("Ana\n", encoding="utf-8")
    offered = refused(capsys, "measure", "t.csv", "-p", "a", "-m", "zzz").strip().split("there are ")[1].split(", ")
    assert len(offered) > 20
    assert run("measure", "t.csv", "-p", "a", "--terms", "terms.txt", "-m", *offered, "--json") == 0
    assert {r["measure"] for r in json.loads(capsys.readouterr().out)} == {*offered}


def test_measures_of_lists_are_given_where_a_long_table_has_them(capsys):
    log_of("l.jsonl", dict(id="1", engine="a", hypothesis="a b", reference="a b", nbest=["a c", "a b"]))
    assert run("measure", "l.jsonl", "--arm-col", "engine", "-m", "wer_oracle", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["rate"] == 0.0


@pytest.mark.parametrize("name", ["reference.trn", "r.stm", "r.ctm", "r.srt", "r.vtt", "r.txt", "r.trn.gz", "folder"])
def test_one_transcript_alone_is_no_table(name, capsys):
    Path("folder").mkdir()
    if name != "folder": Path(name).write_text("a b (c1)\n", encoding="utf-8")
    told = refused(capsys, "measure", name)
    assert "name after it what the arms wrote" in told and f"amend-nb measure {name} " in told


def test_a_table_may_be_called_txt_and_a_format_is_for_transcripts(capsys):
    Path("t.txt").write_text("reference\ta\nx y\tx\n", encoding="utf-8")
    assert run("measure", "t.txt", "-p", "a", "--json") == 0 and json.loads(capsys.readouterr().out)[0]["rate"] == 0.5
    assert "name after it what the arms wrote" in refused(capsys, "measure", "t.txt", "-p", "a", "--format", "kaldi")
    assert "no such file" in refused(capsys, "measure", "lost.trn")


@pytest.mark.parametrize("typed, told", [("gone.csv", None), ("a.csv", None), ("results.csv", None), ("score.csv", "scored.csv"),
                                         ("scored.tsv", "scored.csv"), ("Scored.csv", "scored.csv"), ("scroed.csv", "scored.csv"),
                                         ("drafts.csv", "draft.jsonl")])
def test_another_file_is_named_only_where_it_is_alike(typed, told, capsys):
    for name in ("scored.csv", "b.csv", "draft.jsonl", ".hidden"): Path(name).write_text("x,y\n1,2\n", encoding="utf-8")
    if Path(typed).exists(): pytest.skip("a file system that does not tell capitals apart")
    err = refused(capsys, "measure", typed, "-p", "x")
    assert "no such file" in err and (f"did you mean {told!r}?" if told else "is the folder right?") in err
