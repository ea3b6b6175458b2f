"""Number words that are no numbers, and numbers in forms of their own: kinds, each in several forms, with the near misses that must stay apart."""
import pytest

from amend_nb import canonical, get_normalizer, same_value

NORMS = {lang: get_normalizer(f"values-{lang}") for lang in ("en", "pt", "es")}


def rows(table): return [tuple(line.split(" | ")) for line in table.strip().splitlines()]


def meet(lang, a, b):
    "Two forms of one value: equal text, by `canonical` and the normalizer, read again too."
    texts = [canonical(t, lang) for t in (a, b)]
    assert texts[0] == texts[1] and NORMS[lang](a) == NORMS[lang](b) and same_value(a, b, lang) is not False
    assert canonical(texts[0], lang) == texts[0]


def apart(lang, a, b):
    assert canonical(a, lang) != canonical(b, lang) and NORMS[lang](a) != NORMS[lang](b) and same_value(a, b, lang) is not True
    for t in (a, b): assert canonical(once := canonical(t, lang), lang) == once


WORDS = """
en | One of the doctors called.
en | I met one of her sisters.
en | One of us should go.
en | It is a one-sided story.
en | one-on-one coaching
en | They left one by one.
en | One day I will tell you.
en | One moment, please.
en | That was one way to do it.
en | Just a one off.
en | I second that motion.
en | We second the proposal.
en | He'd like to second that.
en | First and foremost, rest.
en | First aid kit
en | What is your first name?
en | It came second hand.
en | A second-hand car.
en | I had second thoughts.
en | Second, we need time.
en | She wanted a second opinion.
en | A third-party app.
en | It's my sixth sense.
en | a thirty second moment of fame
pt | O quarto fica no fim do corredor.
pt | Meu quarto é pequeno.
pt | Quarto de solteiro.
pt | Reservei um quarto de casal.
pt | Quero um quarto.
pt | Segunda eu não posso.
pt | Quarta tem prova.
pt | Toda sexta ele liga.
pt | Na quinta vou ao médico.
pt | Sexta à noite
pt | Segunda de manhã
pt | Quinta e sexta estarei fora.
pt | Um dos pacientes faltou.
pt | Uma das minhas irmãs.
pt | Um deles saiu.
pt | Entraram um por um.
pt | Em primeiro lugar, bom dia.
pt | A primeira-dama e o primeiro-ministro.
pt | A terceira idade merece respeito.
pt | Primeiros socorros
pt | Um segundo lugar amargo.
pt | Volto num segundo.
pt | Comprei de segunda mão.
pt | Meu sexto sentido
pt | Primeiro, lave as mãos.
pt | Os terceiros foram avisados.
pt | de segunda a sexta
pt | entre quarta e sexta
pt | quarta, quinta e sexta
pt | sexta 13
pt | segunda pela manhã
pt | O quarto número 4
pt | uma meia
es | el cuarto 5
es | El cuarto está ocupado.
es | Mi cuarto es el del fondo.
es | El cuarto de baño
es | Cuarto de lavado
es | Alquilo un cuarto.
es | Luna en cuarto menguante.
es | La quinta de mis abuelos.
es | Uno de mis hermanos.
es | Una de las enfermeras.
es | Cada uno sabe lo suyo.
es | Uno se acostumbra.
es | A veces uno no entiende.
es | Uno mismo lo hace.
es | Fueron uno por uno.
es | En primer lugar, buenos días.
es | El primer ministro dimitió.
es | Grupo de la tercera edad.
es | Primero que nada, calma.
es | Coche de segunda mano.
es | Un segundo intento.
es | Un segundo aviso llegó.
es | Seguro contra terceros.
es | Primeros auxilios
es | Tengo un sexto sentido.
"""


@pytest.mark.parametrize("lang, text", rows(WORDS))
def test_words_that_say_no_number_stay(lang, text): assert canonical(text, lang) == text


