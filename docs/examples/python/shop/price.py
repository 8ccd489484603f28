"""What a customer pays, in whole cents."""


def total(cents: int, quantity: int) -> int:
    """Ten or more of a kind are a tenth cheaper, rounded in the customer's favour."""
    if quantity < 1:
        raise ValueError("a quantity is a whole number from 1")
    full = cents * quantity
    return full * 9 // 10 if quantity >= 10 else full
