"""Terms: the lecture test's rule, reported faults, and laws held against a slow count by jiwer."""
import json
import subprocess
import sys
import unicodedata

import jiwer
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.terms as subject
from amend_nb import (
    Study,
    align,
    compare_arms,
    figures,
    find_terms,
    get_normalizer,
    measure_scores,
    missed_terms,
    prepare,
    term_scores,
)
from amend_nb.tables import BadTable, Tables

NUMBERS = ["found", "right", "heard", "false_alarms"]


def numbers(scored): return scored.pooled[NUMBERS].iloc[0].tolist()


# ---- the lecture test's figures

def test_the_lecture_tests_example():
    ref, hyp = "a faculdade de arquitetura fica na arquitetura", "a faculdade arquitetura fica na arquitectura"
    scored = term_scores([ref], [hyp], ["arquitetura", "faculdade de arquitetura"], norm="lecture-pt")
    assert numbers(scored)[:2] == [3, 1]
    assert scored.by_term[["found", "right"]].to_numpy().tolist() == [[2, 1], [1, 0]]
    assert scored.by_term["recall"].tolist() == [0.5, 0.0]


@pytest.mark.parametrize("word", range(3))
def test_a_dropped_word_of_three_is_a_miss(word):
    words = "faculdade de arquitetura".split()
    hyp = f"a {' '.join(w for k, w in enumerate(words) if k != word)} fica"
    assert numbers(term_scores(["a faculdade de arquitetura fica"], [hyp], ["faculdade de arquitetura"])) == [1, 0, 0, 0]


@pytest.mark.parametrize("terms, norm", [(["hum"], "lecture-pt"), (["e", "eh"], "lecture-es"), (["..."], "amend"), (["C", ""], None),
                                         ({"Maria": ["Maria da Silva", "--"]}, "agentic"), ([" "], None)])
def test_a_term_that_comes_to_nothing_is_an_error(terms, norm):
    with pytest.raises(ValueError, match="nothing is left of the (term|alias)"): term_scores(["a"], ["a"], terms, norm=norm)
    with pytest.raises(ValueError, match="nothing is left"): find_terms("a", terms, norm)


def test_the_normalizer_is_applied_to_both_sides():
    hyp = "a renda bruta, um vírgula duzentos e cinquenta um"
    scored = term_scores(["A Renda-Bruta: 1.250 (um)."], [hyp], ["Renda Bruta", "1,250"], norm="lecture-pt")
    assert scored.by_term[["found", "right", "heard"]].to_numpy().tolist() == [[1, 1, 1], [1, 1, 1]]


# ---- reported faults, and others of their kind

def of_case(shared, case):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    return next(d for d in map(json.loads, filter(None, lines)) if d["id"] == case)


@pytest.mark.parametrize("case, hits", [("T01", 7), ("T02", 4)])
@pytest.mark.parametrize("norm", [None, "amend", "literal"])
def test_reported_bounds(shared, case, hits, norm):
    listed = of_case(shared, case)["input"]["term_text_hits"]
    assert len(listed) == hits
    for term, text, count in listed: assert len(find_terms(text, [term], norm)) == count, (term, text)


