package retry

// Throttling stops the retries of one client while too many of its calls fail: each
// failure takes a token, each success returns a part of one, and there are retries only
// while more than half of the tokens are left.
//
// Source: gRFC A6, "gRPC retry design", throttling retry attempts and hedged RPCs.
type Throttling struct {
	Tokens int // 1 to 1000: the most, and what it begins with
	Ratio  int // for a success, in thousandths of a token: 1 and up

	spent int // thousandths of a token
}

// GRPC is the example of the source: 10 tokens, a tenth for a success.
func GRPC() Throttling { return Throttling{Tokens: 10, Ratio: 100} }

// Left is how many thousandths of a token there are.
func (t *Throttling) Left() int { return 1000*t.Tokens - t.spent }

// Failed takes a token.
func (t *Throttling) Failed() { t.spent = min(1000*t.Tokens, t.spent+1000) }

// Succeeded returns a part of one.
func (t *Throttling) Succeeded() { t.spent = max(0, t.spent-t.Ratio) }

// Allows reports whether a call may be repeated now.
func (t *Throttling) Allows() bool { return 2*t.Left() > 1000*t.Tokens }
