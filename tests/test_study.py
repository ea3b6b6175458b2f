"""A study: scores are counts, summaries are sums of them, nothing changes what it holds."""
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from amend_nb import (
    BadTable,
    Study,
    Tables,
    Verdict,
    align,
    cer,
    char_edits,
    figures,
    get_measure,
    read_table,
    report_clips,
    wil,
)
from amend_nb.study import _MEASURING

ROOT = Path(__file__).resolve().parents[1]

WORDS = ["substitutions", "deletions", "insertions", "wer"]


def small(**more):
    return pd.DataFrame({"clip": ["a", "b", "c"], "reference": ["The wait was fifteen minutes.", "Meet at 4.", ""],
                         "spoken": ["the wait was um fifteen minutes", "meet at three no wait at four", ""],
                         "x": ["the weight was 15 minutes", "meet at three no wait at four", "hello there"],
                         "y": ["The wait was 50 minutes.", "Meet at 3.", ""], **more})


class Echo:
    "A judge that takes every draft as it is, but fails on those that hold a word."
    name = "echo"
    def __init__(self, fails="hello", repeat=0): self.fails, self.repeat, self.seen = fails, repeat, []
    def fix_many(self, items, mode="sync"):
        self.seen += items
        return [Verdict(None, "refused", judge=self.name, repeat=self.repeat) if self.fails in p
                else Verdict(p, judge=self.name, repeat=self.repeat) for p, _, _ in items]


def study(**more): return Study.from_wide(small(**more), arms=["x", "y"])


def test_scores_are_counts_of_the_alignment():
    for norm in ("none", "amend"):
        for ties in ("jiwer", "hits", "diagonal"):
            s = Study.from_wide(small(), arms=["x", "y"], norm=norm)
            rows = s.scores(WORDS, ties=ties)
            assert rows.columns.tolist() == ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den", "note"] and len(rows) == 24
            got = {(r.clip, r.arm, r.measure): (r.num, r.den) for r in rows.itertuples()}
            for clip, ref, *texts in small()[["clip", "reference", "x", "y"]].itertuples(index=False):
                for arm, text in zip("xy", texts, strict=True):
                    a = align(ref, text, norm, ties=ties)
                    c = a.counts
                    counts = (c.substitutions, c.deletions, c.insertions, c.errors)
                    assert [got[clip, arm, m] for m in WORDS] == [(n, c.reference_length) for n in counts]
                    assert set(rows["basis"]) == {f"{a.norm_id} | {ties} | word against reference |  | "}
    assert (rows.loc[rows["clip"] == "c", "note"] == "empty reference").all()


def test_any_measure_can_be_asked_for_by_its_name():
    "Those of the rooms below and of later rooms, which are loaded when they are asked for; derived ones give the rows of their parts."
    judged = study().judge("rules")
    names = known_measures()
    assert {"wer", "cer", "mer", "ser", "wip", "wil", "wer_mixed", "wer_joined", "spacing", "amend", "amend@0", "amend_blocks", "fixes"} <= set(names)
    for name in {*WORDS, "cer", "mer", "ser", "wip", "wil", "hits", "precision", "wer_mixed", "wer_joined", "spacing", "amend_case", "fixes"}:
        rows = judged.scores(name)
        assert list(rows) == ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den", "note"]
        assert set(rows["measure"]) == set(get_measure(name).parts or (name,)) and rows["basis"].str.count(r" \| ").eq(4).all()
    both = judged.scores(["wil", "amend", "cer", "amend_blocks"])
    assert set(both["measure"]) == {"hits", "precision", "amend", "cer", "amend_blocks"}
    assert not both.duplicated(["clip", "arm", "measure", "item", "basis", "repeat"]).any()
    made = figures(judged.scores(["cer", "wil"])).set_index(["arm", "measure"])["rate"]
    for arm in "xy":
        refs, hyps = small()["reference"].tolist(), small()[arm].tolist()
        assert made[arm, "cer"] == cer(refs, hyps, "amend") and made[arm, "wil"] == wil(refs, hyps, "amend")


