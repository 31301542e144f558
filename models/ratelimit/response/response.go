package response

import (
	"fmt"
	"strconv"
	"time"

	"fencepost/models/ratelimit"
)

// Cause is why a request is refused.
type Cause uint8

// Whose fault it is.
const (
	Quota    Cause = iota // the client has used up its own: 429
	Overload              // the service has no room for any client: 503
)

// Status is the HTTP status of a decision. A request whose cost is above the limit is a
// 400: it would be refused whenever it came, so it must not be told to come again.
func Status(d ratelimit.Decision, c Cause) int {
	switch {
	case d.Allowed:
		return 200
	case d.Impossible():
		return 400
	case c == Overload:
		return 503
	}
	return 429
}

// Policy is what a rule is called and allows.
type Policy struct {
	Name   string        // printable ASCII
	Quota  int64         // requests, 0 and up
	Window time.Duration // rounded up to seconds; 0: not said
}

// Answer is what one rule says to a request.
type Answer struct {
	Policy   Policy
	Decision ratelimit.Decision
	Cause    Cause // if it refuses
}

// Response is what a client is told.
type Response struct {
	Status     int
	RetryAfter int64 // seconds; -1: not said
	Answer     Answer
	Policies   []Policy
	NoReset    bool // when there is something to be had again is not known: t and X-RateLimit-Reset are left out
}

// Of is the response to a request that all these rules apply to, at least one: it is
// refused if one refuses it, and has to wait for the last of those. What is reported is
// the rule with the smallest remaining, of several the one with the longest wait; if some
// refuse, one of those, so that Retry-After is not earlier than what is reported.
//
// Source: envoyproxy/ratelimit, src/service/ratelimit.go (minimum remaining).
func Of(answers ...Answer) Response {
	r := Response{Status: 200, RetryAfter: -1, Answer: answers[0]}
	for _, a := range answers {
		r.Policies = append(r.Policies, a.Policy)
		if tighter(a.Decision, r.Answer.Decision) {
			r.Answer = a
		}
		if d := a.Decision; !d.Allowed {
			r.Status = worse(r.Status, Status(d, a.Cause))
			r.RetryAfter = max(r.RetryAfter, Seconds(d.RetryAfter()))
		}
	}
	if r.Status == 400 {
		r.RetryAfter = -1
	}
	return r
}

// tighter reports whether d says more to the client than e.
func tighter(d, e ratelimit.Decision) bool {
	switch {
	case d.Allowed != e.Allowed:
		return !d.Allowed
	case d.Remaining != e.Remaining:
		return d.Remaining < e.Remaining
	}
	return until(d) > until(e)
}

// worse is the status that counts: of several, 400 before 503, 503 before 429, and any of these before 200.
func worse(a, b int) int {
	for _, s := range [...]int{400, 503, 429} {
		if a == s || b == s {
			return s
		}
	}
	return 200
}

// until is when there is something to be had again: never later than Retry-After, which
// must not be earlier than what the RateLimit field says.
func until(d ratelimit.Decision) time.Duration {
	if w := d.RetryAfter(); w > 0 {
		return w
	}
	return d.ResetAfter
}

// Seconds rounds up: who comes back within the last second of a wait is refused again.
// [ratelimit.Never] is -1.
func Seconds(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	s := int64(d / time.Second)
	if d%time.Second > 0 {
		s++
	}
	return s
}

// Header is one field of a response.
type Header struct{ Name, Value string }

// Headers are the fields of the draft, and Retry-After where there is something to wait
// for.
func (r *Response) Headers() []Header {
	var list []Header
	if r.RetryAfter >= 0 {
		list = append(list, Header{"Retry-After", strconv.FormatInt(r.RetryAfter, 10)})
	}
	policies := make([]Item, len(r.Policies))
	for i, p := range r.Policies {
		policies[i] = Item{Name: p.Name, Params: []Param{{"q", p.Quota}}}
		if p.Window > 0 {
			policies[i].Params = append(policies[i].Params, Param{"w", Seconds(p.Window)})
		}
	}
	limit := Item{Name: r.Answer.Policy.Name, Params: []Param{{"r", r.Answer.Decision.Remaining}}}
	if !r.NoReset {
		limit.Params = append(limit.Params, Param{"t", Seconds(until(r.Answer.Decision))})
	}
	return append(list, Header{"RateLimit-Policy", Format(policies)}, Header{"RateLimit", Format([]Item{limit})})
}

// LegacyHeaders are the three fields that were in use before the draft. Reset is in
// seconds from now: in the wild it may as well be a time since 1970, and no field says
// which.
func (r *Response) LegacyHeaders() []Header {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	list := []Header{
		{"X-RateLimit-Limit", number(r.Answer.Policy.Quota)},
		{"X-RateLimit-Remaining", number(r.Answer.Decision.Remaining)},
	}
	if !r.NoReset {
		list = append(list, Header{"X-RateLimit-Reset", number(Seconds(until(r.Answer.Decision)))})
	}
	return list
}

// Problem is the type of the problem and a sentence about it, "" for a request that is
// allowed.
//
// Source: draft-ietf-httpapi-ratelimit-headers, section on problem types.
func (r *Response) Problem(cost int64) (kind, detail string) {
	const types = "https://iana.org/assignments/http-problem-types#"
	name := r.Answer.Policy.Name
	switch r.Status {
	case 400:
		return "about:blank", fmt.Sprintf("a cost of %d is more than a rule ever allows at once: it is refused whenever it comes", cost)
	case 429:
		return types + "quota-exceeded", fmt.Sprintf("the quota of %q is used up: come back in %d s", name, r.RetryAfter)
	case 503:
		return types + "temporary-reduced-capacity", fmt.Sprintf("there is no room for anybody: come back in %d s", r.RetryAfter)
	}
	return "", ""
}
