"""What `normalizers` promises: the published norms to the letter, ids that tell lists apart, spans that are exact."""
import hashlib
import json
import math
import pickle
import re
import time
import unicodedata

import pytest
from hypothesis import example, given
from texts import PIECES, TEXTS, check_spans, examples

from amend_nb import Normalizer, fillers, get_normalizer, list_normalizers

JOINED = ("literal", "agentic", "amend", "lecture-pt", "lecture-es")   # norm(text) is the tokens with one space between
OWN = [*JOINED, "values-en", "values-pt", "values-es", "none",
       "whisper-basic", "whisper-basic with remove_diacritics", "whisper-basic with split_letters",
       "lecture-es without accents, contractions, fillers", "agentic with nfc", "values-es with fold_accents",
       "values-en without values"]


def test_the_names_that_come_with_the_package():
    assert list_normalizers() == sorted(["none", "literal", "agentic", "amend", "lecture-pt", "lecture-es",
                                         "values-en", "values-es", "values-pt", "whisper-basic", "whisper-english"])


# -- amend: spec to the letter -----------------------------------------------------------------------------------------
FRONT = list("\"'([{<*_`~•·…—–,;:!?")
BACK = list("\"')]}>*_`~•·…—–,;:!?.-")


def slow_amend(text):
    "The definition, read aloud."
    text = unicodedata.normalize("NFKC", text)
    for quote, plain in (("‘", "'"), ("’", "'"), ("“", '"'), ("”", '"')): text = text.replace(quote, plain)
    text = text.lower()
    while True:
        at = text.find("..")
        if at < 0: break
        end = at
        while end < len(text) and text[end] == ".": end += 1
        text = text[:at] + " " + text[end:]
    kept = []
    for token in text.split():
        if all(c in FRONT or c in BACK or c == "#" for c in token): continue
        while token[0] in FRONT: token = token[1:]
        while token[-1] in BACK: token = token[:-1]
        kept.append(token)
    return " ".join(kept)


@examples(5000)
@given(TEXTS)
@example("#! (#) #-#")
@example("-.#..a..#.-")
def test_amend_is_the_definition(text):
    norm = get_normalizer("amend")
    assert norm(text) == slow_amend(text) == " ".join(t.text for t in norm.tokens(text))


@pytest.mark.parametrize("raw, right", [
    ("(Ask billing@lumen.co) – or see http://lumen.co/faq!", "ask billing@lumen.co or see http://lumen.co/faq"),
    ("She'd pay 7.5% now; roughly £2,300/year…", "she'd pay 7.5% now roughly £2,300/year"),
    ("**Copy** .gitignore, run --dry-run, then open data_v2.csv.",
     "copy .gitignore run --dry-run then open data_v2.csv"),
    ("#! (#) #-# # ##", ""), ("a ... b..c d.e", "a b c d.e"), ("‚low’ «x»", "‚low «x»"), ("10²", "102"),
    ("#1 1#", "#1 1#")])
def test_amend_figures(raw, right):
    assert get_normalizer("amend")(raw) == right


# -- the others against slow renderings or their own packages ----------------------------------------------------------
def slow_agentic(text):
    return " ".join("".join(c if re.match(r"[\w\s']", c) else " " for c in text.lower()).split())


@examples(1000)
@given(TEXTS)
def test_agentic_is_the_definition(text):
    assert get_normalizer("agentic")(text) == slow_agentic(text)


def slow_lecture(text, lang):
    "The nine steps, one after another."
    from num2words import num2words
    text = text.lower().replace("%", " por cento " if lang == "pt" else " por ciento ")
    text = re.sub(r"(\d)[ºª°]", r"\1", text)

    def words(m):
        whole, _, rest = re.match(r"(\d+)([.,](\d+))?", m[0]).groups()
        try: said = [num2words(int(n), lang="pt_BR" if lang == "pt" else "es") for n in (whole, rest) if n is not None]
        except (OverflowError, ValueError): return f" {m[0]} "
        return f" {(' vírgula ' if lang == 'pt' else ' punto ').join(said)} "
    text = re.sub(r"\d+(?:[.,]\d+)?", words, text)
    text = re.sub(r"[^\w\s]", " ", text.replace("-", " "))
    if lang == "es": text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    drop = {"pt": "eh éh ah ahn ãh ã hum hm hmm uhn uh uhm mm ham han hã hãm ahm",
            "es": "eh eeh ehh ah ahh em emm mm mmm mh uh um uhm hm hmm e"}[lang].split()
    turn = {"pt": {"pra": "para", "pras": "para as", "pro": "para o", "pros": "para os", "tá": "está", "tô": "estou",
                   "tava": "estava"}, "es": {"pa": "para"}}[lang]
    return " ".join(turn.get(w, w) for w in text.split() if w not in drop)


