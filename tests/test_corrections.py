"""Self-corrections and the smallest repair of a value: laws over made-up lists, numbers and ranges, and what a mutant of each does."""
import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mutants import breaks, mutant
from num2words import num2words

import amend_nb.corrections as corrections
import amend_nb.equivalence as equivalence
import amend_nb.repairs as repairs
from amend_nb.edits import normalize
from amend_nb.rules import RulesJudge, rule_edits

examples = lambda n: settings(max_examples=n, deadline=None)
LANGS = st.sampled_from(["en", "pt", "es"])
ITEMS = {"en": "glue tape rope nails paint varnish sandpaper", "pt": "cola fita corda pregos tinta verniz lixa",
         "es": "cola cinta cuerda clavos pintura barniz lija"}
OPEN = {"en": "buy", "pt": "compra", "es": "compra"}
AND = {"en": "and", "pt": "e", "es": "y"}
# known ways to take a thing back, and words that no list holds
BACK = {"en": ["take the {} off", "leave out the {}", "no drop the {}", "uninvite the {}", "the {} can wait", "return the {}"],
        "pt": ["tira {}", "não tira a {}", "deixa {} de fora", "devolve {}", "{} não leva"],
        "es": ["quita {}", "no quita la {}", "deja fuera {}", "devuelve {}", "{} no hace falta"]}
CUES = {"en": ["no wait", "sorry", "i mean", "scratch that", "make that"], "pt": ["não espera", "desculpa", "aliás", "quer dizer"],
        "es": ["no espera", "perdón", "digo", "mejor dicho"]}
LISTS = st.tuples(LANGS, st.permutations(range(7)), st.integers(2, 5), st.data())


def rules_of(room, draft, spoken, intended, lang):
    ours, said, meant = (equivalence.text_units(t, lang) for t in (draft, spoken, intended))
    steps = room._choose_target(ours, meant, room._find_corrections(said, meant, lang), lang)[1]
    return [ours[s.d0].key if s.d1 > s.d0 else "+" for s in steps if not s.rule]


def law_taken_back(room):
    @examples(500)
    @given(LISTS)
    def holds(made):
        lang, order, n, data = made
        items = [ITEMS[lang].split()[k] for k in order[:n + 1]]
        item = data.draw(st.sampled_from(items[1:]))
        back = data.draw(st.sampled_from(BACK[lang])).format(item)
        left = [i for i in items if i != item]
        spoken = f"{OPEN[lang]} {' '.join(items)} {back}"
        intended = f"{OPEN[lang]} {', '.join(left)}"
        whole, without = f"{OPEN[lang]} {', '.join(items)}. {back}.", f"{OPEN[lang]} {', '.join(items)}."
        assert rules_of(room, whole, spoken, intended, lang) == []                 # carried whole: nothing is touched
        assert rules_of(room, without, spoken, intended, lang) == [item]           # half of it: the item goes
        assert rules_of(room, intended + f". {back}.", spoken, intended, lang) == []   # only the words that take it back
        assert rules_of(room, intended, spoken, intended, lang) == []
    holds()


def law_said_anew(room):
    @examples(500)
    @given(LANGS, st.integers(2, 60), st.integers(2, 60), st.booleans(), st.data())
    def holds(lang, first, second, digits, data):
        assume(first != second)
        cue, thing = data.draw(st.sampled_from(CUES[lang])), ITEMS[lang].split()[2]
        a, b = (num2words(n, lang={"pt": "pt_BR"}.get(lang, lang)) for n in (first, second))
        spoken, intended = f"{OPEN[lang]} {a} {cue} {b} {thing}", f"{OPEN[lang]} {second} {thing}"
        shown = (str(first), str(second)) if digits else (a, b)
        assert rules_of(room, f"{OPEN[lang]} {shown[0]}, {cue}, {shown[1]} {thing}", spoken, intended, lang) == []
        assert rules_of(room, f"{OPEN[lang]}, {cue}, {shown[1]} {thing}", spoken, intended, lang) == []
        assert len(rules_of(room, f"{OPEN[lang]} {shown[0]} {thing}", spoken, intended, lang)) == 1
        unsaid = f"{OPEN[lang]} {b} {thing}"                       # a cue that nobody said protects nothing
        assert rules_of(room, f"{OPEN[lang]} {shown[0]}, {cue}, {shown[1]} {thing}", unsaid, intended, lang) != []
    holds()


