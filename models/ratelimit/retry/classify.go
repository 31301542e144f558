package retry

// Action is what an answer asks of the client.
type Action uint8

// The actions.
const (
	Done   Action = iota // it was carried out
	Stop                 // it never will be: the same call fails again
	Resend               // it is under way: wait, then send the same key again
	Later                // it was not carried out: wait, then call again
	Unsure               // it may have been carried out: call again only if that is safe
)

// NoAnswer is the status of a call that timed out, or whose connection broke.
const NoAnswer = 0

// Classify says what a status means. 400, 401, 403, 404 and 422 are the client's own
// mistakes; 409 is the answer to a key that is in progress; 429 and 503 refuse before
// anything was done. No answer, and any other 5xx, leave open whether it was.
//
// Source: RFC 9110, sections 9.2.2 and 15; the Idempotency-Key draft of IETF httpapi.
func Classify(status int) Action {
	switch {
	case status >= 200 && status < 300:
		return Done
	case status == 409:
		return Resend
	case status == 429 || status == 503:
		return Later
	case status == NoAnswer || status >= 500 && status < 600:
		return Unsure
	}
	return Stop
}

// Operation is what it does if it is carried out twice.
type Operation uint8

// The operations.
const (
	Idempotent Operation = iota // the same as once
	Keyed                       // the same as once, since the server knows its key
	Plain                       // twice as much: it is charged again
)

// MayRepeat reports whether an operation may be sent again after such an answer.
func (o Operation) MayRepeat(a Action) bool {
	switch a {
	case Later:
		return true
	case Resend:
		return o == Keyed
	case Unsure:
		return o != Plain
	}
	return false
}
