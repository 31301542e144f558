package fleet

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// The measures of a fleet, in the order in which they are declared. After them come
// the admitted and rejected of each client.
const (
	asked = iota
	admittedTotal
	rejectedTotal
	worstWindow     // of any key, over true time
	falseAdmissions // against the exact log
	falseRejections
	addedLatency // from asking to being answered, where the request is admitted
	waitForTurn  // in a queue
	storeOps     // messages that ask a store, a coordinator or a region
	jainIndex    // of what the clients were admitted, in parts per thousand
	leaseGrants  // of tokens
	stranded     // tokens of leases that were over
	fellBack     // requests that a limiter decided without the store
	highestCount // of a counter in the store, or of the members that a log has got
	limiterJain  // of the decisions of each limiter, in parts per thousand
	storeJain    // of the operations of each shard, in parts per thousand
	admittedPart // of what is asked, in parts per ten thousand
	tooLate      // answers that admit, after the client has stopped waiting
	dropped      // out of a line
	movedKeys    // have another limiter after a change
	keyBytes     // that a store has kept of a key, at most
	storeKeys    // that a store has been asked for
	redisBytes   // that a Redis takes for those
	perClient
)

// redisKeyBytes are what a key takes in a Redis, with a name of 34 bytes and a TTL: a
// counter, a string, a hash of two fields.
//
// Source: measured on Redis 7.0.15, see package capacity.
var redisKeyBytes = map[string]int64{"fixed-window": 136, "anchored-window": 136, "gcra": 149, "token-bucket": 181}

// meter records what a limit admits, what it costs, and what its failures cost.
type meter struct {
	layout   Layout
	windows  windows
	log      exactLog
	worst    int64
	highest  int64  // count of a store; -1: there is none
	bytes    int64  // that a store keeps of a key; 0: nothing yet
	known    []bool // keys that the store has been asked for
	keys     int64  // how many they are
	admitted []int64
	decided  []int64 // by limiter
	shards   []int64 // operations by shard
	asked    questions
}

func newMeter(l Layout) *meter { return &meter{layout: l} }

