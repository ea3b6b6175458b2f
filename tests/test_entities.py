"""Chosen words, and words that nobody said: agwer's recorded calls, a slow reading of the definitions, and what is refused."""
import json
import pickle
import re
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import peers
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.entities as subject
from amend_nb import align, entity_f1, evaluate, figures, get_normalizer, hallucination, measure_scores
from amend_nb.tables import Tables

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd", "Bob", "é"]), max_size=7).map(" ".join)
FEW = st.lists(st.sampled_from("ab"), max_size=4).map(" ".join)
ANY = st.one_of(WORDS, WORDS, FEW, FEW, TEXTS)
CLIPS = st.lists(st.tuples(ANY, ANY, st.lists(ANY, min_size=1, max_size=3)), min_size=1, max_size=4)
TIES = st.sampled_from(["jiwer", "diagonal", "hits"])


def sides(ref, hyp, norm, ties):
    "(words, which are right) of both sides."
    a = align(ref, hyp, norm, ties=ties)
    right = ({k for op in a.ops if op.tag == "equal" for k in range(*span(op))} for span in (
        lambda op: (op.ref_start, op.ref_end), lambda op: (op.hyp_start, op.hyp_end)))
    return [([t.text for t in tokens], ok) for tokens, ok in zip((a.ref_tokens, a.hyp_tokens), right, strict=True)]


def quiet(call, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **options)


def law_of_entities(module):
    @examples(500)
    @given(CLIPS, st.sets(st.sampled_from(["a", "dd", "Bob", "É"])), st.sampled_from(["agentic", None, "amend"]), TIES)
    @example([("a Bob c", "x bob", ["a"]), ("b c", "a dd c", ["a"]), ("dd", "", ["a"])], {"a", "dd", "Bob"}, "agentic", "jiwer")
    def check(clips, chosen, norm, ties):
        refs, hyps, _ = map(list, zip(*clips, strict=True))
        made = quiet(module.entity_f1, refs, hyps, chosen, norm=norm, ties=ties)
        n, wanted = [0] * 4, {get_normalizer(norm)(e) for e in chosen}
        for ref, hyp in zip(refs, hyps, strict=True):
            for k, (words, ok) in enumerate(sides(ref, hyp, norm, ties)):
                n[2*k] += sum(w in wanted for w in words)
                n[2*k + 1] += sum(words[i] in wanted for i in ok)
        assert [made.ref_entities, made.recalled, made.hyp_entities, made.precise] == n
        assert made.recall == (n[1] / n[0] if n[0] else None) and made.precision == (n[3] / n[2] if n[2] else None)
        assert (made.f1 is None) == (not n[1] or not n[3])
        if made.f1 is not None: assert made.f1 == pytest.approx(2 / (n[0] / n[1] + n[2] / n[3]))
        assert quiet(module.entity_f1, refs, hyps, predicate=wanted.__contains__, norm=norm, ties=ties) == made
        assert made.table().iloc[:, 1:].sum().tolist() == n
    check()


def test_entities_are_the_definition(): law_of_entities(subject)


@pytest.mark.parametrize("old, new", [('if tag != "insert"}', 'if tag == "delete"}'), ('if tag != "delete"}', 'if tag == "insert"}'),
                                      ("at not in off", "at in off"), ("_words(_one_form([entity], rules)[0])", "[entity]"),
                                      ("and any(chosen) else", "and any(chosen[:1]) else"),
                                      ("if self.recalled and self.precise else None", "if self.recalled and self.precise else 0")])
def test_a_change_of_entities_is_seen(old, new):
    assert breaks(law_of_entities, mutant(subject, (old, new)))