OWN = [
    ("C#", "(C#)", 1), ("C#", "C##", 0), ("C++", "C+++", 0), ("C+", "C++", 0), ("C", "C#", 0), ("C", "C#7", 0),
    ("C", "C++17", 0), ("C", "C/C++", 1), ("C++", "C/C++", 1), ("C++", "C++/CLI", 1), ("C++", "C++'s", 1),
    ("C++", "“C++”", 1), ("F#", "F#-based", 1), ("Disney", "Disney+", 0), ("Disney", "Disney", 1),
    ("macro", "macro+micro", 1), ("R", "R$5", 0), ("R$", "R$5", 1), ("5", "R$5", 1), ("5", "1.5", 0), ("5", "5.", 1),
    ("10", "10:30", 0), ("3", "3,500", 0), ("24", "24/7", 1), ("B2B", "B2B-", 1), ("Node.js", "Node.js,", 1),
    ("node", "nodes", 0), (".NET", "..NET", 0), (".NET", "(.NET)", 1), (".NET", ".NETs", 0), ("Maria", "Maria’s", 1),
    ("Maria", "Marias", 0), ("Maria", "d'Maria", 1), ("can", "can't", 0), ("won", "won’t", 0), ("t", "don't", 0),
    ("água", "d'água", 1), ("José", "Maria-José", 1), ("user", "user_id", 0), ("user", "user.id", 1),
    ("são", "decisões", 0), ("coração", "corações", 0), ("é", "até", 0), ("a", "a\u0303o", 0), ("ão", "a\u0303o", 1),
    ("cafe", "cafe\u0301", 0), ("café", "cafe\u0301", 1), ("cafe\u0301", "café,", 1), ("ΩX", "ΩX2", 0),
    ("И", "Или", 0), ("AT&T", "AT&T's", 1), ("AT&T", "(AT&T)", 1), ("star", "it starts", 0), ("ERN", "ERN-ERN", 2),
    ("C", "C, C. C! (C) 'C' C-like", 6), ("São Paulo", "(São Paulo's)", 1), ("São Paulo", "São Paulos", 0),
    ("São Paulo", "desSão Paulo", 0), ("São Paulo", "ex-São Paulo.", 1), ("a b", "a b-c", 1), ("a b", "c-a b", 1),
    ("a b", "a-b", 0)]


@pytest.mark.parametrize("term, text, count", OWN)
def test_bounds(term, text, count):
    assert len(find_terms(text, [term])) == count
    scored = term_scores([text, text], [text, "x"], [term])
    assert numbers(scored) == [2 * count, count, count, 0]


def test_an_invented_term_counts_against_the_arm(shared):
    case = of_case(shared, "T06")["input"]
    scored = term_scores([case["ref"]], [case["hyp"]], case["terms"])
    assert numbers(scored) == [0, 0, 1, 1]
    assert scored.pooled["recall"].isna().all() and scored.pooled["precision"].tolist() == [0.0]
    assert scored.by_clip["recall"].isna().all() and scored.by_term["recall"].isna().all()


def test_plural_and_possessive(shared):
    case = of_case(shared, "T07")["input"]
    assert numbers(term_scores([case["ref"]], [case["hyp"]], [case["term"]])) == [1, 1, 1, 0]
    assert len(find_terms(case["possessive"]["text"], [case["possessive"]["term"]])) == 1
    for norm in (None, "amend"):
        scored = term_scores(["Maria's car", "Maria's car"], ["Maria's car", "Mario's car"], ["Maria"], norm=norm)
        assert numbers(scored) == [2, 1, 1, 0]


def test_the_rule_is_that_of_the_alignment_for_part_of_a_token_too():
    "*Maria's* heard as *Maria* is a substitution, so the term is not right, and what was heard has no match."
    assert numbers(term_scores(["Maria's car"], ["Maria car"], ["Maria"])) == [1, 0, 1, 1]


def test_scripts_without_spaces():
    for term, text, count in (
            ("北京", "我在北京工作", 1), ("C", "用C语言", 1), ("C", "用C++语言", 0), ("C++", "用C++语言", 1), ("ラン", "フランス", 0),
            ("フランス", "私はフランスへ", 1), ("กรุงเทพ", "ไปกรุงเทพครับ", 1), ("กา", "ก้า", 0), ("北京", "東京", 0),
            ("서울", "서울에", 0), ("北 京", "我在北 京工作", 1)):
        assert len(find_terms(text, [term])) == count, (term, text)
    assert numbers(term_scores(["我在北京工作"], ["我在北京上班"], ["北京"])) == [1, 0, 1, 1]
    assert numbers(term_scores(["我在北京工作"], ["我在北京上班"], ["北京"], unit="mixed")) == [1, 1, 1, 0]
    scored = term_scores(["我在北京工作", "用C++写"], ["我在北平工作", "用C++写"], ["北京", "C++"], unit="mixed")
    assert scored.by_term[NUMBERS].to_numpy().tolist() == [[1, 0, 0, 0], [1, 1, 1, 0]]


