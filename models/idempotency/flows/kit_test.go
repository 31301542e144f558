package flows_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flow"
	"fencepost/models/idempotency/flows"
	"fencepost/models/internal/postgres"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// world is what tasks of one flow talk to, without an engine: every action but work and
// sleep takes no time.
type world struct {
	t       *testing.T
	program *flow.Program
	db      postgres.DB
	now     sim.Wall
	runs    []*task
	cache   map[string]entry
	gets    int // of the cache
	charges map[sql.Value]charge
	made    int // charges
	sent    []flow.Action
}

type entry struct {
	value sql.Value
	until sim.Wall // 0: forever
}

type charge struct {
	id sql.Value
	at sim.Wall
}

// task is a run of a handler, with a session of its own.
type task struct {
	*world
	flow.Task
	session    int
	input      flow.Input
	work       time.Duration
	due        sim.Wall
	next       flow.Action // not yet carried out
	handler    flow.Handler
	started    bool
	asleep     bool // until due
	fails      bool // its next insert
	waits      bool // for the database
	wait       postgres.Result
	done       bool
	said       string // how it ended
	ended      sim.Wall
	statements []string
}

// at is a clock reading.
func at(d time.Duration) sim.Wall { return sim.Wall(d) }

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// parse is a shipped flow.
func parse(t *testing.T, name string) *flow.Program {
	t.Helper()
	text, ok := flows.Text(name)
	require.True(t, ok, name)
	p, err := flow.Parse(name, text)
	require.NoError(t, err)
	return p
}

func newWorld(t *testing.T, name string) *world {
	t.Helper()
	p := parse(t, name)
	return &world{t: t, program: p, db: postgres.NewDB(p.Schema, postgres.Options{Sessions: 16}),
		cache: map[string]entry{}, charges: map[sql.Value]charge{}}
}

// later is a handler that is started at an instant by [world.play].
func (w *world) later(d time.Duration, h flow.Handler, in flow.Input) *task {
	r := &task{world: w, session: len(w.runs), handler: h, input: in, due: at(d)}
	r.input.Owner = sql.Value(100 + r.session)
	w.runs = append(w.runs, r)
	return r
}

// start starts a handler now, and returns before its first action.
func (w *world) start(h flow.Handler, in flow.Input) *task {
	r := w.later(time.Duration(w.now), h, in)
	r.step()
	return r
}

// play runs all tasks, each step at its instant, until the world stands still.
func (w *world) play() {
	for {
		var first *task
		for _, r := range w.runs {
			if !r.done && (!r.waits || r.wait.Timeout > 0) && (first == nil || r.due.Before(first.due)) {
				first = r
			}
		}
		if first == nil {
			return
		}
		w.now = max(w.now, first.due)
		first.step()
	}
}

// request starts a request of tenant 1 with the amount 300.
func (w *world) request(key sql.Value) *task {
	return w.start(flow.Request, flow.Input{Tenant: 1, Key: key, Fingerprint: 10, Amount: 300, Intent: key, Attempt: 1})
}

func (w *world) event(event, amount sql.Value) *task {
	return w.start(flow.Event, flow.Input{Event: event, Amount: amount, Intent: event})
}

func (w *world) relay() *task { return w.start(flow.Every, flow.Input{}) }

// do runs a request to its end, and is its answer.
func (w *world) do(key sql.Value) string { return w.request(key).end() }

// advance hands a reply to the task.
func (r *task) advance(reply flow.Reply) {
	reply.Number = r.next.Number
	r.next = r.program.Next(&r.Task, reply, r.now)
	require.NotEqual(r.t, flow.None, r.next.Do)
	if r.next.Do.Ends() {
		r.done, r.ended, r.said = true, r.now, r.next.Do.String()
		if r.next.Do == flow.Answer {
			r.said = fmt.Sprint(r.next.Status)
			if r.next.HasValue {
				r.said += " " + show(r.next.Value)
			}
		}
	}
}

func show(v sql.Value) string {
	if v == sql.Null {
		return "null"
	}
	return fmt.Sprint(int64(v))
}

// until runs until the next action is of a kind and, if it is a query, begins with a text.
func (r *task) until(k flow.ActionKind, text string) *task {
	r.t.Helper()
	for !r.is(k, text) {
		require.False(r.t, r.done || r.waits, "%s is never reached", text)
		r.step()
	}
	return r
}

func (r *task) is(k flow.ActionKind, text string) bool {
	return !r.done && r.next.Do == k && (k != flow.Query || strings.HasPrefix(r.program.Statements[r.next.Statement].Text, text))
}

// end runs until the task has ended or waits for the database. Time passes as it says.
func (r *task) end() string {
	for !r.done && !r.waits {
		r.step()
	}
	if r.waits {
		return "waits"
	}
	return r.said
}