def law_of_hallucination(module):
    @examples(500)
    @given(CLIPS, st.sampled_from(["agentic", None]), TIES)
    @example([("a a", "a a a", ["a", "b"])], None, "jiwer")      # more right words than were heard
    @example([("a", "b b b a", ["b", "b a", "c"])], None, "jiwer")
    @example([("a b", "a", ["b"]), ("a b", "c b", ["c b", "b"])], None, "jiwer")
    def check(clips, norm, ties):
        refs, outs, lists = map(list, zip(*clips, strict=True))
        made = quiet(module.hallucination, refs, outs, lists, norm=norm, ties=ties)
        n = Counter()
        for ref, out, shown in zip(refs, outs, lists, strict=True):
            _, (words, ok) = sides(ref, out, norm, ties)
            heard = [Counter(t.text for t in get_normalizer(norm).tokens(s)) for s in shown]
            for word in set(words):
                support, count = max(h[word] for h in heard), words.count(word)
                wrong = sum(w == word and i not in ok for i, w in enumerate(words))
                off = min(wrong, max(0, count - support))
                n.update({"novel" if not support else "repetition": off, "passed_through": wrong - off, "output_tokens": count})
                if not support: n["generative"] += count - wrong
        for key in ("output_tokens", "novel", "repetition", "passed_through", "generative"): assert getattr(made, key) == n[key], key
        assert made.whr == ((n["novel"] + n["repetition"]) / n["output_tokens"] if n["output_tokens"] else None)
        assert made.table()["count"].sum() == made.hallucinated == made.novel + made.repetition
        assert made.novel == sum(c for _, kind, c in made.words if kind == "novel")
    check()


def test_hallucination_is_the_definition(): law_of_hallucination(subject)


@pytest.mark.parametrize("old, new", [
    ("max(words.count(word)", "min(words.count(word)"), ("max(words.count(word)", "sum(words.count(word)"), ("min(off, more)", "more"),
    ("min(off, more)", "off"), ("at not in wrong)", "at in wrong)"), ("word not in heard", "word in heard"), ("if out in texts:", "if out in ref:"),
    ("len(wrong), 0", "0, 0"), ("0 if heard.issuperset(out) else", "0 if heard.issuperset(out[1:]) else")])
def test_a_change_of_hallucination_is_seen(old, new):
    assert breaks(law_of_hallucination, mutant(subject, (old, new)))


# ---- peers

def number(word):
    "agwer's predicate for numbers, as far as its recorded calls go."
    return any(c.isdigit() for c in word) or word in {"five", "nine", "seven", "two", "hundred"}


def test_agwers_recorded_calls(shared):
    seen = Counter()
    for n, r in peers.rows(shared, "agwer_recorded"):
        if r["fn"] == "entity_f1":
            options = dict(r["kwargs"])
            if "predicate" in options: options["predicate"] = number
            if "raises" in r:
                with pytest.raises(ValueError): entity_f1(*r["args"], **options)
            else: assert entity_f1(*r["args"], **options).as_dict().items() >= r["result"].items(), n
        elif r["fn"] == "word_hallucination_rate":
            made, wanted = hallucination(*r["args"]), r["result"]
            assert [made.output_tokens, made.hallucinated, made.novel, made.repetition, made.passed_through, made.generative, made.whr] == [
                wanted[k] for k in ("output_tokens", "hallucinated_tokens", "novel_hallucinations", "repetition_hallucinations",
                                    "passed_through_errors", "generative_tokens", "whr")], n
        else: continue
        seen[r["fn"]] += 1
    assert seen == {"entity_f1": 6, "word_hallucination_rate": 7}


# ---- traps

def test_f1_is_null_where_nothing_is_right():
    made = entity_f1("call bob", "call rob", {"Bob", "Rob"})
    assert (made.recall, made.precision, made.f1, made.entity_wer) == (0, 0, None, 1) and "F1 –" in repr(made)
    none = entity_f1("a b", "a b", {"c"})
    assert (none.recall, none.precision, none.f1, none.entity_wer, none.ref_entities) == (None, None, None, None, 0)
    assert entity_f1("a b", "b", {"a"}).precision is None and entity_f1("b", "a b", {"a"}).recall is None


def test_the_set_goes_through_the_norm():
    assert entity_f1("Call Bob!", "call bob", {"Bob"}).recall == 1 and entity_f1("Call Bob!", "call Bob!", {"Bob"}, norm=None).recall is None
    assert entity_f1(["a 5%"], ["a 5"], {"5"}, norm="agentic").recall == 1


