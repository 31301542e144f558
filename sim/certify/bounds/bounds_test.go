package bounds

import (
	"slices"
	"testing"
)

// A cycle is the bounds that say together that an instant is before itself: strict ones do at 0 as well.
func TestCycle(t *testing.T) {
	list := []Bound{{X: 1, Y: 0, At: 5}, {X: 2, Y: 0, At: 9}, {X: 2, Y: 1, At: -3}, {X: 0, Y: 2, At: -2}}
	if c := Cycle(3, list); c != nil {
		t.Fatalf("5 - 3 - 2 is 0, got the cycle %v", c)
	}
	list[2].Strict = true
	c := Cycle(3, list)
	if slices.Sort(c); !slices.Equal(c, []int{0, 2, 3}) {
		t.Fatalf("less than 0: want bounds 0, 2 and 3, got %v", c)
	}
	list[2] = Bound{X: 2, Y: 1, At: -4}
	c = Cycle(3, list)
	if slices.Sort(c); !slices.Equal(c, []int{0, 2, 3}) {
		t.Fatalf("-1: want bounds 0, 2 and 3, got %v", c)
	}
}

func TestBetween(t *testing.T) {
	list := []Bound{{X: 1, Y: 0, At: 5}, {X: 2, Y: 1, At: 3, Strict: true}, {X: 2, Y: 0, At: 8}}
	if most, strict, ok := Between(3, list, 2, 0); most != 8 || !strict || !ok {
		t.Errorf("want less than 8, got %d, %v, %v", most, strict, ok)
	}
	if _, _, ok := Between(3, list, 0, 2); ok {
		t.Error("nothing bounds it")
	}
}

// Instants are raised to the least that satisfy all bounds, and to whole units of what they are ahead.
func TestRaise(t *testing.T) {
	list := []Bound{{X: 0, Y: 1, At: -7}, {X: 1, Y: 2, At: -1, Strict: true}}
	at := []int64{0, Early, Early}
	if !Raise(at, list, []int64{1, 5, 1}, []int64{0, 1, 0}) || !slices.Equal(at, []int64{0, 9, 11}) {
		t.Errorf("want 9, a multiple of 5 with 1 ahead, and more than 1 after it, got %v", at)
	}
	if Raise([]int64{0, Early}, []Bound{{X: 0, Y: 1, At: -7}, {X: 1, Y: 0, At: 6}}, []int64{1, 1}, []int64{0, 0}) {
		t.Error("at least 7 and at most 6: there is none")
	}
}