@pytest.mark.parametrize("lang", ["pt", "es"])
@examples(600)
@given(TEXTS)
def test_lecture_is_the_definition(lang, text):
    norm = get_normalizer(f"lecture-{lang}")
    assert norm(text) == slow_lecture(text, lang) == " ".join(t.text for t in norm.tokens(text))


@pytest.mark.parametrize("lang, raw, right", [
    ("pt", "1.250", "um vírgula duzentos e cinquenta"), ("pt", "1.250.000", "um vírgula duzentos e cinquenta zero"),
    ("pt", "2.000", "dois vírgula zero"), ("pt", "12,05", "doze vírgula cinco"),
    ("es", "1,5%", "uno punto cinco por ciento"), ("pt", "1º e 2ª", "um e dois"),
    ("pt", "sala 0º andar", "sala zero andar"),
    ("pt", "faça um commit", "faça um commit"), ("pt", "x1234567890123456789y", "x 1234567890123456789 y"),
    ("pt", "código 12345678901234567890", "código 12345678901234567890"), ("pt", "9" * 5000, "9" * 5000),
    ("es", "12" * 60, "12" * 60), ("es", "1." + "1234567890" * 3, "1 " + "1234567890" * 3),
    ("es", "El año, pa ti", "el ano para ti"), ("pt", "Hum... tá, pros alunos", "está para os alunos")])
def test_lecture_figures(lang, raw, right):
    assert get_normalizer("lecture", language=lang)(raw) == right


# -- tokens ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", OWN)
@examples(500)
@given(TEXTS)
def test_tokens_are_the_words_of_the_normalised_text(name, text):
    norm = get_normalizer(name)
    tokens = norm.tokens(text)
    check_spans(text, tokens)
    words = [t.text for t in tokens]
    assert words == norm.words(text)
    characters = norm.characters(text)
    check_spans(text, characters)
    assert "".join(c.text for c in characters) == " ".join(words)
    assert norm.many([text, text + "x", text]) == [norm(text), norm(text + "x"), norm(text)]
    if name in JOINED: assert " ".join(words) == norm(text)
    elif name.startswith("values"): assert words == [word.removesuffix(",") for word in norm(text).split(" ") if word]    # the comma of a list
    elif name != "none": assert words == norm(text).split()


@pytest.mark.parametrize("name", OWN)
@examples(500)
@given(TEXTS)
def test_the_fast_road_of_each_step_is_its_edits(name, text):
    for step in get_normalizer(name).active:
        at, out, last = 0, "", 0
        for i, j, new in step.edits(text):
            assert last <= i <= j <= len(text)
            out, at, last = out + text[at:i] + new, j, j
        assert step(text) == out + text[at:], step
        text = step(text)


# -- identity ----------------------------------------------------------------------------------------------------------
def test_bad_texts_are_refused():
    for bad in (None, math.nan, 7, ["a"], b"a"):
        for call in (get_normalizer("amend"), get_normalizer("none").tokens, get_normalizer("lecture-pt").words,
                     get_normalizer("whisper-english"), get_normalizer("agentic").trace):
            with pytest.raises(TypeError, match="text must be a str, got"): call(bad)


def test_ids_tell_lists_apart_and_lead_back():
    seen = {}
    for name in list_normalizers():
        norm = get_normalizer(name)
        for n in (norm, *(norm.without(s) for s in norm.switches)):
            assert re.fullmatch(rf"{name}@1\+[0-9a-f]{{12}}", n.id)
            assert get_normalizer(n.id) == n == get_normalizer(n.label) == pickle.loads(pickle.dumps(n))
            assert seen.setdefault(n.id, n.label) == n.label or n == norm
    assert len(seen) > 40
    for norm in (get_normalizer("lecture-es", nfc=True).without("accents", "fillers", "contractions"),
                 get_normalizer("whisper-basic", remove_diacritics=True, split_letters=True)):
        assert get_normalizer(norm.id) == norm == get_normalizer(norm.label)