@pytest.mark.parametrize("args, options, error", [
    (("a", "a", "bob"), {}, "entities='bob': expected a set of words"),
    (("a", "a", {"New York"}), {}, "'New York' is 2 words under agentic.*see `term_scores`"),
    (("a", "a", {"%"}), {}, "'%' is 0 words under"),
    (("a", "a", {3}), {}, "entities: 3 is not a text"), (("a", "a", 3), {}, "entities=3: expected a set of words"),
    (("a", "a", {"a": 1}), {}, "expected a set of words"),
    (("a", "a"), {}, "entities, predicate: give one of the two"), (("a", "a", {"a"}, str.isdigit), {}, "entities, predicate: give one of the two"),
    (("a", "a"), {"predicate": {"a"}}, r"predicate=\{'a'\}: expected a function"),
    (("a", "a", {"a"}), {"ties": "x"}, "ties='x'"),
    ((["a"], ["a", "b"], {"a"}), {}, "reference has 1 text, hypothesis has 2"),
    ((["a"], [None], {"a"}), {}, r"hypothesis\[0\]=None: expected a text"),
    (("a", ["a"], {"a"}), {}, "reference='a': expected a list of texts"),
])
def test_what_entity_f1_refuses(args, options, error):
    with pytest.raises((TypeError, ValueError), match=error): entity_f1(*args, **options)


@pytest.mark.parametrize("args, error", [
    ((["a"], ["a"]), "hypotheses: give what the"), ((["a"], ["a"], [[]]), r"hypotheses\[0\] is an empty list"),
    ((["a"], None, ["a"]), "corrected: give what"),
    ((["a", "b"], ["a", "b"], ["a", ["b"]]), r"hypotheses\[1\]=\['b'\]: expected a text, got a list"),
    ((["a"], ["a"], 3), "hypotheses=3: expected a list"),
    ((["a", "b"], ["a", "b"], [["a"], "b"]), r"hypotheses\[1\]='b': expected a list of texts, got one text$"),
    ((["a"], ["a"], "a"), "hypotheses='a'"),
    ((["a"], ["a"], ["a", "b"]), "hypotheses has 2 rows"), ((["a"], [None], ["a"]), r"corrected\[0\]=None"), (([], [], []), "the corpus is empty"),
    (("a", "a", "a"), "references='a': expected a list"),
])
def test_what_hallucination_refuses(args, error):
    with pytest.raises((TypeError, ValueError), match=error): hallucination(*args)


def test_no_words_have_no_rate():
    made = hallucination(["a b"], [""], ["a"])
    assert made.whr is None and made.output_tokens == 0 and "–" in repr(made)


def test_a_loop_is_a_repetition():
    said = "the train was late"
    made = hallucination([said], [" ".join([said] * 11)], [[said, "the rain was late"]])
    assert (made.output_tokens, made.repetition, made.novel, made.whr) == (44, 40, 0, 40 / 44)


def test_tables_studies_and_keeping():
    refs, corr, lists = ["run it now", "so it is"], ["please run it now", "so it is"], [["run it no"], ["so it was", "so is"]]
    wanted = hallucination(refs, corr, lists)
    table = pd.DataFrame({"reference": refs, "corrected": corr, "nbest": lists})
    assert hallucination(table) == wanted == hallucination(table, hypotheses=lists) == hallucination(refs, corr, pd.Series(lists))
    ones = [texts[0] for texts in lists]
    alone = hallucination(refs, corr, ones)
    for same in (tuple(ones), pd.Series(ones), np.array(ones), pa.array(ones), iter(ones), [[t] for t in ones]):
        assert hallucination(refs, corr, same) == alone
    assert hallucination(table.assign(asr=ones), hypotheses="asr") == alone
    assert hallucination(table.assign(asr=lists).drop(columns="nbest"), hypotheses="asr") == wanted
    long = pd.DataFrame({"id": ["c1", "c2"], "engine": "x", "hypothesis": corr, "reference": refs, "nbest": lists})
    study = Tables.from_long(long, norm="agentic")
    assert hallucination(study) == wanted and evaluate(study).n == 2
    both = pd.concat([long, long.assign(engine="y", hypothesis=ones, nbest=None)])
    assert hallucination(Tables.from_long(both, norm="agentic"), "x", "y") == alone
    assert hallucination(Tables.from_long(both, norm="agentic"), "x", "x") == wanted
    assert figures(measure_scores(study, "whr"))["rate"].tolist() == [wanted.whr]
    assert figures(measure_scores(Tables.from_long(long.drop(columns="nbest")), "whr"))["rate"].isna().all()
    for made in (wanted, entity_f1(refs, corr, {"run"})):
        assert pickle.loads(pickle.dumps(made)) == made and json.loads(json.dumps(made.as_dict())) == made.as_dict()
        assert re.search("agentic@1.*ties=jiwer", repr(made)) and len(made.table()) == len(made.words)
