"""What the embedded judge must keep: gold, the public reports, its own verdicts, and calm before any text."""
import json
import random
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from gold import renamed
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb.edits import char_edits, normalize
from amend_nb.rules import RulesJudge, apply_edits, rule_edits

GOLD = [json.loads(line) for line in (Path(__file__).parents[1] / "amend_nb/data/gold.jsonl").read_text(encoding="utf-8").splitlines()]
KNOWN = [g for g in GOLD if g["kind"] not in ("paraphrase", "grammar")]
JUDGE = RulesJudge()


@cache
def fixed(pred, intended, spoken): return JUDGE.fix(pred, intended, spoken).fixed


def of(g): return fixed(g["draft"], g["intended"], g["spoken"])


def right(g): return normalize(of(g)) == normalize(g["fixed"])


def test_gold_is_met():
    assert sum(map(right, KNOWN)) >= 0.95 * len(KNOWN), [g["id"] for g in KNOWN if not right(g)]
    seen, met = Counter(g["lang"] for g in KNOWN), Counter(g["lang"] for g in KNOWN if right(g))
    assert {lang: met[lang] >= 0.9 * n for lang, n in seen.items()} == dict.fromkeys(("en", "pt", "es"), True)


def test_what_was_met_once_stays_met():
    assert sum(map(right, GOLD)) >= 373 and sum(map(right, HELD_OUT)) >= 606


def test_no_real_error_of_the_gold_is_let_pass():
    assert [g["id"] for g in KNOWN if char_edits(g["draft"], of(g))[0] < char_edits(g["draft"], g["fixed"])[0]] == []


def test_other_names_and_numbers_change_no_verdict():
    "Nothing in the rules knows a name or a number of the gold."
    other = [renamed(g) for g in GOLD if "swap" in g]
    assert [r["id"] for r, g in zip(other, (g for g in GOLD if "swap" in g), strict=True) if right(r) != right(g)] == []


HELD_OUT = [json.loads(line) for line in (Path(__file__).parent / "held_out.jsonl").read_text(encoding="utf-8").splitlines()]


def test_records_that_no_rule_was_written_for_are_met():
    "Written from the definition of the metric alone, in five rounds; before any mending after it a round stood at 85, 93, 93, 95 and 98 %."
    known = [g for g in HELD_OUT if g["kind"] not in ("paraphrase", "grammar")]
    assert len(known) >= 500 and sum(map(right, known)) >= 0.95 * len(known), [g["id"] for g in known if not right(g)]
    for lang in ("en", "pt", "es"):
        some = [g for g in known if g["lang"] == lang]
        assert sum(map(right, some)) >= 0.95 * len(some)
    assert [g["id"] for g in known if char_edits(g["draft"], of(g))[0] < char_edits(g["draft"], g["fixed"])[0]] == []


def test_verdicts_are_deterministic():
    assert [RulesJudge().fix(g["draft"], g["intended"], g["spoken"]).fixed for g in GOLD] == [of(g) for g in GOLD]


def test_the_edits_make_the_fix():
    for g in GOLD:
        edits, _ = rule_edits(g["draft"], g["intended"], g["spoken"])
        assert all(a.end <= b.start for a, b in zip(edits, edits[1:], strict=False)), g["id"]
        assert all(e.rule and 0 <= e.start <= e.end <= len(g["draft"]) for e in edits)
        if normalize(apply_edits(g["draft"], edits)) != normalize(of(g)): assert of(g) == g["intended"].strip(), g["id"]


def test_its_own_fix_needs_no_fix():
    for g in KNOWN: assert char_edits(of(g), fixed(of(g), g["intended"], g["spoken"]))[0] == 0, g["id"]


def test_the_intended_text_needs_no_fix():
    for g in GOLD: assert char_edits(g["intended"], fixed(g["intended"], g["intended"], g["spoken"]))[0] == 0, g["id"]


LEFT = {"D01", "D02", "D16"}
WANTED = {"D06": "intended", "D07": "intended", "D10": "intended", "D11": "intended", "D12": "intended", "D13": "intended", "D15": "intended",
          "D17": "intended", "D03": "intended"}


@pytest.mark.parametrize("name", sorted(LEFT | WANTED.keys()))
def test_public_reports(shared, name):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").splitlines()
    case = next(c for c in map(json.loads, lines) if c["id"] == name)["input"]
    got = fixed(case["draft"], case["intended"], case["spoken"])
    assert normalize(got) == normalize(case["draft" if name in LEFT else "intended"])