@pytest.mark.parametrize("norm", [None, "amend", "agentic", "lecture-pt", "lecture-es", "whisper-basic"])
def test_accents_composed_or_not_are_one(norm):
    "Found, right and heard are the same whatever form the reference, the hypothesis and the term come in."
    text, term, due = "a tragédia de são paulo é", "são paulo", [1, 1, 1, 0]
    forms = [(unicodedata.normalize(f, t)) for f in ("NFC", "NFD") for t in (text, term)]
    for ref in (forms[0], forms[2]):
        for hyp in (forms[0], forms[2]):
            for name in (forms[1], forms[3]):
                assert numbers(term_scores([ref, "x"], [hyp, "x"], [name], norm=norm)) == due
                assert numbers(term_scores(prepare([ref], [hyp], norm=norm), terms=[name])) == due
        (match,) = find_terms(ref, [forms[1]], norm)
        assert unicodedata.normalize("NFC", ref[match.start:match.end]) == term
    assert find_terms(forms[2], ["tragedia"], norm) == ([("tragedia", 2, 11)] if norm == "lecture-es" else find_terms(text, ["tragedia"], norm))


def test_a_prepared_corpus_and_its_rules():
    corpus = prepare(["We go, Maria"], ["we go, maria"], norm="amend")
    scored = term_scores(corpus, terms=["Maria"])
    assert numbers(scored) == [1, 1, 1, 0] and scored.norm_id == get_normalizer("amend").id
    with pytest.raises(ValueError, match="prepared with"): term_scores(corpus, terms=["Maria"], norm="agentic")
    with pytest.raises(ValueError, match="unit='char'"): term_scores(prepare(["a"], ["a"], unit="char"), terms=["a"])


# ---- lists of terms

def test_aliases_of_one_term_count_words_once():
    terms = {"New York": ["New York City", "NYC", "York"]}
    scored = term_scores(["in New York City and NYC and York"], ["in New York City and NYC and york"], terms)
    assert numbers(scored) == [3, 2, 2, 0]
    assert numbers(term_scores(["new york new york"], ["x"], {"new york": ["york new"]}))[0] == 2
    assert numbers(term_scores(["k8s"], ["k8s"], {"Kubernetes": ["k8s", "K8S", "k8s", "Kubernetes"]}, norm="amend")) == [1, 1, 1, 0]
    assert numbers(term_scores(["Maria-José"], ["x"], {"Maria": ["José"]}))[0] == 1


def test_different_terms_are_counted_independently():
    assert numbers(term_scores(["new york city"], ["new york"], ["new york", "new york city", "york"])) == [3, 2, 2, 0]
    assert numbers(term_scores(["a a a"], ["a a"], ["a a"])) == [2, 1, 1, 0]


def test_two_names_of_the_same_words_are_refused():
    for terms in (["Go", "go"], ["C", "C++"]):
        with pytest.raises(ValueError, match="are both '(go|c)' under the norm 'agentic'"): term_scores(["a"], ["a"], terms, norm="agentic")
    with pytest.raises(ValueError, match="'Go' is listed twice"): term_scores(["a"], ["a"], ["Go", "Go"])


def test_terms_come_in_any_row_and_a_set_in_order():
    for terms in (("Go", "Rust"), {"Rust", "Go"}, iter(["Go", "Rust"]), pd.Series(["Go", "Rust"]), pd.Series(["Go", "Rust"]).to_numpy(dtype="U")):
        scored = term_scores(["Go Rust"], ["Go"], terms)
        assert scored.terms == ("Go", "Rust") and {type(t) for t in scored.terms} == {str} and numbers(scored) == [2, 1, 1, 0]


def test_missed_terms_want_the_norm_of_the_alignment():
    a = align("A b", "a", norm=str.lower)
    assert missed_terms(a, ["B"], norm=str.lower) == [(2, 3, "B")]
    with pytest.raises(ValueError, match="give the normalizer itself"): missed_terms(a, ["B"])
    with pytest.raises(ValueError, match="unit='char'"): missed_terms(align("a", "a", unit="char"), ["a"])


def test_symbols_that_a_norm_takes_off_are_told():
    with pytest.warns(UserWarning, match=r"'C\+\+' is 'c'"): term_scores(["vitamin c"], ["vitamin c"], ["C++"], norm="agentic")