NUMBERS = """
en | one of 5 | 1 of 5
en | one of five | 1 of 5
en | one of the three | 1 of the 3
en | one of my two sons | 1 of my 2 sons
en | a one-bedroom flat | a 1-bedroom flat
en | take one tablet | take 1 tablet
en | for one day | for 1 day
en | the second floor | the 2nd floor
en | first, second and third | 1st, 2nd and 3rd
en | a first place | a 1st place
en | the twenty second of May | May 22
en | the thirty second floor | the 32nd floor
en | twenty second | 22nd
en | a twenty second pause | a 20 second pause
en | a forty second clip | a 40 second clip
en | a thirty-second timer | a 30 second timer
en | a sixty second break | a 60 second break
en | a fourth of July picnic | a 4th of July picnic
en | a fourth of them | 1/4 of them
pt | o quarto andar | o 4º andar
pt | quarto lugar | 4º lugar
pt | segunda vez | 2ª vez
pt | a quinta edição | a 5ª edição
pt | um quarto de hora | 1/4 de hora
pt | um quarto do comprimido | 1/4 do comprimido
pt | um dos cinco | 1 dos 5
pt | ficou em primeiro lugar | ficou em 1º lugar
pt | segunda e terceira parcelas | 2ª e 3ª parcelas
pt | espera um segundo | espera 1 segundo
pt | dois e um quarto | 2,25
pt | um quarto | 0,25
pt | quarta | 4ª
es | el cuarto piso | el 4º piso
es | cuarto lugar | 4º lugar
es | la tercera planta | la 3ª planta
es | tres cuartos | 3/4
es | un cuarto de hora | 1/4 de hora
es | uno de cinco | 1 de 5
es | uno de los cinco | 1 de los 5
es | página uno | página 1
es | casa de tres cuartos | casa de 3 cuartos
es | quedó en primer lugar | quedó en 1º lugar
es | un segundo | 1 segundo
es | la línea uno se cerró | la línea 1 se cerró
es | primer piso | 1.er piso
en | 2 million 300 thousand | 2,300,000
en | 5 billion 250 million dollars | $5,250,000,000
en | 3 thousand 450 | 3,450
en | 1 million 200 thousand 300 people | 1,200,300 people
pt | 2 mil e 500 reais | R$ 2.500
pt | 4 mil 320 | 4.320
pt | 7 mil e 50 metros | 7.050 metros
pt | 3 milhões e 200 mil | 3.200.000
pt | R$ 8 mil e 900 | R$ 8.900
pt | mil e 300 | 1.300
es | 2 mil 500 pesos | 2.500 pesos
es | 6 millones 250 mil | 6.250.000
es | 1 millón 150 mil 200 | 1.150.200
es | mil 800 euros | 1.800 €
pt | ramal três zero um | ramal 301
pt | ramal quatro quatro | ramal 44
pt | a senha é sete um nove | a senha é 719
pt | voo dois quatro seis | voo 246
pt | quarto quatro zero dois | quarto 402
pt | o final é trinta e um doze | o final é 3112
pt | disque um nove dois | disque 192
pt | DDD zero vinte e um | DDD 021
es | llame al cero sesenta y uno | llame al 061
es | extensión dos cero tres | extensión 203
es | la clave es uno dos siete | la clave es 127
es | vuelo seis tres cuatro | vuelo 634
es | marque uno uno dos | marque 112
es | CP veintiocho cero catorce | CP 28014
es | terminada en treinta y uno doce | terminada en 3112
es | habitación cuatro cero nueve | habitación 409
pt | oito meia dois | 862
pt | meia sete meia | 676
pt | BR um zero meia | BR 106
pt | placa final meia meia três | placa final 663
en | room four four dash one two | room 44-12
en | account one two three four dash five | account 1234-5
en | five slash eight | 5/8
en | eleven slash twelve slash nineteen ninety | 11/12/1990
pt | conta nove oito sete seis traço cinco | conta 9876-5
pt | conta nove oito sete seis dígito cinco | conta 9876-5
pt | CEP zero quatro cinco meia oito traço zero um zero | CEP 04568-010
pt | dez barra doze barra dois mil e vinte e quatro | 10/12/2024
pt | processo doze barra noventa e oito | processo 12/98
es | cuenta nueve ocho siete seis guion cinco | cuenta 9876-5
es | diez barra doce barra dos mil veinticuatro | 10/12/2024
es | diez diagonal doce diagonal dos mil veinticuatro | 10/12/2024
pt | pressão de 13 por 9 | pressão de 13/9
pt | PA cento e trinta por oitenta e cinco | PA 130/85
pt | pressão arterial doze por oito | pressão arterial 12/8
pt | PA 140x90 | PA 140/90
pt | pressão 120 por 80 mmHg | pressão 120/80 mmHg
es | presión ciento treinta ochenta y cinco | presión 130/85
es | tensión arterial de ciento cuarenta con noventa | tensión arterial de 140/90
es | TA 130 por 85 | TA 130/85
es | treinta por cien | 30 %
es | tres con cinco por ciento | 3,5 %
es | treinta y ocho con dos grados | 38,2 grados
pt | oito e noventa reais | R$ 8,90
pt | vinte e nove e noventa e nove reais | R$ 29,99
en | ten twenty milligram tablets | 10 20 mg tablets
en | one ten mg tablet | 1 10 mg tablet
en | one twenty five milligrams | 125 mg
en | four fifty Fifth Avenue | 450 5th Avenue
en | two Fifty Fifth Street offices | 2 55th Street offices
en | an hour and a half | 1.5 hours
en | one twenty second clip | 1 20 second clip
en | ten dash twelve weeks | 10-12 weeks
pt | o segundo quarto está vazio | o 2º quarto está vazio
es | tercero y cuarto | 3º y 4º
es | presión ciento diez setenta mmHg | presión 110/70 mmHg
en | wait an hour and a half, please | wait 1.5 hours, please
en | a mile and a half | 1.5 miles
en | a cup and a half of rice | 1.5 cups of rice
en | a year and a half ago | 1.5 years ago
en | for a week and a half | for 1.5 weeks
en | a decade and a half | 1.5 decades
es | cuarto kilo de queso | 0,25 kg de queso
es | cuarto litro | 1/4 litro
es | dos kilos y cuarto | 2,25 kg
es | un litro y cuarto | 1,25 l
"""


