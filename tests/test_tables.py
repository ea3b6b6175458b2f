"""Tables: three shapes in, one checked form; what cannot be taken at its word is refused with its place."""
import copy
import pickle

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb import BadTable, Tables, read_table


def refusal(call, *args, **options) -> BadTable:
    with pytest.raises(BadTable) as caught: call(*args, **options)
    return caught.value


def wide(**more): return pd.DataFrame({"id": ["007", "7"], "reference": ["a b", ""], "x": ["a", "b"], "y": ["", "b c"], **more})
def long(**more):
    return pd.DataFrame({"id": ["1", "1", "2"], "engine": ["x", "y", "x"], "reference": ["a", "a", "b"], "hypothesis": ["a", "", "c"], **more})


def test_a_doubled_clip_is_named_and_never_multiplied():
    for ids in (["1", "2", "2"], [1, 2, 2]):
        df = pd.DataFrame({"id": ids, "reference": list("abc"), "x": list("abc")})
        e = refusal(Tables.from_wide, df, arms=["x"], clip="id")
        assert e.clip == "2" and "twice (first in row 1)" in str(e)
    e = refusal(Tables.from_long, pd.concat([long(), long().iloc[[1]]]))
    assert e.clip == "1" and "the same clip and arm twice" in str(e)
    refusal(Tables.from_tidy, pd.DataFrame({"clip": ["1", "1"], "reference": ["a", "a"]}), pd.DataFrame({"clip": [], "arm": [], "text": []}))


def test_a_number_and_its_text_are_the_same_clip():
    df = pd.DataFrame({"id": ["7", 7], "reference": list("ab"), "x": list("ab")}, dtype=object)
    assert refusal(Tables.from_wide, df, arms=["x"], clip="id").clip == "7"


@pytest.mark.parametrize("bad", [None, float("nan"), pd.NA, 1, 1.5, True, ["a"], b"a"])
def test_no_text_no_table(bad):
    for column in ("x", "reference", "spoken"):
        df = wide(spoken=["s", "t"]).astype(object)
        df.at[1, column] = bad
        e = refusal(Tables.from_wide, df, arms=["x", "y"], clip="id")
        assert (e.column, e.clip) == (column, "7") and "expected a text" in str(e)


@pytest.mark.parametrize("bad", [None, float("nan"), pd.NA, "", 1.0, True, ("1",)])
def test_no_id_no_table(bad):
    df = wide().astype(object)
    df.at[1, "id"] = bad
    assert refusal(Tables.from_wide, df, arms=["x"], clip="id").column == "id"
    df = long().astype(object)
    df.at[1, "engine"] = bad
    assert refusal(Tables.from_long, df).column == "engine"


@pytest.mark.parametrize("words", [
    [("a", "x", "y")], [("a", 2, 1)], [("a", -1, 1)], [("a", 0, float("nan"))], [("a", 0, float("inf"))], [("a", None, None)], [("a", 0)], [()],
    [("a", True, 1)], [("a", "0", "1")], "abc", [("a", 0, 1), (1, 0, 1)], [dict(text="a", start=0)], 5, ["abc"]])
def test_words_stand_at_seconds(words):
    df = long().assign(words=[[("a", 0, 0.5), dict(text="b", start=0.5, end=0.5)], None, words])
    e = refusal(Tables.from_long, df)
    assert (e.column, e.clip) == ("words", "2") and "0 <= start <= end in seconds" in str(e)
    assert Tables.from_long(df.head(2)).drafts["words"].tolist() == [(("a", 0, 0.5), ("b", 0.5, 0.5)), None]


