"""The gold set as tests read it: its records, and the same records with other names and numbers in them.

    from gold import VERDICT, load_gold, renamed

`renamed(record)` gives the record with every name and number of its `swap` table replaced, the same way in all four
texts. Whoever judges must answer to it as to the original: `fixed` of the renamed record is the right answer.
"""
import json
import re
from importlib import resources

FIX = ("misheard missing answer hallucination repeat filler name number date identifier file setting version address "
       "product unit translated correction_dropped correction_blended correction_invented retraction_dropped empty "
       "mixed").split()
LEAVE = ("paraphrase grammar contraction presentation number_form amount quantity date_form time_form phone ticket "
         "short_form hyphen spelling correction_kept correction_cue correction_cue_misheard retraction_kept "
         "clean").split()
VERDICT = {kind: "fix" for kind in FIX} | {kind: "leave" for kind in LEAVE}
TEXTS = ("spoken", "intended", "draft", "fixed")


def load_gold() -> list[dict]:
    "Every record of the gold set."
    text = (resources.files("amend_nb") / "data/gold.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def swapped(text: str, swap: dict[str, str]) -> str:
    "`text` with the keys of `swap` replaced, longest first, all in one go, at borders of words, in the case met."
    if not swap: return text
    anyhow = {old.lower(): new for old, new in swap.items()}
    def other(found):
        old = found.group()
        new = swap.get(old) or anyhow[old.lower()]
        if old.islower(): return new.lower()
        return new[0].upper() + new[1:] if old[0].isupper() else new
    longest = sorted(map(re.escape, swap), key=len, reverse=True)
    return re.sub(rf"(?<![^\W_])(?:{'|'.join(longest)})(?![^\W_])", other, text, flags=re.I)


def renamed(record: dict) -> dict:
    "The record with other names and numbers, the same ones in all of its texts."
    return record | {field: swapped(record[field], record.get("swap", {})) for field in TEXTS}