@pytest.mark.parametrize("terms, error, says", [
    (pd.DataFrame({"Go": ["x"]}), TypeError, "expected a list of terms"), (b"Go", TypeError, "expected a list of terms"),
    ("Go", TypeError, "expected a list of terms"), (None, TypeError, "expected a list of terms"), ([], ValueError, "empty"),
    ([None], TypeError, "expected a text for each term and alias, got None"),
    ([float("nan")], TypeError, "and alias, got nan"), ([7], TypeError, "and alias, got 7"), ({"Go": "golang"}, TypeError, r"such as \['golang'\]"),
    ({"Go": [7]}, TypeError, "and alias, got 7"), ({"Go": None}, TypeError, "a list of aliases"), (5, TypeError, "expected a list of terms")])
def test_what_is_no_list_of_terms(terms, error, says):
    with pytest.raises(error, match=says): term_scores(["a"], ["a"], terms)


@pytest.mark.parametrize("refs, hyps, error, says", [
    (["a", None], ["a", "b"], TypeError, r"refs\[1\]=None"), (["a"], [float("nan")], TypeError, r"hyps\[0\]=nan"),
    (["a"], ["a", "b"], ValueError, "pair up"),
    ("a", ["a"], TypeError, "list of texts"), (["a"], "a", TypeError, "list of texts"), (["a"], None, TypeError, "hypotheses are needed")])
def test_what_is_no_corpus(refs, hyps, error, says):
    with pytest.raises(error, match=says): term_scores(refs, hyps, ["a"])


def test_labels_that_come_twice_are_refused():
    with pytest.raises(ValueError, match="'x' comes twice"):
        term_scores(pd.Series(["a", "a"], index=["x", "x"]), pd.Series(["a", "a"], index=["x", "x"]), ["a"])


def test_labels_of_any_name():
    for names in (None, "term", "found", "clip", 7):
        refs, hyps = (pd.Series(["Go x", "x Go"], index=pd.Index(["p", "q"], name=names)) for _ in "ab")
        scored = term_scores(refs, hyps, ["Go"])
        assert scored.by_clip["found"].to_dict() == {"p": 1, "q": 1} and numbers(scored) == [2, 2, 2, 0]
    index = pd.MultiIndex.from_tuples([("a", 1), ("b", 1)], names=[None, "term"])
    assert term_scores(pd.Series(["Go", "x"], index=index), pd.Series(["Go", "x"], index=index), ["Go"]).by_clip["found"].tolist() == [1, 0]


def test_a_picture_of_the_scores_holds_no_markup_of_names():
    scored = term_scores(["<b> x"], ["<b> x"], ["<b>"], norm=lambda text: text)
    assert "<b>" not in scored._repr_html_() and "<lambda>" not in scored._repr_html_() and "&lt;b&gt;" in scored._repr_html_()


def test_unknown_words_for_rules():
    for options in ({"norm": "nonsense"}, {"ties": "first"}, {"unit": "char"}, {"space": "tab"}):
        with pytest.raises(ValueError, match="nonsense|first|char|tab"): term_scores(["a"], ["a"], ["a"], **options)


# ---- laws

