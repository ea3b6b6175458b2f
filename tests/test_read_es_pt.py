"""Spanish and Portuguese values as people write and say them: forms that meet, values that stay apart, words that are no values."""
import re

import pytest

from amend_nb import canonical, get_normalizer, same_value

MEET = {
    "es": [
        ("las tres y media de la noche", "las 3:30 de la noche"), ("las siete de la noche", "las 19:00"), ("las doce de la noche", "las 0 h"),
        ("a las dieciocho quince horas", "a las 18:15"), ("vence el 24/7", "vence el 24 de julio"), ("US$ 3 MM", "tres millones de dólares"),
        ("TORNILLO DE 2 MM", "tornillo de dos milímetros"), ("z+3", "z + 3"),
        ("Felipe VI", "Felipe sexto"), ("Alfonso XII", "Alfonso doce"), ("Isabel II", "Isabel segunda"), ("capítulo IX", "capítulo nueve"),
        ("los siglos XVI y XVII", "los siglos dieciséis y diecisiete"), ("siglo quinto", "siglo V"), ("s. XVIII", "siglo dieciocho"),
        ("la II República", "la segunda república"), ("diabetes tipo II", "diabetes tipo dos"),
        ("dos terceras partes", "2/3"), ("tres cuartas partes de los votos", "3/4 de los votos"), ("una quinta parte", "1/5"),
        ("treinta céntimos de euro", "0,30 €"), ("cuatro euros y medio", "4,50 €"), ("3 € con 20 céntimos", "3,20 €"), ("$7 con 5 centavos", "$7,05"),
        ("nueve euros la hora", "9 €/h"), ("seis euros el kilo", "6 €/kg"), ("30 euros el metro cuadrado", "30 €/m²"),
        ("9 de setiembre de 2021", "9/9/2021"), ("4ºC", "4 °C"), ("5ºB", "quinto B"), ("un comprimido cada doce horas", "1 comprimido cada 12 h"),
        ("una de cada cuatro mujeres", "1 de cada 4 mujeres"), ("medio millón de votos", "500.000 votos"),
        ("dos millones y medio de firmas", "2.500.000 firmas"), ("millón y medio de euros", "1.500.000 €"), ("escala uno a veinte", "escala 1:20"),
        ("ES12 3456 7890 1234 5678 9012", "ES1234567890123456789012"), ("nro 8", "número ocho"), ("pág. 31", "página treinta y uno"),
        ("km 12 de la A-3", "kilómetro doce de la A-3"), ("3a edición", "tercera edición"), ("5a.m.", "5 a. m."), ("a las 3pm", "a las 15 h"),
        ("8am", "ocho de la mañana"), ("10p.m.", "22 h"),  ("los 1.os días", "los primeros días"),
        ("2 cdas", "dos cucharadas"), ("perdieron 4-2", "perdieron cuatro a dos"),
        ("NIF cuatro cinco seis siete ocho nueve uno dos erre", "NIF 45678912R"),
        ("matrícula siete uno dos cuatro jota ka eme", "matrícula 7124 JKM"),
        ("localizador equis be nueve nueve", "localizador XB99"), ("1,5 pastillas", "una pastilla y media"), ("1,5 años", "un año y medio"),
        ("llame al uno uno dos", "llame al 112"),
        ("3 m/s²", "tres metros por segundo al cuadrado"), ("feb. 2019", "febrero de 2019"), ("ocho rublos", "8 RUB"),
        ("siete milésimas de segundo", "0,007 s"), ("sesentaidós", "62"), ("el 2/3", "el dos de marzo"),
        ("20 de nov", "veinte de noviembre"), ("XV aniversario", "decimoquinto aniversario"), ("40 mins", "cuarenta minutos"),
        ("600 dpi", "seiscientos puntos por pulgada"),
       
    ],
    "pt": [
        ("duas dez da noite", "2h10 da noite"), ("oito da noite", "20h"), ("14 horas e 15 minutos", "14h15"),
        ("duas horas e vinte de prova", "2h20 de prova"), ("24/07", "24 de julho"), ("R$ 4 MM", "quatro milhões de reais"), ("D+2", "D mais dois"),
        ("Dom Pedro II", "Dom Pedro segundo"), ("Luís XV", "Luís quinze"), ("inciso VII", "inciso sete"), ("séc. XIX", "século dezenove"),
        ("século terceiro", "século III"), ("I Guerra Mundial", "Primeira Guerra Mundial"), ("séculos XV e XVI", "séculos quinze e dezesseis"),
        ("duas terças partes", "dois terços"), ("três quartas partes", "3/4"), ("vinte centavos de dólar", "US$ 0,20"),
        ("três reais e meio", "R$ 3,50"),
        ("R$ 8 e 15 centavos", "R$ 8,15"), ("doze reais o quilo", "R$ 12/kg"), ("cem reais a hora", "R$ 100/h"),
        ("R$ 1,1 tri", "1,1 trilhão de reais"), ("3ª feira", "terça-feira"), ("5a-feira", "quinta-feira"),
        ("uma cápsula à noite", "1 cápsula à noite"),
        ("meio milhão de votos", "500.000 votos"), ("6/6h", "de seis em seis horas"), ("dipirona de 8/8 h", "dipirona de oito em oito horas"),
        ("escala um para duzentos", "escala 1:200"), ("dia 3/4", "dia três de abril"), ("km 8 da BR-101", "quilômetro oito da BR-101"),
        ("as 2ªs vias", "as segundas vias"),
        ("venceu por 3-0", "venceu por três a zero"), ("fev/2019", "fevereiro de 2019"), ("dez/2019", "dezembro de 2019"),
        ("400 mAh", "quatrocentos miliamperes-hora"),
        ("placa bê cê dê quatro cinco seis sete", "placa BCD-4567"), ("1,5 cápsulas", "uma cápsula e meia"), ("4 bi", "quatro bilhões"),
        ("R$ 3 mi", "3 mi de reais"), ("ligue um nove três", "ligue 193"), ("Primeiro a chegar", "1º a chegar"),
        ("dois bitcoins", "2 BTC"), ("7 de jan", "sete de janeiro"), ("três décimos de segundo", "0,3 s"),
    ],
    "en": [("Chapter IV", "chapter four"), ("Henry VIII", "Henry the Eighth"), ("World War II", "World War Two"), ("Stage III", "stage three"),
           ("scale 1:20", "scale one to twenty"), ("ten at night", "10 pm")],
}