def test_tags_of_one_language_mean_it_and_another_is_an_error():
    for tag in ("pt", "pt-BR", "pt_BR", "pt-br"):
        assert get_normalizer("lecture", language=tag) == get_normalizer("lecture-pt")
        assert get_normalizer(f"lecture-{tag}") == get_normalizer("lecture-pt")
        assert fillers(tag) == fillers("pt")
    for call in (lambda: get_normalizer("lecture", language="de"), lambda: get_normalizer("lecture-pt", language="es"),
                 lambda: fillers("de"), lambda: get_normalizer("lecture-de")):
        with pytest.raises(ValueError, match="de|es"): call()


def test_no_language_drops_anothers_words():
    assert "um" in fillers("en") & fillers("es") and "um" not in fillers("pt") and "e" not in fillers("es")
    assert get_normalizer("lecture-pt")("um dois três") == "um dois três"


def test_what_is_no_normalizer_is_refused():
    with pytest.raises(ValueError, match="unknown normalizer 'amned'; known: .*literal.*mean 'amend'"):
        get_normalizer("amned")
    with pytest.raises(ValueError, match="has no step or option 'filler'.*mean 'fillers'"):
        get_normalizer("lecture-pt", filler=False)
    with pytest.raises(TypeError, match="True or False, got 0"): get_normalizer("lecture-pt", fillers=0)
    with pytest.raises(TypeError, match="got 7 .int"): get_normalizer(7)
    with pytest.raises(ValueError, match="is not available here"): get_normalizer("amend@1+000000000000")


def shout(text): return text.upper()
def whisper(text): return text.lower()


def test_functions_are_known_by_their_source():
    a, b = get_normalizer(shout), get_normalizer(shout)
    assert a == b and a.id.startswith("custom:shout+") and a != get_normalizer(whisper)
    made = [(lambda suffix: lambda text: text + suffix)(s) for s in "xy"]   # two lambdas on one line
    assert get_normalizer(made[0]).opaque

    def add(suffix):
        def added(text): return text + suffix
        return added
    assert get_normalizer(add("x")) == get_normalizer(add("x")) != get_normalizer(add("y"))
    for dark in (str.upper, ", ".join, type("Stateful", (), {"__call__": lambda self, t: t})()):
        assert get_normalizer(dark).opaque and get_normalizer(dark) != get_normalizer(dark)
    assert get_normalizer(str.upper).id == "custom:upper"


def test_a_function_that_gives_no_text_is_named():
    def nothing(text): return None
    with pytest.raises(TypeError, match="nothing must return a str, got NoneType"): get_normalizer(nothing)("a")


# -- a changed norm is another norm ------------------------------------------------------------------------------------
PROBES = ["".join(PIECES), " ".join(PIECES), *PIECES, "Hum, o 1º paga R$ 1.250,50 (50%) pra nós… tá?", "Eh, ¿qué 2,5% e pa ti?",
          "Mr. Park didn't pay twenty two dollars and fifty cents, um, [noise] in the theatre."]
PINNED = {
    "agentic": ("agentic@1+feaed36b6826", "8c823845c36e"),
    "amend": ("amend@1+984b7f715b70", "8c307d85ced3"),
    "lecture-es": ("lecture-es@1+42dadb426a91", "79b2e4c53046"),
    "lecture-pt": ("lecture-pt@1+a11710fdccb3", "d6c472233a4b"),
    "literal": ("literal@1+3a0a85381601", "c22e5651853a"),
    "none": ("none@1+a6a307c3e02c", "08ba939c5c48"),
    "whisper-basic": ("whisper-basic@1+5d3c084f76d1", "7f2a133ec308"),
    "whisper-english": ("whisper-english@1+cb922d1646d8", "3319c56e79d4"),
    "agentic with nfc": ("agentic@1+3b530afca78d", "a4105490c532"),
    "whisper-basic with remove_diacritics, split_letters":
        ("whisper-basic@1+259ec96dc2ea", "510920724bbe"),
    "lecture-es without accents, contractions, fillers":
        ("lecture-es@1+818aa4377efd", "a554e53eb1c7"),
}


def behaviour(norm):
    "What a normalizer makes of the probes, as a digest."
    said = [[norm(t), norm.words(t), [(t.start, t.end) for t in norm.tokens(t)]] for t in PROBES]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


@pytest.mark.parametrize("name", PINNED)
def test_one_id_never_means_two_behaviours(name):
    "Where this fails with an unchanged id, raise the version of the normalizer or the revision of its step."
    norm, (id_, told) = get_normalizer(name), PINNED[name]
    if not norm.describe()["libraries"]: assert norm.id == id_
    if norm.id == id_: assert behaviour(norm) == told


def test_the_id_does_not_hang_on_how_the_list_is_held():
    again = Normalizer("amend", "1", list(get_normalizer("amend").steps))
    assert again == get_normalizer("amend") and again.without("case") != again
    assert Normalizer("amend", "2", again.steps) != again