def test_every_room_that_registers_measures_is_loaded():
    rooms = {p.stem for p in ROOT.glob("amend_nb/*.py") if not p.stem.startswith("_") and "register_measure(" in p.read_text(encoding="utf-8")}
    assert rooms == {*_MEASURING, "measures", "study"}


def known_measures():
    "What an unknown name is told."
    with pytest.raises(ValueError, match="known measures are") as error: study().scores("bleu")
    return str(error.value).rpartition("known measures are ")[2].split(", ")


def test_an_unknown_name_lists_the_measures_of_rooms_not_loaded_yet():
    code = ("import pandas as pd; from amend_nb import Study\n"
            "try: Study.from_wide(pd.DataFrame({'reference': ['a'], 'x': ['a']}), arms=['x']).scores('bleu')\n"
            "except ValueError as e: print(e)")
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(told.strip().rpartition("known measures are ")[2].split(", ")) == set(known_measures()) and "'bleu'" in told


def test_words_against_what_was_spoken_say_so():
    rows = study().scores("wer", against="spoken")
    assert set(rows["measure"]) == {"wer"} and rows["basis"].str.contains("word against spoken").all()
    assert rows.loc[(rows["clip"] == "b") & (rows["arm"] == "x"), "num"].tolist() == [0]
    assert set(study().summary(against="spoken")["against"]) == {"spoken"} and set(study().summary()["against"]) == {"reference"}
    with pytest.raises(ValueError, match="reference"): Study.from_wide(small().drop(columns="spoken"), arms=["x"]).scores(against="spoken")
    with pytest.raises(ValueError, match="against='clip'"): study().scores(against="clip")


def test_the_summary_is_a_sum():
    s = study()
    rows, table = s.scores(WORDS), s.summary().set_index("arm")
    for arm, part in rows.groupby("arm"):
        sums = part.groupby("measure")[["num", "den"]].sum()
        assert table.loc[arm, ["S", "D", "I"]].tolist() == [sums.loc[m, "num"] for m in WORDS[:3]]
        assert table.loc[arm, "words"] == sums.loc["wer", "den"] and table.loc[arm, "WER"] == sums.loc["wer", "num"] / sums.loc["wer", "den"]
    assert table["empty"].tolist() == [1, 1] and table["clips"].tolist() == [3, 3] and table.index.tolist() == ["y", "x"]
    only = Study.from_wide(small().tail(1), arms=["x", "y"]).summary()
    assert only["WER"].isna().all() and only.set_index("arm")["I"].to_dict() == {"x": 2, "y": 0}


def test_by_slices():
    s = study(topic=["p", "q", "p"], cluster=["s1", "s1", "s2"])
    table = s.summary(by="topic")
    assert table[["topic", "arm"]].to_numpy().tolist() == [["p", "y"], ["p", "x"], ["q", "y"], ["q", "x"]]
    assert table["words"].sum() == s.summary()["words"].sum()
    assert len(s.summary(by=["topic", "cluster"])) == 6 and len(s.summary(by="clip")) == 6
    for by in ("speaker", ["topic", "arm"]):
        with pytest.raises(ValueError, match="the clips have the columns"): s.summary(by=by)
    missing = study(topic=["p", None, "p"]).summary(by="topic")
    assert len(missing) == 4 and missing["topic"].isna().sum() == 2


def test_judging_gives_a_new_study():
    s, judge, again = study(), Echo(), Echo()
    judged = s.judge(judge, retries=0)
    s.judge(again)
    assert len(again.seen) == len(judge.seen) + 3  # the one draft that fails goes out three times more
    assert len(s.verdicts) == 0 and len(judged.verdicts) == 6 and type(judged) is Study
    assert len(judge.seen) == len(set(judge.seen)) <= 6 and judge.seen[0][1:] == ("The wait was fifteen minutes.", "the wait was um fifteen minutes")
    table = judged.summary().set_index("arm")
    assert table.loc["x", ["clips", "failed", "edits"]].tolist() == [3, 1, 0] and table.loc["x", "AMEND"] == 0 and table.loc["x", "AMEND@0"] == 1
    rows = judged.scores("amend")
    failed = rows[rows["num"].isna()]
    assert failed["note"].tolist() == ["refused"] and failed["den"].isna().all()
    with pytest.raises(ValueError, match="verdicts"): s.scores("amend")


