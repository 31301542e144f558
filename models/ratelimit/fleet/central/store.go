package central

import (
	"math"
	"strconv"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/internal/values"
	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Store is a Redis with what all limiters share: counters, logs, or the states of
// another algorithm. One that has a replica tells it of each change, without waiting.
//
// Source: Redis documentation; what a script does when a command fails was seen on
// Redis 7.0.15.
type Store struct {
	Rule   StoreRule
	Others core.Phase // when another user of the store writes keys, each a new one

	Replica  sim.NodeID // none, or who is told of each change
	Limiters sim.NodeID // the first of those who are told of a promotion
	Count    int        // of them
	Promote  bool       // the replica becomes the store
	After    time.Duration

	Db      redis.DB[keyName]
	states  core.Keys // of algorithms that are no counters and no logs
	records []record  // by key less 1
	forgot  bool      // it has restarted and has not been sent the script since
	rounds  int
	longest int    // log that there has been, in members
	written uint64 // by others
}

// StoreRule is what the store does with a key.
type StoreRule struct {
	Keep   Kept
	Limit  int64
	Window time.Duration
	TTL    time.Duration // that a key gets

	Named       bool   // the key's name has the number of the window in it
	LocalClock  bool   // window, score and now are by the clock of the limiter
	ByTimestamp bool   // the member of a log is the millisecond, not the request
	Dedup       bool   // a call that comes again is not counted again
	Multi       bool   // in place of the script: MULTI { SET NX; INCR }
	Source      bool   // in place of the script: that of S2
	Argument    string // its ttl, as it is written
}

// Kept is what the store keeps of a key.
type Kept uint8

// A counter with an expiry; a sorted set; a record of a window; the state of whatever
// algorithm it is.
const (
	Counters Kept = iota
	Logs
	Records
	States
)

// keyName is the name of a key: of a limit, of a call, or of another user of the store.
type keyName struct {
	space  uint8
	key    uint64
	window int64 // if the name has it
}

const (
	limits uint8 = iota
	dedups
	others
)

// Reset implements [sim.Resetter].
func (s *Store) Reset(initial *Store) {
	db, states, records := s.Db, s.states, s.records
	*s = *initial
	s.Db = db
	s.Db.CopyFrom(&initial.Db)
	s.states = core.CopyKeys(states, initial.states)
	if records == nil {
		records = make([]record, 0, len(initial.records))
	}
	s.records = append(records[:0], initial.records...)
}

// Recover implements [sim.Recoverer]: nothing is on disk, scripts included. Observers
// can tell the counters that were there from those to come.
func (s *Store) Recover(before *Store) {
	s.forgot = true
	s.Db.Continue(&before.Db)
}

// Step implements [sim.Node].
func (s *Store) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch m := in.Msg; m.Kind {
	case message.Start:
		if values.Or(s.Others.Count, 1) > 0 {
			out.After(s.Others.At, message.Msg{Kind: message.Write})
		}
		if s.Promote {
			out.After(s.After, message.Msg{Kind: message.Promote})
		}
	case message.Write:
		s.write(in, out)
	case message.Promote:
		out.Note(message.Msg{Kind: message.TakenOver})
		for i := range s.Count {
			out.Send(s.Limiters+sim.NodeID(i), message.Msg{Kind: message.Promoted})
		}
	case message.Replicate:
		s.replicated(in.Wall, m)
		s.noteEvicted(out)
	case message.Eval:
		s.eval(in, out)
	case message.Get, message.Set, message.Incr, message.Expire, message.ZCard, message.ZAdd:
		s.command(in, out)
	default:
		panic("fleet: a store got " + m.String())
	}
}

// write writes a key of another user of the store.
func (s *Store) write(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	for range values.Or(s.Others.Burst, 1) {
		s.written++
		_ = s.Db.Set(in.Wall, keyName{others, s.written, 0}, 1) // full: his problem
		s.noteEvicted(out)
	}
	s.rounds++
	if s.rounds < values.Or(s.Others.Count, 1) {
		out.AfterDraw(s.Others.Every, message.Msg{Kind: message.Write})
	}
}

// reading is the clock that decides: the store's or the limiter's.
func (s *Store) reading(in *sim.In[message.Msg]) int64 {
	if s.Rule.LocalClock {
		return in.Msg.Reading()
	}
	return int64(in.Wall)
}

