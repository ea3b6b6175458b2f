"""Reading and writing tables: text as typed, places that are right, refusals that say the way out."""
import datetime
import gzip
import json
import os
import pickle
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb import BadTable, read_table, write_file, write_table


def put(folder: Path, data, name="t.csv") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


def refusal(call, *args, **options) -> BadTable:
    with pytest.raises(BadTable) as caught: call(*args, **options)
    return caught.value


def test_ids_stay_as_written(tmp_path):
    df = read_table(put(tmp_path, "id,ref\n007,a\n7,b\n1e5,c\n1234567890123456789,NA\n,null\n"))
    assert df["id"].tolist() == ["007", "7", "1e5", "1234567890123456789", ""]
    assert df["ref"].tolist() == ["a", "b", "c", "NA", "null"]


def test_another_encoding_is_named_not_guessed(tmp_path):
    path = put(tmp_path, "id,ref\n1,coração\n".encode("cp1252"))
    e = refusal(read_table, path)
    assert (e.file, e.line) == (path, 2) and "position 13" in str(e) and "encoding='cp1252'" in str(e)
    assert read_table(path, encoding="cp1252")["ref"].tolist() == ["coração"]
    assert "leave encoding out" in str(refusal(read_table, put(tmp_path, "id,ref\n1,coração\n"), encoding="latin-1"))
    for encoding in ("utf-8-sig", "utf-16", "utf-32", "utf-16-le"):
        path = put(tmp_path, "id,ref\n1,coração\n".encode(encoding))
        assert read_table(path, encoding=encoding).columns.tolist() == ["id", "ref"]
        if encoding == "utf-8-sig": assert read_table(path).columns.tolist() == ["id", "ref"]
        else: assert "encoding=" in str(refusal(read_table, path))
    for name in ("no-such", "rot13", "", "a\0b"): assert "encoding" in str(refusal(read_table, path, encoding=name))


def test_cells_with_line_breaks_keep_the_count_of_lines(tmp_path):
    path = put(tmp_path, 'id,ref\n1,"line one\nline ""two"""\n2,b\n3\n')
    e = refusal(read_table, path)
    assert e.line == 5 and "1 cells where the header has 2" in str(e)
    df = read_table(put(tmp_path, 'id,ref\n1,"line one\nline ""two"""\n2,b\n'))
    assert df["ref"].tolist() == ['line one\nline "two"', "b"]
    write_table(df, tmp_path / "again.csv")
    assert read_table(tmp_path / "again.csv").equals(df)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_system(tmp_path, end):
    df = read_table(put(tmp_path, end.join(["id,ref", "1,a", "", "2,b", ""])))
    assert df["ref"].tolist() == ["a", "b"]
    assert refusal(read_table, put(tmp_path, end.join(["id,ref", "1,a", "", "2,b,c", ""]))).line == 4


@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
def test_the_separator_is_found_or_doubted(tmp_path, sep):
    text = f'id{sep}ref{sep}a\n1{sep}"one, two; three"{sep}x\n2{sep}four{sep}"y; z"\n'
    assert read_table(put(tmp_path, text)).columns.tolist() == ["id", "ref", "a"]
    wrong = next(s for s in ",;\t|" if s != sep)
    e = refusal(read_table, put(tmp_path, text), sep=wrong)
    assert "the header is one cell" in str(e) and repr(sep) in str(e)


def test_a_separator_that_is_not_known_gives_no_table_of_one_column_with_all(tmp_path):
    assert read_table(put(tmp_path, "id^ref\n1^a\n"), sep="^").shape == (1, 2)
    for sep in ("", ",,", '"', "\n"):
        if sep: refusal(read_table, put(tmp_path, "id,ref\n1,a\n"), sep=sep)
    assert "whole lines quoted" in str(refusal(read_table, put(tmp_path, '"id,ref"\n"1,a"\n')))
    assert read_table(put(tmp_path, "word\nNA\n\n")).shape == (1, 1)
    assert refusal(read_table, put(tmp_path, "word\na\n\nb\n")).line == 3
    assert read_table(put(tmp_path, "sep=;\r\nid;ref\r\n1;a\r\n")).columns.tolist() == ["id", "ref"]