UNITS = {"en": ["kilos", "miles", "euros", "dollars", "percent"], "pt": ["quilos", "metros", "euros", "dólares", "reais"],
         "es": ["kilos", "metros", "euros", "dólares", "pesos"]}


def law_one_word(room):
    @examples(500)
    @given(LANGS, st.integers(2, 99), st.data(), st.booleans())
    def holds(lang, n, data, digits):
        right, wrong = data.draw(st.permutations(UNITS[lang]))[:2]
        said = num2words(n, lang={"pt": "pt_BR"}.get(lang, lang)).replace("-", " ")
        number = str(n) if digits else said
        wanted, old = f"{n} {right}", f"{number} {wrong}"
        units, spoken = equivalence.text_units(wanted, lang), equivalence.text_units(f"{said} {right}", lang)
        assume(len(units) == 1 and len(spoken) == 1 and units[0].kind == "value")
        style = room._style_of(old, wanted, f"{said} {right}", equivalence.text_units(old, lang), spoken, lang)
        assert room._mended(old, units[0], style) == f"{number} {right}"           # the number stays as the draft has it
        start, end, text = room._narrowed(0, old, f"{number} {right}")
        assert old[:start] + text + old[end:] == f"{number} {right}" and text == right
    holds()


def law_ranges(room):
    @examples(500)
    @given(LANGS, st.integers(2, 40), st.integers(1, 40), st.data())
    def holds(lang, a, more, data):
        b, link = a + more, data.draw(st.sampled_from({"en": ["to"], "pt": ["a"], "es": ["a"]}[lang]))
        words = [num2words(n, lang={"pt": "pt_BR"}.get(lang, lang)) for n in (a, b)]
        assume(lang != "en" or b != a + 1 or b > 12)               # *five to six* can be a time of day
        ways = [f"{a}-{b}", f"{a}–{b}", f"{a} {link} {b}", f" {link} ".join(words)]
        first, second = (room.text_units(data.draw(st.sampled_from(ways)), lang) for _ in range(2))
        assert len(first) == len(second) == 1 and room.equivalent(first, second, lang)
        other = room.text_units(f"{a} {link} {b + 1}", lang)
        assert not room.equivalent(first, other, lang)
    holds()


WORDS = st.lists(st.sampled_from(("the a cat, sat. on five seven forty-two 5-6 two gigs $40 March 3rd 3/3 no wait, sorry and you know Maria "
    "PgBouncer a.ts 12:30 \n- 1. “Save draft” -- take off scratch milk Ted 68-year-old --no-edit don't 2 GB , . ER-3312 "
    "ER").split(" ")), max_size=9).map(" ".join)


@examples(1000)
@given(WORDS, WORDS, WORDS, LANGS)
def test_edits_lie_in_order_and_apart(draft, intended, spoken, lang):
    edits, _ = rule_edits(draft, intended, spoken, lang)
    assert all(0 <= e.start <= e.end <= len(draft) for e in edits)
    assert all(a.end <= b.start for a, b in zip(edits, edits[1:], strict=False))


LAWS = [(law_taken_back, corrections), (law_said_anew, corrections), (law_one_word, repairs), (law_ranges, equivalence)]


@pytest.mark.parametrize("law, room", LAWS, ids=[law.__name__ for law, _ in LAWS])
def test_law(law, room): law(room)


