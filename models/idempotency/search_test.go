package idempotency

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flows"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// situation is what a search of a flow begins with, and how long its faults last.
type situation struct {
	set         func(*Params)
	until       int64 // ms
	pause, down time.Duration
	asked       []string // properties, if not all
}

var (
	// same is two clients that send one intent.
	same = situation{func(p *Params) {
		small(p)
		p.LockTTL = ptr(300 * ms)
	}, 5000, 400 * ms, 100 * ms, nil}
	// apart is two clients of one tenant, each with an intent.
	apart = situation{func(p *Params) {
		small(p)
		p.Intent, p.Key, p.Tenant = []int{1, 2}, []int{1, 2}, []int{1}
		p.Amount, p.Start = []int{80, 60}, []time.Duration{0, 15 * ms}
	}, 5000, 400 * ms, 100 * ms, nil}
	// unkeyed is the same, and only the account is checked.
	unkeyed = situation{apart.set, apart.until, apart.pause, apart.down, []string{"conserved", "at-most-once", "acknowledged-is-durable", "no-phantom"}}
	// events is a client that sends one event to two consumers.
	events = situation{func(p *Params) {
		small(p)
		p.Clients, p.Servers, p.Intent, p.Key, p.Consumers, p.Redelivery = 1, 1, nil, nil, ptr(2), 200*ms
	}, 2000, 400 * ms, 100 * ms, nil}
	// outboxes is two orders, whose clients ask once, and a relay.
	outboxes = situation{func(p *Params) {
		small(p)
		p.Intent, p.Key, p.Attempts = []int{1, 2}, []int{1, 2}, []int{1}
		p.Timeout, p.StatementTimeout, p.CallTimeout = []time.Duration{time.Second}, 500*ms, 500*ms
		p.Bounds.Within = ptr(time.Second) // the time in which an order must be published
	}, 1600, 75 * ms, 100 * ms, []string{"exactly-once-fold"}}
	// expired is a client that asks again when the order has been removed.
	expired = situation{func(p *Params) {
		small(p)
		p.Clients, p.TTL, p.Clicks, p.Between = 1, ptr(100*ms), []int{2}, []time.Duration{2 * time.Second}
		p.Bounds.Within = ptr(10 * time.Second)
	}, 6000, 400 * ms, 100 * ms, nil}
	// resumed is a client whose request may be resumed after 91 s.
	resumed = situation{func(p *Params) {
		small(p)
		p.Clients, p.Lease, p.Timeout, p.Backoff = 1, ptr(90*time.Second), []time.Duration{60 * time.Second}, []sim.Dist{sim.Constant(31 * time.Second)}
		p.Bounds.Within = ptr(10 * time.Minute)
	}, 300_000, 95 * time.Second, 100 * ms, nil}
	// forgotten is the same with a provider that keeps keys for 60 s.
	forgotten = situation{func(p *Params) {
		resumed.set(p)
		p.ProviderTTL = ptr(60 * time.Second)
	}, 300_000, 95 * time.Second, 100 * ms, nil}
)