WORD = st.sampled_from(["a", "b", "c", "dé"])
SOME = st.lists(WORD, max_size=9)
TERMS = st.lists(st.lists(WORD, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4, unique=True)


def slowly(ref, hyp, terms):
    "Each term's counts: every window of words, held against jiwer's alignment."
    a, b = ref.split(), hyp.split()
    chunks = jiwer.process_words(ref, hyp).alignments[0] if a else []
    same = [c for c in chunks if c.type == "equal"]
    right = [{i for c in same for i in range(c.ref_start_idx, c.ref_end_idx)}, {j for c in same for j in range(c.hyp_start_idx, c.hyp_end_idx)}]
    out = []
    for words in map(str.split, terms):
        at = [[range(i, i + len(words)) for i in range(len(side)) if side[i:i+len(words)] == words] for side in (a, b)]
        out.append([len(at[0]), sum(right[0].issuperset(w) for w in at[0]), len(at[1]), sum(not right[1].issuperset(w) for w in at[1])])
    return out


def counts_are_those_of_the_rule(module):
    @examples(500)
    @given(st.lists(st.tuples(SOME, SOME), min_size=1, max_size=4), TERMS)
    def law(pairs, terms):
        refs, hyps = ([" ".join(p[k]) for p in pairs] for k in (0, 1))
        scored = module.term_scores(refs, hyps, terms)
        each = [slowly(r, h, terms) for r, h in zip(refs, hyps, strict=True)]
        assert scored.by_term[NUMBERS].to_numpy().tolist() == [[sum(e[k][n] for e in each) for n in range(4)] for k in range(len(terms))]
        assert scored.by_clip[NUMBERS].to_numpy().tolist() == [[sum(row[n] for row in e) for n in range(4)] for e in each]
        for f, r, h, w, recall, precision in scored.by_term.itertuples(index=False):
            assert recall == r / f if f else pd.isna(recall)
            assert precision == (h - w) / h if h else pd.isna(precision)
    law()


@pytest.mark.parametrize("change", [
    ("exact = wrong.isdisjoint(range(i, j))", "exact = i not in wrong"), ('if tag != "insert"}', "}"),
    ('made["heard"] - made["false_alarms"]', 'made["heard"]'),
    ("(n, n, n, 0)", "(n, n, 0, 0)"), ("for p in at if len(p.words) == 1", "for p in at[:1] if len(p.words) == 1"),
    ('made["found"].where(made["found"] > 0)', 'made["found"].clip(lower=1)')])
def test_other_counts_would_be_seen(change): assert breaks(counts_are_those_of_the_rule, mutant(subject, change))


def test_counts_are_those_of_the_rule(): counts_are_those_of_the_rule(subject)


def bounds_are_those_of_the_words(module):
    "Beside letters, digits and marks never, beside spaces always, and the same for composed and decomposed accents."
    @examples(500)
    @given(st.sampled_from(["Ana", "são", "C++", ".NET", "x9", "José Sá"]), st.sampled_from(["", " ", "a", "Z", "7", "é", "(", "“", "-", "/"]),
           st.sampled_from(["", " ", "a", "Z", "é", ")", "”", ",", "!", "/"]), st.booleans(), st.booleans())
    def law(term, left, right, apart, apart_term):
        text, odd = left + term + right, lambda side, c: not c.isalnum() and side.isalnum()
        form = lambda t, on: unicodedata.normalize("NFD" if on else "NFC", t)
        free = (not left.isalnum() or odd(left, term[0])) and (not right.isalnum() or odd(right, term[-1]))
        assert len(module.find_terms(form(text, apart), [form(term, apart_term)])) == free
        assert len(module.missed_terms(align(form(text, apart), ""), [form(term, apart_term)])) == free
    law()


@pytest.mark.parametrize("change", [('word = token if token.isascii() else unicodedata.normalize("NFC", token)', "word = token"),
                                    ("return _is_letter(left) != _is_letter(right) or", "return"), ("if p == len(token): return True", "return True"),
                                    ("    last = unicodedata.normalize(\"NFC\", words[i+len(phrase)-1])", "    last = words[i+len(phrase)-1]")])
def test_other_bounds_would_be_seen(change): assert breaks(bounds_are_those_of_the_words, mutant(subject, change))


def test_bounds_are_those_of_the_words(): bounds_are_those_of_the_words(subject)


def aliases_count_words_once(module):
    "No word belongs to two wordings; where a word stands in some wording, it belongs to one."
    @examples(500)
    @given(SOME, TERMS)
    def law(words, wordings):
        term, text = {wordings[0]: wordings[1:]}, " ".join(words)
        found = module.find_terms(text, term)
        owner = {}
        for m in found:
            for at in range(m.start, m.end): assert owner.setdefault(at, text[m.start:m.end]) == text[m.start:m.end]
        for wording in wordings:
            for m in module.find_terms(text, [wording]): assert any(at in owner for at in range(m.start, m.end))
        assert len(found) <= sum(len(module.find_terms(text, [w])) for w in wordings)
    law()


def test_aliases_count_words_once():
    aliases_count_words_once(subject)
    assert breaks(aliases_count_words_once, mutant(subject, ("if any(taken.get(place, p) != p for place in places): continue", "")))
    assert breaks(aliases_count_words_once, mutant(subject, ("kept.append((p, i))", "kept[:] = [(p, i)]")))


@examples(500)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3), st.lists(TEXTS.filter(str.strip), min_size=1, max_size=3, unique=True),
       st.sampled_from([None, "amend", "agentic", "lecture-pt"]), st.sampled_from(["word", "mixed"]))
