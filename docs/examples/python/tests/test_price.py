"""What the shop promises about prices."""

import pytest

from shop.price import total


def test_a_few_cost_what_they_cost():
    assert total(250, 3) == 750


def test_ten_are_a_tenth_cheaper_nine_are_not():
    assert total(99, 10) == 891
    assert total(99, 9) == 891


def test_a_quantity_that_is_none_is_refused():
    with pytest.raises(ValueError):
        total(250, 0)
