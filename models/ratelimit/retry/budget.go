package retry

import "fencepost/sim"

// BudgetKind is which budget the retries of one client have in common.
type BudgetKind uint8

// The budgets.
const (
	Unlimited   BudgetKind = iota
	QuotaBudget            // [Quota]
	GRPCBudget             // [Throttling]
	RatioBudget            // [Ratio]
)

// Budget bounds the retries of one client, over all its operations. The zero value does
// not.
type Budget struct {
	Kind       BudgetKind
	Quota      Quota
	Throttling Throttling
	Ratio      Ratio
}

// NewBudget is a budget of a kind, as its source has it.
func NewBudget(k BudgetKind) Budget {
	return Budget{Kind: k, Quota: AWS(), Throttling: GRPC(), Ratio: SRE()}
}

// Failed counts a call that failed and might be worth repeating.
func (b *Budget) Failed() {
	if b.Kind == GRPCBudget {
		b.Throttling.Failed()
	}
}

// Take asks for a retry, after a timeout or another failure, and pays for it: price is to
// be given to Succeeded.
func (b *Budget) Take(now sim.Mono, timeout bool) (price int, ok bool) {
	switch b.Kind {
	case QuotaBudget:
		return b.Quota.Take(timeout)
	case GRPCBudget:
		return 0, b.Throttling.Allows()
	case RatioBudget:
		if !b.Ratio.Allows(now) {
			return 0, false
		}
		b.Ratio.Called(now, true) // now, and not when it is sent: others decide meanwhile
	}
	return 0, true
}

// Called counts the first call of an operation.
func (b *Budget) Called(now sim.Mono) {
	if b.Kind == RatioBudget {
		b.Ratio.Called(now, false)
	}
}

// Succeeded counts a call that succeeded; price is what [Budget.Take] said, 0 for a first
// call.
func (b *Budget) Succeeded(price int) {
	switch b.Kind {
	case QuotaBudget:
		b.Quota.Succeeded(price)
	case GRPCBudget:
		b.Throttling.Succeeded()
	}
}