@pytest.mark.filterwarnings("ignore")
def test_any_text_is_counted_or_refused_alike(pairs, terms, norm, unit):
    "Corpus, single pairs, alignment and single texts agree; sums do not depend on order; what is refused is refused everywhere."
    pairs = [tuple(unicodedata.normalize("NFC", t) for t in p) for p in pairs]
    refs, hyps = map(list, zip(*pairs, strict=True))
    try: whole = term_scores(refs, hyps, terms, norm=norm, unit=unit)
    except ValueError as e:
        with pytest.raises(ValueError) as other: find_terms(refs[0], terms, norm, unit)
        assert str(other.value) == str(e)
        return
    singles = [numbers(term_scores(r, h, terms, norm=norm, unit=unit)) for r, h in pairs]
    assert numbers(whole) == [sum(s[n] for s in singles) for n in range(4)]
    assert numbers(term_scores(refs[::-1], hyps[::-1], terms, norm=norm, unit=unit)) == numbers(whole)
    for (r, h), (found, right, heard, wrong) in zip(pairs, singles, strict=True):
        assert (len(find_terms(r, terms, norm, unit)), len(find_terms(h, terms, norm, unit))) == (found, heard)
        assert len(missed_terms(align(r, h, norm, unit=unit), terms)) == found - right
        assert 0 <= right <= found and 0 <= wrong <= heard


@examples(500)
@given(st.lists(st.tuples(SOME, SOME), min_size=1, max_size=4), TERMS, st.sampled_from(["jiwer", "diagonal", "hits"]))
def test_tie_rules_are_those_of_the_alignment(pairs, terms, ties):
    refs, hyps = ([" ".join(p[k]) for p in pairs] for k in (0, 1))
    missed = sum(len(missed_terms(align(r, h, ties=ties), terms)) for r, h in zip(refs, hyps, strict=True))
    found, right, *_ = numbers(term_scores(refs, hyps, terms, ties=ties))
    assert found - right == missed


def test_many_pairs_take_the_quick_road_to_the_same_figures():
    words = [f"w{n}" for n in range(40)]
    refs = [" ".join(words[(n * k) % 40] for k in range(1, 9)) for n in range(1500)]
    hyps = [r.replace("w3", "w4") if n % 3 else r for n, r in enumerate(refs)]
    terms = ["w3", "w4", "w4 w8", "w33 w26", "w39"]
    scored = term_scores(refs, hyps, terms)
    each = [slowly(r, h, terms) for r, h in zip(refs, hyps, strict=True)]
    assert scored.by_term[NUMBERS].to_numpy().tolist() == [[sum(e[k][n] for e in each) for n in range(4)] for k in range(len(terms))]


def test_one_point_of_many_signs_is_no_trap():
    text = "a-" * 20_000
    assert len(find_terms(text, ["a", "a-a-a"])) == 20_000 + 19_998


# ---- lists by clip, studies, measures

def test_each_clip_its_own_list():
    refs, hyps = pd.Series({"EF": "uma tragédia", "TL": "uma tragédia moderna"}), pd.Series({"EF": "uma tragédia", "TL": "uma tragedia moderna"})
    scored = term_scores(refs, hyps, lists={"EF": ["tragédia"], "TL": ["moderna"]})
    assert scored.by_clip[NUMBERS].to_numpy().tolist() == [[1, 1, 1, 0], [1, 1, 1, 0]]
    assert scored.by_clip.index.tolist() == ["EF", "TL"]
    for lists, says in (({"EF": ["a"]}, "'TL' has no list"), ({"EF": ["a"], "TL": [], "X": []}, "no clip 'X'")):
        with pytest.raises(ValueError, match=says): term_scores(refs, hyps, lists=lists)
    with pytest.raises(TypeError, match="expected a list of terms"): term_scores(refs, hyps, lists={"EF": "a", "TL": []})
    with pytest.raises(ValueError, match="'b' of clip 'TL' is not in `terms`"): term_scores(refs, hyps, ["a"], lists={"EF": ["a"], "TL": ["b"]})


