"""The gold set: well formed, of every kind in every language, and right whatever names and numbers stand in it."""
import csv
import io
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from gold import FIX, LEAVE, TEXTS, VERDICT, load_gold, renamed, swapped

from amend_nb.alignment import align
from amend_nb.edits import amend, char_edits, normalize

TOOLS = Path(__file__).resolve().parents[1] / "tools"
GOLD = load_gold()
each = pytest.mark.parametrize("record", GOLD, ids=lambda r: r["id"])


def test_records_are_well_formed():
    fields = ["id", "lang", "kind", *TEXTS, "note", "swap", "source"]
    for r in GOLD:
        assert [f for f in fields if f in r] == list(r), r["id"]
        assert {"id", "lang", "kind", *TEXTS, "source"} <= set(r), r["id"]
        assert all(isinstance(r[f], str) and r[f] == r[f].strip() for f in TEXTS), r["id"]
        assert r["lang"] in ("en", "pt", "es") and r["kind"] in VERDICT and r["source"] in ("written", "recognised")
        assert r["id"].startswith(f"{r['lang']}-{r['kind'].replace('_', '-')}-")
    assert len({r["id"] for r in GOLD}) == len(GOLD)
    texts = Counter(tuple(r[f] for f in TEXTS) for r in GOLD)
    assert max(texts.values()) == 1


def test_every_kind_stands_in_every_language():
    found = Counter((r["kind"], r["lang"]) for r in GOLD)
    assert not [(kind, lang) for kind in VERDICT for lang in ("en", "pt", "es") if not found[kind, lang]]
    assert len(GOLD) >= 150 and not set(FIX) & set(LEAVE)
    assert min(Counter(r["lang"] for r in GOLD).values()) >= 80


def test_recognised_drafts_are_what_recognisers_wrote():
    made = defaultdict(set)
    for m in map(json.loads, (TOOLS / "recognised.jsonl").read_text(encoding="utf-8").splitlines()):
        made[m["clip"]].add(m["draft"])
    text = (TOOLS / "spoken_clips.tsv").read_text(encoding="utf-8")
    clips = list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    said = {(c["spoken"], c["intended"]): c["clip"] for c in clips if c["use"] == "gold"}
    real = [r for r in GOLD if r["source"] == "recognised"]
    assert len(real) >= 50 and {r["lang"] for r in real} == {"en", "pt", "es"}
    for r in real: assert r["draft"] in made[said[r["spoken"], r["intended"]]], r["id"]


@each
def test_the_correction_differs_from_the_draft_just_where_there_is_an_error(record):
    edits, _ = char_edits(record["draft"], record["fixed"])
    if VERDICT[record["kind"]] == "leave": assert record["fixed"] == record["draft"]
    else: assert edits > 0 and amend(record["draft"], record["fixed"]) > 0


@each
def test_the_correction_takes_no_more_words_than_the_intended_text_would(record):
    cheap, dear = (align(record["draft"], record[f], norm="amend").counts.errors for f in ("fixed", "intended"))
    assert cheap <= dear


@each
def test_words_that_stay_stay_as_typed(record):
    "A word of the draft that is in `fixed` too stands there with its own case and marks."
    if record["kind"] in ("answer", "translated", "empty"): return
    draft, fixed = record["draft"].split(), record["fixed"].split()
    before, after = (Counter(map(normalize, words)) for words in (draft, fixed))
    assert not [w for w in fixed if w not in draft and after[normalize(w)] <= before[normalize(w)]]


def word_edits(record: dict, field: str = "fixed") -> int:
    "Words to edit from the draft to `field`."
    return align(record["draft"], record[field], norm="amend").counts.errors


@pytest.mark.parametrize("record", [r for r in GOLD if "swap" in r], ids=lambda r: r["id"])
def test_other_names_and_numbers_change_no_verdict(record):
    other = renamed(record)
    assert word_edits(other) == word_edits(record)
    assert (word_edits(other, "intended") == 0) == (word_edits(record, "intended") == 0)
    for old in record["swap"]: assert any(swapped(record[f], {old: "§"}) != record[f] for f in TEXTS), f"{old} is nowhere"


NUMBER = re.compile(r"\d[\d.,:/]*")
LIST_MARKS = {"pt-answer-2", "es-answer-2"}   # their digits number an invented list


@each
def test_every_number_in_digits_has_another_to_stand_in_for_it(record):
    if record["id"] in LIST_MARKS: return
    other = renamed(record)
    for field in TEXTS:
        before, after = ("".join(NUMBER.findall(r[field])) for r in (record, other))
        assert not before or before != after


@each
def test_every_name_has_another_to_stand_in_for_it(record):
    "A capital inside a sentence of the intended text is a name's, or stands on the short list of other reasons."
    other = {"I", "Dr", "St", "Av", "Sra", "D", "R", "RAL", "None", "HEAD", "GB", "MB", "LOG", "MAX", "API", "DB", "REQUEST"}
    inside = re.findall(r"(?<![.!?:] )(?<!^)(?<![¿¡“])\b(?!º)[^\W\d_a-záàâãéêíóôõúüçñ][^\W_]*", record["intended"])
    left = [w for w in inside if w not in other and swapped(w, record.get("swap", {})) == w]
    assert not left
