"""Quantiles: scipy's, over the whole range of degrees that speakers, clips and repeats give."""
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from scipy import stats
from texts import examples

import amend_nb.quantiles as subject
from amend_nb import chi_square_quantile, student_quantile

SHARES = st.floats(1e-5, 1 - 1e-5)
DEGREES = st.one_of(st.integers(1, 60), st.integers(61, 200_000), st.floats(0.5, 500))


def law_student(room):
    @examples(500)
    @given(SHARES, DEGREES)
    def holds(p, df): assert room.student_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8, abs=1e-9)
    holds()


def law_chi_square(room):
    @examples(500)
    @given(SHARES, DEGREES)
    def holds(p, df): assert room.chi_square_quantile(p, df) == pytest.approx(stats.chi2.ppf(p, df), rel=1e-9, abs=1e-12)
    holds()


@pytest.mark.parametrize("law", [law_student, law_chi_square])
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_student, "if a < 100:", "if a < 0.6:"), (law_student, "- 1 / (8 * a)", "- 1 / (9 * a)"), (law_student, "/ 2 - (1 - p))", "- (1 - p))"),
    (law_student, "yield m * (b - m)", "yield (b - m)"), (law_chi_square, "if x > a + 1", "if x > 3 * a + 9e9"),
    (law_chi_square, "x + 2 * n + 1 - a", "x + 2 * n - a")])
def test_a_mutant_breaks_its_law(law, old, new):
    try: found = breaks(law, mutant(subject, (old, new)))
    except (ArithmeticError, ValueError): return            # it does not even give a number
    assert found


@pytest.mark.parametrize("df", [1, 2, 3, 7, 12, 30, 199, 200, 201, 399, 99_999])
def test_those_that_intervals_use(df):
    for p in (0.8, 0.9, 0.95, 0.975, 0.995, 0.9995): assert student_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-10)
    assert student_quantile(0.025, df) == -student_quantile(0.975, df) and student_quantile(0.5, df) == 0
    for p in (0.025, 0.2, 0.975): assert chi_square_quantile(p, df) == pytest.approx(stats.chi2.ppf(p, df), rel=1e-10)


@pytest.mark.parametrize("quantile", [student_quantile, chi_square_quantile])
def test_what_cannot_be_is_refused(quantile):
    for p in (0, 1, -0.1, 1.5, math.nan):
        with pytest.raises(ValueError, match="p="): quantile(p, 3)
    for df in (0, -1, math.nan, math.inf):
        with pytest.raises(ValueError, match="df="): quantile(0.9, df)