// crash is the loss of the server: its session is closed, its task is gone.
func (r *task) crash() {
	r.done, r.waits, r.said = true, false, "crashed"
	r.db.Disconnect(r.now, r.session)
	r.results()
}

// fail lets the task work for a time and then get an error of the database.
func (r *task) fail(work time.Duration) { r.work, r.fails = work, true }

// step carries out the next action. Of work and sleep this is two steps: the second is the
// end, to which time passes.
func (r *task) step() {
	r.world.now = max(r.world.now, r.due)
	a := r.next
	var reply flow.Reply
	switch {
	case !r.started:
		r.started = true
		r.program.Start(&r.Task, r.handler, r.input)
	case r.waits:
		r.db.LockTimeout(r.now, r.session, r.wait.Wait)
		r.results()
		return
	case r.asleep:
		r.asleep = false
	case r.fails && r.is(flow.Query, "insert"):
		r.fails = false
		reply.Code = sql.CheckViolation
	case a.Do == flow.Query:
		r.query(a)
		return
	case a.Do == flow.Work, a.Do == flow.Sleep:
		r.asleep, r.due = true, r.now.Add(a.Least)
		if a.Do == flow.Work {
			r.due = r.now.Add(r.work)
		}
		return
	default:
		reply = r.other(a)
	}
	r.due = r.now
	r.advance(reply)
}

// other is an action that takes no time.
func (r *task) other(a flow.Action) flow.Reply {
	switch a.Do {
	case flow.Fetch:
		var row postgres.Result
		reply := flow.Reply{Found: r.db.Fetch(r.session, &row)}
		copy(reply.Values[:], row.Row[:])
		return reply
	case flow.Charge, flow.Lookup:
		return r.provider(a)
	case flow.Publish:
		r.sent = append(r.sent, a)
	case flow.CacheGet, flow.CacheSet, flow.CacheDel, flow.CacheDelIf:
		return r.store(a)
	}
	return flow.Reply{}
}

func (r *task) query(a flow.Action) {
	s := &r.program.Statements[a.Statement]
	r.statements = append(r.statements, s.Text)
	var result postgres.Result
	if s.SQL == nil {
		result.Code = r.db.Refuse(r.now, r.session, s.Code)
	} else {
		r.db.Exec(r.now, r.session, s.SQL, a.Values[:a.N], &result)
	}
	r.take(&result)
	r.results()
}

// take is the result of a statement of the task.
func (r *task) take(result *postgres.Result) {
	r.due = r.now
	if r.waits, r.wait = result.Waits, *result; r.waits {
		r.due = r.now.Add(result.Timeout)
		return
	}
	reply := flow.Reply{Code: result.Code, Rows: result.Rows}
	copy(reply.Values[:], result.Row[:])
	if result.Columns > 0 {
		r.db.Fetch(r.session, &postgres.Result{}) // the first row is in the reply
	}
	r.advance(reply)
}

// results hands out the results of statements that have waited.
func (w *world) results() {
	var result postgres.Result
	for {
		session, ok := w.db.Next(&result)
		if !ok {
			return
		}
		w.runs[session].take(&result)
	}
}

// store is the cache.
func (r *task) store(a flow.Action) flow.Reply {
	key := fmt.Sprint(r.program.Words[a.Word], a.Values[:a.N])
	e, found := r.cache[key]
	if found && e.until != 0 && !r.now.Before(e.until) {
		delete(r.cache, key)
		found = false
	}
	switch a.Do {
	case flow.CacheGet:
		r.gets++
	case flow.CacheSet:
		if found = !found || !a.Absent; found {
			e = entry{value: a.Value}
			if a.Lifetime > 0 {
				e.until = r.now.Add(a.Lifetime)
			}
			r.cache[key] = e
		}
	case flow.CacheDelIf:
		found = found && e.value == a.Value
		fallthrough
	case flow.CacheDel:
		if found {
			delete(r.cache, key)
		}
	}
	return flow.Reply{Found: found, Values: [flow.MaxValues]sql.Value{e.value}}
}

// provider charges once per key, as long as it keeps it; a lookup finds older charges too.
func (r *task) provider(a flow.Action) flow.Reply {
	c, found := r.charges[a.Key]
	if a.Do == flow.Charge && (!found || !r.now.Before(c.at.Add(r.program.Params.ProviderTTL))) {
		r.made++
		c = charge{sql.Value(900 + r.made), r.now}
		r.charges[a.Key] = c
		found = true
	}
	return flow.Reply{Found: found, Values: [flow.MaxValues]sql.Value{c.id, 201}}
}

// sum is the sum of a column, of what is committed.
func (w *world) sum(table, column string) int {
	t := w.program.Schema.Table(table)
	return int(w.db.Sum(t, w.program.Schema.Column(t, column)))
}

// count is how many rows a table has.
func (w *world) count(table string) int { return w.db.Count(w.program.Schema.Table(table)) }
