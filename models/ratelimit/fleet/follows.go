package fleet

import (
	"cmp"

	"fencepost/models/product"
)

// limiters are what the algorithms follow, with what a user of the product has to know. Each case of the tests of throttled, ulule,
// sethvargo, nginx, uber, RussellLuo and x/time is a test of package ratelimit.
var limiters = map[string][]product.Product{
	"token-bucket": {{Name: "golang.org/x/time/rate", Version: "2b4e439", Note: "the model has exact integers in place of floats. A refused request takes nothing, in both"},
		{Name: "Traefik", Version: "v2, read from its source", Note: "average, period and burst of RateLimit; Traefik lets a request wait for half the time between two, at most 500 ms, where the model refuses it"}},
	"gcra":            {{Name: "throttled", Version: "9e814f2"}, {Name: "redis-cell", Note: "burst is one more than their max_burst, and they cut the interval to whole nanoseconds"}},
	"leaky-meter":     {{Name: "Shopify API", Version: "40 requests at 2 per second"}, {Name: "nginx limit_req with nodelay", Note: "burst: 20 is nginx's burst=19; algorithm: nginx has its words, and its whole milliseconds"}},
	"nginx":           {{Name: "nginx limit_req", Version: "1.15.7 and later", Note: "burst=20 admits 21 at once; refused requests are not counted; the rate is cut to thousandths of a request per second. The model's zone is never full and forgets no key"}},
	"leaky-queue":     {{Name: "uber-go/ratelimit", Version: "v0.3.1", Note: "the model has no slack, as with WithoutSlack; the usual slack of 10 lets 10 catch up at once"}},
	"interval-bucket": {{Name: "sethvargo/go-limiter", Version: "1e0fbd3"}},
	"anchored-window": {{Name: "ulule/limiter", Version: "f0ada6c", Note: "ulule counts refused requests too, which shows where costs differ"}},
	"fixed-window":    {{Name: "Redis documentation", Version: "INCR, Pattern: rate limiter", Note: "INCR and envoyproxy/ratelimit count refused requests too, which shows where the limit changes: see model policy"}},
	"sliding-counter": {{Name: "Cloudflare", Version: "2017, How we built rate limiting"}, {Name: "RussellLuo/slidingwindow", Note: "it rounds the estimate down: want round: strict for whole numbers"}},
	"sliding-log":     {{Name: "Redis documentation", Version: "sorted sets", Note: "refused requests are not kept; retain keeps them"}},
}

// Follows are the products whose behaviour the algorithm and the form have.
func (p *Params) Follows() []product.Product {
	list := limiters[cmp.Or(p.Algorithm.Algorithm, "fixed-window")]
	switch {
	case p.Form == "central":
		return append([]product.Product{{Name: "Redis", Version: "7.0.15", Note: "commands and scripts compared with the server"}}, list...)
	case p.Form == "dimensions" && p.Dimensions.Mode == "check-all":
		return []product.Product{{Name: "nginx limit_req", Version: "1.15.7 and later", Note: "several zones: all are looked at before one is charged. The windows are fixed, unlike nginx's"}}
	case p.Form == "dimensions" && p.Dimensions.Mode == "charge-all":
		return []product.Product{{Name: "envoyproxy/ratelimit", Version: "0184b1a", Note: "all descriptors are charged, whichever refuses"}}
	}
	return list
}
