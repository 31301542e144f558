package record

import (
	"time"

	"fencepost/models/idempotency/key"
)

// Reference are the rules of the reference algorithm: one row, a lease, and the attempt as a
// fence. A second request of another content is refused even while the first is in progress.
//
// Source: S0 11.2, repaired.
func Reference() Rules {
	return Rules{Header: key.Structured(), Required: true, TTL: 24 * time.Hour, Lease: 10 * time.Second, MismatchCode: 422, Keep: KeepFinal}
}

// Draft are the rules of the draft of the IETF: a structured string, 400 where it is missing,
// 422 for another payload, 409 while the first is in progress; a completed one is answered
// again, success or error. It has no lease, and leaves the expiry to the server: a day here.
//
// Source: draft-ietf-httpapi-idempotency-key-header, sections 2.1, 2.6 and 2.7.
func Draft() Rules {
	return Rules{Header: key.Header{Least: 1}, Required: true, TTL: 24 * time.Hour, MismatchCode: 422}
}

// Stripe are Stripe's rules: the first answer is kept once the work has begun, 500 too, for a
// day and more; not that of a request that was refused before. Other parameters are an error
// of 400, a request in progress one of 409.
//
// Source: Stripe API reference, "Idempotent requests"; stripe-ruby issue 503 for the 400.
func Stripe() Rules {
	return Rules{Header: key.Stripe(), Methods: []string{"POST"}, TTL: 24 * time.Hour, MismatchCode: 400}
}

// Powertools are the rules of Powertools for AWS Lambda with payload validation: the lease of
// an attempt is the remaining time of the function; the put is conditional on there being no
// record, an expired one, or one in progress whose lease has passed; an exception deletes the
// record, whosever it is now. Ends are whole seconds and milliseconds, and over after them.
// The codes stand for its exceptions.
//
// Source: powertools-lambda-python, utilities/idempotency: base.py, persistence/base.py and
// persistence/dynamodb.py.
func Powertools() Rules {
	return Rules{Header: key.Header{Raw: true}, TTL: time.Hour, Renew: true, Remaining: true, After: true, TTLGrain: time.Second, LeaseGrain: time.Millisecond,
		MismatchCode: 422, AnyTakeover: true, Keep: KeepReturns, Unfenced: true}
}

// Hono are the rules of hono-idempotency: only answers of success are kept; what is in
// progress is a conflict until the record expires, whatever the request.
//
// Source: hono-idempotency, src/middleware.ts and src/stores/memory.ts.
func Hono() Rules {
	return Rules{Header: key.Header{Raw: true, Most: 256}, Methods: []string{"POST", "PATCH"}, TTL: 24 * time.Hour, MismatchCode: 422,
		ProgressFirst: true, RetryAfter: time.Second, Keep: KeepSuccess, Unfenced: true}
}