APART = {
    "es": [
        ("las 3 de la noche", "las 3 p. m."), ("la una de la noche", "la 1 p. m."), ("las 12 de la mañana", "las 12 de la noche"),
        ("a las 14 horas y 15 horas", "a las 14:15"), ("abierto 24/7", "abierto 24 de julio"), ("4 MM", "4 mm"), ("z+3", "z-3"),
        ("Felipe VI", "Felipe IV"), ("capítulo IX", "capítulo XI"), ("siglo quinto", "siglo VI"), ("dos terceras partes", "tres terceras partes"),
        ("treinta céntimos de euro", "treinta céntimos de dólar"), ("cuatro euros y medio", "cuatro euros y media hora"),
        ("3 € con 20 céntimos", "3,02 €"),
        ("nueve euros la hora", "nueve euros"), ("5ºB", "5ºD"), ("5ºC", "5ºA"), ("escala 1:20", "escala 1:200"),
        ("medio comprimido", "un comprimido"),
        ("ES12 3456 7890 1234 5678 9012", "ES12 3456 7890 1234 5678 9021"), ("Luis V. Gil", "Luis quinto Gil"),
        ("perdieron 4-2", "perdieron 2-4"), ("el 2/3 de los votos", "el 2 de marzo de los votos"),
        ("código a be ce uno dos", "código ABD 12"), ("1,5 pastillas", "15 pastillas"),
        ("páginas 4-2", "páginas 4 a 2"),
    ],
    "pt": [
        ("uma da noite", "13h"), ("doze da manhã", "0h"), ("sessões às 14 horas e 15 horas", "sessões às 14h15"),
        ("duas horas e três dias", "2h03 dias"), ("2 MM", "2 mm"), ("D+2", "D-2"), ("x+2", "x2"),
        ("Dom Pedro II", "Dom Pedro I"), ("inciso VII", "inciso VIII"), ("três reais e meio", "três reais e meia hora"), ("2ª feira", "terça-feira"),
        ("8/8h", "6/6h"), ("4 bi", "4 mi"), ("placa bê cê dê um dois", "placa BCT 12"), ("8/8h", "8h"), ("8/8h", "8/6h"),
        ("doze reais o quilo", "doze reais o litro"), ("R$ 1,1 tri", "R$ 1,1 bi"),
        ("duas terças partes", "duas quintas partes"), ("escala um para duzentos", "escala um para vinte"),
    ],
    "en": [("two at night", "2 pm"), ("Chapter IV", "chapter six"), ("Henry VIII", "Henry the Seventh"), ("scale 1:20", "scale one to thirty")],
}