@pytest.mark.parametrize("lang, a, b", rows(NUMBERS))
def test_and_beside_other_words_they_are_numbers(lang, a, b): meet(lang, a, b)


OTHERS = """
en | a thirty second ad | a 32nd ad
en | a twenty second pause | a 22nd pause
en | the twenty second floor | the 20 second floor
pt | um segundo lugar | 1 segundo
es | casa de tres cuartos | casa de 0,75
es | un segundo intento | 1 segundo intento
en | 2 million 300 thousand | 2,000,300
en | 3 thousand 20 | 3,020
en | 2 million, 300 thousand | 2,300,000
pt | entre 2 mil e 3 mil | entre 5 mil
pt | 2 milhões e 300 | 2.000.300
pt | 2 mil, 500 | 2.500
es | 2 mil y 500 | 2.500
es | cuatro dos personas | 42 personas
pt | conte um dois três | conte 123
pt | dois um zero | 210
es | de cero sesenta | de 060
pt | ramal dois e três | ramal 23
es | a las ocho cero cinco | a las 805
es | doce por ocho | 12/8
pt | caixa de 120 por 80 | caixa de 120/80
pt | pressão de 30 por 20 minutos | pressão de 30/20 minutos
pt | nove meia | 96
pt | cinco e dez reais | R$ 5,10
es | uno con dos kilos | 1,2 kilos
en | eight dash five mg | 85 mg
en | twenty twenty milligram tablets | 2020 mg tablets
pt | um dois traço três | 123
en | an hour and a quarter | 1.5 hours
es | cinco por cien pesos | 5 % pesos
es | cinco por cien mil | 5 % mil
pt | uma meia dois | 162
es | presión de 3 por 5 | presión de 3/5
en | a year and a half-truth | 1.5 years
en | a yard and a fence | 1.5 yards
es | el cuarto kilo | 0,25 kg
"""


@pytest.mark.parametrize("lang, a, b", rows(OTHERS))
def test_what_they_could_be_taken_for_stays_apart(lang, a, b): apart(lang, a, b)