def test_verdicts_of_several_judges_and_repeats_stand_beside_each_other():
    judged = study().judge("rules").judge(Echo()).judge(Echo(repeat=1)).judge(Echo(fails="minutes"))
    assert judged.verdicts.groupby(["judge", "repeat"]).size().to_dict() == {("rules", 0): 6, ("echo", 0): 6, ("echo", 1): 6}
    table = judged.summary()
    assert len(table) == 6 and table.loc[(table["judge"] == "echo") & (table["repeat"] == 0), "failed"].sum() == 2
    rules = study().judge("rules")
    fixed = {(v.clip, v.arm): v.fixed for v in rules.verdicts.itertuples()}
    texts = {(d.clip, d.arm): d.text for d in rules.drafts.itertuples()}
    edits, chars = map(sum, zip(*(char_edits(texts[k], fixed[k]) for k in fixed if k[1] == "y"), strict=True))
    row = rules.summary().set_index("arm").loc["y"]
    assert (row["edits"], row["chars"], row["AMEND"]) == (edits, chars, edits / chars)


def test_only_what_all_arms_have():
    s = study()
    some = Study.from_tidy(s.clips, s.drafts[~((s.drafts["clip"] == "a") & (s.drafts["arm"] == "y"))])
    assert some.summary().set_index("arm")["clips"].to_dict() == {"x": 3, "y": 2}
    table = some.summary(common=True).set_index("arm")
    assert table["clips"].to_dict() == {"x": 2, "y": 2} and table["words"].to_dict() == {"x": 3, "y": 3}
    judged = s.judge(Echo()).judge("rules")
    table = judged.summary(common=True)
    assert table["clips"].tolist() == [2] * 4 and table["failed"].tolist() == [0] * 4
    assert judged.summary(measure="wer").equals(s.summary()) and s.summary(common=True).equals(s.summary())
    with pytest.raises(ValueError, match="'amend' or 'wer'"): s.summary(measure="cer")
    with pytest.raises(ValueError, match="verdicts"): s.summary(measure="amend")
    with pytest.raises(ValueError, match="study: it has no drafts"): Study.from_wide(small().head(0), arms=["x"]).summary(common=True)


def test_drafts_without_a_verdict_are_counted():
    s = study()
    one = s.with_verdicts(pd.DataFrame([dict(clip="a", arm="x", judge="me", fixed="the wait was 15 minutes")]))
    table = one.summary().set_index("arm")
    assert table["failed"].to_dict() == {"x": 2, "y": 3} and pd.isna(table.loc["y", "AMEND"]) and pd.isna(table.loc["y", "AMEND@0"])
    assert set(one.scores("amend@0")["note"]) == {"", "not judged"}


def test_languages_are_told_to_the_embedded_judge():
    df = pd.DataFrame({"clip": ["a", "b"], "reference": ["São dois.", "They are two."], "spoken": ["são dois", "they are two"],
                       "x": ["São 2.", "They are 2."], "language": ["pt-BR", ""]})
    assert Study.from_wide(df, arms=["x"]).judge("rules").summary()["edits"].tolist() == [0]


def test_what_is_refused():
    with pytest.raises(ValueError, match="did you mean 'amend'"): Study.from_wide(small(), arms=["x"], norm="ammend")
    with pytest.raises(ValueError, match="spoken="): Study.from_wide(small().drop(columns="spoken"), arms=["x"]).judge("rules")
    with pytest.raises(ValueError, match="bleu"): study().scores(["wer", "bleu"])
    with pytest.raises(ValueError, match="rules"): study().judge("rule")
    with pytest.raises(ValueError, match="no such clip"): study().view("z")
    with pytest.raises(AttributeError): study().norm = "none"
    with pytest.raises(BadTable): Study.from_wide(small(clip=["a", "a", "c"]), arms=["x"])


