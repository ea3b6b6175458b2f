"""Literal fields: the figures that must come out, what is refused, and laws held against a plain count."""
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.fields as subject
from amend_nb import field_scores, figures, measure_scores
from amend_nb.tables import Tables

COUNTS = ["eligible", "exact", "unknown"]
ORDINARY = "please read this ordinary sentence slowly and clearly today"


def counts(scored): return scored.pooled[COUNTS].iloc[0].tolist()


def study(old=None, new=None, ordinary=True):
    clips = pd.DataFrame({"clip": ["critical", "ordinary"], "reference": ["use code 0072", ORDINARY], "expected": [[("code", "0072")], []]})
    rows = [("critical", "old", "use code 0072", old), ("ordinary", "old", "read ordinary sentence slowly clearly today", {}),
            ("critical", "new", "use code 72", new), *([("ordinary", "new", ORDINARY, {})] if ordinary else [])]
    return Tables.from_tidy(clips, pd.DataFrame(rows, columns=["clip", "arm", "text", "extracted"]), norm="literal")


def test_the_figures_that_must_come_out():
    scored = field_scores(study({"code": "0072"}, {"code": "72"}))
    assert scored.pooled[COUNTS].T.to_dict("list") == {"old": [1, 1, 0], "new": [1, 0, 0]}
    shown = figures(measure_scores(study({"code": "0072"}, {"code": "72"}), ["wer", "field_exact", "field_unknown"]))
    sums = shown[shown["item"].eq("")].set_index(["measure", "arm"])[["num", "den"]].T.to_dict("list")
    assert sums == {("wer", "old"): [3, 12], ("wer", "new"): [1, 12], ("field_exact", "old"): [1, 1], ("field_exact", "new"): [0, 1],
                    ("field_unknown", "old"): [0, 1], ("field_unknown", "new"): [0, 1]}


@pytest.mark.parametrize("missing", [{"code": None}, {}, None, [], [("code", None)], '{"code": null}', "{}", float("nan"), pd.NA])
def test_a_missing_extraction_is_unknown_and_never_exact(missing):
    assert counts(field_scores([{"code": "0072"}], [missing])) == [1, 0, 1]
    assert field_scores(study({"code": "0072"}, missing)).pooled[COUNTS].T.to_dict("list")["new"] == [1, 0, 1]


def test_fields_are_divided_by_fields_of_observed_cases():
    assert field_scores(study({"code": "0072"}, {"code": "72"}, ordinary=False)).pooled[COUNTS].T.to_dict("list")["new"] == [1, 0, 0]
    scored = field_scores({"a": {"x": "1", "y": "2"}, "b": {"x": "3"}, "c": {}}, {"a": {"x": "1"}, "c": {}})
    assert counts(scored) == [2, 1, 1] and scored.by_case["eligible"].to_dict() == {"a": 2, "c": 0}
    assert pd.isna(scored.by_case.loc["c", "rate"]) and field_scores([{}], [{}]).pooled["rate"].isna().all()


@pytest.mark.parametrize("got", ["72", "0072 ", " 0072", "OO72", "００７２", "0072\u200b", "0072."])
def test_nothing_is_normalised(got):
    assert counts(field_scores({"code": "0072"}, {"code": got})) == [1, 0, 0]


def test_composed_and_decomposed_accents_are_two_literals():
    assert counts(field_scores({"name": "José"}, {"name": "Jose\u0301"})) == [1, 0, 0]


def test_accepted_alternates_say_which_matched():
    cases, also = [{"time": "14:30"}] * 3, [{"time": ["2:30 pm"]}] * 3
    scored = field_scores(cases, [{"time": "14:30"}, {"time": "2:30 pm"}, {"time": "2:30"}], also)
    assert scored.table["matched"].tolist() == ["14:30", "2:30 pm", None] and counts(scored) == [3, 2, 0]
    assert field_scores(study({"code": "0072"}, {"code": "72"}), accepted={"critical": {"code": ["72"]}}).pooled["exact"].tolist() == [1, 1]


