"""Judge and metric together, the study on the desk, and the command line as a user types it."""
import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from amend_nb import (
    BadTable,
    Study,
    Verdict,
    get_judge,
    read_table,
    score,
    score_arrays,
    score_dataframe,
    summary_table,
)

ROOT = Path(__file__).resolve().parents[1]
ROWS = [("the wait was long", "The wait was long.", "the weight was long", "The wait was long."),
        ("call me at noon", "Call me at noon.", "call me at noon", "Call me in June."), ("hello", "Hello", "", "007")]
DF = pd.DataFrame(ROWS, columns=["spoken_text", "intended_text", "plain", "bold"])


class Copier:
    name = "copier"
    def __init__(self, fails=()): self.fails, self.sent = fails, []
    def fix_many(self, items, mode="sync"):
        self.sent += list(items)
        return [Verdict(None, "refused") if p in self.fails else Verdict(i) for p, i, _ in items]


def test_names_columns_and_empty_cells_of_failed_drafts():
    before = DF.copy()
    judge = Copier(fails=("007",))
    out = score_dataframe(DF, ["plain", "bold"], judge=judge)
    pd.testing.assert_frame_equal(DF, before)
    assert list(out.columns[4:]) == [f"{c}_{x}" for c in ("plain", "bold") for x in ("fixed", "edits", "chars", "amend")]
    assert out.loc[0, "plain_edits"] == 3 and out.loc[0, "plain_chars"] == 17 and out.loc[0, "plain_amend"] == pytest.approx(3 / 17)
    assert out.loc[2, ["bold_fixed", "bold_edits", "bold_chars", "bold_amend"]].isna().all()
    assert len(set(judge.sent)) == 4 and judge.sent[4:] == [judge.sent[3]] * 3    # the failed one went out again, three times
    table = summary_table(out, ["plain", "bold"]).set_index("pred_col")
    assert table.loc["bold", ["rows", "failed"]].tolist() == [2, 1] and table.loc["bold", "AMEND@0"] == 0.5
    assert table.loc["plain", "char_edits"] == 3 + 0 + 5 and table.loc["plain", "chars"] == 17 + 15 + 5


def test_nothing_scored_is_nothing_not_nought():
    out = score_dataframe(DF.iloc[[2]], "bold", judge=Copier(fails=("007",)))
    row = summary_table(out, "bold").iloc[0]
    assert row["rows"] == 0 and row["failed"] == 1 and pd.isna(row["AMEND"]) and pd.isna(row["AMEND@0"])


def test_one_and_many():
    assert score("abc", "", "", judge=Copier()) == dict(pred="abc", fixed="", edits=3, chars=0, amend=1.0)
    assert score_arrays([], [], [], judge=Copier()) == []
    with pytest.raises(ValueError, match="unequal"): score_arrays(["a"], ["b", "c"], ["d"], judge=Copier())
    with pytest.raises(TypeError): score_arrays("a", "b", "c", judge=Copier())
    with pytest.raises(ValueError, match="v1"): score("a", "b", "c", version="v7", judge=Copier())


