package shop

import (
	"errors"
	"testing"
)

func TestTotal(t *testing.T) {
	for _, one := range []struct{ cents, quantity, want int }{
		{250, 3, 750},
		{99, 9, 891},
		{99, 10, 891},
	} {
		got, err := Total(one.cents, one.quantity)
		if err != nil || got != one.want {
			t.Errorf("Total(%d, %d) = %d, %v; want %d", one.cents, one.quantity, got, err, one.want)
		}
	}
}

func TestQuantityThatIsNone(t *testing.T) {
	if _, err := Total(250, 0); !errors.Is(err, ErrQuantity) {
		t.Errorf("got %v, want %v", err, ErrQuantity)
	}
}