WORDS = {
    "es": """Primero hay que llamar.|Lo primero que vi.|Un tercero firmó.|Doña Segunda vive aquí.|El señor Cuarto no está.
        Limpia tu cuarto antes de salir.
        Compraron una quinta en el campo.|El uno para el otro.|Uno u otro vendrá.|Ni uno solo vino.|Cuando uno viaja, aprende.|Soy uno más.
        Se quitó un peso de encima.|Un peso pesado.|Compré un décimo de lotería.|Vive en el quinto pino.|Jugaron los octavos de final.
        El código de barras.|La clave de ese enigma.|El vuelo de la tarde.|Vi a Malcolm X.|Luis V. García|Vi el mar.|VI EL MAR|una de las chicas""",
    "pt": """Primeiro a gente come.|Primeiro as damas.|Está no quarto ao lado.|Arruma o teu quarto.|O quarto das crianças é azul.
        Na quarta ou na quinta.
        Te ligo na quinta ou na sexta.|Feliz sexta.|Boa quinta pra você.|Um adesivo feio.|Ficou para segunda.|Segunda começa a obra.
        Um ao lado do outro.|Um ou outro vem.
        Tirou um peso das costas.|Um peso pesado.|As oitavas de final.|O quinto dos infernos.|Malcolm X falou.|Vi o mar.
        VI O MAR|Pedro V. Lima|um gato|Ela rezou um terço.|Um de cada vez.|O código de barras.|A senha é ele que sabe.""",
}


def rows(table): return [(lang, *pair) for lang, pairs in table.items() for pair in pairs]


@pytest.mark.parametrize("lang, a, b", rows(MEET))
def test_one_value_in_two_forms(lang, a, b):
    normal = get_normalizer(f"values-{lang}")
    assert normal(a) == normal(b), (normal(a), normal(b))
    assert same_value(a, b, lang) is not False
    for text in (a, b): assert canonical(canonical(text, lang), lang) == canonical(text, lang)


@pytest.mark.parametrize("lang, a, b", rows(APART))
def test_two_values_stay_apart(lang, a, b):
    normal = get_normalizer(f"values-{lang}")
    assert normal(a) != normal(b) and canonical(a, lang) != canonical(b, lang)
    assert same_value(a, b, lang) is not True
    for text in (a, b): assert normal(normal(text)) == normal(text) and canonical(canonical(text, lang), lang) == canonical(text, lang)


@pytest.mark.parametrize("lang, text", [(lang, text.strip()) for lang, some in WORDS.items() for text in some.replace("\n", "|").split("|")])
def test_words_that_are_no_values_stay(lang, text):
    low, normal = text.lower(), get_normalizer(f"values-{lang}")
    assert canonical(text, lang) == text and canonical(low, lang) == low
    assert normal(text) == normal(low) == " ".join(re.findall(r"\w+", low))


@pytest.mark.parametrize("lang, text, read", [
    ("es", "Llegó el primero de la lista", "Llegó el 1º de la lista"), ("es", "la primera vuelta", "la 1º vuelta"), ("es", "primero A", "1º A"),
    ("es", "una quinta vez", "una 5º vez"), ("es", "el cuarto intento", "el 4º intento"), ("es", "un peso mexicano", "1MXN"),
    ("es", "el uno por ciento", "el 1%"), ("pt", "o primeiro andar", "o 1º andar"), ("pt", "a quinta parcela", "a 5º parcela"),
    ("pt", "seu segundo filho", "seu 2º filho"), ("pt", "um quinto dos votos", "0,2 dos votos"),
])
def test_the_same_words_as_values(lang, text, read): assert canonical(text, lang) == read


@pytest.mark.parametrize("lang, text, bare", [
    ("es", "doce euros con cincuenta céntimos", "doce euros con cincuenta centimos"), ("es", "veinte metros cúbicos", "veinte metros cubicos"),
    ("es", "millón y medio", "millon y medio"), ("es", "la versión tres punto diez", "la version tres punto diez"),
    ("es", "las doce del mediodía", "las doce del mediodia"), ("es", "el código uno dos tres cuatro", "el codigo uno dos tres cuatro"),
    ("pt", "três vírgula catorze", "tres virgula catorze"), ("pt", "um vírgula dois milhão", "um virgula dois milhao"),
    ("pt", "nove da manhã", "nove da manha"), ("pt", "oito euros e dez cêntimos", "oito euros e dez centimos"),
    ("pt", "cem reais por mês", "cem reais por mes"), ("pt", "conta quatro cinco seis traço nove", "conta quatro cinco seis traco nove"),
])
def test_a_value_without_its_accents(lang, text, bare):
    normal = get_normalizer(f"values-{lang}", fold_accents=True)
    assert normal(text) == normal(bare) != bare


@pytest.mark.parametrize("lang, text", [("pt", "3ºA O total"), ("es", "media s. XIX"), ("en", "8/5 x 11"), ("en", "8/5 x 11, 3ºA O")])
def test_what_a_value_lets_go_of_is_read_until_it_rests(lang, text):
    once = canonical(text, lang)
    assert canonical(once, lang) == once
