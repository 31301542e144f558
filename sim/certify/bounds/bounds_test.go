package bounds

import (
	"math/rand/v2"
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
	r := NewRaiser(list, []int64{1, 5, 1}, []int64{0, 1, 0})
	if !r.Raise(at) || !slices.Equal(at, []int64{0, 9, 11}) {
		t.Errorf("want 9, a multiple of 5 with 1 ahead, and more than 1 after it, got %v", at)
	}
	if between := slices.Clone(at); r.Add(Bound{X: 2, Y: 0, At: 10}, between) {
		t.Error("the last is at least 11 and at most 10: there is none")
	}
	if NewRaiser([]Bound{{X: 0, Y: 1, At: -7}, {X: 1, Y: 0, At: 6}}, []int64{1, 1}, []int64{0, 0}).Raise([]int64{0, Early}) {
		t.Error("at least 7 and at most 6: there is none")
	}
}

// A bound that is added to instants that satisfy all others raises them to what all bounds at once raise them to; one that
// is refused is left out.
func TestAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	added, refused := 0, 0
	for round := range 1000 {
		const n = 6
		unit, ahead := make([]int64, n), make([]int64, n)
		for i := range unit {
			unit[i], ahead[i] = 1, 0
			if round%2 == 0 {
				unit[i], ahead[i] = int64(1+r.IntN(3)), int64(r.IntN(2))
			}
		}
		unit[0], ahead[0] = 1, 0
		one := NewRaiser(nil, unit, ahead)
		var list []Bound
		at := slices.Repeat([]int64{0}, n)
		for range 12 {
			b := Bound{X: r.IntN(n), Y: r.IntN(n), At: int64(r.IntN(20) - 8), Strict: r.IntN(2) == 0}
			all, better := slices.Repeat([]int64{0}, n), slices.Clone(at)
			want := NewRaiser(append(list, b), unit, ahead).Raise(all)
			if got := one.Add(b, better); got != want {
				t.Fatalf("%v added to %v: want %v, got %v", b, list, want, got)
			}
			if !want {
				refused++
				continue
			}
			added++
			list, at = append(list, b), better
			if !slices.Equal(at, all) {
				t.Fatalf("%v: want %v, got %v", list, all, at)
			}
		}
	}
	if added < 1000 || refused < 1000 {
		t.Errorf("%d added, %d refused: too few to compare", added, refused)
	}
}
