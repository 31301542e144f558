package ratelimit_test

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
)

func ExampleTokenBucket() {
	rule, err := ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{
		Capacity: 4,
		Refill:   ratelimit.Rate{Tokens: 4, Per: time.Minute},
	})
	if err != nil {
		panic(err)
	}
	key := rule.Start(0)
	for _, cost := range []int64{1, 3, 1, 5} {
		d := rule.Take(&key, 0, cost)
		fmt.Println(cost, d.Allowed, d.Remaining, d.RetryAfter(), d.ResetAfter, d.Impossible())
	}
	// Output:
	// 1 true 3 0s 15s false
	// 3 true 0 0s 1m0s false
	// 1 false 0 15s 1m0s false
	// 5 false 0 -1ns 1m0s true
}
