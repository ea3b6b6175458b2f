"""Take currencies, months and units out of CLDR (by Babel) for the values room: `amend_nb/data/values_cldr.json`.

    python tools/values_cldr.py            write the file
    python tools/values_cldr.py --check    fail if the file is not what the installed Babel gives

The library reads the file and needs no Babel. CLDR is under the Unicode License, Babel under BSD.
"""
import json
import sys
from pathlib import Path

import babel
from babel import Locale
from babel.core import get_global

PATH = Path(__file__).resolve().parents[1] / "amend_nb/data/values_cldr.json"
LOCALES = {"en": ("en", "en_GB"), "pt": ("pt", "pt_PT"), "es": ("es", "es_MX", "es_AR")}
# CLDR's name of a unit → how it is written in a canonical value. SI units with prefixes are made in the room itself.
UNITS = {
    "length-mile": "mi", "length-yard": "yd", "length-foot": "ft", "length-inch": "inch", "length-nautical-mile": "nmi",
    "length-light-year": "ly", "length-astronomical-unit": "au", "area-acre": "acre",
    "area-hectare": "ha", "volume-gallon": "gal", "volume-quart": "qt", "volume-pint": "pint", "volume-cup": "cup",
    "volume-fluid-ounce": "floz", "volume-tablespoon": "tbsp", "volume-teaspoon": "tsp", "volume-barrel": "bbl",
    "mass-pound": "lb", "mass-ounce": "oz", "mass-tonne": "t",
    "duration-hour": "h", "duration-minute": "min", "duration-second": "sec", "speed-mile-per-hour": "mi/h",
    "speed-knot": "kn", "consumption-mile-per-gallon": "mi/gal", "power-horsepower": "hp", "pressure-atmosphere": "atm",
    "pressure-millimeter-ofhg": "mmHg", "pressure-pound-force-per-square-inch": "psi", "force-kilogram-force": "kgf",
    "temperature-celsius": "°C", "temperature-fahrenheit": "°F", "temperature-kelvin": "kelvin", "angle-degree": "deg",
    "concentr-part-per-1e6": "ppm", "graphics-pixel": "px", "graphics-megapixel": "Mpx",
    "energy-british-thermal-unit": "Btu"}
WORDS_ELSEWHERE = {"quarto", "quartos", "cuarto", "cuartos", "nó", "nós", "libra", "libras", "pound", "pounds"}  # rooms, we, money


def active_currencies() -> list[str]:
    "The ISO 4217 codes that are legal tender somewhere today."
    now = {code for entries in get_global("territory_currencies").values() for code, _, end, tender in entries if tender and not end}
    return sorted(now | {"ESP"})


def currencies(locale: str) -> dict[str, str]:
    names = Locale.parse(locale)._data["currency_names_plural"]
    return {form.lower().replace("&", "and"): code for code in active_currencies() for form in dict(names.get(code, {})).values()}


def months(locale: str) -> dict[str, int]:
    kinds = Locale.parse(locale).months
    return {name.lower().rstrip("."): n for kind in ("format", "stand-alone") for width in ("wide", "abbreviated")
            for n, name in kinds[kind][width].items()}


def units(locale: str) -> dict[str, str]:
    patterns = Locale.parse(locale)._data["unit_patterns"]
    found = {}
    for name, symbol in UNITS.items():
        for count, pattern in dict(patterns[name].get("long", {})).items():
            form = pattern.replace("{0}", "").strip().lower()
            if count in ("one", "other") and form not in WORDS_ELSEWHERE: found[form] = symbol
    return found


def tables() -> dict:
    made = {"source": f"Unicode CLDR by Babel {babel.__version__}, tools/values_cldr.py", "codes": active_currencies()}
    for lang, locales in LOCALES.items():
        made[lang] = {what.__name__: dict(sorted(pair for locale in reversed(locales) for pair in what(locale).items()))
                      for what in (currencies, months, units)}
    return made


if __name__ == "__main__":
    text = json.dumps(tables(), ensure_ascii=False, indent=0, sort_keys=True) + "\n"
    if "--check" in sys.argv:
        if PATH.read_text(encoding="utf-8") != text: sys.exit(f"{PATH.name} is not what Babel {babel.__version__} gives: run this tool")
    else: PATH.write_text(text, encoding="utf-8")
