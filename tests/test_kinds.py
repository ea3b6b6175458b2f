"""Kinds of error: every edit in exactly one, in three languages; repeats as one; and the sums of a study."""
import csv
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.kinds as subject
from amend_nb import ERROR_KINDS, align, error_kinds, figures, measure_scores, repeats
from amend_nb.tables import Tables


def kinds(ref, hyp, language, norm="amend"): return error_kinds(align(ref, hyp, norm), language)["kind"].tolist()


EDITS = [
    ("en", "do not cancel", "do cancel", ["negation"]), ("en", "don't cancel", "do cancel", ["negation"]),
    ("en", "I dont know", "I do know", ["negation"]),
    ("en", "I don’t know", "I do know", ["negation"]), ("en", "it isnt so", "it is so", ["negation"]),
    ("en", "without milk", "with milk", ["negation"]),
    ("en", "no No one", "no one", ["negation"]), ("en", "we said No to it", "we said to it", ["negation"]),
    ("en", "take five pills", "take nine pills", ["number"]),
    ("en", "take 5 pills", "take pills", ["number"]), ("en", "use code b72", "use code", ["number"]),
    ("en", "the twenty-first day", "the twenty-fourth day", ["number"]),
    ("en", "two hundred and five men", "two hundred five men", ["number"]),
    ("en", "bread and milk", "bread milk", ["other"]), ("en", "a dog", "the dog", ["other"]),
    ("en", "call Maria now", "call Mario now", ["name"]), ("en", "call maria now", "call Mario now", ["name"]),
    ("en", "Maria calls", "Marie calls", ["other"]),
    ("en", "He left. Then it rained", "He left. When it rained", ["other"]), ("en", "see Dr. Souza today", "see Dr. Sousa today", ["name"]),
    ("en", "by J. Smith today", "by J. Smyth today", ["name"]), ("en", "then I go", "then we go", ["other"]),
    ("en", "then I'm off", "then he's off", ["other"]),
    ("en", 'he said "Go home now"', 'he said "No home now"', ["negation"]), ("en", 'he said "Come home now"', 'he said "Some home now"', ["other"]),
    ("en", "first line here\nSecond line", "first line here\nSecund line", ["number"]),
    ("en", "one line here\nThat line", "one line here\nWhat line", ["other"]),
    ("en", "so uh we go", "so we go", ["filler"]), ("en", "so we go", "so um we go", ["filler"]),
    ("en", "so uh we", "so um we", ["filler"]), ("en", "so we go", "so uh go", ["other"]),
    ("en", "NO ENTRY FOR CARS HERE", "NO ENTRY FOR CATS HERE", ["other"]), ("en", "the NATO meeting", "the NASA meeting", ["name"]),
    ("pt", "sem açúcar", "com açúcar", ["negation"]), ("pt", "não quero", "quero", ["negation"]),
    ("pt", "nao quero", "quero", ["negation"]), ("pt", "no carro", "carro", ["other"]),
    ("pt", "um carro", "o carro", ["other"]), ("pt", "uma casa", "a casa", ["other"]), ("pt", "vinte e cinco casas", "vinte cinco casas", ["number"]),
    ("pt", "pão e leite", "pão leite", ["other"]), ("pt", "dezesseis anos", "dez anos", ["number"]),
    ("pt", "em São Paulo hoje", "em Sam Paulo hoje", ["name"]),
    ("pt", "eu ahn quero", "eu quero", ["filler"]), ("pt", "com o Sr. Lima lá", "com o Sr. Lina lá", ["name"]),
    ("pt", "nem eu", "em eu", ["negation"]),
    ("pt", "duzentos e trinta reais", "duzentos e quarenta reais", ["number"]),
    ("pt", "nunca fui", "fui", ["negation"]), ("pt", "tampouco fui", "fui", ["negation"]),
    ("es", "no quiero", "quiero", ["negation"]), ("es", "sin azúcar", "con azúcar", ["negation"]),
    ("es", "jamás fui", "fui", ["negation"]), ("es", "jamas fui", "fui", ["negation"]),
    ("es", "una casa", "la casa", ["other"]), ("es", "treinta y dos años", "treinta dos años", ["number"]),
    ("es", "pan y leche", "pan leche", ["other"]),
    ("es", "eh bueno", "bueno", ["filler"]), ("es", "padre e hijo", "padre hijo", ["other"]), ("pt", "a casa", "casa", ["other"]),
    ("pt", "eu ã quero", "eu quero", ["filler"]), ("pt", "ele há de ir", "ele de ir", ["other"]),
    ("pt", "eh não sei mm", "não sei", ["filler", "filler"]),
    ("en", "so er we go", "so we go", ["filler"]), ("es", "mm bueno", "bueno", ["filler"]),
    ("es", "vive en Bogotá hoy", "vive en Bogota hoy", ["name"]), ("es", "tampoco fui", "fui", ["negation"]),
    ("es", "veintidós años", "veinte años", ["number"]), ("es", "dijo: ¿Vienes hoy?", "dijo: ¿Tienes hoy?", ["other"])]