// Name is the key of a request's limit.
func (s *Store) Name(in *sim.In[message.Msg]) keyName {
	n := keyName{limits, in.Msg.Key, 0}
	if s.Rule.Named {
		n.window = s.Rule.windowOf(s.reading(in))
	}
	return n
}

// windowOf is the number of the window of a reading.
func (r *StoreRule) windowOf(reading int64) int64 {
	n := reading / int64(r.Window)
	if reading%int64(r.Window) < 0 {
		n--
	}
	return n
}

// untilNext is how long it is until the next window begins.
func (r *StoreRule) untilNext(reading int64) time.Duration {
	return time.Duration((r.windowOf(reading)+1)*int64(r.Window) - reading)
}

// command is one command of a limiter that needs several.
func (s *Store) command(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m, name := in.Msg, s.Name(&in)
	var value int64
	var err error
	switch m.Kind {
	case message.Get:
		value, _, err = s.Db.Get(in.Wall, name)
	case message.Set:
		value, err = m.SetTo(), s.Db.SetKeepTTL(in.Wall, name, m.SetTo(), s.Rule.TTL)
	case message.Incr:
		value, err = s.Db.IncrBy(in.Wall, name, int64(m.Cost))
	case message.Expire:
		if m.OK && s.Db.PTTL(in.Wall, name) >= 0 {
			break
		}
		s.Db.PExpire(in.Wall, name, s.Rule.TTL)
	case message.ZCard:
		_, err = s.Db.ZRemRangeByScore(in.Wall, name, redis.Bound{Score: math.Inf(-1)}, redis.Bound{Score: s.score(&in, s.Rule.Window)})
		n, _ := s.Db.ZCard(in.Wall, name)
		value = int64(n)
	case message.ZAdd:
		var added bool
		if added, err = s.Db.ZAdd(in.Wall, name, s.score(&in, 0), s.member(&in)); added {
			value = 1
		}
		s.Db.PExpire(in.Wall, name, s.Rule.TTL)
	}
	e := s.done(in, out, name)
	switch {
	case m.Kind == message.Expire: // the limiter does not wait for it
	case err != nil:
		s.failed(in, out, err)
	default:
		out.Send(in.From, message.NewStoreReply(m, e.Life, value, ttl(e, in.Wall)))
	}
}

// score is what the clock that decides read this long ago, in microseconds.
func (s *Store) score(in *sim.In[message.Msg], ago time.Duration) float64 {
	return float64((s.reading(in) - int64(ago)) / 1000)
}

func (s *Store) member(in *sim.In[message.Msg]) uint64 {
	if s.Rule.ByTimestamp {
		return uint64(s.reading(in) / 1e6)
	}
	return in.Msg.Call()
}

// eval is a script: one atomic step.
func (s *Store) eval(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	if s.forgot = s.forgot && !m.OK; s.forgot {
		s.failed(in, out, redis.NoScript)
		return
	}
	name := s.Name(&in)
	var d ratelimit.Decision
	var err error
	switch s.Rule.Keep {
	case Counters:
		d, err = s.count(&in, name)
	case Logs:
		d, err = s.log(&in, name)
	case Records:
		d = s.records[m.Key-1].take(ratelimit.Reading(s.reading(&in)), int64(m.Cost), s.Rule.Limit, ratelimit.Reading(s.Rule.Window))
	case States:
		d = s.states.Take(m.Key, ratelimit.Reading(s.reading(&in)), int64(m.Cost))
	}
	e := s.done(in, out, name)
	if err != nil {
		s.failed(in, out, err)
		return
	}
	out.Send(in.From, message.NewStoreAnswer(m, e.Life, d.Allowed, d.Wait, d.Remaining))
}

// count is the script of a counter.
func (s *Store) count(in *sim.In[message.Msg], name keyName) (d ratelimit.Decision, err error) {
	m, r := &in.Msg, &s.Rule
	if r.Source {
		d.Allowed, err = s.Db.SourceCount(in.Wall, name, strconv.FormatInt(r.Limit, 10), r.Argument)
	} else {
		var count int64
		count, err = s.countOnce(in, name)
		d.Allowed, d.Remaining = count <= r.Limit, max(0, r.Limit-count)
		if int64(m.Cost) > r.Limit {
			d.Wait = ratelimit.Never
			return d, err
		}
	}
	if !d.Allowed {
		d.Wait = s.wait(in, name)
	}
	return d, err
}