def study_of(terms):
    df = pd.DataFrame({"id": ["1", "2", "3"], "reference": ["we use C# and Go", "no names here", "Go go"],
                       "old": ["we use c sharp and go", "no names here", "Go"], "new": ["we use C# and go", "no names, Go here", "Go go"]})
    return Tables.from_wide(df, arms=["old", "new"], clip="id", terms=terms)


def test_a_study_has_its_arms_apart():
    scored = term_scores(study_of(["C#", "Go", "Rust"]))
    assert scored.pooled[NUMBERS].T.to_dict("list") == {"old": [4, 2, 2, 0], "new": [4, 4, 5, 1]}
    assert scored.by_term.loc[("new", "Rust"), NUMBERS].tolist() == [0, 0, 0, 0] and len(scored.by_term) == 6 and len(scored.by_clip) == 6
    assert "Rust" in repr(scored) and "jiwer" in scored._repr_html_()


def test_the_measures_are_sums_of_the_same_counts():
    study = study_of({"C#": ["c sharp"], "Go": [], "Rust": []})
    rows = measure_scores(study, ["term_recall", "term_precision", "term_false_alarms", "term_f1"])
    assert rows.columns.tolist() == ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den", "note"]
    assert not rows.duplicated(["clip", "arm", "measure", "item", "basis", "repeat"]).any()
    shown = figures(rows).set_index(["arm", "measure", "item"])["rate"]
    scored = term_scores(study)
    for arm in ("old", "new"):
        for name, column in (("term_recall", "recall"), ("term_precision", "precision")):
            for item, value in [("", scored.pooled.loc[arm, column]), *((t, scored.by_term.loc[(arm, t), column]) for t in scored.terms)]:
                got = shown[arm, name, item]
                assert pd.isna(got) if pd.isna(value) else got == value
    assert pd.isna(shown["old", "term_f1", "Rust"]) and shown["new", "term_false_alarms", ""] == pytest.approx(1 / 5)
    assert shown["new", "term_false_alarms", "Go"] == 1 - shown["new", "term_precision", "Go"] == 1 / 4
    assert rows.loc[rows["den"].eq(0), "note"].ne("").all()


INVENTED = st.lists(st.sampled_from(["Go", "Rust", "we", "say", "C#"]), max_size=4).map(" ".join)


def arms_are_compared_over_the_same_clips(module):
    @examples(500)
    @given(st.lists(st.tuples(INVENTED, INVENTED, INVENTED), min_size=1, max_size=4), st.sets(st.integers(0, 3)))
    def law(texts, gone):
        rows = [(str(n), r, arm, h) for n, (r, *hyps) in enumerate(texts) for arm, h in zip("xy", hyps, strict=True) if arm == "x" or n not in gone]
        if {arm for *_, arm, _ in rows} != {"x", "y"}: return
        study = Tables.from_long(pd.DataFrame(rows, columns=["id", "reference", "engine", "hypothesis"]), terms=["Go", "Rust", "C#"])
        made = module._term_measures(study, ["term_recall", "term_precision", "term_false_alarms"], "reference", "jiwer")
        drafted = {arm: {n for n, _, a, _ in rows if a == arm} for arm in "xy"}
        for (_, item), part in made.groupby(["measure", "item"]):
            has = {arm: set(part.loc[part["arm"] == arm, "clip"]) for arm in "xy"}
            assert has["x"] & drafted["y"] == has["y"] and has["y"], item
        sums = made[made["item"] != ""].groupby(["measure", "arm", "clip"])[["num", "den"]].sum()
        whole = made[made["item"] == ""].set_index(["measure", "arm", "clip"])[["num", "den"]]
        assert (whole.loc[sums.index] == sums).all(axis=None)
    law()


def test_arms_are_compared_over_the_same_clips():
    arms_are_compared_over_the_same_clips(subject)
    for change in (("parts = _for_every_arm(whole, parts)", "pass"), ("if rest: parts =", "if rest: parts = parts if len(parts) else")):
        assert breaks(arms_are_compared_over_the_same_clips, mutant(subject, change)), change