@pytest.mark.parametrize("language, ref, hyp, due", EDITS)
def test_each_edit_has_its_kind(language, ref, hyp, due):
    assert kinds(ref, hyp, language) == due
    if len(due) > 1: return
    back = kinds(hyp, ref, language)
    assert back == due or due != ["other"] and len(back) == 1      # the same edit backwards: what is of a kind stays of one


@pytest.mark.parametrize("norm, ref, hyp, language, due", [
    ("lecture-pt", "Custa 1.250 reais", "Custa 1.350 reais", "pt", {"number"}),
    ("lecture-es", "Jamás vi dieciséis", "ya vi diez", "es", {"negation", "number"}),
    ("whisper-english", "I don't know", "I do know", "en", {"negation"}), (None, "call Maria, now.", "call Mario, now.", "en", {"name"}),
    (None, "do not, ever", "do, ever", "en", {"negation", "other"}), ("agentic", "It's not 5%", "It's 6%", "en", {"negation", "number"})])
def test_under_every_norm(norm, ref, hyp, language, due):
    a = align(ref, hyp, norm)
    table = error_kinds(a, language)
    assert set(table["kind"]) == due and len(table) == a.counts.errors


def test_places_and_words_are_those_of_the_alignment():
    table = error_kinds(align("So, uh, do not go there", "so do go there home", "amend"), "en")
    assert table[["kind", "tag", "ref", "hyp", "ref_at", "hyp_at"]].to_numpy().tolist() == [
        ["filler", "delete", "uh", "", 1, 1], ["negation", "delete", "not", "", 3, 2], ["other", "insert", "", "home", 6, 4]]


@pytest.mark.parametrize("tag", ["de", "fr-FR", "", None, "english"])
def test_other_languages_are_refused(tag):
    with pytest.raises(ValueError, match="known for en, pt and es"): error_kinds(align("a", "b"), tag)


def test_what_is_no_alignment_by_words():
    with pytest.raises(ValueError, match="unit is 'char'"): error_kinds(align("a", "b", unit="char"), "en")
    with pytest.raises(TypeError, match="what `align` gives"): error_kinds("a b", "en")


def test_tags_of_regions():
    for tag in ("pt-BR", "pt_BR", "PT"): assert error_kinds(align("não", ""), tag)["kind"].tolist() == ["negation"]


PARTS = "not no uh five Maria maria the twenty and e não sem hum um dos y no eh 25 I . Dr."
SOME = st.lists(st.sampled_from(PARTS.split()), max_size=9).map(" ".join)


