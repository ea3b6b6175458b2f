"""Values, and the ways people write and say them, made without the library: what `canonical` is held against.

A value is a tuple, its kind first; `forms(value, lang)` are texts that all say it, `values(lang)` is a strategy that draws them.
"""
import json
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files

from hypothesis import strategies as st

LANGS = ("en", "pt", "es")
EN = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
      "nineteen").split()
EN_TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()
EN_ORDINAL = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
PT = "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove".split()
PT_TENS = "x x vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()
PT_HUNDREDS = "x cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split()
ES = ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve "
      "veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve").split()
ES_TENS = "x x x treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
ES_HUNDREDS = "x ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()


# -- whole numbers in words ---------------------------------------------------------------------------------------------
def say_en(n, link="", dash=" "):
    "English words of a whole number; `link` between hundreds and the rest, `dash` in twenty-one."
    if n < 20: return EN[n]
    if n < 100: return EN_TENS[n // 10] + (dash + EN[n % 10] if n % 10 else "")
    if n < 1000: return EN[n // 100] + " hundred" + (f" {link}{say_en(n % 100, link, dash)}" if n % 100 else "")
    for zeros, word in ((24, "septillion"), (21, "sextillion"), (18, "quintillion"), (15, "quadrillion"), (12, "trillion"), (9, "billion"),
                        (6, "million"), (3, "thousand")):
        top, rest = divmod(n, 10 ** zeros)
        if top: return f"{say_en(top, link, dash)} {word}" + (f" {link if rest < 100 else ''}{say_en(rest, link, dash)}" if rest else "")


def say_pt(n, feminine=False):
    "Portuguese words of a whole number, the masculine or the feminine."
    if n < 20: return {1: "uma", 2: "duas"}.get(n, PT[n]) if feminine else PT[n]
    if n < 100: return PT_TENS[n // 10] + (f" e {say_pt(n % 10, feminine)}" if n % 10 else "")
    if n == 100: return "cem"
    if n < 1000:
        head = PT_HUNDREDS[n // 100]
        if feminine and n > 199: head = head[:-2] + "as"
        return head + (f" e {say_pt(n % 100, feminine)}" if n % 100 else "")
    for zeros, one, many in ((12, "trilhão", "trilhões"), (9, "bilhão", "bilhões"), (6, "milhão", "milhões"), (3, "mil", "mil")):
        top, rest = divmod(n, 10 ** zeros)
        if not top: continue
        head = "mil" if zeros == 3 and top == 1 else f"{say_pt(top, feminine and zeros == 3)} {one if top == 1 else many}"
        link = " e " if rest < 101 or rest < 1000 and rest % 100 == 0 else " "
        return head + (link + say_pt(rest, feminine) if rest else "")


def say_es(n, short=False, feminine=False):
    "Spanish words of a whole number; `short` before a masculine noun (*veintiún*), or the feminine."
    if n < 30 or n == 100:
        word = ES[n] if n < 30 else "cien"
        if feminine: return {1: "una", 21: "veintiuna"}.get(n, word)
        return {1: "un", 21: "veintiún"}.get(n, word) if short else word
    if n < 100: return ES_TENS[n // 10] + (f" y {say_es(n % 10, short, feminine)}" if n % 10 else "")
    if n < 1000:
        head = ES_HUNDREDS[n // 100]
        if feminine and n > 199: head = head[:-2] + "as"
        return head + (f" {say_es(n % 100, short, feminine)}" if n % 100 else "")
    if n < 10 ** 6:
        top, rest = divmod(n, 1000)
        return ("mil" if top == 1 else f"{say_es(top, True, feminine)} mil") + (f" {say_es(rest, short, feminine)}" if rest else "")
    for zeros, one, many in ((12, "billón", "billones"), (6, "millón", "millones")):
        top, rest = divmod(n, 10 ** zeros)
        if top: return f"{say_es(top, True)} {one if top == 1 else many}" + (f" {say_es(rest, short, feminine)}" if rest else "")


def said(n, lang):
    "The ways to say a whole number."
    if lang == "en": return [say_en(n), say_en(n, "and "), say_en(n, "and ", "-"), say_en(n).capitalize()]
    if lang == "pt": return [say_pt(n), say_pt(n, True), say_pt(n).capitalize()]
    return [say_es(n), say_es(n, feminine=True), *([say_es(n, True)] if n > 1 else []), say_es(n).capitalize()]


def grouped(digits, lang):
    "Digits in groups of three by the sign of the language."
    return f"{int(digits):,}".replace(",", "," if lang == "en" else ".")


def address(n):
    "Could the number, parted by points, be an address such as 10.145.182.100? Then it is not read as a number."
    groups = f"{n:,}".split(",")
    return len(groups) == 4 and all(g[0] != "0" and int(g) < 256 for g in groups)


def typed(n, lang):
    "The ways to type a whole number."
    parted = [grouped(n, lang)] if n > 999 and (lang == "en" or not address(n)) else []
    short = [f"{n // 1000}k"] if n % 1000 == 0 and 0 < n < 10**6 and n != 401_000 else []      # a 401k is a plan
    return [str(n), *parted, *([f"{n:,}".replace(",", "\u202f")] if n > 9999 else []), *short]


MINUS = {"en": ("minus ", "negative "), "pt": ("menos ",), "es": ("menos ",)}


# -- numbers ------------------------------------------------------------------------------------------------------------
def number_forms(value, lang):
    "(`number`, whole, decimals as digits, is it below zero)"
    _, whole, part, below = value
    typed_signs, said_signs = (("-", "−"), MINUS[lang]) if below else (("",), ("",))
    if not part: written, spoken = typed(whole, lang), said(whole, lang)
    else: written, spoken = decimal_forms(whole, part, lang)
    return [s + x for s in typed_signs for x in written] + [s + x for s in said_signs for x in spoken]


POINT = {"en": ("point",), "pt": ("vírgula", "ponto"), "es": ("coma", "punto")}


def decimal_forms(whole, part, lang):
    mark, digits = "." if lang == "en" else ",", [said(int(d), lang)[0] for d in part]
    written = [x + mark + part for x in typed(whole, lang)[:2]]
    ends = [" ".join(digits)]
    if lang == "en" and "0" in part and part[-1] != "0": ends.append(" ".join("oh" if d == "0" else say_en(int(d)) for d in part))
    if lang != "en" and len(part) in (2, 3) and part[0] != "0": ends.append(said(int(part), lang)[0])
    if lang != "en" and len(part) == 2 and part[0] == "0": ends.append(f"{said(0, lang)[0]} {said(int(part), lang)[0]}")
    return written, [f"{x} {p} {end}" for x in said(whole, lang)[:2] for p in POINT[lang] for end in ends]


def scaled_forms(value, lang):
    "(`scaled`, number with decimals as text, zeros): *2.5 million*."
    _, (whole, part), zeros = value
    word = {"en": {6: "million", 9: "billion"}, "pt": {6: "milhões", 9: "bilhões"}, "es": {6: "millones", 12: "billones"}}[lang][zeros]
    n = int(Decimal(f"{whole}.{part}") * 10 ** zeros)
    made = typed(n, lang)[:2]
    made += [f"{x} {word}" for x in decimal_forms(whole, part, lang)[0] + decimal_forms(whole, part, lang)[1]]
    if part == "5": made += {"en": [f"{say_en(whole)} and a half {word}"], "pt": [f"{say_pt(whole)} {word} e meio"],
                             "es": [f"{say_es(whole, True)} {word} y medio"]}[lang]
    return made


# -- ordinals and fractions ---------------------------------------------------------------------------------------------
PT_STEMS = ({1: "primeir", 2: "segund", 3: "terceir", 4: "quart", 5: "quint", 6: "sext", 7: "sétim", 8: "oitav", 9: "non"},
            {1: "décim", 2: "vigésim", 3: "trigésim", 4: "quadragésim", 5: "quinquagésim", 6: "sexagésim", 7: "septuagésim", 8: "octogésim",
             9: "nonagésim"})
ES_STEMS = ({1: "primer", 2: "segund", 3: "tercer", 4: "cuart", 5: "quint", 6: "sext", 7: "séptim", 8: "octav", 9: "noven"},
            {1: "décim", 2: "vigésim", 3: "trigésim", 4: "cuadragésim", 5: "quincuagésim", 6: "sexagésim", 7: "septuagésim", 8: "octogésim",
             9: "nonagésim"})


def ordinal_en(n, dash=" "):
    head, gap, last = say_en(n, dash=dash).rpartition(dash if 20 < n % 100 and n % 10 else " ")
    last = EN_ORDINAL.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return head + gap + last


def ordinal_romance(n, lang, end):
    units, tens = PT_STEMS if lang == "pt" else ES_STEMS
    return " ".join(stem[d] + end for stem, d in ((tens, n // 10), (units, n % 10)) if d)


def ordinal_forms(value, lang):
    "(`ordinal`, n)"
    _, n = value
    if lang == "en":
        mark = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
        return [f"{n}{mark}", f"{n}{mark.upper()}", f"{grouped(n, lang)}{mark}", ordinal_en(n), ordinal_en(n, "-")]
    marks = ("º", "ª", ".º", ".ª")
    return [f"{n}{m}" for m in marks] + [ordinal_romance(n, lang, end) for end in "oa"]


BELOW = {"en": {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth", 10: "tenth", 16: "sixteenth"},
         "pt": {3: "terço", 4: "quarto", 5: "quinto", 6: "sexto", 7: "sétimo", 8: "oitavo", 9: "nono", 10: "décimo", 12: "doze avo"},
         "es": {3: "tercio", 4: "cuarto", 5: "quinto", 6: "sexto", 7: "séptimo", 8: "octavo", 9: "noveno", 10: "décimo", 12: "doceavo"}}
SIGNS = {(1, 4): "¼", (3, 4): "¾", (2, 3): "⅔", (1, 3): "⅓", (3, 8): "⅜", (5, 8): "⅝", (7, 8): "⅞", (2, 5): "⅖", (5, 6): "⅚"}


def fraction_forms(value, lang):
    "(`fraction`, whole or 0, top, bottom)"
    _, whole, top, bottom = value
    name = BELOW[lang][bottom] if top == 1 else BELOW[lang][bottom].replace("half", "halve") + "s"
    spoken = f"{said(top, lang)[0] if lang == 'en' or top > 1 else 'um' if lang == 'pt' else 'un'} {name}"
    typed_one, sign = f"{top}/{bottom}", SIGNS.get((top, bottom))
    hyphenated = [spoken.replace(" ", "-")] if lang == "en" else []
    if not whole: return [typed_one, f"{top}⁄{bottom}", spoken, *hyphenated, *([sign] if sign else [])]
    link = {"en": "and", "pt": "e", "es": "y"}[lang]
    return [f"{whole} {typed_one}", f"{said(whole, lang)[0]} {link} {spoken}", *([f"{whole}{sign}", f"{whole} {sign}"] if sign else [])]


# -- amounts ------------------------------------------------------------------------------------------------------------
PERCENT = {"en": ("percent", "per cent"), "pt": ("por cento",), "es": ("por ciento",)}
# canonical sign, what is written, what is said of one and of more
UNITS = {
    "en": {"kg": ("kg", "kilogram", "kilograms"), "g": ("g", "gram", "grams"), "mg": ("mg", "milligram", "milligrams"),
           "µg": ("mcg", "microgram", "micrograms"), "km": ("km", "kilometer", "kilometers"), "m": ("m", "meter", "meters"),
           "cm": ("cm", "centimetre", "centimetres"), "mm": ("mm", "millimeter", "millimeters"), "ml": ("ml", "milliliter", "milliliters"),
           "mi": ("mi", "mile", "miles"), "ft": ("ft", "foot", "feet"), "oz": ("oz", "ounce", "ounces"), "lb": ("lb", "lb", "lbs"),
           "km/h": ("km/h", "kilometer per hour", "kilometers per hour"), "mi/h": ("mph", "mile per hour", "miles per hour"),
           "°C": ("°C", "degree celsius", "degrees celsius"), "°F": ("°F", "degree fahrenheit", "degrees fahrenheit"),
           "kW": ("kW", "kilowatt", "kilowatts"), "kWh": ("kWh", "kilowatt hour", "kilowatt hours"), "GB": ("GB", "gigabyte", "gigabytes"),
           "MHz": ("MHz", "megahertz", "megahertz"), "m²": ("m²", "square meter", "square meters"), "m³": ("m³", "cubic meter", "cubic meters")},
    "pt": {"kg": ("kg", "quilograma", "quilos"), "g": ("g", "grama", "gramas"), "mg": ("mg", "miligrama", "miligramas"),
           "km": ("km", "quilômetro", "quilômetros"), "m": ("m", "metro", "metros"), "cm": ("cm", "centímetro", "centímetros"),
           "ml": ("ml", "mililitro", "mililitros"), "km/h": ("km/h", "quilômetro por hora", "quilômetros por hora"),
           "°C": ("°C", "grau celsius", "graus celsius"), "kW": ("kW", "quilowatt", "quilowatts"), "GB": ("GB", "gigabyte", "gigabytes"),
           "m²": ("m²", "metro quadrado", "metros quadrados"), "m³": ("m³", "metro cúbico", "metros cúbicos"), "ha": ("ha", "hectare", "hectares")},
    "es": {"kg": ("kg", "kilogramo", "kilogramos"), "g": ("g", "gramo", "gramos"), "mg": ("mg", "miligramo", "miligramos"),
           "km": ("km", "kilómetro", "kilómetros"), "m": ("m", "metro", "metros"), "cm": ("cm", "centímetro", "centímetros"),
           "ml": ("ml", "mililitro", "mililitros"), "km/h": ("km/h", "kilómetro por hora", "kilómetros por hora"),
           "°C": ("°C", "grado celsius", "grados celsius"), "kW": ("kW", "kilovatio", "kilovatios"), "GB": ("GB", "gigabyte", "gigabytes"),
           "m²": ("m²", "metro cuadrado", "metros cuadrados"), "m³": ("m³", "metro cúbico", "metros cúbicos"), "ha": ("ha", "hectárea", "hectáreas")}}
FEMININE = {"ha"}
# letters that mean something behind a number: currencies, units, scales
MEANT = {
    *json.loads(files("amend_nb").joinpath("data/values_cldr.json").read_text("utf-8"))["codes"],
    "BC",
    "BN",
    "CL",
    "CM",
    "DB",
    "DL",
    "FT",
    "GB",
    "GR",
    "GRS",
    "HP",
    "HR",
    "HRS",
    "HZ",
    "KB",
    "KG",
    "KM",
    "KN",
    "KR",
    "KV",
    "KW",
    "LB",
    "LBS",
    "LT",
    "LTS",
    "LX",
    "MB",
    "MG",
    "ML",
    "MM",
    "MN",
    "MS",
    "MW",
    "NS",
    "PB",
    "PX",
    "QT",
    "RS",
    "TB",
    "TN",
    "TR",
    "YD",
    "FR",
    "PT",
    "KC",
    "NM",
    "PM",
    "CC",
    "ND",
    "RD",
    "ST",
    "TH",
    "MV",
    "KGF",
    "RPM",
    "BPM",
    "FPS",
    "DPI",
    "KPH",
    "MPH",
    "KHZ",
    "MHZ",
    "GHZ",
    "KWH",
    "MWH",
    "GWH",
    "GW",
    "TW",
    "KBPS",
    "MBPS",
    "GBPS",
    "PSI",
    "PPM",
    "MPX",
    "BBL",
    "TSP",
    "TBSP",
    "LM",
    "MCG",
    "KJ",
    "MJ",
    "HL",
    "HM",
    "DM",
    "SQ",
    "KCAL",
}


def amount_pairs(whole, part, lang, feminine=False):
    "(written, spoken) of a number before a noun."
    if part: return decimal_forms(whole, part, lang)
    if lang == "en": return typed(whole, lang), said(whole, lang)
    if lang == "pt": return typed(whole, lang), [say_pt(whole, feminine)]
    return typed(whole, lang), [say_es(whole, not feminine, feminine)]


def percent_forms(value, lang):
    "(`percent`, whole, decimals, below zero)"
    _, whole, part, below = value
    written, spoken = amount_pairs(whole, part, lang)
    if not part: spoken = said(whole, lang)
    sign, word = ("-", MINUS[lang][0]) if below else ("", "")
    return [f"{sign}{x}{p}" for x in written for p in ("%", " %", *(f" {w}" for w in PERCENT[lang]))] + [
        f"{word}{x} {w}" for x in spoken for w in PERCENT[lang]
    ]


def measure_forms(value, lang):
    "(`measure`, whole, decimals, unit)"
    _, whole, part, unit = value
    symbol, one, many = UNITS[lang][unit]
    written, spoken = amount_pairs(whole, part, lang, unit in FEMININE and lang != "en")
    name = one if (whole, part) == (1, "") else many
    made = [f"{x}{gap}{symbol}" for x in written for gap in ("", " ", "\u00a0") if gap or x[-1] != "k"] + [f"{x} {name}" for x in (*written, *spoken)]
    if symbol[0] == "°" and lang != "en": made += [f"{x} º{symbol[1]}" for x in written]
    if part == "5" and lang == "en" and unit != "lb" and (whole % 1000 or not whole): made.append(f"{say_en(whole)} and a half {many}")
    if part == "5" and lang != "en" and whole and "/" not in unit and "°" not in unit:
        half = {"pt": "e meio", "es": "y medio"}[lang][:-1] + ("a" if unit in FEMININE else "o")
        made += [f"{x} {one if whole == 1 else many} {half}" for x in (str(whole), amount_pairs(whole, "", lang, unit in FEMININE)[1][0])]
    return made


# code: signs and codes that stand ahead, behind, the name of one and of more, of the hundredth
MONEY = {
    "en": {
        "USD": (("$", "US$", "USD "), (" USD",), "dollar", "dollars", "cent", "cents"),
        "EUR": (("€", "EUR "), (" EUR", "€"), "euro", "euros", "cent", "cents"),
        "GBP": (("£", "GBP "), (" GBP",), "pound sterling", "pounds sterling", "", ""),
        "JPY": (("¥", "JPY "), (" JPY",), "yen", "yen", "", ""),
        "INR": (("₹", "INR "), (" INR",), "", "", "", ""),
        "CHF": (("CHF ",), (" CHF",), "Swiss franc", "Swiss francs", "", ""),
    },
    "pt": {
        "BRL": (("R$ ", "R$", "BRL "), (" BRL",), "real", "reais", "centavo", "centavos"),
        "EUR": (("€ ", "€", "EUR "), (" €", "€", " EUR"), "euro", "euros", "cêntimo", "cêntimos"),
        "USD": (("US$ ", "US$", "USD "), (" USD",), "dólar", "dólares", "", ""),
        "GBP": (("£ ", "£"), (" GBP",), "libra", "libras", "", ""),
    },
    "es": {
        "EUR": (("€ ", "€", "EUR "), (" €", "€", " EUR"), "euro", "euros", "céntimo", "céntimos"),
        "USD": (("US$ ", "US$", "USD "), (" USD",), "dólar", "dólares", "", ""),
        "GBP": (("£ ", "£"), (" £", " GBP"), "libra", "libras", "", ""),
    },
}


def money_forms(value, lang):
    "(`money`, whole, hundredths or None, currency, below zero)"
    _, whole, cents, code, below = value
    ahead, behind, one, many, cent, cent_many = MONEY[lang][code]
    mark, link = "." if lang == "en" else ",", {"en": "and", "pt": "e", "es": "con"}[lang]
    feminine = code == "GBP" and lang != "en"
    written = [x + (f"{mark}{cents:02}" if cents is not None else "") for x in typed(whole, lang)[:2]]
    spoken = (
        []
        if not many
        else said(whole, lang)
        if lang == "en"
        else [say_pt(whole, feminine) if lang == "pt" else say_es(whole, not feminine, feminine)]
    )
    name = one if whole == 1 and not cents else many
    typed_name = name
    if lang != "en" and whole and whole % 10 ** 6 == 0 and not cents: name = f"de {name}"
    if cents is None: typed_name = name
    made = (
        [a + x for x in written for a in ahead]
        + [x + b for x in written for b in behind]
        + ([f"{x} {typed_name}" for x in written] if many else [])
    )
    if cents is None or not cents: made += [f"{x} {name}" for x in spoken]
    elif cent:
        says = amount_pairs(cents, "", lang)[1]
        if whole: made += [f"{x} {one if whole == 1 else name} {link} {c} {cent if cents == 1 else cent_many}" for x in spoken for c in says]
    if below:
        made = ["-" + x for x in made if not x[0].isalpha() or x[:1] in "RU" and "$" in x] + [
            MINUS[lang][0] + f"{x} {name}" for x in spoken if not cents
        ]
    return made


# -- moments ------------------------------------------------------------------------------------------------------------
MONTHS = {"en": "January February March April May June July August September October November December".split(),
          "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
          "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()}


def year_en(y):
    "The ways to say a year."
    plain, (top, low) = [say_en(y), say_en(y, "and ")], divmod(y, 100)
    if low > 9: return [*(plain if top in (20,) else []), f"{say_en(top)} {say_en(low)}"]
    if low and top != 20: return [f"{say_en(top)} oh {say_en(low)}"]
    return plain if y % 1000 < 10 else [f"{say_en(top)} hundred"]


def says_short(n, lang): return say_pt(n) if lang == "pt" else say_es(n)


def date_forms(value, lang):
    "(`date`, year or None, month, day)"
    _, y, m, d = value
    name = MONTHS[lang][m - 1]
    if lang == "en":
        short, nth = name[:3] + ("." if m != 5 else ""), f"{d}{'th' if d in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(d % 10, 'th')}"
        heads = [f"{name} {d}", f"{short} {d}", f"{d} {name}", f"{name} {nth}", f"the {nth} of {name}", f"{name} {ordinal_en(d)}",
                 f"the {ordinal_en(d, '-')} of {name}", f"{name} the {ordinal_en(d)}"]
        if not y: return heads
        made = [f"{h}, {y}" for h in (heads[0], heads[1], heads[3], heads[5])] + [f"{h} {y}" for h in (heads[2], heads[4])]
        made += [f"{h} {said_y}" for h in heads[5:] for said_y in year_en(y)] + [f"{y}-{m:02}-{d:02}", f"{y}/{m:02}/{d:02}"]
        if 1970 <= y < 2070: made.append(f"{d}-{name[:3].upper()}-{y % 100:02}")
        if 1970 <= y < 2070 and (y % 100 > 12): made += [f"{h} '{y % 100:02}" for h in heads[:3]] + [f"{h} {say_en(y % 100)}" for h in heads[5:7]]
        return made + ([f"{m}/{d}/{y}", f"{d:02}/{m:02}/{y}", *([f"{m}/{d}/{y % 100:02}"] if 1970 <= y < 2070 else [])] if d > 12 else [])
    first = [] if d > 1 else ["1º"] + ["primeiro" if lang == "pt" else "primero"]
    days = [str(d), say_pt(d) if lang == "pt" else say_es(d), *first]
    heads = [f"{x} de {name}" for x in days]
    if not y: return heads
    says = say_pt(y) if lang == "pt" else say_es(y)
    made = [f"{h} de {x}" for h in heads for x in (y, says)] + [
        f"{d:02}/{m:02}/{y}",
        f"{d}/{m}/{y}",
        f"{d:02}-{m:02}-{y}",
        f"{d:02}.{m:02}.{y}",
        f"{y}-{m:02}-{d:02}",
    ]
    if 1970 <= y < 2070 and y % 100 > 12: made += [f"{h} de {x}" for h in heads for x in (f"{y % 100:02}", says_short(y % 100, lang))]
    return made + ([f"{d} de {name} del {y}"] if lang == "es" else [f"{d}/{name[:3]}/{y}"])


def time_forms(value, lang):
    "(`time`, hour 0–23, minute)"
    _, h, m = value
    twelve, half = (h - 1) % 12 + 1, h >= 12
    if lang == "en":
        am, said_h = ("pm", "p.m.", "PM") if half else ("am", "a.m.", "AM"), say_en(twelve)
        made = [f"{twelve}:{m:02} {x}" for x in am] + [f"{twelve}:{m:02}{am[0]}"]
        if 12 < h: made += [f"{h}:{m:02}", *([f"{say_en(h)} {say_en(m)} hours"] if m > 9 else [])]
        said_m = f"oh {say_en(m)}" if 0 < m < 10 else say_en(m) if m else ""
        made += [f"{said_h} {said_m} {x}" if said_m else f"{said_h} {x}" for x in (am[0], am[1])]
        if not m: made += [f"{twelve} {am[0]}", f"{said_h} o'clock {'in the afternoon' if half else 'in the morning'}"]
        if m == 30: made.append(f"half past {said_h} {am[0]}")
        if m == 15: made.append(f"quarter past {said_h} {am[0]}")
        if m == 45 and h % 12 != 11: made.append(f"quarter to {say_en(twelve % 12 + 1)} {am[0]}")      # to twelve pm: nobody can tell
        return made
    if lang == "pt":
        made = [f"{h}:{m:02}", f"{h:02}:{m:02}", f"{h}h{m:02}", f"{h:02}h{m:02}"]
        hours = "hora" if h in (0, 1) else "horas"
        if m: made += [f"{say_pt(h, True)} {hours} e {say_pt(m)} {'minuto' if m == 1 else 'minutos'}", f"{h} {hours} e {m} minutos"]
        else: made += [f"{h}h", f"{h} {hours}", f"{say_pt(h, True)} {hours}"]
        if 12 < h < 24 and m: made.append(f"{say_pt(h - 12, True)} e {say_pt(m)} da {'tarde' if h < 19 else 'noite'}")
        if 12 < h < 24 and m == 30: made.append(f"{say_pt(h - 12, True)} e meia da {'tarde' if h < 19 else 'noite'}")
        return made
    made = [f"{h}:{m:02}", f"{h:02}:{m:02}", f"{h}:{m:02} h", f"{h:02}:{m:02} horas", f"{h}.{m:02} h"]
    if not m: made += [f"{h} h", f"{h} horas", f"{say_es(h, feminine=True)} horas"]
    if 12 < h < 24 and m:
        part = "tarde" if h < 20 else "noche"
        made += [f"{h - 12}:{m:02} p. m.", f"{h - 12}:{m:02} de la {part}", f"{say_es(h - 12, feminine=True)} y {say_es(m)} de la {part}"]
        if m == 30: made.append(f"{say_es(h - 12, feminine=True)} y media de la {part}")
        if m == 15: made.append(f"{say_es(h - 12, feminine=True)} y cuarto de la {part}")
    return made


# -- codes --------------------------------------------------------------------------------------------------------------
def digits_said(digits, lang): return " ".join(said(int(d), lang)[0] for d in digits)


def phone_forms(value, lang):
    "(`phone`, digits): a number of ten digits, in groups or not."
    _, d = value
    a, b, c = d[:3], d[3:6], d[6:]
    groups = [f"({a}) {b}-{c}", f"{a}-{b}-{c}", f"{a} {b} {c}", f"{a}.{b}.{c}"]
    if lang == "pt": groups = [f"({d[:2]}) {d[2:6]}-{d[6:]}", f"{d[:2]} {d[2:6]}-{d[6:]}"]
    return [*groups, d, digits_said(d, lang), ", ".join(digits_said(x, lang) for x in (a, b, c))]


def code_forms(value, lang):
    "(`code`, letters, digits)"
    _, letters, d = value
    dash = {"en": "dash", "pt": "traço", "es": "guion"}[lang]
    spelled = " ".join(letters)
    return [
        f"{letters}-{d}",
        f"{letters}{d}",
        f"{spelled} {dash} {digits_said(d, lang)}",
        f"{spelled} {digits_said(d, lang)}",
        f"{letters} {dash} {digits_said(d, lang)}",
    ]


def digits_forms(value, lang):
    "(`digits`, digits that begin with a zero)"
    return [value[1], digits_said(value[1], lang), digits_said(value[1], lang).title()]


FORMS = {"number": number_forms, "scaled": scaled_forms, "ordinal": ordinal_forms, "fraction": fraction_forms, "percent": percent_forms,
         "measure": measure_forms, "money": money_forms, "date": date_forms, "time": time_forms, "phone": phone_forms, "code": code_forms,
         "digits": digits_forms}


def forms(value, lang): return FORMS[value[0]](value, lang)


# -- strategies ---------------------------------------------------------------------------------------------------------
def wholes(most=10**15):
    return st.one_of(
        st.integers(0, 99),
        st.integers(100, 9999),
        st.integers(10**4, most),
        st.builds(lambda a, b: a * 10**b, st.integers(1, 99), st.integers(1, 12)).filter(lambda n: n < most),
    )


PARTS = st.text("0123456789", min_size=1, max_size=4).map(lambda s: s[:-1] + (s[-1] if s[-1] != "0" else "7"))
ANY_PART = st.one_of(st.just(""), PARTS)


def values(lang, kinds=tuple(FORMS)):
    "Values of a language, each kind as often as the others."
    made = {
        "number": st.tuples(st.just("number"), wholes(), ANY_PART, st.booleans()).filter(lambda v: v[1] or v[2] or not v[3]),
        "scaled": st.tuples(
            st.just("scaled"),
            st.tuples(st.integers(1, 999), st.sampled_from([str(n) for n in range(1, 10)])),
            st.sampled_from((6, 12) if lang == "es" else (6, 9)),
        ),
        "ordinal": st.tuples(st.just("ordinal"), st.integers(1, 999 if lang == "en" else 99)),
        "fraction": st.tuples(st.just("fraction"), st.integers(0, 20), st.integers(1, 15), st.sampled_from(sorted(BELOW[lang]))).filter(
            lambda v: v[2] < v[3] and (lang == "en" or v[2:] != (2, 4) and v[1] != 20)
        ),  # dois quartos are rooms, vinte e um quinto is 21/5
        "percent": st.tuples(st.just("percent"), wholes(10**6), ANY_PART, st.booleans()).filter(lambda v: v[1] or v[2]),
        "measure": st.tuples(st.just("measure"), wholes(10**7), st.one_of(ANY_PART, st.just("5")), st.sampled_from(sorted(UNITS[lang]))),
        "money": st.tuples(
            st.just("money"), wholes(10**10), st.one_of(st.none(), st.integers(0, 99)), st.sampled_from(sorted(MONEY[lang])), st.booleans()
        ).filter(lambda v: v[1] and (v[2] is None or MONEY[lang][v[3]][4])),
        "date": st.tuples(st.just("date"), st.one_of(st.none(), st.integers(1100, 2099)), st.integers(1, 12), st.integers(1, 28)),
        "time": st.tuples(st.just("time"), st.integers(0, 23), st.integers(0, 59)),
        "phone": st.tuples(st.just("phone"), st.from_regex(r"[2-9][0-9]{9}", fullmatch=True)),
        "code": st.tuples(
            st.just("code"),
            st.text("BCDFGHJKLMNPQRSTVWXZ", min_size=2, max_size=4).filter(lambda s: s.upper() not in MEANT),
            st.text("0123456789", min_size=3, max_size=6),
        ),
        "digits": st.tuples(st.just("digits"), st.text("0123456789", min_size=2, max_size=8).map(lambda s: "0" + s)),
    }
    return st.one_of([made[k] for k in kinds])


# -- what makes two values one ------------------------------------------------------------------------------------------
def _worth(whole, part, below=False): return Fraction(f"{'-' if below else ''}{whole}.{part or 0}")


def identity(value):
    "What must be the same in two values for them to be one; two kinds that read alike share it (a code of digits is its number)."
    kind, *v = value
    if kind == "number": return "number", _worth(*v)
    if kind == "scaled": return "number", _worth(*v[0]) * 10 ** v[1]
    if kind == "fraction": return "number", v[0] + Fraction(v[1], v[2])
    if kind in ("percent", "measure"): return kind, _worth(v[0], v[1], kind == "percent" and v[2]), v[2] if kind == "measure" else ""
    if kind == "money": return kind, _worth(v[0], f"{v[1] or 0:02}", v[3]), v[2]
    if kind in ("phone", "digits"): return ("number", Fraction(v[0])) if v[0][0] != "0" else ("digits", v[0])
    return value


def _near_digits(d): return [d[:-1] + str((int(d[-1]) + 1) % 10), "0" + d, d[1:] or "3", d + "0", d[::-1]]


def near(value, lang):
    "Values that a careless reader could take for this one: a digit, the sign, the scale, the unit, the currency, a leading zero."
    kind, *v = value
    if kind == "number":
        w, part, below = v
        made = [
            (w + 1, part, below),
            (w * 10, part, below),
            (w * 1000, part, below),
            (w, part + "1", below),
            (w, "0" + part if part else "5", below),
            (w // 10, part, below),
            (w, part, not below),
            (int(f"{w}{part}"), "", below),
        ]
        made = [("number", *x) for x in made if x[0] or x[1] or not x[2]] + [("percent", *v), ("ordinal", w % 99 + 1), ("digits", f"0{w}")]
        return [*made, *(("money", w, None, code, below) for code in MONEY[lang] if w), *(("measure", w, part, unit) for unit in UNITS[lang])]
    if kind == "scaled":
        return [(kind, v[0], 18 - v[1] if lang == "es" else 15 - v[1]), ("number", *v[0], False), (kind, (v[0][0] + 1, v[0][1]), v[1])]
    if kind == "ordinal": return [("number", v[0], "", False), (kind, v[0] % 98 + 2), ("digits", f"0{v[0]}")]
    if kind == "fraction":
        return [
            ("number", v[0], "", False),
            ("number", v[1], "", False),
            *((kind, v[0], v[1], b) for b in BELOW[lang] if b > v[1] and (lang == "en" or b != 4)),
            (kind, v[0] + 1, *v[1:]),
        ]
    if kind == "percent": return [("number", *v), (kind, v[0] * 100, *v[1:]), (kind, v[0], v[1], not v[2]), (kind, v[0], (v[1] or "0") + "2", v[2])]
    if kind == "measure":
        return [
            ("number", v[0], v[1], False),
            *((kind, v[0], v[1], unit) for unit in UNITS[lang]),
            (kind, v[0] * 10, *v[1:]),
            (kind, v[0] + 1, *v[1:]),
        ]
    if kind == "money":
        return [
            ("number", v[0], "", v[3]),
            (kind, v[0] * 100, *v[1:]),
            (kind, v[0] + 1, *v[1:]),
            (kind, *v[:3], not v[3]),
            *((kind, v[0], None, code, v[3]) for code in MONEY[lang]),
            *((kind, v[0], c, *v[2:]) for c in (1, 10, 50) if MONEY[lang][v[2]][4]),
        ]
    if kind == "date":
        return [
            (kind, v[0] and v[0] % 900 + 1101, *v[1:]),
            (kind, v[0], v[1] % 12 + 1, v[2]),
            (kind, *v[:2], v[2] % 28 + 1),
            (kind, None if v[0] else 1999, *v[1:]),
            (kind, v[0], (v[2] - 1) % 12 + 1, v[1]),
        ]
    if kind == "time":
        return [
            (kind, (v[0] + 12) % 24, v[1]),
            (kind, (v[0] + 1) % 24, v[1]),
            (kind, v[0], (v[1] + 30) % 60),
            (kind, v[0], (v[1] + 1) % 60),
            ("number", v[0] * 100 + v[1], "", False),
        ]
    if kind == "phone": return [(kind, d) for d in _near_digits(v[0]) if len(d) == 10 and d[0] > "1"]
    if kind == "digits": return [(kind, d) for d in _near_digits(v[0]) if len(d) > 1 and d[0] == "0"] + [("number", int(v[0]), "", False)]
    return [(kind, v[0], d) for d in _near_digits(v[1]) if d] + [(kind, v[0][::-1], v[1]), ("number", int(v[1]), "", False)]
