package process

import "slices"

// promises are what the clocks promise, or what they are taken for.
var promises = map[string][]string{
	"wall":    {"orders-causally", "total-order", "close-to-physical"},
	"lamport": {"orders-causally", "total-order"},
	"vector":  {"orders-causally", "detects-concurrency"},
	"pruned":  {"orders-causally", "detects-concurrency"},
	"hlc":     {"orders-causally", "total-order", "close-to-physical", "counter-bound"},
}

// held reports whether the clock is held to a claim, and can be.
func (p *Params) held(claim string) bool {
	claims := promises[p.Clock]
	if len(p.Claims) > 0 {
		claims = p.Claims
	}
	if !slices.Contains(claims, claim) {
		return false
	}
	switch claim {
	case "total-order":
		return p.isScalar()
	case "close-to-physical":
		return p.Epsilon != nil && (p.Clock == "wall" || p.Clock == "hlc")
	case "counter-bound":
		return p.Clock == "hlc"
	}
	return true
}
