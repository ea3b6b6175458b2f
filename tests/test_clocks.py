"""Hours of the day and dates said in other words: forms that meet, and neighbours that must not."""
import pytest

from amend_nb import canonical, get_normalizer, same_value

MEET = {
    "en": [
        ("from two to three pm", "from 2 pm to 3 pm"), ("open one to five pm", "open 1 pm to 5 pm"), ("8-10 am", "8 am to 10 am"),
        ("2:15-3:45 pm", "2:15 pm to 3:45 pm"), ("between seven and nine pm", "between 7 pm and 9 pm"), ("12 to 2 pm", "12 pm to 2 pm"),
        ("ten to eleven pm", "10:50 pm"), ("twenty-five to four pm", "3:35 pm"), ("three minutes to nine am", "8:57 am"),
        ("a quarter to six pm", "5:45 pm"), ("at noon", "at 12 pm"), ("by 12 noon", "by noon"), ("twelve midnight", "midnight"),
        ("before midnight", "before 12 am"), ("at ten to noon", "at 11:50 am"), ("ten minutes to noon", "11:50 am"),
        ("from six thirty to nine pm", "from 6:30 pm to 9 pm"),
        ("nine thirty to five pm", "9:30 to 5 pm"), ("our may first meeting", "our May 1 meeting"), ("five past midnight", "12:05 am"),
        ("noon to 4 pm", "12 pm to 4 pm"),
        ("at 1545 hours", "at fifteen forty five hours"), ("0615 hrs", "06:15"), ("oh six oh five hours", "06:05 hours"),
        ("zero zero twenty hours", "0:20"), ("seen at 1745 hrs.", "seen at 17:45."), ("1315 hours: asleep", "13:15: asleep"),
        ("around four fifteen", "around 4:15"), ("about eight forty five.", "about 8:45."), ("it's ten fifteen", "it's 10:15"),
        ("eight thirty tonight", "8:30 tonight"), ("six forty tomorrow morning", "6:40 tomorrow morning"), ("five fifty EST", "5:50 EST"),
        ("at half seven", "at 7:30"), ("at nineteen forty", "at 19:40"),
        ("Tuesday 3/5/2024", "Tuesday March 5, 2024"), ("5/9/31", "5/9/2031"), ("DOB three fourteen nineteen seventy two", "DOB 3/14/1972"),
        ("born twelve twenty five eighty four", "born 12/25/84"), ("DOB oh four twelve eighty one", "DOB 4/12/1981"),
        ("date of birth is seven nineteen nineteen ninety", "date of birth is 7/19/1990"),
        ("March third oh nine", "March 3, 2009"), ("in the 1970's", "in the 1970s"), ("the 80's", "the 80s")],
    "pt": [
        ("das duas às quatro da tarde", "das 14h às 16h"), ("das 8 às 18", "das oito às dezoito horas"), ("de duas a três da tarde", "de 14h a 15h"),
        ("das nove às 17h30", "das 9h às 17:30"), ("às oito e um quarto", "às 8h15"), ("às cinco menos um quarto", "às 4h45"),
        ("às vinte para uma", "às 12h40"), ("são cinco para uma", "são 12h55"), ("são onze e vinte", "são 11h20"),
        ("já são duas e dez", "já são 2h10"),
        ("é uma e vinte", "é 1h20"), ("pelas sete e quarenta", "pelas 7h40"), ("depois das nove e cinco", "depois das 9h05"),
        ("para as seis e cinquenta", "para as 6h50"), ("por volta das oito e vinte e cinco", "por volta das 8h25"),
        ("a partir das dez e quarenta e cinco", "a partir das 10h45"), ("oito quarenta da noite", "20h40"), ("às 1530 horas", "às 15h30"),
        ("às 9.45", "às 9h45"), ("duas dez da tarde", "14h10 da tarde"), ("às uma menos dez", "às 12h50"), ("ao meio-dia", "às 12h"),
        ("ao meio dia", "ao meio-dia"), ("à meia-noite", "às 0h"), ("até meio-dia", "até 12h"),
        ("meio-dia e dez", "12h10"), ("ao meio-dia em ponto", "às 12h"),
        ("depois da meia noite", "depois da meia-noite"), ("vinte para as três horas", "2h40"),
        ("vinte do zero seis de dois mil e dez", "20/06/2010"),
        ("zero sete do zero quatro de 1999", "07/04/1999"), ("cinco do zero nove", "05/09"), ("12 do 07 de 2021", "12/07/2021")],
    "es": [
        ("de dos a cuatro de la tarde", "de 14h a 16h"), ("3-5 pm", "3 pm a 5 pm"), ("de las 8 a las 10 pm", "de las 20h a las 22h"),
        ("entre las dos y las cinco de la tarde", "entre las 14h y las 17h"), ("seis quince de la tarde", "18:15"),
        ("nueve cuarenta am", "9:40 a. m."),
        ("cinco veinte p. m.", "17:20"), ("ocho cero cinco am", "8:05 am"), ("una quince de la tarde", "13:15"), ("dieciséis treinta horas", "16:30"),
        ("a las diez cuarenta horas", "a las 10:40"), ("a las 1745 horas", "a las 17:45"), ("a las 8.15", "a las 8:15"),
        ("hasta las 22.40 horas", "hasta las 22:40"), ("de 8.30 a 13.00 h", "de 8:30 a 13:00"), ("mediodía", "12 del mediodía"),
        ("al mediodía", "a las 12 p. m."), ("antes de la medianoche", "antes de las 0 h"),
        ("después del mediodía", "después de las 12 p. m."), ("a la medianoche", "a las 0 h"), ("las doce del día", "las 12 p. m."),
        ("tres menos cuarto horas", "2:45"),
        ("veinte del cero seis de dos mil diez", "20/06/2010"), ("tres del cero nueve", "03/09")]}