def test_quotes_that_are_wrong_and_quotes_that_are_text(tmp_path):
    assert refusal(read_table, put(tmp_path, 'id,ref\n1,x\n2,"a\n3,b\n')).line == 3
    path = put(tmp_path, 'id\tref\n1\t"Stop," he said.\n')
    assert "quote=None" in str(refusal(read_table, path))
    assert read_table(path, quote=None)["ref"].tolist() == ['"Stop," he said.']


@pytest.mark.parametrize("text, column", [("id,ref,ref\n1,a,b\n", "ref"), ("a,,\n1,2,3\n", "")])
def test_doubled_columns(tmp_path, text, column):
    assert refusal(read_table, put(tmp_path, text)).column == column
    e = refusal(read_table, put(tmp_path, '{"id": 1, "ref": "a", "ref": "b"}\n', "t.jsonl"))
    assert "'ref' comes twice" in str(e) and e.line == 1


@pytest.mark.parametrize("data", [b"id,ref\n1,\0\n", b"\xd0\xcf\x11\xe0old", b"PK\x03\x04not a workbook", b"PAR1 not parquet",
                                  b"", b"  \n\n", b"\x1f\x8bdamaged", b"BZhdamaged", b"\xfd7zXZ\x00damaged"])
def test_what_is_no_table(tmp_path, data):
    for name in ("t.csv", "t.jsonl", "t"): assert str(tmp_path) in str(refusal(read_table, put(tmp_path, data, name)))


@pytest.mark.parametrize("line", ["[1]", "{", '{"a": NaN}', '{"a": Infinity}', "1", '{"a": 1} {"a": 2}', "[" * 5000])
def test_lines_that_are_no_objects(tmp_path, line):
    assert refusal(read_table, put(tmp_path, '{"a": "\u2028"}\n\n' + line + "\n", "t.jsonl")).line == 3


def test_json_tells_missing_from_empty(tmp_path):
    df = read_table(put(tmp_path, '{"id": "1", "a": "", "n": 3}\n{"id": "2", "a": null, "n": null}\n{"id": "3", "x": [1]}\n', "t.jsonl"))
    assert df["a"].tolist() == ["", None, None] and df["x"].tolist() == [None, None, [1]]
    assert df["n"].dtype == "Int64"
    df = read_table(put(tmp_path, '[{"id": "007"},\n {"id": "7"}]', "t.json"))
    assert df["id"].tolist() == ["007", "7"]
    e = refusal(read_table, put(tmp_path, '[{"id": "007"},\n {"id": }]', "t.json"))
    assert e.line == 2


def test_size_is_capped_after_unpacking(tmp_path):
    path = put(tmp_path, gzip.compress(b"id\n" + b"a\n" * 500_000), "t.csv.gz")
    assert path.stat().st_size < 5_000
    assert "max_bytes" in str(refusal(read_table, path, max_bytes=10_000))
    assert len(read_table(path)) == 500_000


def test_addresses_folders_and_absent_files(tmp_path):
    for name in ("https://example.org/t.csv", "s3://bucket/t.csv", "file:///etc/hosts"):
        assert "not an address" in str(refusal(read_table, name))
    assert "not a folder" in str(refusal(read_table, tmp_path))
    put(tmp_path, "id\n1\n", "drafts.csv")
    assert "drafts.csv" in str(refusal(read_table, tmp_path / "draft.csv"))
    with pytest.raises(TypeError, match="the name of a file"): read_table(pd.DataFrame())


def test_a_cell_may_be_longer_than_the_csv_module_thinks(tmp_path):
    text = "word " * 100_000
    assert read_table(put(tmp_path, f"id,ref\n1,{text}\n"))["ref"].tolist() == [text]


