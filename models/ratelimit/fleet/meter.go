package fleet

import (
	"fmt"
	"slices"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/fleet/properties"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model"
)

// redisKeyBytes are what a key takes in a Redis, with a name of 34 bytes and a TTL: a
// counter, a string, a hash of two fields.
//
// Source: measured on Redis 7.0.15, see package capacity.
var redisKeyBytes = map[string]int64{"fixed-window": 136, "anchored-window": 136, "gcra": 149, "token-bucket": 181}

// meter records what a limit admits, what it costs, and what its failures cost.
type meter struct {
	Asked           model.Measure `measure:"asked,counts=asked"`
	AdmittedTotal   model.Measure `measure:"admitted,counts=admitted"`
	RejectedTotal   model.Measure `measure:"rejected,counts=rejected"`
	WorstWindow     model.Measure `measure:"worst-window"`                    // of any key, over true time
	FalseAdmissions model.Measure `measure:"admitted-unlike-exact-log,total"` // against the exact log
	FalseRejections model.Measure `measure:"rejected-unlike-exact-log,total"`
	AddedLatency    model.Measure `measure:"added-latency,duration"`       // from asking to being answered, where the request is admitted
	WaitForTurn     model.Measure `measure:"wait-for-turn,duration"`       // in a queue
	StoreOps        model.Measure `measure:"store-operations,total"`       // messages that ask a store, a coordinator or a region
	JainIndex       model.Measure `measure:"jain-index,most=1000"`         // of what the clients were admitted, in parts per thousand
	LeaseGrants     model.Measure `measure:"lease-grants,total"`           // of tokens
	Stranded        model.Measure `measure:"stranded,total"`               // tokens of leases that were over
	FellBack        model.Measure `measure:"fell-back,counts=fell-back"`   // requests that a limiter decided without the store
	HighestCount    model.Measure `measure:"highest-count"`                // of a counter in the store, or of the members that a log has got
	LimiterJain     model.Measure `measure:"limiter-jain-index,most=1000"` // of the decisions of each limiter
	StoreJain       model.Measure `measure:"store-jain-index,most=1000"`   // of the operations of each shard
	AdmittedPart    model.Measure `measure:"admitted-per-10000-asked,per=asked,most=10000"`
	TooLate         model.Measure `measure:"too-late,total"`         // answers that admit, after the client has stopped waiting
	Dropped         model.Measure `measure:"dropped,counts=dropped"` // out of a line
	MovedKeys       model.Measure `measure:"moved-keys,total"`       // have another limiter after a change
	KeyBytes        model.Measure `measure:"key-bytes"`              // that a store has kept of a key, at most
	StoreKeys       model.Measure `measure:"store-keys"`             // that a store has been asked for
	RedisBytes      model.Measure `measure:"redis-bytes"`            // that a Redis takes for those

	FlushSize model.Measure `measure:"commands-per-flush"`              // that a store with a pipeline reads at once
	StoreBusy model.Measure `measure:"store-busy-per-10000,most=10000"` // of the time, that such a store works

	Clients []clientMeasures

	Layout   core.Layout
	Windows  measure.Windows
	Log      properties.ExactLog
	Worst    int64
	Highest  int64  // count of a store; -1: there is none
	Bytes    int64  // that a store keeps of a key; 0: nothing yet
	Known    []bool // keys that the store has been asked for
	Keys     int64  // how many they are
	Admitted []int64
	Decided  []int64 // by limiter
	Shards   []int64 // operations by shard
	Since    core.Questions
	Busy     time.Duration // of a store with a pipeline
}

// clientMeasures are those of one client.
type clientMeasures struct{ admitted, rejected model.Measure }

// addMeter adds the measures of a fleet, and after them those of each client.
func addMeter(s *sim.System[message.Msg], l core.Layout) {
	m := &meter{Layout: l, Highest: -1, Clients: make([]clientMeasures, l.Clients)}
	model.AddMeter(s, m)
	for i := range m.Clients {
		m.Clients[i].admitted = model.Declare(s, sim.Measure{Name: fmt.Sprintf("client-%d-admitted", i+1), Total: true})
		m.Clients[i].rejected = model.Declare(s, sim.Measure{Name: fmt.Sprintf("client-%d-rejected", i+1), Total: true})
	}
}

