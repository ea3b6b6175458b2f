"""Words joined or apart, with and without an apostrophe, and edits that fit what stands beside them: laws, and what a mutant of each does."""
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mutants import breaks, mutant
from num2words import num2words

import amend_nb.corrections as corrections
import amend_nb.equivalence as equivalence
import amend_nb.repairs as repairs
from amend_nb.matching import _runs
from amend_nb.rules import RulesJudge, apply_edits

examples = lambda n: settings(max_examples=n, deadline=None)
LANGS = st.sampled_from(["en", "pt", "es"])
SMALL = {"en": "a in not no un im dis al the his".split(), "pt": "a in des sem se na com em o".split(), "es": "a in des sin no con en la se".split()}
WORDS = {"en": "book light house paper board bank stone water flower market garden".split(),
         "pt": "guarda roupa chuva mesa pedra livro banco porta tempo vento".split(),
         "es": "medio agua mesa piedra libro banco puerta tiempo viento campo".split()}


def same(room, a, b, lang): return [room.equivalent(*(room.text_units(t, lang) for t in pair), lang) for pair in ((a, b), (b, a))]


def law_small_words_stay_apart(room):
    @examples(500)
    @given(LANGS, st.data())
    def holds(lang, data):
        small, (word, other) = data.draw(st.sampled_from(SMALL[lang])), data.draw(st.permutations(WORDS[lang]))[:2]
        assert same(room, f"{small} {word}", small + word, lang) == ["", ""]
        assert same(room, f"{small} {word} {other}", f"{small + word} {other}", lang) == ["", ""]
        blank, hyphen, joined = (f"{word}{mark}{other}" for mark in (" ", "-", ""))
        for pair in ((blank, joined), (hyphen, blank), (hyphen, joined)): assert same(room, *pair, lang) == ["spelling"] * 2
    holds()


def law_cut_in_one_place(room):
    @examples(500)
    @given(LANGS, st.data())
    def holds(lang, data):
        letters = "".join(data.draw(st.permutations(WORDS[lang]))[:2])
        i, j = sorted(data.draw(st.lists(st.integers(2, len(letters) - 2), min_size=2, max_size=2, unique=True)))
        first, second = (f"{letters[:n]} {letters[n:]}" for n in (i, j))
        assume({u.kind for t in (first, second) for u in room.text_units(t, lang)} == {"word"})
        assert same(room, first, second, lang) == ["", ""]
    holds()


# contraction → what its letters alone are; empty where they are no other word
BARE = {"he'll": "hell", "she'll": "shell", "we'll": "well", "i'll": "ill", "we're": "were", "it's": "its", "can't": "cant", "won't": "wont",
        "we'd": "wed", "she'd": "shed", "i'd": "id", "let's": "lets", "don't": "", "you're": "", "they'll": "",
        "isn't": "", "that's": "", "they've": ""}


def law_apostrophes(room):
    @examples(500)
    @given(st.sampled_from(sorted(BARE)), st.sampled_from(WORDS["en"]), st.booleans())
    def holds(short, word, curly):
        bare, short = re.sub("'", "", short), short.replace("'", "’") if curly else short
        free = not BARE[short.replace("’", "'")]
        assert same(room, bare, short, "en") == ["spelling" if free else ""] * 2
        assert same(room, f"{word}'s {word}", word + "s" + word, "en") == ["", ""]       # the man's laughter
        assert same(room, f"{word}'s", word + "s", "en") == ["spelling"] * 2
    holds()


def mended(room, draft, intended, spoken, lang):
    ours, meant, said = (equivalence.text_units(t, lang) for t in (draft, intended, spoken))
    wanted, steps, _ = corrections._choose_target(ours, meant, corrections._find_corrections(said, meant, lang), lang)
    style = room._style_of(draft, intended, spoken, ours, said, lang)
    return apply_edits(draft, [room._edit(run, ours, wanted, style) for run in _runs(steps, lambda s: s.rule)])


def words(n, lang): return num2words(n, lang={"pt": "pt_BR"}.get(lang, lang))


HOURS = "una dos tres cuatro cinco seis siete ocho nueve diez once doce".split()
PAST = {5: "cinco", 10: "diez", 15: "cuarto", 20: "veinte", 25: "veinticinco"}


def law_one_article(room):
    @examples(500)
    @given(st.integers(1, 11), st.integers(1, 11), st.sampled_from(sorted(PAST)), st.sampled_from(sorted(PAST)))
    def holds(was, hour, before, after):
        def la(h): return "la" if h == 1 else "las"
        meant = f"{hour}:{60 - before}"
        draft, spoken = (f"{v} a {la(h)} {HOURS[h-1]} {how}" for v, h, how in (
            ("Quedamos", was, f"y {PAST[after]}"), ("quedamos", hour + 1, f"menos {PAST[before]}")))
        fixed = mended(room, draft + ".", f"Quedamos a {la(hour)} {meant}.", spoken, "es")
        assert not re.search(r"\b(la|las) (la|las)\b|\ba a\b", fixed) and re.search(r"\ba las? \w", fixed)
        assert [u.key.split()[-1].lstrip("=") for u in equivalence.text_units(fixed, "es") if u.kind == "value"] == [meant]
        assert repairs._once("las", "las tres", room._style_of("", "a las las tres", "", [], [], "es")) == "las tres"     # meant twice
    holds()