def test_no_judge_no_key_names_the_embedded_one(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"): monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match='judge="rules"'): score("a", "b", "c")


@pytest.mark.parametrize("df, cols", [(DF, "nope"), (DF, []), (DF, ["plain", "plain"]), (DF.assign(plain_fixed="x"), "plain"),
                                      (DF.assign(plain=[None, "a", "b"]), "plain"), (DF.assign(plain=[float("nan"), "a", "b"]), "plain")])
def test_bad_tables_are_refused(df, cols):
    with pytest.raises((ValueError, TypeError)): score_dataframe(df, cols, judge=Copier())


def test_all_columns_are_judged_in_one_run_and_equal_drafts_once():
    class Runs(Copier):
        runs = 0
        def fix_many(self, items, mode="sync"):
            self.runs += 1
            return super().fix_many(items, mode)
    judge = Runs()
    df = pd.concat([DF.assign(third=DF["plain"])] * 3)
    out = score_dataframe(df, ["plain", "bold", "third"], judge=judge)
    assert judge.runs == 1 and len(judge.sent) == len(set(judge.sent)) == 4
    assert out.index.tolist() == [0, 1, 2] * 3 and out["plain_edits"].tolist() == out["third_edits"].tolist() == [3, 0, 5] * 3
    assert [str(out[f"bold_{x}"].dtype) for x in ("edits", "chars", "amend")] == ["Int64", "Int64", "Float64"]
    for x in ("fixed", "edits", "chars", "amend"): assert out[f"plain_{x}"].tolist() == out[f"third_{x}"].tolist()


def test_failed_drafts_go_out_again_in_sync():
    class Slow(Copier):
        def fix_many(self, items, mode="sync"):
            self.modes = [*getattr(self, "modes", []), (mode, len(items))]
            return [Verdict(None, "overloaded") if p in self.fails and len(self.modes) < 3 else Verdict(i) for p, i, _ in items]
    texts = ["a", "b", "c"], ["x", "y", "z"], ["", "", ""]
    judge = Slow(fails=("a", "c"))
    assert [r["edits"] for r in score_arrays(*texts, mode="batch", judge=judge)] == [1, 1, 1]
    assert judge.modes == [("batch", 3), ("sync", 2), ("sync", 2)]
    never = Slow(fails=("a", "c"))
    rows = score_arrays(*texts, judge=never, retries=1)
    assert [r["edits"] for r in rows] == [None, 1, None] and len(never.modes) == 2
    assert rows[0] == dict(pred="a", fixed=None, edits=None, chars=None, amend=None)
    for bad in (-1, 1.5, True, None):
        with pytest.raises(ValueError, match="retries"): score_arrays(*texts, judge=never, retries=bad)


def test_figures_on_common_rows_only():
    out = score_dataframe(DF, ["plain", "bold"], judge=Copier(fails=("007", "the weight was long")))
    whole, common = (summary_table(out, ["plain", "bold"], common=c).set_index("pred_col") for c in (False, True))
    assert whole["rows"].to_dict() == {"plain": 2, "bold": 2} and common["rows"].to_dict() == {"plain": 1, "bold": 1}
    assert whole["failed"].to_dict() == common["failed"].to_dict() == {"plain": 1, "bold": 1}
    assert common.loc["plain", "chars"] == common.loc["bold", "chars"] == 15 and common.loc["bold", "char_edits"] == 6
    with pytest.raises(ValueError, match="score_dataframe"): summary_table(DF, "plain")


def test_lowest_amend_first_and_nothing_scored_last():
    df = DF.assign(none="007 none")
    out = score_dataframe(df, ["none", "bold", "plain"], judge=Copier(fails=("007 none",)))
    assert summary_table(out, ["none", "bold", "plain"])["pred_col"].tolist()[-1] == "none"
    rates = summary_table(out, ["bold", "plain"])["AMEND"].tolist()
    assert rates == sorted(rates)


@pytest.fixture
def model(monkeypatch):
    "A stand-in for the room that asks a model, which notes what it is made with."
    made, room = [], ModuleType("amend_nb.claude")

    class ClaudeJudge(Copier):
        def __init__(self, **options):
            super().__init__()
            made.append(options)
    room.ClaudeJudge = ClaudeJudge
    monkeypatch.setitem(sys.modules, "amend_nb.claude", room)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"): monkeypatch.delenv(name, raising=False)
    return made


def test_a_key_or_a_client_is_enough_for_the_model(model, monkeypatch):
    assert score("a", "b", "c", client="mine")["fixed"] == "b"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    assert score("a", "b", "c", retries=1, effort="low")["fixed"] == "b"
    assert score("a", "b", "c", judge="replay")["fixed"] == "b"
    assert model == [dict(version="v1", retries=3, client="mine"), dict(version="v1", retries=1, effort="low"),
                     dict(version="v1", retries=3, mode="replay")]


def test_the_model_is_told_which_columns_go_out(model):
    score_dataframe(DF, ["plain", "bold"], judge="claude", client="mine")
    assert model == [dict(version="v1", retries=3, client="mine", columns=("plain", "bold", "intended_text", "spoken_text"))]


def test_no_judge_stands_in_for_another(model, monkeypatch):
    with pytest.raises(ValueError, match='judge="rules"'): score("a", "b", "c")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    with pytest.raises(ValueError, match='judge="rules"'): score("a", "b", "c")
    assert model == []
    for judge, options, kind, words in (
            ("oracle", {}, ValueError, "'rules', 'claude', 'replay'"), (Copier(), dict(effort="low"), TypeError, "effort"),
            (Copier, {}, TypeError, "fix_many"), (7, {}, TypeError, "fix_many")):
        with pytest.raises(kind, match=words): score("a", "b", "c", judge=judge, **options)
    other = Copier()
    other.version = "v2"
    with pytest.raises(ValueError, match="v2"): score("a", "b", "c", judge=other)
    assert score("a", "b", "c", judge="rules", language="en")["edits"] == 1


@pytest.mark.parametrize("arrays", [("a", ["b"], ["c"]), (["a"], 7, ["c"]), (["a"], ["b"], None), (["a"], ["b"], b"c")])
def test_what_is_no_list_of_drafts(arrays):
    with pytest.raises(TypeError, match="expected a list of texts"): score_arrays(*arrays, judge=Copier())


def test_any_kind_of_list_will_do():
    series = [pd.Series(t, index=[7]) for t in ("a", "b", "c")]
    made = [score_arrays(*lists, judge=Copier()) for lists in (series, [("a",), ("b",), ("c",)], [iter("a"), iter("b"), iter("c")])]
    assert made[0] == made[1] == made[2] and made[0][0]["edits"] == 1


def test_a_bad_cell_is_named_by_column_and_row():
    df = DF.assign(plain=["a", float("nan"), "b"]).set_axis(["x", "y", "z"])
    with pytest.raises(TypeError, match="column 'plain', row 'y': nan"): score_dataframe(df, "plain", judge=Copier())


def test_a_study_never_changes():
    study = Study.from_wide(DF, arms=["plain", "bold"], reference="intended_text", spoken="spoken_text")
    judged = study.judge("rules")
    assert len(study.verdicts) == 0 and len(judged.verdicts) == 6 and type(judged) is Study
    assert judged.summary()["arm"].tolist() == ["plain", "bold"]
    scores = judged.scores()
    assert list(scores.columns) == ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den", "note"]
    assert scores["num"].dtype == "Int64"
    wer = scores[(scores["measure"] == "wer") & (scores["arm"] == "plain")]
    figures = study.summary().set_index("arm").loc["plain"]
    assert int(wer["num"].sum()) == figures["S"] + figures["D"] + figures["I"]
    assert not judged.scores("wer", against="spoken").equals(judged.scores("wer"))
    with pytest.raises(ValueError): study.scores("bleu")
    with pytest.raises(ValueError, match="no such clip"): study.view("99")
    with pytest.raises(ValueError, match="spoken"): Study.from_wide(DF, arms=["plain"], reference="intended_text").judge("rules")


def test_report_is_never_written_over(tmp_path):
    study = Study.from_wide(DF, arms=["plain", "bold"], reference="intended_text", spoken="spoken_text").judge("rules")
    page = study.report(tmp_path / "r.html")
    assert "Content-Security-Policy" in page.read_text(encoding="utf-8")
    with pytest.raises(FileExistsError): study.report(tmp_path / "r.html")


def amend_nb(*words, cwd, **env):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"): env.pop(name, None)
    return subprocess.run([sys.executable, "-m", "amend_nb.cli", *words], cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture
def table(tmp_path):
    DF.assign(id=["007", "NA", "null"]).to_csv(tmp_path / "drafts.csv", index=False)
    return tmp_path


def test_demo_leaves_a_page_and_a_table(tmp_path):
    first, second = amend_nb("demo", cwd=tmp_path), amend_nb("demo", cwd=tmp_path)
    assert first.returncode == second.returncode == 0, first.stderr
    for folder in ("amend-demo", "amend-demo-2"): assert {p.name for p in (tmp_path / folder).iterdir()} == {"demo.html", "scored.csv"}
    rows = list(csv.DictReader((tmp_path / "amend-demo/scored.csv").open(encoding="utf-8")))
    assert len(rows) >= 52 and sum(r["source"] == "recognised" for r in rows) >= 12 and {r["language"] for r in rows} == {"en", "pt", "es"}
    assert "AMEND@0" in first.stdout and "rules" in first.stdout


def test_score_writes_what_was_promised(table):
    run = amend_nb("score", "drafts.csv", "-p", "plain", "bold", "--judge", "rules", "-o", "out.csv", "--report", "r.html", cwd=table)
    assert run.returncode == 0, run.stderr
    out = read_table(table / "out.csv")
    assert out["id"].tolist() == ["007", "NA", "null"] and len(out.columns) == 5 + 8
    assert run.stdout.split()[:7] == ["pred_col", "rows", "failed", "char_edits", "chars", "AMEND", "AMEND@0"]
    limited = amend_nb("score", "drafts.csv", "-p", "plain", "--judge", "rules", "-o", "two.csv", "--limit", "2", "--json", cwd=table)
    assert json.loads(limited.stdout)[0]["rows"] == 2 and len(read_table(table / "two.csv")) == 2


@pytest.mark.parametrize("words", [
    ["score", "drafts.csv"], ["score", "nope.csv", "-p", "plain", "--judge", "rules"], ["score", "drafts.csv", "-p", "nope", "--judge", "rules"],
    ["score", "drafts.csv", "-p", "plain"], ["score", "drafts.csv", "-p", "plain", "--judge", "oracle"],
    ["score", "drafts.csv", "-p", "plain", "--judge", "rules", "-v", "v9"],
    ["score", "drafts.csv", "-p", "plain", "--judge", "rules", "--limit", "0"],
    ["score", "drafts.csv", "-p", "plain", "--judge", "rules", "-o", "drafts.csv", "--force"], ["shout"],
    ["score", "drafts.csv", "-p", "plain", "--judge", "rules", "-o", "a.csv", "--report", "a.csv"],
    ["score", "drafts.csv", "-p", "plain", "--judge", "rules", "-o", "no/such/folder.csv"]])
def test_bad_usage_is_exit_2_and_writes_nothing(table, words):
    before = {p: p.read_bytes() for p in table.iterdir()}
    run = amend_nb(*words, cwd=table)
    assert run.returncode == 2 and "Traceback" not in run.stderr and run.stderr.strip()
    assert {p: p.read_bytes() for p in table.iterdir()} == before


def test_an_existing_output_needs_force(table):
    (table / "out.csv").write_text("mine")
    words = ["score", "drafts.csv", "-p", "plain", "--judge", "rules", "-o", "out.csv"]
    assert amend_nb(*words, cwd=table).returncode == 2 and (table / "out.csv").read_text() == "mine"
    assert amend_nb(*words, "--force", cwd=table).returncode == 0 and len(read_table(table / "out.csv")) == 3


def test_a_poor_console_gets_what_it_can_show(tmp_path):
    pd.DataFrame([("a", "b", "c")], columns=["spoken_text", "intended_text", "✓→İ😀"]).to_csv(tmp_path / "d.csv", index=False)
    run = amend_nb("score", "d.csv", "-p", "✓→İ😀", "--judge", "rules", "-o", "o.csv", cwd=tmp_path, PYTHONIOENCODING="cp1252")
    assert run.returncode == 0, run.stderr
    assert "✓→İ😀_fixed" in read_table(tmp_path / "o.csv").columns


def test_bad_table_is_a_value_error(): assert issubclass(BadTable, ValueError)


def test_real_recognisers_end_to_end(shared, tmp_path):
    "VoxPopuli, long form: five recognisers through reading, alignment and report; sums equal to what peers measured."
    expected = json.loads((shared / "data/en_voxpopuli_5engines/expected.json").read_text(encoding="utf-8"))["peer_measured"]
    df = read_table(shared / "data/en_voxpopuli_5engines/pairs.csv")
    for norm, name in (("none", "raw_whitespace"), ("whisper-english", "whisper_english_normalizer")):
        study = Study.from_long(df[["id", "engine", "reference", "hypothesis"]], norm=norm)
        for row in study.summary().to_dict("records"):
            want = expected["values"][row["arm"]][name]
            got = (row["clips"], row["words"], row["S"], row["D"], row["I"])
            assert got == tuple(want[k] for k in ("n_utt", "ref_words", "substitutions", "deletions", "insertions")), (row["arm"], name)
    page = study.report(tmp_path / "voxpopuli.html")
    assert page.stat().st_size <= 3_000_000


def test_one_file_has_one_figure_whoever_scores_it(tmp_path):
    path, arms = ROOT / "amend_nb/data/demo.csv", ["plain", "tidy", "bold"]
    run = amend_nb("score", str(path), "-p", *arms, "-i", "reference", "-s", "spoken", "--judge", "rules", "--json", cwd=tmp_path)
    typed = {r["pred_col"]: r["char_edits"] for r in json.loads(run.stdout)}
    df = read_table(path)
    study = Study.from_wide(df, arms=arms, spoken="spoken").judge("rules").summary().set_index("arm")["edits"].to_dict()
    frame = summary_table(score_dataframe(df, arms, "reference", "spoken", judge="rules"), arms).set_index("pred_col")["char_edits"].to_dict()
    assert typed == study == frame


def test_a_column_that_is_like_no_other_is_named():
    with pytest.raises(BadTable, match="no such column"): Study.from_wide(DF, arms=["plain"], reference="zzz")
    with pytest.raises(ValueError, match="-i"): score_dataframe(DF.rename(columns={"intended_text": "x"}), "plain", judge=Copier())
    with pytest.raises(ValueError, match="mode"): Study.from_wide(DF, arms=["plain"], reference="intended_text",
                                                                 spoken="spoken_text").judge("rules", mode="foo")


def test_an_option_that_a_judge_does_not_take_is_named_with_those_it_takes():
    for call in (lambda: score("a", "b", "c", judge="rules", nope=2), lambda: get_judge("replay", nope=2)):
        with pytest.raises(TypeError, match=r"takes no option nope: it knows (language|model, effort)"): call()


def test_a_language_that_the_rules_do_not_know_is_named_with_its_row():
    df = DF.assign(language=["en"] * (len(DF) - 1) + ["fr"])
    with pytest.raises(ValueError, match=rf"row {len(DF) - 1}: language 'fr'"): score_dataframe(df, ["plain"], judge="rules")
    assert len(score_dataframe(df, ["plain"], judge="rules", language="en")) == len(DF)