@pytest.mark.parametrize("ids", [["1", "1 "], [" 1", "1"], ["\u00a01", "1"], ["1 ", 1]])
def test_ids_that_differ_in_blanks_alone_are_a_slip(ids):
    df = pd.DataFrame({"id": pd.Series(ids, dtype=object), "reference": ["a", "b"], "x": ["a", "b"], "x ": ["a", "b"]})
    e = refusal(Tables.from_wide, df, arms=["x"], clip="id")
    assert e.column == "id" and "in blanks alone" in str(e) and "row 1" in str(e)
    assert "in blanks alone" in str(refusal(Tables.from_wide, df.drop(columns="id"), arms=["x", "x "]))
    assert "in blanks alone" in str(refusal(Tables.from_long, long(engine=["x", "x ", "x"])))
    assert Tables.from_wide(df.assign(id=["1 ", "2"]), arms=["x"], clip="id").clips["clip"].tolist() == ["1 ", "2"]


@pytest.mark.parametrize("terms, error, says", [
    ([None, ""], TypeError, r"terms\[0\]: expected a text, got None \(NoneType\)"), (["a", ""], ValueError, r"terms\[1\]: '' is an empty term"),
    (["a", " \t"], ValueError, "empty term"), (5, TypeError, "terms=5: expected a list of texts"), ("a", TypeError, "terms='a': expected a list"),
    ({"a": "b"}, TypeError, r"terms\['a'\]='b': expected a list of aliases"),
    ({"a": ["b", None]}, TypeError, r"terms\['a'\]: expected a text, got None"), ({"a": [""]}, ValueError, "empty term"),
    ({1: []}, TypeError, r"terms\[1\]: expected a text, got 1"), (pd.DataFrame(), TypeError, "expected a list of texts"),
    ([["a"]], TypeError, "expected a text")])
def test_terms_are_texts(terms, error, says):
    for call in (lambda **more: Tables.from_wide(wide(), arms=["x"], clip="id", **more), lambda **more: Tables.from_long(long(), **more)):
        with pytest.raises(error, match=says): call(terms=terms)
        assert call(terms=["a", "b"]).terms == ("a", "b") and call(terms={"a": ("b",)}).terms == {"a": ["b"]} and call().terms == ()


@pytest.mark.parametrize("options, says", [
    (dict(arms=None), "arms=None: expected a list of columns, got NoneType"), (dict(arms=5), "arms=5: expected a list of columns"),
    (dict(arms=[["x"]]), r"arms\[0\]=\['x'\]: expected the name of a column"), (dict(norm=5), "norm=5: expected the name of a normalizer"),
    (dict(df=None), "df=None: expected a pandas DataFrame, got NoneType"), (dict(df=[1]), "expected a pandas DataFrame, got list")])
def test_an_argument_of_another_kind_is_named(options, says):
    with pytest.raises(TypeError, match=says): Tables.from_wide(**dict(df=wide(), arms=["x"], clip="id") | options)


def test_clips_without_ids_are_numbered_from_one():
    t = Tables.from_wide(wide().drop(columns="id"), arms=["x", "y"])
    assert t.clips["clip"].tolist() == ["1", "2"]
    t = Tables.from_wide(wide().rename(columns={"id": "clip"})[::-1], arms=["y"])
    assert t.clips["clip"].tolist() == ["7", "007"] and t.drafts["text"].tolist() == ["b c", ""]


def test_roles():
    df = wide(language=["pt", "en"], cluster=["s1", "s2"], topic=["t", None])
    t = Tables.from_wide(df, arms=["x", "y"], clip="id")
    assert t.clips.columns.tolist() == ["clip", "reference", "language", "cluster", "topic"] and t.slices == ("topic",)
    assert t.clips["topic"].tolist() == ["t", None]
    assert "name is already used" in str(refusal(Tables.from_wide, df, arms=["x"], clip="id", cluster="language"))
    t = Tables.from_wide(df.drop(columns="cluster"), arms=["x"], clip="id", cluster="language")
    assert t.clips["cluster"].tolist() == ["pt", "en"] and "y" in t.slices
    assert "taken both as" in str(refusal(Tables.from_wide, df, arms=["x"], clip="id", spoken="reference"))
    assert "taken both as" in str(refusal(Tables.from_wide, df, arms=["reference"], clip="id"))
    assert "name is already used" in str(refusal(Tables.from_wide, df.assign(clip="c"), arms=["x"], clip="id"))
    assert "did you mean 'reference'" in str(refusal(Tables.from_wide, df, arms=["x"], reference="refrence"))
    for arms in ([], ["x", "x"]): refusal(Tables.from_wide, df, arms=arms)
    for call in (lambda: Tables.from_wide(df, arms="x"), lambda: Tables.from_wide(df, arms=["x"], spoken=["y"]),
                 lambda: Tables.from_wide("t.csv", arms=["x"]), lambda: Tables.from_wide([1], arms=["x"]),
                 lambda: Tables.from_wide(df, arms=["x"], terms="a term")):
        with pytest.raises(TypeError): call()


