"""Reading stretch by stretch, with stand-ins for numbers and neighbours, finds what reading the whole text finds."""
import csv
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.alike as alike
import amend_nb.stretches as subject
from amend_nb.values import _values

LIVE = {"en": "paid 846 dollars and 57 cents $606.69 5 the 117th 553th 22nd of May 45 past half ten one "
              "two hundred 34 K T dash 9 % a at 10:30 a.m. km per hour "
              "over thirds 4521 1999 190 20 or thousand minus point 192.168.1.20 555-123-4567 (206) NO. 5",
        "pt": "pagou 846 reais e 57 centavos R$ 606,69 5 o 117º 22 de maio 45 meia dez um "
              "dois cem 34 K T traço 9 % a às 15h30 km por hora sobre terços "
              "4521 1999 190 20 ou mil menos vírgula século XIX dia",
        "es": "pagó 846 euros y 57 céntimos $606,69 5 el 117º 22 de mayo 45 media diez uno "
              "dos cien 34 K T guion 9 % a las 15:30 km por hora sobre tercios "
              "4521 1999 190 20 o mil menos coma siglo XIX y cuarto"}
MONTHS = {"en": "January May september Oct".split(), "pt": "janeiro Maio set março".split(), "es": "enero Mayo sept diciembre".split()}
BESIDE = {"en": "on at to of in from for by between the Monday Sun, DOB about half a hours th st units".split(),
          "pt": "em às e a de do para por entre o segunda nascido meia um horas".split(),
          "es": "el a las y de del para por entre la lunes nacido media un horas".split()}
INERT = {"en": "doctor Patients grey programmes", "pt": "gatos Doutor cinza", "es": "gatos Doctor gris"}


def whens(lang):
    "Dates, times, doses and ratios as people write them, and what stands beside them."
    month, day, hour, two = st.sampled_from(MONTHS[lang]), st.integers(1, 31), st.integers(0, 24), st.integers(0, 59).map("{:02}".format)
    year = st.one_of(st.integers(1000, 2999), st.integers(1990, 2030))
    of = " " if lang == "en" else " de "
    return st.one_of(
        st.builds("{} {}, {}".format, month, day, year), st.builds("{} {} {}".format, month, day, year),
        st.builds("{}{}{}".format, month, st.just(of), year),
        st.builds(f"{{}}{of}{{}}{of}{{}}".format, day, month, year), st.builds("{}/{}/{}".format, st.integers(1, 12), day, year),
        st.builds("{:02}/{:02}/{}".format, st.integers(1, 12), day, year),
        st.builds("{}-{:02}-{:02}".format, year, st.integers(1, 12), st.integers(1, 28)),
        st.builds("{}:{}".format, hour, two), st.builds("{}:{}{}".format, hour, two, st.sampled_from([" am", " pm", " PM", " a.m.", "am", "h", "–"])),
        st.builds("{} {}".format, st.integers(1, 60), st.sampled_from("mg km percent dollars days hours years dias reais cents minutes".split())),
        st.builds("{}{}{}".format, st.integers(50, 300), st.sampled_from("/⁄"), st.integers(40, 300)), st.integers(0, 999).map(str),
        st.sampled_from(["three million four hundred thousand and twelve", "two hundred and six thousand", "six million and one", "9:44%"]),
        st.sampled_from(BESIDE[lang]), st.sampled_from(BESIDE[lang]))


def changes(module, text, lang, alike=alike):
    "Values that are not in canonical form, by stretches and by the whole."
    def read(stretch): return [(i, j, new) for i, j, new, _ in _values(stretch, lang) if new != stretch[i:j]]
    parts = [(at + i, at + j, new) for at, stretch in module._stretches(text, lang) for i, j, new in alike._Alike(lang, read)(stretch)]
    return parts, read(text)


