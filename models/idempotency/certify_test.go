package idempotency

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/idempotency/flows"
	"fencepost/sim"
	"fencepost/sim/certify"
)

// lockAlone is a lock in the cache, under which the flow looks for the order, and no constraint.
const lockAlone = `create table orders (id serial primary key, tenant int, amount int, intent int);
effect orders;

on request {
  cache set lock:key owner nx px lock_ttl -> ok;
  if not ok { answer 409; }
  note locked;
  cache get order:key -> order;
  if found { note replayed; answer 200, order; }
  work;
  insert into orders (tenant, amount, intent) values (:tenant, :amount, :intent) returning id -> order;
  note processed;
  cache set order:key order px ttl;
  note recorded;
  cache delif lock:key owner;
  answer 201, order;
}
`

// chargeAlone relies on the keys of the provider.
const chargeAlone = `on request { charge amount key key -> id, code; answer code, id; }`

// proof is a flow under every delay of a range, and pauses of some nodes.
type proof struct {
	name        string
	flow        string // the text, or the name of one
	set         func(*Params)
	least, most time.Duration // delay
	nodes       []sim.NodeID
	pause       time.Duration
}

func (c *proof) search(t testing.TB, property string) *certify.Search {
	text, ok := flows.Text(c.flow)
	if !ok {
		text = c.flow
	}
	program := sim.NewProgram(system(t, text, c.set))
	return &certify.Search{
		Program: program, Property: slices.Index(program.Properties, property),
		Config: sim.Config{Until: sim.Time(time.Minute), Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(c.least, c.most+1)}}},
		Faults: []certify.Fault{{Name: "pause", Nodes: c.nodes, Most: c.pause, Count: 1}},
		Limits: certify.Limits{States: 400_000},
	}
}

// late is two clients that want the same, the second after a time.
func late(after time.Duration) func(*Params) {
	return func(p *Params) {
		p.Clients, p.Tasks, p.Intent, p.Key, p.Start = 2, 2, []int{1}, []int{1}, []time.Duration{0, after}
		p.TTL, p.ProviderTTL = ptr(time.Second), ptr(time.Second)
	}
}

// impatient is a client of two servers that asks again and again.
func impatient(p *Params) {
	p.Servers, p.Tasks, p.Attempts = 2, 2, []int{12}
	p.Timeout, p.Backoff = []time.Duration{60 * ms}, []sim.Dist{sim.Uniform(20*ms, 60*ms+1)}
	p.LockTTL, p.Lease = ptr(300*ms), ptr(300*ms)
}

// What expires, the record, the provider's key, the lock in the cache or the lease of a record, is there for its TTL from
// when it was written, which is as many delays after the first request as it takes messages, at the earliest. The other
// request needs it as many delays after it was sent, or could be, and the pause, at the latest.
func TestTheLawOfEachExpiry(t *testing.T) {
	for i, c := range []struct {
		proof
		holds, from time.Duration
	}{
		// start + pause + 2 * delay.max < work + ttl + 6 * delay.min
		{proof{"record", "lookup-process-store", late(900 * ms), 0, 5 * ms, []sim.NodeID{2}, time.Second}, 100*ms - 1, 100 * ms},
		{proof{"record, any node", "lookup-process-store", late(900 * ms), ms, 5 * ms, []sim.NodeID{1, 2, 3, 4}, time.Second}, 106*ms - 1, 106 * ms},
		// start + pause + 2 * delay.max < provider-ttl + 2 * delay.min
		{proof{"key of the provider", chargeAlone, late(900 * ms), ms, 5 * ms, []sim.NodeID{2}, time.Second}, 92*ms - 1, 92 * ms},
		// pause + work + 5 * delay.max <= lease + delay.min: by the clocks of the servers, of which the first reads when
		// it has the request, and the second when it has another
		{proof{"lease of a record", "powertools", impatient, 0, 5 * ms, []sim.NodeID{2}, time.Second}, 265 * ms, 265*ms + 2},
		// pause + work + 6 * delay.max <= lock-ttl + 2 * delay.min
		{proof{"lock in the cache", lockAlone, impatient, ms, 5 * ms, []sim.NodeID{2}, time.Second}, 262 * ms, 262*ms + 2},
		// The lock does not help where the look comes before it: the second request looks at 80 ms, and has the lock two
		// delays later, when the first has stored its order and left. pause + work + 8 * delay.max < 80 ms + 2 * delay.min
		{proof{"lock of 300 ms after the look", lookBefore(t), impatient, 0, 5 * ms, []sim.NodeID{2}, time.Second}, 30*ms - 1, 30*ms + 1},
		{proof{"lock of 20 s after the look", lookBefore(t), func(p *Params) { impatient(p); p.LockTTL = ptr(20 * time.Second) }, 0, 5 * ms, []sim.NodeID{2}, time.Second}, 30*ms - 1, 30*ms + 1},
	} {
		if !whole.Takes(i, 3) {
			continue
		}
		s := c.search(t, "at-most-once")
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err, c.name)
		t.Logf("%s: holds up to %v, violated from %v, %d states", c.name, e.Holds, e.From, r.States)
		assert.Equal(t, c.holds, e.Holds, c.name)
		assert.Equal(t, c.from, e.From, c.name)
	}
}

