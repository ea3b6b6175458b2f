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
"""


@pytest.mark.parametrize("lang, a, b", rows(OTHERS))
def test_what_they_could_be_taken_for_stays_apart(lang, a, b): apart(lang, a, b)