def every_edit_has_exactly_one_kind(module):
    @examples(500)
    @given(st.one_of(SOME, TEXTS), st.one_of(SOME, TEXTS), st.sampled_from(["en", "pt", "es"]), st.sampled_from([None, "amend", "agentic"]),
           st.sampled_from(["jiwer", "diagonal", "hits"]))
    def law(ref, hyp, language, norm, ties):
        a = align(ref, hyp, norm, ties=ties)
        table, c = module.error_kinds(a, language), a.counts
        assert [(table["tag"] == tag).sum() for tag in ("substitute", "delete", "insert")] == list(c)[1:]
        assert set(table["kind"]) <= set(ERROR_KINDS)
        gone, come = table[table["tag"] != "insert"], table[table["tag"] != "delete"]
        assert gone["ref"].tolist() == [ref[a.ref_tokens[i].start:a.ref_tokens[i].end] for i in gone["ref_at"]]
        assert come["hyp"].tolist() == [hyp[a.hyp_tokens[j].start:a.hyp_tokens[j].end] for j in come["hyp_at"]]
    law()


def test_every_edit_has_exactly_one_kind():
    every_edit_has_exactly_one_kind(subject)
    for change in (('if op.tag != "equal"]', 'if op.tag == "insert"]'), ('op.ref_start if i is None else i', "op.ref_start"),
                   ("max(op.ref_end - op.ref_start, op.hyp_end - op.hyp_start)", "op.hyp_end - op.hyp_start"),
                   ('return "negation"', 'return "negations"')):
        assert breaks(every_edit_has_exactly_one_kind, mutant(subject, change)), change


# ---- repeats

def test_the_reported_repeat(shared):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    case = next(d for d in map(json.loads, filter(None, lines)) if d["id"] == "M11")["input"]
    for ties in ("jiwer", "diagonal", "hits"):
        a = align(case["ref"], case["hyp"], ties=ties)
        assert (a.counts.hits, a.counts.insertions, a.counts.errors) == (9, 3, 3)
        assert [(r.side, r.text, r.copies) for r in repeats(a)] == [("hypothesis", "and set the", 1)]
        assert error_kinds(a, "en")["repeat"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("ref, hyp, due", [
    ("thank you", "thank you thank you thank you thank you", [("hypothesis", "thank you", 3)]),
    ("a b", "a a b b", [("hypothesis", "a", 1), ("hypothesis", "b", 1)]),
    ("I I think so", "I think so", [("reference", "I", 1)]), ("very very good", "very very good", []), ("x", "y y y", [("hypothesis", "y", 2)]),
    ("so it is", "so it is it was", []), ("go", "go now go now", [("hypothesis", "now go", 1)]),
    ("a b c", "a b x b c", []), ("", "la la la", [("hypothesis", "la", 2)]),
    ("set the table", "and set the and set the table", [("hypothesis", "and set the", 1)]), ("we go", "we uh we go", []),
    ("set the table.", "Set the, set the table.", [("hypothesis", "Set the,", 1)])])
def test_what_is_a_repeat(ref, hyp, due):
    assert [r[:3] for r in repeats(align(ref, hyp))] == due


def repeats_are_true(module):
    @examples(500)
    @given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=12))
    def law(ref, hyp):
        a = align(" ".join(ref), " ".join(hyp))
        for r in module.repeats(a):
            words, p = (hyp, "insert") if r.side == "hypothesis" else (ref, "delete")
            period = (r.last - r.first) // r.copies
            assert r.text.split() == words[r.first:r.first+period]
            assert (r.last - r.first) == r.copies * period > 0
            lo, hi = r.first, r.last
            while lo and words[lo-1] == words[lo-1+period]: lo -= 1
            while hi < len(words) and words[hi] == words[hi-period]: hi += 1
            assert all(words[k] == words[k+period] for k in range(lo, hi - period)) and hi - lo >= (r.copies + 1) * period
            spans = [(op.hyp_start, op.hyp_end) if p == "insert" else (op.ref_start, op.ref_end) for op in a.ops if op.tag == p]
            held = [k for span in spans for k in range(*span)]
            assert set(range(r.first, r.last)) <= set(held)
    law()