# -- reported faults of this kind --------------------------------------------------------------------------------------
@pytest.mark.parametrize("a, b", [("a\u00a0b", "a b"), ("a\u202fb", "a b"), ("a\tb", "a b"), ("a\nb", "a b"),
                                  ("a\u2028b", "a b"), ("50\u00a0%", "50 %"), ("a\u200bb", "ab"), ("\ufeffab", "ab"),
                                  ("ab\u200f", "ab"), ("co\u00adop", "coop")])
def test_what_has_no_width_is_no_word_difference(a, b):
    assert get_normalizer(None).words(a) == get_normalizer(None).words(b)
    assert [t.text for t in get_normalizer(None).tokens(a)] == b.split()
    assert get_normalizer(None)(a) == a


def test_letters_joined_by_what_has_no_width_stay_joined():
    for word in ("می\u200cخواهم", "👩\u200d👧"): assert get_normalizer(None).words(word) == [word]   # ZWNJ and ZWJ are spelling


def test_a_longer_lower_case_keeps_its_place():
    for name in ("agentic", "amend", "lecture-pt", "whisper-basic"):
        raw = "xİİ Straße İstanbul 7"
        tokens = get_normalizer(name).tokens(raw)
        assert raw[tokens[-2].start:tokens[-2].end] in ("İstanbul", "stanbul")


def test_voxpopuli_under_whisper_is_the_packages(shared):
    import csv

    from whisper_normalizer.english import EnglishTextNormalizer
    with (shared / "data/en_voxpopuli_5engines/pairs.csv").open(encoding="utf-8", newline="") as f:
        texts = {row[side] for row in csv.DictReader(f) for side in ("reference", "hypothesis")}
    norm, original = get_normalizer("whisper-english"), EnglishTextNormalizer()
    assert len(texts) > 600
    for text in texts:
        tokens = norm.tokens(text)
        assert norm(text) == original(text) and [t.text for t in tokens] == original(text).split()
        check_spans(text, tokens)
        for start, end in {(t.start, t.end) for t in tokens}:
            assert norm.words(text[start:end]) == [t.text for t in tokens if t.start == start]


# -- many at once, and long ones ---------------------------------------------------------------------------------------
def test_many_refuses_what_is_no_list_of_texts():
    with pytest.raises(TypeError, match="list of texts, got one str"): get_normalizer("amend").many("abc")
    with pytest.raises(TypeError, match=r"texts\[1\] must be a str, got None"): get_normalizer("amend").many(["a", None])
    assert get_normalizer("amend").many([]) == [] and get_normalizer("none").many(iter(["A"])) == ["A"]


@pytest.mark.parametrize("name", list_normalizers())
def test_many_keeps_the_order_over_chunks(name):
    texts = [f"Clip {n}, {'é' * (n % 3)} 50%…\n" * (n % 4) for n in range(9_000)]
    norm = get_normalizer(name)
    assert norm.many(texts) == [norm(t) for t in texts]


@pytest.mark.parametrize("name", list_normalizers())
@pytest.mark.parametrize("make", [lambda n: "<" * n, lambda n: "(" * n, lambda n: "." * n + "a", lambda n: "a" + "-" * n + "a",
                                  lambda n: " " * n + "a'", lambda n: "1" * n, lambda n: "a" + "\u0301" * n,
                                  lambda n: "\u1100\u1161\u11a8" * (n // 3), lambda n: "'a" * (n // 2)])
def test_a_hallucinated_run_costs_no_square(name, make):
    norm, text = get_normalizer(name), make(60_000)
    start = time.process_time()
    norm(text)
    assert time.process_time() - start < 10  # a square would take minutes


@pytest.mark.parametrize("name, slow", [("amend", slow_amend), ("agentic", slow_agentic),
                                        ("lecture-pt", lambda t: slow_lecture(t, "pt")),
                                        ("lecture-es", lambda t: slow_lecture(t, "es"))])
def test_a_list_that_lacks_a_step_is_caught(name, slow):
    "Mutants: the comparison with the definition sees each step that is left out, but for `-`, which the next step takes."
    norm = get_normalizer(name)
    probes = [*PROBES, "a-b", "3º", "hum pra", "eh pa e", "año"]
    assert all(norm(t) == slow(t) for t in probes)
    for step in norm.active:
        seen = any(norm.without(step.name)(t) != slow(t) for t in probes)
        assert seen is (step.name != "hyphens"), step.name