def test_a_study_without_clips_or_drafts():
    empty = Study.from_wide(small().head(0), arms=["x"])
    assert empty.scores().empty and empty.check().empty
    for part in (empty, empty.judge("rules")):
        for call in (part.summary, lambda part=part: part.summary(measure="wer"), lambda part=part: part.report("r.html")):
            with pytest.raises(ValueError, match="study: it has no drafts, and so no figures"): call()
    with pytest.raises(ValueError, match="no clips"): empty.view()


def test_a_whole_number_is_the_id_of_its_digits():
    s = Study.from_wide(small().assign(clip=[1, 7, 12]), arms=["x"], clip="clip")
    assert str(s.view(7)) == str(s.view("7")) and [c.clip for c in report_clips(s, [12, "1"])] == ["1", "12"]
    for clip, error, says in ((2, ValueError, "clip='2': there is no such clip; the first are '1', '7', '12'"),
                              (7.0, TypeError, "clip=7.0: expected the id"),
                              (True, TypeError, "clip=True"), (["1"], TypeError, r"clip=\['1'\]")):
        with pytest.raises(error, match=says): s.view(clip)
    with pytest.raises(ValueError, match=r"clips\[1\]='3': there is no such clip"): report_clips(s, ["1", 3])
    with pytest.raises(TypeError, match="clips='1': expected a list of ids"): report_clips(s, "1")
    named = Study.from_wide(small().assign(clip=["anna-1", "anna-2", "ben"]), arms=["x"], clip="clip")
    with pytest.raises(ValueError, match="did you mean 'anna-1'"): named.view("ana-1")
    for call, says in ((lambda: named.scores("werr"), "did you mean 'wer'"), (lambda: named.summary(measure="amnd"), "choose 'amend' or 'wer'")):
        with pytest.raises(ValueError, match=says): call()


def test_views_and_reports(tmp_path):
    s = study(reference=["<script>alert(1)</script>", "Meet at 4.", ""])
    assert "<script>alert" not in s.view() and "script&gt;alert" in s.view()._repr_html_()
    assert "judge" in s.judge("rules").view("b")
    path = s.report(tmp_path / "r.html", title="Notes", notes=["A line of mine."])
    page = path.read_text(encoding="utf-8")
    assert "A line of mine." in page and "<script>alert" not in page
    with pytest.raises((FileExistsError, BadTable)): s.report(path)
    s.report(path, force=True)
    twice = Study.from_wide(small().assign(y=["on two", "tree", "no"], x=["on two", "tree", "no"]), arms=["x", "y"])
    assert "identical arms (1)" in twice.report(tmp_path / "t.html").read_text(encoding="utf-8")


def test_a_study_is_tables():
    assert isinstance(study(), Tables) and Study.from_tidy(study().clips, study().drafts).summary().equals(study().summary())


@pytest.mark.parametrize("norm, key", [("none", "raw_whitespace"), ("whisper-english", "whisper_english_normalizer")])
def test_words_of_five_recognisers(shared, norm, key):
    "Word counts equal those that jiwer and whisper-normalizer gave."
    folder = shared / "data/en_voxpopuli_5engines"
    s = Study.from_long(read_table(folder / "pairs.csv"), norm=norm)
    want = json.loads((folder / "expected.json").read_text())["peer_measured"]["values"]
    got = s.summary().set_index("arm")
    for arm in s.arms:
        w = want[arm][key]
        assert [got.loc[arm, c] for c in ("clips", "words", "S", "D", "I")] == [
            w["n_utt"], w["ref_words"], w["substitutions"], w["deletions"], w["insertions"]]
        assert got.loc[arm, "WER"] == pytest.approx(w["wer"], abs=1e-12)


def test_words_as_sclite_counts_them(shared):
    for path in sorted((shared / "data/sclite_voxpopuli").glob("*.csv")):
        df = read_table(path)
        s = Study.from_wide(df[["id", "reference", "hypothesis"]], arms=["hypothesis"], clip="id", norm="none")
        least = df["min_edits"].astype(int).tolist()
        assert s.scores("wer")["num"].tolist() == least and sum(least) <= df[["S", "D", "I"]].astype(int).to_numpy().sum()
