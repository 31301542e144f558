package traffic_test

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/traffic"
)

// Ten requests around a boundary of minutes: a fixed window of five a minute admits them
// all.
func Example() {
	window, _ := ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{Limit: 5, Window: time.Minute})
	keys := ratelimit.NewKeyed(window)
	stream := traffic.New(traffic.Params{
		For:   2 * time.Minute,
		Class: traffic.Class{Arrivals: "boundary", Limit: 5, Window: time.Minute},
	}, 1)
	admitted := map[time.Duration]int{}
	for r, ok := stream.Next(); ok; r, ok = stream.Next() {
		if keys.Take(r.Key, ratelimit.Reading(r.At), r.Cost).Allowed {
			admitted[time.Duration(r.At)]++
		}
	}
	fmt.Println(admitted)
	// Output: map[59.999s:5 1m0s:5]
}