@pytest.mark.parametrize("law, room, old, new", [
    (law_taken_back, corrections, "if not cue: return bool(first) and all(first)", "if not cue: return False"),
    (law_taken_back, corrections, "if linked: held =", "if False: held ="),
    (law_taken_back, corrections, "start = here.get(u.key, -1) + 1", "start = s + 1"),
    (law_taken_back, corrections, "small | items", "small"),
    (law_said_anew, corrections, "if all(free[span[0]:span[1]]):", "if False:"),
    (law_taken_back, corrections, "return not correction.drops and any(cue)", "return False and any(cue)"),
    (law_taken_back, corrections, "sum(cue) * 2 >= max(len(cue), 1) or second", "False or second"),
    (law_one_word, repairs, "if text != old and _says(", "if text != old or _says("),
    (law_one_word, repairs, "first, last, text = len", "first, last, text = 1 + len"),
    (law_ranges, equivalence, "hit[1] < t.end and text[hit[1]] in", "False and text[hit[1]] in"),
    (law_ranges, equivalence, "first.key[1:2].isdigit() and u.key", "False and u.key"),
    (law_ranges, equivalence, 'return f"{a} {', 'return f"{a} and {'),
])
def test_a_mutant_breaks_its_law(law, room, old, new): assert breaks(law, mutant(room, (old, new)))


LEFT = [  # (spoken, intended, draft): nothing is to be fixed
    ("send three boxes no make it four", "Send 4 boxes.", "Send three boxes, no, make it four."),
    ("send three boxes no make it four", "Send 4 boxes.", "Send, no, make it 4 boxes."),
    ("order the grey tiles no the white ones", "Order the white tiles.", "Order the grey tiles, no, the white ones."),
    ("call eight hundred five five five oh one oh one", "Call 800-555-0101.", "Call (800) 555-0101."),
    ("meet on monday no wait on tuesday", "Meet on Tuesday.", "Meet in Monday, no wait, on Tuesday."),
]
FIXED = [  # (spoken, intended, draft, fixed)
    ("it is really really good", "It is good.", "It is really really good.", "It is good."),
    ("run it with dash dash no edit", "Run it with --no-edit.", "Run it with no edit.", "Run it with --no-edit."),
    ("cats and dogs", "Cats and dogs", "Cats the dogs", "Cats and dogs"),
    ("the fee is forty canadian dollars", "The fee is CA$40.", "The fee is $40.", "The fee is CA$40."),
    ("due on april third twenty twenty seven", "Due on 4/3/2027.", "Due on 3/4/2027.", "Due on 4/3/2027."),
]


@pytest.mark.parametrize("spoken, intended, draft", LEFT)
def test_left(spoken, intended, draft): assert RulesJudge("en").fix(draft, intended, spoken).fixed == draft


@pytest.mark.parametrize("spoken, intended, draft, fixed", FIXED)
def test_fixed(spoken, intended, draft, fixed): assert normalize(RulesJudge("en").fix(draft, intended, spoken).fixed) == normalize(fixed)


def test_a_missing_quotation_goes_in_with_both_its_ends():
    wanted = "Label the button “Save draft”."
    assert RulesJudge().fix("Label the button", wanted, "label the button save draft").fixed == wanted
    assert RulesJudge().fix("Say and go.", "Say “no” and go.", "say no and go").fixed == "Say “no” and go."


def test_what_goes_takes_its_marks_along_and_what_comes_stands_behind_them():
    def fix(draft, intended): return RulesJudge("en").fix(draft, intended, intended.lower()).fixed
    assert fix("Buy:\n- oats\n- salt\n- bulbs", "Buy oats and salt.") == "Buy:\n- oats\n- salt"
    assert fix("A cough for ten days, fever.", "A cough for ten days, no fever.") == "A cough for ten days, no fever."


def test_numbers_go_in_as_the_draft_writes_them():
    def fix(draft): return RulesJudge("en").fix(draft, "There were 42 guests.", "there were forty two guests").fixed
    assert fix("There were twenty-four guests.") == "There were forty-two guests."
    assert fix("There were 24 guests.") == "There were 42 guests."


# ---- a real error beside a correction is never free


