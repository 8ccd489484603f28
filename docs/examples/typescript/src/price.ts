// What a customer pays, in whole cents.

/** Ten or more of a kind are a tenth cheaper, rounded in the customer's favour. */
export function total(cents: number, quantity: number): number {
  if (!Number.isInteger(quantity) || quantity < 1) throw new RangeError('a quantity is a whole number from 1')
  const full = cents * quantity
  return quantity >= 10 ? Math.floor((full * 9) / 10) : full
}