func (m *meter) measures() []sim.Measure {
	list := []sim.Measure{
		asked:           {Name: "asked", Total: true},
		admittedTotal:   {Name: "admitted", Total: true},
		rejectedTotal:   {Name: "rejected", Total: true},
		worstWindow:     {Name: "worst-window"},
		falseAdmissions: {Name: "admitted-unlike-exact-log", Total: true},
		falseRejections: {Name: "rejected-unlike-exact-log", Total: true},
		addedLatency:    {Name: "added-latency", Unit: sim.Duration},
		waitForTurn:     {Name: "wait-for-turn", Unit: sim.Duration},
		storeOps:        {Name: "store-operations", Total: true},
		jainIndex:       {Name: "jain-index", Most: 1000},
		leaseGrants:     {Name: "lease-grants", Total: true},
		stranded:        {Name: "stranded", Total: true},
		fellBack:        {Name: "fell-back", Total: true},
		highestCount:    {Name: "highest-count"},
		limiterJain:     {Name: "limiter-jain-index", Most: 1000},
		storeJain:       {Name: "store-jain-index", Most: 1000},
		admittedPart:    {Name: "admitted-per-10000-asked", Per: "asked", Most: 10_000},
		tooLate:         {Name: "too-late", Total: true},
		dropped:         {Name: "dropped", Total: true},
		movedKeys:       {Name: "moved-keys", Total: true},
		keyBytes:        {Name: "key-bytes"},
		storeKeys:       {Name: "store-keys"},
		redisBytes:      {Name: "redis-bytes"},
	}
	for c := 1; c <= m.layout.Clients; c++ {
		list = append(list,
			sim.Measure{Name: fmt.Sprintf("client-%d-admitted", c), Total: true},
			sim.Measure{Name: fmt.Sprintf("client-%d-rejected", c), Total: true})
	}
	return list
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	m.windows.reset(m.layout.Keys, m.layout.Window)
	m.log.reset(m.layout)
	m.worst, m.highest, m.bytes, m.keys = 0, -1, 0, 0
	if m.layout.KeyBytes > 0 {
		m.known = resized(m.known, m.layout.Keys+1)
	}
	m.admitted = resized(m.admitted, m.layout.Clients)
	m.decided = resized(m.decided, m.layout.Limiters)
	m.shards = resized(m.shards, m.layout.Shards)
	m.asked.reset(m.layout.Clients)
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	e := &o.Msg
	first := perClient + 2*int(clientOf(e.ID)-1)
	switch e.Kind {
	case StoreOp:
		v.Record(storeOps, 1)
		m.highest = max(m.highest, e.X)
		m.bytes = max(m.bytes, m.layout.KeyBytes)
		if m.known != nil && !m.known[e.Key] {
			m.known[e.Key] = true
			m.keys++
		}
	case Grown:
		m.bytes = max(m.bytes, ratelimit.SlidingLogBytes(e.X))
	case FellBack:
		v.Record(fellBack, 1)
	case Asked:
		v.Record(asked, 1)
		m.asked.ask(e.ID, v.Now(), sim.NodeID(e.X))
	case Answered:
		q := m.asked.of(e.ID)
		if q.asked >= 0 && e.OK {
			v.RecordDuration(addedLatency, v.Now().Sub(q.asked))
			if e.Y > 0 && v.Now().Sub(q.asked) > time.Duration(e.Y) {
				v.Record(tooLate, 1)
			}
		}
		q.asked = answered
	case Admitted:
		v.Record(admittedTotal, 1)
		v.Record(admittedPart, 10_000)
		v.Record(first, 1)
		m.admitted[clientOf(e.ID)-1] += int64(e.Cost)
		if m.layout.Service > 0 {
			v.RecordDuration(waitForTurn, time.Duration(e.X))
		}
		m.decidedBy(o.Node)
		m.worst = max(m.worst, m.windows[e.Key].Admit(v.Now(), int64(e.Cost)))
		if m.layout.Dimensions == nil && !m.log.decide(v.Now(), e) {
			v.Record(falseAdmissions, 1)
		}
	case Rejected:
		v.Record(rejectedTotal, 1)
		v.Record(first+1, 1)
		m.decidedBy(o.Node)
		if m.layout.Dimensions == nil && m.log.decide(v.Now(), e) {
			v.Record(falseRejections, 1)
		}
	case ShardOp:
		v.Record(storeOps, 1)
		m.asksOf(o.Node)
	case Dropped:
		v.Record(dropped, 1)
	case Moved:
		v.Record(movedKeys, e.X)
	case Counted, Heard:
		v.Record(storeOps, 1)
	case Leased:
		v.Record(storeOps, 1)
		if e.X > 0 && !e.OK {
			v.Record(leaseGrants, 1)
		}
	case Lapsed:
		v.Record(stranded, e.X)
	}
}

// asksOf counts what each shard is asked.
func (m *meter) asksOf(node sim.NodeID) {
	if i := m.layout.shard(node); i >= 0 && i < len(m.shards) {
		m.shards[i]++
	}
}

// decidedBy counts what each limiter decides.
func (m *meter) decidedBy(node sim.NodeID) {
	if i := int(node - m.layout.First); i >= 0 && i < len(m.decided) {
		m.decided[i]++
	}
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	v.Record(worstWindow, m.worst)
	if m.highest >= 0 {
		v.Record(highestCount, m.highest)
	}
	if m.bytes > 0 {
		v.Record(keyBytes, m.bytes)
	}
	if m.keys > 0 {
		v.Record(storeKeys, m.keys)
		if m.layout.RedisBytes > 0 {
			v.Record(redisBytes, m.keys*m.layout.RedisBytes)
		}
	}
	recordJain(v, jainIndex, m.admitted)
	recordJain(v, limiterJain, m.decided)
	recordJain(v, storeJain, m.shards)
}

// recordJain records how evenly something was shared, if it was, by two or more.
func recordJain(v *sim.View[Msg], measure int, shares []int64) {
	if len(shares) > 1 && slices.Max(shares) > 0 {
		v.Record(measure, int64(1000*judge.Jain(shares)))
	}
}
