"""The demo sample: enough clips, really spoken ones among them, and arms that differ."""
import csv
import io
import json
from collections import Counter
from importlib import resources
from itertools import combinations
from pathlib import Path

import pytest

from amend_nb.edits import char_edits

TOOLS = Path(__file__).resolve().parents[1] / "tools"
ARMS = ("plain", "tidy", "bold")


def sounds() -> list[dict]:
    "What was spoken, one row per clip and take."
    text = (TOOLS / "spoken_clips.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def rows():
    text = (resources.files("amend_nb") / "data/demo.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def test_there_are_enough_clips_in_three_languages(rows):
    assert list(rows[0]) == ["clip", "language", "topic", "source", "spoken", "reference", *ARMS]
    assert len({r["clip"] for r in rows}) == len(rows) >= 52
    written = Counter(r["language"] for r in rows if r["source"] == "written")
    assert sum(written.values()) >= 40 and min(written.values()) >= 10 and set(written) == {"en", "pt", "es"}
    assert all(r["reference"].strip() and r["spoken"].strip() for r in rows)
    assert min(Counter(r["topic"] for r in rows).values()) >= 8


def test_spoken_clips_are_what_recognisers_made_of_the_stated_sounds(rows):
    made = [json.loads(line) for line in (TOOLS / "recognised.jsonl").read_text(encoding="utf-8").splitlines()]
    drafts = {clip: {m["draft"] for m in made if m["clip"] == clip} for clip in {m["clip"] for m in made}}
    clips = sounds()
    said = {c["clip"]: c for c in clips}
    spoken = [r for r in rows if r["source"] == "recognised"]
    assert len(spoken) >= 12
    for r in spoken:
        assert r["spoken"] == said[r["clip"]]["spoken"] and r["reference"] == said[r["clip"]]["intended"]
        assert all(r[arm] in drafts[r["clip"]] for arm in ARMS), r["clip"]
    assert all(len(m["wav_sha256"]) == 64 for m in made)
    assert {(m["clip"], m["take"]) for m in made} == {(c["clip"], c["take"]) for c in clips}


def test_the_arms_differ(rows):
    far = {arm: sum(char_edits(r[arm], r["reference"])[0] for r in rows) for arm in ARMS}
    assert far["tidy"] < far["plain"] and far["tidy"] < far["bold"]
    for a, b in combinations(ARMS, 2): assert sum(r[a] == r[b] for r in rows) < len(rows) / 2