// searches are what each flow that ships does if two clients use it, of two servers, and there
// is at most one crash at any effect boundary, one pause, or one lost message: the property that
// it violates, or none.
var searches = []struct {
	situation
	violated string
	flows    []string
}{
	{same, "", []string{"reference", "reference-wait", "reference-one-transaction", "reference-with-balance", "reference-with-reaper",
		"cache-lock-database", "strategy-3-repaired", "partial-failure-repaired", "retry-loop-repaired", "on-conflict"}},
	// These answer some client with an error; with its retry all is well.
	{same, "", []string{"check-then-insert", "retry-loop-as-written"}},
	{same, "at-most-once", []string{"lookup-process-store", "lookup-for-update", "check-then-insert-no-unique", "strategy-1", "strategy-3-no-unique",
		"ttl-cache-only", "delete-in-error-path", "powertools", "partial-failure-no-transaction"}},
	{same, "same-answer", []string{"strategy-2-repaired", "strategy-2-on-conflict", "strategy-2-upsert", "strategy-3-as-written"}},
	{same, "progress", []string{"ietf-draft", "stripe", "remaining-time-zero", "strategy-2-as-written", "partial-failure-as-written"}},
	{same, "conserved", []string{"partial-failure-row-ignored"}},
	{apart, "", []string{"set-versioned", "versioned-update-repaired"}},
	{unkeyed, "", []string{"spend-for-update"}},
	{apart, "told", []string{"spend-for-update"}}, // without a key, who asks again after a crash is told that the money is gone
	{apart, "conserved", []string{"spend-plain"}},
	{apart, "exactly-once-fold", []string{"add", "set-after-read", "versioned-update-as-written"}},
	{apart, "acknowledged-is-durable", []string{"versioned-update-as-written"}},
	{apart, "monotone-recovery", []string{"set"}},
	{events, "", []string{"consumer-atomic"}},
	{events, "exactly-once-fold", []string{"consumer-effect-then-mark", "consumer-mark-then-effect", "inbox-two-transactions"}},
	{outboxes, "", []string{"outbox-by-ids", "outbox-skip-locked", "outbox-commit-order", "outbox-delete-to-last-repeatable-read"}},
	{outboxes, "exactly-once-fold", []string{"outbox-delete-to-last", "outbox-watermark", "outbox-delete-then-send"}},
	{expired, "same-answer", []string{"key-kept-resource-deleted", "key-and-resource-deleted"}},
	{resumed, "", []string{"recovery-points-fenced"}},
	{resumed, "at-most-once", []string{"recovery-points"}},
	{forgotten, "", []string{"external-lookup-first"}},
	{forgotten, "at-most-once", []string{"recovery-points-fenced"}},
}

// Every schedule of each flow is tried. One that is right is exhausted without a violation;
// of any other the failure is found that it is known for.
func TestEveryFlowInEverySchedule(t *testing.T) {
	known := map[string]bool{}
	for _, s := range searches {
		for _, name := range s.flows {
			known[name] = true
			t.Run(name+"/"+s.violated, func(t *testing.T) {
				if s.violated == "" {
					s.exhausts(t, name)
					return
				}
				for _, b := range faults {
					if r := s.search(t, name, b, s.violated); r.Found != nil {
						t.Logf("%s: found in run %d", b.name, r.Runs)
						return
					}
				}
				t.Errorf("%s is not violated", s.violated)
			})
		}
	}
	assert.Len(t, known, len(flows.Names()), "each flow is searched")
}

// fault is how much may go wrong.
type fault struct {
	name                  string
	pauses, crashes, lost int
}

// faults are what may go wrong: one of these.
var faults = []fault{{"no fault", 0, 0, 0}, {"a crash", 0, 1, 0}, {"a pause", 1, 0, 0}, {"a lost message", 0, 0, 1}}

func (s *situation) exhausts(t *testing.T, name string) {
	for _, b := range faults[1:] {
		r := s.search(t, name, b, s.asked...)
		require.Nil(t, r.Found, b.name)
		require.True(t, r.Exhausted, r.Bound)
		t.Logf("%s: %d schedules, %d states", b.name, r.Runs, r.States)
	}
}

// search tries every schedule of a flow with at most one fault of a kind, until one of some
// properties is violated; without any, all of them.
func (s *situation) search(t *testing.T, name string, b fault, properties ...string) *explore.Report {
	t.Helper()
	c := sim.Config{Until: modeltest.At(s.until), Minimal: true}
	p := sim.NewProgram(system(t, "", shipped(name, s.set)))
	simtest.Delay(5*ms)(&c, &p)
	budget := within(b.pauses, b.crashes, b.lost)
	budget.PauseFor.List, budget.DownFor.List = []time.Duration{s.pause}, []time.Duration{s.down}
	search := explore.Search{Program: p, Config: c, Budget: budget, Mode: explore.Exhaustive}
	for i, known := range p.Properties {
		if slices.Contains(properties, known) {
			search.Targets = append(search.Targets, i)
		}
	}
	r, err := explore.Find(context.Background(), search)
	require.NoError(t, err)
	return r
}