# (spoken, intended, draft, fixed or None where nothing is to be fixed): written before the rules were read
TRIED = [
    ("meet at quarter to five pm", "Meet at 4:45 PM.", "Meet at 4.45 p.m.", None),
    ("we shipped four hundred and twelve units", "We shipped 412 units.", "We shipped 421 units.", "We shipped 412 units."),
    ("it cost twelve hundred and fifty dollars", "It cost $1,250.", "It cost twelve hundred and fifty dollars.", None),
    ("growth was seven and a half percent", "Growth was 7.5%.", "Growth was 75%.", "Growth was 7.5%."),
    ("see you on monday no wait tuesday", "See you on Tuesday.", "See you on Monday no way Tuesday.", None),
    ("see you on monday no wait tuesday at the harbour", "See you on Tuesday at the harbour.",
     "See you on Monday, no wait, Tuesday at the barber.", "See you on Monday, no wait, Tuesday at the harbour."),
    ("add three quarters of a cup", "Add 3/4 of a cup.", "Add 0.75 of a cup.", None),
    ("you can not park here", "You can't park here.", "You can park here.", "You can't park here."),
    ("às três e meia da tarde", "Às 15h30.", "Às três e meia da tarde.", None),
    ("o aluguel é mil e duzentos reais", "O aluguel é R$ 1.200.", "O aluguel é R$ 12.000.", "O aluguel é R$ 1.200."),
    ("são oito aliás nove caixas", "São 9 caixas.", "São oito, aliás, nove caixas.", None),
    ("hay ciento un invitados", "Hay 101 invitados.", "Hay 110 invitados.", "Hay 101 invitados."),
    ("a las cinco menos cuarto", "A las 4:45.", "A las cinco menos cuarto.", None),
    ("nos vemos el lunes no perdón el martes", "Nos vemos el martes.", "Nos vemos el lunes, no, perdón, el martes.", None),
    ("compre meia dúzia de ovos", "Compre meia dúzia de ovos.", "Compre 5 ovos.", "Compre meia dúzia de ovos."),
    ("reserva media docena de plantones", "Reserva media docena de plantones.", "Reserva 6 mesas.", "Reserva media docena de plantones."),
    ("the rent is eight hundred no sorry nine hundred a month", "The rent is $900 a month.",
     "The rent is eight hundred, no, sorry, nine hundred a month.", None),
    ("it costs sixty dollars an hour", "It costs $60 an hour.", "It costs $50 an hour.", "It costs $60 an hour."),
    ("avisa a begoña", "Avisa a Begoña.", "Avisa a Begonia.", "Avisa a Begoña."),
]


@pytest.mark.parametrize("spoken,intended,draft,want", TRIED)
def test_tried_by_others(spoken, intended, draft, want):
    assert normalize(fixed(draft, intended, spoken)) == normalize(want or draft)


def test_a_false_name_leaves_no_capital():
    assert "you mean the" in fixed("Make Soren you Shaun the team call.", "Make sure you mean the team call.", "make sure you mean the team call")


hostile = st.text(st.characters(exclude_categories=()), max_size=60)


@settings(max_examples=500, deadline=None)
@given(hostile, hostile, hostile)
def test_any_texts_get_a_verdict(draft, intended, spoken):
    assert isinstance(JUDGE.fix(draft, intended, spoken).fixed, str)


@settings(max_examples=500, deadline=None)
@given(hostile, hostile)
def test_the_same_text_stays(text, spoken):
    assert char_edits(text, JUDGE.fix(text, text, spoken).fixed)[0] == 0


HOSTILE = ["the cat sat on five seven rivers call no wait sorry and you know Maria PgBouncer a.ts 12:30 $5",
           "Ted Bob scratch milk and the off take leave out no wait", "five to six 5-6 3/3 twenty two gigs $40 March 3 8:00 forty euros"]


def test_long_hostile_texts_take_seconds():
    for words in HOSTILE:
        pick = random.Random(1)
        texts, start = [" ".join(pick.choices(words.split(), k=20_000)) for _ in range(3)], time.process_time()
        JUDGE.fix(*texts)
        assert time.process_time() - start < 60  # what grows with the square took many minutes


def test_a_word_of_100_000_letters_takes_seconds():
    start = time.process_time()
    assert JUDGE.fix("a" * 100_000, "b" * 100_000, "c").fixed == "b" * 100_000
    assert time.process_time() - start < 30


def test_tags_go_in_as_typed():
    assert JUDGE.fix("Use Ann now.", "Use <b>Ann</b> now.", "use ann now").fixed == "Use <b>Ann</b> now."
