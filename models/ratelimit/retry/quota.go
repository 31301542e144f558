package retry

// Quota is a bucket of tokens that the retries of one client pay from, whatever
// operation they belong to. It never runs dry while retries help, and soon does when
// they do not: of a service that is down each client asks 100 times more, and then only
// as often as it has something new to ask.
//
// Source: AWS SDKs, retry mode standard before 2026: 500 tokens, 5 for a retry, 10
// after a timeout; a call that succeeds at first returns 1, a retry that succeeds
// returns what it cost.
type Quota struct {
	Tokens  int // the bucket, 1 and up
	Cost    int // of a retry, 0 and up
	Timeout int // of a retry after a timeout
	Refund  int // for a success at first

	used int
}

// AWS is the quota of the AWS SDKs.
func AWS() Quota { return Quota{Tokens: 500, Cost: 5, Timeout: 10, Refund: 1} }

// Left is how many tokens there are.
func (q *Quota) Left() int { return q.Tokens - q.used }

// Take pays for a retry and returns its price; ok is false, and nothing paid, if there
// are not enough tokens.
func (q *Quota) Take(timeout bool) (price int, ok bool) {
	price = q.Cost
	if timeout {
		price = q.Timeout
	}
	if q.Left() < price {
		return 0, false
	}
	q.used += price
	return price, true
}

// Succeeded returns tokens after a call that had this price, 0 for a first call.
func (q *Quota) Succeeded(price int) {
	if price == 0 {
		price = q.Refund
	}
	q.used = max(0, q.used-price)
}
