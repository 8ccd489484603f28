// Package shop says what a customer pays, in whole cents.
package shop

import "errors"

// ErrQuantity is what a quantity that is none is refused with.
var ErrQuantity = errors.New("a quantity is a whole number from 1")

// Total is what so many of a kind cost. Ten or more are a tenth cheaper, rounded in the customer's favour.
func Total(cents, quantity int) (int, error) {
	if quantity < 1 {
		return 0, ErrQuantity
	}
	full := cents * quantity
	if quantity >= 10 {
		return full * 9 / 10, nil
	}
	return full, nil
}
