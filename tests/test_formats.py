"""The small formats of speech tools, and chat logs of correctors: what each says, and what is refused."""
import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb import BadTable, Study, pair_transcripts, read_nbest, read_transcripts


def put(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def refusal(call, *args, **options) -> BadTable:
    with pytest.raises(BadTable) as caught: call(*args, **options)
    return caught.value


def clips(path, **options): return dict(read_transcripts(path, **options)[["clip", "text"]].itertuples(index=False))


def test_lines_keep_the_short_and_the_empty_ones(tmp_path):
    path = put(tmp_path, "a.txt", "I\n\n12 apples please\r\n \nend\u2028of line")
    assert clips(path) == {"1": "I", "2": "", "3": "12 apples please", "4": " ", "5": "end\u2028of line"}
    assert clips(put(tmp_path, "b.txt", "a\n\n")) == {"1": "a", "2": ""} and clips(put(tmp_path, "c.txt", "")) == {}


def test_a_leading_word_is_text_unless_somebody_says_so(tmp_path):
    path = put(tmp_path, "a.txt", "utt1 12 apples\nutt2\n\nutt3  two  words \n")
    assert clips(path)["1"] == "utt1 12 apples"
    assert clips(path, format="kaldi") == {"utt1": "12 apples", "utt2": "", "utt3": "two  words"}
    assert "format=" in str(refusal(read_transcripts, put(tmp_path, "text", "a b\n")))
    e = refusal(read_transcripts, put(tmp_path, "d.txt", "u a\nv b\nu c\n"), format="kaldi")
    assert (e.line, e.clip) == (3, "u") and "line 1" in str(e)


def test_trn(tmp_path):
    path = put(tmp_path, "a.trn", ";; comment\nyes (I mean) no (spk-1)\n(spk-2)\n{ a / b } c  ( spk-3)\n".replace("( spk", "(spk"))
    assert clips(path) == {"spk-1": "yes (I mean) no", "spk-2": "", "spk-3": "{ a / b } c"}
    assert refusal(read_transcripts, put(tmp_path, "b.trn", "a (1)\nno id\n")).line == 2


def test_stm(tmp_path):
    text = (";; comment\nrec 1 anna 0.5 2 <o,f0,female> one two\nrec 1 ben 1 1.5 <o,f0,male>\n\nrec 1 anna 2 3 <o,f0,female> three\n")
    df = read_transcripts(put(tmp_path, "a.stm", text))
    assert df["text"].tolist() == ["one two", "", "three"] and df["start"].tolist() == [0.5, 1.0, 2.0]
    assert df["speaker"].tolist() == ["anna", "ben", "anna"]
    assert read_transcripts(put(tmp_path, "b.stm", "r 1 s 0 1 <unk> hello\nr 1 s 1 2 there\n"))["text"].tolist() == ["<unk> hello", "there"]
    for line in ("r 1 s 0", "r 1 s x 1 a", "r 1 s 2 1 a", "r 1 s -1 1 a", "r 1 s nan 1 a", "r 1 s 0 1 ignore_time_segment_in_scoring"):
        assert refusal(read_transcripts, put(tmp_path, "c.stm", "r 1 s 0 1 a\n" + line)).line == 2


def test_ctm(tmp_path):
    df = read_transcripts(put(tmp_path, "a.ctm", "rec A 1.0 0.5 hello 0.98\nrec A 1.5 0.25 there\n"))
    assert df["text"].tolist() == ["hello", "there"] and df["end"].tolist() == [1.5, 1.75]
    for line in ("rec A 1.0 0.5", "rec A one 0.5 a", "rec A 1 * <ALT_BEGIN>", "rec A 1 0.5 <ALT_BEGIN>"):
        assert refusal(read_transcripts, put(tmp_path, "b.ctm", "rec A 0 1 a\n" + line)).line == 2


def test_seglst(tmp_path):
    seg = dict(session_id="r", speaker="s", start_time="0", end_time=1.5, words="a b")
    df = read_transcripts(put(tmp_path, "a.json", json.dumps([seg, {**seg, "words": ""}])))
    assert df["text"].tolist() == ["a b", ""] and df["end"].tolist() == [1.5, 1.5]
    for bad in ({}, [1], [{**seg, "words": None}], [{**seg, "session_id": 1}], [{**seg, "end_time": "soon"}], [{**seg, "start_time": 9}]):
        refusal(read_transcripts, put(tmp_path, "b.json", json.dumps(bad)))


def test_seglst_without_times(tmp_path):
    "No time is made up: all segments have theirs, or none has and the order is that of the file."
    seg = dict(session_id="r", speaker="s", start_time=3, end_time=4, words="first")
    bare = {k: v for k, v in seg.items() if not k.endswith("_time")}
    for rows in ([seg, bare], [bare, seg], [seg, {**bare, "start_time": 5}], [{**bare, "end_time": 5}],
                 [seg, {**bare, "start_time": None, "end_time": 5}]):
        e = refusal(read_transcripts, put(tmp_path, "b.json", json.dumps(rows)))
        assert f"segment {len(rows)}" in str(e) and "every segment both times, or none any" in str(e)
    path = put(tmp_path, "a.json", json.dumps([bare, {**bare, "words": "second"}]))
    assert read_transcripts(path)[["start", "end"]].isna().all(axis=None)
    pairs = pair_transcripts(path, {"x": path})
    assert pairs["hypothesis"].tolist() == ["first second"] and pairs["words"].tolist() == [None]
    assert "words" not in Study.from_long(pairs).drafts.dropna(axis=1)
    later = put(tmp_path, "c.json", json.dumps([seg, {**seg, "start_time": 1, "end_time": 2, "words": "second"}]))
    assert pair_transcripts(later, {"x": later})["hypothesis"].tolist() == ["second first"]
    assert "speaker" in str(refusal(read_transcripts, put(tmp_path, "d.json", json.dumps([{**seg, "speaker": 5}]))))


@pytest.mark.parametrize("options, error, says", [
    (dict(hypotheses=None), TypeError, "hypotheses=None: expected {arm: path}"), (dict(hypotheses=5), TypeError, "hypotheses=5"),
    (dict(hypotheses=[None]), TypeError, r"hypotheses\[0\]=None: expected the name of a file"),
    (dict(hypotheses={"x": None}), TypeError, r"hypotheses\['x'\]=None"),
    (dict(reference=None), TypeError, "reference=None: expected the name of a file"),
    (dict(missing=None), ValueError, "missing=None: expected 'refuse'"),
    (dict(format={"nrth": "lines"}), ValueError, "there is no arm 'nrth'; there are '', 'a'"),
    (dict(format=5), ValueError, "format=5: choose one of"),
    (dict(format=["lines"]), ValueError, "choose one of")])
def test_arguments_of_pairs(tmp_path, options, error, says):
    path = put(tmp_path, "a.txt", "x\n")
    with pytest.raises(error, match=says): pair_transcripts(**dict(reference=path, hypotheses=[path]) | options)


def test_subtitles(tmp_path):
    srt = "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello</i>, {\\an8}you\r\nthere &amp; then\r\n\r\n2\r\n00:01:00,000 --> 00:01:01,000\r\n2 < 3\r\n"
    df = read_transcripts(put(tmp_path, "talk.v1.srt", srt))
    assert df["text"].tolist() == ["Hello, you there & then", "2 < 3"] and df["start"].tolist() == [1.0, 60.0] and set(df["recording"]) == {"talk.v1"}
    vtt = ("WEBVTT\n\nNOTE not said\n\nintro\n01:02.000 --> 01:03.000 align:start\n<v.loud Ann Lee>Good <00:01:02.500><c>day</c></v>\n\n"
           "00:02:00.000 --> 00:02:01.000\nbye\n")
    df = read_transcripts(put(tmp_path, "talk.vtt", vtt))
    assert df["text"].tolist() == ["Good day", "bye"] and df["speaker"].tolist() == ["Ann Lee", None] and df["start"].tolist() == [62.0, 120.0]
    assert refusal(read_transcripts, put(tmp_path, "b.srt", srt + "\r\n00:01 --> soon\r\nx")).line == 10
    refusal(read_transcripts, put(tmp_path, "c.srt", "hello\n"))


def test_folders_and_compression(tmp_path):
    put(tmp_path, "ref/a.txt", "One.\n"); put(tmp_path, "ref/b.txt", "two\nlines"); put(tmp_path, "ref/notes.md", "x")
    assert clips(tmp_path / "ref") == {"a": "One.", "b": "two\nlines"}
    refusal(read_transcripts, tmp_path); refusal(read_transcripts, tmp_path / "ref", format="kaldi")
    (tmp_path / "z.trn.gz").write_bytes(gzip.compress(b"a (1)\n"))
    assert clips(tmp_path / "z.trn.gz") == {"1": "a"}
    (tmp_path / "ref/b.txt").write_bytes("é".encode("latin-1"))
    e = refusal(read_transcripts, tmp_path / "ref")
    assert "b.txt" in str(e) and "encoding=" in str(e)
    with pytest.raises(ValueError, match="choose one of"): read_transcripts(tmp_path / "ref", format="csv")


def test_pairs_of_lines_and_ids(tmp_path):
    ref = put(tmp_path, "ref.txt", "I\n\nyes\n")
    pairs = pair_transcripts(ref, {"a": put(tmp_path, "a.txt", "eye\num\nyes\n"), "b": put(tmp_path, "b.txt", "I\n\nno\n")})
    assert pairs[["id", "engine", "hypothesis", "reference"]].to_numpy().tolist() == [
        ["1", "a", "eye", "I"], ["2", "a", "um", ""], ["3", "a", "yes", "yes"], ["1", "b", "I", "I"], ["2", "b", "", ""], ["3", "b", "no", "yes"]]
    assert Study.from_long(pairs).summary()["words"].tolist() == [2, 2]
    for missing in ("refuse", "leave out", "empty"):
        assert "2 lines" in str(refusal(pair_transcripts, ref, [put(tmp_path, "c.txt", "I\nyes\n")], missing=missing))
    kaldi = put(tmp_path, "k.txt", "u1 a b\nu2 c\n")
    heard = put(tmp_path, "h.txt", "u2 c\n")
    e = refusal(pair_transcripts, kaldi, [heard], format="kaldi")
    assert e.clip == "u1" and "leave out" in str(e)
    assert len(pair_transcripts(kaldi, [heard], format="kaldi", missing="leave out")) == 1
    assert pair_transcripts(kaldi, [heard], format="kaldi", missing="empty")["hypothesis"].tolist() == ["", "c"]
    assert refusal(pair_transcripts, heard, [kaldi], format="kaldi").clip == "u1"
    assert "format='kaldi'" in str(refusal(pair_transcripts, kaldi, [heard], format={"": "kaldi"}))
    trn = put(tmp_path, "t.trn", "a b (u1)\nc (u2)\n")
    assert len(pair_transcripts(kaldi, {"t": trn}, format={"": "kaldi"})) == 2
    for wrong in (dict(missing="zero"), dict(hypotheses={}), dict(hypotheses=[ref, ref])):
        with pytest.raises(ValueError): pair_transcripts(**{"reference": ref, "hypotheses": [ref], **wrong})


def test_a_folder_of_folders(tmp_path):
    for arm in ("gold", "north", "south"):
        for clip in ("a", "b"): put(tmp_path, f"{arm}/{clip}.txt", f"{arm} {clip}\n")
    pairs = pair_transcripts(tmp_path / "gold", tmp_path)
    assert sorted(set(pairs["engine"])) == ["north", "south"] and len(pairs) == 4
    assert pair_transcripts(tmp_path / "gold", [tmp_path / "north"])["hypothesis"].tolist() == ["north a", "north b"]


def test_speakers_make_clips_only_where_both_sides_name_them(tmp_path):
    ref = put(tmp_path, "ref.stm", "r 1 anna 0 2 one two\nr 1 ben 1 3 three\nr 1 anna 3 4 four\nq 1 anna 0 1 five\n")
    hyp = put(tmp_path, "hyp.stm", "r 1 ben 1 3 tree\nr 1 anna 0 4 one two four\nq 1 anna 0 1 five\n")
    pairs = pair_transcripts(ref, [hyp])
    assert {r.id: (r.reference, r.hypothesis) for r in pairs.itertuples()} == {
        "r/anna": ("one two four", "one two four"), "r/ben": ("three", "tree"), "q/anna": ("five", "five")}
    assert pairs["cluster"].tolist() == ["r", "r", "q"] or set(pairs["cluster"]) == {"r", "q"}
    other = put(tmp_path, "other.stm", "r 1 spk0 0 4 one two four\nr 1 spk1 1 3 three\nq 1 anna 0 1 five\n")
    e = refusal(pair_transcripts, ref, [other])
    assert "cpWER" in str(e) and "meeteval-wer" in str(e) and "spk0" in str(e)
    ctm = put(tmp_path, "hyp.ctm", "r 1 0 .5 one\nr 1 .5 .5 two\nr 1 3 .5 four\nr 1 1.5 1 three\nq 1 0 1 five\n")
    pairs = pair_transcripts(ref, [ctm])
    assert dict(zip(pairs["id"], pairs["hypothesis"], strict=True)) == {"r": "one two three four", "q": "five"}
    assert pairs["words"][pairs["id"].tolist().index("q")] == (("five", 0.0, 1.0),)
    s = Study.from_long(pairs)
    assert s.drafts["words"].notna().all() and s.clips["cluster"].tolist() == s.clips["clip"].tolist()
    single = put(tmp_path, "single.stm", "q 1 spk0 0 1 five\n")
    assert pair_transcripts(put(tmp_path, "r1.stm", "q 1 anna 0 1 five\n"), [single])["id"].tolist() == ["q"]
    refusal(pair_transcripts, ref, [put(tmp_path, "x.trn", "a (r)\n")])


def test_subtitles_of_one_talk_need_not_be_named_alike(tmp_path):
    cue = "00:00:01,000 --> 00:00:02,000\n"
    north = put(tmp_path, "north.vtt", "WEBVTT\n\n" + cue.replace(",", ".") + "good bye\n")
    pairs = pair_transcripts(put(tmp_path, "gold.srt", "1\n" + cue + "good day\n"), [north])
    assert pairs[["id", "engine", "hypothesis", "reference"]].to_numpy().tolist() == [["gold", "north", "good bye", "good day"]]


def test_channels_part_two_people_on_the_telephone(tmp_path):
    ref = put(tmp_path, "r.stm", "c A anna 0 1 hello\nc B ben 0 1 hi\n")
    hyp = put(tmp_path, "h.ctm", "c B 0 1 hi\nc A 0 1 hullo\n")
    assert set(pair_transcripts(ref, [hyp])[["id", "hypothesis"]].itertuples(index=False, name=None)) == {("c/A", "hullo"), ("c/B", "hi")}


def test_meeteval_gives_the_same_plain_rates(shared, tmp_path):
    for line in (shared / "data/peers/meeteval_examples.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["metric"] != "wer": continue
        names = {name: name.split("/")[-1] + ".txt" * ("." not in name) for name in case["files"]}
        ref, hyp = (put(tmp_path, names[case["args"][n]], case["files"][case["args"][n]]) for n in (1, 3))
        kind = "kaldi" if ref.suffix == ".txt" else None
        row = Study.from_long(pair_transcripts(ref, {"h": hyp}, format=kind), norm="none").summary().iloc[0]
        assert row["WER"] == pytest.approx(case["average"]["error_rate"], abs=1e-9)


REC = {"reference": "a b c", "corrected": "a b d", "nbest": ["a x c", "a b c"]}
BARE = {k: v for k, v in REC.items() if k != "corrected"}
ASSISTANT = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a b d"}]}


def log(folder, *rows, name="in.jsonl"): return put(folder, name, "\n".join(map(json.dumps, rows)))


@pytest.mark.parametrize("kind, extra", [
    ("openai", {"messages": [{"role": "assistant", "content": "draft"}, {"role": "user", "content": "again"},
                             {"role": "assistant", "content": "a b d"}]}),
    ("openai", {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a b"}, {"type": "text", "text": " d"}]}]}),
    ("openai", {"response": {"choices": [{"message": {"role": "assistant", "content": "a b d"}, "finish_reason": "stop"}]}}),
    ("anthropic", {"response": {**ASSISTANT, "stop_reason": "end_turn"}}), ("anthropic", ASSISTANT),
    ("anthropic", {"response": {"role": "assistant", "content": [{"type": "text", "text": '{"corrected": "a b d", "confidence": 0.9}'}]}}),
    ("anthropic", {"response": {"role": "assistant", "content": [{"type": "text", "text": '```json\n{"corrected": "a b d"}\n```'}]}}),
    ("sharegpt", {"conversations": [{"from": "human", "value": "…"}, {"from": "gpt", "value": "a b d"}]})])
def test_chat_logs(tmp_path, kind, extra):
    for format in ("auto", kind):
        df = read_nbest(log(tmp_path, {**BARE, **extra, "id": "007"}), format=format)
        assert df[["reference", "corrected", "nbest", "id"]].to_dict("records") == [{**REC, "id": "007"}]
        assert not {"messages", "response", "content", "conversations"} & set(df)


def test_native_records(tmp_path):
    df = read_nbest(log(tmp_path, REC, {**REC, "lang": "en"}))
    assert df["nbest"].tolist() == [REC["nbest"]] * 2 and df["lang"].tolist() == [None, "en"]
    one = {**{k: v for k, v in REC.items() if k != "nbest"}, "onebest": "a x c"}
    assert read_nbest(log(tmp_path, one))["onebest"].tolist() == ["a x c"]
    assert read_nbest(log(tmp_path, {**one, **REC})).columns.tolist() == ["reference", "corrected", "nbest", "onebest"]
    scored = {**REC, "nbest": [{"text": "a x c", "score": -1.0}, {"text": "a b c", "score": -2.0}]}
    assert read_nbest(log(tmp_path, scored))["nbest"].tolist() == [REC["nbest"]]
    assert read_nbest(put(tmp_path, "l.json", json.dumps([REC, REC])))["corrected"].tolist() == ["a b d"] * 2
    assert read_nbest(log(tmp_path, BARE), corrected=None).columns.tolist() == ["reference", "nbest"]
    other = read_nbest(log(tmp_path, {"truth": "a", "fixed": "b", "hyps": ["c"]}), reference="truth", corrected="fixed", nbest="hyps")
    assert other.iloc[0].tolist() == ["a", "b", ["c"]]
    assert read_nbest(log(tmp_path, {**REC, "corrected": "{not json"}))["corrected"].tolist() == ["{not json"]


@pytest.mark.parametrize("bad, says", [
    ({**REC, "reference": None}, "'reference'"), ({**REC, "reference": 3}, "'reference'"), ({**REC, "corrected": None}, "'corrected'"),
    ({**REC, "nbest": "a b"}, "'nbest'"), ({**REC, "nbest": []}, "'nbest'"), ({**REC, "nbest": ["a", None]}, "'nbest'"),
    ({"reference": "a", "corrected": "a"}, "neither nbest"), ({"reference": "a", "corrected": "a", "onebest": "a"}, "before"),
    ({**REC, "onebest": ["a"]}, "'onebest'"), ({**REC, "onebest": "a x c"}, "before"),
    ({**BARE, "messages": [{"role": "user", "content": "hi"}]}, "no text of an assistant"),
    ({**BARE, "messages": [{"role": "assistant", "content": None}]}, "no text of an assistant"),
    ({**BARE, "messages": None, "response": {"content": []}}, "no text of an assistant"), ({**BARE, "response": "lost"}, "'corrected'"),
    ({**BARE, "messages": [{"role": "assistant", "content": '{"text": "a b d"}'}]}, "without a text under 'corrected'"),
    ({**BARE, "messages": [{"role": "assistant", "content": '{"corrected": null}'}]}, "without a text under 'corrected'"),
    ({**REC, "messages": [{"role": "assistant", "content": "other"}]}, "but the log says"),
    ({**BARE, "messages": [{"role": "assistant", "content": "a b d"}]},
     "this is a log of openai with nbest, and those before are each a plain record with nbest"),
    *[({**REC, key: wrong}, f"expected a list of objects under '{key}'") for key in ("choices", "messages", "conversations")
      for wrong in (["x"], 5, "x", {"a": 1}, [None], [[1]], True, 0.5)],
    *[({**REC, "choices": wrong}, "no text of an assistant")
      for wrong in ([{}], [{"message": "x"}], [{"message": None}], [{"message": {"content": 5}}])],
    *[({**BARE, **extra}, "no text of an assistant")
      for extra in ({"response": {"content": 5}}, {"response": {"content": [5]}}, {"content": [{"type": "text", "text": 5}], "role": "assistant"},
                    {"messages": [{"role": "assistant"}]}, {"conversations": [{"from": "gpt"}]})]])
def test_what_would_be_scored_wrongly(tmp_path, bad, says):
    e = refusal(read_nbest, log(tmp_path, REC, bad))
    assert e.line == 2 and says in str(e)


def test_nbest_from_parquet(tmp_path):
    import pandas as pd
    pd.DataFrame([REC, REC]).to_parquet(tmp_path / "in.parquet")
    for format in ("auto", "parquet"): assert read_nbest(tmp_path / "in.parquet", format).to_dict("records") == [REC, REC]
    pd.DataFrame([{**BARE, "messages": [{"role": "assistant", "content": "a b d"}]}]).to_parquet(tmp_path / "log.parquet")
    assert read_nbest(tmp_path / "log.parquet")["corrected"].tolist() == ["a b d"]
    pd.DataFrame([REC, {**REC, "reference": None}]).to_parquet(tmp_path / "bad.parquet")
    assert "record 2" in str(refusal(read_nbest, tmp_path / "bad.parquet"))
    refusal(read_nbest, tmp_path / "in.parquet", "jsonl"); refusal(read_nbest, log(tmp_path, REC), "parquet")
    for format in ("csv", None, 5, ["jsonl"]):
        with pytest.raises(ValueError, match="choose one of"): read_nbest(tmp_path / "in.parquet", format)
    for key in ("reference", "corrected", "nbest", "onebest"):
        for wrong in (5, [1], float("nan"), *([None] if key == "reference" else [])):
            with pytest.raises(TypeError, match=f"{key}=.*: expected the name of a key"): read_nbest(tmp_path / "in.parquet", **{key: wrong})


def test_hyporadise(shared):
    df = read_nbest(shared / "data/hyporadise/cv.jsonl", corrected=None)
    assert len(df) == 2000 and df["nbest"].map(len).eq(5).all()


WORD = st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=4)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.lists(WORD, max_size=4).map(" ".join), max_size=6))
def test_lines_and_ids_come_back(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("f")
    got = clips(put(folder, "a.txt", "".join(t + "\n" for t in texts)))
    assert list(got.values()) == [t.removeprefix("\ufeff") if n == 0 else t for n, t in enumerate(texts)]
    kaldi = put(folder, "k.txt", "".join(f"u{n} {t}\n" for n, t in enumerate(texts)))
    assert clips(kaldi, format="kaldi") == {f"u{n}": t for n, t in enumerate(texts)}