def a_doubled_stretch_is_one_repeat(module):
    @examples(500)
    @given(st.integers(1, 12), st.data())
    def law(n, data):
        words = [f"w{k}" for k in range(n)]
        i = data.draw(st.integers(0, n - 1))
        j, copies = data.draw(st.integers(i + 1, n)), data.draw(st.integers(1, 3))
        hyp = words[:j] + words[i:j] * copies + words[j:]
        for ref, other, side in ((words, hyp, "hypothesis"), (hyp, words, "reference")):
            found = module.repeats(align(" ".join(ref), " ".join(other)))
            assert [(r.side, r.copies, r.last - r.first) for r in found] == [(side, copies, copies * (j - i))]
    law()


def test_repeats_are_true_and_found():
    repeats_are_true(subject)
    a_doubled_stretch_is_one_repeat(subject)
    assert breaks(repeats_are_true, mutant(subject, ("(k + p - s) // p - 1)", "(k + p - s) // p)"), (" or size > end - start - told + p", "")))
    assert breaks(repeats_are_true, mutant(subject, ("-first, s, k + p", "-first, s, k + 2 * p"), ("(k + p - s) // p - 1)", "(k + p - s) // p)")))
    assert breaks(repeats_are_true, mutant(subject, ("first, last = max(s, a)", "first, last = s")))
    assert breaks(a_doubled_stretch_is_one_repeat, mutant(subject, ("k, end = max(a - p, 0),", "k, end = a,")))
    assert breaks(a_doubled_stretch_is_one_repeat, mutant(subject, ("copies * p, -p, -first", "p, -p, -first")))


def test_many_repeats_and_long_loops_are_found_at_once():
    found = repeats(align("", " ".join(f"w{k} w{k}" for k in range(5000))))
    assert len(found) == 5000 and {r.copies for r in found} == {1}
    loop = " ".join(["thanks for watching"] * 4000)
    assert [r[:3] for r in repeats(align("thanks for watching", loop))] == [("hypothesis", "thanks for watching", 3999)]


# ---- studies

def study(**more):
    return Tables.from_wide(pd.DataFrame({"reference": ["do not cancel", "uh take 5 pills", ""], "x": ["do cancel", "take 6 pills", "no"],
                                          "y": ["do not do not cancel", "uh take 5 pills", ""], **more}), arms=["x", "y"])


def test_the_kinds_of_a_study_sum_up_to_its_word_errors():
    scores = measure_scores(study(language=["en", "en-GB", "en"]), ["error_kinds", "repeats", "wer"])
    shown = figures(scores).set_index(["arm", "measure", "item"])
    for arm in ("x", "y"):
        assert sum(shown.loc[(arm, "error_kinds", k), "num"] for k in ERROR_KINDS) == shown.loc[(arm, "wer", ""), "num"]
        assert {shown.loc[(arm, "error_kinds", k), "den"] for k in ERROR_KINDS} == {7}
    assert shown.loc[("x", "error_kinds", "negation"), "num"] == 2 and shown.loc[("y", "repeats", ""), "num"] == 1


def test_a_language_without_lists_is_not_scored_and_a_guess_is_told():
    scores = measure_scores(study(language=["en", "de", None]), ["error_kinds"])
    odd = scores[scores["clip"].eq("2")]
    assert odd["num"].isna().all() and odd["note"].eq("no word lists for 'de'").all() and odd["den"].isna().all()
    assert figures(scores)["not_scored"].eq(1).all()
    assert measure_scores(study(), ["error_kinds"])["basis"].str.endswith("language guessed").all()


def test_real_transcripts(shared):
    with (shared / "data/pt_bp_wav2vec_examples/pairs.csv").open(encoding="utf-8", newline="") as f: rows = list(csv.DictReader(f))
    errors = sum(align(r["reference"], r["hypothesis"]).counts.errors for r in rows)
    assert sum(len(error_kinds(align(r["reference"], r["hypothesis"]), r["language"])) for r in rows) == errors > 20