def needs_fixing(draft, intended, spoken):
    return normalize(RulesJudge().fix(draft, intended, spoken).fixed) != normalize(draft)


NUMBERS = {"en": ["two", "three", "five", "seven", "twelve", "twenty"], "pt": ["dois", "três", "cinco", "sete", "doze", "vinte"],
           "es": ["dos", "tres", "cinco", "siete", "doce", "veinte"]}
FRAMES = {"en": ("take {} tablets", ["sorry", "no wait", "i mean", "make that", "actually no", "no"]),
          "pt": ("mande {} caixas", ["não desculpa", "aliás", "quer dizer", "não espera"]),
          "es": ("toma {} pastillas", ["perdón", "no espera", "digo", "no perdón"])}


@pytest.mark.parametrize("language", NUMBERS)
def test_a_number_that_was_corrected_after_its_noun_is_wrong(language):
    frame, cues = FRAMES[language]
    for first, second in itertools.permutations(NUMBERS[language], 2):
        for cue in cues:
            spoken, intended = f"{frame.format(first)} {cue} {second}", frame.format(second).capitalize() + "."
            assert needs_fixing(frame.format(first).capitalize() + ".", intended, spoken), (spoken, "the first alone")
            third = next(n for n in NUMBERS[language] if n not in (first, second))
            assert needs_fixing(f"{frame.format(first)}, {cue}, {third}", intended, spoken), (spoken, "a third", third)
            assert not needs_fixing(f"{frame.format(first)}, {cue}, {second}", intended, spoken), (spoken, "both, whole")


@pytest.mark.parametrize("draft, intended, spoken", [
    ("Do not call Beth.", "Do call Beth.", "do call ann no wait call beth"), ("Call Steve Beth.", "Call Beth.", "call ann no wait beth"),
    ("Meet Monday, not Tuesday.", "Meet Tuesday.", "meet monday no wait tuesday"),
    ("Meet Monday or Tuesday.", "Meet Tuesday.", "meet monday no wait tuesday"),
    ("Meet after Tuesday.", "Meet Tuesday.", "meet monday no wait tuesday"), ("Give 50 mg not 15 mg.", "Give 15 mg.", "give 50 mg no wait 15 mg"),
    ("Pay forty instead of fourteen dollars.", "Pay fourteen dollars.", "pay forty no sorry fourteen dollars"),
    ("Marque segunda, nunca terça.", "Marque terça.", "marque segunda não espera terça"),
    ("Reserva el lunes, nunca el martes.", "Reserva el martes.", "reserva el lunes no perdón el martes"),
    ("Get milk, eggs and tea. Scratch the milk.", "Get milk and tea.", "get milk eggs and tea scratch the eggs"),
    ("Meet me at 5, were late", "Meet me at 5, we're late", "meet me at five we're late"),
    ("It is not able 5 runs", "It is notable 5 runs", "it is notable five runs"),
    ("Stop two pumps.", "Start two pumps.", "stop two pumps sorry start"), ("Come before 5.", "Come after 5.", "come before five no after"),
    ("Paint the red one.", "Paint the blue one.", "paint the red one sorry the blue one"),
    ("We need 3 lamps.", "We need 4 lamps.", "we need three lamps"),
])
def test_no_other_word_passes_as_a_cue(draft, intended, spoken): assert needs_fixing(draft, intended, spoken)


@pytest.mark.parametrize("draft, intended", [
    ("The oil is dry.", "The oil well is dry."), ("The test is.", "The test is okay."), ("It is not bad.", "It is not so bad."),
    ("El vino es.", "El vino es bueno."), ("La bomba funciona.", "La bomba funciona bien."), ("O teste foi.", "O teste foi bom."),
    ("Isto é caro.", "Isto é bem caro."), ("Well, it is dry.", "Well, the well is dry.")])
def test_a_content_word_that_also_opens_sentences_is_missed(draft, intended): assert needs_fixing(draft, intended, normalize(intended))