def law(module, lang, alike=alike):
    word = st.one_of(st.sampled_from(LIVE[lang].split()), st.sampled_from(INERT[lang].split()), st.integers(0, 9999).map(str))
    piece = st.tuples(st.sampled_from(["", "", "", "(", "$", "“"]), word, st.sampled_from(["", "", "", ",", ".", ")", "%", "th", "USD"])).map("".join)

    @examples(1500)
    @given(st.one_of(TEXTS, st.lists(piece, max_size=9).map(" ".join), st.lists(word, min_size=2, max_size=9).map(" ".join),
                     st.lists(whens(lang), min_size=2, max_size=7).map(" ".join), st.lists(whens(lang), min_size=2, max_size=7).map(" ".join)))
    @example("about 1/20/2076 2:44pm– 9:44%")
    @example("at three million four hundred thousand and twelve th")
    @example("del May 18 1941 19 del may del 2020 15:44 a.m. 40 minutes")
    @example("3, 2248 142/170 21 hours")
    @example("of 102/125 and 112⁄125")
    @example("Monday 9/7/1992, Sunday, 12/6/2015 and 4/4/2011")
    @example("between 5:36 and 5:24 am, 5:41-5:42 am")
    @example("nine past 3 Jan 1980")
    @example("41 euros ago 20 2010 3473 people")
    @example("twenty to $ 29 months, from 50 to")
    @example("January 1, 1000 2:00– 2:00 am")
    @example("between 5 and 7:00 am or between 5 and 4:00 am")
    @example("133rd, 666 805 0333 and 133rd")
    @example("2:14pm, 9:17pm and 3:49pm on July 9th, 1725 and 9 July 1725")
    @example("May 5, 2013 hours, May 15, 1990 hours")
    @example("we saw B  K there")
    @example("20 000")
    @example("march 5 1984")
    @example("one")
    @example("hora e meia")
    @example("in 2019 km")
    @example("of 25kg per day")
    @example("at 14:30 in the morning")
    @example("paid $58 to 51")
    @example("paid $45 to 40")
    @example("39 4/62")
    @example("41 4/87")
    @example("$310.75 or 85000 of 850")
    @example("from 354 800 6683 to 354 800 6683 dollars")
    @example("from 45668 to 45\u202f668 dollars")
    @example("entre 58 y 51 a 47 dólares")
    @example("at 371/100 and 582/100")
    @example("178.227.139.235 62%")
    @example("1980-1986")
    @example("82 37/41 and 99 36/48")
    @example("at noon. He paid 5 ft. In 3 days")
    @example("They went. Take 5 mg Per day, on 3 Of May, at nine To ten")
    @example("it took 9 hours. The 3rd of May. Two weeks")
    @example("two hundred seventy fourth 24 kilometers")
    @example("it cost two Million four hundred and six thousand and twelve")
    @example("751 EUR point eight hundred seventy euros")
    @example("from 8614 to 8k dollars")
    @example("BB-547 th and 793 rd")
    @example("six million, eight hundred sixty-seven thousand and one")
    @example("forty two hundred and six days, two hundred and thirty eighty four")
    @example("paid three hundred and six dollars or $306, not forty-one thousand two hundred")
    @example("the 265TH")
    @example("$371.36 and 37136")
    @example("10:36 and 371 of 10:36")
    @example("62.8 million, 3.7 m and 7.3 m")
    @example("March 5, 1748 at 1748 hours")
    def same(text):
        parts, whole = changes(module, text, lang, alike)
        assert parts == whole, text
    same()


@pytest.mark.parametrize("lang", LIVE)
def test_stretches_find_what_the_whole_finds(lang): law(subject, lang)


@pytest.mark.parametrize("lang, old, new", [
    ("pt", 'return "." if', 'return "." if word != "e" and True or'),
    ("en", "n(?![^.xabf])", "n"), ("en", "k(?![^.xoaib])", "k"), ("en", "c(?![^.x])", "c"), ("en", " and _STOPPED.fullmatch(pieces[k-1])", ""),
    ("en", "se*s", "sss"), ("es", "values._ready(lang).hints.isdisjoint(runs)", "True")])
def test_a_shorter_look_is_seen(lang, old, new): assert breaks(lambda module: law(module, lang), mutant(subject, (old, new)))


@pytest.mark.parametrize("lang, old, new", [
    ("en", r"(?<=[3-9])(?:\d\d[1-9]", r"(?:\d\d[1-9]"), ("pt", r"{{1,2}} (?<!", r"+ (?<!"), ("en", r"[sS][tT]?|[nNrR][dD]|[tT][hH]", "q"),
    ("en", "count(new, shape) == inside", "True"), ("en", r"(?<!\d[-–].)", ""), ("en", r"(?<=\d\d\d)[/⁄]", "[/⁄]"),
    ("en", "not order or order == _order(stretch, self.lang)", "True"),
    ("en", "(?>(?:", "(?:(?:"), ("en", "if inside and shape[0]", "if 0 and shape[0]"),
    ("en", 'last in ("", "h", "m"): part', "True: part"),
    ("es", "low < high <= 100 * low", "True"), ("es", "if inside: pattern", "pattern"),
    ("en", " or inside and shape != digits and _BOUNDED[0](new, shape)", ""),    ("en", r" \d| (?:st|nd|rd|th)\b)", r" \d)"),
    ("en", "not _DAY_NAME.search(stretch, max(0, i - 14), i)", "True"), ("en", "month != day and", ""),
    ("en", '":" in stretch and', "False and")])
def test_numbers_that_are_not_alike_are_told_apart(lang, old, new):
    assert breaks(lambda module: law(subject, lang, module), mutant(alike, (old, new)))


def test_on_real_texts(shared):
    texts = set()
    with (shared / "data/en_voxpopuli_5engines/pairs.csv").open(encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f): texts |= {("en", row["reference"]), ("en", row["hypothesis"])}
    for line in (shared / "data/peers/nemo_written_spoken_pairs.jsonl").read_text(encoding="utf-8").strip().split("\n"):
        row = json.loads(line)
        for side in ("written", "spoken"):
            if row["language"] in LIVE: texts |= {(row["language"], row[side]), (row["language"], f"we saw {row[side]}, there")}
    assert len(texts) > 2000
    for lang, text in sorted(texts):
        parts, whole = changes(subject, text, lang)
        assert parts == whole, (lang, text)
