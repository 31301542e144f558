package conformance

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// play is a flow whose statements run on the server and in the model, each in a session of
// the task that sends it. Tasks take turns at random; what they do besides takes no time.
type play struct {
	b       *database
	db      postgres.DB
	program *flow.Program
	now     sim.Wall
	tasks   []*task
	cache   map[string]sql.Value
	charges map[sql.Value]sql.Value
	log     strings.Builder
	differs bool
}

// task is a handler that runs.
type task struct {
	flow.Task
	next  flow.Action
	waits uint32 // the number of its wait; 0: it does not
	done  bool
}

// newPlay prepares the tables of a flow in both.
func newPlay(b *database, p *flow.Program, text string) *play {
	b.begin(tables(text))
	return &play{b: b, db: postgres.NewDB(p.Schema, postgres.Options{Sessions: 8}), program: p,
		now: sim.Wall(time.Now().UnixNano()), cache: map[string]sql.Value{}, charges: map[sql.Value]sql.Value{}}
}

var comments = regexp.MustCompile(`(?m)#.*$`)

// tables are the statements of a flow that make its tables.
func tables(text string) string {
	head, _, _ := strings.Cut(comments.ReplaceAllString(text, ""), "{")
	var list []string
	for _, sql := range strings.Split(head, ";") {
		if sql = strings.TrimSpace(sql); strings.HasPrefix(sql, "create ") || strings.HasPrefix(sql, "insert ") {
			list = append(list, sql+";")
		}
	}
	return strings.Join(list, "\n")
}

// start adds a task that runs a handler.
func (p *play) start(h flow.Handler, attempt sql.Value) {
	t := &task{}
	p.program.Start(&t.Task, h, flow.Input{Tenant: 1, Key: 1, Fingerprint: 10, Amount: 30, Intent: 1, Attempt: attempt, Event: 1,
		Owner: sql.Value(100 + len(p.tasks))})
	t.next = p.program.Next(&t.Task, flow.Reply{}, p.now)
	t.done = t.next.Do.Ends()
	p.tasks = append(p.tasks, t)
}

// run lets the tasks take turns until all are done, both differ, or the time that the
// tasks have slept is so long that the server's clock would matter.
func (p *play) run(r *rand.Rand) {
	limit := p.now.Add(4 * time.Second)
	for !p.differs && p.now.Before(limit) {
		var ready []int
		waits := 0
		for i, t := range p.tasks {
			switch {
			case t.waits != 0:
				waits++
			case !t.done:
				ready = append(ready, i)
			}
		}
		switch {
		case len(ready) > 0:
			p.turn(ready[r.IntN(len(ready))])
		case waits > 0:
			p.deadlock()
		default:
			return
		}
	}
}

// turn carries out the next action of a task.
func (p *play) turn(i int) {
	t := p.tasks[i]
	switch a := t.next; a.Do {
	case flow.Query:
		p.query(i)
	case flow.Fetch:
		var row postgres.Result
		reply := flow.Reply{Found: p.db.Fetch(i, &row)}
		copy(reply.Values[:], row.Row[:])
		p.reply(t, reply)
	case flow.Work:
		p.reply(t, flow.Reply{})
	case flow.Sleep:
		p.now = p.now.Add(a.Least)
		p.reply(t, flow.Reply{})
	default:
		p.reply(t, p.other(a))
	}
}

// other is the cache and the provider, both without a fault and without expiry.
func (p *play) other(a flow.Action) (r flow.Reply) {
	var key string
	if a.Do == flow.CacheGet || a.Do == flow.CacheSet || a.Do == flow.CacheDel || a.Do == flow.CacheDelIf {
		key = fmt.Sprint(p.program.Words[a.Word], a.Values[:a.N])
		r.Values[0], r.Found = p.cache[key]
	}
	switch a.Do {
	case flow.CacheSet:
		if r.Found = !r.Found || !a.Absent; r.Found {
			p.cache[key] = a.Value
		}
	case flow.CacheDel:
		delete(p.cache, key)
	case flow.CacheDelIf:
		if r.Found = r.Found && r.Values[0] == a.Value; r.Found {
			delete(p.cache, key)
		}
	case flow.Charge, flow.Lookup:
		if _, r.Found = p.charges[a.Key]; !r.Found && a.Do == flow.Charge {
			p.charges[a.Key] = sql.Value(901 + len(p.charges))
		}
		r.Values[0], r.Values[1] = p.charges[a.Key], 201
	}
	return r
}

func (p *play) reply(t *task, r flow.Reply) {
	r.Number = t.next.Number
	t.next = p.program.Next(&t.Task, r, p.now)
	t.done = t.next.Do.Ends()
}

// query runs a statement on both and hands the model's results to the tasks, if the server
// has the same.
func (p *play) query(i int) {
	t := p.tasks[i]
	s := p.program.Statements[t.next.Statement]
	sql := fmt.Sprintf("do $$ begin raise sqlstate '%v'; end $$", s.Code) // what a function would answer
	if s.SQL != nil {
		sql = p.literal(s.SQL, t.next.Values[:t.next.N])
	}
	fmt.Fprintf(&p.log, "%c: %s\n", 'A'+i, sql)
	ended := p.b.run(byte('A'+i), sql)
	var r postgres.Result
	if s.SQL == nil {
		r.Code = p.db.Refuse(p.now, i, s.Code)
	} else {
		p.db.Exec(p.now, i, s.SQL, t.next.Values[:t.next.N], &r)
	}
	own := p.outcome(i, &r)
	p.compare(append(p.woken(), own...), ended)
}

// deadlock waits for the server to end a session, and lets the model look for a deadlock.
func (p *play) deadlock() {
	ended := p.b.expire()
	var said []string
	for i, t := range p.tasks {
		if len(said) == 0 && t.waits != 0 {
			p.db.CheckDeadlock(p.now, i, t.waits)
			said = p.woken()
		}
	}
	p.log.WriteString("after deadlock_timeout\n")
	p.compare(said, ended)
}

// woken are the outcomes of statements that have waited.
func (p *play) woken() (list []string) {
	var r postgres.Result
	for {
		i, ok := p.db.Next(&r)
		if !ok {
			return list
		}
		list = append(list, p.outcome(i, &r)...)
	}
}

// outcome hands a result of the model to its task and says what it is, if the statement
// has ended.
func (p *play) outcome(i int, r *postgres.Result) []string {
	t := p.tasks[i]
	if t.waits = 0; r.Waits {
		t.waits = r.Wait
		return nil
	}
	st := p.program.Statements[t.next.Statement].SQL
	said := fmt.Sprintf("%c: %s", 'A'+i, p.rows(i, st, *r))
	reply := flow.Reply{Code: r.Code, Rows: r.Rows}
	copy(reply.Values[:], r.Row[:])
	if r.Columns > 0 {
		p.db.Fetch(i, &postgres.Result{}) // the first row is in the reply
	}
	p.reply(t, reply)
	return []string{said}
}

// compare holds what the model says against what the server does.
func (p *play) compare(said []string, ended []result) {
	var done []string
	for _, r := range ended {
		done = append(done, fmt.Sprintf("%c: %s", r.session, firstRow(r.outcome)))
	}
	slices.Sort(said)
	slices.Sort(done)
	if p.differs = !slices.Equal(said, done); p.differs {
		fmt.Fprintf(&p.log, "   PostgreSQL: %v\n   model:      %v\n", done, said)
		return
	}
	for _, o := range done {
		fmt.Fprintf(&p.log, "   %s\n", o)
	}
}