def test_a_term_that_one_arm_made_up_is_in_the_comparison():
    df = pd.DataFrame({"reference": ["we use kubernetes", "no names here", "none"], "x": ["we use kubernetes", "no kubernetes here", "kubernetes"],
                       "y": ["we use kubernetes", "no names here", "none"]})
    scores = measure_scores(Tables.from_wide(df, arms=["x", "y"], terms=["kubernetes"]), ["term_precision", "term_false_alarms"])
    shown = figures(scores).set_index(["arm", "measure", "item"])["rate"]
    made = compare_arms(scores, "x", "y").get(measure="term_precision", item="kubernetes")
    assert made.difference == pytest.approx(shown["y", "term_precision", "kubernetes"] - shown["x", "term_precision", "kubernetes"])
    assert made.difference == pytest.approx(2 / 3) and (made.only_old, made.only_new, made.clips) == ((), (), 3)


def test_a_study_without_terms_says_so():
    with pytest.raises(ValueError, match="need terms"): measure_scores(study_of(None), ["term_recall"])
    with pytest.raises(ValueError, match="the list is empty"): term_scores(study_of(None))
    with pytest.raises((TypeError, BadTable)): study_of("Go")


# ---- real transcripts

def test_drug_names(shared):
    rows = pd.read_csv(shared / "data/en_watson_drug_names/pairs.csv", keep_default_na=False)
    scored = term_scores(rows["reference"], rows["hypothesis"], rows["term"].tolist(), norm="amend")
    assert numbers(scored) == [4, 1, 1, 0] and scored.by_term["right"].to_dict()["tylenol"] == 1


def test_earnings_calls(shared):
    "Every bias term that stands in a call is found there by a plain search of padded words too."
    folder = shared / "data/en_earnings21_slice"
    ref = [json.loads(line) for line in (folder / "references.jsonl").read_text(encoding="utf-8").split("\n") if line]
    terms, norm = json.loads((folder / "terms.json").read_text(encoding="utf-8"))["oracle"], get_normalizer("agentic")
    words = list(dict.fromkeys(norm(t) for t in terms))
    texts = [norm(r["reference"]) for r in ref]
    found = term_scores(texts, texts, words).by_term["found"]
    apart = "  ".join(f"  {t}  ".replace(" ", "  ") for t in texts)
    plain = {w: apart.count(f" {w.replace(' ', '  ')} ") for w in words}
    assert found.sum() > 100
    for w in words:
        if "'" not in w: assert found[w] >= plain[w] and (found[w] == plain[w] or any(f"{w}'" in t for t in texts)), w


@pytest.mark.parametrize("measure", ["term_recall", "term_f1", "field_exact", "error_kinds", "repeats", "punctuation_f1", "case_errors",
                                     "wer_marked"])
def test_a_study_reaches_every_measure_by_name(measure):
    "In a fresh Python that has loaded no other room."
    code = ("import pandas as pd; from amend_nb import Study\n"
            "clips = pd.DataFrame({'clip': ['1'], 'reference': ['We go, Maria.'], 'expected': [{'who': 'Maria'}]})\n"
            "drafts = pd.DataFrame({'clip': ['1'], 'arm': ['x'], 'text': ['we do maria'], 'extracted': [{'who': 'maria'}]})\n"
            f"study = Study.from_tidy(clips, drafts, terms=['Maria']); rows = study.scores([{measure!r}, 'wer'])\n"
            "assert len(rows) > 1 and rows['num'].notna().all(); print(sorted(set(rows['measure'])))")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "wer" in run.stdout


def test_a_study_draws_boxes_around_the_terms_that_were_missed(tmp_path):
    df = pd.DataFrame({"reference": ["Call Maria da Silva now", "Maria, go"], "x": ["call maria the silva now", "maria go"]})
    study = Study.from_wide(df, arms=["x"], terms={"Maria da Silva": [], "Maria": []})
    assert 'missed term: Maria da Silva' in str(study.view("1")._repr_html_()) and "missed term" not in str(study.view("2")._repr_html_())
    page = study.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "missed term: Maria da Silva" in page
    assert "missed term:" not in str(Study.from_wide(df, arms=["x"]).view("1")._repr_html_())