def test_parquet_and_its_extra(tmp_path, monkeypatch):
    df = pd.DataFrame({"id": ["007", "7"], "nbest": [["a", "b"], ["c"]], "x": ["NA", None], "n": [1, 2]})
    df.to_parquet(tmp_path / "t.parquet")
    back = read_table(tmp_path / "t.parquet")
    assert back["id"].tolist() == ["007", "7"] and back["nbest"].tolist() == [["a", "b"], ["c"]] and back["x"].tolist() == ["NA", None]
    assert "max_bytes" in str(refusal(read_table, tmp_path / "t.parquet", max_bytes=100))
    write_table(back, tmp_path / "u.parquet")
    assert read_table(tmp_path / "u.parquet").equals(back)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    assert "pip install 'amend_nb[parquet]'" in str(refusal(read_table, tmp_path / "t.parquet"))


def test_a_parquet_file_that_unpacks_to_far_more(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq
    pq.write_table(pa.table({"a": ["x" * 100_000] * 2_000}), tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").stat().st_size < 1_000_000
    assert "max_bytes" in str(refusal(read_table, tmp_path / "t.parquet", max_bytes=5_000_000))


def book(path, *sheets):
    import openpyxl
    wb = openpyxl.Workbook()
    wb.remove(wb.active)
    for n, rows in enumerate(sheets, 1):
        ws = wb.create_sheet(f"S{n}")
        for row in rows: ws.append(row)
    wb.save(path)
    return path


def test_workbooks(tmp_path, monkeypatch):
    path = book(tmp_path / "t.xlsx", [["id", "ref", "n"], ["007", "NA", 3], [], ["7", None, 4]], [])
    df = read_table(path)
    assert df["id"].tolist() == ["007", "7"] and df["ref"].tolist() == ["NA", ""] and df["n"].tolist() == [3, 4]
    assert df.attrs["source"].lines == [2, 4]
    two = book(tmp_path / "two.xlsx", [["id"], ["1"]], [["id"], ["2"]])
    assert "'S1', 'S2'" in str(refusal(read_table, two)) and read_table(two, sheet="S2")["id"].tolist() == ["2"]
    assert "'S9'" in str(refusal(read_table, two, sheet="S9"))
    assert "B2" in str(refusal(read_table, book(tmp_path / "f.xlsx", [["id", "ref"], ["1", "=1+1"]])))
    assert refusal(read_table, book(tmp_path / "w.xlsx", [["id"], ["1", "x"]])).line == 2
    assert "empty" in str(refusal(read_table, book(tmp_path / "e.xlsx", [])))
    assert "max_bytes" in str(refusal(read_table, path, max_bytes=6_000))
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    assert "pip install 'amend_nb[excel]'" in str(refusal(read_table, path))


def test_a_frame_knows_its_lines_only_while_it_is_what_was_read(tmp_path):
    df = read_table(put(tmp_path, 'id,ref\n1,"a\nb"\n2,c\n3,d\n'))
    def line(frame, row): return frame.attrs["source"].line(frame.index[row], lambda c: frame[c].iloc[row])
    assert [line(df, n) for n in range(3)] == [2, 4, 5]
    assert [line(df[::-1], n) for n in range(3)] == [5, 4, 2]
    assert line(df[df["id"] == "3"], 0) == 5
    assert line(df[df["id"] == "3"].reset_index(drop=True), 0) is None
    assert line(df.assign(ref="x"), 0) is None and line(df.assign(more="x"), 0) == 2
    assert line(df.drop(columns="ref"), 0) is None
    again = lambda frame, *rows: frame.iloc[list(rows)].reset_index(drop=True)  # noqa: E731
    for rows in ('{"n": 1}\n{"n": 2}\n{"n": 3}\n', '{"n": 1.5}\n{"n": 2}\n{"n": 3.5}\n', '{"n": [1]}\n{"n": {"a": 2}}\n{"n": null}\n',
                 '{"n": true, "t": "x"}\n{"n": 1, "t": "x"}\n{"n": false, "t": "x"}\n', '{"n": null}\n{"n": 2}\n{"n": 3}\n'):
        df = read_table(put(tmp_path, rows, "t.jsonl"))
        assert [line(df, n) for n in range(3)] == [1, 2, 3] and [line(df[::-1], n) for n in range(3)] == [3, 2, 1], rows
        assert [line(again(df, 2, 0, 1), n) for n in range(3)] == [None] * 3, rows
        assert [line(again(df, 0, 2), n) for n in range(2)] == [1, None]
    df = read_table(put(tmp_path, '{"n": 1}\n{"n": 2}\n', "t.jsonl"))
    assert [line(df.astype({"n": t}), 0) for t in ("int64", "Int32")] == [1, 1] and line(df.astype(str), 0) is None and line(df + 1, 1) is None
    df = read_table(book(tmp_path / "n.xlsx", [["n", "d"], [1, datetime.date(2026, 3, 4)], [2, datetime.date(2026, 3, 5)]]))
    assert [line(df, n) for n in range(2)] == [2, 3] and line(again(df, 1, 0), 0) is None
    assert pickle.loads(pickle.dumps(df)).equals(df)
    df.to_parquet(tmp_path / "t.parquet")
    json.dumps(df.attrs)


RISKY = ['=HYPERLINK("http://x")', "+55 11 5555", "-5 graus", "@maria", "\t=1", " =1+1", "\u200b=1+1",
         "-Infinity", "＝1", "\u00a0@x", "-", "\ufeff=1"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_spreadsheet_runs_nothing_and_nothing_is_lost(tmp_path, suffix):
    import csv
    cells = [*RISKY, "ok", "'=1+1", "'tis", "-0.25", "", "'\u2060=1", "'\u2060"]
    df = pd.DataFrame({"=1+1": cells, "n": [-0.25] * len(cells)})
    path = write_table(df, tmp_path / f"t{suffix}", spreadsheet=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with open(path, encoding="utf-8-sig", newline="") as f: rows = list(csv.reader(f, delimiter="," if suffix == ".csv" else "\t"))
    assert rows[0][0].startswith("'") and all(row[0].startswith("'") for row in rows[1:len(RISKY) + 1])
    assert {row[1] for row in rows[1:]} == {"-0.25"} and rows[len(RISKY) + 4][0] == "-0.25"
    back = read_table(path)
    assert back.columns.tolist() == ["=1+1", "n"] and back["=1+1"].tolist() == cells
    assert "spreadsheet" in str(refusal(write_table, df, tmp_path / "t.jsonl", spreadsheet=True))


ODD = list("\r\n\t,;|\"'=+-@ \u2060\ufeff\u2028")
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)) | st.sampled_from(ODD), max_size=12)


@settings(max_examples=500, deadline=None)
@given(rows=st.lists(st.lists(TEXT, min_size=3, max_size=3), max_size=6), suffix=st.sampled_from([".csv", ".tsv", ".jsonl"]), guard=st.booleans())
def test_any_text_comes_back(tmp_path_factory, rows, suffix, guard):
    path = tmp_path_factory.mktemp("t") / f"t{suffix}"
    df = pd.DataFrame(rows, columns=["id", "ref", "=a"], dtype=object)
    if not rows and suffix == ".jsonl": return
    write_table(df, path, spreadsheet=guard and suffix != ".jsonl")
    back = read_table(path)
    assert back.columns.tolist() == ["id", "ref", "=a"] and back.to_numpy().tolist() == rows


def test_what_csv_cannot_hold_is_named(tmp_path):
    for bad in ("\ud800", "a\0"):
        df = pd.DataFrame({"id": ["1"], "ref": [bad]}, dtype=object)
        assert refusal(write_table, df, tmp_path / "t.csv").column == "ref" and not (tmp_path / "t.csv").exists()
        write_table(df, tmp_path / "t.jsonl", force=True)
        assert read_table(tmp_path / "t.jsonl")["ref"].tolist() == [bad]
    df = pd.DataFrame({"id": ["1", "2"], "x": [None, float("nan")], "l": [["a"], ("b",)], "n": pd.array([1, None], dtype="Int64")})
    write_table(df, tmp_path / "u.csv")
    assert (tmp_path / "u.csv").read_text() == 'id,x,l,n\n1,,"[""a""]",1\n2,,"[""b""]",\n'
    write_table(df, tmp_path / "u.jsonl")
    assert (tmp_path / "u.jsonl").read_text().splitlines()[1] == '{"id": "2", "x": null, "l": ["b"], "n": null}'
    refusal(write_table, pd.DataFrame({"x": [float("inf")]}), tmp_path / "v.jsonl")
    ends = write_table(pd.DataFrame({"x": [float("-inf"), -1.5]}), tmp_path / "v.csv", spreadsheet=True)
    assert ends.read_text(encoding="utf-8-sig") == "x\n'\u2060-inf\n-1.5\n" and read_table(ends)["x"].tolist() == ["-inf", "-1.5"]
    refusal(write_table, df, tmp_path / "v.xls")
    refusal(write_table, pd.DataFrame([[1, 2]], columns=["a", "a"]), tmp_path / "w.csv")


def test_nothing_is_overwritten(tmp_path):
    path = put(tmp_path, "precious", "in.csv")
    refusal(write_file, path, "x")
    refusal(write_file, path, "x", force=True, inputs=[path])
    os.symlink(path, tmp_path / "link.csv"); os.link(path, tmp_path / "hard.csv")
    for other in ("link.csv", "hard.csv", "../" + tmp_path.name + "/in.csv"):
        refusal(write_file, tmp_path / other, "x", force=True, inputs=[path])
    assert path.read_text() == "precious"
    (tmp_path / "hard.csv").unlink()
    path.chmod(0o640)
    write_file(tmp_path / "link.csv", "new", force=True)
    assert path.read_text() == "new" and (tmp_path / "link.csv").is_symlink() and path.stat().st_mode & 0o777 == 0o640
    refusal(write_file, tmp_path / "no" / "x", "x"); refusal(write_file, tmp_path, "x"); refusal(write_file, "https://x.org/y", "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv", "link.csv"]


@pytest.mark.parametrize("name, options, says", [
    ("t.csv", dict(sheet="x"), "sheet='x', but this is not a workbook"), ("t.jsonl", dict(sheet="x"), "not a workbook"),
    ("t.jsonl", dict(sep=","), "sep=',', but this is JSON"), ("t.parquet", dict(sep=";"), "this is Parquet"),
    ("t.parquet", dict(sheet="x"), "not a workbook"),
    ("t.xlsx", dict(sep=";"), "this is a workbook"), ("t.csv", dict(sep=""), "sep='': expected a single character"),
    ("t.csv", dict(sep=[","]), "expected a single character"), ("t.csv", dict(quote=""), "quote='': expected a single character; quote=None"),
    ("t.csv", dict(sep=",", quote=","), "two different single characters")])
def test_options_of_another_kind_of_file_are_refused(tmp_path, name, options, says):
    df = pd.DataFrame({"id": ["1"], "ref": ["a"]}, dtype=object)
    for n in ("t.csv", "t.jsonl", "t.parquet"): write_table(df, tmp_path / n)
    book(tmp_path / "t.xlsx", [["id", "ref"], ["1", "a"]])
    assert read_table(tmp_path / name).equals(df) and says in str(refusal(read_table, tmp_path / name, **options))


@pytest.mark.parametrize("most", [None, "5", 0.5, True, float("nan"), [5]])
def test_a_size_is_a_number_of_bytes(tmp_path, most):
    path = put(tmp_path, "id\n1\n")
    with pytest.raises(TypeError, match="max_bytes=.*: expected a whole number of bytes, got"): read_table(path, max_bytes=most)
    for few in (0, -5):
        with pytest.raises(ValueError, match=f"max_bytes={few}: expected a number of bytes from 1"): read_table(path, max_bytes=few)


def test_a_column_has_a_name(tmp_path):
    for data, name in ((",id\n0,1\n", "t.csv"), ("  \tid\n0\t1\n", "t.tsv"), ('{"": 1, "id": "1"}\n', "t.jsonl")):
        assert "column 1 has no name" in str(refusal(read_table, put(tmp_path, data, name)))
    assert "column 2 has no name" in str(refusal(read_table, book(tmp_path / "t.xlsx", [["id", None, "ref"], ["1", "x", "a"]])))
    for df, says in ((pd.DataFrame(), "no columns"), (pd.DataFrame({"a": [1], " ": [2]}), "column 2 has no name"),
                     (pd.DataFrame([[1, 2, 3]], columns=["b", "a", "a"]), "the first is column 2")):
        assert says in str(refusal(write_table, df, tmp_path / "o.csv")) and not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("call, says", [
    (lambda: write_table([1], "x.csv"), r"df=\[1\]: expected a pandas DataFrame, got list"), (lambda: write_table(None, "x.csv"), "df=None"),
    (lambda: write_file("y", 5), "data=5: expected a text or bytes, got int"), (lambda: write_file("y", None), "data=None"),
    (lambda: write_file("y", "x", inputs="z"), r"inputs='z': expected a list of files, got str; .*inputs=\["),
    (lambda: write_file("y", "x", inputs=[None]), r"inputs\[0\]=None: expected the name of a file"), (lambda: write_file(None, "x"), "path=None"),
    (lambda: write_file("y", "x", inputs=None), "inputs=None")])
def test_what_is_written_is_checked(tmp_path, monkeypatch, call, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=says): call()
    assert not list(tmp_path.iterdir())


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = put(tmp_path, "precious")
    def full(fd): raise OSError(28, "No space left on device")
    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in str(refusal(write_file, path, "x" * 100, force=True))
    assert path.read_text() == "precious" and len(list(tmp_path.iterdir())) == 1


def test_two_writers_without_force_cannot_both_win(tmp_path, monkeypatch):
    path, link = tmp_path / "t.txt", os.link
    def late(a, b):
        path.write_text("theirs")
        return link(a, b)
    monkeypatch.setattr(os, "link", late)
    refusal(write_file, path, "ours")
    assert path.read_text() == "theirs" and len(list(tmp_path.iterdir())) == 1


def test_damaged_files_raise_nothing_else(tmp_path):
    "Any bytes give a table or a BadTable."
    import random
    rng = random.Random(7)
    pd.DataFrame({"id": ["1", "2"], "ref": ["a b", "ç"], "n": [1, 2]}).to_parquet(tmp_path / "p.parquet")
    book(tmp_path / "x.xlsx", [["id", "ref"], ["1", "a"], ["2", "b"]])
    seeds = {p.name: p.read_bytes() for p in tmp_path.iterdir()} | {
        "c.csv": b'id,ref\n1,"a ""b"""\n2,\xc3\xa7\n', "j.jsonl": b'{"id": "1", "x": [1, null]}\n{"id": "2"}\n', "n": b'{"id": "1"}\n'}
    for _ in range(600):
        name = rng.choice(sorted(seeds))
        data = bytearray(seeds[name])
        for _ in range(rng.randint(1, 5)):
            at, what = rng.randrange(len(data)), rng.random()
            if what < .4: data[at] = rng.randrange(256)
            elif what < .7: del data[at:at + rng.randint(1, 20)]
            else: data[at:at] = bytes(rng.choices(b'",;\t|\n\r\\{}[]\x00\xff\xc3 :', k=rng.randint(1, 4)))
            if not data: break
        try: read_table(put(tmp_path, bytes(data), name), encoding=rng.choice(["utf-8", "utf-8", "cp1252", "utf-16"]))
        except BadTable: pass