MONEY = {"en": [("dollars", "${}", "$"), ("euros", "€{}", "€"), ("percent", "{}%", "%")],
         "pt": [("reais", "R$ {}", "R$"), ("por cento", "{} %", "%")],
         "es": [("euros", "{} €", "€"), ("dólares", "${}", "$"), ("por ciento", "{} %", "%")]}


def law_one_unit(room):
    @examples(500)
    @given(LANGS, st.integers(2, 99), st.integers(2, 99), st.sampled_from(["whole", "cents", "words", "sign"]), st.data())
    def holds(lang, was, meant, way, data):
        assume(was != meant)
        name, form, mark = data.draw(st.sampled_from(MONEY[lang]))
        point = "." if lang == "en" else ","
        old = {"whole": f"{was} {name}", "cents": f"0{point}{meant:02} {name}", "words": f"{words(was, lang)} {name}", "sign": form.format(was)}[way]
        verb = {"en": "It is", "pt": "Custa", "es": "Cuesta"}[lang]
        fixed = mended(room, f"{verb} {old} agora.", f"{verb} {form.format(meant)} agora.", f"{verb.lower()} {words(meant, lang)} {name} agora", lang)
        assert fixed.count(mark) + fixed.count(name) == 1, fixed
        assert mended(repairs, fixed, f"{verb} {form.format(meant)} agora.", "", lang) == fixed
    holds()


PHRASES = {"en": [("a typical value", "an atypical value"), ("an apple", "a pear"), ("a boat", "an island")],
           "pt": [("o carro", "a moto"), ("os carros", "a moto"), ("uma mesa", "um banco"), ("na rua", "no largo")],
           "es": [("la casa", "los coches"), ("el coche", "la moto"), ("unas mesas", "un banco")]}


def law_articles_agree(room):
    @examples(500)
    @given(LANGS, st.data(), st.booleans())
    def holds(lang, data, turned):
        pair = data.draw(st.sampled_from(PHRASES[lang]))
        was, meant = pair[::-1] if turned else pair
        verb = data.draw(st.sampled_from({"en": ["Take", "We saw"], "pt": ["Vimos", "Passa"], "es": ["Vimos", "Toma"]}[lang]))
        assert mended(room, f"{verb} {was}.", f"{verb} {meant}.", f"{verb} {meant}".lower(), lang) == f"{verb} {meant}."
    holds()


LAWS = [(law_small_words_stay_apart, equivalence), (law_cut_in_one_place, equivalence), (law_apostrophes, equivalence),
        (law_one_article, repairs), (law_one_unit, repairs), (law_articles_agree, repairs)]


@pytest.mark.parametrize("law, room", LAWS, ids=[law.__name__ for law, _ in LAWS])
def test_law(law, room): law(room)


@pytest.mark.parametrize("law, room, old, new", [
    (law_small_words_stay_apart, equivalence, 'if any(_joins_freely(*pair, language) for pair in ways)', "if any(ways)"),
    (law_small_words_stay_apart, equivalence, 'part in lists["never joined"] and not', 'part in lists["links"] and not'),
    (law_small_words_stay_apart, equivalence, 'return marks == {"-"} or', "return False and"),
    (law_cut_in_one_place, equivalence, "if one and other: return False", "if one and other: continue"),
    (law_apostrophes, equivalence, 'not in lists["other words"]', 'not in lists["links"]'),
    (law_apostrophes, equivalence, """if "'" in marks: return False""", ""),
    (law_one_article, repairs, "made = _fitted(made, style)", ""),
    (law_one_article, repairs, "not _said_in_turn(before, first, style): text = rest", "False: text = rest"),
    (law_one_unit, repairs, "style.language) and not twice:", "style.language):"),
    (law_articles_agree, repairs, 'return {ours, theirs} == {"a", "an"}', "return False"),
    (law_articles_agree, repairs, "return any(g & h for g in groups", "return any(g is h for g in groups"),
])
def test_a_mutant_breaks_its_law(law, room, old, new): assert breaks(law, mutant(room, (old, new)))


