"""Amounts, codes and ranges that are one value in several forms, and near ones that must stay apart."""

import pytest

from amend_nb import canonical, get_normalizer, same_value

LANGS = "en", "pt", "es"
TOLD = {lang: get_normalizer(f"values-{lang}") for lang in LANGS}

# Every form of a line is one value; a line of `APART` holds values none of which may be another.
MEET = {
    "a scale behind a range is that of both ends": """
        en | 2-3 million | two to three million | 2 to 3 million | two million to three million
        en | $4-5 billion | four to five billion dollars | $4-$5 billion | $4 - 5 billion | $4 billion to $5 billion
        en | 20-35k fans | twenty to thirty five thousand fans | 20k to 35k fans
        en | $1.5-2m | one point five to two million dollars | one and a half to two million dollars
        en | 6-7 million miles | six to seven million miles
        en | fifty to a hundred thousand | 50-100 thousand | 50-100k
        en | 1-10 thousand | one to ten thousand
        pt | 4-6 milhões de votos | quatro a seis milhões de votos | 4 a 6 milhões de votos
        pt | 10-12 mil reais | dez a doze mil reais
        pt | um e meio a dois bilhões | 1,5-2 bilhões
        es | 4-6 millones de votos | cuatro a seis millones de votos
        es | de 20 a 30 mil euros | de veinte a treinta mil euros | de 20-30 mil euros""",
    "a year and a half": """
        pt | quatro anos e meio | 4 anos e meio | 4,5 anos
        es | siete años y medio | 7 años y medio | 7,5 años""",
    "an article before a number is none": """
        es | un quince por ciento | un 15 % | un 15%
        es | sacó un ocho | sacó un 8
        es | cada uno tres euros | cada uno 3 €
        pt | um trinta por cento | um 30 % | um 30%
        pt | um oito por cento | um 8%
        pt | cada um três euros | cada um 3 €""",
    "letters of a code": """
        en | L three L four | L3-L4
        en | T eleven L two | T11-L2
        en | code Q nine K six | code Q9K6
        en | plate four K L M three | plate 4KLM3
        en | code b two k five z | code B2K5Z
        en | a ten k run | a 10k run
        en | six L of water | 6 liters of water
        pt | L quatro L cinco | L4-L5
        es | C siete K dos | C7K2""",
    "sizes and whole with part": """
        en | The room is 3.4 m x 7.7 m | The room is 3.4 m × 7.7 m | the room is three point four meters by seven point seven meters
        en | 5 ft x 8 ft | five feet by eight feet
        en | 2 cm x 3 cm x 4 cm | two centimeters by three centimeters by four centimeters
        en | 2h and 15min | two hours and fifteen minutes | 2 h 15 min
        en | 4 min and 10 s | four minutes ten seconds
        en | nine lb and four oz | 9 lb 4 oz
        pt | 3,4 m x 7,7 m | três vírgula quatro metros por sete vírgula sete metros
        pt | dois quilos e duzentos gramas | 2 kg 200 g
        es | 2 cm x 3 cm | dos centímetros por tres centímetros
        es | cuatro minutos y diez segundos | 4 min 10 s""",
    "prefixes by their case": """
        en | 6 MV | six megavolts
        en | 6 mV | six millivolts | 6 mv
        en | 4 MBps | four megabytes per second | 4 MB/s
        en | 4 Mbps | four megabits per second | 4 mbps
        en | 3 mJ | three millijoules
        en | 90 MHZ | 90 mhz | ninety megahertz
        pt | 3 mJ | três milijoules
        pt | 8 MBps | oito megabytes por segundo
        es | 6 MV | seis megavoltios""",
    "pounds": """
        en | she weighs 140 pounds | she weighs 140 lb | she weighs one hundred and forty pounds
        en | nine pounds two ounces | 9 lb 2 oz | 9 pounds 2 ounces
        en | six pounds of rice | 6 lb of rice | 6 pounds of rice
        en | the ticket cost eight pounds | the ticket cost £8
        en | four pounds and thirty pence | £4.30
        en | two pounds fifty | £2.50
        en | a twenty pound note | a £20 note
        en | ten pounds a week | £10 a week | £10 per week
        en | 25 pounds | twenty five pounds""",
    "the country of a dollar": """
        en | $40 CAD | 40 Canadian dollars | 40 dollars Canadian | forty Canadian dollars
        en | $3 million AUD | three million Australian dollars
        es | $80 pesos | ochenta pesos | 80 pesos
        es | $30.000 pesos colombianos | treinta mil pesos colombianos
        es | $7 mdp | 7 mdp | siete millones de pesos
        pt | $80 pesos | oitenta pesos""",
    "versions and sections": """
        en | Python 3.10 | python three point ten | Python three point one zero
        en | section 4.20 | section four point twenty
        en | table 2.50 m wide | table 2.5 m wide
        pt | versão 3.10 | versão três ponto dez
        es | apartado 2.10 | apartado dos punto diez""",
    "units and a rest": """
        pt | 3,2 kg | três quilos e duzentos
        pt | 38,4 graus | trinta e oito graus e quatro
        pt | 1,82 m | um metro e oitenta e dois | 1 metro e 82 | 1 m 82 | metro e oitenta e dois
        pt | 1,5 L | um litro e quinhentos
        es | 3,4 kg | tres kilos cuatrocientos | tres kilos y cuatrocientos
        es | 1,65 m | un metro sesenta y cinco | metro sesenta y cinco | 1 m 65""",
    "a thousand by its letter": """
        en | $30 k | $30k | thirty thousand dollars | thirty K dollars
        en | 12 K a year | 12K a year | twelve thousand a year
        en | 8 k | 8k | eight thousand""",
    "names of units and money": """
        en | 7 µm | seven microns
        en | 15 mg | 15 mgs | fifteen mgs
        en | £30 | thirty quid
        en | -20 °F | minus twenty Fahrenheit
        en | ₹3,50,000 | INR 350,000
        en | 3,50,000 rupees | three lakh fifty thousand rupees
        en | 3 percentage points | three percentage points
        en | Rs. 700 | Rs 700 | seven hundred rupees
        pt | 8 mEq | oito miliequivalentes
        pt | 3 p.p. | três pontos percentuais
        es | 8 mEq | ocho miliequivalentes
        es | 80 lpm | ochenta latidos por minuto
        es | 20 mg al día | 20 mg/día | veinte miligramos al día
        es | 80 dls | ochenta dólares""",
    "feet and inches": """
        en | 5'9" | 5'9 | five foot nine
        en | 2.5" | two and a half inches""",
    "short words for numbers": """
        en | order no. 812 | order No. 812 | order number 812
        en | ext. 31 | extension thirty one | extension 31
        pt | art. 7º | artigo sétimo | artigo 7º
        pt | c/6h | cada seis horas | c/6 h
        es | c/12 h | cada doce horas
        es | ext. 31 | extensión treinta y uno""",
    "powers of ten": """
        en | 1e-3 | 1e−3 | 1E-3
        pt | 2,5e-3 | 2,5E-3
        es | 6e-7 | 6E-7""",
}
APART = {
    "a scale behind a range is that of both ends": """
        en | 2-3 million | 23 million | 2 to 3 | two to three hundred thousand
        en | 4-5 billion | 45 billion | four to 5
        en | two dollars to three million dollars | $2-3 million
        en | one to ten thousand | one thousand to ten thousand
        en | 555-1234567 | 5 to 1234567
        pt | 1-2 bilhões | 12 bilhões | 1 a 2
        es | 2-3 millones | 23 millones | 2 a 3""",
    "a year and a half": """
        pt | quatro anos e meio | quatro anos | 4 anos e 1,5
        es | siete años y medio | siete años | 1,5 años""",
    "an article before a number is none": """
        es | un diez por ciento | uno 10 %
        pt | um dois três quatro | dois três quatro""",
    "letters of a code": """
        en | B seven K two | B 7000 2 | B7000
        en | L four L five | 4 liters 5
        es | B siete K dos | B 7000 2""",
    "sizes and whole with part": """
        en | 3.4 m x 7.7 m | 3.4 m x 7.8 m | 3.4 by 7.7 m
        en | 5 mg x 3 mg | 15 mg
        en | two hours and ninety minutes | 3 h 30 min
        pt | 2 kg e 200 g | 2 kg e 300 g""",
    "prefixes by their case": """
        en | 5 MBps | 5 Mbps | 5 kBps
        en | 4 mg | 4 Mg
        en | 5 mHz | 5 MHz
        en | 5 mJ | 5 MJ
        en | 6 MV | 6 mV
        en | 5 mW | 5 MW
        en | 3 mPa | 3 MPa
        en | 2 mWh | 2 MWh
        pt | 5 MBps | 5 Mbps
        pt | 5 mJ | 5 MJ
        es | 5 MBps | 5 Mbps
        es | 6 MV | 6 mV""",
    "pounds": """
        en | 180 pounds | £180 | 180 lb
        en | she weighs 140 pounds | she weighs £140
        en | six pounds of that | £6 of that | 6 lb of that""",
    "the country of a dollar": """
        en | $40 | $40 CAD | $40 AUD
        es | $80 | $80 pesos
        es | $7 mdp | $7""",
    "three digits behind a comma": """
        es | 10,000 personas | 10 personas | 10.000 personas
        es | 5,000 UI | 5 UI
        pt | 20,000 pessoas | 20 pessoas | 20.000 pessoas""",
    "versions and sections": """
        en | Python 3.10 | Python 3.1 | Python 3.100
        en | section 2.20 | section 2.2
        pt | versão 3.10 | versão 3.1
        es | apartado 2.10 | apartado 2.1
        es | figura 4.20 | figura 4.2""",
    "brackets and about": """
        en | ($500) | $500 | ~$500
        en | 5 | ~5
        pt | (R$ 500) | R$ 500
        es | (€500) | €500 | ~€500""",
    "units and a rest": """
        pt | três quilos e duzentos | três quilos e duzentos reais | 3,02 kg
        pt | dois graus e três minutos | 2,3 graus
        es | tres kilos doscientos | 3 kg 200 personas
        es | el metro setenta | el 1,70 m""",
    "a thousand by its letter": """
        en | 100 K | 100
        en | B 8 k 2 | B 8000 2""",
    "feet and inches": """
        en | 5'9 | 59 | 5.9
        en | he said "take 6" | he said take 6 inches""",
    "short words for numbers": """
        en | The answer is no. 5 people came. | The answer is number 5 people came.
        es | c/12 h | 12 h""",
    "readings and powers of ten": """
        en | BP in the 140s | BP in the 140 s
        en | a rate in the mid-120s | a rate in the mid 120 seconds
        en | 1e-3 | 1e3
        en | 2.5e-4 | 2.5e4
        pt | 1e-3 | 1e3
        pt | 1,5e-3 | 1,5e3
        es | 6e-7 | 6e7""",
}


def lines(table):
    return [(kind, *(x.strip() for x in line.split("|"))) for kind, text in table.items() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("kind", "lang", "first", "others"), [(k, lang, a, rest) for k, lang, a, *rest in lines(MEET)])
def test_one_value_in_every_form(kind, lang, first, others):
    for other in others:
        assert TOLD[lang](first) == TOLD[lang](other), (kind, canonical(first, lang), canonical(other, lang))
        assert same_value(first, other, lang) is not False
    for text in (first, *others):
        once = canonical(text, lang)
        assert canonical(once, lang) == once and TOLD[lang](TOLD[lang](text)) == TOLD[lang](text)


@pytest.mark.parametrize(("kind", "lang", "texts"), [(k, lang, rest) for k, lang, *rest in lines(APART)])
def test_near_misses_stay_apart(kind, lang, texts):
    for n, a in enumerate(texts):
        once = canonical(a, lang)
        assert canonical(once, lang) == once
        for b in texts[n + 1:]: assert TOLD[lang](a) != TOLD[lang](b) and same_value(a, b, lang) is not True, (kind, a, b)