def test_a_cluster_is_known_for_every_clip_or_for_none():
    for bad in ("", None):
        e = refusal(Tables.from_wide, wide(cluster=["s1", bad]), arms=["x"], clip="id")
        assert e.column == "cluster"
    assert "cluster" not in Tables.from_wide(wide(cluster=[None, None]), arms=["x"], clip="id").clips


def test_doubled_columns_of_a_frame():
    df = pd.DataFrame([["1", "a", "b", "c"]], columns=["id", "reference", "reference", "x"])
    assert refusal(Tables.from_wide, df, arms=["x"]).column == "reference"


def test_long_form():
    t = Tables.from_long(long(group=["g", "g", "h"], seconds=["1.5", "", "2"], wer=["0", "1", "0"], nbest=[["a"], ["b", "c"], None]))
    assert t.slices == ("group",) and t.arms == ("x", "y") and len(t.drafts) == 3
    assert t.drafts.columns.tolist() == ["clip", "arm", "text", "nbest", "seconds", "wer"]
    assert t.drafts["seconds"].tolist()[0] == 1.5 and pd.isna(t.drafts["seconds"][1])
    assert t.drafts["nbest"].tolist() == [("a",), ("b", "c"), None]
    assert t.to_wide()["y"].tolist() == ["", None]
    df = long()
    df.loc[1, "reference"] = "A"
    e = refusal(Tables.from_long, df)
    assert (e.column, e.clip) == ("reference", "1") and "'x'" in str(e) and "'y'" in str(e)
    assert refusal(Tables.from_long, long(language=["en", "pt", "en"])).column == "language"
    assert refusal(Tables.from_long, long(text=["p", "q", "r"])).column == "text"
    assert Tables.from_long(long(text=["p", "p", "r"])).to_long()["text_of_clip"].tolist() == ["p", "p", "r"]


@pytest.mark.parametrize("column, bad", [("nbest", "a b"), ("nbest", []), ("nbest", [1]), ("nbest", 3), ("words", "a"), ("words", [("a", 1)]),
                                         ("seconds", "soon"), ("seconds", -1), ("seconds", True), ("cost", float("inf"))])
def test_columns_of_a_kind(column, bad):
    e = refusal(Tables.from_long, long(**{column: [bad, None, None]}))
    assert (e.column, e.clip) == (column, "1")


def test_words_with_times():
    t = Tables.from_long(long(words=[[{"text": "a", "start": 0, "end": 1}], [["b", 0, 2]], None]))
    assert t.drafts["words"].tolist() == [(("a", 0, 1),), (("b", 0, 2),), None]


