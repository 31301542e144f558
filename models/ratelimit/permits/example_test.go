package permits_test

import (
	"fmt"

	"fencepost/models/ratelimit/permits"
)

// One permit, one place: the first runs, the second waits, the third is refused. Whoever
// is done hands its permit to a request that waits.
func ExampleFixed() {
	limit := permits.Fixed{Permits: 1, Queue: 1}
	for rid := range uint32(3) {
		fmt.Println(limit.Arrive(permits.Waiter{Rid: rid, Deadline: 100}) == permits.Start, limit.InUse(), limit.Waiting())
	}
	next, fate := limit.Release(50)
	fmt.Println(next.Rid, fate == permits.Handed, limit.InUse())
	// Output:
	// true 1 0
	// false 1 1
	// false 1 1
	// 1 true 1
}