OTHER = [  # (language, draft, intended): another word, so it is fixed
    ("en", "It is not able to run.", "It is notable to run."), ("en", "He gave a political speech.", "He gave an apolitical speech."),
    ("en", "It was in action.", "It was inaction."), ("en", "Use a symmetric key.", "Use an asymmetric key."),
    ("en", "It may be true.", "It maybe true."), ("en", "She plays a part from the others.", "She plays apart from the others."),
    ("en", "The manslaughter stopped.", "The man's laughter stopped."), ("en", "Send the in voice mail.", "Send the invoice mail."),
    ("en", "We met al most daily.", "We met almost daily."), ("en", "It is il legal.", "It is illegal."),
    ("en", "I saw an ice cream.", "I saw a nice cream."), ("en", "Ask the rapist.", "Ask therapist."),
    ("en", "Hell call you.", "He'll call you."), ("en", "It went we'll.", "It went well."),
    ("en", "The dog wagged it's tail.", "The dog wagged its tail."), ("en", "I cant go.", "I can't go."),
    ("es", "Lo hizo si no quería ir.", "Lo hizo sino quería ir."), ("es", "Vive a parte del grupo.", "Vive aparte del grupo."),
    ("es", "El en torno es bueno.", "El entorno es bueno."), ("es", "Mira el con sumo.", "Mira el consumo."),
    ("es", "Vi el sin sabor.", "Vi el sinsabor."), ("pt", "Fala a gente amanhã.", "Fala agente amanhã."),
    ("pt", "Se não vier, liga.", "Senão vier, liga."), ("pt", "Ela é des leal.", "Ela é desleal."),
    ("pt", "Vive na morada dele.", "Vive namorada dele."), ("pt", "É sobre tudo isso.", "É sobretudo isso."),
]
ONE = [  # (language, one way, the other): the same to a reader, so it stays
    ("en", "Put it in to the box.", "Put it into the box."), ("en", "Get on to the bus.", "Get onto the bus."),
    ("en", "We don't go any more.", "We don't go anymore."), ("en", "Wait a while there.", "Wait awhile there."),
    ("en", "I like it a lot.", "I like it alot."), ("en", "It is all right now.", "It is alright now."),
    ("en", "I can not go.", "I cannot go."), ("en", "Read the white paper.", "Read the whitepaper."), ("en", "Log in now.", "Login now."),
    ("en", "Set up the room.", "Setup the room."), ("en", "It rains every day.", "It rains everyday."),
    ("en", "Send an e-mail.", "Send an email."), ("en", "Don't go.", "Dont go."), ("en", "Come at five o'clock.", "Come at five o clock."),
    ("en", "See the web site's list.", "See the website's list."), ("es", "Ven en seguida.", "Ven enseguida."),
    ("es", "Comemos al medio día.", "Comemos al mediodía."), ("es", "Mira al rededor.", "Mira alrededor."),
    ("pt", "Estou a fim de sair.", "Estou afim de sair."), ("pt", "É bem vindo aqui.", "É bem-vindo aqui."),
    ("pt", "Usa o guarda roupa.", "Usa o guarda-roupa."), ("pt", "Fica em baixo da mesa.", "Fica embaixo da mesa."),
]


@pytest.mark.parametrize("lang, a, b", OTHER)
def test_another_word_is_fixed_whichever_way(lang, a, b):
    for draft, intended in ((a, b), (b, a)):
        for judge in (RulesJudge(lang), RulesJudge()): assert judge.fix(draft, intended, intended).fixed == intended


@pytest.mark.parametrize("lang, a, b", ONE)
def test_the_same_word_stays_whichever_way(lang, a, b):
    for draft, intended in ((a, b), (b, a)): assert RulesJudge(lang).fix(draft, intended, intended).fixed == draft


FITTED = [  # (draft, intended, spoken, fixed)
    ("a las tres y diez", "a las 2:50", "a las tres menos diez", "a las tres menos diez"),
    ("Quedamos a las cinco y cuarto.", "Quedamos a las 4:45.", "quedamos a las cinco menos cuarto", "Quedamos a las cinco menos cuarto."),
    ("The fee is 0.50 dollars.", "The fee is $50.", "the fee is fifty dollars", "The fee is 50 dollars."),
    ("The fee is $ 15.", "The fee is $50.", "the fee is fifty dollars", "The fee is $ 50."),
    ("I bought a 10.", "I bought a dozen.", "i bought a dozen", "I bought a dozen."),
    ("Saímos às três.", "Saímos à uma.", "saímos à uma", "Saímos à uma."),
    ("Encontro às três da tarde.", "Encontro às 16h30.", "encontro às quatro e meia da tarde", "Encontro às quatro e meia da tarde."),
    ("It was that I saw.", "It was that that I saw.", "it was that that i saw", "It was that that I saw."),
]


@pytest.mark.parametrize("draft, intended, spoken, fixed", FITTED)
def test_an_edit_fits_what_stands_beside_it(draft, intended, spoken, fixed): assert RulesJudge().fix(draft, intended, spoken).fixed == fixed