def test_tidy_and_verdicts():
    t = Tables.from_wide(wide(), arms=["x", "y"], clip="id", norm="none", terms=["T"])
    v = pd.DataFrame({"clip": ["7", "7"], "arm": ["x", "x"], "judge": ["rules"] * 2, "repeat": [0, 1],
                      "fixed": ["b", None], "outcome": ["judged", "refused"]})
    judged = t.with_verdicts(v)
    assert judged.verdicts["fixed"].tolist() == ["b", None] and judged.verdicts["flags"].tolist() == [(), ()] and len(t.verdicts) == 0
    assert (judged.norm, judged.terms) == ("none", ("T",)) and "2 verdicts" in repr(judged)
    again = Tables.from_tidy(judged.clips, judged.drafts, judged.verdicts)
    assert again.verdicts.equals(judged.verdicts)
    assert "twice" in str(refusal(t.with_verdicts, v.assign(repeat=0)))
    assert "no draft" in str(refusal(t.with_verdicts, v.assign(arm="z")))
    assert refusal(t.with_verdicts, v.assign(fixed=3)).column == "fixed"
    assert "not there" in str(refusal(Tables.from_tidy, t.clips.head(1), t.drafts))
    assert refusal(Tables.from_tidy, t.clips.assign(more=1), t.drafts.assign(more=1)).column == "more"


def test_nothing_changes_it():
    t = Tables.from_wide(wide(topic=["p", "q"]), arms=["x", "y"], clip="id")
    for name in ("norm", "clips", "other"):
        with pytest.raises(AttributeError): setattr(t, name, 1)
    with pytest.raises(AttributeError): del t.norm
    before = t.clips
    frame = t.clips
    frame.loc[0, "reference"] = "changed"; frame["more"] = 1; t.drafts.insert(0, "z", 1)
    assert t.clips.equals(before) and "z" not in t.drafts
    class Sub(Tables): pass
    s = Sub.from_wide(wide(), arms=["x"])
    for other in (pickle.loads(pickle.dumps(t)), copy.copy(t), copy.deepcopy(t)): assert other.clips.equals(t.clips) and type(other) is Tables
    assert type(s.with_verdicts(None)) is Sub


def test_the_place_comes_from_the_file(tmp_path):
    (tmp_path / "t.csv").write_text('id,reference,x\n1,"two\nlines",x\n2,b,\n2,c,\n')
    df = read_table(tmp_path / "t.csv")
    e = refusal(Tables.from_wide, df, arms=["x"], clip="id")
    assert (e.file, e.line, e.clip) == (str(tmp_path / "t.csv"), 5, "2") and "first in line 4" in str(e)
    e = refusal(Tables.from_wide, df.sort_values("id", ascending=False).reset_index(drop=True), arms=["x"], clip="id")
    assert e.line is None and "row 1" in str(e)


TEXT = st.text(max_size=5)


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(TEXT.filter(bool), st.tuples(TEXT, TEXT, TEXT, TEXT), min_size=1, max_size=6)
       .filter(lambda rows: len({i.strip() for i in rows}) == len(rows)))
def test_wide_long_and_tidy_are_one(rows):
    df = pd.DataFrame([(i, *r) for i, r in rows.items()], columns=["clip", "reference", "x", "y", "topic"], dtype=object)
    w = Tables.from_wide(df, arms=["x", "y"])
    lo = Tables.from_long(w.to_long(), clip="clip", arm="arm", text="text")
    t = Tables.from_tidy(w.clips, w.drafts)
    assert w.clips.equals(lo.clips) and w.drafts.equals(lo.drafts) and w.clips.equals(t.clips) and w.drafts.equals(t.drafts)
    assert w.to_wide()[df.columns].to_numpy().tolist() == df.to_numpy().tolist()


def test_real_tables(shared):
    df = read_table(shared / "data/en_voxpopuli_5engines/pairs.csv")
    t = Tables.from_long(df)
    assert len(t.clips) == 150 and len(t.arms) == 5 and len(t.drafts) == 750 and (t.clips["reference"] == "").sum() == 4
    t = Tables.from_long(read_table(shared / "data/hyporadise/cv.jsonl"))
    assert len(t.clips) == 2000 and len(t.drafts["nbest"][0]) == 5
    for path in sorted((shared / "data").glob("*/*.csv")):
        df = read_table(path)
        assert len(df) and not df.isna().any().any() and df["reference"].map(type).eq(str).all()