// lookBefore is lockAlone whose look comes before its lock.
func lookBefore(t *testing.T) string {
	const look = "  cache get order:key -> order;\n  if found { note replayed; answer 200, order; }\n"
	return without(t, without(t, lockAlone, look, ""), "on request {\n", "on request {\n"+look)
}

// What a constraint or an attempt number decides holds for every pause.
func TestAConstraintHoldsForEveryPause(t *testing.T) {
	for _, name := range []string{"on-conflict", "reference-one-transaction", "strategy-3-repaired"} {
		c := proof{name, name, func(p *Params) { impatient(p); p.Attempts, p.MaxWait = []int{3}, ptr(50*ms) }, 0, 5 * ms, []sim.NodeID{2, 3}, 10 * time.Second}
		r, err := c.search(t, "at-most-once").Run(t.Context())
		require.NoError(t, err, name)
		assert.Equal(t, certify.Certified, r.Verdict, name)
		t.Logf("%s: %d states", name, r.States)
	}
}

// What cannot be expressed is refused, with its place and what to want.
func TestAFlowThatIsNotCoveredIsRefused(t *testing.T) {
	noBackoff := func(p *Params) { p.Attempts = []int{0} }
	for _, c := range []struct {
		flow string
		set  func(*Params)
		want string
	}{
		{"reference", usual, "api-1 cannot be driven with time as a symbol: line 34, column 9 of the flow subtracts a timestamp from another: want a duration"},
		{"outbox-by-ids", usual, "relay-1 cannot be driven with time as a symbol: its handler runs without end"},
		{"consumer-atomic", func(p *Params) { p.Intents = []int{0} }, "client-1 cannot be driven with time as a symbol: its intents have no end"},
		{"on-conflict", noBackoff, "its attempts have no end, and each has a number: want attempts of 1 or more"},
		{"on-conflict", func(p *Params) { p.KeyPer = "content-and-time" }, "its keys are made of what a clock reads: want another key-per"},
		{without(t, orders, "intent int,", "intent int, at timestamptz unique,") + "on request { answer 200; }", usual, ""},
		{without(t, orders, "intent int,", "intent int, at timestamptz unique,") + "on request { insert into orders (at) values (clock_timestamp()); answer 200; }", usual, "keeps an index of timestamps: want one without"},
		{without(t, orders, "intent int,", "intent int, at timestamptz,") + "on request { select id from orders order by at -> id; answer 200; }", usual, "sorts by a timestamp: want another column"},
		{without(t, orders, "intent int,", "intent int, at timestamptz,") + "on request { select id from orders where at = clock_timestamp() -> id; answer 200; }", usual, "compares timestamps by = or <>: want <, <=, > or >="},
	} {
		p := proof{flow: c.flow, set: c.set, most: ms}
		err := p.search(t, "at-most-once").Refusals()
		if c.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, c.want)
	}
}
