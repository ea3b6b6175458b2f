"""Texts in which the rules of a normalizer can go wrong, and the law that every list of tokens obeys."""
from hypothesis import settings
from hypothesis import strategies as st

# Letters, marks, digits and signs in which the rules can go wrong, beside any text at all.
PIECES = [
    "a", "B", "İ", "ß", "Σ", "ς", "é", "e\u0301", "ç", "ñ", "ﬁ", "½", "²", "①", "\u1100", "\u1161", "\u11a8",
    "가", "ा", "हि",
    "œ", "ø", "Å", "\u212b", "\u0344", "\u0345", "0", "1", "7", "12", "1.250", "1,5", "99999999999999999999", "٣",
    " ", "  ", "\t", "\n", "\u00a0", "\u2028", "\u202f", "\x1c", "\u200b", "\ufeff", "\u00ad", "\u200d",
    ".", "..", "…", "‥", ",", ";", ":", "!", "?", "#", "-", "–", "—", "·", "\u0387", "•", "*", "_", "`", "~",
    "'", '"', "‘", "’", "“", "”", "´", "\uff07", "(", ")", "[", "]", "{", "}", "<", ">",
    "%", "$", "€", "@", "&", "+", "=",
    "/",
    "º", "ª", "°", "hum", "eh", "e", "pra", "pros", "tá", "pa", "um", "don't", "😀", "🇧🇷"]
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=14).map("".join)


def examples(n: int): return settings(max_examples=n, deadline=None)


def check_spans(raw, tokens):
    "In order, inside the text, and of two tokens either the same stretch or disjoint ones."
    for a in tokens: assert 0 <= a.start <= a.end <= len(raw) and a.text
    for a, b in zip(tokens, tokens[1:], strict=False): assert (a.start, a.end) == (b.start, b.end) or a.end <= b.start