// countOnce counts a call, unless it has been counted and calls have names here.
func (s *Store) countOnce(in *sim.In[message.Msg], name keyName) (int64, error) {
	call := keyName{dedups, in.Msg.Call(), 0}
	if s.Rule.Dedup {
		if before, ok, _ := s.Db.Get(in.Wall, call); ok {
			return before, nil
		}
	}
	if s.Rule.Multi {
		_, count, err := s.Db.SetNXIncr(in.Wall, in.Wall, name, int64(in.Msg.Cost), s.Rule.TTL, true)
		return count, err
	}
	count, err := s.Db.Count(in.Wall, name, int64(in.Msg.Cost), s.Rule.TTL)
	if err == nil && s.Rule.Dedup {
		err = s.Db.SetPX(in.Wall, call, count, s.Rule.Window)
	}
	return count, err
}

// wait is how long until a counter begins anew.
func (s *Store) wait(in *sim.In[message.Msg], name keyName) time.Duration {
	if s.Rule.Named {
		return s.Rule.untilNext(s.reading(in))
	}
	if e, ok := s.Db.Entry(in.Wall, name); ok && e.Expires {
		return e.GoneAt().Sub(in.Wall)
	}
	return ratelimit.Never
}

// log is the script of a log.
func (s *Store) log(in *sim.In[message.Msg], name keyName) (d ratelimit.Decision, err error) {
	limit := int(s.Rule.Limit)
	d.Allowed, err = s.Db.Log(in.Wall, name, limit, s.score(in, 0), s.score(in, s.Rule.Window), s.member(in), s.Rule.TTL)
	if n, _ := s.Db.ZCard(in.Wall, name); d.Allowed {
		d.Remaining = int64(max(0, limit-n))
	} else if oldest, ok := s.Db.ZLowest(in.Wall, name, 0); ok {
		d.Wait = time.Duration(int64(oldest)*1000 + int64(s.Rule.Window) - s.reading(in))
	}
	return d, err
}

func (s *Store) failed(in sim.In[message.Msg], out *sim.Out[message.Msg], err error) {
	code, _ := err.(redis.Error)
	out.Send(in.From, message.NewStoreError(in.Msg, code))
}

// done tells the observers of an operation, and the replica of what it changed.
func (s *Store) done(in sim.In[message.Msg], out *sim.Out[message.Msg], name keyName) redis.Entry {
	m := &in.Msg
	s.noteEvicted(out)
	s.noteGrown(in, out, name)
	e, ok := s.Db.Entry(in.Wall, name)
	out.Note(message.NewStoreOp(*m, ok, e, ttl(e, in.Wall)))
	if s.Replica != sim.None && m.Kind != message.Get && m.Kind != message.ZCard {
		out.Send(s.Replica, message.NewReplicate(m.Key, name.window, ok, e))
	}
	return e
}

// noteGrown tells of a log that is longer than any has been.
func (s *Store) noteGrown(in sim.In[message.Msg], out *sim.Out[message.Msg], name keyName) {
	if s.Rule.Keep != Logs {
		return
	}
	if n, _ := s.Db.ZCard(in.Wall, name); n > s.longest {
		s.longest = n
		out.Note(message.NewGrown(in.Msg.Key, n))
	}
}

func (s *Store) noteEvicted(out *sim.Out[message.Msg]) {
	for _, e := range s.Db.TakeEvicted() {
		if e.Name.space == limits {
			out.Note(message.NewEvicted(e.Name.key, e.Life))
		}
	}
}

// ttl is how long it is until a key is gone, -1 if it stays.
func ttl(e redis.Entry, now sim.Wall) int64 {
	if !e.Expires {
		return -1
	}
	return int64(e.GoneAt().Sub(now))
}

// replicated is what the store has told its replica.
func (s *Store) replicated(now sim.Wall, m message.Msg) {
	name := keyName{limits, m.Key, int64(m.ID)}
	if !m.OK {
		s.Db.Del(now, name)
		return
	}
	s.Db.Load(now, name, m.Entry())
}