// Begin implements [model.Recorder].
func (m *meter) Begin(*sim.View[message.Msg]) {
	m.Windows.Grow(m.Layout.Keys, m.Layout.Window)
	m.Log.Grow(&m.Layout)
	if m.Layout.KeyBytes > 0 {
		m.Known = core.Resized(m.Known, m.Layout.Keys+1)
	}
	m.Admitted = core.Resized(m.Admitted, m.Layout.Clients)
	m.Decided = core.Resized(m.Decided, m.Layout.Limiters)
	m.Shards = core.Resized(m.Shards, m.Layout.Shards)
	m.Since.Grow(m.Layout.Clients)
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[message.Msg], o *sim.Observation[message.Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch e := &o.Msg; e.Kind {
	case message.Asked:
		m.Since.Ask(e.ID, v.Now(), e.To())
	case message.Answered:
		m.answered(v, e)
	case message.Admitted, message.Rejected:
		m.decided(v, o.Node, e)
	case message.Moved:
		moved, _ := e.Moved()
		m.MovedKeys.Record(v, moved)
	case message.Grown:
		m.Bytes = max(m.Bytes, ratelimit.SlidingLogBytes(e.Count()))
	default:
		m.shared(v, o.Node, e)
	}
}

func (m *meter) answered(v *sim.View[message.Msg], e *message.Msg) {
	q := m.Since.Of(e.ID)
	if q.Asked >= 0 && e.OK {
		took := v.Now().Sub(q.Asked)
		m.AddedLatency.RecordDuration(v, took)
		if waits := e.AnsweredPatience(); waits > 0 && took > waits {
			m.TooLate.Record(v, 1)
		}
	}
	q.Asked = core.Over
}

// decided takes in a decision of a limiter.
func (m *meter) decided(v *sim.View[message.Msg], limiter sim.NodeID, e *message.Msg) {
	client := message.ClientOf(e.ID) - 1
	if i := int(limiter - m.Layout.First); i >= 0 && i < len(m.Decided) {
		m.Decided[i]++
	}
	exact := e.Kind == message.Admitted
	if m.Layout.Dimensions == nil {
		exact = m.Log.Decide(v.Now(), e)
	}
	if e.Kind == message.Rejected {
		m.Clients[client].rejected.Record(v, 1)
		if exact && m.Layout.Dimensions == nil {
			m.FalseRejections.Record(v, 1)
		}
		return
	}
	m.AdmittedPart.Record(v, 10_000)
	m.Clients[client].admitted.Record(v, 1)
	m.Admitted[client] += int64(e.Cost)
	if m.Layout.Service > 0 {
		m.WaitForTurn.RecordDuration(v, e.Wait())
	}
	m.Worst = max(m.Worst, m.Windows[e.Key].Admit(v.Now(), int64(e.Cost)))
	if !exact {
		m.FalseAdmissions.Record(v, 1)
	}
}

// shared takes in what a store does, a coordinator, a region, or a limiter with a lease.
func (m *meter) shared(v *sim.View[message.Msg], node sim.NodeID, e *message.Msg) {
	switch e.Kind {
	case message.StoreOp:
		m.StoreOps.Record(v, 1)
		m.Highest = max(m.Highest, e.Value())
		m.Bytes = max(m.Bytes, m.Layout.KeyBytes)
		if m.Known != nil && !m.Known[e.Key] {
			m.Known[e.Key] = true
			m.Keys++
		}
	case message.Flushed:
		m.FlushSize.Record(v, e.Commands())
		m.Busy += e.Wait()
	case message.ShardOp:
		m.StoreOps.Record(v, 1)
		if i := m.Layout.Shard(node); i >= 0 && i < len(m.Shards) {
			m.Shards[i]++
		}
	case message.Counted, message.Heard:
		m.StoreOps.Record(v, 1)
	case message.Leased:
		m.StoreOps.Record(v, 1)
		if e.Tokens() > 0 && !e.GrantedBefore() {
			m.LeaseGrants.Record(v, 1)
		}
	case message.Lapsed:
		m.Stranded.Record(v, e.Tokens())
	}
}

// End implements [model.Recorder].
func (m *meter) End(v *sim.View[message.Msg]) {
	m.WorstWindow.Record(v, m.Worst)
	if m.Highest >= 0 {
		m.HighestCount.Record(v, m.Highest)
	}
	if m.Bytes > 0 {
		m.KeyBytes.Record(v, m.Bytes)
	}
	if m.Keys > 0 {
		m.StoreKeys.Record(v, m.Keys)
		if m.Layout.RedisBytes > 0 {
			m.RedisBytes.Record(v, m.Keys*m.Layout.RedisBytes)
		}
	}
	if m.Busy > 0 {
		m.StoreBusy.Record(v, min(10_000, m.Busy.Microseconds()*10_000/max(1, int64(v.Now())/1000))) // the last read may go on
	}
	recordJain(v, m.JainIndex, m.Admitted)
	recordJain(v, m.LimiterJain, m.Decided)
	recordJain(v, m.StoreJain, m.Shards)
}

// recordJain records how evenly something was shared, if it was, by two or more.
func recordJain(v *sim.View[message.Msg], measure model.Measure, shares []int64) {
	if len(shares) > 1 && slices.Max(shares) > 0 {
		measure.Record(v, core.Jain(shares))
	}
}
