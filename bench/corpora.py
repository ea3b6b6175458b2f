"""Texts to time things on: made up, the same every time, with errors at a known rate."""
import random
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
