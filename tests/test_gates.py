"""A gate that is shut never keeps a reader from a value, and a code that is not read again would have stayed as it is."""
from contextlib import contextmanager

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from test_values import texts
from texts import examples
from value_forms import LANGS, forms, values

from amend_nb import gates
from amend_nb import values as room

LAW = 500     # examples of each law in each language


def no_reader_is_kept_from_a_value(module, lang, n=LAW):
    @examples(n)
    @given(texts(lang))
    @example("1st 2% CHF 4 BB000")
    @example("9/jan/1478")
    @example("1º de maio 40ÿ")
    @example("1º de mayo")
    def law(text):
        room._ready(lang)
        r = room._Reader(text, lang)
        r.again = room._values
        for i, a in enumerate(r.p[:-8]):
            if a.kind == "n": readers, shut = room._TYPED, module._open_at_digits(r, i)
            elif a.kind == "w": readers, shut = room._SPOKEN, module._open_at_word(a.text, module._may_be_coded(r, i), lang)
            else: continue
            for reader, is_open in zip(readers, shut, strict=True): assert is_open or not reader(r, i), (text, i, reader.__name__)
    law()


@contextmanager
def read_again(quietly):
    "What parts quietly, decided by `quietly` in place of the room's own rule."
    before = room._parts_quietly, room._begins_nothing
    room._parts_quietly, room._begins_nothing = quietly
    room._values.cache_clear()
    try: yield
    finally:
        room._parts_quietly, room._begins_nothing = before
        room._values.cache_clear()


def codes(lang):
    "A code in capitals and digits between values, words of the tables, words of none, other codes and letters."
    t = room._ready(lang)
    value = values(lang).flatmap(lambda v: st.sampled_from(forms(v, lang)))
    word = st.sampled_from(["gate", "seat", "porta", "puerta", "village", *sorted(t.wide | t.starts | t.joints | t.before | t.places)])
    head = st.sampled_from(["KT", "ABX", "MAY", "UTC", "NO", "KG", "C", "F", *"ABDEGHMX"])
    code = st.builds("{}{}{}".format, head, st.sampled_from(["", "-"]), st.integers(0, 99999))
    around = st.lists(st.one_of(value, word, code, st.sampled_from("aeiouàèùω")), max_size=2)
    gap = st.sampled_from([" ", " ", " ", ", ", ". ", "-", ""])
    return st.builds(lambda a, c, b, gaps: "".join(x + g for x, g in zip([*a, c, *b], gaps, strict=False)),
                     around, code, around, st.lists(gap, min_size=5, max_size=5))


def what_is_not_read_again_stays(module, lang, n=LAW):
    @examples(n)
    @given(codes(lang))
    def law(text):
        with read_again((module._parts_quietly, module._begins_nothing)): ours = room._values(text, lang)
        with read_again((lambda *_: False, lambda *_: False)): assert ours == room._values(text, lang), text
    law()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("law", [no_reader_is_kept_from_a_value, what_is_not_read_again_stays])
def test_law(law, lang): law(gates, lang)


@pytest.mark.parametrize("old, new, law", [
    ("short and (word or glued),", "short and word,", no_reader_is_kept_from_a_value),
    ("glued or many or behind == \"th\",", "many,", no_reader_is_kept_from_a_value),
    ("glued and (word or many),", "glued and many,", no_reader_is_kept_from_a_value),
    ("q and (e.text in measured or e.text in _UNIT_SIGNS),", "q and e.text in measured,", no_reader_is_kept_from_a_value),
    ("quantity or word in sums,", "quantity,", no_reader_is_kept_from_a_value),
    ("coded or len(word) == 1", "len(word) == 1", no_reader_is_kept_from_a_value),
    ("return (not i or strange(p[i-1])) and not p[i].glued and (not p[k].kind or stop or strange(p[k]))", "return True",
     what_is_not_read_again_stays)])
def test_a_law_sees_a_mutant(old, new, law):
    changed = mutant(gates, (old, new))
    assert any(breaks(lambda module, lang=lang: law(module, lang), changed) for lang in LANGS)