@pytest.mark.parametrize("lang, a, b", [(lang, *pair) for lang, pairs in MEET.items() for pair in pairs])
def test_one_hour_in_two_forms(lang, a, b):
    normal = get_normalizer(f"values-{lang}")
    assert canonical(a, lang) == canonical(b, lang) and normal(a) == normal(b), (canonical(a, lang), canonical(b, lang))
    assert same_value(a, b, lang) is not False
    assert all(canonical(canonical(t, lang), lang) == canonical(t, lang) for t in (a, b))


APART = {
    "en": [
        ("from five to six pm", "from 5:55 pm"), ("one to five pm", "4:59 pm"), ("two to three in the afternoon", "2:58 pm"),
        ("5 to 6 pm", "5:55 pm"),
        ("between five and six pm", "5:55 pm"), ("9 to 5 pm", "9 pm to 5 pm"), ("at five to eight mg", "at 7:55 mg"),
        ("at five to eight percent", "at 7:55 percent"), ("at ten to twelve degrees Celsius", "at 11:50 degrees Celsius"), ("noon", "midnight"),
        ("12 noon", "12 midnight"), ("1430 hours of flight", "14:30 of flight"), ("it took 1430 hours", "it took 14:30"), ("2000 hours", "20:00"),
        ("around six thirty people", "around 6:30 people"), ("about six thirty to seven hundred", "about 6:30 to 700"),
        ("glucose one twenty tonight", "glucose 1:20 tonight"), ("by twenty thirty", "by 20:30"), ("one quarter am", "0:25"),
        ("Tuesday 6/3/2024", "Tuesday June 3, 2024"), ("account eleven twenty three nineteen eighty", "account 11/23/1980"),
        ("born five years ago", "born 5/1/2000"), ("open ten to noon", "open 11:50 am"), ("Total: 1430 hours", "Total: 14:30"),
        ("it's about one fifty", "it's about 1:50"),
        ("they march five miles", "they --03-05 miles")],
    "pt": [
        ("dia 2 às 3 da tarde", "dia 14h às 15h"), ("os valores são dez e quinze", "os valores são 10h15"),
        ("são dez e quinze pessoas", "são 10h15 pessoas"),
        ("das duas às três pessoas", "das 2h às 3h pessoas"), ("das dez e quinze cartas", "das 10h15 cartas"),
        ("entre as dez e quinze", "entre as 10h15"),
        ("dez para uma pessoa", "12h50 pessoa"), ("um quarto para as duas", "1h45"), ("quinze vinte horas", "15h20"),
        ("meio dia de trabalho", "12h de trabalho"),
        ("trabalhei meio dia", "trabalhei 12h"), ("meio-dia", "0,5 dia"), ("ao meio-dia", "à meia-noite"),
        ("Av. 9 de Julho, 1200", "Av. 9 de julho de 1200"), ("5 do 9 melhores", "05/09 melhores"),
        ("Avenida 9 de Julho, 1200", "Avenida 9 de julho de 1200"), ("9 de julho, 1200 pessoas", "9 de julho de 1200 pessoas")],
    "es": [
        ("día 2 a las 3 de la tarde", "día 14h a las 15h"), ("cada ocho doce horas", "cada 8:12"), ("unas quince treinta horas", "unas 15:30"),
        ("dos treinta", "2:30"), ("dos y media horas", "2:30"), ("a las 9.30", "a las 9.3"), ("a las 9.30 mg", "a las 9:30 mg"),
        ("de 9.30 a 14.00 euros", "de 9:30 a 14:00 euros"), ("medio día", "12:00 pm"), ("mediodía", "medianoche"),
        ("Calle 5 de Mayo 1200", "Calle 5 de mayo de 1200"), ("5 de mayo, 1200 personas", "5 de mayo de 1200 personas")]}


@pytest.mark.parametrize("lang, a, b", [(lang, *pair) for lang, pairs in APART.items() for pair in pairs])
def test_what_is_no_hour_stays_apart(lang, a, b):
    normal = get_normalizer(f"values-{lang}")
    assert canonical(a, lang) != canonical(b, lang) and normal(a) != normal(b), canonical(a, lang)
    assert same_value(a, b, lang) is not True
    assert all(canonical(canonical(t, lang), lang) == canonical(t, lang) for t in (a, b))


@pytest.mark.parametrize("lang, text", [
    ("en", "a midnight snack"), ("en", "at midnight mass"), ("en", "the noon meeting"), ("en", "a midnight blue coat"),
        ("en", "They may first call."),
    ("en", "It may second."), ("en", "we may march"), ("pt", "o quarto da manhã"), ("es", "el mediodía francés"), ("es", "una medianoche fría")])
def test_words_that_are_no_hour_stay_words(lang, text):
    assert canonical(text, lang) == text


@pytest.mark.parametrize("a, b", [("five to six pm", "5-6 pm"), ("ten to eleven am", "from 10 am to 11 am"), ("ten to eleven pm", "10 to 11 pm")])
def test_minutes_before_an_hour_or_two_hours_is_not_decidable(a, b):
    assert same_value(a, b, "en") is None and same_value("five to six pm", "6-7 pm", "en") is False


@pytest.mark.parametrize("lang, a, b", [
    ("es", "a las dieciocho cero cero horas", "a las 18:00 h"), ("es", "cero ocho quince horas", "8:15 horas"),
    ("pt", "12x99 reais", "12 por 99 reais"), ("es", "a las 2.300 horas", "2.300 horas"), ("pt", "dez para as cinco horas", "4h50")])
def test_odd_hours_are_read_once_and_for_all(lang, a, b):
    once = canonical(a, lang)
    assert canonical(once, lang) == once and canonical(b, lang) in once
