"""What `same_value` promises: True where two texts are surely one value, False where they surely differ, None with a reason between."""
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples
from value_forms import LANGS, forms, values

from amend_nb import canonical, doubts, explain_value, readings, same_value, worths
from amend_nb import values as room

LAW = 500     # examples of each law in each language
VERDICTS = {"T": True, "F": False, "N": None}


def pairs_by_hand():
    "(language, one, other, kind, allowed verdicts) of each line of the table."
    lines = (Path(__file__).parent / "same_value_by_hand.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line or line.startswith("//"): continue
        lang, a, b, allowed, *kind = line.split(" | ")
        yield lang, a, b, kind[0] if kind else None, {VERDICTS[v] for v in allowed}


TABLE = list(pairs_by_hand())


@pytest.mark.parametrize("lang, a, b, kind, allowed", TABLE, ids=[" | ".join(row[:3]) for row in TABLE])
def test_pairs_by_hand(lang, a, b, kind, allowed):
    for pair in ((a, b), (b, a)):
        same, why = explain_value(*pair, lang, kind)
        assert same in allowed and same is same_value(*pair, lang, kind) and len(why) > 5, (pair, same, why)
    assert same_value(a, a, lang, kind) is not False and same_value(b, b, lang, kind) is not False


def test_the_table_has_every_verdict_in_every_language():
    assert {(row[0], v) for row in TABLE for v in row[4]} == {(lang, v) for lang in LANGS for v in VERDICTS.values()}


# -- laws: each takes the room, or a mutant of it ------------------------------------------------------------------------
KINDS = (None, None, None, *room.KINDS)
SIGNS = ("", "<", ">", "≤", "≥", "±", "~", "-", "+", "(", "√", "×", "^", "'")


def written(lang):
    "Texts with values, signs and anything around them."
    value = values(lang).flatmap(lambda v: st.sampled_from(forms(v, lang)))
    table = st.sampled_from([t for row in TABLE if row[0] == lang for t in row[1:3]])
    behind = st.sampled_from(("", "-", "+", "'", ")", ".", "‰"))
    signed = st.builds("{}{}{}{}".format, st.sampled_from(SIGNS), st.sampled_from(("", " ")), value, behind)
    return st.one_of(signed, table, TEXTS, st.builds("{} {}".format, table, value), st.builds("{}{}".format, table, table))


def it_is_symmetric(module, lang, n=LAW):
    @examples(n)
    @given(st.tuples(written(lang), written(lang)) | st.sampled_from([row[1:3] for row in TABLE if row[0] == lang]), st.sampled_from(KINDS))
    def law(pair, kind):
        a, b = pair
        assert module.same_value(a, b, lang, kind) is module.same_value(b, a, lang, kind), (a, b, kind)
    law()


def a_text_is_never_other_than_itself_or_its_canonical_form(module, lang, n=LAW):
    @examples(n)
    @given(written(lang), st.sampled_from((None, *module.KINDS)))
    def law(text, kind):
        assert module.same_value(text, text, lang, kind) is not False, text
        assert module.same_value(text, module.canonical(text, lang), lang) is not False, (text, module.canonical(text, lang))
    law()


OPEN_WORDS = {"en": ("one hundredth",), "pt": ("segunda", "terça", "quarta", "quinta", "sexta"), "es": ()}     # words of two meanings


def the_forms_of_a_value_are_the_same(module, lang, n=LAW):
    @examples(n)
    @given(values(lang), st.data())
    def law(value, data):
        a, b = (data.draw(st.sampled_from(forms(value, lang))) for _ in "ab")
        same = module.same_value(a, b, lang)
        assert same is True or same is None and {a.lower(), b.lower()} & set(OPEN_WORDS[lang]), (a, b, same)
    law()


def a_sign_is_part_of_the_value(module, lang, n=LAW):
    @examples(n)
    @given(values(lang), st.sampled_from(("<", ">", "≤", "≥", "±", "√")), st.sampled_from(("", "<", ">", "≤", "≥", "±", "√")), st.data())
    def law(value, one, other, data):
        a, b = (data.draw(st.sampled_from(forms(value, lang))) for _ in "ab")
        same = module.same_value(f"{one} {a}", f"{other} {b}", lang)
        if one == other: assert same is not False, (a, b)
        else: assert same is (False if other else None), (one, a, other, b, same)
    law()


LENGTHS = {"m": "1", "km": "1000", "cm": "0.01", "mm": "0.001", "ft": "0.3048", "inches": "0.0254", "yd": "0.9144", "mi": "1609.344"}
MASSES = {"g": "1", "kg": "1000", "mg": "0.001", "lb": "453.59237", "oz": "28.349523125", "mcg": "0.000001"}
VOLUMES = {"L": "1", "mL": "0.001", "dL": "0.1", "m³": "1000", "cm³": "0.001"}
TIMES = {"s": "1", "min": "60", "h": "3600", "ms": "0.001"}
RATES = {"mg/dL": "0.01", "mg/L": "0.001", "g/L": "1", "mg/mL": "1"}
HEAT = {"°C", "°F"}
NAMES = {"inches": {"pt": "polegadas", "es": "pulgadas"}, "mi": {"pt": "milhas", "es": "millas"}}
DIMENSIONS = (LENGTHS, MASSES, VOLUMES, TIMES, RATES)


def as_text(n, lang):
    "A fraction as decimals, or None where it has none or more than eight."
    scaled = n * 10 ** 8
    if scaled.denominator != 1: return None
    whole, part = divmod(abs(int(scaled)), 10 ** 8)
    mark = "." if lang == "en" else ","
    return "-" * (n < 0) + f"{whole}{mark}{part:08}".rstrip("0").rstrip(mark)


def units_of_one_dimension_are_compared_exactly(module, lang, n=LAW):
    @examples(n)
    @given(st.sampled_from(DIMENSIONS), st.integers(1, 400), st.sampled_from((1, 2, 4, 5, 10)), st.sampled_from((0, 0, 1, -1)), st.data())
    def law(units, top, bottom, off, data):
        one, other = data.draw(st.sampled_from(sorted(units))), data.draw(st.sampled_from(sorted(units)))
        amount = Fraction(top, bottom)
        moved = amount * Fraction(units[one]) / Fraction(units[other]) * (1 + Fraction(off, 100))
        texts = as_text(amount, lang), as_text(moved, lang)
        if one == other or None in texts: return
        a, b = (f"{t} {NAMES.get(unit, {}).get(lang, unit)}" for t, unit in zip(texts, (one, other), strict=True))
        assert module.same_value(a, b, lang) is (False if off else None), (a, b)
    law()


def degrees_are_compared_exactly(module, lang, n=LAW):
    @examples(n)
    @given(st.integers(-200, 400), st.sampled_from((0, 1, -1)))
    def law(tenths, off):
        celsius = Fraction(tenths, 10)
        a, b = f"{as_text(celsius, lang)} °C", f"{as_text(celsius * 9 / 5 + 32 + off, lang)} °F"
        assert module.same_value(a, b, lang) is (False if off else None), (a, b)
    law()


COMPOUND = {"en": (("hours", "min", 60), ("min", "s", 60), ("ft", "in", 12), ("lb", "oz", 16)), "pt": (("h", "min", 60), ("kg", "g", 1000)),
            "es": (("h", "min", 60), ("kg", "g", 1000))}


def a_quantity_in_two_parts_is_their_sum(module, lang, n=LAW):
    @examples(n)
    @given(st.sampled_from(COMPOUND[lang]), st.integers(1, 20), st.data(), st.sampled_from((0, 1, -1)))
    def law(units, large, data, off):
        one, other, size = units
        small = data.draw(st.integers(1, size - 1))
        a, b = f"{large} {one} {small} {other}", f"{large * size + small + off} {'inches' if other == 'in' else other}"
        assert module.same_value(a, b, lang) is (False if off else None), (a, b)
    law()


def other_dimensions_differ(module, lang, n=LAW):
    @examples(n)
    @given(st.sampled_from(DIMENSIONS), st.sampled_from(DIMENSIONS), st.integers(2, 400), st.data())
    def law(units, others, amount, data):
        if units is others: return
        drawn = [data.draw(st.sampled_from(sorted(some))) for some in (units, others)]
        a, b = (f"{amount} {NAMES.get(unit, {}).get(lang, unit)}" for unit in drawn)
        assert module.same_value(a, b, lang) is False, (a, b)
    law()


MONTHS = {"en": "January February March April May June July August September October November December",
          "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
          "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"}


def a_date_that_says_less_is_open(module, lang, n=LAW):
    def texts(year, month, day):
        name = MONTHS[lang].split()[month - 1]
        if lang == "en": return [f"{name} {day}, {year}", f"{name} {year}", str(year), f"{name} {day}"]
        return [f"{day} de {name} de {year}", f"{name} de {year}", str(year), f"{day} de {name}"]
    parts = st.tuples(st.integers(1920, 2060), st.integers(1, 12), st.integers(1, 28))
    @examples(n)
    @given(parts, parts, st.tuples(st.integers(0, 3), st.integers(0, 3)))
    def law(one, two, which):
        has = [((0, 1, 2), (0, 1), (0,), (1, 2))[k] for k in which]
        a, b = texts(*one)[which[0]], texts(*two)[which[1]]
        apart = any(one[k] != two[k] for k in set(has[0]) & set(has[1]))
        same = module.same_value(a, b, lang)
        if apart: assert same is False, (a, b)
        elif which[0] == which[1]: assert same is True, (a, b)
        else: assert same is None, (a, b)
    law()


LAWS = [it_is_symmetric, a_text_is_never_other_than_itself_or_its_canonical_form, the_forms_of_a_value_are_the_same, a_sign_is_part_of_the_value,
        units_of_one_dimension_are_compared_exactly, degrees_are_compared_exactly, a_quantity_in_two_parts_is_their_sum,
        other_dimensions_differ, a_date_that_says_less_is_open]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("law", LAWS)
def test_law(law, lang): law(room, lang)


@pytest.mark.parametrize("lang", LANGS)
def test_it_answers_about_anything(lang):
    @examples(LAW)
    @given(written(lang), written(lang))
    def law(a, b):
        for kind in (None, *room.KINDS):
            same, why = explain_value(a, b, lang, kind)
            assert same in (True, False, None) and isinstance(why, str) and why
    law()


# -- mutants -----------------------------------------------------------------------------------------------------------
def room_with(module, *changes):
    "The room `values` that uses a mutant of a lower room, or a mutant of itself."
    if module is room: return mutant(room, *changes)
    reading = readings if module is readings else mutant(readings, ("_COMPARES, ", "_COMPARES, "))
    changed, whole = mutant(module, *changes), mutant(room, ("KINDS = (", "KINDS = ("))
    if module is readings: reading = changed
    else:
        for name in vars(changed):
            if name.startswith("_") and getattr(reading, name, None) is getattr(module, name, 0) and callable(getattr(module, name)):
                setattr(reading, name, getattr(changed, name))
        swapped = {one: getattr(changed, name) for name, one in vars(module).items() if callable(one) and name in vars(changed)}
        for rules in ("_ONE_SIDED", "_TWO_SIDED"): setattr(reading, rules, tuple(swapped.get(rule, rule) for rule in getattr(reading, rules)))
    for name in ("_by_signs", "_compared", "_folded", "_signs", "_unsure_unit"): setattr(whole, name, getattr(reading, name))
    return whole


MUTANTS = [
    (a_sign_is_part_of_the_value, readings, "if ours == theirs or not any", "if True or not any"),
    (a_sign_is_part_of_the_value, readings, "else (False, why)\n    signs", "else (True, why)\n    signs"),
    (units_of_one_dimension_are_compared_exactly, readings, "return (None, why) if why else (False,", "return (False,"),
    (it_is_symmetric, readings, "why = rule(xs, ys, raw, lang)\n", "why = rule(xs, ys, raw, lang) if xs < ys else None\n"),
    (the_forms_of_a_value_are_the_same, readings, 'return (True, f"both are {x}") if bool', 'return (None, f"both are {x}") if bool'),
    (a_text_is_never_other_than_itself_or_its_canonical_form, readings, 'return (True, f"both are {x}") if', 'return (False, f"both are {x}") if'),
    (units_of_one_dimension_are_compared_exactly, worths, "lb g 1 453.59237", "lb g 1 453.6"),
    (units_of_one_dimension_are_compared_exactly, worths, "worth = worth / factor if n else", "worth = worth * factor if n else"),
    (degrees_are_compared_exactly, worths, 'Fraction("459.67")', 'Fraction("459")'),
    (a_quantity_in_two_parts_is_their_sum, worths, "below * abs(n) * w if", "abs(n) if"),
    (other_dimensions_differ, worths, "or a[1] != b[1] or", "or"),
    (a_date_that_says_less_is_open, doubts, "if a is None or b is None or", "if a is None or b is None: return False\n    if"),
    (a_date_that_says_less_is_open, doubts, "all(m is None or n is None or m == n", "all(True"),
]


@pytest.mark.parametrize("law, module, old, new", MUTANTS, ids=[f"{m[0].__name__}-{k}" for k, m in enumerate(MUTANTS)])
def test_a_law_sees_a_mutant(law, module, old, new):
    assert breaks(lambda changed: law(changed, "en"), room_with(module, (old, new)))


def test_a_canonical_form_is_compared_with_its_text():
    for text in ("-onze", "(-uno", "/menos 1/2", "'-onze"): assert all(same_value(text, canonical(text, lang), lang) is not False for lang in LANGS)