@pytest.mark.parametrize("expected, extracted, accepted, error, says", [
    ({"code": 72}, {}, None, TypeError, "expected of case 0.*72.*is a text"), ({"code": "72"}, {"code": 72}, None, TypeError, "extracted of case 0"),
    ({"code": True}, {}, None, TypeError, "bool"), ({"code": "1"}, {"code": 7.0}, None, TypeError, "float"),
    ({"code": "1"}, {"code": float("nan")}, None, TypeError, "nan"),
    ({"code": ""}, {}, None, ValueError, "never blank"),
    ({"code": "1"}, {"code": " \u00a0"}, None, ValueError, "never blank"), ([None, {"a": None}], [{}, {}], None, TypeError, "None"),
    ([[("a", "1"), ("a", "2")]], [{}], None, ValueError, "'a' comes twice"), 
    ([{"a": "1"}], [[("a", "1"), ("a", "1")]], None, ValueError, "'a' comes twice"),
    ([{"a": "1"}], ['{"a": "1", "a": "2"}'], None, ValueError, "'a' comes twice"), ([{"a": "1"}], ['{"a": 1}'], None, TypeError, "int"),
    ({"a": "1"}, {"b": "1"}, None, ValueError, "declares no field 'b'; it has a"), ([{}], [{"b": "1"}], None, ValueError, "it has none"),
    ([("a", "1")], [("a", "1")], None, TypeError, "not a pair"), ([{"a": "1"}], [], None, ValueError, "0 entries, `expected` has 1"),
    ([{"a": "1"}], {"0": {}}, None, ValueError, "not among the cases"),
    ({"k": {"a": "1"}}, {"q": {}}, None, ValueError, "'q' is not among the cases"),
    ({"k": {"a": "1"}}, [{}], None, TypeError, "dict by case id"),
    ([{"a": "1"}], "a=1", None, TypeError, "expected a list with an entry for each case"),
    ([{"a": "1"}], ["a=1"], None, TypeError, "JSON object"), ([{"a": "1"}], ["[1]"], None, TypeError, "not a pair"),
    ([5], [{}], None, TypeError, "expected fields"),
    ([{"": "1"}], [{}], None, TypeError, "not the name of a field"), ([{1: "1"}], [{}], None, TypeError, "not the name of a field"),
    ({"a": "1"}, {"a": "1"}, {"b": ["2"]}, ValueError, "no field 'b'"), ({"a": "1"}, {"a": "1"}, {"a": "2"}, TypeError, "a list of literals"),
    ({"a": "1"}, {"a": "1"}, {"a": [2]}, TypeError, "int"), ({"a": "1"}, {"a": "1"}, {"a": [" "]}, ValueError, "never blank")])
def test_what_is_refused(expected, extracted, accepted, error, says):
    with pytest.raises(error, match=says): field_scores(expected, extracted, accepted)


def test_a_study_without_the_columns_says_so():
    plain = Tables.from_wide(pd.DataFrame({"reference": ["a"], "x": ["a"]}), arms=["x"])
    with pytest.raises(ValueError, match="no column 'expected'"): field_scores(plain)
    with pytest.raises(TypeError, match="clip 'critical', arm 'new'"): field_scores(study({"code": "0072"}, {"code": 72}))


GOT = st.tuples(st.sampled_from(["1", "01", "x"]), st.sampled_from(["1", "01", "x", None, "left out"]))
CASES = st.lists(st.dictionaries(st.sampled_from("abc"), GOT), max_size=5)


def counts_are_plain(module):
    @examples(500)
    @given(CASES)
    def law(cases):
        expected = [{f: e for f, (e, _) in c.items()} for c in cases]
        extracted = [{f: g for f, (_, g) in c.items() if g != "left out"} for c in cases]
        scored, every = module.field_scores(expected, extracted), [p for c in cases for p in c.values()]
        assert counts(scored) == [len(every), sum(e == g for e, g in every), sum(g in (None, "left out") for _, g in every)]
        assert scored.by_case[COUNTS].sum().tolist() == counts(scored) == scored.by_field[COUNTS].sum().tolist()
        assert scored.by_case["eligible"].tolist() == list(map(len, cases))
        turned = module.field_scores(expected[::-1], [list(c.items()) for c in extracted[::-1]])
        assert turned.by_field.sort_index().equals(scored.by_field.sort_index())
    law()


def test_counts_are_plain():
    counts_are_plain(subject)
    inner = "for field, literal in {}.items():\n        got"
    for change in (("got == literal", "got.lstrip('0') == literal.lstrip('0')"), ("exact, got is None, got if", "exact, not exact, got if"),
                   (inner.format("declared"), inner.format("came")), (".reindex(index, fill_value=0)", "")):
        assert breaks(counts_are_plain, mutant(subject, change)), change


@examples(500)
@given(TEXTS.filter(str.strip), TEXTS)
def test_any_text_is_a_literal_of_itself_alone(a, b):
    assert counts(field_scores({"f": a}, {"f": a})) == [1, 1, 0]
    if b.strip(): assert counts(field_scores([{"f": a}], [{"f": b}])) == [1, int(a == b), 0]
    else:
        with pytest.raises(ValueError, match="never blank"): field_scores([{"f": a}], [{"f": b}])
