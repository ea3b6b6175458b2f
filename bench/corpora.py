"""Texts to time things on: made up, the same every time, with errors at a known rate."""
import random
import re
from itertools import accumulate

ENGLISH = "etaoinshrdlucmfwypvbgk"
IBERIAN = "aeosrindmutclpvgqbfzhãçéíóêáúñ"
HAN = "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起"


def vocabulary(size=20_000, letters=ENGLISH, length=5.2, longest=14, seed=0):
    "Distinct words, the short ones first: they will be the frequent ones."
    rng, words = random.Random(seed), set()
    while len(words) < size: words.add("".join(rng.choices(letters, k=min(longest, max(1, round(rng.gauss(length, 2.4)))))))
    return sorted(words, key=lambda w: (len(w), w))


def pairs(n=100_000, mean=12, rate=.1, seed=0, words=None, empty=0.0):
    "`n` references of about `mean` words, Zipf's law, and hypotheses with about `rate` errors a word; a share of them empty."
    rng, words = random.Random(seed), words or vocabulary()
    weights = list(accumulate(1 / (k + 3) for k in range(len(words))))
    refs, hyps = [], []
    for _ in range(n):
        ref = rng.choices(words, cum_weights=weights, k=max(1, round(rng.gauss(mean, mean / 3))))
        refs.append(" ".join(ref))
        hyps.append("" if rng.random() < empty else " ".join(heard(rng, ref, words, rate)))
    return refs, hyps


def heard(rng, ref, words, rate):
    "What a recogniser might make of `ref`: six in ten errors are substitutions, two deletions, two insertions."
    for word in ref:
        x = rng.random() / rate
        if x >= 1: yield word
        elif x < .6: yield rng.choice(words)
        elif x >= .8: yield from (word, rng.choice(words))


def lists(n=100_000, mean=12, rate=.1, size=5, seed=6, words=None, empty=0.0):
    """`n` references, what a corrector wrote, and lists of `size` hypotheses: the first has about `rate` errors a word, others up to twice as many.

    The corrector leaves one text in three alone, and halves the errors of the others."""
    rng, words = random.Random(seed), words or vocabulary()
    weights = list(accumulate(1 / (k + 3) for k in range(len(words))))
    def text(ref, errors): return "" if rng.random() < empty else " ".join(heard(rng, ref, words, errors))
    refs, corrected, nbest = [], [], []
    for _ in range(n):
        ref = rng.choices(words, cum_weights=weights, k=max(1, round(rng.gauss(mean, mean / 3))))
        refs.append(" ".join(ref))
        nbest.append([text(ref, rate), *(text(ref, rng.uniform(rate, 2 * rate)) for _ in range(size - 1))])
        corrected.append(nbest[-1][0] if rng.random() < 1 / 3 else text(ref, rate / 2))
    return refs, corrected, nbest


def written(texts):
    "The same texts, or lists of texts, with a capital and a full stop."
    return [written(t) if isinstance(t, list) else t.capitalize() + "." for t in texts]


def sentences(n=100_000, seed=3):
    "Distinct English sentences with numbers, contractions, abbreviations and British spellings, for normalizers."
    rng, found = random.Random(seed), {}
    names = ["the doctor", "Mr. Smith", "she", "my colour printer", "our neighbours", "it"]
    verbs = ["won't pay", "paid", "didn't realise", "'ll see", "lost"]
    things = ["{} dollars and {} cents", "${}.{}", "{} of the {} grey cats", "the {}th of {} programmes", "{}% of {}",
              "twenty {} or {} thousand"]
    tails = ["uh, in the centre", "you know?", "at 10:30 a.m.", "[laughs] again", "(so he's told)", "by the harbour…"]
    def one():
        thing = rng.choice(things).format(rng.randrange(999), rng.randrange(99))
        return " ".join([rng.choice(names), rng.choice(verbs), thing, rng.choice(tails)])
    while len(found) < n: found[f"{one()} {one()}"] = None
    return list(found)


UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
MONTHS = "January February March April May June July August September October November December".split()
VALUED = """The patient received {0-999} mg of {drug} at {1-12}:{10-59} {half}, BP {90-190}/{50-110}, temp {96-103}.{0-9} °F.
Invoice {1000-99999} for ${1-9},{100-999}.{10-99} is due on {month} {1-28}, {2019-2027}, with {1-20}% interest.
Call ({200-999}) {200-999}-{1000-9999} about order #{10000-99999}: {2-90} boxes, {1-99}.{1-9} kg each.
{Say} people paid {say} hundred {teen} dollars in {century} {teen} for {2-9999} units at gate {letter}{1-99}.
He takes {say} milligrams of {drug} {times} a day, {say} hours apart, since the {rank} of {month}.
The flight leaves at {1-12}:{10-59} {half} on {2019-2027}-{01-12}-{10-28} from gate {letter}{1-99}, seat {1-60}{letter}.
My number is {digit} {digit} {digit}, {digit} {digit} {digit}, {digit} {digit} {digit} {digit}, extension {1-99}.
We sold {1-999} thousand units at {1-99} euros and {10-99} cents each, up {1-9}.{1-9} percent from {1990-2018}.
She ran {2-40} km in {1-3} hours and {2-59} minutes, {say} seconds faster than the {rank} runner.
Turn left after {say} and a half miles, then drive {100-900} feet to number {1-9999} on {ordinal} Street.
The room is {2-9}.{1-9} m x {2-9}.{1-9} m, about {10-90} m², and costs £{100-999} per month for {say} months.
Ticket {letters}-{1000-9999}, version {1-9}.{0-20}.{0-20}, was closed on {1-28} {month} {1990-2027} after {2-99} days.
About {1-3}/{4-9} of the {say} thousand {100-900} voters, or {10-99}.{1-9}%, came before {1-11} {half}.
Add {1-3} {1-3}/{4-8} cups of flour, {say} ounces of butter and {100-900} ml of milk at {20-90} °C for {10-50} to {51-90} minutes.
In nineteen {say2} the {century} {teen} budget was ${1-99}.{1-9} million, minus {say} percent, {rank} in the state.
"""


def valued(n=100_000, seed=4):
    "Distinct English sentences, two of `VALUED` in each, with values of every kind, written and said."
    rng, found, lines = random.Random(seed), {}, VALUED.splitlines()
    def say(): return rng.choice([rng.choice(UNITS[2:]), f"{rng.choice(TENS)} {rng.choice(UNITS[1:10])}", rng.choice(TENS)])
    words = {"drug": ("aspirin", "ibuprofen", "the new drug", "metformin"), "half": ("am", "pm", "a.m.", "p.m."), "month": MONTHS,
             "times": ("once", "twice", "three times"), "letter": "ABCDEFGH", "digit": UNITS[:10], "teen": UNITS[10:], "say2": TENS,
             "century": ("nineteen", "twenty"), "rank": ("1st", "2nd", "third", "fourth", "15th", "twenty first"),
             "ordinal": ("1st", "2nd", "Third", "Fourth", "42nd"), "letters": ("KT", "ABX", "QRF")}
    def filled(slot):
        low, dash, high = slot.partition("-")
        if dash: return str(rng.randint(int(low), int(high))).zfill(len(low))
        return say() if slot == "say" else say().capitalize() if slot == "Say" else rng.choice(words[slot])
    def one(): return re.sub("{([^}]+)}", lambda m: filled(m[1]), rng.choice(lines))
    while len(found) < n: found[f"{one()} {one()}"] = None
    return list(found)


def everyday(n=100_000, seed=5):
    "Distinct English sentences with three to five numbers of common kinds, said and written: sums, counts, years, doses, times, telephone numbers."
    from num2words import num2words
    rng, found = random.Random(seed), {}
    def some(low, high): return rng.randint(low, high)
    def said(low, high): return num2words(some(low, high)).replace(",", "")
    lines = (lambda: f"the total was {said(100, 9999)} dollars and {said(2, 99)} cents for {said(2, 500)} items",
             lambda: f"In {some(1950, 2024)}, {some(1000, 9999):,} of {some(10000, 99999):,} students scored "
                     f"{some(10, 99)}.{some(1, 9)}% and {some(100, 999)} passed.",
             lambda: f"Give {some(1, 999)} mg of metformin {rng.choice(['once', 'twice'])} daily at {some(1, 12)}:{some(10, 59)} "
                     f"{rng.choice(['am', 'pm'])} for {some(2, 30)} days, then {some(1, 99)} mL.",
             lambda: f"She said {said(21, 99)} people and {some(2, 99)} dogs came on {rng.choice(MONTHS)} {some(1, 28)}, {some(1990, 2024)}, "
                     f"paying ${some(10, 999)}.{some(10, 99)} each.",
             lambda: f"Call {some(200, 999)}-{some(200, 999)}-{some(1000, 9999)} or room {some(100, 999)} before {some(1, 12)} pm")
    while len(found) < n: found[rng.choice(lines)()] = None
    return list(found)
