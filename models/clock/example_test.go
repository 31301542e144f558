package clock_test

import (
	"fmt"

	"fencepost/models/clock"
)

// Two carts that were changed in parallel are siblings; who reads both and writes
// replaces both.
func ExampleDVVSet() {
	type cart = clock.DVVSet[string, string]
	east := cart{}.Update(clock.NewDVVSet[string](nil, "milk"), "east")
	west := cart{}.Sync(east)
	read := east.Join()

	east = east.Update(clock.NewDVVSet(read, "milk, eggs"), "east")
	west = west.Update(clock.NewDVVSet(read, "milk, bread"), "west")
	both := east.Sync(west)
	fmt.Println(both, both.Size())

	both = both.Update(clock.NewDVVSet(both.Join(), "milk, eggs, bread"), "east")
	fmt.Println(both, both.Size())
	// Output:
	// {east,2,[milk, eggs]}{west,1,[milk, bread]} 2
	// {east,3,[milk, eggs, bread]}{west,1,[]} 1
}

// A log of somebody else: does c tell of a concurrent event, or of a later one?
func ExampleSparse_Compare() {
	a, err := clock.ParseSparse[string](`{"p": 2, "q": 2}`)
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"{p:2}", "{p:2,q:2}", "{p:3,q:2}", "{r:2}"} {
		b, err := clock.ParseSparse[string](text)
		if err != nil {
			panic(err)
		}
		fmt.Println(a, a.Compare(b), b)
	}
	_, err = clock.ParseSparse[string]("{p:2,q:-1}")
	fmt.Println(err)
	// Output:
	// {p:2,q:2} > {p:2}
	// {p:2,q:2} = {p:2,q:2}
	// {p:2,q:2} < {p:3,q:2}
	// {p:2,q:2} || {r:2}
	// clock, offset 7: counter -1 is negative
}
